"""Tables: real ones, with a head that repeats; what is wider than a page is set in parts with the first column each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from docx.oxml.xmlchemy import BaseOxmlElement as Element

from research.export.document import Align, Line, Table, plain
from research.export.docx.xml import w
from research.export.office.cleaning import runs_right_to_left
from research.export.office.measuring import ems

_COLUMNS = 8
"""Columns that stand side by side on a page."""
_SMALL_FROM = 6
_WHOLE_ROW = 500
"""Characters up to which a row is kept on one page."""
_MEASURED = 80
"""Characters of a cell that its column's width is reckoned from."""
_NARROWEST, _WIDEST = 4.0, 26.0
"""Ems of a column's text that its width is reckoned from."""

Setter = Callable[[Line], list[Element]]


def column_groups(table: Table) -> list[tuple[int, ...]]:
    """Return the columns of each part that a table is set in; the first leads each of several parts."""
    count = len(table.head)
    if count <= _COLUMNS:
        return [tuple(range(count))]
    step = _COLUMNS - 1
    return [(0, *range(at, min(at + step, count))) for at in range(1, count, step)]


@dataclass(frozen=True)
class _Columns:
    """The columns that a table is set in."""

    table: Table
    places: Sequence[int]
    widths: Sequence[int]
    """Twips."""
    set_line: Setter


def table_element(table: Table, columns: Sequence[int], width: int, set_line: Setter) -> Element:
    """Return some columns of a table, `width` twips wide."""
    shown = _Columns(table, columns, _widths(table, columns, width), set_line)
    small = "Small" if len(columns) >= _SMALL_FROM else ""
    rows = [_row(shown, table.head, f"TableHead{small}", is_head=True)]
    rows += [_row(shown, cells, f"TableText{small}") for cells in table.rows]
    look = w("tblLook", val="0420", firstRow=1, lastRow=0, firstColumn=0, lastColumn=0, noHBand=0, noVBand=1)
    properties = w(
        "tblPr", w("tblStyle", val="ReportTable"), w("tblW", w=width, type="dxa"), w("tblLayout", type="fixed"), look
    )
    return w("tbl", properties, w("tblGrid", *(w("gridCol", w=one) for one in shown.widths)), *rows)


def _widths(table: Table, columns: Sequence[int], width: int) -> list[int]:
    """Share the width out by the longest text of each column, within bounds."""
    wanted = [min(_WIDEST, max(_NARROWEST, *_sizes(table, column))) for column in columns]
    return [int(width * one / sum(wanted)) for one in wanted]


def _sizes(table: Table, column: int) -> Iterator[float]:
    yield ems(plain(table.head[column])[:_MEASURED], is_bold=True)
    yield from (ems(plain(row[column])[:_MEASURED]) for row in table.rows)


def _row(shown: _Columns, cells: Sequence[Line], style: str, *, is_head: bool = False) -> Element:
    is_short = sum(len(plain(cells[place])) for place in shown.places) <= _WHOLE_ROW
    properties = [w("cantSplit") if is_short else None, w("tblHeader") if is_head else None]
    kept = w("trPr", *properties) if is_short or is_head else None
    return w("tr", kept, *(_cell(shown, cells, number, style) for number in range(len(shown.places))))


def _cell(shown: _Columns, cells: Sequence[Line], number: int, style: str) -> Element:
    place = shown.places[number]
    align = shown.table.aligned[place]
    properties = [
        w("pStyle", val=style),
        w("bidi") if runs_right_to_left(plain(cells[place])) else None,
        w("jc", val=align.value) if align is not Align.LEFT else None,
    ]
    paragraph = w("p", w("pPr", *properties), *shown.set_line(cells[place]))
    return w("tc", w("tcPr", w("tcW", w=shown.widths[number], type="dxa")), paragraph)
