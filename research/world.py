"""Makes the world of a run: which analyst, which sources, from the brief and from what is set up on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

from research import collections
from research.analysts.chat import ChatAnalyst, build_role_models
from research.analysts.extractive import ExtractiveAnalyst
from research.analysts.fallback import FallbackAnalyst
from research.brief import Brief
from research.cache import CachedSummariser, SummaryCache
from research.errors import UsageError
from research.events import CollectionIndexed, Emit
from research.graph.context import Line, World
from research.language import Bilingual
from research.library import Library, Skipped
from research.presets import PRESETS, PresetName
from research.runs.store import utc_now
from research.settings import Settings
from research.sources.collection import CollectionSource
from research.sources.local import LocalSource
from research.sources.protocol import Source
from research.sources.tavily import Depth
from research.sources.web import EXTRAS, PACKAGES, web_source
from research.vocabulary import SourceName
from research.web_search import WebSearch

AnalystChoice = Literal["auto", "chat", "extractive"]

DOCUMENTS = "documents"
"""The folder in the home folder that files added on the start page join."""
_CHEAP = {PresetName.SPEED, PresetName.COST}

_NO_MODELS = Bilingual(
    "The chat analyst needs a model: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that asks for no key. "
    "The extractive analyst needs neither.",
    "チャット分析にはモデルが必要です。OPENAI_API_KEY を設定するか、キー不要のサーバーなら OPENAI_BASE_URL を"
    "設定してください。抽出型の分析にはどちらも不要です。",
)
_NO_WEB = Bilingual(
    "Searching the web needs a key: set TAVILY_API_KEY, or OPENAI_API_KEY for OpenAI's own search, or "
    "WEB_SEARCH=anthropic with ANTHROPIC_API_KEY. Or choose other sources.",
    "ウェブの検索にはキーが必要です。TAVILY_API_KEY を設定するか、OpenAI の検索なら OPENAI_API_KEY、Anthropic の検索"
    "なら WEB_SEARCH=anthropic と ANTHROPIC_API_KEY を設定してください。ほかの情報源を選ぶこともできます。",
)
_WEB_IS_OFF = Bilingual(
    "The web is switched off (WEB_SEARCH). Set it to tavily, openai or anthropic, or choose other sources.",
    "ウェブの検索は WEB_SEARCH により無効になっています。tavily、openai、anthropic のいずれかを設定するか、"
    "ほかの情報源を選んでください。",
)
_NO_LIBRARY = Bilingual(
    "There are no documents to search: name a folder (--library), or add files on the start page.",
    "検索する資料がありません。フォルダーを指定するか（--library）、開始ページでファイルを追加してください。",
)
_NO_FOLDER = Bilingual("There is no folder {folder}.", "フォルダー {folder} がありません。")
_NO_PACKAGE = Bilingual(
    "{label} needs more packages: pip install 'research-workbench[{extra}]'",
    "{label}を使うには追加のパッケージが必要です：pip install 'research-workbench[{extra}]'",
)
_NO_ANALYST = Bilingual(
    "There is no analyst {name}; there are: {names}.", "「{name}」という分析方法はありません。選べるもの：{names}"
)
_CHAT = Bilingual("The chat analyst", "チャット分析")


def build_world(
    brief: Brief, settings: Settings, *, library: Path | None, analyst: AnalystChoice, summaries: SummaryCache
) -> World:
    """Return the world of a run: what the brief names, or what is available where it names nothing.

    Args:
        brief: what is to be researched.
        settings: keys, addresses, models and the home folder.
        library: a folder of documents; where it is None, the documents added on the start page take its place.
        analyst: `chat`, `extractive`, or `auto`: models where a key is set.
        summaries: the cache that all runs of this process share.

    Raises:
        UsageError: something that was asked for is not available; says what to do, in the brief's language.
    """
    uses_models = _uses_models(brief, settings, analyst)
    line = Line()
    folder = _documents(brief, settings, library)
    sources = [_source(name, brief, settings, folder, line.emit) for name in _names(brief, settings, folder, library)]
    rules = ExtractiveAnalyst()
    if not uses_models:
        return World(rules, rules, sources, CachedSummariser(rules, summaries), utc_now, line=line)
    models = build_role_models(settings, PRESETS[brief.preset], line.emit, admit=line.admit)
    chat = FallbackAnalyst(ChatAnalyst(models, utc_now().date(), line.problem), rules, line.problem)
    return World(
        analyst=chat,
        rules=rules,
        sources=sources,
        summariser=CachedSummariser(chat, summaries),
        now=utc_now,
        models=models.names,
        line=line,
        close=models.aclose,
    )


def _uses_models(brief: Brief, settings: Settings, analyst: AnalystChoice) -> bool:
    if analyst not in get_args(AnalystChoice):
        names = ", ".join(get_args(AnalystChoice))
        raise UsageError(_NO_ANALYST.in_(brief.language).format(name=analyst, names=names))
    if analyst == "extractive" or (analyst == "auto" and not settings.has_models):
        return False
    if not settings.has_models:
        raise UsageError(_NO_MODELS.in_(brief.language))
    _check_package("langchain_openai", "openai", _CHAT, brief)
    return True


def _documents(brief: Brief, settings: Settings, library: Path | None) -> Path | None:
    """Return the folder of the user's documents, if there is one with anything in it."""
    if library is not None:
        if not library.is_dir():
            raise UsageError(_NO_FOLDER.in_(brief.language).format(folder=library))
        return library
    added = settings.home / DOCUMENTS
    return added if added.is_dir() and any(added.iterdir()) else None


