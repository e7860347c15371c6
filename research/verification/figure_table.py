"""The table of figures of a run: every figure in the evidence, with what it is about and where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING

from research.core.ledger import Evidence, Page
from research.verification.figure_table_labels import label_of, subject_of
from research.verification.figures import Figure, figures

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class FigureRow:
    """One figure of the evidence."""

    subject: str
    """What the page is about: the first part of its title."""
    label: str
    """What the figure measures, in the words of the page."""
    value: float
    unit: str | None
    currency: str | None
    period: str | None
    text: str
    """The figure as printed."""
    quote: str
    evidence: str
    """Id of the evidence."""
    source: str
    """Id of the page."""
    date: str | None
    """Date of the page's information (ISO 8601, as precise as known)."""


def figure_rows(evidence: Iterable[Evidence], pages: Mapping[str, Page]) -> list[FigureRow]:
    """Return a row for each figure in `evidence`, in order; `pages` are those that it quotes, by id.

    Figures are read in their page, so that the head of a table or a label counts even if the quote leaves it out.
    Figures that are part of a label ("ages 15-24: 3.9%") are left out. A figure that one page states twice in the
    same words has one row.
    """
    by_page: dict[str, list[Figure]] = {}
    rows: dict[tuple[object, ...], FigureRow] = {}
    for entry in evidence:
        page = pages[entry.source]
        if page.id not in by_page:
            by_page[page.id] = figures(page.text)
        for figure in by_page[page.id]:
            if entry.start <= figure.start and figure.end <= entry.end:
                row = _row(figure, entry, page)
                if row is not None:
                    rows.setdefault(_identity(row), row)
    return list(rows.values())


def _row(figure: Figure, entry: Evidence, page: Page) -> FigureRow | None:
    subject = subject_of(page.title)
    label = label_of(figure, page.text, subject)
    if label is None:
        return None
    return FigureRow(
        subject,
        label,
        figure.value,
        figure.unit,
        figure.currency,
        figure.period,
        figure.text,
        entry.quote,
        entry.id,
        page.id,
        page.published,
    )


def _identity(row: FigureRow) -> tuple[object, ...]:
    return row.source, row.label.casefold(), row.value, row.unit, row.currency, row.period


def figure_frame(rows: Iterable[FigureRow]) -> pd.DataFrame:
    """Return the rows as a pandas frame, one column a field."""
    import pandas as pd

    return pd.DataFrame([asdict(row) for row in rows], columns=[field.name for field in fields(FigureRow)])


Cell = str | float | int | None

_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)*")
_FORMULA = tuple("=+-@＝＋－＠\t\r\n")


def to_csv_safe(cell: Cell) -> Cell:
    """Return `cell` so that no spreadsheet takes it for a formula.

    Text that begins with = + - @ (also full-width, or behind blanks), a tab or a line break gets an apostrophe before
    it. Numbers stay numbers, and so does text that is nothing but a number.
    """
    if not isinstance(cell, str) or _NUMBER.fullmatch(cell):
        return cell
    return "'" + cell if cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA) else cell
