"""Where a brief searches; of our own sources: the web and who searches it, documents, samples, connected servers."""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from research import core
from research.language import Bilingual, Phrase
from research.meaning import Meaning
from research.settings import OPENAI_ADDRESS, TAVILY_ADDRESS, Settings, WebSearch, mcp_servers
from research.sources.protocol import FoundPage, SearchRequest, Source
from research.sources.registry import NO_PACKAGE, ChosenSources, Lack, Making, Provider, by_default, provider
from research.sources.samples import collection_folder, is_available
from research.sources.tavily import Depth, TavilySource

if TYPE_CHECKING:
    from research.library import Document, Hit, IndexReport, Library, Skipped, Stop
    from research.sources.apis import Service
    from research.sources.model_search import Dialect


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

DOCUMENTS = "documents"
"""The folder in the home folder that files added on the start page join."""
_CHEAP = {core.PresetName.SPEED, core.PresetName.COST}
_INDEXING = 0.3
"""Share of a run's time that reading a folder may take: the rest is for searching, writing and proving."""
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
    settings, who = making.settings, web_searcher(making.settings)
    if who is WebSearch.TAVILY:
        return TavilySource(settings, depth=_depth(making.brief))
    if who in (WebSearch.DDGS, WebSearch.SEARXNG, WebSearch.WIKIPEDIA):
        from research.sources import keyless

        return keyless.web(who, making)
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


# --- folders: documents of the user's own, and the samples ----------------------------------------------------------


_FACTBOOK_SITE = "The World Factbook"
_PASSAGES = 8
"""Passages looked at for each page wanted, since several may stand in one file."""
_FEW, _SHORT = 20, 4_000
"""Files of a folder of which all that matched are read, as far as they have at most so many characters: what answers in
another language, or in other words, often comes behind what only has the words."""
_REPORTS = 10
"""How often progress is told, at most, before the end."""


_Progress = Callable[[int, int, "tuple[Skipped, ...]"], None]
"""Told how many files of how many are indexed, and at the end what was skipped."""


_LOOKED_AGAIN = 15.0
"""Seconds after which a search looks again at a folder that is watched: a thousand files take a tenth of one."""
_READING = 10.0
"""Seconds that a search waits for what has come into it since; what is left then is read by the next one."""


