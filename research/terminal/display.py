"""A run as it is seen in a terminal."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from research.core.errors import explain
from research.core.outline import Aspect
from research.core.presets import StopReason
from research.events.calls import ModelCalled
from research.events.lanes import SUPERVISOR, TopicFinished, TopicQueued, TopicStarted
from research.events.pages import EvidenceFound, PageRead, PageSummarised
from research.events.plan import DepthChosen, PlanSettled
from research.events.problems import ProblemOccurred
from research.events.run import ResearchFinished, RunResumed, RunStarted
from research.events.searches import CollectionIndexed, SearchStarted
from research.events.steering import FinishRequested, StopRequested
from research.events.thinking import Assessed, NoteTaken, Reflected
from research.events.union import AnyEvent
from research.events.writing import ReportStarted
from research.language import Bilingual, Language
from research.sources.pages import clean_title

_LONGEST = 160

_STARTED = Bilingual("Run {run}: {analyst}, {method}, {sources}", "実行 {run}：{analyst}、{method}、{sources}")
_ANALYSTS = {
    "chat": Bilingual("research by models", "モデルによる調査"),
    "extractive": Bilingual("research by rules, without any model", "モデルを使わない規則による調査"),
}
_INDEXED = Bilingual(
    "{source}: files read: {total}. {skipped}", "{source}：{total}件のファイルを読み込みました。{skipped}"
)
_TOPIC = Bilingual("{lane} Topic: {text}", "{lane} トピック：{text}")
_REFLECTED = Bilingual("{lane} Reflection: {text}", "{lane} 考察：{text}")
_SEARCHED = Bilingual("{lane} Search in {source}: {text}", "{lane} {source}を検索：{text}")
_READ = Bilingual("{lane} Read: {text}", "{lane} 読んだページ：{text}")
_TOPIC_DONE = Bilingual("{lane} Done; quotes kept: {count}. {reason}", "{lane} 終了：引用 {count}件。{reason}")
_DEPTH = Bilingual(
    "Depth: queries per section: {queries}, iterations: {iterations}. {reason}",
    "深さ：章ごとの検索 {queries}回、反復 {iterations}回。{reason}",
)
_PLAN = Bilingual("Plan: {text}", "計画：{text}")
_SCORE = Bilingual(
    "{lane} Score after search {search}: {score}/10. Not covered: {missing}",
    "{lane} 検索 {search}回目の充足度：{score}/10。触れていない観点：{missing}",
)
_NOTHING = Bilingual("nothing", "なし")
_NOTE = Bilingual("Note {step} on “{query}”: {text}", "ノート {step}「{query}」：{text}")
_ENDED = Bilingual("Research ended: {reason} {why}", "調査終了：{reason}{why}")
_SUPERVISOR = Bilingual("Supervisor", "監督役")
_COMMA = Bilingual(", ", "、")
_PROBLEM = Bilingual("Problem: {text}", "問題：{text}")
_PLAIN = {
    "run_resumed": Bilingual("The run goes on where it broke off", "中断したところから再開します"),
    "report_started": Bilingual("Writing the report", "レポートを執筆中"),
    "finish_requested": Bilingual(
        "Finishing: the report is written from what there is", "調査を切り上げ、これまでの内容からレポートを書きます"
    ),
    "stop_requested": Bilingual("Stopping", "停止します"),
}


def line_of(event: AnyEvent, language: Language) -> str | None:
    """Return what to show of an event, or None if it is not worth a line.

    Text of others is shown on one line, shortened, and without anything that a terminal would obey.
    """
    found = _of_method(event, language) or _of_course(event, language)
    if found is None:
        return None
    lane = getattr(event, "lane", "")
    said, parts = found
    parts["lane"] = _SUPERVISOR.in_(language) if lane == SUPERVISOR else lane
    return said.in_(language).format(**{name: shortened(part) for name, part in parts.items()}).strip()


_Line = tuple[Bilingual, dict[str, str]]
"""A line, and what stands in it."""


def _of_method(event: AnyEvent, language: Language) -> _Line | None:
    """Return what is said of the plan, of what was counted, and of why something ended."""
    found: _Line | None = None
    match event:
        case DepthChosen():
            depth = event.depth
            counts = {"queries": str(depth.queries_per_section), "iterations": str(depth.iterations)}
            found = _DEPTH, {**counts, "reason": depth.reason}
        case PlanSettled():
            found = _PLAN, {"text": " · ".join(section.title for section in event.outline.sections)}
        case Assessed():
            found = _SCORE, _score_line(event, language)
        case NoteTaken():
            found = _NOTE, {"step": str(event.step), "query": event.query, "text": event.summary}
        case TopicFinished():
            found = _TOPIC_DONE, {"count": str(len(event.evidence)), "reason": _reason(event.reason, language)}
        case ResearchFinished():
            found = _ENDED, {"reason": _reason(event.reason, language), "why": event.why}
    return found


def _of_course(event: AnyEvent, language: Language) -> _Line | None:
    """Return what is said of the run's course: topics, searches, pages, thoughts, problems."""
    found: _Line | None = None
    match event:
        case RunStarted():
            found = _STARTED, _started(event, language)
        case CollectionIndexed() if event.done == event.total:
            found = _INDEXED, _indexed(event, language)
        case TopicQueued():
            found = _TOPIC, {"text": event.topic}
        case Reflected():
            found = _REFLECTED, {"text": event.reflection}
        case SearchStarted():
            found = _SEARCHED, {"text": event.query, "source": event.source.label.in_(language)}
        case PageRead():
            facts = (event.title, event.site, event.published)
            found = _READ, {"text": " · ".join(part for part in facts if part)}
        case ProblemOccurred():
            found = _PROBLEM, {"text": explain(event.code, language, event.subject)}
        case RunResumed() | ReportStarted() | FinishRequested() | StopRequested():
            found = _PLAIN[event.type], {}
    return found


