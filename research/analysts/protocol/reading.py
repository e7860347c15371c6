"""A page to be summarised, and its summary."""

from __future__ import annotations

from dataclasses import dataclass

from research.evidence import Page
from research.presets import Limits


@dataclass(frozen=True)
class PageRequest:
    """A page to be summarised with a question in mind."""

    page: Page
    text: str
    """The part of the page to look at: all of it, or the passages nearest to the question."""
    question: str
    """The brief's question: the same for every researcher, so that a summary is shared by all."""
    topic: str
    """The researcher's topic. Rules may use it; whatever uses it cannot be cached."""
    limits: Limits


@dataclass(frozen=True)
class PageSummary:
    """What a page says about the question."""

    summary: str
    key_excerpts: tuple[str, ...]
    """Up to five verbatim quotes."""
    by_rule: bool = False
    """No model was involved (extractive, or the fallback of a call that failed)."""
