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

from research.core import events as told
from research.core.addresses import is_below
from research.core.brief import Brief
from research.core.events import SUPERVISOR, Event, LaneEvent
from research.core.lanes import LaneState, LaneView, PlanView, SectionView
from research.core.ledger import Evidence
from research.core.vocabulary import PRESETS, MethodName, Role


class Phase(StrEnum):
    """What a run is doing."""

    WAITING = "waiting"
    RESEARCHING = "researching"
    WRITING = "writing"
    ENDED = "ended"


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

    def enter(self, call: told.ModelCalled) -> None:
        """Enter one more call."""
        self.calls += 1
        self.input_tokens += call.input_tokens
        self.output_tokens += call.output_tokens
        self.cached_tokens += call.cached_tokens
        self.cost_usd += call.cost_usd or 0.0
        self.unpriced = self.unpriced or call.cost_usd is None


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
    pages: dict[str, told.PageRead] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    """Every quote by id, in the order found; several researchers may have found the same."""
    notes: list[told.NoteTaken] = field(default_factory=list)
    ending: told.ResearchFinished | None = None
    """Why the research ended, once it has."""
    indexing: dict[str, told.CollectionIndexed] = field(default_factory=dict)
    """How far each folder of documents is read, by source."""
    problems: list[told.ProblemOccurred] = field(default_factory=list)
    spent: dict[Role, Spent] = field(default_factory=lambda: {role: Spent() for role in Role})
    total: Spent = field(default_factory=Spent)
    """What the calls of all models, and the searches that cost something, came to."""
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
    answers: dict[int, told.FollowUpAnswered] = field(default_factory=dict)
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
        return {search.query for lane in self._all_lanes for search in lane.asked.values()}

    @property
    def reflections(self) -> list[told.Reflected]:
        """What all analysts thought aloud, in order."""
        said = (thought for lane in self._all_lanes for thought in lane.reflections)
        return sorted(said, key=lambda thought: thought.seq)

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

    @property
    def _all_lanes(self) -> list[LaneView]:
        return [self.supervisor, *self.lanes.values()]

    def _lane(self, name: str) -> LaneView:
        return self.supervisor if name == SUPERVISOR else self.lanes.setdefault(name, LaneView(name))

    def _enter(self, event: Event) -> None:
        """Enter one event where it belongs; nearly all are of a researcher."""
        match event:
            case LaneEvent(lane=lane):
                self._lane(lane).enter(event)
                self._enter_findings(event)
            case told.ModelCalled(role=role):
                self.spent[role].enter(event)
                self.total.enter(event)
                self._returned(role.value, CallKind.FAILED if event.error else CallKind.MODEL, event)
            case told.NoteTaken():
                self.notes.append(event)
            case told.CollectionIndexed(source=source):
                self.indexing[source] = event
            case told.ProblemOccurred():
                self.problems.append(event)
            case told.FollowUpAnswered(number=number):
                self.answers[number] = event
            case told.FollowUpSearched(number=number, run=run):
                self.answer_searches[number] = run
            case _:
                self._enter_course(event)
                self._enter_wish(event)
                self._enter_writing(event)
                self.plan.enter(event)

    def _enter_findings(self, event: LaneEvent) -> None:
        """Enter what of a researcher's doings belongs to the run as well."""
        match event:
            case told.PageRead(page=page):
                self.pages[page] = event
            case told.EvidenceFound(id=name):
                self.evidence[name] = Evidence(**event.model_dump(include=set(Evidence.model_fields)))
            case told.PageSummarised(cached=cached):
                self.cached += cached
                self.saved += cached and not event.by_rule
                self.spared_tokens += event.spared_tokens
                self._returned(event.lane, CallKind.CACHED if cached else CallKind.PAGE, event)
            case told.SearchStarted():
                self.searches += 1
            case told.SearchReturned() | told.SearchFailed():
                self.searches_usd += event.cost_usd
                self.total.cost_usd += event.cost_usd
                kind = CallKind.SEARCH if isinstance(event, told.SearchReturned) else CallKind.FAILED
                self._returned(event.lane, kind, event)

    def _returned(
        self,
        row: str,
        kind: CallKind,
        event: told.ModelCalled | told.PageSummarised | told.SearchReturned | told.SearchFailed,
    ) -> None:
        if event.at is not None:
            self.calls.append(Call(row, kind, event.at - self.paused, event.seconds))

    def _enter_course(self, event: Event) -> None:
        match event:
            case told.RunStarted():
                self.brief, self.analyst, self.method = event.brief, event.analyst, event.method
                self.models, self.started_at, self.phase = dict(event.models), event.at, Phase.RESEARCHING
            case told.RunResumed():
                # It goes on where it broke off; what was asked and not answered by then never will be.
                self.models, self.phase, self.progress = dict(event.models), Phase.RESEARCHING, 0.0
                self.sections = {name: one for name, one in self.sections.items() if one.is_whole}
                self.draft = self._sections_in_order()
                self.paused += event.at - self.last_at if event.at and self.last_at else timedelta()
                for lane in self._all_lanes:
                    lane.lose()
            case told.ResearchFinished():
                self.ending = event
            case told.RunFinished():
                self.phase, self.seconds = Phase.ENDED, event.seconds

    def _enter_wish(self, event: Event) -> None:
        match event:
            case told.FinishRequested():
                self.finish_requested = True
            case told.StopRequested():
                self.stop_requested = True
            case told.QuestionAdded(question=question) if question not in self.questions:
                self.questions.append(question)
            case told.SiteBlocked(site=site) if site not in self.blocked:
                self.blocked.append(site)

    def _enter_writing(self, event: Event) -> None:
        match event:
            case told.ReportStarted():
                self.phase, self.draft, self.report_by = Phase.WRITING, "", event.analyst
            case told.ReportExtended():
                self.draft += event.text
            case told.ReportWritten():
                self.report_by = event.analyst
            case told.SectionExtended() | told.SectionWritten():
                self.sections.setdefault(event.section, SectionView(event.title)).enter(event)
                self.draft = self._sections_in_order()

    def _sections_in_order(self) -> str:
        order = sorted(self.sections, key=lambda name: (len(name), name))
        return "\n\n".join(f"## {self.sections[name].title}\n\n{self.sections[name].text}" for name in order)


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
    queries = _queries_at_most(run, run.brief)
    done = sum(1.0 if lane.is_over else min(0.9, len(lane.queries) / queries) for lane in run.lanes.values())
    return _HANDED_OUT + (_RESEARCHED - _HANDED_OUT) * done / len(run.lanes)


def _queries_at_most(run: RunView, brief: Brief) -> int:
    """Return how many queries one lane may make under a run's method, as far as that is known."""
    limits = PRESETS[brief.preset].limits
    match run.method:
        case MethodName.OUTLINED if run.plan.depth is not None:
            return run.plan.depth.depth.iterations * run.plan.depth.depth.queries_per_section
        case MethodName.CHAINED:
            return limits.methods.chain
        case MethodName.GAP_DRIVEN:
            return limits.methods.gap_iterations * limits.queries
        case MethodName.NOTED:
            return limits.methods.cycles * limits.methods.planned_queries
    return limits.searches * limits.queries
