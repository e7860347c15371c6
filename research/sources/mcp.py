"""Servers that the user connected by MCP, as sources and tools."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, EmbeddedResource, PaginatedRequestParams, TextContent, TextResourceContents, Tool

from research.analysts import OfferedTool, ToolParameter, UseTool
from research.core import SourceError, SourceKind, SourceName, Stage, without_secrets
from research.core.wire import for_service
from research.settings.mcp_servers import McpServer
from research.sources.pages import clean_text, clean_title
from research.sources.protocol import FoundPage, SearchRequest, Source

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
_SCHEMES = ("Bearer", "Digest")
_LONGEST_DETAIL = 300


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
            SourceError: an `mcp_…` code of `research.core.errors`.
        """
        return await self._within(self._list_seconds, _all_tools)

    async def call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        """Return what a tool answers.

        Raises:
            SourceError: an `mcp_…` code of `research.core.errors`.
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
        async with (
            for_service(httpx.AsyncClient(headers=headers, timeout=seconds), _LARGEST, watch.fail) as client,
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

    def fail(self, failure: Exception) -> None:
        """End the conversation."""
        if not self._failure.done():
            self._failure.set_result(failure)


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
    return SourceError(code, without_secrets(" ".join(detail.split()), _secrets(headers))[:_LONGEST_DETAIL])


def _secrets(headers: Iterable[str]) -> list[str]:
    return [
        part for value in headers for part in value.split() if len(part) >= _SHORTEST_SECRET and part not in _SCHEMES
    ]


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


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_KINDS = ("string", "integer", "number", "boolean", "array", "object")
_MOST_TOOLS = 30
_MOST_PARAMETERS = 12


Agreed = Callable[[McpServer, str], bool]
"""Whether the user said yes to a tool that may change something."""


def only_reads(tool: Tool) -> bool:
    """Whether a tool says of itself that it changes nothing; one that says nothing may."""
    said = tool.annotations
    return said is not None and said.readOnlyHint is True and said.destructiveHint is not True


def says_it_changes(tool: Tool) -> bool:
    """Whether a tool says of itself that it changes something."""
    said = tool.annotations
    return said is not None and (said.readOnlyHint is False or said.destructiveHint is True)


def is_named(tool: Tool) -> bool:
    """Whether the name of a tool is one, and no text."""
    return _NAME.fullmatch(tool.name) is not None


def agree_to_nothing(server: McpServer, tool: str) -> bool:
    """Say no to every tool that may change something."""
    return False


def offered(server: McpServer, tools: Sequence[Tool], agreed: Agreed = agree_to_nothing) -> tuple[OfferedTool, ...]:
    """Return the tools of a server that may be offered, once each; those with names that are no names are left out."""
    usable = [tool for tool in tools if server.allows(tool.name) and (only_reads(tool) or agreed(server, tool.name))]
    made = {tool.name: _offer(server, tool) for tool in usable}
    return tuple(offer for offer in made.values() if offer is not None)[:_MOST_TOOLS]


def query_parameter(tools: Sequence[Tool], name: str) -> str | None:
    """Return the one text that the tool `name` needs, or None if there is no such tool or parameter."""
    schema = next((tool.inputSchema for tool in tools if tool.name == name), {})
    texts = [parameter for parameter in _parameters(schema) if parameter.kind == "string"]
    needed = [parameter.name for parameter in _parameters(schema) if parameter.is_required]
    if len(needed) > 1:
        return None
    candidates = [text.name for text in texts if not needed or text.name in needed]
    return candidates[0] if len(candidates) == 1 else next((name for name in candidates if name == "query"), None)


def _offer(server: McpServer, tool: Tool) -> OfferedTool | None:
    parameters = _parameters(tool.inputSchema)
    usable = tuple(parameter for parameter in parameters if _NAME.fullmatch(parameter.name))[:_MOST_PARAMETERS]
    needs_more = any(parameter.is_required and parameter not in usable for parameter in parameters)
    if needs_more or not is_named(tool):
        return None
    return OfferedTool(server.name, tool.name, usable, server.instructions)


def _parameters(schema: dict[str, Any]) -> list[ToolParameter]:
    """Return the parameters that a JSON Schema names, those that are needed first."""
    properties, required = schema.get("properties"), schema.get("required")
    named = properties if isinstance(properties, dict) else {}
    needed = required if isinstance(required, list) else []
    found = [ToolParameter(str(name), _kind(form), name in needed) for name, form in named.items()]
    return sorted(found, key=lambda parameter: not parameter.is_required)


def _kind(form: object) -> str:
    """Return the type of a parameter; of one that may be several, the first that is not null."""
    if not isinstance(form, dict):
        return "string"
    alternatives = form.get("anyOf")
    kinds = form.get("type", [part.get("type") for part in alternatives or [] if isinstance(part, dict)])
    listed = kinds if isinstance(kinds, list) else [kinds]
    return next((kind for kind in listed if kind in _KINDS), "string")


_LONGEST_QUERY = 1_000
"""Characters of the arguments that an address holds; longer ones are known by their hash."""


def page_of(server: str, tool: str, arguments: dict[str, Any], result: CallToolResult) -> FoundPage | None:
    """Return the answer of a tool as a page, or None if there is no text in it.

    Raises:
        SourceError: `mcp_failed`, the tool says that it failed.
    """
    text = clean_text("\n\n".join(_texts(result)))
    if result.isError:
        raise SourceError("mcp_failed", f"{server}/{tool}: {' '.join(text.split())[:200]}")
    if not text.strip():
        return None
    told = ", ".join(_written(value) for _, value in sorted(arguments.items()))
    return FoundPage(
        url=_address(server, tool, arguments),
        title=clean_title(f"{server}/{tool}: {told}" if told else f"{server}/{tool}"),
        site=server,
        origin=SourceName.MCP,
        kind=SourceKind.OTHER,
        text=text,
        score=1.0,
    )


def _texts(result: CallToolResult) -> Iterator[str]:
    """Return the texts of an answer; what it links to is not fetched, and pictures are left out."""
    found = False
    for part in result.content:
        if isinstance(part, TextContent):
            found = True
            yield part.text
        elif isinstance(part, EmbeddedResource) and isinstance(part.resource, TextResourceContents):
            found = True
            yield part.resource.text
    if not found and result.structuredContent:
        yield json.dumps(result.structuredContent, ensure_ascii=False, indent=2)


def _address(server: str, tool: str, arguments: dict[str, Any]) -> str:
    query = urlencode([(name, _written(value)) for name, value in sorted(arguments.items())])
    if len(query) > _LONGEST_QUERY:
        query = f"sha256={sha256(query.encode()).hexdigest()}"
    return f"mcp://{server}/{tool}" + (f"?{query}" if query else "")


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


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
        agreed: Agreed = agree_to_nothing,
        *,
        list_seconds: float = LIST_SECONDS,
        call_seconds: float = CALL_SECONDS,
    ) -> None:
        self._known = {
            server.name: _Known(Connection(server, list_seconds=list_seconds, call_seconds=call_seconds), agreed)
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
        server = known.server
        try:
            tools = await known.tools()
        except SourceError as error:
            self._on_problem(Stage.SEARCH, error.code, subject=server.name, detail=error.detail)
            return ()
        # What was listed by name is missed; of the rest nobody said that it is wanted.
        refused = [tool.name for tool in tools if tool.name in server.tools and not known.may_use(tool)]
        for name in filter(_NAME.fullmatch, refused):
            self._on_problem(Stage.SEARCH, "mcp_unconfirmed", subject=f"{server.name}/{name}")
        return offered(server, tools, known.agreed)


class _Known:
    """A server and its list of tools, once it was told."""

    def __init__(self, connection: Connection, agreed: Agreed) -> None:
        self.connection = connection
        self.server = connection.server
        self.agreed = agreed
        self._asking = asyncio.Lock()
        self._tools: list[Tool] | None = None
        self._answers: dict[str, FoundPage] = {}

    async def tools(self) -> list[Tool]:
        async with self._asking:
            if self._tools is None:
                self._tools = await self.connection.tools()
        return self._tools

    def may_use(self, tool: Tool) -> bool:
        """Whether a tool changes nothing, or the user agreed to it."""
        return only_reads(tool) or self.agreed(self.server, tool.name)

    async def ask(self, tool: str, arguments: dict[str, Any]) -> list[FoundPage]:
        """Return what a tool answers, as one page; what was answered before is the same page, not one more source.

        Raises:
            SourceError: the tool cannot be used, or failed.
        """
        known = next((one for one in await self.tools() if one.name == tool), None)
        if known is None:
            raise SourceError("mcp_failed", f"{self.server.name}/{tool}: there is no such tool")
        is_search = tool == self.server.search and not says_it_changes(known)
        if not is_search and not self.may_use(known):
            raise SourceError("mcp_unconfirmed", f"{self.server.name}/{tool}")
        page = page_of(self.server.name, tool, arguments, await self.connection.call(tool, arguments))
        if page is not None:
            page = replace(page, text=_without_whole(page.text, _secrets(self.server.filled_headers().values())))
        return [self._answers.setdefault(page.text, page)] if page is not None else []


def _without_whole(text: str, secrets: Iterable[str]) -> str:
    """Return what a server answers without the headers that it was sent: an answer is kept, shown and handed on."""
    for secret in secrets:
        text = text.replace(secret, "***")
    return text


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

    @property
    def server(self) -> str:
        """Whose tool it is."""
        return self._known.server.name

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
