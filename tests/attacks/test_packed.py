"""What is packed so that it takes all memory is refused, whoever sends it, and little of it is ever unpacked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.support.packed import SMALL, Body, archives, bodies, report
from tests.support.processes import elsewhere, said

ROOM = 150 * 2**20
"""Bytes that a process may take more for whatever a server sends: far less than one of the bodies unpacks to."""
HARMLESS = {"page": {"lists-in-lists", "objects-in-objects"}}
"""On a page, brackets are but text."""


@pytest.fixture(scope="module")
def packed() -> dict[str, Body]:
    return bodies()


@pytest.fixture(scope="module")
def server(packed: dict[str, Body]) -> Iterator[HTTPServer]:
    def answer(request: Request) -> Response:
        if request.path == "/robots.txt":
            return Response(status=404)
        body = packed[request.path.split("/")[1]]
        headers = {"Content-Encoding": body.encoding} if body.encoding else {}
        kind = "text/plain" if request.method == "GET" else "application/json"
        return Response(body.data, headers=headers, content_type=kind)

    with HTTPServer(host="127.0.0.1", threaded=True) as server:
        server.expect_request(re.compile(".*")).respond_with_handler(answer)
        yield server


@pytest.mark.parametrize("channel", ["page", "tavily", "mcp", "search", "model"])
def test_no_server_fills_the_memory(channel: str, server: HTTPServer, packed: dict[str, Body], tmp_path: Path) -> None:
    outcomes, grown = asked(channel, server.url_for("").rstrip("/"), tmp_path, sorted(packed.keys() - {SMALL}))
    assert len(outcomes) >= 20
    taken = {name for name, told in outcomes.items() if not told.startswith("refused")}
    assert taken == HARMLESS.get(channel, set())
    assert grown < ROOM


@pytest.mark.parametrize(
    "provider", ["anthropic", "azure", "gemini", "bedrock", "ollama", "papers", "feeds", "azure-search", "embedder"]
)
def test_no_other_client_does(provider: str, server: HTTPServer, tmp_path: Path) -> None:
    """All read answers through one wire; one body of each kind tells whether a client goes through it."""
    outcomes, grown = asked(provider, server.url_for("").rstrip("/"), tmp_path, ["bomb", "endless", "lists-in-lists"])
    assert len(outcomes) == 3 and all(told.startswith("refused") for told in outcomes.values())
    assert grown < ROOM


def test_no_archive_fills_the_memory(tmp_path: Path) -> None:
    files = archives()
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    outcomes, grown = asked("archive", "file", tmp_path, sorted(files))
    assert all(told.startswith("refused") for told in outcomes.values())
    assert grown < ROOM


def asked(channel: str, address: str, folder: Path, names: list[str]) -> tuple[dict[str, str], int]:
    with elsewhere(report, channel, address, folder, names) as (_, connection):
        return cast("tuple[dict[str, str], int]", said(connection, patience=200))
