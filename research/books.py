"""The books of a run that has ended, from its events and pages: what its report was, and another can be, written from.

Nothing is searched or asked anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from research.events import (
    Event,
    EvidenceFound,
    FindingsCompressed,
    PageRead,
    PageSummarised,
    PlanDrafted,
    PlanSettled,
    SiteBlocked,
    TopicDropped,
    TopicFinished,
    TopicQueued,
)
from research.evidence import Evidence, Ledger, Page
from research.graph.context import RunContext
from research.graph.lane import Lane
from research.methods.stopping import StopReason
from research.outline import Outline
from research.sources.urls import is_below


@dataclass
class LaneBooks:
    """What is told of one researcher."""

    queued: TopicQueued
    evidence: list[str] = field(default_factory=list)
    """What it kept, by id."""
    found: set[str] = field(default_factory=set)
    """All that it ever found."""
    notes: str = ""
    failed: bool = False
    is_dropped: bool = False
    """Its topic is to be left out."""

    @property
    def title(self) -> str:
        """What its topic is called in a few words, if it is a section of a plan; else the topic."""
        return self.queued.title or self.queued.topic

    def enter(self, event: Event) -> None:
        """Enter what happened to this researcher."""
        match event:
            case EvidenceFound(id=name):
                self._keep([name])
            case PageSummarised(evidence=found):
                self._keep(found)
            case FindingsCompressed(kept=kept):
                self.evidence = list(kept)
            case TopicFinished(evidence=kept, notes=notes, reason=reason):
                self.evidence, self.notes, self.failed = list(kept), notes, reason == StopReason.FAILED
                self.found.update(kept)
            case TopicDropped():
                self.is_dropped = True

    def _keep(self, names: Iterable[str]) -> None:
        fresh = [name for name in names if name not in self.evidence]
        self.evidence += fresh
        self.found.update(fresh)


def evidence_in(events: Iterable[Event]) -> list[Evidence]:
    """Return the evidence that events tell of, in the order found; several researchers may have found the same."""
    found = {event.id: event for event in events if isinstance(event, EvidenceFound)}
    return [Evidence.model_validate(event.model_dump(include=set(Evidence.model_fields))) for event in found.values()]


def lanes_in(events: Iterable[Event]) -> list[LaneBooks]:
    """Return what events tell of each researcher, in the order in which topics were handed out.

    Two searches for one further question are two researchers, although they have one name.
    """
    lanes: list[LaneBooks] = []
    by_name: dict[str, LaneBooks] = {}
    for event in events:
        if isinstance(event, TopicQueued):
            by_name[event.lane] = LaneBooks(event)
            lanes.append(by_name[event.lane])
        elif (lane := by_name.get(getattr(event, "lane", ""))) is not None:
            lane.enter(event)
    return lanes


def blocked_in(events: Iterable[Event]) -> list[str]:
    """Return the sites and collections that the user blocked, each once."""
    return list(dict.fromkeys(event.site for event in events if isinstance(event, SiteBlocked)))


def dropped_in(events: Iterable[Event]) -> list[str]:
    """Return the topics that the user dropped, in a few words each."""
    return [lane.title for lane in lanes_in(events) if lane.is_dropped]


def still_wanted(evidence: Iterable[Evidence], events: Sequence[Event]) -> list[Evidence]:
    """Return `evidence` but that of sites which were blocked, and that which only dropped topics found."""
    lanes, blocked = lanes_in(events), blocked_in(events)
    sites = {event.page: event.site.casefold() for event in events if isinstance(event, PageRead)}
    dropped = {name for lane in lanes if lane.is_dropped for name in lane.found}
    others = {name for lane in lanes if not lane.is_dropped for name in lane.found}
    return [
        entry
        for entry in evidence
        if entry.id not in dropped - others and not is_below(sites.get(entry.source, ""), blocked)
    ]


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
