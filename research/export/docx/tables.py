"""Tables: real ones, with a head that repeats; what is wider than a page is set in parts with the first column each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from research.export.docx.xml import Element, w
from research.export.document import Align, Line, Table, plain
from research.export.office.cleaning import runs_right_to_left
from research.export.office.measuring import ems

_COLUMNS = 8
"""Columns that stand side by side on a page."""
_SMALL_FROM = 6
_WHOLE_ROW = 500
"""Characters up to which a row is kept on one page."""
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


def table_element(table: Table, columns: Sequence[int], width: int, set_line: Setter) -> Element:
    """Return some columns of a table, `width` twips wide."""
    widths = _widths(table, columns, width)
    small = "Small" if len(columns) >= _SMALL_FROM else ""
    rows = [_row(table, table.head, columns, widths, f"TableHead{small}", set_line, is_head=True)]
    rows += [_row(table, cells, columns, widths, f"TableText{small}", set_line) for cells in table.rows]
    look = w("tblLook", val="0420", firstRow=1, lastRow=0, firstColumn=0, lastColumn=0, noHBand=0, noVBand=1)
    properties = w(
        "tblPr", w("tblStyle", val="ReportTable"), w("tblW", w=width, type="dxa"), w("tblLayout", type="fixed"), look
    )
    return w("tbl", properties, w("tblGrid", *(w("gridCol", w=one) for one in widths)), *rows)


def _widths(table: Table, columns: Sequence[int], width: int) -> list[int]:
    """Share the width out by the longest text of each column, within bounds."""
    wanted = [min(_WIDEST, max(_NARROWEST, *_sizes(table, column))) for column in columns]
    return [int(width * one / sum(wanted)) for one in wanted]


def _sizes(table: Table, column: int) -> Iterator[float]:
    yield ems(plain(table.head[column])[:80], is_bold=True)
    yield from (ems(plain(row[column])[:80]) for row in table.rows)


def _row(
    table: Table,
    cells: Sequence[Line],
    columns: Sequence[int],
    widths: Sequence[int],
    style: str,
    set_line: Setter,
    *,
    is_head: bool = False,
) -> Element:
    is_short = sum(len(plain(cells[column])) for column in columns) <= _WHOLE_ROW
    properties = [w("cantSplit") if is_short else None, w("tblHeader") if is_head else None]
    given = [one for one in properties if one is not None]
    return w(
        "tr",
        w("trPr", *given) if given else None,
        *(
            _cell(cells[column], width, style, table.aligned[column], set_line)
            for column, width in zip(columns, widths, strict=True)
        ),
    )


def _cell(line: Line, width: int, style: str, align: Align, set_line: Setter) -> Element:
    properties = [
        w("pStyle", val=style),
        w("bidi") if runs_right_to_left(plain(line)) else None,
        w("jc", val=align.value) if align is not Align.LEFT else None,
    ]
    paragraph = w("p", w("pPr", *properties), *set_line(line))
    return w("tc", w("tcPr", w("tcW", w=width, type="dxa")), paragraph)
