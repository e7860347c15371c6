"""A run that broke off goes on: what it had found, decided and finished stays; only the rest is researched.

A topic that was under way is searched again with what it had found; pages that were summarised cost nothing a second
time. Where the research itself was over, the report is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import pairwise

from research.brief import Brief
from research.engine import Errand, RunResult, conduct, research_and_write, write_from_books
from research.events import (
    AnyEvent,
    Event,
    FinishRequested,
    ResearchFinished,
    RunResumed,
    StopRequested,
)
from research.evidence import Page
from research.graph.context import Journal, RunContext, World
from research.graph.control import Control
from research.graph.proving import ProvenReport
from research.graph.restoring import restore, take_up


async def resume(
    run_id: str,
    brief: Brief,
    world: World,
    journal: Journal,
    control: Control,
    *,
    events: Sequence[AnyEvent],
    pages: Mapping[str, Page],
) -> RunResult:
    """Go on with the run that reported `events` and kept `pages` before it broke off; see `engine.conduct`."""

    async def work(context: RunContext) -> ProvenReport:
        if any(isinstance(event, ResearchFinished | FinishRequested | StopRequested) for event in events):
            restore(context, events, pages)
            return await write_from_books(context)
        take_up(context, events, pages)
        return await research_and_write(context)

    errand = Errand(work, earlier=tuple(events), seconds=_worked(events).total_seconds())
    return await conduct(run_id, brief, world, journal, control, errand=errand)


def _worked(events: Sequence[Event]) -> timedelta:
    """Return how long a run has worked, without the time in which nobody carried it out."""
    spans = (
        later.at - earlier.at
        for earlier, later in pairwise(events)
        if earlier.at and later.at and not isinstance(later, RunResumed)
    )
    return sum(spans, timedelta())
