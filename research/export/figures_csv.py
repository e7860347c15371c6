"""The table of figures as a CSV file that spreadsheets open rightly and take no formula from."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

from research.evidence import Page
from research.export.figure_columns import cells, heads
from research.language import Language
from research.verification.figure_table import FigureRow, to_csv_safe


def figures_csv(rows: Iterable[FigureRow], pages: Mapping[str, Page], language: Language) -> bytes:
    """Return the rows as CSV in UTF-8 with a byte order mark, by which Excel knows it; `pages` by id."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(heads(language))
    for row in rows:
        writer.writerow([to_csv_safe(cell) for cell in cells(row, pages)])
    return file.getvalue().encode("utf-8-sig", "replace")
