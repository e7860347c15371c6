"""What the functions of this package return."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class KindCoverage:
    """How far one kind of information that a section requires is there."""

    kind: str
    share: float
    """From 0 (nothing) to 1 (all that is looked for under this kind)."""
    evidence: tuple[str, ...] = ()
    """Ids of the evidence that speaks of it."""


@dataclass(frozen=True)
class GapReport:
    """What is there for a section, and what is missing."""

    coverage: tuple[KindCoverage, ...]
    missing: tuple[str, ...]
    sufficient: bool
    confidence: float
    """From 0 to 1: how sure it is, by how much there is and how far sources agree on it."""
    at: datetime
