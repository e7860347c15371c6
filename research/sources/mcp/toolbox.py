"""The servers of tools of one run: what they offer, asked once, and what they answer, as pages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any, Protocol

from mcp.types import Tool

from research.analysts.protocol import OfferedTool, UseTool
from research.errors import SourceError
from research.events import Stage
from research.mcp_servers import McpServer
from research.sources.mcp.connection import CALL_SECONDS, LIST_SECONDS, Connection
from research.sources.mcp.offering import offered, query_parameter
from research.sources.mcp.results import page_of
from research.sources.protocol import FoundPage, SearchRequest, Source
from research.vocabulary import SourceName


class OnProblem(Protocol):
    """Told what went wrong."""

    def __call__(self, stage: Stage, code: str, *, subject: str = "", detail: str = "") -> None:
        """Take note of it."""


class Servers:
    """All servers of a run: the toolbox of its researchers, and the sources among them."""

    def __init__(
        self,
        servers: Sequence[McpServer],
        on_problem: OnProblem,
        *,
        list_seconds: float = LIST_SECONDS,
        call_seconds: float = CALL_SECONDS,
    ) -> None:
        self._known = {
            server.name: _Known(Connection(server, list_seconds=list_seconds, call_seconds=call_seconds))
            for server in servers
        }
        self._on_problem = on_problem
        self._asking = asyncio.Lock()
        self._offered: tuple[OfferedTool, ...] | None = None

    @property
    def sources(self) -> list[Source]:
        """A source for each server with a tool that searches."""
        return [_SearchTool(known) for known in self._known.values() if known.server.search]

    async def offered(self) -> tuple[OfferedTool, ...]:
        """Return the tools that can be used, asked of the servers once; those that cannot be asked are reported."""
        async with self._asking:
            if self._offered is None:
                lists = await asyncio.gather(*map(self._tools_of, self._known.values()))
                self._offered = tuple(tool for tools in lists for tool in tools)
        return self._offered

    def source(self, action: UseTool) -> Source:
        """Return a source whose one page is what the tool answers."""
        return _OneAnswer(self._known.get(action.server), action)

    async def _tools_of(self, known: _Known) -> tuple[OfferedTool, ...]:
        try:
            return offered(known.server, await known.tools())
        except SourceError as error:
            self._on_problem(Stage.SEARCH, error.code, subject=known.server.name, detail=error.detail)
            return ()


class _Known:
    """A server and its list of tools, once it was told."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.server = connection.server
        self._asking = asyncio.Lock()
        self._tools: list[Tool] | None = None
        self._answers: dict[str, FoundPage] = {}

    async def tools(self) -> list[Tool]:
        async with self._asking:
            if self._tools is None:
                self._tools = await self.connection.tools()
        return self._tools

    async def ask(self, tool: str, arguments: dict[str, Any]) -> list[FoundPage]:
        """Return what a tool answers, as one page; what was answered before is the same page, not one more source."""
        page = page_of(self.server.name, tool, arguments, await self.connection.call(tool, arguments))
        return [self._answers.setdefault(page.text, page)] if page is not None else []


class _OneAnswer:
    """What one use of a tool brings."""

    name = SourceName.MCP

    def __init__(self, known: _Known | None, action: UseTool) -> None:
        self._known = known
        self._action = action

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return the answer as a page, or nothing if there is no text in it.

        Raises:
            SourceError: the tool cannot be used, or failed.
        """
        action = self._action
        if self._known is None or not self._known.server.allows(action.tool):
            raise SourceError("mcp_failed", f"{action.server}/{action.tool} is not set up")
        try:
            arguments = json.loads(action.arguments)
        except ValueError as error:
            raise SourceError("mcp_failed", "the arguments are no JSON") from error
        if not isinstance(arguments, dict):
            raise SourceError("mcp_failed", "the arguments are no object")
        return await self._known.ask(action.tool, arguments)


class _SearchTool:
    """A tool that searches, asked with every query."""

    name = SourceName.MCP

    def __init__(self, known: _Known) -> None:
        self._known = known

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return what the tool answers to the query, as one page.

        Raises:
            SourceError: the tool cannot be used, or failed.
        """
        server = self._known.server
        parameter = query_parameter(await self._known.tools(), server.search)
        if parameter is None:
            raise SourceError("mcp_failed", f"{server.name}/{server.search} is no tool that takes one text")
        return await self._known.ask(server.search, {parameter: request.query})
