"""Sentences that are not borne out, and what to do with them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from research.brief import Brief
from research.evidence import Evidence, Page


@dataclass(frozen=True)
class WeakSentence:
    """A sentence of the report that the pages it cites do not bear out, or that cites nothing."""

    text: str
    """Plain text, without marks."""
    cited: tuple[str, ...]
    reason: str
    """What the rules found."""
    candidates: tuple[str, ...]
    """Ids of the evidence that it cites and of the nearest to it: what else it could rest on."""
    is_row: bool = False
    """A row of a table: its citation can be changed, its words cannot."""


@dataclass(frozen=True)
class RepairRequest:
    """Sentences to be repaired, all at once."""

    brief: Brief
    today: date
    sentences: tuple[WeakSentence, ...]
    evidence: dict[str, Evidence]
    """The candidates of all sentences, by id: what is not in here cannot be cited."""
    pages: dict[str, Page]


@dataclass(frozen=True)
class Repair:
    """What to do with one sentence. Whether it is done is for the program to decide."""

    sentence: int
    """Its position in the request."""
    text: str
    """The sentence, as it is or reworded; empty to take it out."""
    evidence: tuple[str, ...]
    """Ids that it is to cite."""
