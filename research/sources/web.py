"""Who searches the web: Tavily with a key; without one public engines, SearXNG, Wikipedia, feeds, given addresses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ValidationError

from research.core import (
    PeriodChoice,
    Reach,
    Region,
    SourceError,
    SourceField,
    SourceName,
    UsageError,
    is_below,
    register,
)
from research.language import Language, Phrase
from research.settings import TAVILY_ADDRESS, Settings, WebSearch
from research.sources.apis import ATOM, ApiSource, Hit, Service, api, asking, tried_twice
from research.sources.protocol import (
    NOT_SET_UP,
    FoundPage,
    Lack,
    Making,
    Provider,
    SearchRequest,
    clean_text,
    found_page,
)
from research.text import tokens

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from research.sources.fetching import Fetcher, NamedPage


Naming = Callable[[SearchRequest], Any]
"""Asks somebody which pages there are: an awaitable of `NamedPage`s, best first."""


def _fetcher() -> Fetcher:
    from research.sources.fetching import Fetcher

    return Fetcher()


@dataclass(frozen=True)
class NamingSource:
    """A source that knows where pages are; this computer reads them."""

    name: SourceName
    named: Naming
    fetcher: Fetcher = field(default_factory=_fetcher)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return pages for one query, best first. Pages that cannot be read are left out.

        Raises:
            SourceError: nobody could be asked, or none of the pages could be read.
        """
        from research.sources.fetching import read_named

        try:
            pages: Sequence[NamedPage] = await self.named(request)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise SourceError("search_failed", "the answer has not the expected form") from error
        async with self.fetcher.opened() as fetch:
            return await read_named(pages, request, fetch, self.now().date(), self.name)


def keyless(who: WebSearch, making: Making) -> ApiSource | NamingSource:
    """Return who searches the web without a key, as the source `web`."""
    if who is WebSearch.WIKIPEDIA:
        found = WIKIPEDIA.make(making)
        assert isinstance(found, ApiSource)
        return replace(found, name=SourceName.WEB)
    if who is WebSearch.DDGS:
        return NamingSource(SourceName.WEB, _engines)
    service = Service(making.settings.access(who)[0], gap=0.5)
    return NamingSource(SourceName.WEB, lambda request: _searxng(service, request))


# --- Tavily: https://docs.tavily.com/documentation/api-reference/endpoint/search -------------------------------------

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

_TIMES = {PeriodChoice.WEEK: "week", PeriodChoice.MONTH: "month", PeriodChoice.YEAR: "year"}
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
        return _found_pages(answer, request, is_news=parameters["topic"] == "news")

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
        if request.period in _TIMES:
            parameters["time_range"] = _TIMES[request.period]
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


class _TavilyResult(BaseModel):
    """A page as the service returns it."""

    url: str
    title: str | None = None
    content: str | None = None
    raw_content: str | None = None
    published_date: str | None = None
    score: float | None = None


def _found_pages(answer: object, request: SearchRequest, *, is_news: bool) -> list[FoundPage]:
    """Return what is usable of an answer; what leads nowhere, or to a forbidden site, is left out."""
    results = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(results, list):
        raise SourceError("search_failed", "the answer holds no list of results")
    read: list[_TavilyResult] = []
    for result in results:
        with suppress(ValidationError):
            read.append(_TavilyResult.model_validate(result))
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


# --- public search engines, by the package ddgs ----------------------------------------------------------------------

_REGIONS = {Region.JAPAN: "jp-jp", Region.CHINA: "cn-zh", Region.INDIA: "in-en"}
_LIMITS = {PeriodChoice.WEEK: "w", PeriodChoice.MONTH: "m", PeriodChoice.QUARTER: "y", PeriodChoice.YEAR: "y"}
_ENGINE_SECONDS = 15


async def _engines(request: SearchRequest) -> list[NamedPage]:
    return await asyncio.to_thread(_asked_of_engines, request)


