"""Dates and years in digits: `2025-03-31`, `2025/3`, `2020–2024`, `1990s`, `2024`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.verification.figures_after import after
from research.verification.numbers import Numeral
from research.verification.periods_reading import Date, day_value, years_value

_YEAR = r"(?:1[5-9]|20)[0-9]{2}"
_DATE = re.compile(
    rf"(?<![0-9A-Za-z.,$€£¥+])(?<![0-9]-)(?P<year>{_YEAR})"
    r"(?:(?P<mark>[-/.])(?P<month>1[0-2]|0?[1-9])(?:(?P=mark)(?P<day>3[01]|[12][0-9]|0?[1-9]))?(?![0-9%A-Za-z]|[.,/-][0-9])"
    rf"|(?: ?[-–—〜/] ?| to | through | until | and )(?P<last>{_YEAR})(?![0-9%]|,[0-9])"
    r"|[-–—/](?P<short>[0-9]{2})(?![0-9%]|[.,-][0-9])"
    r"|(?P<decade>(?<=0)'?s)(?![A-Za-z])"
    r"|(?![0-9A-Za-z%°]|[.,/:-][0-9]))"
)
_SLASHED = re.compile(r"(?<![0-9/.])([0-9]{1,2})([/.])([0-9]{1,2})\2((?:19|20)[0-9]{2})(?![0-9/])")


def digit_dates(text: str) -> Iterator[Date]:
    """Yield the dates of a folded text that are written in digits alone."""
    for match in _DATE.finditer(text):
        date = _read(text, match)
        if date is not None:
            yield date
    for match in _SLASHED.finditer(text):
        yield Date(_slashed(match), match.start(), match.end())


def _read(text: str, match: re.Match[str]) -> Date | None:
    start, end = match.span()
    year = int(match["year"])
    if match["month"]:
        if match["mark"] == "." and not match["day"]:
            return None
        day = int(match["day"]) if match["day"] else None
        return Date(day_value(year, int(match["month"]), day), start, end)
    if match["last"] or match["short"]:
        joined = text[match.end("year") : match.start("last")].strip() if match["last"] else ""
        if joined == "and" and not text[max(0, start - 8) : start].lower().endswith("between "):
            return _bare(text, start, match.end("year"), year)
        value = years_value(match["year"], match["last"] or match["short"])
        return Date(value, start, end) if value else _bare(text, start, match.end("year"), year)
    if match["decade"]:
        return Date(f"{year}s", start, end)
    return _bare(text, start, end, year)


def _slashed(match: re.Match[str]) -> str | None:
    """Return the day of `3/31/2025` or `31/3/2025`; only the year where both readings are possible."""
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    if match[2] == ".":
        return day_value(year, second, first)
    if first > 12:
        return day_value(year, second, first)
    if second > 12:
        return day_value(year, first, second)
    return str(year)


_SAYS_YEAR = re.compile(
    r"(?:(?<![A-Za-z])(?:in|since|by|until|till|during|year|years|mid|early|late|end|circa|before|after)[ -]|年 ?)\Z",
    re.IGNORECASE,
)
_SAYS_NUMBER = (
    *("more than", "less than", "fewer than", "at least", "at most", "nearly", "almost", "some", "up to"),
    *("approximately", "roughly", "total of", "約", "計"),
)
_OWNS = re.compile(r"(?<![A-Za-z])(?:the|its|their|our|his|her|this|'s|of)[ ]\Z", re.IGNORECASE)


def _bare(text: str, start: int, end: int, year: int) -> Date | None:
    """Return four digits as a year unless something counts or measures with them."""
    before = text[max(0, start - 18) : start]
    if text[end : end + 1] == "年":
        return None
    if _SAYS_YEAR.search(before):
        return Date(str(year), start, end)
    is_number = before.removesuffix(" ").lower().endswith(_SAYS_NUMBER)
    if is_number or (year < 1900 and not _in_brackets(text, start, end)):
        return None
    if _WIDE_COUNT.match(text, end):
        return None
    measured = after(text, Numeral(float(year), 1.0, 1.0, start, end))
    if not measured.is_measured or (_OWNS.search(before) and text[end : end + 1] == " "):
        return Date(str(year), start, end)
    return None


_WIDE_COUNT = re.compile(r"[十百千万億兆割]")


def _in_brackets(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start] in ("(", "–", "-") and text[end : end + 1] in (")", "–", "-")
