"""The critical path of a run: the time it would take if nothing but the calls took time.

Every call begins as soon as what it needs was there: decisions one after another; the searches of a round at once, the
pages of a search at once as soon as it is back; topics side by side as far as the preset allows; at the end the report,
and one call to repair what its evidence does not bear out.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence

from bench.loopback import Latencies
from research import core
from research.results import Report

_DECISIONS_BEFORE = {
    core.MethodName.OUTLINED: 1,  # depth and plan, at the same time
    core.MethodName.CHAINED: 0,
    core.MethodName.GAP_DRIVEN: 1,
    core.MethodName.SUPERVISED: 3,  # reflect, delegate, complete: as the scripted model decides
    core.MethodName.NOTED: 0,
}
_ASKS_FOR_QUERIES = {core.MethodName.OUTLINED, core.MethodName.NOTED}
_REFLECTS_BY_MODEL = {core.MethodName.OUTLINED, core.MethodName.NOTED, core.MethodName.SUPERVISED}


def critical_path(report: Report, method: core.MethodName, latencies: Latencies) -> float:
    """Return the seconds that the calls of a run need at least."""
    limit = core.PRESETS[report.record.brief.preset].limits.concurrent_researchers
    lanes = [event.lane for event in report.history if isinstance(event, core.TopicQueued)]
    free = [0.0] * limit
    ends: dict[str, float] = {}
    for lane in lanes:
        ends[lane] = free[0] + _lane(report.history, lane, method, latencies)
        heapq.heapreplace(free, ends[lane])
    repairs = any(isinstance(event, core.SentencesRepaired) for event in report.history)
    notes = _rounds_with_notes(report.history) * latencies.compression
    before = _DECISIONS_BEFORE[method] * latencies.decision
    researched = _written(report, ends, latencies)
    return before + researched + notes + repairs * latencies.repair


def _written(report: Report, ends: dict[str, float], latencies: Latencies) -> float:
    """Return when the report is written: at once after all topics, or each section after its own, then the frame."""
    sections: dict[str, int] = defaultdict(int)
    for event in report.history:
        if isinstance(event, core.SectionExtended) and not event.anew:
            sections[event.section] += len(event.text)
    if not sections:
        return max(ends.values(), default=0.0) + latencies.of_text(len(report.record.draft))
    done = (end + latencies.of_text(sections[lane]) * (lane in sections) for lane, end in ends.items())
    return max(done, default=0.0) + latencies.frame


def _lane(history: Sequence[core.AnyEvent], lane: str, method: core.MethodName, latencies: Latencies) -> float:
    """Return the seconds that the calls of one researcher need at least."""
    mine = [event for event in history if getattr(event, "lane", None) == lane]
    shared = {event.page for event in mine if isinstance(event, core.PageSummarised) and event.cached}
    pages: dict[str, list[core.PageRead]] = defaultdict(list)
    for event in mine:
        if isinstance(event, core.PageRead) and event.page not in shared:
            pages[event.search].append(event)
    rounds = list(_rounds(mine))
    seconds = latencies.compression + _decisions(mine, len(rounds), method) * latencies.decision
    for searches in rounds:
        seconds += max(
            latencies.of_search(one.query)
            + max((latencies.of_summary(page.url) for page in pages[one.search]), default=0.0)
            for one in searches
        )
    return seconds


def _decisions(mine: Sequence[core.AnyEvent], rounds: int, method: core.MethodName) -> int:
    """Return how often a model decides about one topic, one decision after the other."""
    reflections = sum(isinstance(event, core.Reflected) for event in mine) if method in _REFLECTS_BY_MODEL else 0
    if method is core.MethodName.SUPERVISED:
        return reflections + rounds + 1
    return reflections + (method in _ASKS_FOR_QUERIES)


def _rounds(mine: Sequence[core.AnyEvent]) -> Iterator[list[core.SearchStarted]]:
    """Yield the searches that were made at once; what they brought is counted after each round."""
    searches: list[core.SearchStarted] = []
    for event in mine:
        if isinstance(event, core.SearchStarted):
            searches.append(event)
        elif isinstance(event, core.Assessed) and searches:
            yield searches
            searches = []


def _rounds_with_notes(history: Sequence[core.AnyEvent]) -> int:
    """Return in how many rounds notes were taken, those of one round at the same time."""
    rounds, taking = 0, False
    for event in history:
        if isinstance(event, core.NoteTaken):
            rounds += not taking
            taking = True
        elif isinstance(event, core.Assessed):
            taking = False
    return rounds
