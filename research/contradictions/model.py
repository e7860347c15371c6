"""What a contradiction is: the same thing said differently by different sources."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from research.language import Bilingual


class ContradictionKind(StrEnum):
    """What the sources disagree about."""

    FIGURES = "figures"
    """One quantity, several values."""
    DATES = "dates"
    """One event that happens once, several dates."""
    STATEMENTS = "statements"
    """One says the opposite of the other."""
    NAMED = "named"
    """What an analyst named in a reflection; no rule has checked it."""


class Side(BaseModel):
    """What one source says."""

    model_config = ConfigDict(frozen=True)

    evidence: str
    """Id of the evidence."""
    source: str
    """Id of the page."""
    value: str
    """The figure or date as printed, or the words that are opposed; empty where the whole quote is."""
    quote: str
    published: str | None
    """Date of the page's information (ISO 8601, as precise as known)."""


class Contradiction(BaseModel):
    """Something that sources say differently. Nothing tells which of them is right."""

    model_config = ConfigDict(frozen=True)

    kind: ContradictionKind
    subject: str
    """The names that all sides speak of, as the first side prints them; may be empty."""
    label: str
    """What is said of them, as the first side prints it, with the period if there is one.

    Of what was named in a reflection: why the sides contradict each other, in the analyst's words.
    """
    sides: tuple[Side, ...]
    """The older source first; at least two sources."""
    note: Bilingual
