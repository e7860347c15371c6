"""The tables of a run as an Excel workbook: numbers and days as such, all else as text, nothing as a formula."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING

from research.core.errors import UsageError
from research.core.ledger import Page
from research.export.office.cleaning import clipped
from research.export.sheets import Sheet, figures_sheet, report_figures, sentences_sheet, sources_sheet
from research.language import Bilingual, Language
from research.quantities.table import FigureRow
from research.results.report import Report

if TYPE_CHECKING:
    from xlsxwriter import Workbook


_MISSING = Bilingual(
    "Excel files need XlsxWriter: pip install 'research-workbench[xlsx]'.",
    "Excel ファイルの作成には XlsxWriter が必要です：pip install 'research-workbench[xlsx]'",
)
_FACES = {
    Language.EN: {"font_name": "Calibri", "font_size": 11},
    Language.JA: {"font_name": "Yu Gothic", "font_size": 11},
}
_LONGEST_PROPERTY = 250


def figures_xlsx(
    rows: Iterable[FigureRow], pages: Mapping[str, Page], language: Language, added: Mapping[str, date] | None = None
) -> bytes:
    """Return the rows as an `.xlsx` file with one sheet that can be sorted and filtered; see `sheets.figures_sheet`.

    Raises:
        UsageError: the extra `xlsx` is not installed.
    """
    return _filled([figures_sheet(rows, pages, language, added)], language, {})


def report_xlsx(report: Report) -> bytes:
    """Return an `.xlsx` file of a run: its figures, its sources, its sentences with verdicts; errors as above."""
    brief = report.record.brief
    sheets = [report_figures(report), sources_sheet(report), sentences_sheet(report)]
    title = clipped(brief.question, _LONGEST_PROPERTY)
    return _filled(sheets, brief.language, {"title": title, "keywords": report.record.run})


def _filled(sheets: Iterable[Sheet], language: Language, properties: Mapping[str, str]) -> bytes:
    file = io.BytesIO()
    with _workbook(file, language) as book:
        from research.export.worksheets import Worksheets

        book.set_properties({"author": "Research Workbench", **properties})
        worksheets = Worksheets(book)
        for sheet in sheets:
            worksheets.add(sheet)
    return file.getvalue()


def _workbook(file: io.BytesIO, language: Language) -> Workbook:
    try:
        import xlsxwriter
    except ImportError as error:
        raise UsageError(_MISSING.in_(language)) from error
    return xlsxwriter.Workbook(file, {"in_memory": True, "default_format_properties": _FACES[language]})
