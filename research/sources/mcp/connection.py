"""One conversation with a server of tools: opened for a question, closed after the answer, its failures named."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator
from typing import Any, TypeVar

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, PaginatedRequestParams, Tool

from research.errors import SourceError
from research.mcp_servers import McpServer
from research.sources.refusals import scrubbed

T = TypeVar("T")

LIST_SECONDS = 15.0
CALL_SECONDS = 60.0
_LARGEST = 5_000_000
"""Bytes of one answer."""
_MOST_LISTS = 10
"""Parts in which a server may tell its tools."""
_UNAUTHORIZED = (401, 403)
_SHORTEST_SECRET = 6
"""Shorter parts of a header are words."""


class Connection:
    """The way to one server. Nothing is kept open between questions."""

    def __init__(
        self, server: McpServer, *, list_seconds: float = LIST_SECONDS, call_seconds: float = CALL_SECONDS
    ) -> None:
        self.server = server
        self._list_seconds = list_seconds
        self._call_seconds = call_seconds

    async def tools(self) -> list[Tool]:
        """Return the server's tools.

        Raises:
            SourceError: an `mcp_…` code of `research.problems`.
        """
        return await self._within(self._list_seconds, _all_tools)

    async def call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        """Return what a tool answers.

        Raises:
            SourceError: an `mcp_…` code of `research.problems`.
        """
        return await self._within(self._call_seconds, lambda session: session.call_tool(tool, arguments))

    async def _within(self, seconds: float, ask: Callable[[ClientSession], Awaitable[T]]) -> T:
        headers = self.server.filled_headers()
        try:
            async with asyncio.timeout(seconds):
                return await self._asked(headers, seconds, ask)
        except TimeoutError as error:
            raise SourceError("mcp_timeout", f"{self.server.name}: no answer within {seconds:g} s") from error
        except Exception as error:  # noqa: BLE001 - failures come in groups of any kind; each is named
            raise _named(self.server.name, error, headers.values()) from None  # The original may quote a header.

    async def _asked(self, headers: dict[str, str], seconds: float, ask: Callable[[ClientSession], Awaitable[T]]) -> T:
        watch = _Watch()
        # Redirects are not followed: the headers are for this server alone.
        async with (
            httpx.AsyncClient(
                headers=headers, timeout=seconds, follow_redirects=False, event_hooks={"response": [watch.cap]}
            ) as client,
            streamable_http_client(self.server.url, http_client=client) as (incoming, outgoing, _),
            ClientSession(incoming, outgoing, message_handler=watch.look_at) as session,
        ):

            async def talk() -> T:
                await session.initialize()
                return await ask(session)

            return await watch.over(talk())


class _Watch:
    """Ends a conversation that cannot come to an end: the client waits for an answer even after an unusable one."""

    def __init__(self) -> None:
        self._failure: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()

    async def over(self, talk: Coroutine[Any, Any, T]) -> T:
        """Return what `talk` returns, unless the server's answers turn out unusable before."""
        task = asyncio.create_task(talk)
        try:
            waiting: set[asyncio.Future[Any]] = {task, self._failure}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise self._failure.result()
            return await task
        finally:
            task.cancel()

    async def look_at(self, message: object) -> None:
        """Take what a server sends without being asked, and what could not be read of its answers."""
        if isinstance(message, Exception):
            self.fail(message)

    async def cap(self, response: httpx.Response) -> None:
        """Let only so much of a response through."""
        if isinstance(response.stream, httpx.AsyncByteStream):
            response.stream = _Capped(response.stream, self)

    def fail(self, failure: Exception) -> None:
        """End the conversation."""
        if not self._failure.done():
            self._failure.set_result(failure)


class _Capped(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, watch: _Watch) -> None:
        self._stream = stream
        self._watch = watch
        self._left = _LARGEST

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._left -= len(piece)
            if self._left < 0:
                failure = SourceError("mcp_failed", f"an answer of more than {_LARGEST:,} bytes")
                self._watch.fail(failure)
                raise failure
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _all_tools(session: ClientSession) -> list[Tool]:
    tools: list[Tool] = []
    cursor: str | None = None
    for _ in range(_MOST_LISTS):
        part = await session.list_tools(params=PaginatedRequestParams(cursor=cursor))
        tools += part.tools
        cursor = part.nextCursor
        if not cursor:
            break
    return tools


def _named(name: str, error: BaseException, headers: Iterable[str]) -> SourceError:
    """Return the error of this package that `error` amounts to, without anything secret."""
    leaves = list(_leaves(error))
    code = next((code for code in map(_code, leaves) if code), "mcp_failed")
    detail = f"{name}: {leaves[0] if str(leaves[0]) else type(leaves[0]).__name__}"
    for secret in (part for value in headers for part in value.split() if len(part) >= _SHORTEST_SECRET):
        detail = detail.replace(secret, "***")
    return SourceError(code, scrubbed(" ".join(detail.split()), ""))


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _code(error: BaseException) -> str:
    match error:
        case SourceError():
            return error.code
        case httpx.HTTPStatusError():
            return "mcp_unauthorized" if error.response.status_code in _UNAUTHORIZED else ""
        case httpx.TimeoutException():
            return "mcp_timeout"
        case httpx.TransportError():
            return "mcp_unreachable"
        case UnicodeEncodeError():
            return "mcp_unauthorized"
    return ""
