"""Web search by a chat provider's model, whose pages are fetched and kept."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Protocol

import httpx
from pydantic import ValidationError

from research import prompts
from research.core import (
    Admission,
    Admit,
    CapReached,
    Emit,
    ModelCalled,
    PlannedCall,
    Region,
    Role,
    SourceError,
    SourceName,
    canonical_url,
    freely,
    is_below,
    price_usd,
    site_of,
)
from research.core.wire import for_service
from research.sources.fetching import Fetch, Fetcher
from research.sources.pages import clean_title, kind_of, published_date, scrubbed, tried_twice, turned_away
from research.sources.protocol import FoundPage, SearchRequest

COUNTRIES = {Region.JAPAN: "JP", Region.CHINA: "CN", Region.INDIA: "IN"}
"""Regions that are one country; the services know no wider ones."""
_LONGEST_QUERY = 400


@dataclass(frozen=True)
class NamedPage:
    """A page that a search named. Its text is not known yet."""

    url: str
    title: str = ""
    age: str = ""
    """When it was published, in the service's words."""


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

    @property
    def provider(self) -> str:
        """Whose models search, as price lists name it."""
        ...

    @property
    def model(self) -> str:
        """The model that searches."""
        ...

    @property
    def path(self) -> str:
        """Where searches are sent, below the provider's address."""
        ...

    def body(self, request: SearchRequest, today: date) -> dict[str, Any]:
        """Return what is sent."""
        ...

    def answer(self, body: object) -> SearchAnswer:
        """Return what came back.

        Raises:
            pydantic.ValidationError: it is not what the provider sends.
        """
        ...


def location(request: SearchRequest) -> dict[str, str]:
    """Return where the search is to be made from: the country that it is about, or nowhere in particular."""
    country = COUNTRIES.get(request.region) if request.region is not None else None
    return {"type": "approximate", **({"country": country} if country is not None else {})}


def prompt(request: SearchRequest, today: date, then: str) -> str:
    """Return what the model is told. `then` says what to answer; no text of a page is wanted."""
    query = " ".join(request.query.split())[:_LONGEST_QUERY]
    wishes = "\n".join(f"- {wish}" for wish in _wishes(request, today))
    filled = prompts.load("search_web").fill(today=today.isoformat(), query=query, wishes=wishes, then=then)
    return "\n".join(line for line in filled.splitlines() if line.strip())


def _wishes(request: SearchRequest, today: date) -> list[str]:
    wishes = []
    if request.period is not None:
        wishes.append(f"Pages published on or after {earliest(request, today)} are wanted.")
    if request.region is not None and request.region is not Region.WORLD:
        wishes.append(f"Pages about {request.region.words.en} are wanted.")
    if request.preferred_sites:
        wishes.append(f"Prefer these sites: {', '.join(request.preferred_sites)}.")
    if request.forbidden_sites:
        wishes.append(f"Leave out these sites: {', '.join(request.forbidden_sites)}.")
    return wishes


def earliest(request: SearchRequest, today: date) -> str:
    """Return the first day of the request's period in ISO 8601, or an empty string if there is none."""
    return (today - timedelta(days=request.period.days)).isoformat() if request.period is not None else ""


_CODES = {
    400: "search_unsupported",
    401: "search_unauthorized",
    402: "search_quota",
    403: "search_unauthorized",
    404: "search_unsupported",
    405: "search_unsupported",
    422: "search_unsupported",
    429: "search_quota",
    501: "search_unsupported",
}
"""Of requests that this program makes the same way each time: what a server does not accept, it does not offer."""


_LARGEST = 16_000_000
"""Bytes of an answer, which quotes pages and holds none."""


