"""Web search by a model of OpenAI or Anthropic, whose pages are fetched, from the public internet alone, and kept."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Protocol

import httpx
from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, Field, ValidationError

from research import core, prompts
from research.core.wire import Allowed, bound, confine
from research.library import Document, Stop, UnreadableFile, in_own_thread, read_apart
from research.sources.protocol import FoundPage, SearchRequest, clean_text, clean_title, kind_of, published_date
from research.sources.services import Wire, certificates, tried_twice

# --- how the providers are asked, and what they answer ----------------------------------------------------------


_Said = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]


class NamedPage(BaseModel):
    """A page that a search named. Its text is not known yet."""

    type: str = ""
    url: _Said = ""
    title: _Said = ""
    age: _Said = Field(default="", validation_alias="page_age")
    """When it was published, in the service's words."""


class Usage(BaseModel):
    """The tokens that a search took, as either provider counts them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int | None = Field(
        default=None,
        validation_alias=AliasChoices("cache_read_input_tokens", AliasPath("input_tokens_details", "cached_tokens")),
    )
    written_tokens: int | None = Field(default=None, validation_alias="cache_creation_input_tokens")


@dataclass(frozen=True)
class SearchAnswer:
    """What one search came to."""

    pages: tuple[NamedPage, ...]
    """Best first."""
    searched: bool = True
    """Whether a search was made at all: servers that do not know the tool answer without one."""
    error: str = ""
    """The code of what went wrong, if the service could not search."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


class Dialect(Protocol):
    """How one provider is asked to search, and how it answers."""

    provider: str
    """Whose models search, as price lists name it."""
    path: str
    """Where searches are sent, below the provider's address."""
    model: str
    """The model that searches."""

    def body(self, request: SearchRequest, today: date) -> dict[str, Any]:
        """Return what is sent."""

    def answer(self, body: object) -> SearchAnswer:
        """Return the pages that the search named.

        Raises:
            pydantic.ValidationError: it is not what the provider sends.
        """


class _Sources(BaseModel):
    sources: list[NamedPage] | None = None


class _Part(BaseModel):
    annotations: list[NamedPage] | None = None


class _Item(BaseModel):
    type: str = ""
    action: _Sources | None = None
    content: list[_Part] | None = None


class _Response(BaseModel):
    status: str | None = None
    output: list[_Item]
    usage: Usage | None = None


class OpenAISearch:
    """Asks a model of OpenAI for one search."""

    provider = "openai"
    path = "/responses"
    _THEN = "Then list the pages that fit best, one line each: the title and a citation."
    _TOKENS = 2_000
    """What the model may write, hidden reasoning included."""

    def __init__(self, model: str) -> None:
        self.model = model

    def body(self, request: SearchRequest, today: date) -> dict[str, Any]:
        """Return what is sent. Sites are asked for in words: the tool can only be held to sites, not from them."""
        location = {"type": "approximate", **_country(request)}
        return {
            "model": self.model,
            "input": _prompt(request, today, self._THEN),
            "tools": [{"type": "web_search", "search_context_size": "low", "user_location": location}],
            "tool_choice": "required",
            "max_tool_calls": 1,
            "max_output_tokens": self._TOKENS,
            "include": ["web_search_call.action.sources"],
            "store": False,
        }

    def answer(self, body: object) -> SearchAnswer:
        """Return the pages that the search named: first those that the model cited."""
        response = _Response.model_validate(body)
        usage = response.usage or Usage()
        return SearchAnswer(
            tuple(self._pages(response.output)),
            searched=any(item.type == "web_search_call" for item in response.output),
            error="search_failed" if response.status == "failed" else "",
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cached_tokens=usage.cached_tokens or 0,
        )

    def _pages(self, output: list[_Item]) -> Iterator[NamedPage]:
        calls = [item.action for item in output if item.type == "web_search_call" and item.action is not None]
        # Some sources are services of OpenAI's own, which have no address.
        sources = [source for call in calls for source in call.sources or [] if source.url]
        found = {core.canonical_url(source.url) for source in sources}
        notes = [note for item in output for part in item.content or [] for note in part.annotations or []]
        for cited in (note for note in notes if note.type == "url_citation"):
            # A model may write any address; only what the search found is meant to be fetched.
            if not sources or core.canonical_url(cited.url) in found:
                yield cited
        yield from sources


