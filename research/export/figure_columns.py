"""The columns of the table of figures, as files hold them."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from research.evidence import Page
from research.language import Bilingual, Language
from research.verification.figure_table import Cell, FigureRow

_HEADS = (
    Bilingual("Subject", "対象"),
    Bilingual("Measure", "項目"),
    Bilingual("Value", "値"),
    Bilingual("Unit", "単位"),
    Bilingual("Currency", "通貨"),
    Bilingual("Period", "時期"),
    Bilingual("As printed", "原文の表記"),
    Bilingual("Quote", "引用"),
    Bilingual("Source", "情報源"),
    Bilingual("Address", "アドレス"),
    Bilingual("Date of source", "情報源の日付"),
    Bilingual("Evidence", "証拠ID"),
)
_ADDED = Bilingual("Added on", "追加日")
"""The last column, where something joined the run by a further question."""
WIDTHS = (24, 40, 16, 10, 9, 12, 16, 60, 36, 40, 14, 10)
"""Widths for reading, in characters."""


def heads(language: Language, *, with_added: bool = False) -> list[str]:
    """Return the names of the columns."""
    return [head.in_(language) for head in (*_HEADS, *([_ADDED] if with_added else []))]


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
        page.url,
        row.date,
        row.evidence,
    ]


def _number(value: float) -> Cell:
    """Return a value without the noise of binary fractions; text if it is too large for a number."""
    if not isfinite(value):
        return str(value)
    shown = float(f"{value:.15g}")
    return int(shown) if shown.is_integer() and abs(shown) < 1e15 else shown
