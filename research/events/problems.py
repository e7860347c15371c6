"""What went wrong, and in which part of a run."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from research.events.fact import Event


class Stage(StrEnum):
    """Which part of a run let it down, so that every report can be traced."""

    SCOPE = "scope"
    SEARCH = "search"
    RESEARCH = "research"
    WRITING = "writing"


class ProblemOccurred(Event):
    """Something went wrong and the run went on."""

    type: Literal["problem_occurred"] = "problem_occurred"
    stage: Stage
    code: str
    """A key of `research.problems`, which says it in both languages."""
    subject: str = ""
    """What it happened to: a file, a query, a topic, a model."""
    lane: str = ""
    detail: str = ""
    """The technical reason, for the log."""
