"""Workers for tests: in a thread with a scripted world, or as the command that a machine runs."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr

from research.core import Brief
from research.engine import World
from research.settings import Settings
from research.store import RunStore, Worker
from tests.support.scripted import MemorySource, ScriptedAnalyst, scripted_world


@contextmanager
def working(
    store: RunStore,
    home: Path,
    source: MemorySource | None = None,
    *,
    build: Callable[..., World] | None = None,
    settings_of: Callable[[str], Settings] | None = None,
) -> Iterator[list[str]]:
    """Let a worker carry out runs in a thread meanwhile, in a scripted world; give what it says."""
    said: list[str] = []

    def scripted(brief: Brief, settings: Settings, **_: object) -> World:
        return scripted_world(ScriptedAnalyst(), source or MemorySource())

    worker = Worker(store, Settings(home=home), build=build or scripted, settings_of=settings_of, say=said.append)
    thread = threading.Thread(target=worker.work)
    thread.start()
    try:
        yield said
    finally:
        worker.end()
        thread.join()


class WorkerCommand:
    """`python -m research worker`, in a process of its own that has no keys."""

    def __init__(self, home: Path, database: SecretStr | None, *flags: str, **more: str) -> None:
        self._log = home.parent / f"{home.name}-worker-{os.urandom(4).hex()}.log"
        passed_on = ("PATH", "PYTHONPATH", "OMP_NUM_THREADS", "RESEARCH_PREPARED")
        kept = {name: os.environ[name] for name in passed_on if name in os.environ}
        environment = {**kept, "RESEARCH_HOME": str(home), "LANG": "en_US.UTF-8", **more}
        if database is not None:
            environment["RESEARCH_DATABASE"] = database.get_secret_value()
        with self._log.open("wb") as log:
            command = [sys.executable, "-m", "research", "worker", *flags]
            self.process = subprocess.Popen(command, stderr=log, env=environment)

    @property
    def lines(self) -> list[str]:
        """What it wrote so far."""
        return self._log.read_text().splitlines()

    @property
    def said(self) -> list[str]:
        """What it said so far, without the time."""
        return [line.partition(" ")[2] for line in self.lines]

    def begun(self) -> list[str]:
        """Return the ids of the runs that it began."""
        return [line.partition("run=")[2] for line in self.said if line.startswith("run_begun")]


@contextmanager
def worker_command(home: Path, database: SecretStr | None, *flags: str, **more: str) -> Iterator[WorkerCommand]:
    """Let the command run meanwhile, with `more` variables; it is killed in the end, if it is not gone by then."""
    worker = WorkerCommand(home, database, *flags, **more)
    try:
        yield worker
    finally:
        worker.process.kill()
        worker.process.wait()
