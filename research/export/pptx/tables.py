"""Tables on slides: parts of a table that fit, measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from research.export.document import Align, Line, Table, plain
from research.export.office.measuring import ems, line_count
from research.export.office.words import COLUMNS, REST_IN_NOTES
from research.export.pptx.geometry import BODY, EMU_PER_POINT, TABLE_SIZES, TEXT_WIDTH
from research.export.pptx.paging import height_in_sizes, shortened
from research.language import Language

_COLUMNS = 7
_ROWS_OF_ALL = 60
"""Rows of a table that are shown; of more, the notes have the rest."""
_CELL_LINES = 6
_MEASURED = 60
_NARROWEST, _WIDEST = 4.0, 24.0
_PADDING = 10.0
"""Points above and below the words of a cell, and beside them."""
_SEPARATOR = " · "


@dataclass(frozen=True)
class TablePiece:
    """A part of a table that fits on a slide."""

    head: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]
    aligned: tuple[Align, ...]
    widths: tuple[int, ...]
    """EMU."""
    heights: tuple[int, ...]
    """EMU of the head and each row."""
    size: int
    """Points of the words."""
    remark: str = ""


def table_pieces(table: Table, language: Language) -> list[TablePiece]:
    """Return a table in parts: some columns, led by the first, and as many rows as a slide has room for."""
    large, small = TABLE_SIZES
    found = list(_sized(table, language, large))
    return found if len(found) == 1 else list(_sized(table, language, small))


def _sized(table: Table, language: Language, size: int) -> Iterator[TablePiece]:
    groups = _groups(len(table.head))
    left = len(table.rows) - _ROWS_OF_ALL
    for columns in groups:
        remarks = []
        if len(groups) > 1:
            words = COLUMNS.in_(language)
            remarks.append(
                words.format(first=columns[1] + (columns[1] > 1), last=columns[-1] + 1, total=len(table.head))
            )
        if left > 0:
            remarks.append(REST_IN_NOTES.in_(language).format(count=left))
        yield from _pieces(table, columns, size, _SEPARATOR.join(remarks))


def _groups(count: int) -> list[tuple[int, ...]]:
    if count <= _COLUMNS:
        return [tuple(range(count))] if count else []
    step = _COLUMNS - 1
    return [(0, *range(at, min(at + step, count))) for at in range(1, count, step)]


def _pieces(table: Table, columns: Sequence[int], size: int, remark: str) -> Iterator[TablePiece]:
    widths = _widths(table, columns, size)
    head = _fitted(table.head, columns, widths, size)
    aligned = tuple(table.aligned[column] for column in columns)
    whole = TablePiece(head, (), aligned, tuple(map(_emu, widths)), (), size, remark)
    room = BODY.height / EMU_PER_POINT
    heights = [_height(head, widths, size)]
    rows: list[tuple[Line, ...]] = []
    for row in table.rows[:_ROWS_OF_ALL]:
        shown = _fitted(row, columns, widths, size)
        height = _height(shown, widths, size)
        if rows and sum(heights) + height > room:
            yield replace(whole, rows=tuple(rows), heights=tuple(map(_emu, heights)))
            rows, heights = [], heights[:1]
        rows.append(shown)
        heights.append(height)
    yield replace(whole, rows=tuple(rows), heights=tuple(map(_emu, heights)))


def _emu(points: float) -> int:
    return int(points * EMU_PER_POINT)


def _widths(table: Table, columns: Sequence[int], size: int) -> list[float]:
    """Share the width out by the longest text of each column, within bounds."""
    wanted = []
    for column in columns:
        cells = [table.head[column], *(row[column] for row in table.rows[:_ROWS_OF_ALL])]
        widest = max(ems(plain(cell)[:_MEASURED], is_bold=True) for cell in cells)
        wanted.append(min(_WIDEST, max(_NARROWEST, widest)) * size + 2 * _PADDING)
    share = TEXT_WIDTH / sum(wanted)
    return [width * share for width in wanted]


def _fitted(row: Sequence[Line], columns: Sequence[int], widths: Sequence[float], size: int) -> tuple[Line, ...]:
    return tuple(
        shortened(row[column], _ems(width, size), _CELL_LINES) for column, width in zip(columns, widths, strict=True)
    )


def _height(row: Sequence[Line], widths: Sequence[float], size: int) -> float:
    texts = [plain(cell) for cell in row]
    lines = [line_count(text, _ems(width, size), is_bold=True) for text, width in zip(texts, widths, strict=True)]
    return size * max(map(height_in_sizes, texts, lines), default=1.0) + _PADDING


def _ems(width: float, size: int) -> float:
    return (width - 2 * _PADDING) / size
