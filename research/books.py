"""The books of a run, as its events tell of them: what was found, who found it, and what the user wants left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from research.events import (
    Event,
    EvidenceFound,
    FindingsCompressed,
    PageRead,
    PageSummarised,
    SiteBlocked,
    TopicDropped,
    TopicFinished,
    TopicQueued,
)
from research.evidence import Evidence
from research.methods.stopping import StopReason
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
    reason: str = ""
    """Why it ended, a code of `StopReason`; empty if it did not come to its end."""
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
                self.evidence, self.notes, self.reason = list(kept), notes, reason
                self.failed = reason == StopReason.FAILED
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
