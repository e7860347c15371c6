"""Tables of any width on a sheet: set smaller, on a turned page, or in several parts one below the other."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from research.export.document import Line, Table, plain
from research.export.pdf.words import WIDE, Citing, Node
from research.language import Bilingual, Language
from research.text.words import columns as width_of

_UPRIGHT = 102
_UPRIGHT_SMALL = 120
_TURNED_SMALL = 185
"""Letters beside each other on a page: in the usual size of tables, in the small one, on a turned page."""
_PADDING = 3
_LONGEST_WORD = 18
_WRAPS_BELOW = 7
_NAME = 18
_WIDEST = 60
"""Letters: a word that is longer may break; a cell needs no more than this before it wraps, one of the first column,
which names the row, no more than that; none is wider."""
_HALVINGS = 12
_TURN_FROM_ROWS = 15
_TOGETHER = 16
"""Rows of a table that stays on one page."""
_TALL = 420
"""Letters in a cell; a row that holds more may break across pages."""
_UNBROKEN = re.compile(rf"[^\s{WIDE}]+")
_PART = Bilingual(
    "Columns {first} to {last} of {all}; the first column is repeated.",
    "全{all}列のうち{first}〜{last}列（1列目は再掲）",
)
_CUT = Bilingual("Columns {first} to {last} of {all}.", "全{all}列のうち{first}〜{last}列")


@dataclass(frozen=True)
class _Column:
    least: int
    wished: int


def table_nodes(table: Table, citing: Citing, language: Language, *, may_turn: bool) -> Iterator[Node]:
    """Yield the table as nodes: one, or several if it is wider than any page.

    `may_turn` says that it stands on a page by itself if need be.
    """
    columns = [
        _column([plain(row[place]) for row in (table.head, *table.rows)], _WRAPS_BELOW if place else _NAME)
        for place in range(len(table.head))
    ]
    needed = sum(column.least + _PADDING for column in columns)
    every = range(len(columns))
    if needed <= _UPRIGHT:
        yield _part(table, every, columns, citing, _UPRIGHT)
    elif needed <= _UPRIGHT_SMALL:
        yield _part(table, every, columns, citing, _UPRIGHT_SMALL) | {"small": True}
    elif needed <= _TURNED_SMALL and may_turn and len(table.rows) >= _TURN_FROM_ROWS:
        yield _part(table, every, columns, citing, _TURNED_SMALL) | {"small": True, "turned": True}
    else:
        yield from _parts(table, columns, citing, language)


def _parts(table: Table, columns: Sequence[_Column], citing: Citing, language: Language) -> Iterator[Node]:
    """Yield tables that fit, each with the first column and as many others as there is room for."""
    for at, group in enumerate(_groups(columns)):
        words = (_PART if at else _CUT).in_(language)
        note = words.format(first=group[0] + 1 if at else 1, last=group[-1] + 1, all=len(columns))
        yield _part(table, [0, *group], columns, citing, _UPRIGHT_SMALL) | {"small": True, "note": note}


def _groups(columns: Sequence[_Column]) -> list[list[int]]:
    """Return all columns but the first in as few groups as there is room for, each about as wide as the others."""
    others = range(1, len(columns))
    sizes = [one.least + _PADDING for one in columns]
    room = _UPRIGHT_SMALL - sizes[0]
    for count in range(max(1, math.ceil(sum(sizes[1:]) / room)), len(columns)):
        edges = [1 + round(len(others) * at / count) for at in range(count + 1)]
        groups = [list(range(start, end)) for start, end in itertools.pairwise(edges)]
        if all(sum(sizes[place] for place in group) <= room for group in groups):
            return groups
    return [[place] for place in others]


def _part(table: Table, places: Sequence[int], columns: Sequence[_Column], citing: Citing, room: int) -> Node:
    shares = _shares([columns[place] for place in places], room - _PADDING * len(places))
    used = sum(shares) + _PADDING * len(places)

    def cells(row: Sequence[Line], *, is_repeated: bool = False) -> list[list[Node]]:
        return [
            citing.line(row[place], max(4, int(share) - 1), is_repeated=is_repeated)
            for place, share in zip(places, shares, strict=True)
        ]

    rows = [cells(row) for row in table.rows]
    head = cells(table.head, is_repeated=True)
    tallest = max((width_of(plain(cell)) for row in table.rows for cell in row), default=0)
    return {
        "is": "table",
        "head": head,
        "repeats": not any("url" in node or "leads" in node for cell in head for node in cell),
        "rows": rows,
        "align": [table.aligned[place].value for place in places],
        "columns": [round(share + _PADDING, 1) for share in shares],
        "width": round(min(1.0, 1.15 * used / room), 3),
        "breakable": tallest > _TALL,
        "together": len(rows) <= _TOGETHER and tallest <= _TALL // 2,
    }


def _shares(columns: Sequence[_Column], room: int) -> list[float]:
    """Return a width for each column: what it wishes if there is room, otherwise the widest ones give way first."""
    if sum(one.wished for one in columns) <= room:
        return [float(one.wished) for one in columns]
    low, high = 0.0, float(max(one.wished for one in columns))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(_at_most(columns, middle)) <= room else (low, middle)
    return _at_most(columns, low)


def _at_most(columns: Sequence[_Column], widest: float) -> list[float]:
    return [max(float(one.least), min(float(one.wished), widest)) for one in columns]


def _column(cells: Sequence[str], wraps_below: int) -> _Column:
    widest = max(width_of(cell) for cell in cells)
    word = max((len(word) for cell in cells for word in _UNBROKEN.findall(cell)), default=0)
    least = max(4, min(word, _LONGEST_WORD), min(widest, wraps_below))
    return _Column(least, max(least, min(widest, _WIDEST)))
