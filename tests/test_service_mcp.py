"""Chat tools ask by the Model Context Protocol: with the package's own client, over stdin and stdout and over HTTP."""

from __future__ import annotations

import base64
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import BlobResourceContents, CallToolResult, EmbeddedResource, TextContent

from research.language import Language
from research.service import Desks, Door, add_token
from research.service.mcp import make_server
from research.terminal import line_of
from tests.support.service import TEXT, market_reports, serving

ASKED = {"brief": {"question": "How did the pump market in Vietnam grow?", "preset": "speed"}, "library": "reports"}

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("get_report", {"run_id": "20260101-000000"}, "There is no run"),
    ("export", {"run_id": "20260101-000000", "format": "exe"}, "pdf"),
    ("search_library", {"query": "pumps", "library": "/etc"}, "There are: reports"),
    ("run_research", {"brief": {"question": "Pumps?", "sources": ["nowhere"]}}, "There is no source nowhere"),
    ("run_research", {"brief": {"question": ""}}, "question"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return market_reports(tmp_path)


@asynccontextmanager
async def session(environment: dict[str, str], folder: Path) -> AsyncIterator[ClientSession]:
    """Start the command as a chat tool does."""
    given = StdioServerParameters(
        command=sys.executable, args=["-m", "research", "mcp", "--library", str(folder)], env=environment
    )
    async with stdio_client(given) as (reading, writing), ClientSession(reading, writing) as client:
        await client.initialize()
        yield client


def text_of(answer: CallToolResult) -> str:
    assert not answer.isError, answer
    (told,) = answer.content
    assert isinstance(told, TextContent)
    return told.text


async def test_a_chat_tool_researches_takes_the_report_and_is_told_what_cannot_be_done(
    environment: dict[str, str], folder: Path
) -> None:
    told: list[tuple[float, str | None]] = []

    async def on_progress(done: float, _: float | None, message: str | None) -> None:
        told.append((done, message))

    async with session(environment, folder) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {"run_research", "get_report", "search_library", "verify_claims", "export"}
        report = text_of(await client.call_tool("run_research", ASKED, progress_callback=on_progress))
        assert "4.2%" in report
        assert [done for done, _ in told] == sorted({done for done, _ in told})
        assert any("Search in" in (message or "") for _, message in told)
        found = re.search(r"run: (\S+), status: complete", report)
        assert found is not None
        assert text_of(await client.call_tool("get_report", {"run_id": found[1]})) == report
        (file,) = (await client.call_tool("export", {"run_id": found[1], "format": "docx"})).content
        assert isinstance(file, EmbeddedResource)
        assert isinstance(file.resource, BlobResourceContents)
        assert base64.b64decode(file.resource.blob).startswith(b"PK")
        hits = (
            await client.call_tool("search_library", {"query": "pump market", "library": "reports"})
        ).structuredContent
        assert hits is not None
        assert hits["result"][0]["file"] == "market.md"
        asked = {"text": "It fell by 9%. The pump market grew by 4.2% in 2025.", "pages": [TEXT]}
        verdicts = (await client.call_tool("verify_claims", asked)).structuredContent
        assert verdicts is not None
        assert [one["label"] for one in verdicts["result"]] == ["unsupported", "supported"]
        for tool, wrong, words in REFUSED:
            answer = await client.call_tool(tool, wrong)
            assert answer.isError
            (said,) = answer.content
            assert isinstance(said, TextContent)
            assert words in said.text


async def test_over_http_a_token_says_whose_runs_they_are(environment: dict[str, str], folder: Path) -> None:
    desks = Desks(environment, [folder])
    app = make_server(desks, Language.EN, line_of).streamable_http_app()
    home = Path(environment["RESEARCH_HOME"])
    tokens = {name: {"Authorization": f"Bearer {add_token(home, name)}"} for name in ("alice", "bob")}

    @asynccontextmanager
    async def asking(address: str, name: str) -> AsyncIterator[ClientSession]:
        async with (
            httpx.AsyncClient(headers=tokens[name], timeout=60) as over,
            streamable_http_client(f"{address}/mcp", http_client=over) as (reading, writing, _),
            ClientSession(reading, writing) as client,
        ):
            await client.initialize()
            yield client

    with serving(Door(app, home=home, host="127.0.0.1", allowed=())) as address:
        async with asking(address, "alice") as client:
            report = text_of(await client.call_tool("run_research", ASKED))
        run = report.partition("run: ")[2].partition(",")[0]
        async with asking(address, "bob") as client:
            assert (await client.call_tool("get_report", {"run_id": run})).isError
    desks.close()
