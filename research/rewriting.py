"""A report written anew for another reader, length, form, tone or language, from the evidence of a run that has ended.

Nothing is searched. The new report is verified and repaired like any other, and the run that brings it holds the same
pages and quotes under the same ids, so that it stands by itself when the first is deleted.
"""

from __future__ import annotations

from research.brief import Brief
from research.engine import Errand, RunResult, conduct, write_from_books
from research.events import (
    DepthChosen,
    Event,
    EvidenceFound,
    FindingsCompressed,
    NoteTaken,
    PageRead,
    PageSummarised,
    PlanDrafted,
    PlanSettled,
    SiteBlocked,
    TopicDropped,
    TopicFinished,
    TopicQueued,
    TopicStarted,
)
from research.followup.model import lane_of
from research.graph.context import Journal, RunContext, World
from research.graph.control import Control
from research.graph.proving import ProvenReport
from research.graph.restoring import restore
from research.report import Report

REWRITABLE = ("audience", "length", "form", "summary", "tone", "language")
"""The fields of a brief that another report from the same evidence may have otherwise."""

_BOOKS = (
    DepthChosen,
    PlanDrafted,
    PlanSettled,
    NoteTaken,
    TopicQueued,
    TopicStarted,
    TopicFinished,
    TopicDropped,
    SiteBlocked,
    PageRead,
    PageSummarised,
    EvidenceFound,
    FindingsCompressed,
)
"""What a run tells of its books; searches, calls and thoughts are the first run's own."""


def rewritten(brief: Brief, **changes: object) -> Brief:
    """Return a brief with other values for some of the fields that are `REWRITABLE`.

    Raises:
        ValueError: another field was given, or a value that the field cannot have.
    """
    if not changes.keys() <= set(REWRITABLE):
        raise ValueError(f"A report cannot be rewritten with another {sorted(changes.keys() - set(REWRITABLE))}.")
    return Brief.model_validate(brief.model_dump() | changes)


async def rewrite(
    run_id: str, brief: Brief, world: World, journal: Journal, control: Control, *, first: Report
) -> RunResult:
    """Write the report that `brief` asks for from what the run of the report `first` found; see `engine.conduct`."""

    async def work(context: RunContext) -> ProvenReport:
        _copy(first, context)
        restore(context, first.history, first.pages)
        _leave_out_vain_searches(first, context)
        if world.analyst is world.rules and brief.language is not first.record.brief.language:
            # Rules take headings over from a plan as they stand; those of their own lens speak both languages.
            _forget_plan(context)
        return await write_from_books(context)

    errand = Errand(work, rewritten_from=first.record.run, trail=first.record.trail)
    return await conduct(run_id, brief, world, journal, control, errand=errand)


def _copy(first: Report, context: RunContext) -> None:
    """Record the books of the first run as this one's."""
    for page in first.pages.values():
        context.journal.keep(page)
    for event in first.history:
        if isinstance(event, _BOOKS):
            context.emit(_unstamped(event))


def _unstamped(event: Event) -> Event:
    return event.model_copy(update={"seq": 0, "at": None})


def _leave_out_vain_searches(first: Report, context: RunContext) -> None:
    """Leave out what searches for follow-up questions brought that did not answer them."""
    vain = {lane_of(one.number) for one in first.follow_ups if not one.answer.is_answered}
    for lane in context.lanes:
        if lane.name in vain:
            lane.dropped.set()


def _forget_plan(context: RunContext) -> None:
    context.outline = None
    for lane in context.lanes:
        lane.section = None