class _Error(BaseModel):
    error_code: str


class _Block(BaseModel):
    type: str = ""
    content: list[NamedPage] | _Error | str | None = None


class _Message(BaseModel):
    content: list[_Block]
    usage: Usage | None = None


class AnthropicSearch:
    """Asks a model of Anthropic for one search."""

    provider = "anthropic"
    path = "/v1/messages"
    _TOOL = "web_search_20250305"
    _THEN = "Then answer with the word: done"
    _TOKENS = 1_000
    _MOST_BLOCKED = 50
    """Sites that the tool is told to leave out; pages of further ones are left out when they come."""
    _CODES: ClassVar = {
        "too_many_requests": "search_quota",
        **dict.fromkeys(("query_too_long", "invalid_tool_input", "request_too_large"), "search_bad_request"),
    }

    def __init__(self, model: str) -> None:
        self.model = model

    def body(self, request: SearchRequest, today: date) -> dict[str, Any]:
        """Return what is sent."""
        tool: dict[str, Any] = {"type": self._TOOL, "name": "web_search", "max_uses": 1}
        if country := _country(request):
            tool["user_location"] = {"type": "approximate", **country}
        if request.forbidden_sites:
            tool["blocked_domains"] = list(request.forbidden_sites[: self._MOST_BLOCKED])
        return {
            "model": self.model,
            "max_tokens": self._TOKENS,
            "messages": [{"role": "user", "content": _prompt(request, today, self._THEN)}],
            "tools": [tool],
        }

    def answer(self, body: object) -> SearchAnswer:
        """Return the pages that the search named."""
        message = _Message.model_validate(body)
        usage = message.usage or Usage()
        read = usage.cached_tokens or 0
        found = [block.content for block in message.content if block.type == "web_search_tool_result"]
        pages = tuple(page for content in found if isinstance(content, list) for page in content)
        errors = [content.error_code for content in found if isinstance(content, _Error)]
        return SearchAnswer(
            pages,
            searched=bool(found),
            error=self._CODES.get(errors[0], "search_failed") if errors and not pages else "",
            # This provider counts what was kept apart from the rest of the prompt.
            input_tokens=usage.input_tokens + read + (usage.written_tokens or 0),
            output_tokens=usage.output_tokens,
            cached_tokens=read,
        )


_COUNTRIES = {core.Region.JAPAN: "JP", core.Region.CHINA: "CN", core.Region.INDIA: "IN"}
"""Regions that are one country; the services know no wider ones."""
_LONGEST_QUERY = 400


def _country(request: SearchRequest) -> dict[str, str]:
    """Return the country that the search is about and so is made from; nothing if it is none in particular."""
    return {"country": _COUNTRIES[request.region]} if request.region in _COUNTRIES else {}


def _prompt(request: SearchRequest, today: date, then: str) -> str:
    """Return what the model is told. `then` says what to answer; no text of a page is wanted."""
    wishes = []
    if request.period is not None:
        wishes.append(f"Pages published on or after {request.first_day(today)} are wanted.")
    if request.region is not None and request.region is not core.Region.WORLD:
        wishes.append(f"Pages about {request.region.words.en} are wanted.")
    if request.preferred_sites:
        wishes.append(f"Prefer these sites: {', '.join(request.preferred_sites)}.")
    if request.forbidden_sites:
        wishes.append(f"Leave out these sites: {', '.join(request.forbidden_sites)}.")
    query = " ".join(request.query.split())[:_LONGEST_QUERY]
    listed = "\n".join(f"- {wish}" for wish in wishes)
    filled = prompts.load("search_web").fill(today=today.isoformat(), query=query, wishes=listed, then=then)
    return "\n".join(line for line in filled.splitlines() if line.strip())


