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
from research.core.brief import Brief, Outline
from research.core.events import SUPERVISOR, Event, LaneEvent
from research.core.ledger import Evidence
from research.core.safety import is_below
from research.core.vocabulary import PRESETS, MethodName, Role, StopReason

# --- one researcher, the plan, one section of the report -------------------------------------------------------------


class LaneState(StrEnum):
    """Where a researcher stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass
class SearchView:
    """One query to one source, and what came of it."""

    id: str
    query: str
    source: str
    pages: int | None = None
    """None while the answer is awaited; 0 if it failed."""
    new: int = 0
    """Pages that the topic had not met before."""
    failed: str = ""
    """Code of the problem (see `research.core.errors`), if it failed."""
    lost: bool = False
    """Nobody waits for the answer: the run broke off meanwhile."""


@dataclass
class PageReading:
    """What one researcher took from one page."""

    page: str
    summarised: told.PageSummarised | None = None
    """None while the page is being summarised."""
    quotes: list[str] = field(default_factory=list)
    """Ids of evidence."""


@dataclass
class LaneView:
    """One researcher, or the supervisor; a further question that is searched for again goes on in its lane."""

    name: str
    topic: str = ""
    title: str = ""
    """The title of the section that it works on, if it is one."""
    is_queued: bool = False
    """Its topic was handed out."""
    state: LaneState = LaneState.QUEUED
    began_at: datetime | None = None
    seconds: float | None = None
    """From the first decision to the end; None before, or if no times are known."""
    finished: list[told.TopicFinished] = field(default_factory=list)
    """How it ended; more than once if the run broke off then and went on, or its question was searched for again."""
    dropped: bool = False
    """The user dropped its topic."""
    asked: dict[str, SearchView] = field(default_factory=dict)
    """Its searches by id, in order."""
    queries: set[str] = field(default_factory=set)
    """Different queries made so far, but those whose answer got lost; each may have gone to several sources."""
    readings: dict[str, PageReading] = field(default_factory=dict)
    """By page id, in the order read."""
    reflections: list[told.Reflected] = field(default_factory=list)
    assessed: list[told.Assessed] = field(default_factory=list)
    """What was counted after each search, in order."""
    activity: str = ""
    """What it did last: a query, or a reflection."""
    found: set[str] = field(default_factory=set)
    """Ids of all the evidence that it ever found."""
    evidence: dict[str, None] = field(default_factory=dict)
    """Ids of what it kept of that: a set in the order found."""
    kept: int | None = None
    """How many quotes were kept when its findings were compressed."""
    _before: dict[str, None] = field(default_factory=dict)
    """What it kept when its topic was handed out the last time: nothing, unless it had been searched for before."""

    @property
    def label(self) -> str:
        """What its topic is called in a few words, if it is a section of a plan; else the topic."""
        return self.title or self.topic

    @property
    def reason(self) -> str:
        """Why it ended, a code of `StopReason`; empty if it has not come to its end."""
        return self.finished[-1].reason if self.finished else ""

    @property
    def why(self) -> str:
        """The same in the words of whoever decided, if they gave any."""
        return self.finished[-1].why if self.finished else ""

    @property
    def notes(self) -> str:
        """What its findings were condensed to, if they were."""
        return self.finished[-1].notes if self.finished else ""

    @property
    def searches(self) -> list[SearchView]:
        """Its searches in order, but those whose answer got lost."""
        return [search for search in self.asked.values() if not search.lost]

    @property
    def quotes(self) -> int:
        """Quotes found so far."""
        return sum(len(reading.quotes) for reading in self.readings.values())

    @property
    def is_over(self) -> bool:
        """Whether the researcher has ended."""
        return self.state in (LaneState.DONE, LaneState.FAILED)

    def enter(self, event: LaneEvent) -> None:
        """Enter what happened to this researcher."""
        match event:
            case told.SearchStarted(search=search, query=query, source=source):
                self.asked[search] = SearchView(search, query, source)
                self.queries.add(query)
                self.activity = query
            case told.SearchReturned(search=search) if search in self.asked:
                self.asked[search].pages, self.asked[search].new = event.pages, event.new
            case told.SearchFailed(search=search) if search in self.asked:
                self.asked[search].pages, self.asked[search].failed = 0, event.code
            case told.EvidenceFound(id=name):
                self._keep([name])
            case told.PageRead(page=page):
                self._reading(page)
            case told.PageSummarised(page=page, evidence=quotes):
                reading = self._reading(page)
                reading.summarised = event
                reading.quotes += [name for name in quotes if name not in reading.quotes]
                self._keep(quotes)
            case told.Reflected():
                self.reflections.append(event)
                self.activity = event.reflection
            case told.Assessed():
                self.assessed.append(event)
            case told.FindingsCompressed(kept=kept):
                self.kept = len(kept)
                self._settle(kept)
            case _:
                self._enter_course(event)

    def _enter_course(self, event: LaneEvent) -> None:
        match event:
            case told.TopicQueued():
                self.topic, self.title, self.is_queued = event.topic, event.title, True
                self._before = dict(self.evidence)
            case told.TopicStarted():
                self.state, self.began_at = LaneState.RUNNING, event.at
            case told.TopicDropped():
                self.dropped = True
            case told.TopicFinished():
                self.state = LaneState.FAILED if event.reason == StopReason.FAILED else LaneState.DONE
                self.seconds = (event.at - self.began_at).total_seconds() if event.at and self.began_at else None
                self.finished.append(event)
                self.found.update(event.evidence)
                self._settle(event.evidence)

    def _reading(self, page: str) -> PageReading:
        return self.readings.setdefault(page, PageReading(page))

    def _keep(self, names: Iterable[str]) -> None:
        self.evidence.update(dict.fromkeys(names))
        self.found.update(names)

    def _settle(self, kept: Iterable[str]) -> None:
        self.evidence = self._before | dict.fromkeys(kept)

    def lose(self) -> None:
        """Know that the run broke off: nobody waits for answers that are missing, or reads on in pages."""
        for search in self.asked.values():
            search.lost = search.lost or search.pages is None
        self.queries = {search.query for search in self.searches}
        self.readings = {page: reading for page, reading in self.readings.items() if reading.summarised}


@dataclass
class PlanView:
    """The plan of the report, as far as there is one."""

    depth: told.DepthChosen | None = None
    outline: Outline | None = None
    settled: told.PlanSettled | None = None
    """With what plan research began, once it did."""
    begins_at: datetime | None = None
    """Until when it can be edited, while it waits for that."""
    waits_from: datetime | None = None
    """Since when it has been waiting, while it does."""
    waited: float = 0.0
    """Seconds that it waited; a cap on the run's time does not count them."""
    is_held: bool = False
    """Somebody is editing it."""
    edited: bool = False
    """Somebody edited it."""
    step_budget: int | None = None
    """Steps that it may take; None where they are not counted."""

    @property
    def is_settled(self) -> bool:
        """Whether research has begun with it."""
        return self.settled is not None

    def waited_until(self, now: datetime) -> float:
        """Return how many seconds it has waited to be read or edited, until `now`."""
        return self.waited + ((now - self.waits_from).total_seconds() if self.waits_from else 0.0)

    def enter(self, event: Event) -> None:
        """Enter what became of the plan."""
        match event:
            case told.DepthChosen():
                self.depth = event
            case told.PlanDrafted():
                self.outline, self.begins_at = event.outline, event.begins_at
                self.waits_from = event.at if event.begins_at else None
            case told.PlanHeld():
                self.begins_at, self.is_held = event.begins_at, True
            case told.PlanSettled():
                self.outline, self.settled, self.begins_at, self.is_held = event.outline, event, None, False
                self.edited, self.step_budget = event.edited, event.step_budget
                if self.waits_from is not None and event.at is not None:
                    self.waited, self.waits_from = (event.at - self.waits_from).total_seconds(), None


