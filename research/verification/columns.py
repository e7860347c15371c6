"""Figures of a table that a claim gives of another column or row than they stand in.

A row is one sentence of the page, so its words alone do not tell its figures apart. What does are the head of the
column and the label of the row. A figure is found misplaced only where the claim names another cell of the row by every
word of its head and its own cell by none, or where two figures stand right behind each other's names. A claim that
paraphrases a head names no cell, so nothing is said of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from research.verification.claim import Claim
from research.verification.clauses import clause_at, clauses
from research.verification.figures import Figure
from research.verification.page import IndexedPage
from research.verification.terms import units, visible, with_short_names

_BRACKETS = re.compile(r"\([^()]*\)")
"""Units stand in brackets; they name no cell."""
_FIELD = re.compile(r"(?:^|;\s)\s*([^:;]{1,80}):\s")
"""What a value is called in a row that is written out: `region: East; units: 120`."""
Place = tuple[int, Figure]


class Cell(NamedTuple):
    """A figure of a table, with the words by which it can be named."""

    figure: Figure
    row: frozenset[str]
    column: frozenset[str]


def in_other_column(claim: Claim, figure: Figure, place: Place, page: IndexedPage) -> Figure | None:
    """Return the figure of the row that stands in the column which the claim names, if the claimed one does not."""
    cells = cells_of(page, place[0])
    own = [cell for cell in cells if figure.agrees(cell.figure) or figure.same_digits(cell.figure)]
    if not own:
        return None
    near = clause_at(claim.text, figure.start).units
    everywhere = frozenset().union(*(clause.units for clause in clauses(claim.text)))
    for other in cells:
        is_given = any(given.agrees(other.figure) or given.same_digits(other.figure) for given in claim.figures)
        if is_given or not _same_measure(other.figure, place[1]) or not figure.period_agrees(other.figure):
            continue
        if other.column <= near and all(_is_unnamed(cell.column, other.column, everywhere) for cell in own):
            return other.figure
    return None


def _same_measure(one: Figure, other: Figure) -> bool:
    return (one.unit, one.currency) == (other.unit, other.currency)


def _is_unnamed(column: Set[str], named: Set[str], words: Set[str]) -> bool:
    """Whether nothing by which a column differs from the named one is among the words; both must differ in a word."""
    return bool(column - named) and bool(named - column) and words.isdisjoint(column - named)


def crossed(claim: Claim, places: Sequence[Place | None], page: IndexedPage) -> tuple[Figure, Figure] | None:
    """Return two neighbouring figures of the claim of which each stands right behind the name of the other's cell."""
    placed = [
        (figure, cell)
        for figure, place in zip(claim.figures, places, strict=True)
        if place is not None and (cell := _cell_at(page, place)) is not None
    ]
    for (one, first), (other, second) in pairwise(placed):
        if first.column == second.column:
            names = (first.row - second.row, second.row - first.row)
        else:
            names = (first.column - second.column, second.column - first.column)
        if _name_before(claim, one, names) == 1 and _name_before(claim, other, names) == 0:
            return one, other
    return None


def _name_before(claim: Claim, figure: Figure, names: tuple[Set[str], Set[str]]) -> int | None:
    """Return which of two names stands last before a figure and behind the figure before it, if any does."""
    begin = max((other.end for other in claim.figures if other.end <= figure.start), default=0)
    for term in reversed(claim.terms):
        if begin <= term.start < figure.start:
            found = [at for at, name in enumerate(names) if not name.isdisjoint(term.units)]
            if found:
                return found[0] if len(found) == 1 else None
    return None


def _cell_at(page: IndexedPage, place: Place) -> Cell | None:
    return next((cell for cell in cells_of(page, place[0]) if cell.figure.start == place[1].start), None)


def cells_of(page: IndexedPage, index: int) -> list[Cell]:
    """Return the figures of a row of a table, or of a row that is written out; none for other sentences."""
    head = page.head(index)
    named = _under_head(page, index, page.sentence(head)) if head is not None else _written_out(page, index)
    return [cell for cell in named if cell.column]


def _under_head(page: IndexedPage, index: int, head: str) -> Iterator[Cell]:
    columns = [_words(cell) for cell in head.split("|")]
    text, start = page.sentence(index), page.spans[index].start
    row = _words(text.split("|", 1)[0])
    for figure in page.figures(index):
        column = text.count("|", 0, figure.start - start)
        if 0 < column < len(columns):
            yield Cell(figure, row, columns[column])


def _written_out(page: IndexedPage, index: int) -> Iterator[Cell]:
    text, start = page.sentence(index), page.spans[index].start
    fields = list(_FIELD.finditer(text))
    if len(fields) > 1:
        for figure in page.figures(index):
            before = [field for field in fields if field.end() <= figure.start - start]
            if before:
                yield Cell(figure, frozenset(), _words(before[-1][1]))


def _words(cell: str) -> frozenset[str]:
    """Return what a label can be found by, without units and numbers."""
    plain = _BRACKETS.sub(" ", visible(with_short_names(cell)))
    return frozenset(unit for unit in units(plain) if not unit.startswith("#"))