def _asked_of_engines(request: SearchRequest) -> list[NamedPage]:
    """Return what search engines name for a query; the package asks several, one after the other, until one answers."""
    from ddgs import DDGS
    from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

    usual = "jp-jp" if request.language is Language.JA else "us-en"
    try:
        found = DDGS(timeout=_ENGINE_SECONDS).text(
            request.query,
            region=_REGIONS.get(request.region, usual) if request.region else usual,
            timelimit=_LIMITS.get(request.period) if request.period else None,
            max_results=request.limit * 3,
            backend="duckduckgo, mojeek, brave",
        )
    except RatelimitException as error:
        raise SourceError("search_quota", str(error)[:200]) from error
    except TimeoutException as error:
        raise SourceError("search_timeout", str(error)[:200]) from error
    except DDGSException as error:
        if "No results" in str(error):
            return []
        raise SourceError("search_failed", str(error)[:200]) from error
    return _pages((one["href"], one["title"], "") for one in found)


def _pages(named: Iterable[tuple[str, str, str]]) -> list[NamedPage]:
    from research.sources.fetching import NamedPage

    return [NamedPage(url=url, title=title, page_age=age) for url, title, age in named]


# --- SearXNG: https://docs.searxng.org/dev/search_api ----------------------------------------------------------------

_RANGES = {
    PeriodChoice.WEEK: "month",
    PeriodChoice.MONTH: "month",
    PeriodChoice.QUARTER: "year",
    PeriodChoice.YEAR: "year",
}


async def _searxng(service: Service, request: SearchRequest) -> list[NamedPage]:
    asked = {
        "q": request.query,
        "format": "json",
        "language": request.language.value,
        "time_range": _RANGES.get(request.period) if request.period else None,
    }
    found = (await service.json("/search", asked))["results"]
    return _pages((one["url"], one.get("title") or "", one.get("publishedDate") or "") for one in found)


# --- Wikipedia: https://www.mediawiki.org/wiki/API:Search and https://www.mediawiki.org/wiki/Extension:TextExtracts ---

_HEADING = re.compile(r"^(={2,6}) *(.*?) *\1$", re.MULTILINE)


async def _wikipedia(service: Service, request: SearchRequest, since: str) -> Iterable[Hit]:
    same = {"action": "query", "format": "json", "formatversion": "2"}
    asked = {"list": "search", "srsearch": request.query, "srlimit": request.limit, "srprop": ""}
    found = (await service.json("/w/api.php", same | asked))["query"]["search"]
    texts = {"prop": "extracts|info|revisions", "explaintext": "1", "exsectionformat": "wiki", "inprop": "url"}
    # The service gives the whole text of one article at a time.
    answers = await asyncio.gather(
        *(service.json("/w/api.php", same | texts | {"pageids": one["pageid"], "rvprop": "timestamp"}) for one in found)
    )
    return [_article(page) for answer in answers for page in answer["query"]["pages"] if page.get("extract")]


def _article(page: dict[str, Any]) -> Hit:
    text = _HEADING.sub(lambda found: f"{'#' * len(found[1])} {found[2]}", page["extract"])
    changed = [revision["timestamp"] for revision in page.get("revisions", ())]
    return Hit(page["fullurl"], page["title"], text, changed[0][:10] if changed else None)


WIKIPEDIA = api(
    "wikipedia",
    Phrase("Wikipedia"),
    "https://{language}.wikipedia.org",
    _wikipedia,
    hint=Phrase("The encyclopedia in the language of the report, dated by the last change of an article."),
    gap=0.1,
)


# --- feeds -----------------------------------------------------------------------------------------------------------

_MOST_FEEDS = 30
_ADDRESS = re.compile(r"https?://[^\s<>\"'」）]+")


def _feed_addresses(making: Making) -> list[str]:
    return _ADDRESS.findall(making.values(RSS)["feeds"])[:_MOST_FEEDS]


def _feeds(making: Making) -> NamingSource:
    addresses = _feed_addresses(making)
    return NamingSource(SourceName("rss"), lambda request: _of_feeds(addresses, request))


