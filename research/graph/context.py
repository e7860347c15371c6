"""What the three graphs share during one run: the world, passed in, and the run's own books."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Protocol

from research.analysts.protocol import Analyst, PageRequest, PageSummary
from research.brief import Brief
from research.events import Event, ProblemOccurred, Stage
from research.evidence import Ledger, Page
from research.presets import Limits
from research.sources.protocol import Source


class Journal(Protocol):
    """Where a run is recorded as it happens."""

    def emit(self, event: Event) -> None:
        """Number, time and store an event."""
        ...

    def keep(self, page: Page) -> None:
        """Store the snapshot of a page."""
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


@dataclass
class RunContext:
    """The context of one run, handed to every node."""

    brief: Brief
    brief_text: str
    limits: Limits
    world: World
    journal: Journal
    control: Control
    ledger: Ledger = field(default_factory=Ledger)
    problems: list[ProblemOccurred] = field(default_factory=list)
    lanes: count[int] = field(default_factory=lambda: count(1))
    searches: count[int] = field(default_factory=lambda: count(1))

    def emit(self, event: Event) -> None:
        """Report a fact."""
        self.journal.emit(event)

    def problem(self, stage: Stage, code: str, *, subject: str = "", lane: str = "", detail: str = "") -> None:
        """Report that something went wrong and the run goes on."""
        event = ProblemOccurred(stage=stage, code=code, subject=subject, lane=lane, detail=detail)
        self.problems.append(event)
        self.journal.emit(event)
