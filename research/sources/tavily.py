"""Web search by Tavily."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from research.core import PeriodChoice, Region, SourceError, SourceName, is_below
from research.settings import TAVILY_ADDRESS, Settings, WebSearch
from research.sources.apis import asking, tried_twice
from research.sources.protocol import FoundPage, SearchRequest, clean_text, found_page

Depth = Literal["basic", "advanced"]

_CODES = {
    400: "search_bad_request",
    401: "search_unauthorized",
    403: "search_unauthorized",
    422: "search_bad_request",
    429: "search_quota",
    432: "search_quota",
    433: "search_quota",
}
_CREDITS: dict[Depth, int] = {"basic": 1, "advanced": 2}
"""What the service counts for one search."""

# Limits of the service.
_LONGEST_QUERY = 400
_MOST_RESULTS = 20
_MOST_PREFERRED = 300
_MOST_FORBIDDEN = 150

_RANGES = {PeriodChoice.WEEK: "week", PeriodChoice.MONTH: "month", PeriodChoice.YEAR: "year"}
_COUNTRIES = {Region.JAPAN: "japan", Region.CHINA: "china", Region.INDIA: "india"}
"""Regions that are one country; the service knows no wider ones."""
_GAP = "[...]"
"""Stands between the passages of a page that the service found to match."""


class TavilySource:
    """The web through Tavily's search service."""

    name = SourceName.WEB

    def __init__(
        self,
        settings: Settings,
        *,
        depth: Depth = "basic",
        timeout_seconds: float = 30.0,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`depth` "advanced" finds better passages for twice the price; `timeout_seconds` is for one search."""
        address, self._key = settings.access(WebSearch.TAVILY)
        self.address = address or TAVILY_ADDRESS
        self.usd_a_search = settings.tavily_usd_per_credit * _CREDITS[depth]
        self._seconds = timeout_seconds
        self._depth = depth
        self._now = now

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return pages for one query, best first.

        A search that is turned away for its rate (429) or fails on the server (5xx) is tried once more.

        Raises:
            SourceError: the search failed.
        """
        parameters = self._parameters(request)
        answer = await tried_twice(lambda: self.ask(parameters))
        return _pages(answer, request, is_news=parameters["topic"] == "news")

    async def ask(self, parameters: dict[str, Any]) -> object:
        """Return the service's answer to one search, as it is; errors are those of `asking`."""
        import httpx
        from tavily import AsyncTavilyClient
        from tavily.errors import TimeoutError as TavilyTimeout

        async with asking(self._seconds, self._key, _CODES) as client:
            # An empty key is passed on as it is, or the service's client would read the environment by itself.
            service = AsyncTavilyClient(api_key=self._key, api_base_url=self.address, client=client)
            try:
                return await service.search(**parameters, timeout=self._seconds)
            except TavilyTimeout as error:
                raise httpx.ReadTimeout(str(error)) from error

    def _parameters(self, request: SearchRequest) -> dict[str, Any]:
        # Only news carries dates, without which nothing can be said to be of the past week. For longer periods the
        # news would leave out what statistics offices, companies and journals publish.
        topic = "news" if request.period is PeriodChoice.WEEK else "general"
        parameters: dict[str, Any] = {
            "query": _shortened(request.query),
            "topic": topic,
            "search_depth": self._depth,
            "max_results": min(request.limit, _MOST_RESULTS),
            "include_raw_content": "markdown",
        }
        if request.period in _RANGES:
            parameters["time_range"] = _RANGES[request.period]
        elif first := request.first_day(self._now().date()):
            parameters["start_date"] = first
        if request.last_day:
            parameters["end_date"] = request.last_day
        if request.region in _COUNTRIES and topic == "general":
            parameters["country"] = _COUNTRIES[request.region]
        if request.preferred_sites:
            parameters["include_domains"] = list(request.preferred_sites[:_MOST_PREFERRED])
            parameters["include_domains_mode"] = "prefer"
        if request.forbidden_sites:
            parameters["exclude_domains"] = list(request.forbidden_sites[:_MOST_FORBIDDEN])
        return parameters


class _Result(BaseModel):
    """A page as the service returns it."""

    url: str
    title: str | None = None
    content: str | None = None
    raw_content: str | None = None
    published_date: str | None = None
    score: float | None = None


def _pages(answer: object, request: SearchRequest, *, is_news: bool) -> list[FoundPage]:
    """Return what is usable of an answer; what leads nowhere, or to a forbidden site, is left out."""
    results = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(results, list):
        raise SourceError("search_failed", "the answer holds no list of results")
    read: list[_Result] = []
    for result in results:
        with suppress(ValidationError):
            read.append(_Result.model_validate(result))
    if results and not read:
        raise SourceError("search_failed", "no result has the expected form")
    pages: dict[str, FoundPage] = {}
    for result in read:
        page = found_page(
            SourceName.WEB,
            result.url,
            result.title or "",
            # The service could not fetch every page; its snippet is then all there is to quote.
            result.raw_content or result.content or "",
            published=result.published_date,
            is_news=is_news,
            score=result.score or 0.0,
        )
        if page is not None and not is_below(page.site, request.forbidden_sites):
            passages = _passages(clean_text(result.content or ""), page.text)
            pages.setdefault(page.url, replace(page, passages=passages))
    return list(pages.values())[: request.limit]


def _passages(content: str, text: str) -> tuple[tuple[int, int], ...]:
    parts = [part.strip() for part in content.split(_GAP)]
    found = [(text.find(part), len(part)) for part in parts if part]
    return tuple((start, start + length) for start, length in found if start >= 0)


def _shortened(query: str) -> str:
    """Return a query that the service accepts, cut between words where it has any."""
    words = " ".join(query.split())
    if len(words) <= _LONGEST_QUERY:
        return words
    cut = words[: _LONGEST_QUERY + 1]
    return cut.rpartition(" ")[0] or cut[:_LONGEST_QUERY]
