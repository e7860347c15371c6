"""Which flags fill which fields of a brief."""

from __future__ import annotations

from research.vocabulary import (
    Audience,
    Length,
    OutputForm,
    Period,
    Region,
    Scope,
    SourceName,
    Summary,
    Tone,
    Vocabulary,
)

VOCABULARIES: dict[str, type[Vocabulary]] = {
    "scope": Scope,
    "period": Period,
    "region": Region,
    "sources": SourceName,
    "audience": Audience,
    "form": OutputForm,
    "length": Length,
    "summary": Summary,
    "tone": Tone,
}
DEPTHS = ("queries_per_section", "iterations")
CAPS = {"max_cost": "max_cost_usd", "max_minutes": "max_minutes"}
"""Flags that take a number, and the fields of the brief that they fill."""
LISTS = {"exclude": "exclusions", "prefer_site": "preferred_sites", "forbid_site": "forbidden_sites"}
"""Flags that may be repeated, and the fields of the brief that they fill."""
