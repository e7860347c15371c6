"""What has happened in a run so far: its events folded into one state, from which every view of the run is drawn.

The live page, the terminal, the record with its trail and usage, and a run that goes on all read a `RunView`; what is
particular to one of them is a function over it, beside that view. Events are taken in one by one or many at once, and
never twice, so whoever watches a run hands on only what is new: what is taken in costs the same, however long the run
has gone on. Besides `extend`, only `end` and `forget_notes` change a view: they know what its events do not tell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

from research.core.addresses import is_below
from research.core.brief import Brief
from research.core.events import (
    CollectionIndexed,
    DepthChosen,
    EvidenceFound,
    FinishRequested,
    FollowUpAnswered,
    FollowUpSearched,
    ModelCalled,
    NoteTaken,
    PageRead,
    PageSummarised,
    PlanDrafted,
    PlanEvent,
    PlanHeld,
    PlanSettled,
    ProblemOccurred,
    QuestionAdded,
    Reflected,
    ResearchFinished,
    RunEvent,
    RunFinished,
    RunResumed,
    RunStarted,
    SearchFailed,
    SearchReturned,
    SearchStarted,
    SiteBlocked,
    SteeringEvent,
    StopRequested,
)
from research.core.happening import (
    SUPERVISOR,
    Event,
    LaneEvent,
)
from research.core.lanes import LaneState, LaneView
from research.core.ledger import Evidence
from research.core.outline import Outline
from research.core.presets import PRESETS, MethodName, PresetName, Role
from research.core.report_events import (
    ReportExtended,
    ReportStarted,
    ReportWritten,
    SectionExtended,
    SectionView,
    SectionWritten,
)


class Phase(StrEnum):
    """What a run is doing."""

    WAITING = "waiting"
    RESEARCHING = "researching"
    WRITING = "writing"
    ENDED = "ended"


# --- The plan --------------------------------------------------------------------------------------------------------


@dataclass
class PlanView:
    """The plan of the report, as far as there is one."""

    depth: DepthChosen | None = None
    outline: Outline | None = None
    settled: PlanSettled | None = None
    """With what plan research began, once it did."""
    begins_at: datetime | None = None
    """Until when it can be edited, while it waits for that."""
    waits_from: datetime | None = None
    """Since when it has been waiting, while it does."""
    waited: float = 0.0
    """Seconds that it waited; a cap on the run's time does not count them."""
    is_held: bool = False
    """Somebody is editing it."""

    @property
    def is_settled(self) -> bool:
        """Whether research has begun with it."""
        return self.settled is not None

    @property
    def edited(self) -> bool:
        """Whether somebody edited it."""
        return self.settled is not None and self.settled.edited

    @property
    def step_budget(self) -> int | None:
        """Steps that it may take; None where they are not counted."""
        return self.settled.step_budget if self.settled else None

    def waited_until(self, now: datetime) -> float:
        """Return how many seconds it has waited to be read or edited, until `now`."""
        return self.waited + ((now - self.waits_from).total_seconds() if self.waits_from else 0.0)

    def enter(self, event: PlanEvent) -> None:
        """Enter what became of the plan."""
        match event:
            case DepthChosen():
                self.depth = event
            case PlanDrafted():
                self.outline, self.begins_at = event.outline, event.begins_at
                self.waits_from = event.at if event.begins_at else None
            case PlanHeld():
                self.begins_at, self.is_held = event.begins_at, True
            case PlanSettled():
                self.outline, self.settled, self.begins_at, self.is_held = event.outline, event, None, False
                if self.waits_from is not None and event.at is not None:
                    self.waited, self.waits_from = (event.at - self.waits_from).total_seconds(), None


# --- Calls, and what they cost ---------------------------------------------------------------------------------------


@dataclass
class Spent:
    """What calls of models came to."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Of those in, the ones that a provider had kept from an earlier call."""
    cost_usd: float = 0.0
    unpriced: bool = False
    """A model was called whose price is not known, so the cost is more than `cost_usd`."""

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens

    def enter(self, call: ModelCalled) -> None:
        """Enter one more call."""
        self.calls += 1
        self.input_tokens += call.input_tokens
        self.output_tokens += call.output_tokens
        self.cached_tokens += call.cached_tokens
        self.cost_usd += call.cost_usd or 0.0
        self.unpriced = self.unpriced or call.cost_usd is None

    @classmethod
    def together(cls, parts: Iterable[Spent]) -> Self:
        """Return what several came to."""
        parts = list(parts)
        return cls(
            sum(part.calls for part in parts),
            sum(part.input_tokens for part in parts),
            sum(part.output_tokens for part in parts),
            sum(part.cached_tokens for part in parts),
            sum(part.cost_usd for part in parts),
            any(part.unpriced for part in parts),
        )


