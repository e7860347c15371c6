"""Dates as documents write them, to ISO 8601 as precise as they are."""

from __future__ import annotations

import re
from datetime import date

_NUMERIC = re.compile(r"(\d{4})(?:\s*[-/.年]\s*(\d{1,2})(?:\s*[-/.月]\s*(\d{1,2}))?)?(?!\d)")


def iso_date(text: str) -> str | None:
    """Return the date at the start of `text` (`2025-06-30T…`, `2025/6/30`, `2025年6月`, `2025`), or None."""
    match = _NUMERIC.match(text.strip().strip("\"'"))
    if match is None:
        return None
    year, month, day = (int(part) if part else 0 for part in match.groups())
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        return None
    parts = [f"{year:04d}", f"{month:02d}" if month else "", f"{day:02d}" if day else ""]
    return "-".join(part for part in parts if part)
