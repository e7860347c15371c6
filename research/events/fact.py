"""What every event is: a fact in the past tense, numbered and timed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from pydantic import BaseModel, ConfigDict


class Event(BaseModel):
    """A fact. `seq` counts from 1 within a run; both stamps are set by the recorder, not by who reports the fact."""

    model_config = ConfigDict(frozen=True)

    seq: int = 0
    at: datetime | None = None


Emit = Callable[[Event], None]
"""Reports a fact. Never blocks for long and never raises into the research."""
