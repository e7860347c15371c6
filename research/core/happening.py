"""What every event of a run is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from research.core.vocabulary import Frozen


class Event(Frozen):
    """A fact. `seq` counts from 1 within a run; both stamps are set by the recorder, not by who reports the fact."""

    seq: int = 0
    at: datetime | None = None
    type: str = ""


class LaneEvent(Event):
    """A fact of one *lane*: of the supervisor, or of a researcher (`R1`, `R2`, …)."""

    lane: str


SUPERVISOR = "supervisor"
"""The lane of the supervisor."""
Emit = Callable[[Event], None]
"""Reports a fact. Never blocks for long and never raises into the research."""