class CallKind(StrEnum):
    """What was called, and how it went."""

    MODEL = "model"
    SEARCH = "search"
    PAGE = "page"
    CACHED = "cached"
    """A page whose summary came from the cache."""
    FAILED = "failed"


@dataclass(frozen=True)
class Call:
    """A call that has returned."""

    row: str
    """The role of a model, or the lane that searched or read."""
    kind: CallKind
    ended_at: datetime
    """As if the run had never paused."""
    seconds: float


# --- The run ---------------------------------------------------------------------------------------------------------


@dataclass
class RunView:
    """A run as far as its events go."""

    seq: int = 0
    """Number of the last event taken in."""
    brief: Brief | None = None
    analyst: str = ""
    method: MethodName | None = None
    """None until the run has begun."""
    models: dict[Role, str] = field(default_factory=dict)
    started_at: datetime | None = None
    last_at: datetime | None = None
    """When the last event happened."""
    paused: timedelta = timedelta()
    """The time in which nobody carried it out, if it broke off and went on."""
    phase: Phase = Phase.WAITING
    seconds: float | None = None
    """How long it took, once it has ended."""
    plan: PlanView = field(default_factory=PlanView)
    supervisor: LaneView = field(default_factory=lambda: LaneView(SUPERVISOR, state=LaneState.RUNNING))
    lanes: dict[str, LaneView] = field(default_factory=dict)
    """Researchers by name, in the order in which their topics were handed out."""
    searches: int = 0
    """Queries sent, each to one source."""
    pages: dict[str, PageRead] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    """Every quote by id, in the order found; several researchers may have found the same."""
    notes: list[NoteTaken] = field(default_factory=list)
    ending: ResearchFinished | None = None
    """Why the research ended, once it has."""
    indexing: dict[str, CollectionIndexed] = field(default_factory=dict)
    """How far each folder of documents is read, by source."""
    problems: list[ProblemOccurred] = field(default_factory=list)
    spent: dict[Role, Spent] = field(default_factory=lambda: {role: Spent() for role in Role})
    cached: int = 0
    """Summaries that came from the cache, or from a call that another researcher was making."""
    saved: int = 0
    """Those of them for which a model would have been called."""
    searches_usd: float = 0.0
    """What services charge for searches; those that a model makes are among its calls."""
    spared_tokens: int = 0
    """About how many tokens of pages no model was shown, because they do not bear on what is asked."""
    calls: list[Call] = field(default_factory=list)
    """Every call that has returned, in the order in which they did."""
    draft: str = ""
    """The report as the analyst writes it, with evidence ids."""
    sections: dict[str, SectionView] = field(default_factory=dict)
    """The sections of a report written in parts, by researcher, until the whole report is put together."""
    report_by: str = ""
    """Who wrote the report: `extractive` if it was composed by rule."""
    finish_requested: bool = False
    stop_requested: bool = False
    questions: list[str] = field(default_factory=list)
    """Added by the user while the research was under way, each once."""
    blocked: list[str] = field(default_factory=list)
    """Sites and collections that the user blocked, each once."""
    answers: dict[int, FollowUpAnswered] = field(default_factory=dict)
    """The last answer to each question about the report, by the number of the question."""
    answer_searches: dict[int, str] = field(default_factory=dict)
    """Id of the small run that was last started to search for a question, by its number."""
    progress: float = 0.0
    """How far it is, 0 to 1; never goes back, unless the run broke off."""

    @classmethod
    def of(cls, events: Iterable[Event]) -> Self:
        """Return the view of a run with these events."""
        return cls().extend(events)

    def extend(self, events: Iterable[Event]) -> Self:
        """Take in further events, in order; those already taken in are passed over. Those without number never are."""
        for event in events:
            if 0 < event.seq <= self.seq:
                continue
            self._enter(event)
            self.seq = event.seq or self.seq
            self.last_at = event.at or self.last_at
        self.progress = max(self.progress, _progress(self))
        return self

    def end(self) -> None:
        """Know that the run is over, whether or not its events say so: those of a run that broke off do not."""
        self.phase, self.progress = Phase.ENDED, 1.0

    def forget_notes(self) -> None:
        """Know that the notes of the run were deleted."""
        self.notes.clear()

    @property
    def topics(self) -> list[LaneView]:
        """The researchers whose topics were handed out, in that order."""
        return [lane for lane in self.lanes.values() if lane.is_queued]

    @property
    def queries(self) -> set[str]:
        """Different queries, however many sources each was sent to."""
        return {search.query for lane in (self.supervisor, *self.lanes.values()) for search in lane.asked.values()}

    @property
    def reflections(self) -> list[Reflected]:
        """What all analysts thought aloud, in order."""
        said = (thought for lane in (self.supervisor, *self.lanes.values()) for thought in lane.reflections)
        return sorted(said, key=lambda thought: thought.seq)

    @property
    def total(self) -> Spent:
        """What the calls of all models, and the searches that cost something, came to."""
        return Spent.together([*self.spent.values(), Spent(cost_usd=self.searches_usd)])

    @property
    def worked(self) -> timedelta:
        """How long it has been carried out."""
        return self.last_at - self.started_at - self.paused if self.last_at and self.started_at else timedelta()

    @property
    def is_ending(self) -> bool:
        """Whether research has ended, or is to."""
        return self.ending is not None or self.finish_requested or self.stop_requested

    @property
    def is_steerable(self) -> bool:
        """Whether questions, topics and sites can still be asked for: research is under way and nobody ended it."""
        return self.phase is Phase.RESEARCHING and not self.is_ending

    def is_blocked(self, site: str) -> bool:
        """Whether the user blocked a site, or one above it."""
        return is_below(site.casefold(), self.blocked)

    def wanted(self, evidence: Iterable[Evidence]) -> list[Evidence]:
        """Return `evidence` but that of sites which were blocked, and that which only dropped topics found."""
        dropped = {name for lane in self.lanes.values() if lane.dropped for name in lane.found}
        others = {name for lane in self.lanes.values() if not lane.dropped for name in lane.found}
        out = {name for name, page in self.pages.items() if self.is_blocked(page.site)}
        return [entry for entry in evidence if entry.id not in dropped - others and entry.source not in out]

    def lane(self, name: str) -> LaneView:
        """Return the lane of that name, opening it if need be."""
        if name == SUPERVISOR:
            return self.supervisor
        if name not in self.lanes:
            self.lanes[name] = LaneView(name)
        return self.lanes[name]

    def _enter(self, event: Event) -> None:
        """Enter one event where it belongs; nearly all are of a researcher."""
        if isinstance(event, LaneEvent):
            self.lane(event.lane).enter(event)
            self._enter_findings(event)
            return
        match event:
            case RunStarted() | RunResumed() | ResearchFinished() | RunFinished():
                self._enter_course(event)
            case DepthChosen() | PlanDrafted() | PlanHeld() | PlanSettled():
                self.plan.enter(event)
            case ReportStarted() | ReportExtended() | ReportWritten():
                self._enter_writing(event)
            case SectionExtended() | SectionWritten():
                self.sections.setdefault(event.section, SectionView(event.title)).enter(event)
                self.draft = self._sections_in_order()
            case ProblemOccurred() | FinishRequested() | StopRequested() | QuestionAdded() | SiteBlocked():
                self._enter_steering(event)
            case FollowUpAnswered(number=number):
                self.answers[number] = event
            case FollowUpSearched(number=number, run=run):
                self.answer_searches[number] = run
            case NoteTaken():
                self.notes.append(event)
            case CollectionIndexed(source=source):
                self.indexing[source] = event
            case ModelCalled(role=role):
                self.spent[role].enter(event)
                self._returned(role.value, CallKind.FAILED if event.error else CallKind.MODEL, event)

    def _enter_course(self, event: RunEvent) -> None:
        match event:
            case RunStarted():
                self.brief, self.analyst, self.method = event.brief, event.analyst, event.method
                self.models, self.started_at, self.phase = dict(event.models), event.at, Phase.RESEARCHING
            case RunResumed():
                # It goes on where it broke off; what was asked and not answered by then never will be.
                self.models, self.phase, self.progress = dict(event.models), Phase.RESEARCHING, 0.0
                self.sections = {name: one for name, one in self.sections.items() if one.is_whole}
                self.draft = self._sections_in_order()
                self.paused += event.at - self.last_at if event.at and self.last_at else timedelta()
                for lane in (self.supervisor, *self.lanes.values()):
                    lane.lose()
            case ResearchFinished():
                self.ending = event
            case RunFinished():
                self.phase, self.seconds = Phase.ENDED, event.seconds

    def _enter_writing(self, event: ReportStarted | ReportExtended | ReportWritten) -> None:
        match event:
            case ReportStarted():
                self.phase, self.draft, self.report_by = Phase.WRITING, "", event.analyst
            case ReportExtended():
                self.draft += event.text
            case ReportWritten():
                self.report_by = event.analyst

    def _sections_in_order(self) -> str:
        order = sorted(self.sections, key=lambda name: (len(name), name))
        return "\n\n".join(f"## {self.sections[name].title}\n\n{self.sections[name].text}" for name in order)

    def _enter_steering(self, event: SteeringEvent) -> None:
        match event:
            case ProblemOccurred():
                self.problems.append(event)
            case FinishRequested():
                self.finish_requested = True
            case StopRequested():
                self.stop_requested = True
            case QuestionAdded(question=question) if question not in self.questions:
                self.questions.append(question)
            case SiteBlocked(site=site) if site not in self.blocked:
                self.blocked.append(site)

    def _enter_findings(self, event: Event) -> None:
        """Enter what of a researcher's doings belongs to the run as well."""
        match event:
            case PageRead(page=page):
                self.pages[page] = event
            case EvidenceFound(id=name, source=page):
                self.evidence[name] = Evidence(
                    id=name, source=page, quote=event.quote, start=event.start, end=event.end
                )
            case PageSummarised(cached=cached):
                self.cached += cached
                self.saved += cached and not event.by_rule
                self.spared_tokens += event.spared_tokens
                self._returned(event.lane, CallKind.CACHED if cached else CallKind.PAGE, event)
            case SearchStarted():
                self.searches += 1
            case SearchReturned():
                self.searches_usd += event.cost_usd
                self._returned(event.lane, CallKind.SEARCH, event)
            case SearchFailed():
                self.searches_usd += event.cost_usd
                self._returned(event.lane, CallKind.FAILED, event)

    def _returned(
        self, row: str, kind: CallKind, event: ModelCalled | PageSummarised | SearchReturned | SearchFailed
    ) -> None:
        if event.at is not None:
            self.calls.append(Call(row, kind, event.at - self.paused, event.seconds))


