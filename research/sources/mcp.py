"""Servers that the user connected by MCP, as sources and tools."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import httpx
from mcp import ClientSession, StdioServerParameters
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, EmbeddedResource, PaginatedRequestParams, TextContent, TextResourceContents, Tool

from research.analysts import OfferedTool, ToolParameter, UseTool
from research.core import SourceError, SourceKind, SourceName, Stage, canonical_url, without_secrets
from research.core.wire import certificates, for_service
from research.settings import McpServer
from research.sources.protocol import FoundPage, SearchRequest, Source, clean_text, clean_title, published_date

T = TypeVar("T")
Agreed = Callable[[McpServer, str], bool]
"""Whether the user said yes to a tool that may change something."""

LIST_SECONDS = 15.0
CALL_SECONDS = 60.0
_LARGEST = 5_000_000
"""Bytes of one answer."""
_MOST_LISTS = 10
"""Parts in which a server may tell its tools."""
_SHORTEST_SECRET = 6
"""Shorter parts of a header are words."""
_SCHEMES = ("Bearer", "Digest")
_LONGEST_DETAIL = 300
_LONGEST_QUERY = 1_000
"""Characters of the arguments that an address holds; longer ones are known by their hash."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_KINDS = ("string", "integer", "number", "boolean", "array", "object")
_MOST_TOOLS = 30
_MOST_RECORDS = 50
_MOST_PARAMETERS = 12