_WRITTEN = re.compile(r"([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})", re.IGNORECASE)
_AGO = re.compile(r"(\d{1,3})\s+(minute|hour|day|week|month|year)s?\s+ago", re.IGNORECASE)
_DAYS = {"minute": 0, "hour": 0, "day": 1, "week": 7}


def published_on(age: str, today: date) -> str | None:
    """Return when a page was published in ISO 8601, as precisely as its age says (`2025-04-30`, `2025-04`), or None."""
    if written := _WRITTEN.fullmatch(age.strip()):
        try:
            return datetime.strptime(" ".join(written.groups()), "%b %d %Y").date().isoformat()
        except ValueError:
            return None
    ago = _AGO.fullmatch(age.strip())
    if ago is None:
        return published_date(age)
    count, unit = int(ago[1]), ago[2].lower()
    if unit in _DAYS:
        return (today - timedelta(days=count * _DAYS[unit])).isoformat()
    if unit == "year":
        return f"{today.year - count:04d}"
    years, month = divmod(today.year * 12 + today.month - 1 - count, 12)
    return f"{years:04d}-{month + 1:02d}"


# --- the source -------------------------------------------------------------------------------------------------

_log = logging.getLogger(__name__)

_TRIED = 3
"""Pages that are tried for each page wanted: many sites turn programs away."""
_FEE_USD = 0.01
"""List price of one search at OpenAI and at Anthropic, on top of the tokens."""
_PROMPT_TOKENS = 15_000
"""What one search may well come to: the provider puts what it found into the prompt."""


