"""Periods as readers of a language write them; what is no period stays as it is."""

from __future__ import annotations

import re
from datetime import date

from babel.dates import format_date

from research.language import Bilingual, Language, bracketed

_PERIOD = re.compile(
    r"(?P<fy>FY)?(?P<year>\d{4})(?:-(?P<month>\d\d))?(?:-(?P<day>\d\d))?(?:-(?P<part>[QH]\d))?(?P<decade>s)?"
)
_FISCAL = Bilingual("FY{year}", "{year}年度")
_YEAR = Bilingual("{year}", "{year}年")
_CLOSING = Bilingual("FY to {month}", "{month}期")
_DECADE = Bilingual("{year}s", "{year}年代")
_PART = Bilingual("{whole} {part}", "{whole}{part}")
_RANGE = Bilingual("{first} – {last}", "{first}〜{last}")
_HALVES = {"H1": Bilingual("H1", "上期"), "H2": Bilingual("H2", "下期")}
_MONTH, _DAY = Bilingual("MMM y", "y年M月"), Bilingual("d MMM y", "y年M月d日")


def in_words(period: str, language: Language) -> str:
    """Return a canonical period (`FY2024-H1`, `2024-05`) in words: `2024年度上期`, `May 2024`."""
    first, slash, last = period.partition("/")
    if slash and len(last) > 2:
        return _RANGE.in_(language).format(first=in_words(first, language), last=in_words(last, language))
    match = _PERIOD.fullmatch(period)
    if match is None:
        return period
    try:
        whole = _whole(match, language)
    except ValueError:
        return period
    if (part := match["part"]) is None:
        return whole
    return _PART.in_(language).format(whole=whole, part=_HALVES[part].in_(language) if part in _HALVES else part)


def label_in_words(label: str, language: Language) -> str:
    """Return the label of a contradiction with the period in brackets behind it in words: 売上目標（2027年度）."""
    what, bracket, period = label.rpartition(" (")
    if not bracket or not period.endswith(")"):
        return label
    told = in_words(period[:-1], language)
    return label if told == period[:-1] else bracketed(what, told, language)


def _whole(match: re.Match[str], language: Language) -> str:
    """Return a period without the quarter or half that it may be of; raises `ValueError` if there is no such day."""
    year = match["year"]
    if match["decade"]:
        return _DECADE.in_(language).format(year=year)
    if match["month"]:
        day = date(int(year), int(match["month"]), int(match["day"] or 1))
        form = (_DAY if match["day"] else _MONTH).in_(language)
        told = str(format_date(day, form, locale=language.value))
        return _CLOSING.in_(language).format(month=told) if match["fy"] else told
    if match["fy"]:
        return _FISCAL.in_(language).format(year=year)
    return _YEAR.in_(language).format(year=year) if match["part"] else year
