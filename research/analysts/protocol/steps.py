"""What was done, and what the program saw of it."""

from __future__ import annotations

from dataclasses import dataclass

from research.analysts.protocol.actions import ResearcherAction, SupervisorAction


@dataclass(frozen=True)
class Found:
    """What one query brought."""

    query: str
    evidence: tuple[str, ...]
    """Ids of what it entered into the ledger, or met there again."""


@dataclass(frozen=True)
class Step:
    """One action and what the program observed when it carried it out.

    Observations are written by the program (counts, ids, sites, dates) and by analysts (summaries, notes). They hold
    no page text, title or snippet, because they are shown to calls that can act.
    """

    action: SupervisorAction | ResearcherAction
    observation: str
    found: tuple[Found, ...] = ()
    """What each query of a search brought."""
