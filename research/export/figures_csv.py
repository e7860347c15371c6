"""The tables of a run as CSV files that spreadsheets open rightly and take no formula from."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from datetime import date

from research.core.ledger import Page
from research.export.sheets import Sheet, figures_sheet, report_figures, sources_sheet
from research.language import Language
from research.quantities.table import FigureRow, to_csv_safe
from research.results.report import Report


def figures_csv(
    rows: Iterable[FigureRow], pages: Mapping[str, Page], language: Language, added: Mapping[str, date] | None = None
) -> bytes:
    """Return the rows as CSV in UTF-8 with a byte order mark, by which Excel knows it; see `sheets.figures_sheet`."""
    return _csv(figures_sheet(rows, pages, language, added))


def report_figures_csv(report: Report) -> bytes:
    """Return every figure of a run as CSV of the same kind, in the language of the report."""
    return _csv(report_figures(report))


def sources_csv(report: Report) -> bytes:
    """Return the pages that were read as CSV of the same kind, in the language of the report."""
    return _csv(sources_sheet(report))


def _csv(sheet: Sheet) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(sheet.heads)
    for row in sheet.rows:
        writer.writerow([to_csv_safe(cell) for cell in row])
    return file.getvalue().encode("utf-8-sig", "replace")