class Wire:
    """The way to one provider."""

    def __init__(self, address: str, headers: Mapping[str, str], secret: str, seconds: float) -> None:
        self._address = address.rstrip("/")
        self._headers = dict(headers)
        self._secret = secret
        self._seconds = seconds

    async def post(self, path: str, body: object) -> object:
        """Return the provider's answer.

        Raises:
            TurnedAway: the provider refused, or failed.
            SourceError: it could not be reached in time, or its answer is unreadable.
        """
        try:
            async with for_service(httpx.AsyncClient(timeout=self._seconds), _LARGEST) as client:
                response = await client.post(f"{self._address}{path}", json=body, headers=self._headers)
        except UnicodeEncodeError as error:
            raise SourceError("search_unauthorized", "the key holds letters that no key has") from error
        except httpx.TimeoutException as error:
            raise SourceError("search_timeout", f"no answer within {self._seconds:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            detail = scrubbed(str(error) or type(error).__name__, self._secret)
            raise SourceError("search_unreachable", detail) from error
        if response.status_code != 200:
            raise turned_away(response.status_code, response.content, response.headers, _CODES, self._secret)
        try:
            return response.json()
        except (ValueError, RecursionError) as error:
            raise SourceError("search_failed", "the answer is unreadable") from error


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WRITTEN = re.compile(r"([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})", re.IGNORECASE)
_AGO = re.compile(r"(\d{1,3})\s+(minute|hour|day|week|month|year)s?\s+ago", re.IGNORECASE)
_DAYS = {"minute": 0, "hour": 0, "day": 1, "week": 7}


def published_on(age: str, today: date) -> str | None:
    """Return when a page was published in ISO 8601, as precisely as its age says (`2025-04-30`, `2025-04`), or None."""
    written = _WRITTEN.fullmatch(age.strip())
    if written is not None:
        return _day(*written.groups())
    ago = _AGO.fullmatch(age.strip())
    return _before(today, int(ago[1]), ago[2].lower()) if ago is not None else published_date(age)


def _day(month: str, day: str, year: str) -> str | None:
    try:
        return date(int(year), _MONTHS.index(month.lower()) + 1, int(day)).isoformat()
    except ValueError:
        return None


def _before(today: date, count: int, unit: str) -> str | None:
    if unit in _DAYS:
        return (today - timedelta(days=count * _DAYS[unit])).isoformat()
    if unit == "year":
        return f"{today.year - count:04d}"
    years, month = divmod(today.year * 12 + today.month - 1 - count, 12)
    return f"{years:04d}-{month + 1:02d}"


_log = logging.getLogger(__name__)

_TRIED = 3
"""Pages that are tried for each page wanted: many sites turn programs away."""
_FEE_USD = 0.01
"""List price of one search at OpenAI and at Anthropic, on top of the tokens."""
_PROMPT_TOKENS = 15_000
"""What one search may well come to: the provider puts what it found into the prompt."""


class ModelSearchSource:
    """The web through a model that searches."""

    name = SourceName.WEB

    def __init__(
        self,
        dialect: Dialect,
        wire: Wire,
        emit: Emit,
        *,
        admit: Admit = freely,
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
            raise SourceError(answer.error, "the service could not search")
        if not answer.searched:
            raise SourceError("search_unsupported", f"{self._dialect.model} answered without searching")
        named = _wanted(answer.pages, request)
        async with self._fetcher.opened() as fetch:
            return await _read(named, request, fetch, today)

    async def _asked(self, request: SearchRequest, today: date) -> SearchAnswer:
        body = self._dialect.body(request, today)
        admission = await self._admitted()
        began, answer, error = time.monotonic(), None, "cancelled"
        try:
            async with asyncio.timeout(admission.seconds if math.isfinite(admission.seconds) else None):
                answer = self._understood(await tried_twice(lambda: self._wire.post(self._dialect.path, body)))
        except TimeoutError as late:
            error = "cap_reached"
            raise SourceError(error, self._dialect.model) from late
        except SourceError as failure:
            error = failure.code
            raise
        else:
            return answer
        finally:
            call = self._called(answer, time.monotonic() - began, "" if answer else error)
            self._emit(call)
            admission.close(call)

    async def _admitted(self) -> Admission:
        try:
            return await self._admit(PlannedCall(Role.RESEARCH, self._dialect.model, _PROMPT_TOKENS, fee_usd=_FEE_USD))
        except CapReached as error:
            raise SourceError(error.code, error.detail) from error

    def _understood(self, body: object) -> SearchAnswer:
        try:
            return self._dialect.answer(body)
        except ValidationError as error:
            raise SourceError("search_failed", "the answer has not the expected form") from error

    def _called(self, answer: SearchAnswer | None, seconds: float, error: str) -> ModelCalled:
        dialect = self._dialect
        tokens = (answer.input_tokens, answer.output_tokens) if answer is not None else (0, 0)
        cached = answer.cached_tokens if answer is not None else 0
        price = price_usd(dialect.model, *tokens, cached_tokens=cached, provider=dialect.provider)
        uncounted = answer is not None and not any(tokens)
        fee = _FEE_USD if answer is not None and answer.searched else 0.0
        return ModelCalled(
            role=Role.RESEARCH,
            model=dialect.model if dialect.provider == "openai" else f"{dialect.provider}:{dialect.model}",
            seconds=seconds,
            input_tokens=tokens[0],
            output_tokens=tokens[1],
            cached_tokens=cached,
            cost_usd=None if price is None or uncounted else price + fee,
            error=error,
        )


def _wanted(pages: Sequence[NamedPage], request: SearchRequest) -> list[NamedPage]:
    """Return the pages to be read: once each, none of a forbidden site, those of preferred sites first."""
    once: dict[str, NamedPage] = {}
    for page in pages:
        url = canonical_url(page.url)
        if url is not None and not is_below(site_of(url), request.forbidden_sites):
            once.setdefault(url, NamedPage(url, page.title, page.age))
    ordered = sorted(once.values(), key=lambda page: not is_below(site_of(page.url), request.preferred_sites))
    return ordered[: request.limit * _TRIED]


async def _read(named: Sequence[NamedPage], request: SearchRequest, fetch: Fetch, today: date) -> list[FoundPage]:
    """Return as many pages as are wanted; for each that cannot be had, one of the next is tried."""
    found: dict[str, FoundPage] = {}
    waiting = list(named)
    failure = ""
    while waiting and len(found) < request.limit:
        missing = request.limit - len(found)
        tried, waiting = waiting[:missing], waiting[missing:]
        fetched = await asyncio.gather(*(_page(page, fetch, today) for page in tried), return_exceptions=True)
        for result in fetched:
            if isinstance(result, SourceError):
                failure = result.detail
                _log.info("A page was not read: %s", failure)
            elif isinstance(result, BaseException):
                raise result
            elif _fits(result, request, today):
                found.setdefault(result.url, result)
    if failure and not found:
        raise SourceError("pages_unreadable", failure)
    return [_scored(page, rank, len(found)) for rank, page in enumerate(found.values())]


async def _page(named: NamedPage, fetch: Fetch, today: date) -> FoundPage:
    fetched = await fetch(named.url)
    site = site_of(fetched.url)
    return FoundPage(
        url=fetched.url,
        title=clean_title(named.title) or fetched.title or site,
        site=site,
        origin=SourceName.WEB,
        kind=kind_of(fetched.url),
        text=fetched.text,
        published=fetched.published or published_on(named.age, today),
    )


def _fits(page: FoundPage, request: SearchRequest, today: date) -> bool:
    """Whether a page is what was asked for, now that its site and date are known; one without a date may be."""
    start = earliest(request, today)
    is_too_old = page.published is not None and page.published < start[: len(page.published)]
    return not is_too_old and not is_below(page.site, request.forbidden_sites)


def _scored(page: FoundPage, rank: int, count: int) -> FoundPage:
    return replace(page, score=1.0 - rank / count)
