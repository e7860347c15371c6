"""What the graphs share during a run: the world, passed in, and the run's own books, which can be made again."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import count
from typing import Protocol, TypeVar

from research import core
from research.analysts import Analyst, PageRequest, PageSummary, ResearcherAction, ResearcherView, TopicResult
from research.gaps import Relevance, search_words
from research.meaning import Meaning
from research.results import RunRecord
from research.sources import FoundPage, Source, Toolbox, countries_asked

T = TypeVar("T")


class Control:
    """Takes in what is asked, and keeps it until the part of the run that it concerns comes to it.

    Used on the run's event loop alone.
    """

    def __init__(self, *, attended: bool = False) -> None:
        self.attended = attended
        """Somebody watches: a plan waits for them."""
        self.finish = asyncio.Event()
        """Stop researching and write the report from what there is. Final."""
        self.stop = asyncio.Event()
        """Stop at once; the report is composed by rule. Final."""
        self.of_books: asyncio.Queue[core.BookSteer] = asyncio.Queue()
        """What is asked of questions, topics and sites."""
        self._of_plan: asyncio.Queue[core.PlanSteer] = asyncio.Queue()

    def hear(self, steer: core.Steer) -> None:
        """Take in what was asked."""
        match steer:
            case core.FinishNow():
                self.finish.set()
            case core.StopNow():
                self.stop.set()
            case core.HoldPlan() | core.BeginWithPlan():
                self._of_plan.put_nowait(steer)
            case core.AddQuestion() | core.DropTopic() | core.BlockSite():
                self.of_books.put_nowait(steer)

    async def of_plan(self, seconds: float) -> core.PlanSteer | None:
        """Wait for what is asked next of the plan; return None if nothing is for so long."""
        try:
            async with asyncio.timeout(seconds):
                return await self._of_plan.get()
        except TimeoutError:
            return None


async def unless(event: asyncio.Event, work: Awaitable[T]) -> T | None:
    """Do `work`, but give it up and return None as soon as `event` is set."""
    task = asyncio.ensure_future(work)
    waiting = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for pending in (task, waiting):
            pending.cancel()
        await asyncio.gather(task, waiting, return_exceptions=True)


Ahead = list[tuple[str, FoundPage]]
"""Pages that were found before there was a plan, each with the id of its search."""

Decide = Callable[[ResearcherView], Awaitable[list[ResearcherAction]]]
"""Chooses the next actions of one researcher; an empty list ends its topic. This is where methods differ."""


@dataclass
class Lane:
    """The books of one researcher. They outlive it: what it found is kept, however it ends."""

    name: str
    topic: str
    limits: core.Limits
    """Those of this researcher alone."""
    decide: Decide
    section: core.Section | None = None
    seconds: float | None = None
    """After so long it ends with what it has; None if it may take its time."""
    assessment: core.Assessment | None = None
    """What was counted after its last search."""
    pages: set[str] = field(default_factory=set)
    """Where the pages are that this researcher has met; see `research.core.place_of`."""
    evidence: list[str] = field(default_factory=list)
    late: dict[str, asyncio.Task[str]] = field(default_factory=dict)
    """Pages, by address, that are read while it goes on; once read they are told with its next search."""
    is_closing: bool = False
    """It has done its last search: only what it began to read is still read."""
    notes: str = ""
    is_queued: bool = False
    """Its topic was handed out; known of a run that broke off, and not reported a second time."""
    ended: core.StopReason | None = None
    """Why its research ended; None while it goes on."""
    dropped: asyncio.Event = field(default_factory=asyncio.Event)
    """The user dropped its topic: it ends, and what it found is left out of the report."""

    @property
    def has_failed(self) -> bool:
        """Whether its researcher failed before it was done."""
        return self.ended is core.StopReason.FAILED

    @property
    def subject(self) -> str:
        """What it is about: its topic; of a section, whose topic repeats the question, title and what is looked for."""
        return self.topic if self.section is None else "; ".join((self.section.title, *self.section.wanted))


@dataclass(frozen=True)
class WrittenSection:
    """A section of the report."""

    title: str
    text: str
    """Without its heading."""
    evidence: tuple[str, ...]
    """What it was written from."""
    is_by_rule: bool


@dataclass
class Desk:
    """The sections of a report that is written in parts, by researcher."""

    tasks: dict[str, asyncio.Task[WrittenSection]] = field(default_factory=dict)
    claims: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Which evidence each section tells of: each piece is told in one section."""
    kept: dict[str, core.SectionView] = field(default_factory=dict)
    """Written before the run broke off, whole or in part."""
    most: int | None = None
    """Quotes that one request may show at most, once more proved too many for the model's window."""
    failures: Counter[core.Role] = field(default_factory=Counter)
    """How often in a row a role's model wrote nothing, or next to nothing."""
    foreign: set[str] = field(default_factory=set)
    """Models that wrote in another language than was asked for: they are asked last."""


