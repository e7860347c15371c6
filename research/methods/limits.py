"""Where each method ends: every default number of the reference systems, in one place."""

from __future__ import annotations

from dataclasses import dataclass

DEEPEST = 5
"""Queries a section, and iterations, are chosen from 1 to this."""


@dataclass(frozen=True)
class MethodLimits:
    """The numbers of the methods. A preset may set them lower."""

    # outlined
    sections: int = 5
    """Sections of a plan, at most; a planner is asked for three to this many."""
    iterations: int = DEEPEST
    """Searches of one section, at most, however deep the analyst would go."""
    spare_steps: int = 10
    """Steps that a run has besides those that its plan needs."""
    steps_per_query: int = 2
    """A search, and the reflection on it."""
    plan_seconds: float = 60.0
    """How long a plan that somebody watches waits to be edited, before research begins by itself."""
    editing_seconds: float = 900.0
    """How long it waits while somebody edits it."""

    # chained
    enough: int = 8
    """The score, of 10, at which a chain ends."""
    chain: int = 10
    """Its queries, at most."""

    # gap-driven
    gap_iterations: int = 3

    # supervised
    simple_searches: int = 3
    """Search rounds for a simple topic."""
    hard_searches: int = 5
    """Search rounds for a hard topic."""
    good_sources: int = 3
    """Good sources that answer a simple topic."""
    repeats: int = 2
    """Searches in a row that bring nothing new, after which a topic ends."""

    # noted
    planned_queries: int = 3
    """Queries of one cycle."""
    cycles: int = 3
    note_tokens: int = 512
    """Length of a research note, at most."""
    cycle_seconds: float = 300.0
    """How long a cycle may take on average; when all are over, the report is written from what there is."""

    def step_budget(self, sections: int, queries_per_section: int, iterations: int) -> int:
        """Return the steps that a plan may take: one for each search and each reflection."""
        return self.spare_steps + sections * queries_per_section * iterations * self.steps_per_query
