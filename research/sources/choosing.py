"""Which sources a brief searches, and how each is made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from research.analysts.chat import OPENAI_ADDRESS
from research.core import Brief, CollectionIndexed, PresetName, RunChannel, SourceName, UsageError
from research.language import Bilingual, Phrase
from research.meaning import Meaning
from research.settings import Settings, WebSearch, mcp_servers
from research.settings.mcp_servers import McpServer
from research.sources.protocol import Source, Toolbox
from research.sources.samples import collection_folder, is_available
from research.sources.tavily import ADDRESS, Depth, TavilySource

if TYPE_CHECKING:
    from research.library import Library, Skipped
    from research.sources.model_search import Dialect
    from research.sources.services import Wire


class Searcher(NamedTuple):
    """What it takes to have the web searched by somebody."""

    module: str
    """That must be installed."""
    extra: str
    """Of this package, which brings it."""
    address: str
    model: str = ""
    """The usual one that searches, of those who search with a model."""


SEARCHERS: Mapping[WebSearch, Searcher] = {
    WebSearch.TAVILY: Searcher("tavily", "tavily", ADDRESS),
    WebSearch.OPENAI: Searcher("httpx", "web", OPENAI_ADDRESS, "gpt-5.4-mini"),
    WebSearch.ANTHROPIC: Searcher("httpx", "web", "https://api.anthropic.com", "claude-haiku-4-5"),
}

DOCUMENTS = "documents"
"""The folder in the home folder that files added on the start page join."""
_CHEAP = {PresetName.SPEED, PresetName.COST}
_INDEXING = 0.3
"""Share of a run's time that reading a folder may take: the rest is for searching, writing and proving."""
_SECONDS = 90.0
"""How long a model may take to search once."""

_NO_WEB = Phrase(
    "Searching the web needs a key: enter one in the workbench's Settings, or set TAVILY_API_KEY, or OPENAI_API_KEY "
    "for OpenAI's own search, or WEB_SEARCH=anthropic with ANTHROPIC_API_KEY. Or choose other sources."
)
_WEB_IS_OFF = Phrase(
    "The web is switched off. Choose in the workbench's Settings who searches it, or set WEB_SEARCH to tavily, openai "
    "or anthropic; or choose other sources."
)
_NO_LIBRARY = Phrase("There are no documents to search: name a folder (--library), or add files on the start page.")
_NO_FOLDER = Phrase("There is no folder {folder}.")
_NO_SERVERS = Phrase("No servers are connected: name them in {path}.")
_NO_PACKAGE = Phrase("{label} needs more packages: pip install 'research-workbench[{extra}]'")


@dataclass(frozen=True)
class ChosenSources:
    """Where a run searches, and what else its researchers may ask."""

    searched: list[Source]
    toolbox: Toolbox | None = None

    @property
    def are_private(self) -> bool:
        """Whether documents of the user's own may be read, or answers of connected servers."""
        return self.toolbox is not None or any(source.name.is_private for source in self.searched)