class ModelSearchSource:
    """The web through a model that searches."""

    name = core.SourceName.WEB

    def __init__(
        self,
        dialect: Dialect,
        wire: Wire,
        emit: core.Emit,
        *,
        admit: core.Admit = core.freely,
        fetcher: Fetcher | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Make a source of the way to a provider.

        Args:
            dialect: how the provider is asked.
            wire: the way to it.
            emit: told of each call.
            admit: asked for room before each call.
            fetcher: fetches the pages that the provider names.
            now: the current time, with a time zone.
        """
        self._dialect = dialect
        self._wire = wire
        self._emit = emit
        self._admit = admit
        self._fetcher = fetcher or Fetcher()
        self._now = now

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return pages for one query, best first. Pages that cannot be read are left out.

        Raises:
            SourceError: the search failed, or none of the pages that it named could be read.
        """
        today = self._now().date()
        answer = await self._asked(request, today)
        if answer.error:
            raise core.SourceError(answer.error, "the service could not search")
        if not answer.searched:
            raise core.SourceError("search_unsupported", f"{self._dialect.model} answered without searching")
        async with self._fetcher.opened() as fetch:
            return await _read(_wanted(answer.pages, request), request, fetch, today)

    async def _asked(self, request: SearchRequest, today: date) -> SearchAnswer:
        body = self._dialect.body(request, today)
        admission = await self._admitted()
        began, answer, error = time.monotonic(), None, "cancelled"
        try:
            async with asyncio.timeout(admission.seconds if math.isfinite(admission.seconds) else None):
                said = await tried_twice(lambda: self._wire.post(self._dialect.path, body))
            answer = self._dialect.answer(said)
        except TimeoutError as late:
            error = "cap_reached"
            raise core.SourceError(error, self._dialect.model) from late
        except ValidationError as unexpected:
            error = "search_failed"
            raise core.SourceError(error, "the answer has not the expected form") from unexpected
        except core.SourceError as failure:
            error = failure.code
            raise
        else:
            return answer
        finally:
            call = self._called(answer, time.monotonic() - began, "" if answer else error)
            self._emit(call)
            admission.close(call)

    async def _admitted(self) -> core.Admission:
        try:
            return await self._admit(
                core.PlannedCall(core.Role.RESEARCH, self._dialect.model, _PROMPT_TOKENS, fee_usd=_FEE_USD)
            )
        except core.CapReached as error:
            raise core.SourceError(error.code, error.detail) from error

    def _called(self, answer: SearchAnswer | None, seconds: float, error: str) -> core.ModelCalled:
        dialect, told = self._dialect, answer or SearchAnswer((), searched=False)
        tokens = told.input_tokens, told.output_tokens
        price = core.price_usd(dialect.model, *tokens, cached_tokens=told.cached_tokens, provider=dialect.provider)
        is_uncounted = answer is not None and not any(tokens)
        return core.ModelCalled(
            role=core.Role.RESEARCH,
            model=dialect.model if dialect.provider == "openai" else f"{dialect.provider}:{dialect.model}",
            seconds=seconds,
            input_tokens=told.input_tokens,
            output_tokens=told.output_tokens,
            cached_tokens=told.cached_tokens,
            cost_usd=None if price is None or is_uncounted else price + _FEE_USD * told.searched,
            error=error,
        )


def _wanted(pages: Sequence[NamedPage], request: SearchRequest) -> list[NamedPage]:
    """Return the pages to be read: once each, none of a forbidden site, those of preferred sites first."""
    once: dict[str, NamedPage] = {}
    for page in pages:
        url = core.canonical_url(page.url)
        if url is not None and not core.is_below(core.site_of(url), request.forbidden_sites):
            once.setdefault(url, page.model_copy(update={"url": url}))
    ordered = sorted(once.values(), key=lambda page: not core.is_below(core.site_of(page.url), request.preferred_sites))
    return ordered[: request.limit * _TRIED]


async def _read(named: Sequence[NamedPage], request: SearchRequest, fetch: Fetch, today: date) -> list[FoundPage]:
    """Return as many pages as are wanted; for each that cannot be had, one of the next is tried."""
    found: dict[str, FoundPage] = {}
    waiting = list(named)
    failure = ""
    while waiting and (missing := request.limit - len(found)) > 0:
        tried, waiting = waiting[:missing], waiting[missing:]
        fetched = await asyncio.gather(*(_page(page, fetch, today) for page in tried), return_exceptions=True)
        for result in fetched:
            if isinstance(result, core.SourceError):
                failure = result.detail
                _log.info("A page was not read: %s", failure)
            elif isinstance(result, BaseException):
                raise result
            elif not request.is_too_old(result.published, today) and not core.is_below(
                result.site, request.forbidden_sites
            ):
                found.setdefault(result.url, result)
    if failure and not found:
        raise core.SourceError("pages_unreadable", failure)
    return [replace(page, score=1.0 - rank / len(found)) for rank, page in enumerate(found.values())]


async def _page(named: NamedPage, fetch: Fetch, today: date) -> FoundPage:
    fetched = await fetch(named.url)
    site = core.site_of(fetched.url)
    return FoundPage(
        url=fetched.url,
        title=clean_title(named.title) or fetched.title or site,
        site=site,
        origin=core.SourceName.WEB,
        kind=kind_of(fetched.url),
        text=fetched.text,
        published=fetched.published or published_on(named.age, today),
    )


# --- fetching pages, of the public internet alone --------------------------------------------------------------------

MAX_BYTES = 10_000_000
MAX_REDIRECTS = 5
_AGENT = "research-workbench/0.1"
_ACCEPT = "text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,text/markdown;q=0.9"
_STEM = "page"
"""What a reader calls a page that has no title."""
_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
    "text/markdown": ".md",
}
_PDF = b"%PDF-"
_SAID_FOR_ANOTHER = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "us-ascii": "cp1252", "shift_jis": "cp932"}
"""Encodings that servers name where they mean a wider one."""


