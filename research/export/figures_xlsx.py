"""The table of figures as an Excel workbook: numbers as numbers, everything else as text, nothing as a formula."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from research.errors import UsageError
from research.evidence import Page
from research.export.figure_columns import WIDTHS, cells, heads
from research.language import Bilingual, Language
from research.verification.figure_table import Cell, FigureRow, to_csv_safe

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

_SHEET = Bilingual("Figures", "数値一覧")
_LONGEST_CELL = 32_000
"""Characters; a cell of Excel holds 32,767."""


def figures_xlsx(rows: Iterable[FigureRow], pages: Mapping[str, Page], language: Language) -> bytes:
    """Return the rows as an `.xlsx` file with one sheet that can be sorted and filtered; `pages` by id.

    Raises:
        UsageError: the extra `xlsx` is not installed.
    """
    try:
        import xlsxwriter
    except ImportError as error:
        raise UsageError("Excel files need XlsxWriter: pip install 'research-workbench[xlsx]'.") from error
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet(_SHEET.in_(language))
        head = book.add_format({"bold": True, "bottom": 1})
        styles = _Styles(
            book.add_format({"text_wrap": True, "valign": "top"}),
            book.add_format({"text_wrap": True, "valign": "top", "quote_prefix": True}),
        )
        for column, (name, width) in enumerate(zip(heads(language), WIDTHS, strict=True)):
            sheet.set_column(column, column, width)
            sheet.write_string(0, column, name, head)
        last = 0
        for last, row in enumerate(rows, start=1):
            for column, cell in enumerate(cells(row, pages)):
                _write(sheet, (last, column), cell, styles)
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, last, len(WIDTHS) - 1)
    return file.getvalue()


class _Styles(NamedTuple):
    plain: Format
    marked_as_text: Format
    """Keeps what looks like a formula text even when it is edited."""


def _write(sheet: Worksheet, place: tuple[int, int], cell: Cell, styles: _Styles) -> None:
    if isinstance(cell, str):
        style = styles.plain if to_csv_safe(cell) == cell else styles.marked_as_text
        sheet.write_string(*place, cell[:_LONGEST_CELL].encode("utf-8", "replace").decode("utf-8"), style)
    elif cell is not None:
        sheet.write_number(*place, cell, styles.plain)
