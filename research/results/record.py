"""What a run leaves behind: its record, its trail and notes, the answers to further questions."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import takewhile
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict

from research.core.addresses import is_below
from research.core.brief import Brief
from research.core.citations import render_marks
from research.core.ledger import Evidence, Page, Sentence, in_both
from research.core.outline import Depth, Outline
from research.core.presets import MethodName, Role, StopReason
from research.events.calls import ModelCalled
from research.events.fact import Event
from research.events.follow_ups import FollowUpAnswered, FollowUpSearched
from research.events.lanes import TopicFinished, TopicQueued, TopicStarted
from research.events.pages import EvidenceFound, PageRead, PageSummarised
from research.events.plan import DepthChosen, PlanDrafted, PlanSettled
from research.events.problems import ProblemOccurred, Stage
from research.events.run import ResearchFinished, RunStarted, Status
from research.events.searches import SearchFailed, SearchReturned, SearchStarted
from research.events.steering import SiteBlocked, TopicDropped
from research.events.thinking import Assessed, FindingsCompressed, NoteTaken
from research.language import Bilingual
from research.verification.contradictions import contradictions_of
from research.verification.labels import Contradiction

KEY_FINDINGS = Bilingual("Key findings", "主な事実")
"""The heading of the short list of what matters most, of a report or of a section of its plan."""
RECENT_MARK = "†"
"""Stands behind a citation of information of the last three months."""


class ResearchNote(BaseModel):
    """What one query brought."""

    model_config = ConfigDict(frozen=True)

    step: int
    """Counts from 1 within a run."""
    query: str
    summary: str
    """Markdown, citing evidence as `[E12]`."""
    sources: tuple[str, ...]
    """Ids of the pages that it rests on."""

    @classmethod
    def of(cls, event: NoteTaken) -> Self:
        """Return the note that an event reports."""
        return cls(step=event.step, query=event.query, summary=event.summary, sources=event.sources)


def notes_of(events: Iterable[Event]) -> tuple[ResearchNote, ...]:
    """Return the notes among the events of a run, by step: those of one cycle are written at once."""
    notes = (ResearchNote.of(event) for event in events if isinstance(event, NoteTaken))
    return tuple(sorted(notes, key=lambda note: note.step))


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


class Usage(BaseModel):
    """What one role's model calls came to."""

    model_config = ConfigDict(frozen=True)

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached: int = 0
    """Calls that were not made, because their answer was kept from before."""
    cost_usd: float | None = 0.0
    """None if the price of a model that was called is not known."""


class SourceEntry(BaseModel):
    """A page of the run, as `run.json` names it."""

    model_config = ConfigDict(frozen=True)

    id: str
    url: str
    title: str
    site: str
    kind: str
    origin: str
    published: str | None
    fetched_at: str
    sha256: str
    number: int | None
    """The number under which the report cites it, if it does."""

    @classmethod
    def of(cls, page: Page, number: int | None) -> Self:
        """Return the entry of a page."""
        return cls(
            id=page.id,
            url=page.url,
            title=page.title,
            site=page.site,
            kind=page.kind.value,
            origin=page.origin.value,
            published=page.published,
            fetched_at=page.fetched_at.isoformat(),
            sha256=page.sha256,
            number=number,
        )


class LeftOut(BaseModel):
    """A sentence that a fact-strict report does not hold, and why."""

    model_config = ConfigDict(frozen=True)

    text: str
    evidence: tuple[str, ...]
    reason: Annotated[Bilingual, BeforeValidator(in_both)]
    verdict: str | None = None


class Problem(BaseModel):
    """Something that went wrong on the way, for tracing what let a report down."""

    model_config = ConfigDict(frozen=True)

    stage: Stage
    code: str
    subject: str = ""
    detail: str = ""

    @classmethod
    def of(cls, event: ProblemOccurred) -> Self:
        """Return the problem that an event reports."""
        return cls(stage=event.stage, code=event.code, subject=event.subject, detail=event.detail)


def problems_in(events: Iterable[Event]) -> tuple[Problem, ...]:
    """Return the problems that events report, in order."""
    return tuple(Problem.of(event) for event in events if isinstance(event, ProblemOccurred))


class RunRecord(BaseModel):
    """What `run.json` holds."""

    model_config = ConfigDict(frozen=True)

    format: Literal[1] = 1
    run: str
    status: Status
    analyst: str
    """Who decided: `chat` or `extractive`."""
    writer: str
    """Who wrote the report; `extractive` also where a model was meant to and could not."""
    brief: Brief
    started_at: str
    seconds: float
    usage: dict[Role, Usage]
    sources: tuple[SourceEntry, ...]
    evidence: tuple[Evidence, ...]
    sentences: tuple[Sentence, ...]
    problems: tuple[Problem, ...] = ()
    draft: str = ""
    """The report's text with evidence ids (`[E12]`) where the finished forms have numbers."""
    left_out: tuple[LeftOut, ...] = ()
    """What a fact-strict report does not hold because no primary source bears it out."""
    contradictions: tuple[Contradiction, ...] = ()
    """What its sources say differently, as far as it was found."""
    trail: Trail = Trail()
    """How it was researched; records of before there were several methods have none."""
    pages: float | None = None
    """How long the report is, counted as `research.length` counts; records of before that have none."""
    rewritten_from: str = ""
    """Id of the run whose evidence it was written from, if nothing was searched for it."""

    @property
    def ledger(self) -> dict[str, Evidence]:
        """Its evidence by id."""
        return {entry.id: entry for entry in self.evidence}

    @property
    def method(self) -> MethodName:
        """How its research was organised."""
        return self.trail.method

    @property
    def outline(self) -> Outline | None:
        """The plan that it follows, if there was one."""
        return self.trail.outline

    @property
    def day(self) -> date:
        """The day of the research, from which it counts how recent a source is."""
        return datetime.fromisoformat(self.started_at).date()


