"""The columns of the table of figures, as files hold them."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from research.core.ledger import Page
from research.export.columns import Column, Kind, web_address
from research.language import Bilingual
from research.quantities.table import Cell, FigureRow

_COLUMNS = (
    Column(Bilingual("Subject", "対象"), 24),
    Column(Bilingual("Measure", "項目"), 40),
    Column(Bilingual("Value", "値"), 16),
    Column(Bilingual("Unit", "単位"), 10),
    Column(Bilingual("Currency", "通貨"), 10),
    Column(Bilingual("Period", "時期"), 12),
    Column(Bilingual("As printed", "原文の表記"), 18),
    Column(Bilingual("Quote", "引用"), 60),
    Column(Bilingual("Source", "情報源"), 36),
    Column(Bilingual("Address", "アドレス"), 40, Kind.ADDRESS),
    Column(Bilingual("Date of source", "情報源の日付"), 15, Kind.DAY),
    Column(Bilingual("Evidence", "証拠 ID"), 11),
)
_ADDED = Column(Bilingual("Added on", "追加日"), 14, Kind.DAY)
"""The last column, where something joined the run by a further question."""


def columns(*, with_added: bool = False) -> tuple[Column, ...]:
    """Return the columns of the table."""
    return (*_COLUMNS, _ADDED) if with_added else _COLUMNS


def cells(row: FigureRow, pages: Mapping[str, Page]) -> list[Cell]:
    """Return a row's cells; empty ones are None. The value is a whole number where it is one."""
    page = pages[row.source]
    return [
        row.subject,
        row.label,
        _number(row.value),
        row.unit,
        row.currency,
        row.period,
        row.text,
        row.quote,
        page.title,
        web_address(page),
        row.date,
        row.evidence,
    ]


def _number(value: float) -> Cell:
    """Return a value without the noise of binary fractions; text if it is too large for a number."""
    if not isfinite(value):
        return str(value)
    shown = float(f"{value:.15g}")
    return int(shown) if shown.is_integer() and abs(shown) < 1e15 else shown