@dataclass(frozen=True)
class Fetched:
    """A page as it was found."""

    url: str
    """Canonical address that it came from, after redirects."""
    title: str
    """What the page calls itself; empty if it does not say."""
    text: str
    published: str | None


Fetch = Callable[[str], Awaitable[Fetched]]


class Fetcher:
    """Fetches pages. Only addresses that a search returned may be given to it."""

    def __init__(self, *, seconds: float = 20.0, largest: int = MAX_BYTES, allowed: Allowed = core.is_public) -> None:
        """Set the limits of one page.

        Args:
            seconds: for all of it: redirects, download and reading.
            largest: bytes, unpacked.
            allowed: says which IP addresses pages may come from; another rule is for servers on loopback in tests.
        """
        self._seconds = seconds
        self._largest = largest
        self._allowed = allowed

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Fetch]:
        """Return what fetches one page, as long as the connections are open.

        It raises a `SourceError` (`pages_unreadable`) for a page that cannot be had; other pages are not affected.
        """
        # The proxies of the environment are left out: behind one, nobody sees where a name leads.
        transport = httpx.AsyncHTTPTransport(verify=await asyncio.to_thread(certificates), trust_env=False)
        confine(transport, self._allowed)
        client = httpx.AsyncClient(
            transport=transport,
            headers={"User-Agent": _AGENT, "Accept": _ACCEPT},
            timeout=self._seconds,
            follow_redirects=True,
            max_redirects=MAX_REDIRECTS,
        )
        bound(client, self._largest)
        async with client:
            yield partial(self._fetch, client)

    async def _fetch(self, client: httpx.AsyncClient, url: str) -> Fetched:
        try:
            async with asyncio.timeout(self._seconds):
                async with client.stream("GET", url) as response:
                    if response.status_code != 200:
                        raise _unreadable(url, f"HTTP {response.status_code}")
                    data = await response.aread()
                document = await in_own_thread(partial(_document, data, response))
        except (TimeoutError, httpx.TimeoutException) as error:
            raise _unreadable(url, f"not read within {self._seconds:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:  # the last of a host that is no Punycode
            raise _unreadable(url, str(error) or type(error).__name__) from error
        except UnreadableFile as error:
            raise _unreadable(url, f"{error.code}: {error}") from error
        address = core.canonical_url(str(response.url))
        if address is None:
            raise _unreadable(url, "it leads to something that is no page")
        title = "" if document.title == _STEM else clean_title(document.title)
        return Fetched(address, title, clean_text(document.text), document.published)


def _unreadable(url: str, detail: str) -> core.SourceError:
    return core.SourceError("pages_unreadable", f"{url}: {detail}"[:300])


def _document(data: bytes, response: httpx.Response, stop: Stop) -> Document:
    """Return what a reader of files makes of an answer.

    Raises:
        UnreadableFile: there is no text in it.
    """
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    suffix = ".pdf" if data.startswith(_PDF) else _SUFFIXES.get(kind)
    if suffix is None or (suffix == ".pdf" and not data.startswith(_PDF)):
        raise UnreadableFile("file_binary", f"content of type {kind or 'unknown'}")
    text = data if suffix == ".pdf" else _as_utf8(data, response.charset_encoding)
    return read_apart(Path(f"{_STEM}{suffix}"), text, stop=stop).document


def _as_utf8(data: bytes, charset: str | None) -> bytes:
    """Return text in UTF-8 where the server names another encoding and it holds; the readers guess at the rest.

    What is valid UTF-8 is taken for it: many servers name an encoding for all their pages that few of them have.
    """
    named = (charset or "").lower()
    for encoding in ("utf-8", _SAID_FOR_ANOTHER.get(named, named)):
        with suppress(UnicodeError, LookupError):
            return data.decode(encoding).encode("utf-8")
    return data
