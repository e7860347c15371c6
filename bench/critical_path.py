"""Wall time over the critical path of the calls made, tokens per role, and what the second run of a brief costs.

    python -m bench.critical_path

The critical path is the time that the run would take if nothing but the calls took time and every call began as soon
as what it needs was there: decisions one after another; the searches of a round at once, the pages of a search at once
as soon as it is back; researchers side by side as far as the preset allows; at the end the report, and one call to
repair what its evidence does not bear out.
"""

from __future__ import annotations

import heapq
import os
import tempfile
from collections import defaultdict
from pathlib import Path

from bench.loopback import Latencies, Loopback
from research.brief import Brief
from research.events import PageRead, PageSummarised, Reflected, SearchStarted, SentencesRepaired, TopicQueued
from research.presets import PRESETS, PresetName
from research.report import Report
from research.runs.api import run_sync
from research.settings import Settings

BRIEF = Brief(question="How large is the pump market, and who leads it?", preset=PresetName.QUALITY)
DECISIONS_OF_SUPERVISOR = 3
"""Reflect, delegate, complete: as the scripted model decides."""


def critical_path(report: Report, latencies: Latencies) -> float:
    """Return the seconds that the calls of a run need at least."""
    limit = PRESETS[report.record.brief.preset].limits.concurrent_researchers
    lanes = [event.lane for event in report.history if isinstance(event, TopicQueued)]
    free = [0.0] * limit
    for lane in lanes:
        heapq.heapreplace(free, free[0] + _lane(report, lane, latencies))
    repairs = any(isinstance(event, SentencesRepaired) for event in report.history)
    return DECISIONS_OF_SUPERVISOR * latencies.decision + max(free) + latencies.report + repairs * latencies.repair


def _lane(report: Report, lane: str, latencies: Latencies) -> float:
    """Return the seconds that the calls of one researcher need at least."""
    mine = [event for event in report.history if getattr(event, "lane", None) == lane]
    shared = {event.page for event in mine if isinstance(event, PageSummarised) and event.cached}
    pages: dict[str, list[PageRead]] = defaultdict(list)
    for event in mine:
        if isinstance(event, PageRead) and event.page not in shared:
            pages[event.search].append(event)
    seconds, rounds = latencies.compression, [[]]  # type: tuple[float, list[list[SearchStarted]]]
    for event in mine:
        if isinstance(event, Reflected):
            seconds += latencies.decision
            rounds.append([])
        elif isinstance(event, SearchStarted):
            rounds[-1].append(event)
    seconds += latencies.decision * (sum(map(bool, rounds)) + 1)
    for searches in filter(None, rounds):
        seconds += max(
            latencies.of_search(one.query)
            + max((latencies.of_summary(page.url) for page in pages[one.search]), default=0.0)
            for one in searches
        )
    return seconds


def main() -> None:
    """Run the brief twice and print the figures."""
    with Loopback() as world, tempfile.TemporaryDirectory() as home:
        settings = Settings.from_environment({**os.environ, **world.environment, "RESEARCH_HOME": str(Path(home))})
        first = run_sync(BRIEF, settings=settings)
        second = run_sync(BRIEF, settings=settings)
    for name, report in (("first run", first), ("second run", second)):
        path = critical_path(report, world.latencies)
        seconds = report.record.seconds
        print(f"{name}: {report.status.value}, {len(report.record.sources)} pages")
        print(f"  wall {seconds:.2f} s / critical path {path:.2f} s = {seconds / path:.3f}")
        for role, usage in report.record.usage.items():
            print(
                f"  {role.value:<14} {usage.calls:>4} calls {usage.input_tokens:>8} in {usage.output_tokens:>7} out"
                f" {usage.cached:>4} not made"
            )


if __name__ == "__main__":
    main()
