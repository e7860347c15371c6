"""A run's books made again from its events, so that it can go on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import cast

from research.core.ledger import Ledger, Page
from research.core.outline import Outline
from research.core.presets import StopReason
from research.engine.context import Journal, Lane, RunContext, TakenUp
from research.events.fact import Event
from research.events.plan import DepthChosen, PlanDrafted, PlanSettled
from research.events.searches import SearchStarted
from research.events.steering import QuestionAdded
from research.events.thinking import NoteTaken
from research.events.union import AnyEvent
from research.results.record import LaneBooks, blocked_in, evidence_in, lanes_in


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
