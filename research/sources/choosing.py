"""Which sources a brief searches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from research.analysts.chat import OPENAI_ADDRESS
from research.core import Admit, Brief, CollectionIndexed, Emit, PresetName, RunChannel, SourceName, UsageError
from research.language import Bilingual, Phrase
from research.meaning import Meaning
from research.settings import Settings, WebSearch, mcp_servers
from research.settings.mcp_servers import McpServer
from research.sources.protocol import Source, Toolbox
from research.sources.samples import collection_folder, is_available
from research.sources.tavily import Depth, TavilySource

if TYPE_CHECKING:
    from research.library import Library, Skipped
    from research.sources.model_search import Dialect, Wire


_INDEXING = 0.3
"""Share of a run's time that reading a folder may take: the rest is for searching, writing and proving."""

PACKAGES = {WebSearch.TAVILY: "tavily", WebSearch.OPENAI: "httpx", WebSearch.ANTHROPIC: "httpx"}
"""The module that each way of searching needs."""
EXTRAS = {WebSearch.TAVILY: "tavily", WebSearch.OPENAI: "web", WebSearch.ANTHROPIC: "web"}
"""The extra of this package that brings it."""
_SECONDS = 90.0
"""How long a model may take to search once."""


def web_source(settings: Settings, depth: Depth, emit: Emit, admit: Admit) -> Source:
    """Return the source for `settings.searcher`. Nothing is called or opened yet.

    Args:
        settings: keys and addresses; `settings.has_web` is true.
        depth: of Tavily's searches.
        emit: told of each call of a model that searches.
        admit: asked for room before each such call.
    """
    if settings.searcher is WebSearch.TAVILY:
        return TavilySource(settings, depth=depth)
    from research.sources.model_search import ModelSearchSource

    dialect, wire = model_that_searches(settings, settings.searcher, _SECONDS)
    return ModelSearchSource(dialect, wire, emit, admit=admit)


def model_that_searches(settings: Settings, who: WebSearch, seconds: float) -> tuple[Dialect, Wire]:
    """Return how a model of OpenAI or Anthropic (or who answers in their place) is asked, and the way to it.

    An answer may take `seconds`.
    """
    from research.sources.model_providers import ADDRESS, AnthropicSearch, OpenAISearch
    from research.sources.model_search import Wire

    (address, secret), model = settings.access(who), settings.search_model(who)
    key = secret.get_secret_value() if secret is not None else ""
    if who is WebSearch.ANTHROPIC:
        headers = {"anthropic-version": "2023-06-01", **({"x-api-key": key} if key else {})}
        return AnthropicSearch(model), Wire(address or ADDRESS, headers, key, seconds)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return OpenAISearch(model), Wire(address or OPENAI_ADDRESS, headers, key, seconds)


DOCUMENTS = "documents"
"""The folder in the home folder that files added on the start page join."""
_CHEAP = {PresetName.SPEED, PresetName.COST}

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
    maker = _Maker(
        brief, settings, channel, _documents(brief, settings, library), uses_models=uses_models, meaning=meaning
    )
    chosen = maker.names(is_named=library is not None)
    searched = [maker.make(name) for name in chosen if name is not SourceName.MCP]
    if SourceName.MCP not in chosen:
        return ChosenSources(searched)
    servers, toolbox = maker.servers()
    return ChosenSources([*searched, *servers], toolbox)


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


def _documents(brief: Brief, settings: Settings, library: Path | None) -> Path | None:
    """Return the folder of the user's documents, if there is one with anything in it."""
    if library is not None:
        if not library.is_dir():
            raise UsageError(_NO_FOLDER.in_(brief.language).format(folder=library))
        return library
    added = settings.home / DOCUMENTS
    return added if added.is_dir() and any(added.iterdir()) else None


class _Maker:
    def __init__(
        self,
        brief: Brief,
        settings: Settings,
        channel: RunChannel,
        folder: Path | None,
        *,
        uses_models: bool,
        meaning: Meaning | None,
    ) -> None:
        self._brief = brief
        self._settings = settings
        self._channel = channel
        self._folder = folder
        self._uses_models = uses_models
        self._meaning = meaning
        self._servers: tuple[McpServer, ...] = ()
        if not brief.sources or SourceName.MCP in brief.sources:
            self._servers = mcp_servers.load(settings.home, brief.language)

    def names(self, *, is_named: bool) -> Sequence[SourceName]:
        """Return the sources that the brief names, else those that are available; the samples where nothing else is."""
        if self._brief.sources:
            # A folder that was named for this run is meant to be searched.
            named = (SourceName.LIBRARY,) if is_named else ()
            return tuple(dict.fromkeys((*self._brief.sources, *named)))
        own = (
            (SourceName.LIBRARY, self._folder is not None),
            (SourceName.WEB, self._settings.has_web),
            (SourceName.MCP, any(self._uses_models or server.search for server in self._servers)),
        )
        available = tuple(name for name, is_there in own if is_there)
        return available or tuple(name for name in SourceName if is_available(name))

    def make(self, name: SourceName) -> Source:
        """Return one source."""
        if name is SourceName.WEB:
            return self._web()
        # Indexes and their arrays take a while to load; not every command searches.
        from research.library import Library
        from research.sources.local import LocalSource

        def on_progress(done: int, total: int, skipped: Sequence[Skipped]) -> None:
            left_out = tuple((entry.path.name, entry.code) for entry in skipped)
            self._channel.emit(CollectionIndexed(source=name, done=done, total=total, skipped=left_out))

        home, most = self._settings.home, self._brief.max_minutes
        patience = math.inf if most is None else most * 60 * _INDEXING
        if name is SourceName.LIBRARY:
            if self._folder is None:
                raise UsageError(_NO_LIBRARY.in_(self._brief.language))
            library = Library(self._folder, home / "library", meaning=self._meaning)
            return LocalSource(name, library, on_progress, patience=patience)
        if not is_available(name):
            text, label = _NO_PACKAGE.in_(self._brief.language), name.label.in_(self._brief.language)
            raise UsageError(text.format(label=label, extra="samples"))

        def opened() -> Library:
            return Library(collection_folder(name, home), home / "library", meaning=self._meaning)

        return LocalSource(name, opened, on_progress, patience=patience)

    def servers(self) -> tuple[list[Source], Toolbox | None]:
        """Return the connected servers that search, and the tools of all of them if somebody can decide to use any."""
        language = self._brief.language
        if not self._servers:
            raise UsageError(_NO_SERVERS.in_(language).format(path=mcp_servers.path(self._settings.home)))
        check_package("mcp", "mcp", SourceName.MCP.label, self._brief)
        from research.sources.mcp import Servers

        settings = self._settings
        servers = Servers(
            self._servers,
            self._channel.problem,
            lambda server, tool: settings.has_agreed(server.name, server.url, tool),
        )
        return servers.sources, servers if self._uses_models else None

    def _web(self) -> Source:
        brief, settings = self._brief, self._settings
        if not settings.has_web:
            text = _WEB_IS_OFF if settings.web_search is WebSearch.NONE else _NO_WEB
            raise UsageError(text.in_(brief.language))
        check_package(PACKAGES[settings.searcher], EXTRAS[settings.searcher], SourceName.WEB.label, brief)
        return web_source(settings, _depth(brief), self._channel.emit, self._channel.admit)