class Journal(Protocol):
    """Where a run is recorded as it happens."""

    @property
    def events(self) -> Sequence[core.Event]:
        """All that was told, as it is stored; of a run that goes on, from its first beginning."""

    def emit(self, event: core.Event) -> core.Event:
        """Number, time and store an event; return it stamped. Never raises."""

    def keep(self, page: core.Page) -> None:
        """Store the snapshot of a page. Never raises."""

    def answer(self, search: str) -> str | None:
        """Return what a search that has a price answered in this run, also before it broke off; None if it did not."""

    async def keep_answer(self, search: str, answer: str) -> None:
        """Store what a search that has a price answered, until the run ends: at once if that can be. Never raises."""

    async def keep_run(self) -> None:
        """See to it that the run is still this process's, before it pays for something; else wait to be stopped."""


Summarise = Callable[[Analyst, PageRequest], Awaitable[tuple[PageSummary, bool]]]
"""Has an analyst summarise a page, and says whether that cost no call of its own (kept from before, or shared)."""


async def _each_time(analyst: Analyst, request: PageRequest) -> tuple[PageSummary, bool]:
    return await analyst.summarise(request), False


async def _nothing_to_close() -> None:
    """A world without connections."""


def _nothing_to_load() -> None:
    """A world without models."""


WriteOut = Callable[[RunRecord, Mapping[str, core.Page], Mapping[core.Role, str]], str]
"""Turns a record, the pages that it cites and the models' names into the report that is handed out."""


@dataclass(frozen=True)
class World:
    """Everything that a run touches outside itself."""

    analyst: Analyst
    rules: Analyst
    """The analyst that needs no model: takes over where the other fails."""
    sources: Sequence[Source]
    now: Callable[[], datetime]
    """The current time, with a time zone."""
    write_out: WriteOut
    summarise: Summarise = _each_time
    models: Mapping[core.Role, str] = field(default_factory=dict)
    """The model of each role, to be named; empty where no model is used."""
    channel: core.RunChannel = field(default_factory=core.RunChannel)
    """Connected by the engine when the run begins."""
    load: Callable[[], None] = _nothing_to_load
    """Loads what its first calls need, which would hold up all runs of the process. Called in a thread."""
    close: Callable[[], Coroutine[object, object, None]] = _nothing_to_close
    """Closes what this world holds open. Called once, by whoever had it made, when the run has ended."""
    relevance: Relevance = field(default_factory=Relevance)
    """Tells how far what was found speaks of what is asked: by words alone unless somebody can compare by meaning."""
    meaning: Meaning = field(default_factory=Meaning)
    """Compares texts by meaning, for everybody in this world."""
    toolbox: Toolbox | None = None
    """Tools besides searching, if the user set any up."""
    shares_own_words: bool = False
    """The user agreed that queries to the web and to servers may hold words of own documents."""
    is_traced: bool = False
    """The user wants all that happens sent to LangSmith."""
    secrets: tuple[str, ...] = ()
    """Keys and headers, which appear in nothing that is kept or shown."""

    @property
    def is_by_rule(self) -> bool:
        """Whether nobody is asked who may be slow, dear or wrong."""
        return self.analyst is self.rules

    @property
    def is_repeatable(self) -> bool:
        """Whether the same question has the same report: rules read what lies on this computer.

        There nobody answers while others reckon: one thing is done after another, in as much time.
        """
        return self.is_by_rule and not any(core.SourceName(source.name).leaves for source in self.sources)


