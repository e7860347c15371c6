"""The real app in a process of its own, and a browser to look at it."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, sync_playwright

from tests.support.vectors import with_shared_vectors

ROOT = Path(__file__).resolve().parents[2]
_ROLES = ("PLANNING_", "RESEARCH_", "SUMMARIZATION_", "COMPRESSION_", "FINAL_REPORT_")
_OURS = ("OPENAI_", "TAVILY_", "ANTHROPIC_", "WEB_SEARCH", "STREAMLIT_", *_ROLES)
_START_SECONDS = 180.0
PATIENCE = 120_000
"""Milliseconds that a test waits for what a page shows; a machine may be busy with other things."""
_QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--js-flags=--no-opt",
]
"""Pages are soon closed again: the last of the compilers of their scripts takes more than it gives, 7% of it all."""


def chromium() -> str | None:
    """Return the system's Chromium, if there is one: best the one without windows, which takes half the processor."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


class Server:
    """The app as a process: it can be killed, and started again at the same address."""

    def __init__(self, home: Path, **environment: str) -> None:
        """Choose an address for an app with its data in `home`; no keys but those given.

        Vectors that any test has had made are there: those of a first question take the built-in model half a minute.
        """
        with_shared_vectors(home)
        self._port = _free_port()
        self.address = f"http://127.0.0.1:{self._port}"
        self.log = home / "app.log"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        self._environment = {**kept, "RESEARCH_HOME": str(home), **environment}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The id of the process."""
        if self._process is None:
            raise RuntimeError("The app is not running.")
        return self._process.pid

    def start(self) -> None:
        """Start the app, and wait until it answers."""
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true",
                   f"--server.port={self._port}", "--server.address=127.0.0.1"]  # fmt: skip
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("a") as output:
            self._process = subprocess.Popen(command, cwd=ROOT, env=self._environment, stdout=output, stderr=output)
        _wait(f"{self.address}/_stcore/health", self._process, self.log)

    def stop(self) -> None:
        """Ask the app to end, and see to it that it does."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the app as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@contextmanager
def workbench(home: Path, **environment: str) -> Iterator[str]:
    """Start the app with its data in `home` and return its address; no keys but those given."""
    server = Server(home, **environment)
    try:
        server.start()
        yield server.address
    finally:
        server.stop()


def _free_port() -> int:
    """Return a port that nobody listens on, below those that systems give to connections: it stays free meanwhile."""
    while True:
        port = random.randrange(12_000, 32_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port


def _wait(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            with urlopen(address, timeout=2) as answer:
                if answer.status == 200:
                    return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise RuntimeError(f"The app did not start:\n{log.read_text()}")


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a headless Chromium that talks to nobody but the app."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium(), args=_QUIET)
        try:
            yield found
        finally:
            found.close()
