"""A date as it stands in a text, and the canonical values of what is read from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Date(NamedTuple):
    """A date or period in a text; `value` is None if it has no year, or in an address: then it is no figure either."""

    value: str | None
    start: int
    end: int


def disjoint(found: Iterable[Date]) -> list[Date]:
    """Return `found` in order without overlaps: what starts first wins, then what is longer."""
    kept: list[Date] = []
    end = -1
    for date in sorted(found, key=lambda date: (date.start, -date.end)):
        if date.start >= end:
            kept.append(date)
            end = date.end
    return kept


def full_year(digits: str) -> int:
    """Return the year that two or four digits mean; two digits are of the years 1970 to 2069."""
    if len(digits) > 2:
        return int(digits)
    short = int(digits)
    return 2000 + short if short < 70 else 1900 + short


def day_value(year: int, month: int, day: int | None = None) -> str | None:
    """Return the canonical value of a month or day, or None if there is none."""
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return f"{year:04}-{month:02}" + (f"-{day:02}" if day is not None else "")


def months_value(year: int, first: int, last: int) -> str | None:
    """Return the canonical value of several months of one year: a quarter or half if they are one."""
    if not 1 <= first < last <= 12:
        return None
    if (first - 1) % 3 == 0 and last - first == 2:
        return f"{year}-Q{(first + 2) // 3}"
    if (first, last) in ((1, 6), (7, 12)):
        return f"{year}-H{1 if first == 1 else 2}"
    return f"{year}-{first:02}/{year}-{last:02}"


def years_value(first: str, last: str, prefix: str = "") -> str | None:
    """Return the canonical value of `2020-2024`, `2020-24` or `2024/25`."""
    begin = int(first)
    end = int(last) if len(last) == 4 else begin - begin % 100 + int(last)
    if len(last) == 2 and end == begin + 1:
        return f"{begin}/{end % 100:02}"
    if not begin < end <= begin + 200:
        return None
    return f"{prefix}{begin}/{prefix}{end}"
