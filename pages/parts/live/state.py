"""The live page's state, folded from a run's events."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

import streamlit as st

from pages.parts.engine import engine
from pages.parts.live.calls import Call, call_of
from research.core.addresses import is_below
from research.core.brief import Brief
from research.core.ledger import Evidence
from research.core.outline import Depth, Outline
from research.core.presets import PRESETS, MethodName, PresetName, Role, StopReason
from research.events.calls import ModelCalled
from research.events.lanes import SUPERVISOR, TopicFinished, TopicQueued, TopicStarted
from research.events.pages import EvidenceFound, PageRead, PageSummarised
from research.events.plan import DepthChosen, PlanDrafted, PlanHeld, PlanSettled
from research.events.problems import ProblemOccurred
from research.events.run import ResearchFinished, RunFinished, RunResumed, RunStarted
from research.events.searches import CollectionIndexed, SearchFailed, SearchReturned, SearchStarted
from research.events.steering import FinishRequested, QuestionAdded, SiteBlocked, StopRequested, TopicDropped
from research.events.thinking import Assessed, FindingsCompressed, NoteTaken, Reflected
from research.events.union import AnyEvent
from research.events.writing import ReportExtended, ReportStarted, ReportWritten
from research.store.store import RunState


class Phase(StrEnum):
    """What the run is doing."""

    WAITING = "waiting"
    RESEARCHING = "researching"
    WRITING = "writing"
    ENDED = "ended"


class LaneState(StrEnum):
    """Where a researcher stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass
class SearchView:
    """One query and what came of it."""

    id: str
    query: str
    source: str
    pages: int | None = None
    """None while the answer is awaited."""
    new: int = 0
    failed: str = ""
    """Code of the problem, if it failed."""


@dataclass
class Reading:
    """What one researcher took from one page."""

    page: str
    summary: str = ""
    quotes: list[str] = field(default_factory=list)
    """Ids of evidence."""
    cached: bool = False
    done: bool = False
    """False while the page is being summarised."""


@dataclass
class LaneView:
    """One researcher, or the supervisor."""

    name: str
    topic: str = ""
    title: str = ""
    """The title of the section that it works on, if it is one."""
    state: LaneState = LaneState.QUEUED
    reason: str = ""
    """A code of `research.methods.stopping.StopReason`, once it has ended."""
    why: str = ""
    """The same in the words of whoever decided, if they gave any."""
    notes: str = ""
    reflections: list[Reflected] = field(default_factory=list)
    assessed: list[Assessed] = field(default_factory=list)
    """What was counted after each search, in order."""
    searches: list[SearchView] = field(default_factory=list)
    readings: dict[str, Reading] = field(default_factory=dict)
    """By page id, in the order read."""
    dropped: bool = False
    """The user dropped its topic."""
    kept: int | None = None
    """Quotes kept when the findings were compressed."""

    @property
    def quotes(self) -> int:
        """Quotes found so far."""
        return sum(len(reading.quotes) for reading in self.readings.values())

    @property
    def queries(self) -> int:
        """Different queries made so far; each may have gone to several sources."""
        return len({search.query for search in self.searches})

    @property
    def is_over(self) -> bool:
        """Whether the researcher has ended."""
        return self.state in (LaneState.DONE, LaneState.FAILED)

    def resume(self) -> None:
        """Forget the searches that nobody answered and the pages that nobody summarised before the run broke off."""
        self.searches = [search for search in self.searches if search.pages is not None]
        self.readings = {page: reading for page, reading in self.readings.items() if reading.done}


@dataclass
class PlanView:
    """The plan of the report, as far as there is one."""

    depth: DepthChosen | None = None
    outline: Outline | None = None
    begins_at: datetime | None = None
    """Until when it can be edited, while it waits for that."""
    waits_from: datetime | None = None
    """Since when it has been waiting, while it does."""
    waited: float = 0.0
    """Seconds that it waited; a cap on the run's time does not count them."""
    is_held: bool = False
    """Somebody is editing it."""
    is_settled: bool = False
    edited: bool = False
    step_budget: int | None = None

    def waited_until(self, now: datetime) -> float:
        """Return how many seconds it has waited to be read or edited, until `now`."""
        return self.waited + ((now - self.waits_from).total_seconds() if self.waits_from else 0.0)


@dataclass
class Totals:
    """What the run came to so far."""

    searches: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: bool = False
    """A model was called whose price is not known, so the cost is more than `cost_usd`."""

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens


_STARTED, _HANDED_OUT, _RESEARCHED, _WRITTEN = 0.03, 0.05, 0.75, 0.97
_WRITING = 0.8
_LONG_REPORT = 6_000
"""Characters after which the bar of the writing is nearly full; reports have no known length while they are written."""


def research_progress(lanes: Collection[LaneView], queries: int) -> float:
    """Estimate how far a run is whose research is under way, if one lane may make `queries` queries."""
    if not lanes:
        return _STARTED
    done = sum(1.0 if lane.is_over else min(0.9, lane.queries / queries) for lane in lanes)
    return _HANDED_OUT + (_RESEARCHED - _HANDED_OUT) * done / len(lanes)


