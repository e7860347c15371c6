"""What a topic brought: its evidence, reduced, with notes."""

from __future__ import annotations

from dataclasses import dataclass

from research.assessment import Assessment
from research.brief import Brief
from research.evidence import Evidence, Page
from research.outline import Section


@dataclass(frozen=True)
class Findings:
    """The evidence for one topic, to be compressed."""

    brief: Brief
    topic: str
    evidence: tuple[Evidence, ...]
    pages: dict[str, Page]
    note_tokens: int = 150
    """Length that the notes are asked to keep to."""
    may_quote: bool = False
    """Whether rules may put words of a page into the notes: only where people read them, not what may act on them."""
    among: tuple[Evidence, ...] = ()
    """Everything found so far, where `evidence` is a part of it: it tells what is beside the point. On `pages` too."""


@dataclass(frozen=True)
class Compression:
    """Which evidence to keep, and notes on it for the supervisor."""

    keep: tuple[str, ...]
    notes: str


@dataclass(frozen=True)
class TopicResult:
    """What one researcher brought back."""

    topic: str
    evidence: tuple[str, ...]
    """Ids of the evidence kept, in the order found."""
    notes: str
    """What the analyst says of it: covered, missing, doubtful."""
    failed: bool = False
    section: Section | None = None
    """The section of the plan that it was for, if there is a plan."""
    assessment: Assessment | None = None
    """What was counted of it at the end; None if nothing was searched."""
