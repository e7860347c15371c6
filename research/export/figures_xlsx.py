"""The tables of a run as an Excel workbook: numbers as numbers, everything else as text, nothing as a formula."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from research.errors import UsageError
from research.evidence import Page
from research.export.sheets import Sheet, figures_sheet, report_figures, sentences_sheet, sources_sheet
from research.language import Bilingual, Language
from research.report import Report
from research.verification.figure_table import Cell, FigureRow, to_csv_safe

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

_MISSING = Bilingual(
    "Excel files need XlsxWriter: pip install 'research-workbench[xlsx]'.",
    "Excel ファイルの作成には XlsxWriter が必要です：pip install 'research-workbench[xlsx]'",
)
_LONGEST_CELL = 32_000
"""Characters; a cell of Excel holds 32,767."""


def figures_xlsx(
    rows: Iterable[FigureRow], pages: Mapping[str, Page], language: Language, added: Mapping[str, date] | None = None
) -> bytes:
    """Return the rows as an `.xlsx` file with one sheet that can be sorted and filtered; see `sheets.figures_sheet`.

    Raises:
        UsageError: the extra `xlsx` is not installed.
    """
    return _workbook([figures_sheet(rows, pages, language, added)], language)


def report_xlsx(report: Report) -> bytes:
    """Return an `.xlsx` file of a run: its figures, its sources, its sentences with verdicts; errors as above."""
    language = report.record.brief.language
    return _workbook([report_figures(report), sources_sheet(report), sentences_sheet(report)], language)


def _workbook(sheets: Iterable[Sheet], language: Language) -> bytes:
    try:
        import xlsxwriter
    except ImportError as error:
        raise UsageError(_MISSING.in_(language)) from error
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        styles = _Styles.of(book)
        for sheet in sheets:
            _fill(book.add_worksheet(sheet.name), sheet, styles)
    return file.getvalue()


class _Styles(NamedTuple):
    head: Format
    plain: Format
    marked_as_text: Format
    """Keeps what looks like a formula text even when it is edited."""

    @classmethod
    def of(cls, book: Workbook) -> _Styles:
        return cls(
            book.add_format({"bold": True, "bottom": 1}),
            book.add_format({"text_wrap": True, "valign": "top"}),
            book.add_format({"text_wrap": True, "valign": "top", "quote_prefix": True}),
        )


def _fill(worksheet: Worksheet, sheet: Sheet, styles: _Styles) -> None:
    for column, (name, width) in enumerate(zip(sheet.heads, sheet.widths, strict=True)):
        worksheet.set_column(column, column, width)
        worksheet.write_string(0, column, name, styles.head)
    for line, row in enumerate(sheet.rows, start=1):
        for column, cell in enumerate(row):
            _write(worksheet, (line, column), cell, styles)
    worksheet.freeze_panes(1, 0)
    worksheet.autofilter(0, 0, len(sheet.rows), len(sheet.heads) - 1)


def _write(worksheet: Worksheet, place: tuple[int, int], cell: Cell, styles: _Styles) -> None:
    if isinstance(cell, str):
        style = styles.plain if to_csv_safe(cell) == cell else styles.marked_as_text
        worksheet.write_string(*place, cell[:_LONGEST_CELL].encode("utf-8", "replace").decode("utf-8"), style)
    elif cell is not None:
        worksheet.write_number(*place, cell, styles.plain)
