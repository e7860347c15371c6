"""Sheets of a workbook: their look, and what each cell is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time
from functools import cache

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from research.export.columns import Column, Kind
from research.export.office.addresses import safe_address
from research.export.office.measuring import line_count
from research.export.office.palette import LINE, QUIET, SERIES
from research.export.sheets import Sheet
from research.quantities.table import Cell, to_csv_safe

_LONGEST_CELL = 32_000
"""Characters; a cell of Excel holds 32,767."""
_MOST_LINKS = 60_000
"""Links of a sheet, of which Excel reads 65,530."""
_LINE, _MOST_LINES = 17, 12
"""Points of a line of words, and the lines up to which a row grows; a cell holds more than it then shows."""
_HEAD_HEIGHT = 26
_EMS = 0.5
"""Of a character of a column's width."""
_MOST_DECIMALS = 6
_EARLIEST = 1_901
"""Years before are no dates to Excel."""
_A4 = 9
_LINK = f"#{SERIES[0]}"
_WRAPPED = {"text_wrap": True, "valign": "top", "bottom": 1, "border_color": f"#{LINE}"}
_SET_IN = {"align": "left", "indent": 1}
_HEAD = {
    **_SET_IN,
    "bold": True,
    "text_wrap": True,
    "valign": "vcenter",
    "bg_color": "#EDF1F7",
    "bottom": 1,
    "border_color": f"#{QUIET}",
}


class Worksheets:
    """Adds sheets to a workbook."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._format = cache(lambda **properties: book.add_format({**_WRAPPED, **properties}))
        self._head = book.add_format(_HEAD)

    def add(self, sheet: Sheet) -> None:
        """Add a sheet that is sorted, filtered and printed at once: its head stays, its width fits on paper."""
        worksheet = self._book.add_worksheet(sheet.name)
        for place, (column, head) in enumerate(zip(sheet.columns, sheet.heads, strict=True)):
            worksheet.set_column(place, place, column.width)
            worksheet.write_string(0, place, head, self._head)
        worksheet.set_row(0, _HEAD_HEIGHT)
        links = 0
        for line, row in enumerate(sheet.rows, start=1):
            worksheet.set_row(line, _height(sheet.columns, row))
            for place, (column, cell) in enumerate(zip(sheet.columns, row, strict=True)):
                links += self._write(worksheet, (line, place), column, cell, may_link=links < _MOST_LINKS)
        _set_up(worksheet, len(sheet.rows), len(sheet.columns))

    def _write(self, sheet: Worksheet, place: tuple[int, int], column: Column, cell: Cell, *, may_link: bool) -> bool:
        """Write a cell and return whether it is a link."""
        if cell is None:
            sheet.write_blank(*place, None, self._format())
            return False
        if not isinstance(cell, str):
            sheet.write_number(*place, cell, self._format(num_format=_number_format(cell)))
            return False
        address = safe_address(cell) if column.kind is Kind.ADDRESS and may_link else ""
        moment = _moment(cell, column.kind)
        words = cell[:_LONGEST_CELL].encode("utf-8", "replace").decode("utf-8")
        if address:
            sheet.write_url(*place, address, self._format(font_color=_LINK, underline=1, **_SET_IN), words)
        elif moment is not None:
            pattern = "yyyy-mm-dd hh:mm" if column.kind is Kind.MOMENT else "yyyy-mm-dd"
            sheet.write_datetime(*place, moment, self._format(num_format=pattern, **_SET_IN))
        else:
            sheet.write_string(*place, words, self._text(cell))
        return bool(address)

    def _text(self, cell: str) -> Format:
        """Return the format of text: what looks like a formula is kept text even when it is edited."""
        return self._format(**_SET_IN, **({} if to_csv_safe(cell) == cell else {"quote_prefix": True}))


def _set_up(worksheet: Worksheet, rows: int, columns: int) -> None:
    worksheet.freeze_panes(1, 1)
    worksheet.autofilter(0, 0, rows, columns - 1)
    worksheet.ignore_errors({"number_stored_as_text": f"A1:XFD{rows + 1}"})
    worksheet.set_landscape()
    worksheet.set_paper(_A4)
    worksheet.fit_to_pages(1, 0)
    worksheet.repeat_rows(0)
    worksheet.set_footer("&L&A&R&P / &N")


def _height(columns: Sequence[Column], row: Sequence[Cell]) -> float:
    """Return the height of a row in points, up to a bound, as not every program reckons it when it opens a file."""
    lines = (
        line_count(cell[: _MOST_LINES * column.width * 2], column.width * _EMS)
        for column, cell in zip(columns, row, strict=True)
        if isinstance(cell, str) and len(cell) > column.width * _EMS
    )
    return _LINE * min(_MOST_LINES, max(lines, default=1))


def _number_format(number: float) -> str:
    """Return a pattern with the thousands apart and as many decimals as a number has."""
    decimals = len(f"{number:.{_MOST_DECIMALS}f}".rstrip("0").partition(".")[2])
    if abs(number) >= 1e15 or (number and not decimals and abs(number) < 1):
        return "General"
    return "#,##0" + (f".{'0' * decimals}" if decimals else "")


def _moment(text: str, kind: Kind) -> datetime | None:
    """Return a day, or a time in UTC, without its zone, which Excel does not know; None for less of a date."""
    if kind not in (Kind.DAY, Kind.MOMENT):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if kind is Kind.DAY:
        moment = datetime.combine(moment.date(), time())
    elif moment.tzinfo:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment if moment.year >= _EARLIEST else None
