"""One researcher: its topic, how it decides, and what it brought."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from research.analysts.protocol import ResearcherAction, ResearcherView, TopicResult
from research.assessment import Assessment
from research.evidence import Evidence
from research.methods.stopping import StopReason
from research.outline import Section
from research.presets import Limits

Decide = Callable[[ResearcherView], Awaitable[list[ResearcherAction]]]
"""Chooses the next actions of one researcher; an empty list ends its topic. This is where methods differ."""


@dataclass
class Lane:
    """The books of one researcher. They outlive it: what it found is kept, however it ends."""

    name: str
    topic: str
    limits: Limits
    """Those of this researcher alone."""
    decide: Decide
    section: Section | None = None
    seconds: float | None = None
    """After so long it ends with what it has; None if it may take its time."""
    assessment: Assessment | None = None
    """What was counted after its last search."""
    pages: set[str] = field(default_factory=set)
    """Canonical addresses that this researcher has met."""
    evidence: list[str] = field(default_factory=list)
    notes: str = ""
    failed: bool = False
    is_queued: bool = False
    """Its topic was handed out; known of a run that broke off, and not reported a second time."""
    ended: StopReason | None = None
    """Why its research ended; None while it goes on."""
    dropped: asyncio.Event = field(default_factory=asyncio.Event)
    """The user dropped its topic: it ends, and what it found is left out of the report."""

    def add(self, found: Sequence[Evidence]) -> None:
        """Enter evidence, once each."""
        self.evidence.extend(entry.id for entry in found if entry.id not in self.evidence)

    @property
    def result(self) -> TopicResult:
        """What this researcher brings to the supervisor and the report."""
        return TopicResult(
            self.topic, tuple(self.evidence), self.notes, self.failed, self.section, assessment=self.assessment
        )
