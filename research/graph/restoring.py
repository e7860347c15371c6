"""A run is taken up again from its events and pages: one that has ended, or one that broke off and goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from research.books import LaneBooks, blocked_in, evidence_in, lanes_in
from research.events import DepthChosen, Event, NoteTaken, PlanDrafted, PlanSettled, QuestionAdded, SearchStarted
from research.evidence import Ledger, Page
from research.graph.context import RunContext
from research.graph.lane import Lane
from research.graph.taken_up import TakenUp
from research.methods.stopping import StopReason
from research.outline import Outline

_BROKEN_OFF = ("", StopReason.FINISH, StopReason.CAP)
"""How a topic ended that did not end by itself: a program that is told to end finishes its topics."""


def restore(context: RunContext, events: Sequence[Event], pages: Mapping[str, Page]) -> None:
    """Enter into the books of `context` what an ended run had found, kept, planned and been asked to leave out.

    Nothing is searched: another report can be written, or a question answered.
    """
    _enter(context, events, pages)
    context.outline = _outline(events)
    context.is_researched = True
    lanes = lanes_in(events)
    for books in lanes:
        _open(context, books)
    if not lanes and context.ledger.evidence:
        context.open_lane(context.brief.question).evidence.extend(context.ledger.evidence)


def take_up(context: RunContext, events: Sequence[Event], pages: Mapping[str, Page]) -> None:
    """Enter into the books of `context` all that a run had before it broke off, for its method to come to."""
    _enter(context, events, pages)
    context.questions += dict.fromkeys(event.question for event in events if isinstance(event, QuestionAdded))
    context.searches = count(1 + sum(isinstance(event, SearchStarted) for event in events))
    context.taken_up = TakenUp(
        plan=next((event for event in events if isinstance(event, PlanSettled)), None),
        depth=next((event for event in events if isinstance(event, DepthChosen)), None),
        notes=sum(isinstance(event, NoteTaken) for event in events),
    )
    for books in lanes_in(events):
        lane = _waiting(context, books)
        same = context.taken_up.lanes.setdefault(lane.topic, lane)
        same.evidence += [name for name in lane.evidence if name not in same.evidence]


def _enter(context: RunContext, events: Sequence[Event], pages: Mapping[str, Page]) -> None:
    context.ledger = Ledger.of(pages.values(), evidence_in(events))
    context.blocked_sites += blocked_in(events)


def _outline(events: Iterable[Event]) -> Outline | None:
    plans = [event.outline for event in events if isinstance(event, PlanDrafted | PlanSettled)]
    return plans[-1] if plans else None


def _open(context: RunContext, books: LaneBooks) -> None:
    sections = context.outline.sections if context.outline else ()
    section = next((one for one in sections if one.title == books.queued.title), None)
    lane = context.open_lane(books.queued.topic, section=section)
    lane.name = books.queued.lane
    _fill(lane, books, context)


def _waiting(context: RunContext, books: LaneBooks) -> Lane:
    """Return the books of a researcher; its limits and decisions are those with which its topic is opened again."""
    lane = Lane(books.queued.lane, books.queued.topic, context.limits, context.world.analyst.investigate)
    lane.is_queued = True
    if books.reason not in _BROKEN_OFF:
        lane.ended = next((reason for reason in StopReason if reason.value == books.reason), StopReason.COMPLETE)
    _fill(lane, books, context)
    return lane


def _fill(lane: Lane, books: LaneBooks, context: RunContext) -> None:
    lane.notes, lane.failed = books.notes, books.failed
    lane.evidence = [name for name in books.evidence if name in context.ledger.evidence]
    if books.is_dropped:
        lane.dropped.set()