@dataclass
class SectionView:
    """A section of the report while it is written."""

    title: str
    pieces: dict[int, str] = field(default_factory=dict)
    """Text by its place in the section."""
    analyst: str = ""
    """Who wrote it; empty while it grows."""
    evidence: tuple[str, ...] = ()
    """What it was written from."""

    @property
    def is_whole(self) -> bool:
        """Whether it is written to its end."""
        return bool(self.analyst)

    @property
    def text(self) -> str:
        """Its text so far, without the heading."""
        return "\n\n".join(self.pieces[place].strip() for place in sorted(self.pieces) if self.pieces[place].strip())

    def enter(self, event: told.SectionExtended | told.SectionWritten) -> None:
        """Take in what was told of it."""
        match event:
            case told.SectionExtended(piece=place, anew=anew):
                self.pieces[place] = event.text if anew else self.pieces.get(place, "") + event.text
                self.analyst = ""
            case told.SectionWritten():
                self.analyst, self.evidence = event.analyst, event.evidence


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
    def queries(self) -> list[str]:
        """The queries of each researcher, each once, however many sources it was sent to: the searches of the run."""
        return [query for lane in self._all_lanes for query in dict.fromkeys(one.query for one in lane.asked.values())]

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
                if self.sections:
                    self.phase = Phase.WRITING
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
                if self.ending:
                    self.phase = Phase.WRITING

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