def writing_progress(characters: int) -> float:
    """Estimate how far a run is whose report has so many characters by now."""
    return _WRITING + (_WRITTEN - _WRITING) * min(1.0, characters / _LONG_REPORT)


def queries_at_most(preset: PresetName, method: MethodName | None, depth: Depth | None) -> int:
    """Return how many queries one lane may make under a run's method, as far as that is known."""
    limits = PRESETS[preset].limits
    match method:
        case MethodName.OUTLINED if depth is not None:
            return depth.iterations * depth.queries_per_section
        case MethodName.CHAINED:
            return limits.methods.chain
        case MethodName.GAP_DRIVEN:
            return limits.methods.gap_iterations * limits.queries
        case MethodName.NOTED:
            return limits.methods.cycles * limits.methods.planned_queries
    return limits.searches * limits.queries


@dataclass
class LiveState:
    """Everything that the run's page shows, as far as the events go."""

    seq: int = 0
    brief: Brief | None = None
    analyst: str = ""
    method: MethodName | None = None
    """None until the run has begun."""
    models: dict[Role, str] = field(default_factory=dict)
    started_at: datetime | None = None
    last_at: datetime | None = None
    paused: timedelta = timedelta()
    """The time in which nobody carried it out, if it broke off and went on."""
    phase: Phase = Phase.WAITING
    seconds: float | None = None
    plan: PlanView = field(default_factory=PlanView)
    supervisor: LaneView = field(default_factory=lambda: LaneView(SUPERVISOR, state=LaneState.RUNNING))
    lanes: dict[str, LaneView] = field(default_factory=dict)
    pages: dict[str, PageRead] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    notes: list[NoteTaken] = field(default_factory=list)
    ending: ResearchFinished | None = None
    """Why the research ended, once it has."""
    indexing: dict[str, CollectionIndexed] = field(default_factory=dict)
    problems: list[ProblemOccurred] = field(default_factory=list)
    totals: Totals = field(default_factory=Totals)
    draft: str = ""
    """The report as the analyst writes it, with evidence ids."""
    report_by: str = ""
    """Who wrote the report: `extractive` if it was composed by rule."""
    finish_requested: bool = False
    stop_requested: bool = False
    questions: list[str] = field(default_factory=list)
    """Added by the user while the research was under way."""
    blocked: list[str] = field(default_factory=list)
    """Sites and collections that the user blocked."""
    calls: list[Call] = field(default_factory=list)
    """Every call that has returned, in the order in which they did."""
    progress: float = 0.0
    """0 to 1; never goes back, unless the run broke off."""

    @property
    def is_steerable(self) -> bool:
        """Whether questions, topics and sites can still be asked for: research is under way and nobody ended it."""
        is_ending = self.ending is not None or self.finish_requested or self.stop_requested
        return self.phase is Phase.RESEARCHING and not is_ending

    def is_blocked(self, site: str) -> bool:
        """Whether the user blocked a site, or one above it."""
        return is_below(site.casefold(), self.blocked)

    def lane(self, name: str) -> LaneView:
        """Return the lane of that name, opening it if need be."""
        if name == SUPERVISOR:
            return self.supervisor
        return self.lanes.setdefault(name, LaneView(name))

    def end(self) -> None:
        """Know that the run is over, whether or not its events say so: those of a run that broke off do not."""
        self.phase, self.progress = Phase.ENDED, 1.0

    def extend(self, events: Iterable[AnyEvent]) -> LiveState:
        """Take in further events, in order; those already taken in are passed over."""
        for event in events:
            if event.seq <= self.seq:
                continue
            _apply(self, event)
            if (call := call_of(event)) is not None:
                self.calls.append(replace(call, ended_at=call.ended_at - self.paused))
            self.seq = event.seq
            self.last_at = event.at or self.last_at
        self.progress = max(self.progress, self._progress())
        return self

    def _progress(self) -> float:
        if self.phase is Phase.ENDED:
            return 1.0
        if self.phase is Phase.WRITING:
            return writing_progress(len(self.draft))
        if self.brief is None:
            return 0.0
        depth = self.plan.depth.depth if self.plan.depth else None
        return research_progress(self.lanes.values(), queries_at_most(self.brief.preset, self.method, depth))


def _apply(state: LiveState, event: AnyEvent) -> None:
    """Enter one event: the course of the run here, what it found and what its lanes did further down."""
    match event:
        case RunStarted():
            state.brief, state.analyst, state.method = event.brief, event.analyst, event.method
            state.models = dict(event.models)
            state.started_at, state.phase = event.at, Phase.RESEARCHING
        case ResearchFinished():
            state.ending = event
        case FinishRequested():
            state.finish_requested = True
        case StopRequested():
            state.stop_requested = True
        case QuestionAdded():
            state.questions.append(event.question)
        case SiteBlocked():
            state.blocked.append(event.site)
        case ReportStarted():
            state.phase, state.draft, state.report_by = Phase.WRITING, "", event.analyst
        case ReportExtended():
            state.draft += event.text
        case ReportWritten():
            state.report_by = event.analyst
        case RunFinished():
            state.phase, state.seconds = Phase.ENDED, event.seconds
        case _:
            _apply_to_books(state, event)


