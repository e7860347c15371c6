"""The web without a key: public search engines, SearXNG, Wikipedia, feeds, and addresses that the user gives."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from research.core import PeriodChoice, Reach, Region, SourceError, SourceField, SourceName, UsageError, register
from research.language import Language, Phrase
from research.settings import WebSearch
from research.sources.apis import ATOM, ApiSource, Hit, Service, api
from research.sources.protocol import FoundPage, SearchRequest
from research.sources.registry import NOT_SET_UP, Lack, Making, Provider
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


def web(who: WebSearch, making: Making) -> ApiSource | NamingSource:
    """Return who searches the web without a key, as the source `web`."""
    if who is WebSearch.WIKIPEDIA:
        found = WIKIPEDIA.make(making)
        assert isinstance(found, ApiSource)
        return replace(found, name=SourceName.WEB)
    if who is WebSearch.DDGS:
        return NamingSource(SourceName.WEB, _engines)
    service = Service(making.settings.access(who)[0], gap=0.5)
    return NamingSource(SourceName.WEB, lambda request: _searxng(service, request))


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
