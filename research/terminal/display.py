"""A run as it is seen in a terminal."""

from __future__ import annotations

import threading
import time
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from research import core
from research.language import COMMA, Bilingual, Language, Phrase
from research.sources import clean_title

_LONGEST = 160


def plain_console() -> Console:
    """Return the console of messages, in which text of others stands for nothing but itself."""
    return Console(stderr=True, markup=False, highlight=False, emoji=False)


_ANALYSTS = {
    "chat": Phrase("research by models"),
    "extractive": Phrase("research by rules, without any model"),
}
_Line = tuple[Bilingual, dict[str, str]]
"""A line, and what stands in it."""


def line_of(event: core.AnyEvent, language: Language) -> str | None:
    """Return what to show of an event, or None if it is not worth a line.

    Text of others is shown on one line, shortened, and without anything that a terminal would obey.
    """
    found = _of_method(event, language) or _of_course(event, language)
    if found is None:
        return None
    lane = getattr(event, "lane", "")
    said, parts = found
    parts["lane"] = Phrase("Supervisor").in_(language) if lane == core.SUPERVISOR else lane
    return said.in_(language).format(**{name: shortened(part) for name, part in parts.items()}).strip()


def _of_method(event: core.AnyEvent, language: Language) -> _Line | None:
    """Return what is said of the plan, of what was counted, and of why something ended."""
    found: _Line | None = None
    match event:
        case core.DepthChosen():
            said = Phrase("Depth: queries per section: {queries}, iterations: {iterations}. {reason}")
            counts = {"queries": str(event.depth.queries_per_section), "iterations": str(event.depth.iterations)}
            found = said, {**counts, "reason": event.depth.reason}
        case core.PlanSettled():
            found = Phrase("Plan: {text}"), {"text": " · ".join(section.title for section in event.outline.sections)}
        case core.Assessed():
            said = Phrase("{lane} Score after search {search}: {score}/10. Not covered: {missing}")
            aspects = {aspect.value: aspect.label.in_(language) for aspect in core.Aspect}
            missing = COMMA.in_(language).join(aspects.get(name, name) for name in event.missing)
            counts = {"search": str(event.iteration), "score": str(event.score)}
            found = said, {**counts, "missing": missing or Phrase("nothing").in_(language)}
        case core.NoteTaken():
            note = {"step": str(event.step), "query": event.query, "text": event.summary}
            found = Phrase("Note {step} on “{query}”: {text}"), note
        case core.TopicFinished():
            reason = core.StopReason.words_of(event.reason).in_(language)
            said = Phrase("{lane} Done; quotes kept: {count}. {reason}")
            found = said, {"count": str(len(event.evidence)), "reason": reason}
        case core.ResearchFinished():
            reason = core.StopReason.words_of(event.reason).in_(language)
            found = Phrase("Research ended: {reason} {why}"), {"reason": reason, "why": event.why}
    return found


def _of_course(event: core.AnyEvent, language: Language) -> _Line | None:
    """Return what is said of the run's course: topics, searches, pages, thoughts, problems."""
    found: _Line | None = None
    match event:
        case core.RunStarted():
            analyst = _ANALYSTS[event.analyst].in_(language) if event.analyst in _ANALYSTS else event.analyst
            sources = COMMA.in_(language).join(source.label.in_(language) for source in event.sources)
            parts = {"run": event.run, "method": event.method.label.in_(language)}
            found = (
                Phrase("Run {run}: {analyst}, {method}, {sources}"),
                parts | {"analyst": analyst, "sources": sources},
            )
        case core.CollectionIndexed() if event.done == event.total:
            skipped = " ".join(core.explain(code, language, name) for name, code in event.skipped)
            parts = {"source": event.source.label.in_(language), "total": str(event.total), "skipped": skipped}
            found = Phrase("{source}: files read: {total}. {skipped}"), parts
        case core.TopicQueued():
            found = Phrase("{lane} Topic: {text}"), {"text": event.topic}
        case core.Reflected():
            found = Phrase("{lane} Reflection: {text}"), {"text": event.reflection}
        case core.SearchStarted():
            parts = {"text": event.query, "source": event.source.label.in_(language)}
            found = Phrase("{lane} Search in {source}: {text}"), parts
        case core.PageRead():
            facts = (event.title, event.site, event.published)
            found = Phrase("{lane} Read: {text}"), {"text": " · ".join(part for part in facts if part)}
        case core.ProblemOccurred():
            found = Phrase("Problem: {text}"), {"text": core.explain(event.code, language, event.subject)}
        case core.RunResumed():
            found = Phrase("The run goes on where it broke off"), {}
        case core.ReportStarted():
            found = Phrase("Writing the report"), {}
        case core.FinishRequested():
            found = Phrase("Finishing: the report is written from what there is"), {}
        case core.StopRequested():
            found = Phrase("Stopping", "as asked"), {}
    return found


