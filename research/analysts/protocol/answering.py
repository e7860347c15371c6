"""A question about a finished report, and its answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from research.brief import Brief
from research.evidence import Evidence, Page


@dataclass(frozen=True)
class AnswerRequest:
    """A question about a finished report, to be answered from its evidence alone."""

    brief: Brief
    question: str
    today: date
    evidence: dict[str, Evidence]
    """Evidence by id, the nearest to the question first: what is not in here cannot be cited."""
    pages: dict[str, Page]


@dataclass(frozen=True)
class Answer:
    """What the evidence says on a question."""

    text: str
    """Markdown, citing evidence as `[E12]`; no URL, no citation number. Empty if the evidence says nothing on it."""
    is_answered: bool
    """Whether the evidence answers the question, as far as whoever wrote this can say."""
    missing: str = ""
    """What it does not answer, in a sentence; only of a model."""
