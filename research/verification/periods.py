"""Periods: the years, quarters, months and days that a text names, each with one canonical form.

| canonical | printed as |
|---|---|
| `2024`, `2024-H1`, `2024-Q3` | 2024年, 令和6年, first half of 2024, 3Q24 |
| `2024-03`, `2024-03-31` | March 2024, 令和6年3月, 2024/3/31 |
| `FY2024`, `FY2024-Q3` | fiscal 2024, FY24, 2024年度, 令和6年度第3四半期 |
| `FY2024-03`, `FY2024-03-Q1` | 2024年3月期: the business year that closed in March 2024 |
| `2024/25` | 2024/25, FY2024-25: a year that begins in one calendar year and ends in the next |
| `1990s`, `2020/2024`, `2024-04/2024-12` | 1990年代, 2020–2024, 2024年4〜12月 |

When a fiscal year begins is the issuer's choice, so `FY2024` and `2024` are not equal and neither contains the other;
they *agree*, because they bear the same year and may be meant for the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from research.verification.figures_folding import Folded, fold
from research.verification.periods_dates import dates
from research.verification.periods_reading import Date

Granularity = Literal["day", "month", "quarter", "half", "year", "fiscal year", "decade", "range"]

_MONTH = 31
_YEAR = 12 * _MONTH


class Extent(NamedTuple):
    """The time that a canonical value covers, in days of months that all have 31 of them."""

    is_fiscal: bool
    """Whether it is counted within a fiscal year whose first day is unknown."""
    first: int
    last: int
    labels: frozenset[int]
    """The years that it may be named after."""
    granularity: Granularity
    is_business_year: bool = False


_VALUE = re.compile(
    r"(?P<fy>FY)?(?P<year>\d{4})(?:(?P<decade>s)|/(?P<next>\d\d)|(?P<rest>(?:-(?:\d\d|Q[1-4]|H[12]))*))"
)


@lru_cache(maxsize=4096)
def extent(value: str) -> Extent | None:
    """Return the time covered by a canonical value, or None if `value` is none."""
    first, slash, last = value.partition("/")
    if slash and len(last) > 2:
        return _from_to(extent(first), extent(last))
    match = _VALUE.fullmatch(value)
    if match is None:
        return None
    year = int(match["year"])
    start = year * _YEAR
    if match["decade"]:
        return Extent(False, start, start + 10 * _YEAR - 1, frozenset(range(year, year + 10)), "decade")
    if match["next"]:
        return Extent(True, start, start + _YEAR - 1, frozenset({year, year + 1}), "fiscal year")
    parts = [part for part in match["rest"].split("-") if part]
    return _fiscal(year, parts) if match["fy"] else _calendar(year, parts)


def _from_to(first: Extent | None, last: Extent | None) -> Extent | None:
    if first is None or last is None or first.is_fiscal != last.is_fiscal:
        return None
    return Extent(first.is_fiscal, first.first, last.last, first.labels | last.labels, "range")


def _fiscal(year: int, parts: list[str]) -> Extent:
    if parts and parts[0].isdigit():
        last_month = (year * 12 + int(parts[0])) * _MONTH
        first, last, granularity = _within(last_month - _YEAR, parts[1:], "fiscal year")
        return Extent(False, first, last, frozenset({year - 1, year}), granularity, is_business_year=True)
    first, last, granularity = _within(year * _YEAR, parts, "fiscal year")
    return Extent(True, first, last, frozenset({year}), granularity)


def _calendar(year: int, parts: list[str]) -> Extent:
    first, last, granularity = _within(year * _YEAR, parts, "year")
    return Extent(False, first, last, frozenset({year}), granularity)


def _within(start: int, parts: list[str], whole: Granularity) -> tuple[int, int, Granularity]:
    if not parts:
        return start, start + _YEAR - 1, whole
    part = parts[0]
    if part[0] == "Q":
        begin = start + (int(part[1]) - 1) * 3 * _MONTH
        return begin, begin + 3 * _MONTH - 1, "quarter"
    if part[0] == "H":
        begin = start + (int(part[1]) - 1) * 6 * _MONTH
        return begin, begin + 6 * _MONTH - 1, "half"
    begin = start + (int(part) - 1) * _MONTH
    if len(parts) > 1 and parts[1].isdigit():
        day = begin + int(parts[1]) - 1
        return day, day, "day"
    return begin, begin + _MONTH - 1, "month"


def contains(one: str, other: str) -> bool:
    """Whether all of `other` lies within `one`: 2025-03 lies within 2025 and FY2024-Q1 within FY2024."""
    outer, inner = extent(one), extent(other)
    if outer is None or inner is None or outer.is_fiscal != inner.is_fiscal:
        return False
    return outer.first <= inner.first and inner.last <= outer.last


def agree(one: str, other: str) -> bool:
    """Whether two canonical values may be meant for the same time.

    They are equal, or one lies within the other, or one of them is fiscal and both bear the same year.
    """
    if one == other or contains(one, other) or contains(other, one):
        return True
    first, second = extent(one), extent(other)
    if first is None or second is None or (first.is_fiscal and second.is_fiscal and "/" not in one + other):
        return False
    fiscal = first.is_fiscal or second.is_fiscal or first.is_business_year or second.is_business_year
    return fiscal and not first.labels.isdisjoint(second.labels)


class Period(NamedTuple):
    """A period as a text names it."""

    value: str
    """The canonical form."""
    start: int
    end: int
    granularity: Granularity

    def contains(self, other: Period) -> bool:
        """Whether all of `other` lies within this period."""
        return contains(self.value, other.value)

    def agrees(self, other: Period) -> bool:
        """Whether both may be meant for the same time: equal, one within the other, or fiscal of the same year."""
        return agree(self.value, other.value)


def periods(text: str) -> list[Period]:
    """Return the periods that `text` names, in order. Dates without a year are none. Never raises."""
    folded = fold(text)
    return periods_among(dates(folded.text), folded)


def periods_among(found: Iterable[Date], folded: Folded) -> list[Period]:
    """Return the periods among the dates `found` in a folded text."""
    return [
        Period(date.value, *folded.span(date.start, date.end), covered.granularity)
        for date in found
        if date.value is not None and (covered := extent(date.value)) is not None
    ]