# --- How far it is ---------------------------------------------------------------------------------------------------

_STARTED, _HANDED_OUT, _RESEARCHED, _WRITING, _WRITTEN = 0.03, 0.05, 0.75, 0.8, 0.97
"""What of the whole is over by then: research counts for about four fifths, writing for the rest."""
_LONG_REPORT = 6_000
"""Characters after which the writing is nearly over; reports have no known length while they are written."""


def _progress(run: RunView) -> float:
    """Estimate how far a run is, as far as can be told before its end."""
    if run.phase is Phase.ENDED:
        return 1.0
    if run.phase is Phase.WRITING:
        return _WRITING + (_WRITTEN - _WRITING) * min(1.0, len(run.draft) / _LONG_REPORT)
    if run.brief is None:
        return 0.0
    if not run.lanes:
        return _STARTED
    queries = _queries_at_most(run.brief.preset, run.method, run.plan.depth)
    done = sum(1.0 if lane.is_over else min(0.9, len(lane.queries) / queries) for lane in run.lanes.values())
    return _HANDED_OUT + (_RESEARCHED - _HANDED_OUT) * done / len(run.lanes)


def _queries_at_most(preset: PresetName, method: MethodName | None, chosen: DepthChosen | None) -> int:
    """Return how many queries one lane may make under a run's method, as far as that is known."""
    limits = PRESETS[preset].limits
    match method:
        case MethodName.OUTLINED if chosen is not None:
            return chosen.depth.iterations * chosen.depth.queries_per_section
        case MethodName.CHAINED:
            return limits.methods.chain
        case MethodName.GAP_DRIVEN:
            return limits.methods.gap_iterations * limits.queries
        case MethodName.NOTED:
            return limits.methods.cycles * limits.methods.planned_queries
    return limits.searches * limits.queries