@dataclass
class RunContext:
    """The context of one run, handed to every node."""

    run: str
    brief: core.Brief
    world: World
    journal: Journal
    control: Control
    limits: core.Limits
    outline: core.Outline | None = None
    """The plan, once there is one."""
    ledger: core.Ledger = field(default_factory=core.Ledger)
    lanes: list[Lane] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    """Questions that the user added and that nobody researches yet."""
    blocked_sites: list[str] = field(default_factory=list)
    """Sites and collections that the user blocked."""
    earlier: core.RunView = field(default_factory=core.RunView)
    """What it had reported before it broke off; a method looks here before it decides anew."""
    waiting: dict[str, Lane] = field(default_factory=dict)
    """Researchers of before it broke off by topic, in the order of their names, until their topics are opened again."""
    desk: Desk = field(default_factory=Desk)
    ahead: asyncio.Task[Ahead] | None = None
    """The search for the question itself while somebody plans, until there are researchers for what it finds."""
    unprepared: list[str] = field(default_factory=list)
    """Quotes whose meanings are not compared yet, and will be."""
    preparing: asyncio.Task[None] | None = None
    """Makes ready what it takes to compare them."""
    is_researched: bool = False
    """Research has ended, and no further question can be taken up."""
    in_hand: int = 0
    """Pages that are being read and decisions that are being made: what is paid for, and done before a cap ends it."""
    told: set[str] = field(default_factory=set)
    """Codes of problems that are told once."""
    searches: count[int] = field(default_factory=lambda: count(1))
    asking: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    """Held by who makes a search that has a price: whoever wants the same waits, and has that answer."""
    started_at: datetime = field(init=False)
    spending: core.Spending = field(init=False)
    """What it has spent of the cap that the brief sets."""
    outgoing: core.Outgoing = field(init=False)
    """What queries that leave this computer may say."""
    countries: frozenset[str] = field(init=False)
    """Those that the brief is about; none if it leaves that open."""

    def __post_init__(self) -> None:
        self.started_at = self.world.now()
        self.countries = countries_asked(self.brief)
        self.spending = core.Spending(self.brief, self.world.models, ready=self.journal.keep_run)
        # What is left out of a search about a report are topics of its run, in words that may be of own documents.
        told = core.compose(self.brief.model_copy(update={"exclusions": ()}))
        self.outgoing = core.Outgoing(told, self.today, ordinary=search_words(), is_free=self.world.shares_own_words)

    @property
    def today(self) -> date:
        """The day of the run, which every prompt but a page summary's is told."""
        return self.started_at.date()

    @property
    def method(self) -> core.MethodName:
        """How this run's research is organised."""
        return core.method_of(self.brief)

    @property
    def results(self) -> tuple[TopicResult, ...]:
        """What the researchers brought back so far, without what the user wants left out."""
        return tuple(self._result(lane) for lane in self.lanes if not lane.dropped.is_set())

    def _result(self, lane: Lane) -> TopicResult:
        usable = tuple(entry.id for entry in self.usable(lane.evidence))
        # The notes may rest on what is blocked.
        notes = lane.notes if len(usable) == len(lane.evidence) else ""
        return TopicResult(lane.topic, usable, notes, lane.has_failed, lane.section, lane.assessment)

    def usable(self, ids: Iterable[str]) -> tuple[core.Evidence, ...]:
        """Return the evidence of these ids, without that of blocked sites."""
        entries = (self.ledger.evidence[name] for name in ids)
        return tuple(entry for entry in entries if not self.is_blocked(self.ledger.page_of(entry).site))

    def pages_of(self, evidence: Iterable[core.Evidence]) -> dict[str, core.Page]:
        """Return the pages that `evidence` quotes, by id."""
        return {entry.source: self.ledger.page_of(entry) for entry in evidence}

    @property
    def row_queries(self) -> dict[str, tuple[core.RowQuery, ...]]:
        """What models asked the rows of data files, by the ids of their pages."""
        read = (event for event in self.journal.events if isinstance(event, core.PageSummarised))
        return {event.page: event.queries for event in read if event.queries}

    def is_blocked(self, site: str) -> bool:
        """Whether the user blocked this site or collection."""
        return core.is_below(site.casefold(), self.blocked_sites)

    @property
    def wanted(self) -> tuple[core.Evidence, ...]:
        """All evidence but that of blocked sites, and that which only dropped topics found."""
        dropped = {name for lane in self.lanes if lane.dropped.is_set() for name in lane.evidence}
        others = {name for lane in self.lanes if not lane.dropped.is_set() for name in lane.evidence}
        return self.usable(name for name in self.ledger.evidence if name not in dropped - others)

    async def each(self, work: Iterable[Awaitable[T]]) -> list[T]:
        """Return what comes of all that is to be done: at once, or where it is repeatable, in this order."""
        if self.world.is_repeatable:
            return [await one for one in work]
        return await asyncio.gather(*work)

    def emit(self, event: core.Event) -> None:
        """Report a fact."""
        self.spending.note(event)
        self.outgoing.hear(event)
        self.journal.emit(event)

    def problem(self, stage: core.Stage, code: str, *, subject: str = "", lane: str = "", detail: str = "") -> None:
        """Report that something went wrong and the run goes on."""
        # Whatever fails may quote what it was given.
        told = core.without_secrets(detail, self.world.secrets) if detail else ""
        self.emit(core.ProblemOccurred(stage=stage, code=code, subject=subject, lane=lane, detail=told))

    def is_first(self, code: str) -> bool:
        """Whether `code` was not told yet, of what may happen many times in a run; from now on it was."""
        is_first = code not in self.told
        self.told.add(code)
        return is_first

    def cap_reached(self, stage: core.Stage, *, detail: str = "") -> None:
        """Report that the cap ended this stage."""
        self.problem(stage, "cap_reached", subject=core.cap_in_words(self.brief, self.brief.language), detail=detail)

    def open_lane(
        self,
        topic: str,
        *,
        limits: core.Limits | None = None,
        decide: Decide | None = None,
        section: core.Section | None = None,
    ) -> Lane:
        """Open the books of one more researcher, with the run's limits and its analyst's decisions unless given.

        Of a topic that the run had before it broke off, they are those of its first researcher.
        """
        limits, decide = limits or self.limits, decide or self.world.analyst.investigate
        lane = self.waiting.pop(topic, None)
        lane = lane or Lane(f"R{len(self.lanes) + len(self.waiting) + 1}", topic, limits, decide)
        lane.limits, lane.decide, lane.section = limits, decide, section
        self.lanes.append(lane)
        return lane


