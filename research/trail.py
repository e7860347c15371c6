"""How a run was researched: its method and plan, what was searched for on each topic, and why it ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from research.events import (
    Assessed,
    DepthChosen,
    Event,
    PlanDrafted,
    PlanSettled,
    ResearchFinished,
    RunStarted,
    SearchFailed,
    SearchReturned,
    SearchStarted,
    TopicFinished,
    TopicQueued,
    TopicStarted,
)
from research.methods.names import MethodName
from research.outline import Depth, Outline


class QueryTrail(BaseModel):
    """A query, and what all sources together brought for it."""

    model_config = ConfigDict(frozen=True)

    query: str
    asked: int = 0
    """Sources that it was sent to."""
    answered: int = 0
    """Sources that answered; of the others, those that did not fail were not waited for."""
    hits: int = 0
    new: int = 0
    """Hits that the topic had not met before."""
    failed: tuple[str, ...] = ()
    """Codes (see `research.problems`) of the sources that failed."""


class TopicTrail(BaseModel):
    """One topic, or section of the plan, from its first query to its end."""

    model_config = ConfigDict(frozen=True)

    lane: str
    topic: str
    title: str = ""
    """The title of the section, if it is one."""
    queries: tuple[QueryTrail, ...] = ()
    """In the order of their first use, each once."""
    searches: int = 0
    """Rounds of one or more queries, each of which was counted when it was over."""
    score: int | None = None
    """0 to 10, after the last search; None if nothing was counted."""
    criteria: dict[str, int] = {}
    """What the score is made of, 0 to 2 each (see `research.sufficiency.Criteria`)."""
    missing: tuple[str, ...] = ()
    """Aspects (see `research.sufficiency.Aspect`) that are not covered."""
    coverage: dict[str, float] = {}
    """How far each kind of information that the section requires was found, 0 to 1."""
    confidence: float = 0.0
    good_sources: int = 0
    ended: str = ""
    """A code of `research.methods.stopping.StopReason`; empty if the topic never came to its end."""
    why: str = ""
    """The same in the words of whoever decided, if they gave any."""
    seconds: float | None = None
    """From the first decision to the end; None if it has no end, or no times are known."""


class Trail(BaseModel):
    """How a run was researched. Everything in it is drawn from the run's events."""

    model_config = ConfigDict(frozen=True)

    method: MethodName = MethodName.SUPERVISED
    depth: Depth | None = None
    depth_by: Literal["analyst", "user"] = "analyst"
    outline: Outline | None = None
    """The plan that was carried out, if there was one."""
    edited: bool = False
    """Whether somebody edited the plan."""
    step_budget: int | None = None
    topics: tuple[TopicTrail, ...] = ()
    """In the order in which they were handed out."""
    ended: str = ""
    """Why research ended: a code of `StopReason`; empty if it was broken off."""
    why: str = ""


def trail_of(events: Iterable[Event]) -> Trail:
    """Return the trail of a run from its events, as far as they go."""
    run: dict[str, object] = {}
    lanes: dict[str, list[Event]] = {}
    for event in events:
        match event:
            case RunStarted(method=method):
                run["method"] = method
            case DepthChosen(depth=depth, by=by):
                run |= {"depth": depth, "depth_by": by}
            case PlanDrafted(outline=outline):
                run["outline"] = outline
            case PlanSettled(outline=outline, edited=edited, step_budget=budget):
                run |= {"outline": outline, "edited": edited, "step_budget": budget}
            case ResearchFinished(reason=reason, why=why):
                run |= {"ended": reason, "why": why}
            case TopicQueued(lane=lane):
                lanes[lane] = [event]
            case TopicStarted() | SearchStarted() | SearchReturned() | SearchFailed() | Assessed() | TopicFinished():
                lanes.get(event.lane, []).append(event)
    topics = tuple(_topic(lane) for lane in lanes.values())
    return Trail.model_validate(run | {"topics": topics})


def _topic(events: Sequence[Event]) -> TopicTrail:
    """Return one topic from the events of its lane, of which the first handed it out."""
    facts: dict[str, object] = {}
    began: datetime | None = None
    for event in events:
        match event:
            case TopicQueued(lane=lane, topic=topic, title=title):
                facts |= {"lane": lane, "topic": topic, "title": title}
            case TopicStarted(at=at):
                began = at
            case Assessed():
                facts |= _counted(event)
            case TopicFinished(reason=reason, why=why, at=at):
                facts |= {"ended": reason, "why": why}
                facts["seconds"] = (at - began).total_seconds() if at and began else None
    return TopicTrail.model_validate(facts | {"queries": _queries(events)})


def _counted(event: Assessed) -> dict[str, object]:
    return {
        "searches": event.iteration,
        "score": event.score,
        "criteria": event.criteria,
        "missing": event.missing,
        "coverage": event.coverage,
        "confidence": event.confidence,
        "good_sources": event.good_sources,
    }


def _queries(events: Sequence[Event]) -> tuple[QueryTrail, ...]:
    asked = [event for event in events if isinstance(event, SearchStarted)]
    outcomes = {event.search: event for event in events if isinstance(event, SearchReturned | SearchFailed)}
    return tuple(
        _query(query, [outcomes.get(one.search) for one in asked if one.query == query])
        for query in dict.fromkeys(one.query for one in asked)
    )


def _query(query: str, outcomes: Sequence[SearchReturned | SearchFailed | None]) -> QueryTrail:
    answers = [outcome for outcome in outcomes if isinstance(outcome, SearchReturned)]
    failures = [outcome.code for outcome in outcomes if isinstance(outcome, SearchFailed)]
    return QueryTrail(
        query=query,
        asked=len(outcomes),
        answered=len(answers),
        hits=sum(answer.pages for answer in answers),
        new=sum(answer.new for answer in answers),
        failed=tuple(dict.fromkeys(failures)),
    )
