"""A run's books made again from its events, so that it can go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import cast

from research.core import AnyEvent, Event, LaneView, Ledger, Page, RunView, StopReason
from research.engine.context import Journal, Lane, RunContext, TakenUp


class RememberingJournal:
    """Hands everything on to another journal, and keeps the events."""

    def __init__(self, journal: Journal, earlier: Sequence[Event] = ()) -> None:
        """`earlier` is what the run had reported before it broke off; the other journal has it already."""
        self._journal = journal
        self._events = list(earlier)

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        """All that it was told, as it was stored."""
        return cast("tuple[AnyEvent, ...]", tuple(self._events))

    def emit(self, event: Event) -> Event:
        """Store an event; see `Journal`."""
        stamped = self._journal.emit(event)
        self._events.append(stamped)
        return stamped

    def keep(self, page: Page) -> None:
        """Store the snapshot of a page; see `Journal`."""
        self._journal.keep(page)


_BROKEN_OFF = ("", StopReason.FINISH, StopReason.CAP)
"""How a topic ended that did not end by itself: a program that is told to end finishes its topics."""


def restore(context: RunContext, run: RunView, pages: Mapping[str, Page]) -> None:
    """Enter into the books of `context` what an ended run had found, kept, planned and been asked to leave out.

    Nothing is searched: another report can be written, or a question answered.
    """
    _enter(context, run, pages)
    context.outline = run.plan.outline
    context.is_researched = True
    for topic in run.topics:
        _open(context, topic)
    if not run.topics and context.ledger.evidence:
        context.open_lane(context.brief.question).evidence.extend(context.ledger.evidence)


def take_up(context: RunContext, run: RunView, pages: Mapping[str, Page]) -> None:
    """Enter into the books of `context` all that a run had before it broke off, for its method to come to."""
    _enter(context, run, pages)
    context.questions += run.questions
    context.searches = count(1 + run.searches)
    context.taken_up = TakenUp(plan=run.plan.settled, depth=run.plan.depth, notes=len(run.notes))
    for topic in run.topics:
        lane = _waiting(context, topic)
        same = context.taken_up.lanes.setdefault(lane.topic, lane)
        same.evidence += [name for name in lane.evidence if name not in same.evidence]


def _enter(context: RunContext, run: RunView, pages: Mapping[str, Page]) -> None:
    context.ledger = Ledger.of(pages.values(), run.evidence.values())
    context.blocked_sites += run.blocked


def _open(context: RunContext, topic: LaneView) -> None:
    sections = context.outline.sections if context.outline else ()
    section = next((one for one in sections if one.title == topic.title), None)
    lane = context.open_lane(topic.topic, section=section)
    lane.name = topic.name
    _fill(lane, topic, context)


def _waiting(context: RunContext, topic: LaneView) -> Lane:
    """Return the books of a researcher; its limits and decisions are those with which its topic is opened again."""
    lane = Lane(topic.name, topic.topic, context.limits, context.world.analyst.investigate)
    lane.is_queued = True
    if topic.reason not in _BROKEN_OFF:
        lane.ended = next((reason for reason in StopReason if reason.value == topic.reason), StopReason.COMPLETE)
    _fill(lane, topic, context)
    return lane


def _fill(lane: Lane, topic: LaneView, context: RunContext) -> None:
    lane.notes, lane.failed = topic.notes, topic.reason == StopReason.FAILED
    lane.evidence = [name for name in topic.evidence if name in context.ledger.evidence]
    if topic.dropped:
        lane.dropped.set()
