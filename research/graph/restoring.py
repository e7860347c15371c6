"""A run that has ended is taken up again from its events and pages: another report can be written, a question answered.

Nothing is searched or asked anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from research.books import LaneBooks, blocked_in, evidence_in, lanes_in
from research.events import Event, PlanDrafted, PlanSettled
from research.evidence import Ledger, Page
from research.graph.context import RunContext
from research.graph.lane import Lane
from research.outline import Outline


def restore(context: RunContext, events: Sequence[Event], pages: Mapping[str, Page]) -> None:
    """Enter into the books of `context` what an ended run had found, kept, planned and been asked to leave out."""
    context.ledger = Ledger.of(pages.values(), evidence_in(events))
    context.outline = _outline(events)
    context.is_researched = True
    context.blocked_sites += blocked_in(events)
    lanes = lanes_in(events)
    for books in lanes:
        _open(context, books)
    if not lanes and context.ledger.evidence:
        context.open_lane(context.brief.question).evidence.extend(context.ledger.evidence)


def _outline(events: Iterable[Event]) -> Outline | None:
    plans = [event.outline for event in events if isinstance(event, PlanDrafted | PlanSettled)]
    return plans[-1] if plans else None


def _open(context: RunContext, books: LaneBooks) -> Lane:
    sections = context.outline.sections if context.outline else ()
    section = next((one for one in sections if one.title == books.queued.title), None)
    lane = context.open_lane(books.queued.topic, section=section)
    lane.name, lane.notes, lane.failed = books.queued.lane, books.notes, books.failed
    lane.evidence = [name for name in books.evidence if name in context.ledger.evidence]
    if books.is_dropped:
        lane.dropped.set()
    return lane