class LocalSource:
    """Searches a library. Several searches may run at once; the first one opens and indexes it, the others wait.

    Where the folder is watched, what is added or changed while a run is under way is read as well.
    """

    def __init__(
        self,
        name: core.SourceName,
        opened: Callable[[], Library],
        on_progress: _Progress | None = None,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        patience: float = math.inf,
        watched: float = math.inf,
    ) -> None:
        """Make a source of a library.

        Args:
            name: which of the brief's sources it is.
            opened: opens the documents: making the folder of a collection takes seconds, so that is left to the run
                and not to who starts it.
            on_progress: called from a worker thread, about ten times and at the end, where both numbers are equal.
            now: the current time, with a time zone.
            patience: seconds after which what has been indexed is searched, whatever is left.
            watched: seconds after which a search looks again at what is in the folder.
        """
        self.name = name
        self._open = opened
        self._on_progress = on_progress
        self._now = now
        self._patience = patience
        self._watched = watched
        self._indexing = asyncio.Lock()
        self._library: Library | None = None
        """The library, once it is indexed."""
        self._report: IndexReport | None = None
        """What it held when it was last looked at."""
        self._looked = 0.0
        """When that was."""
        self._versions: defaultdict[Path, list[int]] = defaultdict(list)
        """What documents said whenever they were found, as hashes; one that has changed is a page of its own."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return documents for one query, best first, with the passages that matched.

        Documents that are known to be from outside the period are left out; the region and sites play no part here.

        Raises:
            SourceError: `folder_empty` or `search_failed`.
        """
        from research.library import in_own_thread

        try:
            async with self._indexing:
                if self._library is None or monotonic() - self._looked > self._watched:
                    await in_own_thread(self._refreshed)
                library, report = self._library, self._report
            assert library is not None and report is not None
            return await asyncio.to_thread(self._search, library, report.files, request)
        except core.SourceError:
            raise
        except (core.ResearchError, OSError) as error:
            raise core.SourceError("search_failed", str(error)) from error

    def _search(self, library: Library, files: int, request: SearchRequest) -> list[FoundPage]:
        if not files:
            raise core.SourceError("folder_empty", str(library.folder))
        document = cache(library.document)
        passages: dict[Path, list[Hit]] = {}
        for hit in library.search(request.query, request.limit * _PASSAGES):
            found = document(hit.path)
            is_current = found.text[hit.start : hit.end] == hit.text
            if is_current and not request.is_outside(found.published, self._now().date()):
                passages.setdefault(hit.path, []).append(hit)
        asked = sum(any(hit.is_asked for hit in hits) for hits in passages.values())
        most = max(request.limit, asked)
        wanted = {path for path in passages if files <= _FEW and len(document(path).text) <= _SHORT}
        wanted |= {path for path, hits in passages.items() if any(hit.is_wanted for hit in hits)}
        return [
            replace(self._page(library, path, document(path), hits), is_wanted=path in wanted)
            for place, (path, hits) in enumerate(passages.items())
            if place < most or path in wanted
        ]

    def _refreshed(self, stop: Stop) -> None:
        """Read what is new in the folder, or has changed since it was looked at; the first time, open the library."""
        is_first, library = self._library is None, self._library or self._open()
        last_moment = monotonic() + (self._patience if is_first else _READING)
        on_progress = self._progress if is_first else None
        report = library.refresh(on_progress, stop=lambda: stop() or monotonic() > last_moment)
        if stop():
            return  # Whoever asked has left: the next search reads what is left.
        if report != self._report and self._on_progress is not None:
            total = report.files + len(report.skipped)
            self._on_progress(total, total, (*report.skipped, *report.noted))
        self._library, self._report, self._looked = library, report, monotonic()

    def _progress(self, done: int, total: int) -> None:
        step = max(total // _REPORTS, 1)
        if self._on_progress is not None and done < total and done % step == 0:
            self._on_progress(done, total, ())

    def _page(self, library: Library, path: Path, document: Document, hits: list[Hit]) -> FoundPage:
        from research.library import display_name

        own = self.name is not core.SourceName.FACTBOOK
        versions = self._versions[path]
        if (said := hash(document.text)) not in versions:
            versions.append(said)
        later = versions.index(said)
        return FoundPage(
            url=f"{path.as_uri()}?version={later + 1}" if later else path.as_uri(),
            title=document.title,
            site=display_name(path.relative_to(library.folder)) if own else _FACTBOOK_SITE,
            origin=self.name,
            kind=core.SourceKind.DOCUMENT if own else core.SourceKind.GOVERNMENT,
            text=document.text,
            published=document.published,
            passages=tuple((hit.start, hit.end) for hit in hits),
            answering=tuple((hit.start, hit.end) for hit in hits if hit.answers),
            score=hits[0].score,
        )


def _local(making: Making, name: core.SourceName, folder: Callable[[], Path], *, watched: float = math.inf) -> Source:
    # Indexes and their arrays take a while to load; not every command searches.
    from research.library import Library

    def opened() -> Library:
        return Library(folder(), making.settings.home / "library", meaning=making.meaning)

    def on_progress(done: int, total: int, skipped: Sequence[Skipped]) -> None:
        left_out = tuple((entry.name, entry.code) for entry in skipped)
        making.channel.emit(core.CollectionIndexed(source=name, done=done, total=total, skipped=left_out))

    most = making.brief.max_minutes
    patience = math.inf if most is None else most * 60 * _INDEXING
    return LocalSource(name, opened, on_progress, patience=patience, watched=watched)


def _library(making: Making) -> Source:
    folder = making.folder or making.settings.home / DOCUMENTS
    return _local(making, core.SourceName.LIBRARY, lambda: folder, watched=_LOOKED_AGAIN)


_NO_DOCUMENTS = Lack(
    Phrase("none added"),
    Phrase("There are no documents to search: name a folder (--library), or add files on the start page."),
)

LIBRARY = Provider(
    name=core.SourceName.LIBRARY,
    label=Phrase("My documents"),
    words=Phrase("the user's own documents"),
    reach=core.Reach.OWN,
    kind=core.SourceKind.DOCUMENT,
    make=_library,
    lack=lambda making: _NO_DOCUMENTS if making.folder is None else None,
    by_default=lambda making: True,
)


def _sample(
    name: core.SourceName, label: Bilingual, words: Bilingual, reach: core.Reach, kind: core.SourceKind
) -> Provider:
    missing = Lack(Phrase("not installed"), NO_PACKAGE.filled(label=label, extra="samples"))
    return Provider(
        name=name,
        label=label,
        words=words,
        reach=reach,
        kind=kind,
        make=lambda making: _local(making, name, lambda: collection_folder(name, making.settings.home)),
        lack=lambda making: None if is_available(name) else missing,
        is_sample=True,
    )


FACTBOOK = _sample(
    core.SourceName.FACTBOOK,
    Phrase("The World Factbook (sample)"),
    Phrase("The World Factbook"),
    core.Reach.SHIPPED,
    core.SourceKind.GOVERNMENT,
)
HOUSE = _sample(
    core.SourceName.HOUSE,
    Phrase("House documents (sample company)"),
    Phrase("the house documents of the sample company"),
    core.Reach.OWN,
    core.SourceKind.DOCUMENT,
)


# --- connected servers of tools -------------------------------------------------------------------------------------

_NO_SERVERS = Phrase("No servers are connected: name them in {path}.")


def _servers_lack(making: Making) -> Lack | None:
    home = making.settings.servers_home
    servers = mcp_servers.load(home)
    if not servers:
        return Lack(Phrase("none connected"), _NO_SERVERS.filled(path=mcp_servers.path(home)))
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
        mcp_servers.load(settings.servers_home),
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
    by_default=lambda making: True,
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
    return TavilySource(settings, depth=_depth(brief)).usd_a_search


def check_package(module: str, extra: str, label: Bilingual, brief: core.Brief) -> None:
    """Check that a package is installed.

    Raises:
        UsageError: it is not; says how to install it.
    """
    if find_spec(module) is None:
        raise core.UsageError(NO_PACKAGE.filled(label=label, extra=extra), brief.language)
