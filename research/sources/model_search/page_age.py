"""How old a page is, as search services say it in words: `April 30, 2025`, `3 days ago`."""

from __future__ import annotations

import re
from datetime import date, timedelta

from research.sources.cleaning import published_date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WRITTEN = re.compile(r"([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})", re.IGNORECASE)
_AGO = re.compile(r"(\d{1,3})\s+(minute|hour|day|week|month|year)s?\s+ago", re.IGNORECASE)
_DAYS = {"minute": 0, "hour": 0, "day": 1, "week": 7}


def published_on(age: str, today: date) -> str | None:
    """Return when a page was published in ISO 8601, as precisely as its age says (`2025-04-30`, `2025-04`), or None."""
    written = _WRITTEN.fullmatch(age.strip())
    if written is not None:
        return _day(*written.groups())
    ago = _AGO.fullmatch(age.strip())
    return _before(today, int(ago[1]), ago[2].lower()) if ago is not None else published_date(age)


def _day(month: str, day: str, year: str) -> str | None:
    try:
        return date(int(year), _MONTHS.index(month.lower()) + 1, int(day)).isoformat()
    except ValueError:
        return None


def _before(today: date, count: int, unit: str) -> str | None:
    if unit in _DAYS:
        return (today - timedelta(days=count * _DAYS[unit])).isoformat()
    if unit == "year":
        return f"{today.year - count:04d}"
    years, month = divmod(today.year * 12 + today.month - 1 - count, 12)
    return f"{years:04d}-{month + 1:02d}"
