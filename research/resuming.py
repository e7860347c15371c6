"""A run that broke off goes on: what it had found, decided and finished stays; only the rest is researched.

A topic that was under way is searched again with what it had found; pages that were summarised cost nothing a second
time. Where the research itself was over, the report is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import count, pairwise

from research.books import LaneBooks, blocked_in, evidence_in, lanes_in, restore
from research.brief import Brief
from research.engine import Errand, RunResult, conduct, research_and_write
from research.events import (
    AnyEvent,
    DepthChosen,
    Event,
    FinishRequested,
    NoteTaken,
    PlanSettled,
    QuestionAdded,
    ResearchFinished,
    RunResumed,
    SearchStarted,
    StopRequested,
)
from research.evidence import Ledger, Page
from research.graph import run
from research.graph.context import Journal, RunContext, World
from research.graph.control import Control
from research.graph.lane import Lane
from research.graph.proving import ProvenReport
from research.graph.taken_up import TakenUp
from research.methods.stopping import StopReason

_writing = run.build(researches=False)
_BROKEN_OFF = ("", StopReason.FINISH, StopReason.CAP)
"""How a topic ended that did not end by itself: a program that is told to end finishes its topics."""


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
            state = await _writing.ainvoke({}, context=context)
            report: ProvenReport = state["report"]
            return report
        _take_up(context, events, pages)
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


def _take_up(context: RunContext, events: Sequence[AnyEvent], pages: Mapping[str, Page]) -> None:
    """Enter into the books of `context` all that the run had, for its method to come to."""
    context.ledger = Ledger.of(pages.values(), evidence_in(events))
    context.blocked_sites += blocked_in(events)
    context.questions += dict.fromkeys(event.question for event in events if isinstance(event, QuestionAdded))
    context.searches = count(1 + sum(isinstance(event, SearchStarted) for event in events))
    context.taken_up = TakenUp(
        plan=next((event for event in events if isinstance(event, PlanSettled)), None),
        depth=next((event for event in events if isinstance(event, DepthChosen)), None),
        notes=sum(isinstance(event, NoteTaken) for event in events),
    )
    for books in lanes_in(events):
        lane = _lane(context, books)
        same = context.taken_up.lanes.setdefault(lane.topic, lane)
        same.evidence += [name for name in lane.evidence if name not in same.evidence]


def _lane(context: RunContext, books: LaneBooks) -> Lane:
    """Return the books of a researcher; its limits and decisions are those with which its topic is opened again."""
    lane = Lane(books.queued.lane, books.queued.topic, context.limits, context.world.analyst.investigate)
    lane.is_queued = True
    lane.evidence = [name for name in books.evidence if name in context.ledger.evidence]
    lane.notes, lane.failed = books.notes, books.failed
    if books.reason not in _BROKEN_OFF:
        lane.ended = next((reason for reason in StopReason if reason.value == books.reason), StopReason.COMPLETE)
    if books.is_dropped:
        lane.dropped.set()
    return lane