class Servers:
    """All servers of a run: the toolbox of its researchers, and the sources among them."""

    def __init__(
        self,
        servers: Sequence[McpServer],
        on_problem: Callable[..., None],
        agreed: Agreed = lambda server, tool: False,
        *,
        list_seconds: float = LIST_SECONDS,
        call_seconds: float = CALL_SECONDS,
        login: Callable[[McpServer], OAuthClientProvider | None] = lambda server: None,
    ) -> None:
        """Make it of what is set up; `on_problem` is told stage, code, `subject` and `detail` of what goes wrong."""
        self._known = {
            one.name: Connection(one, agreed, list_seconds, call_seconds, auth=login(one)) for one in servers
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

    async def _tools_of(self, known: Connection) -> tuple[OfferedTool, ...]:
        server = known.server
        try:
            tools = await known.tools()
        except SourceError as error:
            self._on_problem(Stage.SEARCH, error.code, subject=server.name, detail=error.detail)
            return ()
        # What was listed by name is missed; of the rest nobody said that it is wanted.
        for tool in tools:
            if tool.name in server.tools and is_named(tool) and not known.may_use(tool):
                self._on_problem(Stage.SEARCH, "mcp_unconfirmed", subject=f"{server.name}/{tool.name}")
        return offered(server, tools, known.agreed)


@dataclass(frozen=True)
class _OneAnswer:
    """What one use of a tool brings."""

    known: Connection | None
    action: UseTool
    name = SourceName.MCP

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return the answer as a page, or nothing if there is no text in it.

        Raises:
            SourceError: the tool cannot be used, or failed.
        """
        action = self.action
        if self.known is None or not self.known.server.allows(action.tool):
            raise SourceError("mcp_failed", f"{action.server}/{action.tool} is not set up")
        try:
            arguments = json.loads(action.arguments)
        except ValueError as error:
            raise SourceError("mcp_failed", "the arguments are no JSON") from error
        if not isinstance(arguments, dict):
            raise SourceError("mcp_failed", "the arguments are no object")
        return await self.known.ask(action.tool, arguments)


@dataclass(frozen=True)
class _SearchTool:
    """A tool that searches, asked with every query."""

    known: Connection
    name = SourceName.MCP

    @property
    def server(self) -> str:
        """Whose tool it is."""
        return self.known.server.name

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return what the tool answers to the query, as one page.

        Raises:
            SourceError: the tool cannot be used, or failed.
        """
        tool = self.known.server.search
        parameter = query_parameter(await self.known.tools(), tool)
        if parameter is None:
            raise SourceError("mcp_failed", f"{self.server}/{tool} is no tool that takes one text")
        return await self.known.ask(tool, {parameter: request.query})


# --- what is offered --------------------------------------------------------------------------------------------


def only_reads(tool: Tool) -> bool:
    """Whether a tool says of itself that it changes nothing; one that says nothing may."""
    said = tool.annotations
    return said is not None and said.readOnlyHint is True and said.destructiveHint is not True


def is_named(tool: Tool) -> bool:
    """Whether the name of a tool is one, and no text."""
    return _NAME.fullmatch(tool.name) is not None


def offered(
    server: McpServer, tools: Sequence[Tool], agreed: Agreed = lambda server, tool: False
) -> tuple[OfferedTool, ...]:
    """Return the tools of a server that may be offered, once each; those with names that are no names are left out."""
    usable = [tool for tool in tools if server.allows(tool.name) and (only_reads(tool) or agreed(server, tool.name))]
    made = {tool.name: _offer(server, tool) for tool in usable if is_named(tool)}
    return tuple(offer for offer in made.values() if offer is not None)[:_MOST_TOOLS]


def query_parameter(tools: Sequence[Tool], name: str) -> str | None:
    """Return the one text that the tool `name` needs, or None if there is no such tool or parameter."""
    parameters = _parameters(next((tool.inputSchema for tool in tools if tool.name == name), {}))
    needed = [parameter.name for parameter in parameters if parameter.is_required]
    texts = [one.name for one in parameters if one.kind == "string" and (not needed or one.name in needed)]
    if len(needed) > 1:
        return None
    return texts[0] if len(texts) == 1 else next((text for text in texts if text == "query"), None)


def _offer(server: McpServer, tool: Tool) -> OfferedTool | None:
    """Return a tool with the parameters that have names; None if it needs others."""
    parameters = _parameters(tool.inputSchema)
    usable = tuple(parameter for parameter in parameters if _NAME.fullmatch(parameter.name))[:_MOST_PARAMETERS]
    if any(parameter.is_required and parameter not in usable for parameter in parameters):
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
    return next((kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if kind in _KINDS), "string")


# --- what is asked, and what becomes of the answer --------------------------------------------------------------


class Connection:
    """The way to one server. Its tools are asked for once; nothing is kept open between questions."""

    def __init__(
        self,
        server: McpServer,
        agreed: Agreed = lambda server, tool: False,
        list_seconds: float = LIST_SECONDS,
        call_seconds: float = CALL_SECONDS,
        *,
        auth: OAuthClientProvider | None = None,
    ) -> None:
        """`auth` sends the token of whoever logged in to the server."""
        self._auth = auth
        self.server = server
        self.agreed = agreed
        self._list_seconds = list_seconds
        self._call_seconds = call_seconds
        self._asking = asyncio.Lock()
        self._tools: list[Tool] | None = None
        self._answers: dict[str, FoundPage] = {}

    async def tools(self) -> list[Tool]:
        """Return the server's tools.

        Raises:
            SourceError: an `mcp_…` code of `research.core.errors`.
        """
        async with self._asking:
            if self._tools is None:
                self._tools = await self._within(self._list_seconds, _all_tools)
        return self._tools

    def may_use(self, tool: Tool) -> bool:
        """Whether a tool changes nothing, or the user agreed to it."""
        return only_reads(tool) or self.agreed(self.server, tool.name)

    async def ask(self, tool: str, arguments: dict[str, Any]) -> list[FoundPage]:
        """Return what a tool answers, as one page; what was answered before is the same page, not one more source.

        Raises:
            SourceError: the tool cannot be used, or failed.
        """
        name = f"{self.server.name}/{tool}"
        known = next((one for one in await self.tools() if one.name == tool), None)
        if known is None:
            raise SourceError("mcp_failed", f"{name}: there is no such tool")
        said = known.annotations
        says_it_changes = said is not None and (said.readOnlyHint is False or said.destructiveHint is True)
        if (tool != self.server.search or says_it_changes) and not self.may_use(known):
            raise SourceError("mcp_unconfirmed", name)
        result = await self._within(self._call_seconds, lambda session: session.call_tool(tool, arguments))
        pages = _records(self.server, tool, result) or [_page_of(self.server.name, tool, arguments, result)]
        kept = [replace(page, text=self._without_keys(page.text)) for page in pages if page is not None]
        return [self._answers.setdefault(page.text, page) for page in kept]

    def _without_keys(self, text: str) -> str:
        """Return an answer as it is kept, shown and handed on: what the server was sent as a key is not."""
        for secret in self._secrets(self.server.filled().values()):
            text = text.replace(secret, "***")
        return text

    async def _within(self, seconds: float, ask: Callable[[ClientSession], Awaitable[T]]) -> T:
        headers = self.server.filled()
        try:
            async with asyncio.timeout(seconds):
                return await self._asked(headers, seconds, ask)
        except TimeoutError as error:
            raise SourceError("mcp_timeout", f"{self.server.name}: no answer within {seconds:g} s") from error
        except Exception as error:  # noqa: BLE001 - failures come in groups of any kind; each is named
            # The original may quote a header.
            raise _named(self.server.name, error, self._secrets(headers.values())) from None

    def _secrets(self, headers: Iterable[str]) -> list[str]:
        """Return what the server was sent as a key, or may be."""
        tokens = self._auth.context.current_tokens if self._auth is not None else None
        told = (tokens.access_token, tokens.refresh_token or "") if tokens is not None else ()
        return _secrets((*headers, *told))

    async def _asked(self, headers: dict[str, str], seconds: float, ask: Callable[[ClientSession], Awaitable[T]]) -> T:
        # The client waits for an answer even after an unusable one: such a conversation is ended.
        unusable: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()

        def fail(failure: Exception) -> None:
            if not unusable.done():
                unusable.set_result(failure)

        async def look_at(message: object) -> None:
            if isinstance(message, Exception):
                fail(message)

        async with (
            self._streams(headers, seconds, fail) as (incoming, outgoing),
            ClientSession(incoming, outgoing, message_handler=look_at) as session,
        ):

            async def talk() -> T:
                await session.initialize()
                return await ask(session)

            task = asyncio.create_task(talk())
            try:
                waiting: set[asyncio.Future[Any]] = {task, unusable}
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                if not task.done():
                    raise unusable.result()
                return await task
            finally:
                task.cancel()

    @asynccontextmanager
    async def _streams(
        self, given: dict[str, str], seconds: float, fail: Callable[[Exception], None]
    ) -> AsyncIterator[tuple[Any, Any]]:
        """Open the way to the server: to its address, or to a program that is started and ended again."""
        server = self.server
        if server.command:
            program = StdioServerParameters(command=server.command, args=list(server.args), env=given or None)
            silent: Any = subprocess.DEVNULL
            async with stdio_client(program, errlog=silent) as streams:
                yield streams
            return
        made = httpx.AsyncClient(headers=given, timeout=seconds, auth=self._auth, verify=certificates())
        async with (
            for_service(made, _LARGEST, fail) as client,
            streamable_http_client(server.url, http_client=client) as (incoming, outgoing, _),
        ):
            yield incoming, outgoing


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


def _named(name: str, error: BaseException, secrets: list[str]) -> SourceError:
    """Return the error of this package that `error` amounts to, without anything secret."""
    leaves = list(_leaves(error))
    code = next((code for code in map(_code, leaves) if code), "mcp_failed")
    detail = f"{name}: {str(leaves[0]) or type(leaves[0]).__name__}"
    return SourceError(code, without_secrets(" ".join(detail.split()), secrets)[:_LONGEST_DETAIL])


def _secrets(headers: Iterable[str]) -> list[str]:
    parts = (part for value in headers for part in value.split())
    return [part for part in parts if len(part) >= _SHORTEST_SECRET and part not in _SCHEMES]


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
            return "mcp_unauthorized" if error.response.status_code in (401, 403) else ""
        case _:
            return next((code for kind, code in _CODES.items() if isinstance(error, kind)), "")


_CODES: dict[type[BaseException], str] = {
    OAuthFlowError: "mcp_login",
    httpx.TimeoutException: "mcp_timeout",
    httpx.TransportError: "mcp_unreachable",
    OSError: "mcp_unreachable",
    UnicodeEncodeError: "mcp_unauthorized",
}
"""What errors amount to; those that are of two kinds are of the first."""


_LISTS = ("results", "items", "documents", "value", "result")
_TEXTS, _DATES = ("text", "content", "snippet"), ("date", "published")
"""How servers call a list of what they found, the text of an entry, and its date."""


def _records(server: McpServer, tool: str, result: CallToolResult) -> list[FoundPage | None]:
    """Return a page for each entry of an answer that is a list of them; none if it is no such list."""
    said = result.structuredContent or _json("".join(_texts(result)))
    entries = next((said[name] for name in _LISTS if name in said), None) if isinstance(said, dict) else said
    if result.isError or not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return []
    pages = [_record(server, tool, entry) for entry in entries[:_MOST_RECORDS]]
    return pages if all(pages) else []


def _record(server: McpServer, tool: str, entry: dict[str, Any]) -> FoundPage | None:
    def said(*names: str) -> str:
        return next((str(entry[name]) for name in names if isinstance(entry.get(name), str | int)), "")

    text, name = clean_text(said(*_TEXTS)), said("id", "url", "title")
    if not text.strip() or not name:
        return None
    return FoundPage(
        url=canonical_url(said("url")) or f"mcp://{server.name}/{tool}/{quote(name, safe='')[:_LONGEST_QUERY]}",
        title=clean_title(said("title")) or name[:80],
        site=server.name,
        origin=SourceName.MCP,
        kind=server.kind,
        text=text,
        published=published_date(said(*_DATES)),
        score=1.0,
    )


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _page_of(server: str, tool: str, arguments: dict[str, Any], result: CallToolResult) -> FoundPage | None:
    """Return the answer of a tool as a page, or None if there is no text in it.

    Raises:
        SourceError: `mcp_failed`, the tool says that it failed.
    """
    text = clean_text("\n\n".join(_texts(result)))
    if result.isError:
        raise SourceError("mcp_failed", f"{server}/{tool}: {' '.join(text.split())[:200]}")
    if not text.strip():
        return None
    given = [
        (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True))
        for name, value in sorted(arguments.items())
    ]
    query = urlencode(given)
    if len(query) > _LONGEST_QUERY:
        query = f"sha256={sha256(query.encode()).hexdigest()}"
    told = ", ".join(value for _, value in given)
    return FoundPage(
        url=f"mcp://{server}/{tool}" + (f"?{query}" if query else ""),
        title=clean_title(f"{server}/{tool}: {told}" if told else f"{server}/{tool}"),
        site=server,
        origin=SourceName.MCP,
        kind=SourceKind.OTHER,
        text=text,
        score=1.0,
    )


def _texts(result: CallToolResult) -> list[str]:
    """Return the texts of an answer; what it links to is not fetched, and pictures are left out."""
    texts = []
    for part in result.content:
        held = part.resource if isinstance(part, EmbeddedResource) else part
        if isinstance(held, TextContent | TextResourceContents):
            texts.append(held.text)
    if not texts and result.structuredContent:
        texts.append(json.dumps(result.structuredContent, ensure_ascii=False, indent=2))
    return texts
