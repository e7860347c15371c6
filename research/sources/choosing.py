"""Where a brief searches, and what that brings as one list, in which what lies outside the brief stands last, marked.

Of our own sources: the web and who searches it, and connected servers; folders stand in `local.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from research import core
from research.language import Bilingual, Phrase
from research.meaning import Meaning
from research.settings import OPENAI_ADDRESS, TAVILY_ADDRESS, Settings, WebSearch, mcp_servers, servers_file
from research.sources.local import DOCUMENTS, FACTBOOK, HOUSE, LIBRARY
from research.sources.protocol import (
    NO_PACKAGE,
    ChosenSources,
    FoundPage,
    Lack,
    Making,
    Provider,
    SearchRequest,
    Source,
    always,
    by_default,
    provider,
)
from research.text import Name, countries_meant, country_of_site, folded, mentions_in, places_in

if TYPE_CHECKING:
    from research.sources.apis import Service
    from research.sources.model_search import Dialect
    from research.sources.web import Depth


class Searcher(NamedTuple):
    """What it takes to have the web searched by somebody."""

    module: str
    """That must be installed."""
    extra: str
    """Of this package, which brings it."""
    address: str = ""
    model: str = ""
    """The usual one that searches, of those who search with a model."""


SEARCHERS: Mapping[WebSearch, Searcher] = {
    WebSearch.TAVILY: Searcher("tavily", "tavily", TAVILY_ADDRESS),
    WebSearch.OPENAI: Searcher("httpx", "web", OPENAI_ADDRESS, "gpt-5.4-mini"),
    WebSearch.ANTHROPIC: Searcher("httpx", "web", "https://api.anthropic.com", "claude-haiku-4-5"),
    WebSearch.DDGS: Searcher("ddgs", "ddgs"),
    WebSearch.SEARXNG: Searcher("httpx", "web"),
    WebSearch.WIKIPEDIA: Searcher("httpx", "web"),
}

_CHEAP = {core.PresetName.SPEED, core.PresetName.COST}
_SECONDS = 90.0
"""How long a model may take to search once."""


def choose(
    brief: core.Brief,
    settings: Settings,
    channel: core.RunChannel,
    *,
    library: Path | None,
    uses_models: bool,
    meaning: Meaning | None = None,
) -> ChosenSources:
    """Return the sources of a run.

    Args:
        brief: what is to be researched, and where.
        settings: keys, addresses and the home folder.
        channel: how sources reach the books of the run.
        library: a folder of documents; where it is None, the documents added on the start page take its place.
        uses_models: whether there is somebody who can decide to use tools.
        meaning: compares labels of documents.

    Raises:
        UsageError: something that was asked for is not available; says what to do, in the brief's language.
    """
    if library is not None and not library.is_dir():
        raise core.UsageError(Phrase("There is no folder {folder}.").filled(folder=library), brief.language)
    folder = library or added_documents(settings)
    making = Making(brief, settings, channel, meaning, folder=folder, uses_models=uses_models)
    # A folder that was named for this run is meant to be searched.
    named = (*brief.sources, core.SourceName.LIBRARY) if library is not None else brief.sources
    if brief.addresses:
        named = (*named, core.SourceName.ADDRESSES)
    chosen = dict.fromkeys(named if brief.sources else by_default(making))
    made = [
        provider(name, brief.language).made(making)
        for name in sorted(chosen, key=lambda name: name is core.SourceName.MCP)
    ]
    return ChosenSources(
        [source for one in made for source in one.searched],
        next((one.toolbox for one in made if one.toolbox is not None), None),
    )


def added_documents(settings: Settings) -> Path | None:
    """Return the folder of the documents that were added on the start page, if there are any."""
    added = settings.home / DOCUMENTS
    return added if added.is_dir() and any(added.iterdir()) else None


# --- the web --------------------------------------------------------------------------------------------------------


def web_searcher(settings: Settings) -> WebSearch:
    """Return who searches the web where somebody asks for it: who is set up, else one that needs no key.

    Nobody does where the web was switched off.
    """
    if settings.web_search is not None or settings.searcher is not WebSearch.NONE:
        return settings.searcher
    return WebSearch.DDGS if find_spec(SEARCHERS[WebSearch.DDGS].module) is not None else WebSearch.WIKIPEDIA


def _web_lacks(making: Making) -> Lack | None:
    who = web_searcher(making.settings)
    if who is WebSearch.NONE:
        return Lack(
            Phrase("switched off"),
            Phrase(
                "The web is switched off. Choose in the workbench's Settings who searches it, or set WEB_SEARCH to "
                "tavily, openai, anthropic, ddgs, searxng or wikipedia; or choose other sources."
            ),
        )
    if find_spec(SEARCHERS[who].module) is None:
        return Lack(Phrase("not installed"), NO_PACKAGE.filled(label=WEB.label, extra=SEARCHERS[who].extra))
    if making.settings.has(who):
        return None
    return Lack(
        Phrase("needs a key"),
        Phrase(
            "Who is to search the web (WEB_SEARCH) has no key: enter one in the workbench's Settings, or set "
            "TAVILY_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY, or SEARXNG_BASE_URL for SearXNG. Public search "
            "engines and Wikipedia need none."
        ),
    )


def _web(making: Making) -> Source:
    from research.sources import web

    settings, who = making.settings, web_searcher(making.settings)
    if who is WebSearch.TAVILY:
        return web.TavilySource(settings, depth=_depth(making.brief))
    if who in (WebSearch.DDGS, WebSearch.SEARXNG, WebSearch.WIKIPEDIA):
        return web.keyless(who, making)
    from research.sources.model_search import ModelSearchSource

    dialect, service = model_that_searches(settings, who, _SECONDS)
    return ModelSearchSource(dialect, service, making.channel.emit, making.channel.admit)


WEB = Provider(
    name=core.SourceName.WEB,
    label=Phrase("Web"),
    words=Phrase("the web"),
    reach=core.Reach.OPEN,
    fields=(
        core.SourceField(
            "searxng",
            Phrase("Address of SearXNG"),
            is_place=True,
            variable="SEARXNG_BASE_URL",
            hint=Phrase("A metasearch engine that somebody runs; it must be allowed to answer in JSON."),
        ),
    ),
    make=_web,
    lack=_web_lacks,
    by_default=lambda making: making.settings.has_web,
)


# --- connected servers of tools -------------------------------------------------------------------------------------

_NO_SERVERS = Phrase("No servers are connected: name them in {path}.")


def _servers_lack(making: Making) -> Lack | None:
    home = making.settings.servers_home
    servers = mcp_servers(home)
    if not servers:
        return Lack(Phrase("none connected"), _NO_SERVERS.filled(path=servers_file(home)))
    if not making.uses_models and not any(server.search for server in servers):
        return Lack(
            Phrase("needs chat models"), Phrase("Only chat models can use these servers. Set up a key for models.")
        )
    return None


def _connected(making: Making) -> ChosenSources:
    """Return the connected servers that search, and the tools of all of them if somebody can decide to use any."""
    from research.sources.mcp import Servers
    from research.sources.mcp_login import logged_in

    settings = making.settings
    servers = Servers(
        mcp_servers(settings.servers_home),
        making.channel.problem,
        lambda server, tool: settings.has_agreed(server.name, server.place, tool),
        login=lambda server: logged_in(server, settings.home),
    )
    return ChosenSources(servers.sources, servers if making.uses_models else None)


MCP = Provider(
    name=core.SourceName.MCP,
    label=Phrase("Connected servers (MCP)"),
    words=Phrase("connected servers"),
    reach=core.Reach.CONNECTED,
    module="mcp",
    extra="mcp",
    make=_connected,
    lack=_servers_lack,
    by_default=always,
)

core.register(WEB, LIBRARY, FACTBOOK, HOUSE, MCP)


# --- who searches, and what it costs --------------------------------------------------------------------------------


def model_that_searches(settings: Settings, who: WebSearch, seconds: float) -> tuple[Dialect, Service]:
    """Return how a model of OpenAI or Anthropic (or who answers in their place) is asked, and the way to it.

    An answer may take `seconds`.
    """
    from research.sources.model_search import AnthropicSearch, OpenAISearch, service_at

    address, key = settings.access(who)
    model, address = settings.search_model(who) or SEARCHERS[who].model, address or SEARCHERS[who].address
    if who is WebSearch.ANTHROPIC:
        headers = {"anthropic-version": "2023-06-01", **({"x-api-key": key} if key else {})}
        return AnthropicSearch(model), service_at(address, headers, key, seconds)
    return OpenAISearch(model), service_at(address, {"Authorization": f"Bearer {key}"} if key else {}, key, seconds)


def _depth(brief: core.Brief) -> Depth:
    return "basic" if brief.preset in _CHEAP else "advanced"


def usd_a_search(brief: core.Brief, settings: Settings) -> float:
    """Return what a search of the web costs in a run of `brief`; one that a model makes counts among its calls."""
    if settings.searcher is not WebSearch.TAVILY or not settings.has_web:
        return 0.0
    from research.sources.web import TavilySource

    return TavilySource(settings, depth=_depth(brief)).usd_a_search


def check_package(module: str, extra: str, label: Bilingual, brief: core.Brief) -> None:
    """Check that a package is installed.

    Raises:
        UsageError: it is not; says how to install it.
    """
    if find_spec(module) is None:
        raise core.UsageError(NO_PACKAGE.filled(label=label, extra=extra), brief.language)


# --- one list: ranked by what the brief wants ------------------------------------------------------------------------


def ranked(found: Sequence[FoundPage], request: SearchRequest, asked: frozenset[str], today: date) -> list[FoundPage]:
    """Return what a source found, without forbidden kinds: what is preferred first, what is outside the brief last.

    Most sources leave out what is outside the period themselves; who was handed its pages by the user does not.

    Args:
        found: pages, best first.
        request: what the source was asked.
        asked: the countries that the brief is about; see `countries_asked`.
        today: from which the period counts back.
    """
    wanted = [_with_limits(page, request, asked, today) for page in found if page.kind not in request.forbidden_kinds]
    return sorted(wanted, key=lambda page: _rank(page, request))


def _rank(page: FoundPage, request: SearchRequest) -> tuple[int, int]:
    return len(page.outside), -request.prefers(page.url, page.kind)


def _with_limits(page: FoundPage, request: SearchRequest, asked: frozenset[str], today: date) -> FoundPage:
    is_outside = {
        core.Outside.PERIOD: request.is_outside(page.published, today),
        core.Outside.REGION: is_elsewhere(page, asked),
    }
    return replace(page, outside=tuple(limit for limit, holds in is_outside.items() if holds))


# --- several lists: joined by address, and fused by rank -------------------------------------------------------------

_FUSING = 60
"""How little the first ranks go before the next: the constant of reciprocal rank fusion that its authors found best and
that is in use everywhere (Cormack, Clarke and Büttcher, SIGIR 2009). With it, what two lists hold goes before what one
has in front, and lists that have nothing in common take turns."""


def mixed(lists: Mapping[str, Sequence[FoundPage]], request: SearchRequest) -> list[tuple[str, FoundPage]]:
    """Return the pages of several lists, each once and best first, with the name of the list that has it furthest up.

    Lists are fused by the ranks that they give to a page, since their scores cannot be compared; what the brief wants
    goes before that, as in each list. A page of several addresses (`place_of`) is the one that was ranked first.
    """
    merits: dict[str, float] = {}
    best: dict[str, tuple[int, str, FoundPage]] = {}
    for name, pages in lists.items():
        for rank, page in enumerate(pages, 1):
            place = core.place_of(page.url)
            merits[place] = merits.get(place, 0.0) + 1 / (_FUSING + rank)
            if place not in best or rank < best[place][0]:
                best[place] = (rank, name, page)
    order = sorted(best, key=lambda place: (*_rank(best[place][2], request), -merits[place]))
    return [best[place][1:] for place in order]


# --- what is about another part of the world -------------------------------------------------------------------------

_COUNTED_IN = 60_000
"""Characters of a page in which countries are counted: those that it is about it names from the beginning."""
_TIMES = 2
"""How often a page names another country at least: once may be a word of an address or of a heading."""
_ASIDE = 5
"""How many times as often as all countries that are asked about, so that these are named in passing."""


def countries_asked(brief: core.Brief) -> frozenset[str]:
    """Return the countries that a brief is about, by their English names; none if it sets no limit, or one unknown.

    They are those of its fields, without what it leaves out, and those that the question itself names.
    """
    if not all(map(countries_meant, brief.countries)) or brief.region is core.Region.WORLD:
        return frozenset()
    limits = (*brief.countries, *((brief.region.label.en,) if brief.region is not None else ()))
    left_out = {place for said in brief.exclusions for place in places_in(said) if folded(said) in place.forms}
    inside = frozenset[Name]().union(*map(countries_meant, limits)) - left_out
    return frozenset(place.en for place in inside | countries_meant(brief.question)) if inside else frozenset()


def is_elsewhere(page: FoundPage, asked: frozenset[str]) -> bool:
    """Whether a page is plainly about other countries than those that are asked about.

    Its title or the domain of its site is of another country, which it names again and again, and those that are asked
    about at most in passing. A page that names no country, or whose title or site is of one that is asked about, is
    not: it is only told where that is sure.
    """
    home, heading = country_of_site(core.site_of(page.url)), mentions_in(page.title)
    if not asked or home in asked or not asked.isdisjoint(heading):
        return False
    named = mentions_in(f"{page.title}\n{page.text[:_COUNTED_IN]}")
    times = max((named[other] for other in {home, *heading} - asked), default=0)
    return times >= max(_TIMES, _ASIDE * sum(named[one] for one in asked))