def shortened(text: str, length: int = _LONGEST) -> str:
    """Return text on one line of at most `length` characters, without control characters."""
    plain = clean_title(text)
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def _started(event: RunStarted, language: Language) -> dict[str, str]:
    analyst = _ANALYSTS[event.analyst].in_(language) if event.analyst in _ANALYSTS else event.analyst
    sources = _COMMA.in_(language).join(source.label.in_(language) for source in event.sources)
    return {"run": event.run, "analyst": analyst, "method": event.method.label.in_(language), "sources": sources}


def _indexed(event: CollectionIndexed, language: Language) -> dict[str, str]:
    skipped = " ".join(explain(code, language, name) for name, code in event.skipped)
    return {"source": event.source.label.in_(language), "total": str(event.total), "skipped": skipped}


def _score_line(event: Assessed, language: Language) -> dict[str, str]:
    aspects = {aspect.value: aspect.label.in_(language) for aspect in Aspect}
    missing = _COMMA.in_(language).join(aspects.get(name, name) for name in event.missing)
    counts = {"search": str(event.iteration), "score": str(event.score)}
    return {**counts, "missing": missing or _NOTHING.in_(language)}


def _reason(code: str, language: Language) -> str:
    return StopReason.words_of(code).in_(language)


@dataclass
class LaneTally:
    """One researcher."""

    topic: str
    activity: str = ""
    """What it did last: a query, or a reflection, after the score that was counted last."""
    score: int | None = None
    """0 to 10; None before its first search was counted."""
    pages: int = 0
    evidence: int = 0
    is_waiting: bool = True
    is_done: bool = False


@dataclass
class Tally:
    """The whole run."""

    lanes: dict[str, LaneTally] = field(default_factory=dict)
    searches: int = 0
    pages: set[str] = field(default_factory=set)
    evidence: int = 0
    cached: int = 0
    """Summaries that cost no call."""
    tokens: int = 0
    cost_usd: float | None = 0.0
    """None if the price of a model is not known."""
    is_writing: bool = False

    def count(self, event: AnyEvent) -> None:
        """Take in one more event."""
        match event:
            case TopicQueued():
                self.lanes[event.lane] = LaneTally(event.title or event.topic)
            case PageRead():
                self.pages.add(event.page)
            case EvidenceFound():
                self.evidence += 1
            case PageSummarised():
                self.cached += event.cached
            case ModelCalled():
                self.tokens += event.input_tokens + event.output_tokens
                known = self.cost_usd is not None and event.cost_usd is not None
                self.cost_usd = (self.cost_usd or 0.0) + (event.cost_usd or 0.0) if known else None
            case SearchStarted():
                self.searches += 1
            case ReportStarted():
                self.is_writing = True
        lane = self.lanes.get(getattr(event, "lane", ""))
        if lane is not None:
            _count_in_lane(lane, event)


