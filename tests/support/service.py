"""The service as it is served: by uvicorn on loopback, in a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import uvicorn
from starlette.types import ASGIApp

from research.service.api import make_app

TEXT = "The pump market grew by 4.2% in 2025, most of all in Vietnam. Water utilities bought most of the pumps."


def market_reports(folder: Path) -> Path:
    """Write a folder of documents, one that says `TEXT`, and return it."""
    reports = folder / "reports"
    reports.mkdir()
    (reports / "market.md").write_text(f"# Market\n\n{TEXT}\n", encoding="utf-8")
    return reports


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """Serve in a thread meanwhile, and give the address."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, proxy_headers=False))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise RuntimeError("The service did not start.")
            time.sleep(0.02)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def served(environment: Mapping[str, str], *libraries: Path) -> Iterator[httpx.Client]:
    """Serve all that is answered over HTTP meanwhile, and give a client."""
    app = make_app(environment, host="127.0.0.1", libraries=libraries)
    with serving(app) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def events_of(client: httpx.Client, run: str, after: int | None = None, most: int = 10**6) -> list[tuple[int, str]]:
    """Follow a run to its end, or until so many events were told; return number and type of each."""
    found: list[tuple[int, str]] = []
    told: dict[str, str] = {}
    headers = {} if after is None else {"Last-Event-ID": str(after)}
    with client.stream("GET", f"/runs/{run}/events", headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            name, _, value = line.partition(": ")
            if name:
                told[name] = value
            elif "id" in told:
                found.append((int(told["id"]), told["event"]))
                told = {}
            if len(found) == most:
                break
    return found