async def _of_feeds(addresses: Sequence[str], request: SearchRequest) -> list[NamedPage]:
    """Return the entries of all feeds that speak of what is asked, those that say most of it first.

    Raises:
        SourceError: no feed could be read; one of several costs only itself.
    """
    answers = await asyncio.gather(*map(_entries, addresses), return_exceptions=True)
    failed = [answer for answer in answers if isinstance(answer, BaseException)]
    if failed and len(failed) == len(answers):
        raise failed[0]
    asked = set(tokens(request.query))
    rated = [
        (len(asked.intersection(tokens(f"{hit.title} {hit.text}"))), hit)
        for answer in answers
        if not isinstance(answer, BaseException)
        for hit in answer
    ]
    best = sorted((one for one in rated if one[0]), key=lambda one: -one[0])
    return _pages((hit.url, hit.title, hit.published or "") for _, hit in best)


async def _entries(address: str) -> list[Hit]:
    return list(_entries_of(await Service(address).xml("", {})))


def _entries_of(root: Element) -> Iterator[Hit]:
    """Yield the entries of a feed: RSS 2.0, RSS 1.0 or Atom."""
    for item in root.iter():
        kind = item.tag.rpartition("}")[2]
        if kind not in ("item", "entry"):
            continue
        said = {part.tag.rpartition("}")[2]: "".join(part.itertext()).strip() for part in reversed(item)}
        link = next(
            (part.get("href", "") for part in item.iter(f"{ATOM}link") if part.get("rel") in (None, "alternate")), ""
        )
        published = said.get("pubDate") or said.get("published") or said.get("updated") or said.get("date")
        yield Hit(
            link or said.get("link", ""),
            said.get("title", ""),
            said.get("description") or said.get("summary", ""),
            published,
        )


_NO_FEEDS = Lack(NOT_SET_UP, Phrase("No feeds are set: enter their addresses in the workbench's Settings."))

RSS: Provider = Provider(
    name="rss",
    label=Phrase("Feeds (RSS, Atom)"),
    reach=Reach.OPEN,
    fields=(
        SourceField(
            "feeds",
            Phrase("Addresses of the feeds"),
            is_place=True,
            is_needed=True,
            hint=Phrase("Separated by blanks. Entries that speak of the question are read, each on its own page."),
        ),
    ),
    hint=Phrase("News and releases from the feeds that you choose."),
    module="defusedxml",
    extra="web",
    make=_feeds,
    lack=lambda making: None if _feed_addresses(making) else _NO_FEEDS,
)


# --- addresses that the user gives -----------------------------------------------------------------------------------

_MOST_GIVEN = 20


def _given(making: Making) -> list[str]:
    """Return the addresses of a brief, and those that stand in its question and in its note."""
    found = [*making.brief.addresses, *_ADDRESS.findall(f"{making.brief.question}\n{making.brief.note}")]
    return list(dict.fromkeys(address.rstrip(".,;:!?)、。") for address in found))[:_MOST_GIVEN]


_NONE_GIVEN = Phrase("The brief names no address: write those to be read into it, or into the question or the note.")


@dataclass(frozen=True)
class GivenPages:
    """The pages that the user named: all of them, whatever is asked; they are read once."""

    naming: NamingSource
    read: list[FoundPage] = field(default_factory=list)
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def name(self) -> SourceName:
        """The name under which they are registered."""
        return self.naming.name

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return the pages, in the user's order; errors are those of `NamingSource`."""
        async with self.reading:
            if not self.read:
                whatever = SearchRequest(request.query, _MOST_GIVEN, language=request.language)
                self.read.extend(await self.naming.search(whatever))
        return list(self.read)


def _addresses(making: Making) -> GivenPages:
    given = _given(making)
    if not given:
        raise UsageError(_NONE_GIVEN, making.brief.language)

    async def named(request: SearchRequest) -> list[NamedPage]:
        return _pages((address, "", "") for address in given)

    return GivenPages(NamingSource(SourceName.ADDRESSES, named))


ADDRESSES = Provider(
    name=SourceName.ADDRESSES,
    label=Phrase("Addresses in the brief"),
    reach=Reach.OPEN,
    hint=Phrase("The pages whose addresses the brief names, also in the question or in the note."),
    module="httpx",
    extra="web",
    make=_addresses,
    by_default=lambda making: bool(making.brief.addresses),
)

register(WIKIPEDIA, RSS, ADDRESSES)