def _count_in_lane(lane: LaneTally, event: AnyEvent) -> None:
    match event:
        case TopicStarted():
            lane.is_waiting = False
        case TopicFinished():
            lane.is_done = True
        case SearchStarted():
            lane.activity = _score_tallied(lane, event.query)
        case Assessed():
            lane.score = event.score
        case Reflected():
            lane.activity = _score_tallied(lane, event.reflection)
        case PageRead():
            lane.pages += 1
        case EvidenceFound():
            lane.evidence += 1


def _score_tallied(lane: LaneTally, activity: str) -> str:
    return activity if lane.score is None else f"{lane.score}/10 · {activity}"


_WAITING = Bilingual("waiting", "待機中")
_DONE = Bilingual("done", "終了")
_TOTALS = Bilingual(
    "{seconds:.0f} s · searches: {searches} · pages: {pages} · quotes: {evidence}",
    "{seconds:.0f}秒 · 検索 {searches}回 · ページ {pages}件 · 引用 {evidence}件",
)
_CACHED = Bilingual(" · from the cache: {cached}", " · キャッシュ利用 {cached}件")
_TOKENS = Bilingual(" · tokens: {tokens:,}", " · {tokens:,}トークン")
_COST = Bilingual(" · {cost:.2f} USD", " · {cost:.2f}米ドル")
_COST_UNKNOWN = Bilingual(" · price not known", " · 料金不明")
_WRITING = Bilingual(" · writing the report", " · レポートを執筆中")


class Display:
    """Shows the events of a run; a context manager, so that the terminal is left tidy."""

    def __init__(self, console: Console, language: Language, *, quiet: bool = False) -> None:
        self._console = console
        self._language = language
        self._quiet = quiet
        self._tally = Tally()
        self._began = time.monotonic()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal and not self._quiet:
            self._live = Live(get_renderable=self._picture, console=self._console, transient=True, refresh_per_second=8)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, event: AnyEvent) -> None:
        """Show one event."""
        self._tally.count(event)
        line = None if self._quiet else line_of(event, self._language)
        if line is not None:
            self._console.print(Text(line), soft_wrap=self._live is None)

    def _picture(self) -> Group:
        table = Table.grid(padding=(0, 1), expand=True)
        for ratio in (0, 3, 4, 0):
            table.add_column(ratio=ratio or None, no_wrap=True, overflow="ellipsis")
        # A copy, because events arrive while the picture is drawn.
        for name, lane in dict(self._tally.lanes).items():
            found = f"{lane.pages}/{lane.evidence}"
            table.add_row(
                Text(name), Text(shortened(lane.topic)), Text(self._activity(lane)), Text(found, justify="right")
            )
        return Group(table, Text(self._totals(), style="bold"))

    def _activity(self, lane: LaneTally) -> str:
        if lane.is_done:
            return _DONE.in_(self._language)
        return _WAITING.in_(self._language) if lane.is_waiting else shortened(lane.activity)

    def _totals(self) -> str:
        tally = self._tally
        parts = [_TOTALS]
        parts += [_CACHED] if tally.cached else []
        if tally.tokens:
            parts += [_TOKENS, _COST_UNKNOWN if tally.cost_usd is None else _COST]
        parts += [_WRITING] if tally.is_writing else []
        return "".join(part.in_(self._language) for part in parts).format(
            seconds=time.monotonic() - self._began,
            searches=tally.searches,
            pages=len(tally.pages),
            evidence=tally.evidence,
            cached=tally.cached,
            tokens=tally.tokens,
            cost=tally.cost_usd,
        )
