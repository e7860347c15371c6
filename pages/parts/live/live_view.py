"""The state of a run as the page shows it: a pure fold over the run's events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from pages.parts.live.lane_view import LaneState, LaneView, Phase, PlanView, Reading, SearchView, Totals
from pages.parts.live.live_progress import queries_at_most, research_progress, writing_progress
from pages.parts.live.timeline import Call, call_of
from research.brief import Brief
from research.events import (
    SUPERVISOR,
    AnyEvent,
    Assessed,
    CollectionIndexed,
    DepthChosen,
    EvidenceFound,
    FindingsCompressed,
    FinishRequested,
    ModelCalled,
    NoteTaken,
    PageRead,
    PageSummarised,
    PlanDrafted,
    PlanHeld,
    PlanSettled,
    ProblemOccurred,
    QuestionAdded,
    Reflected,
    ReportExtended,
    ReportStarted,
    ReportWritten,
    ResearchFinished,
    RunFinished,
    RunResumed,
    RunStarted,
    SearchFailed,
    SearchReturned,
    SearchStarted,
    SiteBlocked,
    StopRequested,
    TopicDropped,
    TopicFinished,
    TopicQueued,
    TopicStarted,
)
from research.evidence import Evidence
from research.methods.names import MethodName
from research.methods.stopping import StopReason
from research.presets import Role
from research.sources.urls import is_below


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