_BROKEN_OFF = ("", core.StopReason.FINISH, core.StopReason.CAP)
"""How a topic ended that did not end by itself: a program that is told to end finishes its topics."""


def restore(context: RunContext, run: core.RunView, pages: Mapping[str, core.Page]) -> None:
    """Enter into the books of `context` what an ended run had found, kept, planned and been asked to leave out.

    Nothing is searched: another report can be written, or a question answered.
    """
    _enter(context, run, pages)
    context.outline = run.plan.outline
    context.is_researched = True
    sections = {section.title: section for section in context.outline.sections} if context.outline else {}
    for topic in run.topics:
        lane = _lane(context, topic)
        lane.section = sections.get(topic.title)
        context.lanes.append(lane)
    if not run.topics and context.ledger.evidence:
        context.open_lane(context.brief.question).evidence.extend(context.ledger.evidence)


def take_up(context: RunContext, run: core.RunView, pages: Mapping[str, core.Page]) -> None:
    """Enter into the books of `context` all that a run had before it broke off, for its method to come to."""
    _enter(context, run, pages)
    context.earlier = run
    context.questions += run.questions
    context.searches = count(1 + run.searches)
    for topic in run.topics:
        lane = _lane(context, topic)
        lane.is_queued = True
        same = context.waiting.setdefault(lane.topic, lane)
        same.evidence += [name for name in lane.evidence if name not in same.evidence]


def _enter(context: RunContext, run: core.RunView, pages: Mapping[str, core.Page]) -> None:
    context.ledger = core.Ledger.of(pages.values(), run.evidence.values())
    context.blocked_sites += run.blocked
    if any(page.origin.is_private for page in pages.values()):
        context.world.meaning.keep_own_here()


def _lane(context: RunContext, topic: core.LaneView) -> Lane:
    lane = Lane(topic.name, topic.topic, context.limits, context.world.analyst.investigate)
    lane.notes = topic.notes
    if topic.reason not in _BROKEN_OFF:
        lane.ended = next(
            (reason for reason in core.StopReason if reason.value == topic.reason), core.StopReason.COMPLETE
        )
    lane.evidence = [name for name in topic.evidence if name in context.ledger.evidence]
    if topic.dropped:
        lane.dropped.set()
    return lane
