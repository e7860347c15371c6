"""Rows of a page's tables in order: what a table says of each of its rows, where the highest or lowest is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from research.gaps import word_shares
from research.text import Asked, Value, values_of

_TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)
_LEAD = re.compile(r"[^\n]+(?=\s*\Z)")
_LEADS = 600
"""Characters before a table in which what leads to it is looked for."""
_SAYS = 0.6
"""Share of what is asked that the words around a table have to say."""
_FEWEST, _MOST = 2, 12
"""Rows from which there is an order, and rows that are taken."""
_WHOLE = 0.01
"""How near a row comes to the sum of the others that is their total, as a share of it."""


@dataclass(frozen=True)
class _Table:
    lead: str
    """The line before it: what it is about."""
    rows: tuple[Value, ...]


def ordered_rows(text: str, asked: Asked) -> list[Value]:
    """Return the rows of the table that says most of what is asked, the highest or lowest first; totals are none.

    Each is labelled with the line that leads to its table.
    """
    tables = list(_tables(text))
    if not tables:
        return []
    about = [f"{table.lead} {table.rows[0].label}" for table in tables]
    shares = word_shares(" ".join(asked.attributes), about)
    best = max(range(len(tables)), key=lambda index: shares[index])
    if shares[best] < _SAYS:
        return []
    rows = _without_total(_of_column(tables[best].rows, asked))
    ordered = sorted(rows, key=lambda one: one.number or 0.0, reverse=not asked.is_least)
    return [replace(one, label=tables[best].lead) for one in ordered[:_MOST]]


def _tables(text: str) -> Iterator[_Table]:
    values = [value for value in values_of(text) if value.is_row and value.number is not None]
    for match in _TABLE.finditer(text):
        rows = tuple(value for value in values if match.start() <= value.start < match.end())
        lead = _LEAD.search(text[max(0, match.start() - _LEADS) : match.start()])
        if len(rows) >= _FEWEST and lead is not None:
            yield _Table(lead.group().strip(" :："), rows)


def _of_column(rows: Sequence[Value], asked: Asked) -> list[Value]:
    """Return one value a row: of the column that is asked for by its year, else of the first."""
    kept: dict[str, Value] = {}
    for one in rows:
        if not asked.years or asked.is_in_years(one.year):
            kept.setdefault(one.subject, one)
    return list(kept.values())


def _without_total(rows: Sequence[Value]) -> list[Value]:
    """Leave out a row that is the sum of the others."""
    numbers = [one.number or 0.0 for one in rows]
    return [
        one
        for one, number in zip(rows, numbers, strict=True)
        if len(rows) <= _FEWEST or abs(sum(numbers) - 2 * number) > _WHOLE * abs(number)
    ]
