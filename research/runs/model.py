"""What the store says of a run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from research.brief import Brief
from research.errors import UsageError


class RunState(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """Its process died; what it had found until then is kept."""


@dataclass(frozen=True)
class RunSummary:
    """A run in a list of runs."""

    id: str
    question: str
    brief: Brief
    analyst: str
    state: RunState
    created_at: datetime
    finished_at: datetime | None
    """For an interrupted run, when it was last alive; None while it is running."""
    seconds: float
    """How long it took, or has taken so far."""
    events: int
    pages: int
    evidence: int
    title: str = ""
    """What the user calls it; empty if they gave it no name of its own."""
    starred: bool = False
    tags: tuple[str, ...] = ()
    """In the order of the alphabet."""
    follows: str | None = None
    """Id of the run that it repeats, as long as that is there."""
    searches_for: str = ""
    """Id of the run about whose report a question was asked that this one searches for."""

    @property
    def name(self) -> str:
        """What it is called: its title, else its question."""
        return self.title or self.question


def ended(run: RunSummary) -> RunSummary:
    """Return a run that has ended.

    Raises:
        UsageError: it is still running.
    """
    if run.state is RunState.RUNNING:
        raise UsageError(f"The run {run.id} is still running.")
    return run
