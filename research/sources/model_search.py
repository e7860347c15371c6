"""Web search by a model of OpenAI or Anthropic, whose pages are fetched, from the public internet alone, and kept."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, ClassVar

from pydantic import AliasChoices, AliasPath, BaseModel, Field, ValidationError

from research import core, prompts
from research.sources.apis import Service, tried_twice
from research.sources.fetching import Fetcher, NamedPage, read_named
from research.sources.protocol import FoundPage, SearchRequest

# --- how the providers are asked, and what they answer ----------------------------------------------------------


_CODES = {
    401: "search_unauthorized",
    402: "search_quota",
    403: "search_unauthorized",
    429: "search_quota",
    **dict.fromkeys((400, 404, 405, 422, 501), "search_unsupported"),
}
"""Of requests that this program makes the same way each time: what a server does not accept, it does not offer."""


def service_at(address: str, headers: Mapping[str, str], secret: str, seconds: float) -> Service:
    """Return the way to a provider of models that search; an answer may take `seconds`."""
    return Service(address.rstrip("/"), secret=secret, gap=0.0, headers=headers, seconds=seconds, codes=_CODES)


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
    """As price lists name it."""
    path = "/responses"
    """Where searches are sent, below the provider's address."""
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
        """Return the pages that the search named: first those that the model cited.

        Raises:
            pydantic.ValidationError: it is not what the provider sends.
        """
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
        """Return the pages that the search named; errors as for OpenAI's."""
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


Dialect = OpenAISearch | AnthropicSearch
"""How one provider is asked to search, and how it answers."""

_COUNTRIES = {core.Region.JAPAN: "JP", core.Region.CHINA: "CN", core.Region.INDIA: "IN"}
"""Regions that are one country; the services know no wider ones."""
_LONGEST_QUERY = 400


def _country(request: SearchRequest) -> dict[str, str]:
    """Return the country that the search is about and so is made from; nothing if it is none in particular."""
    return {"country": _COUNTRIES[request.region]} if request.region in _COUNTRIES else {}


def _prompt(request: SearchRequest, today: date, then: str) -> str:
    """Return what the model is told. `then` says what to answer; no text of a page is wanted."""
    wishes = []
    if first := request.first_day(today):
        wishes.append(f"Pages published on or after {first} are wanted.")
    if request.last_day:
        wishes.append(f"Pages published on or before {request.last_day} are wanted.")
    if request.countries:
        wishes.append(f"Pages about {', '.join(request.countries)} are wanted.")
    elif request.region is not None and request.region is not core.Region.WORLD:
        wishes.append(f"Pages about {request.region.words.en} are wanted.")
    if request.preferred_kinds:
        wishes.append(f"Prefer {', '.join(kind.words.en for kind in request.preferred_kinds)}.")
    if request.forbidden_kinds:
        wishes.append(f"Leave out {', '.join(kind.words.en for kind in request.forbidden_kinds)}.")
    if request.preferred_sites:
        wishes.append(f"Prefer these sites: {', '.join(request.preferred_sites)}.")
    if request.forbidden_sites:
        wishes.append(f"Leave out these sites: {', '.join(request.forbidden_sites)}.")
    query = " ".join(request.query.split())[:_LONGEST_QUERY]
    listed = "\n".join(f"- {wish}" for wish in wishes)
    filled = prompts.load("search_web").fill(today=today.isoformat(), query=query, wishes=listed, then=then)
    return "\n".join(line for line in filled.splitlines() if line.strip())


# --- the source -------------------------------------------------------------------------------------------------

_FEE_USD = 0.01
"""List price of one search at OpenAI and at Anthropic, on top of the tokens."""
_PROMPT_TOKENS = 15_000
"""What one search may well come to: the provider puts what it found into the prompt."""


@dataclass(frozen=True)
class ModelSearchSource:
    """The web through a model that searches."""

    dialect: Dialect
    service: Service
    emit: core.Emit
    """Told of each call."""
    admit: core.Admit = core.freely
    """Asked for room before each call."""
    fetcher: Fetcher = field(default_factory=Fetcher)
    """Fetches the pages that the provider names."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    name = core.SourceName.WEB

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return pages for one query, best first. Pages that cannot be read are left out.

        Raises:
            SourceError: the search failed, or none of the pages that it named could be read.
        """
        today = self.now().date()
        answer = await self._asked(request, today)
        if answer.error:
            raise core.SourceError(answer.error, "the service could not search")
        if not answer.searched:
            raise core.SourceError("search_unsupported", f"{self.dialect.model} answered without searching")
        async with self.fetcher.opened() as fetch:
            return await read_named(answer.pages, request, fetch, today, self.name)

    async def _asked(self, request: SearchRequest, today: date) -> SearchAnswer:
        body = self.dialect.body(request, today)
        admission = await self._admitted()
        began, answer, error = time.monotonic(), None, "cancelled"
        try:
            async with asyncio.timeout(admission.seconds if math.isfinite(admission.seconds) else None):
                said = await tried_twice(lambda: self.service.post(self.dialect.path, body))
            answer = self.dialect.answer(said)
        except TimeoutError as late:
            error = "cap_reached"
            raise core.SourceError(error, self.dialect.model) from late
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
            self.emit(call)
            admission.close(call)

    async def _admitted(self) -> core.Admission:
        try:
            return await self.admit(
                core.PlannedCall(core.Role.RESEARCH, self.dialect.model, _PROMPT_TOKENS, fee_usd=_FEE_USD)
            )
        except core.CapReached as error:
            raise core.SourceError(error.code, error.detail) from error

    def _called(self, answer: SearchAnswer | None, seconds: float, error: str) -> core.ModelCalled:
        dialect, told = self.dialect, answer or SearchAnswer((), searched=False)
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