def choose(
    brief: Brief,
    settings: Settings,
    channel: RunChannel,
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
    asks_servers = not brief.sources or SourceName.MCP in brief.sources
    run = _Run(
        brief,
        settings,
        channel,
        meaning,
        folder=_documents(brief, settings, library),
        servers=mcp_servers.load(settings.servers_home, brief.language) if asks_servers else (),
        uses_models=uses_models,
    )
    # A folder that was named for this run is meant to be searched.
    named = (*brief.sources, SourceName.LIBRARY) if library is not None else brief.sources
    chosen = dict.fromkeys(named) if brief.sources else _available(run)
    made = [_MAKERS[name](run, name) for name in sorted(chosen, key=lambda name: name is SourceName.MCP)]
    return ChosenSources(
        [source for one in made for source in one.searched],
        next((one.toolbox for one in made if one.toolbox is not None), None),
    )


@dataclass(frozen=True)
class _Run:
    """What sources of a run are made of."""

    brief: Brief
    settings: Settings
    channel: RunChannel
    meaning: Meaning | None
    folder: Path | None
    servers: tuple[McpServer, ...]
    uses_models: bool

    def refusal(self, text: Bilingual, **named: object) -> UsageError:
        return UsageError(text.in_(self.brief.language).format(**named))


def _documents(brief: Brief, settings: Settings, library: Path | None) -> Path | None:
    """Return the folder of the user's documents, if there is one with anything in it."""
    if library is not None:
        if not library.is_dir():
            raise UsageError(_NO_FOLDER.in_(brief.language).format(folder=library))
        return library
    added = settings.home / DOCUMENTS
    return added if added.is_dir() and any(added.iterdir()) else None


def _available(run: _Run) -> tuple[SourceName, ...]:
    """Return the sources that are set up; the samples where nothing else is."""
    own = {
        SourceName.LIBRARY: run.folder is not None,
        SourceName.WEB: run.settings.has_web,
        SourceName.MCP: any(run.uses_models or server.search for server in run.servers),
    }
    set_up = tuple(name for name, is_there in own.items() if is_there)
    return set_up or tuple(name for name in SourceName if is_available(name))


def _web(run: _Run, name: SourceName) -> ChosenSources:
    brief, settings = run.brief, run.settings
    if not settings.has_web:
        raise run.refusal(_WEB_IS_OFF if settings.web_search is WebSearch.NONE else _NO_WEB)
    who = settings.searcher
    check_package(SEARCHERS[who].module, SEARCHERS[who].extra, name.label, brief)
    if who is WebSearch.TAVILY:
        return ChosenSources([TavilySource(settings, depth=_depth(brief))])
    from research.sources.model_search import ModelSearchSource

    dialect, wire = model_that_searches(settings, who, _SECONDS)
    return ChosenSources([ModelSearchSource(dialect, wire, run.channel.emit, admit=run.channel.admit)])


def _library(run: _Run, name: SourceName) -> ChosenSources:
    if run.folder is None:
        raise run.refusal(_NO_LIBRARY)
    folder = run.folder
    return _local(run, name, lambda: folder)


def _collection(run: _Run, name: SourceName) -> ChosenSources:
    if not is_available(name):
        raise run.refusal(_NO_PACKAGE, label=name.label.in_(run.brief.language), extra="samples")
    return _local(run, name, lambda: collection_folder(name, run.settings.home))


def _local(run: _Run, name: SourceName, folder: Callable[[], Path]) -> ChosenSources:
    # Indexes and their arrays take a while to load; not every command searches.
    from research.library import Library
    from research.sources.local import LocalSource

    def opened() -> Library:
        return Library(folder(), run.settings.home / "library", meaning=run.meaning)

    def on_progress(done: int, total: int, skipped: Sequence[Skipped]) -> None:
        left_out = tuple((entry.path.name, entry.code) for entry in skipped)
        run.channel.emit(CollectionIndexed(source=name, done=done, total=total, skipped=left_out))

    most = run.brief.max_minutes
    patience = math.inf if most is None else most * 60 * _INDEXING
    return ChosenSources([LocalSource(name, opened, on_progress, patience=patience)])


def _connected(run: _Run, name: SourceName) -> ChosenSources:
    """Return the connected servers that search, and the tools of all of them if somebody can decide to use any."""
    settings = run.settings
    if not run.servers:
        raise run.refusal(_NO_SERVERS, path=mcp_servers.path(settings.servers_home))
    check_package("mcp", "mcp", name.label, run.brief)
    from research.sources.mcp import Servers

    servers = Servers(
        run.servers, run.channel.problem, lambda server, tool: settings.has_agreed(server.name, server.url, tool)
    )
    return ChosenSources(servers.sources, servers if run.uses_models else None)


_MAKERS: Mapping[SourceName, Callable[[_Run, SourceName], ChosenSources]] = {
    SourceName.WEB: _web,
    SourceName.LIBRARY: _library,
    SourceName.FACTBOOK: _collection,
    SourceName.HOUSE: _collection,
    SourceName.MCP: _connected,
}
"""Who makes each source of a brief."""


def model_that_searches(settings: Settings, who: WebSearch, seconds: float) -> tuple[Dialect, Wire]:
    """Return how a model of OpenAI or Anthropic (or who answers in their place) is asked, and the way to it.

    An answer may take `seconds`.
    """
    from research.sources.model_search import AnthropicSearch, OpenAISearch
    from research.sources.services import Wire

    address, secret = settings.access(who)
    model, address = settings.search_model(who) or SEARCHERS[who].model, address or SEARCHERS[who].address
    key = secret.get_secret_value() if secret is not None else ""
    if who is WebSearch.ANTHROPIC:
        headers = {"anthropic-version": "2023-06-01", **({"x-api-key": key} if key else {})}
        return AnthropicSearch(model), Wire(address, headers, key, seconds)
    return OpenAISearch(model), Wire(address, {"Authorization": f"Bearer {key}"} if key else {}, key, seconds)


def _depth(brief: Brief) -> Depth:
    return "basic" if brief.preset in _CHEAP else "advanced"


def usd_a_search(brief: Brief, settings: Settings) -> float:
    """Return what a search of the web costs in a run of `brief`; one that a model makes counts among its calls."""
    if not settings.has_web or settings.searcher is not WebSearch.TAVILY:
        return 0.0
    return TavilySource(settings, depth=_depth(brief)).usd_a_search


def check_package(module: str, extra: str, label: Bilingual, brief: Brief) -> None:
    """Check that a package is installed.

    Raises:
        UsageError: it is not; says how to install it.
    """
    if find_spec(module) is None:
        text = _NO_PACKAGE.in_(brief.language)
        raise UsageError(text.format(label=label.in_(brief.language), extra=extra))
