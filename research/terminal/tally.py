"""What has happened in a run so far, as a terminal shows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from research.events import (
    AnyEvent,
    Assessed,
    EvidenceFound,
    ModelCalled,
    PageRead,
    PageSummarised,
    Reflected,
    ReportStarted,
    SearchStarted,
    TopicFinished,
    TopicQueued,
    TopicStarted,
)


@dataclass
class LaneTally:
    """One researcher."""

    topic: str
    activity: str = ""
    """What it did last: a query, or a reflection, after the score that was counted last."""
    score: int | None = None
    """0 to 10; None before its first search was counted."""
    pages: int = 0
    evidence: int = 0
    is_waiting: bool = True
    is_done: bool = False


@dataclass
class Tally:
    """The whole run."""

    lanes: dict[str, LaneTally] = field(default_factory=dict)
    searches: int = 0
    pages: set[str] = field(default_factory=set)
    evidence: int = 0
    cached: int = 0
    """Summaries that cost no call."""
    tokens: int = 0
    cost_usd: float | None = 0.0
    """None if the price of a model is not known."""
    is_writing: bool = False

    def count(self, event: AnyEvent) -> None:
        """Take in one more event."""
        match event:
            case TopicQueued():
                self.lanes[event.lane] = LaneTally(event.title or event.topic)
            case PageRead():
                self.pages.add(event.page)
            case EvidenceFound():
                self.evidence += 1
            case PageSummarised():
                self.cached += event.cached
            case ModelCalled():
                self.tokens += event.input_tokens + event.output_tokens
                known = self.cost_usd is not None and event.cost_usd is not None
                self.cost_usd = (self.cost_usd or 0.0) + (event.cost_usd or 0.0) if known else None
            case SearchStarted():
                self.searches += 1
            case ReportStarted():
                self.is_writing = True
        lane = self.lanes.get(getattr(event, "lane", ""))
        if lane is not None:
            _count_in_lane(lane, event)


def _count_in_lane(lane: LaneTally, event: AnyEvent) -> None:
    match event:
        case TopicStarted():
            lane.is_waiting = False
        case TopicFinished():
            lane.is_done = True
        case SearchStarted():
            lane.activity = _scored(lane, event.query)
        case Assessed():
            lane.score = event.score
        case Reflected():
            lane.activity = _scored(lane, event.reflection)
        case PageRead():
            lane.pages += 1
        case EvidenceFound():
            lane.evidence += 1


def _scored(lane: LaneTally, activity: str) -> str:
    return activity if lane.score is None else f"{lane.score}/10 · {activity}"
