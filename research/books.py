"""The books of a run that has ended, from its events and pages: what its report was, and another can be, written from.

Nothing is searched or asked anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from research.events import (
    Event,
    EvidenceFound,
    FindingsCompressed,
    PageSummarised,
    PlanDrafted,
    PlanSettled,
    SiteBlocked,
    TopicDropped,
    TopicFinished,
    TopicQueued,
)
from research.evidence import Evidence, Ledger, Page
from research.graph.context import Lane, RunContext
from research.methods.stopping import StopReason
from research.outline import Outline


def evidence_in(events: Iterable[Event]) -> list[Evidence]:
    """Return the evidence that events tell of, in the order found; several researchers may have found the same."""
    found = {event.id: event for event in events if isinstance(event, EvidenceFound)}
    return [Evidence.model_validate(event.model_dump(include=set(Evidence.model_fields))) for event in found.values()]


def restore(context: RunContext, events: Sequence[Event], pages: Mapping[str, Page]) -> None:
    """Enter into the books of `context` what an ended run had found, kept, planned and been asked to leave out."""
    context.ledger = Ledger.of(pages.values(), evidence_in(events))
    context.outline = _outline(events)
    context.is_researched = True
    lanes: dict[str, Lane] = {}
    for event in events:
        if isinstance(event, TopicQueued):
            lanes[event.lane] = _lane(context, event)
        elif isinstance(event, SiteBlocked):
            context.blocked_sites.append(event.site)
        elif (lane := lanes.get(getattr(event, "lane", ""))) is not None:
            _enter(lane, event, context.ledger)
    if not lanes and context.ledger.evidence:
        context.open_lane(context.brief.question).evidence.extend(context.ledger.evidence)


def _outline(events: Iterable[Event]) -> Outline | None:
    plans = [event.outline for event in events if isinstance(event, PlanDrafted | PlanSettled)]
    return plans[-1] if plans else None


def _lane(context: RunContext, event: TopicQueued) -> Lane:
    sections = context.outline.sections if context.outline else ()
    section = next((one for one in sections if one.title == event.title), None)
    lane = context.open_lane(event.topic, section=section)
    lane.name = event.lane
    return lane


def _enter(lane: Lane, event: Event, ledger: Ledger) -> None:
    match event:
        case PageSummarised(evidence=found):
            lane.add([ledger.evidence[name] for name in found if name in ledger.evidence])
        case FindingsCompressed(kept=kept):
            lane.evidence = [name for name in kept if name in ledger.evidence]
        case TopicFinished():
            lane.evidence = [name for name in event.evidence if name in ledger.evidence]
            lane.notes, lane.failed = event.notes, event.reason == StopReason.FAILED
        case TopicDropped():
            lane.dropped.set()
