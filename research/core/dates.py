"""How fresh a page is, and how dates of pages are read."""

from __future__ import annotations

from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

from research.language import Bilingual, Phrase

RECENT_DAYS = 92
"""Three months: what is not older stands out."""


class Age(StrEnum):
    """How old information is."""

    RECENT = "recent"
    DATED = "dated"
    UNKNOWN = "unknown"


class Freshness(NamedTuple):
    """What is known of a page's date."""

    age: Age
    label: Bilingual
    """As a reader is told."""


_RECENT = Phrase("last three months")
_UNKNOWN = Phrase("date unknown")


def freshness(published: str | None, today: date) -> Freshness:
    """Return how recent a page is that is of `published` (ISO 8601: a year, a month, a day or a moment).

    Recent is what can only be of the last three months: the first day of a month or year counts. A date that cannot be
    read, or that lies ahead, tells nothing and is unknown.
    """
    first = first_day(published) if published else None
    if published is None or first is None or first > today:
        return Freshness(Age.UNKNOWN, _UNKNOWN)
    if first >= today - timedelta(days=RECENT_DAYS):
        return Freshness(Age.RECENT, Bilingual(*(f"{published} · {word}" for word in _RECENT)))
    return Freshness(Age.DATED, Bilingual(published, published))


def first_day(published: str) -> date | None:
    """Return the first day that an ISO date of any precision covers, or None if it is no date."""
    parts = published[:10].split("-")
    try:
        return date.fromisoformat("-".join([*parts, "01", "01"][:3]))
    except ValueError:
        return None
