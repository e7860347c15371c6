"""What the three graphs share during one run: the world, passed in, and the run's own books."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import count
from typing import Any, Protocol, TypeVar

from research.analysts.protocol import Analyst, PageRequest, PageSummary, TopicResult
from research.brief import Brief
from research.events import Event, ProblemOccurred, Stage
from research.evidence import Evidence, Ledger, Page
from research.presets import Limits, Role
from research.sources.protocol import Source

T = TypeVar("T")


class Journal(Protocol):
    """Where a run is recorded as it happens."""

    def emit(self, event: Event) -> Event:
        """Number, time and store an event; return it stamped. Never raises."""
        ...

    def keep(self, page: Page) -> None:
        """Store the snapshot of a page. Never raises."""
        ...


class Summariser(Protocol):
    """Summarises a page once, whoever asks."""

    async def summarise(self, request: PageRequest) -> tuple[PageSummary, bool]:
        """Return the summary, and whether it cost no call of its own (kept from before, or shared)."""
        ...


class Control:
    """What the user asked of a run that is under way. Both wishes are final."""

    def __init__(self) -> None:
        self.finish = asyncio.Event()
        """Stop researching and write the report from what there is."""
        self.stop = asyncio.Event()
        """Stop at once; the report is composed by rule."""

    async def unless_finishing(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Do `work`, but give it up and return None as soon as the user wants to finish."""
        return await _unless(self.finish, work)

    async def unless_stopping(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Do `work`, but give it up and return None as soon as the user wants to stop."""
        return await _unless(self.stop, work)


async def _unless(event: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    task = asyncio.ensure_future(work)
    waiting = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for pending in (task, waiting):
            pending.cancel()
        await asyncio.gather(task, waiting, return_exceptions=True)


async def _nothing_to_close() -> None:
    """A world without connections."""


class Line:
    """How analysts and sources reach the books of the run that they work for."""

    def __init__(self) -> None:
        self._context: RunContext | None = None

    def connect(self, context: RunContext) -> None:
        """Lead to these books from now on; what is reported before goes nowhere."""
        self._context = context

    def emit(self, event: Event) -> None:
        """Report a fact: a model called, a folder indexed."""
        if self._context is not None:
            self._context.emit(event)

    def problem(self, stage: Stage, code: str, *, subject: str = "", detail: str = "") -> None:
        """Report that something went wrong and the work goes on."""
        if self._context is not None:
            self._context.problem(stage, code, subject=subject, detail=detail)


@dataclass(frozen=True)
class World:
    """Everything that a run touches outside itself."""

    analyst: Analyst
    rules: Analyst
    """The analyst that needs no model: takes over where the other fails."""
    sources: Sequence[Source]
    summariser: Summariser
    now: Callable[[], datetime]
    """The current time, with a time zone."""
    models: Mapping[Role, str] = field(default_factory=dict)
    """The model of each role, to be named; empty where no model is used."""
    line: Line = field(default_factory=Line)
    """Connected by the engine when the run begins."""
    close: Callable[[], Awaitable[None]] = _nothing_to_close
    """Closes what this world holds open. Called once, by whoever had it made, when the run has ended."""


@dataclass
class Lane:
    """The books of one researcher. They outlive it: what it found is kept, however it ends."""

    name: str
    topic: str
    pages: set[str] = field(default_factory=set)
    """Canonical addresses that this researcher has met."""
    evidence: list[str] = field(default_factory=list)
    notes: str = ""
    failed: bool = False

    def add(self, found: Sequence[Evidence]) -> None:
        """Enter evidence, once each."""
        self.evidence.extend(entry.id for entry in found if entry.id not in self.evidence)

    @property
    def result(self) -> TopicResult:
        """What this researcher brings to the supervisor and the report."""
        return TopicResult(self.topic, tuple(self.evidence), self.notes, self.failed)


@dataclass
class RunContext:
    """The context of one run, handed to every node."""

    run: str
    brief: Brief
    brief_text: str
    world: World
    journal: Journal
    control: Control
    started_at: datetime
    limits: Limits
    ledger: Ledger = field(default_factory=Ledger)
    lanes: list[Lane] = field(default_factory=list)
    searches: count[int] = field(default_factory=lambda: count(1))

    @property
    def today(self) -> date:
        """The day of the run, which every prompt but a page summary's is told."""
        return self.started_at.date()

    @property
    def results(self) -> tuple[TopicResult, ...]:
        """What the researchers brought back so far."""
        return tuple(lane.result for lane in self.lanes)

    def emit(self, event: Event) -> None:
        """Report a fact."""
        self.journal.emit(event)

    def problem(self, stage: Stage, code: str, *, subject: str = "", lane: str = "", detail: str = "") -> None:
        """Report that something went wrong and the run goes on."""
        self.emit(ProblemOccurred(stage=stage, code=code, subject=subject, lane=lane, detail=detail))

    def open_lane(self, topic: str) -> Lane:
        """Open the books of one more researcher."""
        lane = Lane(f"R{len(self.lanes) + 1}", topic)
        self.lanes.append(lane)
        return lane
