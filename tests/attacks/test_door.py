"""The door of the app as anybody finds it who starts it: where it listens, to which names it answers, who frames it."""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import psutil
import pytest

from tests.support.serving import _free_port

ROOT = Path(__file__).resolve().parents[2]
STRANGE = (
    "evil.example", "evil.example:8501", "127.0.0.1.evil.example", "localhost.evil.example", "evil-localhost",
    "127.0.0.1@evil.example", "evil.example@127.0.0.1", "10.0.0.1", "0.0.0.0", "127.0.0.2", "[::2]", "localhost/x",
    "localhost#x", "localhost, evil.example", "localhost:99999", "localhost:x", "", " ", "*", "xn--lcalhost-9ya",
)  # fmt: skip
KNOWN = ("localhost", "LOCALHOST", "localhost.", "localhost:8501", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:8501")
PATHS = ("/", "/settings", "/health", "/_stcore/health", "/_stcore/host-config", "/media/x.txt", "/static/index.html")


class App(NamedTuple):
    """The app as a process."""

    process: subprocess.Popen[bytes]
    port: int


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Started as `make run` does it: all that matters stands in the configuration."""
    port = _free_port()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    environment = {**kept, "RESEARCH_HOME": str(tmp_path_factory.mktemp("home"))}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 120
        while time.monotonic() < until and process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        yield App(process, port)
    finally:
        process.terminate()
        process.wait(20)


def asked(app: App, path: str, *headers: str) -> bytes:
    """Return the answer to a request with these headers and no others, as it comes."""
    request = "\r\n".join([f"GET {path} HTTP/1.1", *headers, "Connection: close", "", ""])
    with socket.create_connection(("127.0.0.1", app.port), timeout=20) as wire:
        wire.sendall(request.encode("latin-1"))
        answer = b""
        while piece := wire.recv(65_536):
            answer += piece
        return answer


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def test_make_run_names_no_address_of_its_own() -> None:
    lines = [line for line in (ROOT / "Makefile").read_text().splitlines() if "streamlit run" in line]
    assert lines == ["\t$(BIN)/streamlit run app.py"]


def test_it_listens_to_this_computer_alone(app: App) -> None:
    listening = {
        one.laddr.ip
        for one in psutil.Process(app.process.pid).net_connections("inet")
        if one.status == psutil.CONN_LISTEN
    }
    assert listening == {"127.0.0.1"}


@pytest.mark.parametrize("host", KNOWN)
def test_it_answers_to_its_own_names(app: App, host: str) -> None:
    assert status(asked(app, "/_stcore/health", f"Host: {host}")) == 200


@pytest.mark.parametrize("host", STRANGE)
def test_it_answers_to_no_other_name(app: App, host: str) -> None:
    answer = asked(app, "/", f"Host: {host}")
    assert status(answer) in (400, 421)
    assert b"<script" not in answer


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_served_to_a_strange_name(app: App, path: str) -> None:
    assert status(asked(app, path, "Host: evil.example")) == 421


def test_two_names_are_none(app: App) -> None:
    assert status(asked(app, "/", "Host: localhost", "Host: evil.example")) in (400, 421)
    assert status(asked(app, "/")) in (400, 421)


def _socket_headers(host: str, origin: str | None) -> list[str]:
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}"]
    return [*lines, "Sec-WebSocket-Version: 13", *([f"Origin: {origin}"] if origin else [])]


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("evil.example", "http://evil.example"),
        ("evil.example", None),
        ("127.0.0.1.evil.example", None),
        ("localhost", "http://evil.example"),
        ("localhost", "null"),
        ("localhost", "https://localhost.evil.example"),
    ],
)
def test_the_wire_behind_the_pages_is_for_its_own_pages(app: App, host: str, origin: str | None) -> None:
    request = "\r\n".join(["GET /_stcore/stream HTTP/1.1", *_socket_headers(host, origin), "", ""])
    with socket.create_connection(("127.0.0.1", app.port), timeout=20) as wire:
        wire.sendall(request.encode())
        assert status(wire.recv(65_536)) == 403


def test_its_own_pages_have_that_wire(app: App) -> None:
    own = f"localhost:{app.port}"
    request = "\r\n".join(["GET /_stcore/stream HTTP/1.1", *_socket_headers(own, f"http://{own}"), "", ""])
    with socket.create_connection(("127.0.0.1", app.port), timeout=20) as wire:
        wire.sendall(request.encode())
        assert status(wire.recv(65_536)) == 101


@pytest.mark.parametrize("path", ["/", "/settings", "/_stcore/health", "/nowhere.js"])
def test_no_other_site_may_frame_it_or_have_it_fetch_pictures(app: App, path: str) -> None:
    answer = httpx.get(f"http://127.0.0.1:{app.port}{path}")
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy and "img-src 'self' data: blob:" in policy
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_how_it_stands_is_told_in_numbers_alone(app: App) -> None:
    answer = httpx.get(f"http://127.0.0.1:{app.port}/health")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert answer.json() == {"status": "ok", "store": "ok", "workers": 0, "waiting": 0, "running": 0}


def test_nothing_is_put_into_it_from_elsewhere(app: App) -> None:
    address = f"http://127.0.0.1:{app.port}/_stcore/upload_file/x/y"
    answer = httpx.put(address, files={"file": b"x"}, headers={"Origin": "http://evil.example"})
    assert answer.status_code in (400, 403)


@pytest.mark.parametrize(
    ("set_up", "said"),
    [
        ({"STREAMLIT_SERVER_ADDRESS": "0.0.0.0"}, "RESEARCH_OPEN"),
        ({"STREAMLIT_SERVER_ADDRESS": "0.0.0.0", "RESEARCH_OPEN": "yes"}, "RESEARCH_OPEN"),
        ({"STREAMLIT_SERVER_ALLOWED_HOSTS": "team.example 127.0.0.1", "LANG": "ja_JP.UTF-8"}, "ログイン"),
        ({"RESEARCH_LOGIN_HEADER": "X-User"}, "RESEARCH_LOGIN_SECRET"),
        ({"RESEARCH_LOGIN_HEADER": "X-User", "RESEARCH_LOGIN_PROXIES": "0.0.0.0/0"}, "RESEARCH_LOGIN_SECRET"),
    ],
)
def test_without_a_login_what_others_can_reach_does_not_start(
    tmp_path: Path, set_up: dict[str, str], said: str
) -> None:
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", "--server.port=0"]
    environment = {**os.environ, "LANG": "en_US.UTF-8", "RESEARCH_HOME": str(tmp_path), **set_up}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 1
    assert said in ran.stderr