def usage_of(events: Iterable[Event]) -> dict[Role, Usage]:
    """Return the usage of each role."""
    usage = {role: Usage() for role in Role}
    for event in events:
        if isinstance(event, ModelCalled):
            usage[event.role] = _plus(usage[event.role], event)
        elif isinstance(event, PageSummarised) and event.cached:
            before = usage[Role.SUMMARIZATION]
            usage[Role.SUMMARIZATION] = before.model_copy(update={"cached": before.cached + 1})
    return usage


def _plus(usage: Usage, call: ModelCalled) -> Usage:
    is_unknown = usage.cost_usd is None or call.cost_usd is None
    return Usage(
        calls=usage.calls + 1,
        input_tokens=usage.input_tokens + call.input_tokens,
        output_tokens=usage.output_tokens + call.output_tokens,
        cached=usage.cached,
        cost_usd=None if is_unknown else (usage.cost_usd or 0.0) + (call.cost_usd or 0.0),
    )


@dataclass(frozen=True)
class FollowUp:
    """A question about a report, and its answer."""

    answer: FollowUpAnswered
    """The last one."""
    search: str = ""
    """Id of the small run that was last started to search for it."""

    @property
    def number(self) -> int:
        """Its number within the run."""
        return self.answer.number

    @property
    def at(self) -> datetime | None:
        """When it was answered."""
        return self.answer.at

    @property
    def awaits(self) -> str:
        """Id of the small run whose result has not joined the report, if there is one."""
        return "" if self.search == self.answer.run else self.search


def follow_ups_of(events: Iterable[Event]) -> tuple[FollowUp, ...]:
    """Return what was asked about a report, in the order of asking."""
    answers: dict[int, FollowUpAnswered] = {}
    searches: dict[int, str] = {}
    for event in events:
        match event:
            case FollowUpAnswered(number=number):
                answers[number] = event
            case FollowUpSearched(number=number, run=run):
                searches[number] = run
    return tuple(FollowUp(answers[number], searches.get(number, "")) for number in sorted(answers))


def lane_of(number: int) -> str:
    """Return the lane in which the search for a question is recorded."""
    return f"F{number}"


def of_research(events: Iterable[Event]) -> list[Event]:
    """Return the events of a run before the first question about its report was answered."""
    return list(takewhile(lambda event: not isinstance(event, FollowUpAnswered | FollowUpSearched), events))


def numbered_on(
    numbers: Mapping[str, int], follow_ups: Iterable[FollowUp], evidence: Mapping[str, Evidence]
) -> dict[str, int]:
    """Return the citation numbers of a report, with those of the pages that only its follow-ups cite added on.

    Args:
        numbers: Citation number of each page that the report cites.
        follow_ups: What was asked about it, in order.
        evidence: All evidence by id, with what joined the report.
    """
    found = dict(numbers)

    def note(ids: list[str]) -> str:
        for name in ids:
            if name in evidence:
                found.setdefault(evidence[name].source, max(found.values(), default=0) + 1)
        return ""

    for follow_up in follow_ups:
        render_marks(follow_up.answer.draft, note)
    return found


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


_log = logging.getLogger(__name__)


def added_on(history: Sequence[Event]) -> dict[str, date]:
    """Return on which day (UTC) each quote joined a run that a search for a further question brought, by its id."""
    lanes = {lane_of(event.number) for event in history if isinstance(event, FollowUpSearched)}
    days: dict[str, date] = {}
    for event in history:
        if isinstance(event, TopicFinished) and event.lane in lanes and event.at:
            days |= {name: event.at.date() for name in event.evidence if name not in days}
    return days


def evidence_now(record: RunRecord, history: Sequence[Event], pages: Mapping[str, Page]) -> list[Evidence]:
    """Return the evidence of a run and what joined it since, without what the user wants left out."""
    added = added_on(history)
    found = {entry.id: entry for entry in record.evidence}
    found |= {entry.id: entry for entry in evidence_in(history) if entry.id in added}
    return [entry for entry in still_wanted(found.values(), history) if entry.source in pages]


def contradictions_now(
    record: RunRecord, history: Sequence[Event], pages: Mapping[str, Page]
) -> tuple[Contradiction, ...]:
    """Return what the sources of a run say differently, with those that joined it since."""
    if not added_on(history):
        return record.contradictions
    try:
        return contradictions_of(history, {entry.id: entry for entry in evidence_now(record, history, pages)}, pages)
    except Exception:  # noqa: BLE001 - text of strangers must not cost the page; what research had found is shown
        _log.exception("The sources that joined the run %s could not be compared.", record.run)
        return record.contradictions


def is_added(contradiction: Contradiction, added: Mapping[str, date]) -> bool:
    """Whether a side of a contradiction has joined its run afterwards."""
    return any(side.evidence in added for side in contradiction.sides)
