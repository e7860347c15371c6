"""What one thing was from period to period, put together from all documents that hold a part of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from research.analysts.extractive.computed import CitedValue, change
from research.analysts.extractive.tables import counted_in, months_told
from research.language import Language, Phrase
from research.quantities import extent, periods
from research.text import Asked, escape_markdown, folded

_FEWEST, _MOST = 3, 16
"""Periods from which there is a series, and those that are shown, the latest."""
_QUARTER = 3
_EXCEPT = re.compile(r"[,;；、]\s*(?:except|unaudited|ただし|未監査).*(?=[)）])", re.IGNORECASE)
"""What of a table's unit is of other rows: in millions, except per share amounts."""
_RATE = re.compile(r"[%％]$")


class _Point(NamedTuple):
    """A value, when its period ends, and how many months that has; none where it is of a day."""

    end: int
    months: int
    told: CitedValue


def series_lines(cited: Sequence[CitedValue], question: Asked, language: Language) -> list[str]:
    """Return the values of a row of several tables in the order of their periods, and by how much they changed.

    Nothing where the question asks for no series, or there is none. Periods are of one length: quarters if there are
    any, else that which most have.
    """
    if not question.wants_series:
        return []
    points = list(_points(cited))
    if not points:
        return []
    lengths = Counter(one.months for one in points)
    months = _QUARTER if lengths[_QUARTER] >= _FEWEST else lengths.most_common(1)[0][0]
    by_end: dict[int, _Point] = {}
    for one in points:
        if one.months == months:
            by_end.setdefault(one.end, one)
    told = [by_end[end].told for end in sorted(by_end)][-_MOST:]
    return list(_table(told, language)) if len(told) >= _FEWEST else []


def _points(cited: Sequence[CitedValue]) -> Iterator[_Point]:
    """Yield the values whose periods are known, of the row that most documents call the same."""
    rows = [one for one in cited if one.value.is_row and one.value.period and one.value.number is not None]
    called = [(folded(one.value.subject), bool(_RATE.search(one.value.text))) for one in rows]
    documents = dict.fromkeys((name, one.entry.source) for name, one in zip(called, rows, strict=True))
    often = Counter(name for name, _ in documents).most_common(1)
    for name, one in zip(called, rows, strict=True):
        if name == often[0][0]:
            known = (extent(period.value) for period in periods(one.value.period) if period.value)
            if ends := [when.last for when in known if when is not None]:
                yield _Point(max(ends), months_told(one.value.period), one)


def _table(told: Sequence[CitedValue], language: Language) -> Iterator[str]:
    yield from change(told, language)
    yield ""
    unit = _EXCEPT.sub("", counted_in(told[-1].value.label))
    head = f"{told[-1].value.subject} {unit}".strip()
    yield f"| {Phrase('Period').in_(language)} | {escape_markdown(head)} |"
    yield "| --- | --- |"
    for one in told:
        yield f"| {escape_markdown(one.value.period)} | {escape_markdown(one.value.text)} [{one.entry.id}] |"
    yield ""