def _apply_to_books(state: LiveState, event: AnyEvent) -> None:
    match event:
        case RunResumed():
            _resume(state, event)
        case DepthChosen() | PlanDrafted() | PlanHeld() | PlanSettled():
            _plan(state.plan, event)
        case NoteTaken():
            state.notes.append(event)
        case CollectionIndexed():
            state.indexing[event.source] = event
        case PageRead():
            state.pages[event.page] = event
            state.lane(event.lane).readings.setdefault(event.page, Reading(event.page))
        case EvidenceFound():
            state.evidence[event.id] = Evidence.model_validate(event.model_dump(include=set(Evidence.model_fields)))
        case ModelCalled():
            _count(state.totals, event)
        case ProblemOccurred():
            state.problems.append(event)
        case _:
            _apply_to_lane(state, event)


def _resume(state: LiveState, event: RunResumed) -> None:
    """Go on where the run broke off; what was asked and not answered by then never will be."""
    state.models, state.phase, state.progress, state.draft = dict(event.models), Phase.RESEARCHING, 0.0, ""
    if event.at and state.last_at:
        state.paused += event.at - state.last_at
    for lane in (state.supervisor, *state.lanes.values()):
        lane.resume()


def _plan(plan: PlanView, event: DepthChosen | PlanDrafted | PlanHeld | PlanSettled) -> None:
    match event:
        case DepthChosen():
            plan.depth = event
        case PlanDrafted():
            plan.outline, plan.begins_at = event.outline, event.begins_at
            plan.waits_from = event.at if event.begins_at else None
        case PlanHeld():
            plan.begins_at, plan.is_held = event.begins_at, True
        case PlanSettled():
            plan.outline, plan.edited, plan.step_budget = event.outline, event.edited, event.step_budget
            plan.begins_at, plan.is_held, plan.is_settled = None, False, True
            if plan.waits_from is not None and event.at is not None:
                plan.waited, plan.waits_from = (event.at - plan.waits_from).total_seconds(), None


def _apply_to_lane(state: LiveState, event: AnyEvent) -> None:
    match event:
        case Reflected():
            state.lane(event.lane).reflections.append(event)
        case Assessed():
            state.lane(event.lane).assessed.append(event)
        case TopicQueued():
            lane = state.lane(event.lane)
            lane.topic, lane.title = event.topic, event.title
        case TopicStarted():
            state.lane(event.lane).state = LaneState.RUNNING
        case TopicDropped():
            state.lane(event.lane).dropped = True
        case TopicFinished():
            lane = state.lane(event.lane)
            lane.state = LaneState.FAILED if event.reason == StopReason.FAILED else LaneState.DONE
            lane.reason, lane.why, lane.notes = event.reason, event.why, event.notes
        case SearchStarted():
            state.totals.searches += 1
            state.lane(event.lane).searches.append(SearchView(event.search, event.query, event.source))
        case SearchReturned() | SearchFailed():
            _answer(state.lane(event.lane), event)
        case PageSummarised():
            reading = state.lane(event.lane).readings.setdefault(event.page, Reading(event.page))
            reading.summary, reading.cached, reading.done = event.summary, event.cached, True
            reading.quotes = list(dict.fromkeys([*reading.quotes, *event.evidence]))
            state.totals.cached += event.cached and not event.by_rule
        case FindingsCompressed():
            state.lane(event.lane).kept = len(event.kept)


def _answer(lane: LaneView, event: SearchReturned | SearchFailed) -> None:
    for search in lane.searches:
        if search.id == event.search:
            if isinstance(event, SearchFailed):
                search.failed, search.pages = event.code, 0
            else:
                search.pages, search.new = event.pages, event.new


def _count(totals: Totals, call: ModelCalled) -> None:
    totals.input_tokens += call.input_tokens
    totals.output_tokens += call.output_tokens
    totals.cost_usd += call.cost_usd or 0.0
    totals.unpriced = totals.unpriced or call.cost_usd is None


_KEY = "live_state"


def current(run_id: str) -> LiveState:
    """Return the state of a run as of now; only events that this session has not seen are read."""
    held = st.session_state.get(_KEY)
    state = held[1] if held is not None and held[0] == run_id else LiveState()
    state.extend(engine().runner.events(run_id, after=state.seq))
    st.session_state[_KEY] = (run_id, state)
    return state


def forget_state() -> None:
    """Take the run in from its first event the next time: one that was over goes on."""
    st.session_state.pop(_KEY, None)


def is_running(run_id: str) -> bool:
    """Whether a run is under way; of those of this process the store need not have heard for a while."""
    return engine().runner.is_under_way(run_id) or engine().store.get(run_id).state is RunState.RUNNING
