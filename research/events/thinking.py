"""What was made of the findings: reflections, counts, notes, and what of them was kept."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from research.core.outline import Reflection
from research.events.fact import Event


class Reflected(Event):
    """An analyst thought aloud (`think_tool`)."""

    type: Literal["reflected"] = "reflected"
    lane: str
    reflection: str
    parts: Reflection | None = None


class Assessed(Event):
    """What was found on a topic was counted, after a search."""

    type: Literal["assessed"] = "assessed"
    lane: str
    iteration: int
    """Searches of the topic so far."""
    criteria: dict[str, int]
    """Points for each criterion of `research.sufficiency.Criteria`, 0 to 2."""
    score: int
    """Their sum, 0 to 10."""
    covered: tuple[str, ...]
    """Aspects (`research.sufficiency.Aspect`) that are covered."""
    missing: tuple[str, ...]
    """Aspects that are not."""
    coverage: dict[str, float] = Field(default_factory=dict)
    """How far each kind of information that the topic requires is there, 0 to 1."""
    confidence: float = 0.0
    """How sure that is, 0 to 1."""
    good_sources: int = 0


class NoteTaken(Event):
    """A research note was written: what one query brought."""

    type: Literal["note_taken"] = "note_taken"
    step: int
    """Counts from 1 within a run."""
    query: str
    summary: str
    """Markdown, citing evidence as `[E12]`."""
    sources: tuple[str, ...]
    """Ids of the pages that it rests on."""


class FindingsCompressed(Event):
    """A researcher's evidence was reduced to what is relevant."""

    type: Literal["findings_compressed"] = "findings_compressed"
    lane: str
    kept: tuple[str, ...]
    dropped: tuple[str, ...]
