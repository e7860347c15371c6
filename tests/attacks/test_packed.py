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


def test_no_server_fills_the_memory(server: HTTPServer, packed: dict[str, Body], tmp_path: Path) -> None:
    channels = ["page", "tavily", "mcp", "search", "model"]
    outcomes, grown = asked(channels, server.url_for("").rstrip("/"), tmp_path, sorted(packed.keys() - {SMALL}))
    assert {len(told) for told in outcomes.values()} == {len(packed) - 1} and len(packed) > 20
    taken = {channel: {name for name, told in of.items() if not _refused(told)} for channel, of in outcomes.items()}
    assert taken == {channel: HARMLESS.get(channel, set()) for channel in channels}
    assert grown < ROOM, "by one of them"


def test_no_other_client_does(server: HTTPServer, tmp_path: Path) -> None:
    """All read answers through one wire; one body of each kind tells whether a client goes through it."""
    providers = ["anthropic", "azure", "gemini", "bedrock", "ollama", "papers", "feeds", "azure-search", "embedder"]
    names = ["bomb", "endless", "lists-in-lists"]
    outcomes, grown = asked(providers, server.url_for("").rstrip("/"), tmp_path, names)
    assert [(client, name) for client, of in outcomes.items() for name in of] == [
        (client, name) for client in providers for name in names
    ]
    assert not {client: of for client, of in outcomes.items() if not all(map(_refused, of.values()))}
    assert grown < ROOM, "by one of them"


def _refused(told: str) -> bool:
    return told.startswith("refused")


def test_no_archive_fills_the_memory(tmp_path: Path) -> None:
    files = archives()
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    outcomes, grown = asked(["archive"], "file", tmp_path, sorted(files))
    assert all(map(_refused, outcomes["archive"].values()))
    assert grown < ROOM


def asked(channels: list[str], address: str, folder: Path, names: list[str]) -> tuple[dict[str, dict[str, str]], int]:
    with elsewhere(report, channels, address, folder, names) as (_, connection):
        return cast("tuple[dict[str, dict[str, str]], int]", said(connection, patience=400))