def shortened(text: str, length: int = _LONGEST) -> str:
    """Return text on one line of at most `length` characters, without control characters."""
    plain = clean_title(text)
    return plain if len(plain) <= length else plain[: length - 1] + "…"


class Display:
    """Shows the events of a run; a context manager, so that the terminal is left tidy."""

    def __init__(self, console: Console, language: Language, *, quiet: bool = False) -> None:
        self._console = console
        self._language = language
        self._quiet = quiet
        self._run = core.RunView()
        self._folding = threading.Lock()
        self._began = time.monotonic()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal and not self._quiet:
            self._live = Live(get_renderable=self._picture, console=self._console, transient=True, refresh_per_second=8)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, event: core.AnyEvent) -> None:
        """Show one event."""
        with self._folding:
            self._run.extend([event])
        line = None if self._quiet else line_of(event, self._language)
        if line is not None:
            self._console.print(Text(line), soft_wrap=self._live is None)

    def _picture(self) -> Group:
        with self._folding:  # Rich draws from a thread of its own.
            return Group(self._lanes(), Text(self._totals(), style="bold"))

    def _lanes(self) -> Table:
        table = Table.grid(padding=(0, 1), expand=True)
        for ratio in (0, 3, 4, 0):
            table.add_column(ratio=ratio or None, no_wrap=True, overflow="ellipsis")
        for lane in self._run.topics:
            found = f"{len(lane.readings)}/{len(lane.found)}"
            table.add_row(
                Text(lane.name), Text(shortened(lane.label)), Text(self._activity(lane)), Text(found, justify="right")
            )
        return table

    def _activity(self, lane: core.LaneView) -> str:
        """Return what a researcher did last, after the score that was counted last."""
        if lane.is_over:
            return Phrase("done").in_(self._language)
        if lane.state is core.LaneState.QUEUED:
            return Phrase("waiting").in_(self._language)
        score = f"{lane.assessed[-1].score}/10 · " if lane.assessed and lane.activity else ""
        return shortened(score + lane.activity)

    def _totals(self) -> str:
        run, spent = self._run, self._run.total
        parts = [Phrase("{seconds:.0f} s · searches: {searches} · pages: {pages} · quotes: {evidence}")]
        if run.cached:
            parts.append(Phrase(" · from the cache: {cached}"))
        if spent.tokens:
            parts.append(Phrase(" · tokens: {tokens:,}"))
            if run.spared_tokens or spent.cached_tokens:
                parts.append(Phrase(" (spared: {spared:,})"))
            parts.append(Phrase(" · price not known") if spent.unpriced else Phrase(" · {cost:.2f} USD"))
        if run.phase is core.Phase.WRITING:
            parts.append(Phrase(" · writing the report"))
        return "".join(part.in_(self._language) for part in parts).format(
            seconds=time.monotonic() - self._began,
            searches=run.searches,
            pages=len(run.pages),
            evidence=len(run.evidence),
            cached=run.cached,
            tokens=spent.tokens,
            spared=run.spared_tokens + spent.cached_tokens,
            cost=spent.cost_usd,
        )
