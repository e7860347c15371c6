"""Tables with bars: a column headed by a period or unit, and a row labelled with a unit, give it to their figures."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from research.verification.figures_after import After
from research.verification.figures_labels import measure, unit_named
from research.verification.figures_reading import Reading
from research.verification.periods_reading import Date

_T = TypeVar("_T")

_ROW = re.compile(r"^[ \t]*\|[^\n]*", re.MULTILINE)
_BRACKETS = re.compile(r"\(([^()\n|]{1,24})\)")
_LONGEST_CAPTION = 120
_MOST_COLUMNS = 500


class _Head(NamedTuple):
    """What one cell of a header says of its column."""

    period: str | None
    unit: After | None


def read_tables(text: str, readings: Sequence[Reading], dates: Sequence[Date]) -> None:
    """Set periods, units and multipliers of the readings in table rows. Both are in order; linear in the text."""
    if "|" not in text:
        return
    starts = [reading.start for reading in readings]
    date_starts = [date.start for date in dates]
    heads: list[_Head] = []
    last_end = -2
    for row in _ROW.finditer(text):
        if row.start() != last_end + 1:
            heads = [
                _head(text, cell, _within(dates, date_starts, *cell))
                for cell in islice(_cells(text, row.start(), row.end()), _MOST_COLUMNS)
            ]
            heads = _with_caption(text, row.start(), heads)
        else:
            inside = _within(readings, starts, row.start(), row.end())
            if inside:
                _fill(text, row, heads, inside)
        last_end = row.end()


def _within(items: Sequence[_T], starts: Sequence[int], start: int, end: int) -> Sequence[_T]:
    return items[bisect_left(starts, start) : bisect_left(starts, end)]


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the span of each cell of a row; the first is what stands before the first bar."""
    while start <= end:
        bar = text.find("|", start, end)
        stop = bar if bar >= 0 else end
        yield start, stop
        start = stop + 1


def _head(text: str, cell: tuple[int, int], dates: Sequence[Date]) -> _Head:
    values = {date.value for date in dates}
    period = values.pop() if len(values) == 1 else None
    return _Head(period, _unit_in(text[slice(*cell)], whole=True))


def _unit_in(cell: str, *, whole: bool) -> After | None:
    """Return the unit in the brackets of a cell; a whole cell only if it is a share or money."""
    for words in _BRACKETS.findall(cell):
        found = unit_named(words)
        if found is not None:
            return found
    found = unit_named(cell) if whole and len(cell) <= 30 else None
    return found if found is not None and (found.currency is not None or found.unit == "%") else None


def _with_caption(text: str, start: int, heads: list[_Head]) -> list[_Head]:
    """Give the columns without a unit the one that the first cell or the line above the table names for all."""
    general = heads[1].unit if len(heads) > 1 else None
    if general is None and start > 1:
        line_start = text.rfind("\n", max(0, start - _LONGEST_CAPTION), start - 1) + 1
        general = _unit_in(text[line_start : start - 1], whole=False) if line_start else None
    return [head if head.unit is not None else head._replace(unit=general) for head in heads] if general else heads


def _fill(text: str, row: re.Match[str], heads: Sequence[_Head], readings: Sequence[Reading]) -> None:
    first_bar = text.index("|", row.start()) + 1
    second_bar = text.find("|", first_bar, row.end())
    label = text[first_bar:second_bar] if second_bar >= 0 else ""
    row_unit = _unit_in(label, whole=False)
    column, position = 0, row.start()
    for reading in readings:
        column += text.count("|", position, reading.start)
        position = reading.start
        head = heads[column] if column < len(heads) else _Head(None, None)
        if head.period is not None:
            reading.period = head.period
        unit = row_unit or head.unit
        if unit is not None and column > 1:
            measure(reading, unit)
