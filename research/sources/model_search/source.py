"""The web through a model provider's own search: it names pages, and this program reads them."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from pydantic import ValidationError

from research.errors import CapReached, SourceError
from research.events import Emit, ModelCalled
from research.presets import Role
from research.pricing import price_usd
from research.sources.cleaning import clean_title
from research.sources.fetching import Fetch, Fetcher
from research.sources.kinds import kind_of
from research.sources.model_search.answer import Answer, Dialect, NamedPage, earliest
from research.sources.model_search.page_age import published_on
from research.sources.model_search.wire import Wire
from research.sources.protocol import FoundPage, SearchRequest
from research.sources.refusals import tried_twice
from research.sources.urls import canonical_url, is_below, site_of
from research.spending import Admission, Admit, PlannedCall, freely
from research.vocabulary import SourceName

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

    async def _asked(self, request: SearchRequest, today: date) -> Answer:
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
            return await self._admit(PlannedCall(Role.RESEARCH, self._dialect.model, _PROMPT_TOKENS))
        except CapReached as error:
            raise SourceError(error.code, error.detail) from error

    def _understood(self, body: object) -> Answer:
        try:
            return self._dialect.answer(body)
        except ValidationError as error:
            raise SourceError("search_failed", "the answer has not the expected form") from error

    def _called(self, answer: Answer | None, seconds: float, error: str) -> ModelCalled:
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