def _names(brief: Brief, settings: Settings, folder: Path | None, library: Path | None) -> Sequence[SourceName]:
    """Return the sources that the brief names, else those that are available; the samples where nothing else is."""
    if brief.sources:
        # A folder that was named for this run is meant to be searched.
        named = () if library is None else (SourceName.LIBRARY,)
        return tuple(dict.fromkeys((*brief.sources, *named)))
    own = ((SourceName.LIBRARY, folder is not None), (SourceName.WEB, settings.has_web))
    available = tuple(name for name, is_there in own if is_there)
    return available or tuple(name for name in SourceName if collections.is_available(name))


def _source(name: SourceName, brief: Brief, settings: Settings, folder: Path | None, emit: Emit) -> Source:
    if name is SourceName.WEB:
        return _web(brief, settings, emit)

    def on_progress(done: int, total: int, skipped: Sequence[Skipped]) -> None:
        left_out = tuple((entry.path.name, entry.code) for entry in skipped)
        emit(CollectionIndexed(source=name, done=done, total=total, skipped=left_out))

    if name is SourceName.LIBRARY:
        if folder is None:
            raise UsageError(_NO_LIBRARY.in_(brief.language))
        return LocalSource(name, Library(folder, settings.home / "library"), on_progress)
    if not collections.is_available(name):
        raise UsageError(_NO_PACKAGE.in_(brief.language).format(label=name.label.in_(brief.language), extra="samples"))
    return CollectionSource(name, settings.home, on_progress)


def _web(brief: Brief, settings: Settings, emit: Emit) -> Source:
    if not settings.has_web:
        text = _WEB_IS_OFF if settings.web_search is WebSearch.NONE else _NO_WEB
        raise UsageError(text.in_(brief.language))
    _check_package(PACKAGES[settings.searcher], EXTRAS[settings.searcher], SourceName.WEB.label, brief)
    depth: Depth = "basic" if brief.preset in _CHEAP else "advanced"
    return web_source(settings, depth, emit)


def _check_package(module: str, extra: str, label: Bilingual, brief: Brief) -> None:
    if find_spec(module) is None:
        text = _NO_PACKAGE.in_(brief.language)
        raise UsageError(text.format(label=label.in_(brief.language), extra=extra))
