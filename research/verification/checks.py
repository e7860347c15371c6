"""What speaks against a claim: figures, dates and names that the page does not have, or has of something else."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from enum import IntEnum
from typing import NamedTuple

from research.quantities import Figure, Period, agree
from research.text import data_line_in
from research.verification.claim import NUMERAL, Claim, clause_at
from research.verification.matching import Match, bearing_out
from research.verification.page import IndexedPage
from research.verification.words import digits, units, visible, with_short_names


class Severity(IntEnum):
    """How much a finding weighs, the heaviest first."""

    CONTRADICTED = 1
    """However well the rest is found, the sentence is not supported."""
    DOUBTED = 2
    """However well the rest is found, the sentence is supported in part at most; but a part of it stays one."""


class Finding(NamedTuple):
    """One thing that speaks against a sentence."""

    severity: Severity
    code: str
    """That of a reason."""
    detail: str


CLOSE = 0.5
"""Share of the claim that stands in the page's sentence in the same order, from which both are one statement.

A wrong part then makes it a false statement; in a longer claim it leaves the rest standing. Measured: with this
condition WiCE's partly supported claims stay so (macro-F1 .53 to .60), and no altered number of ours gets past.
"""
SHORT = 6
"""Words up to which a claim is one statement, however it is put."""


def gravity(claim: Claim, shared: float) -> Severity:
    """Return how much a wrong part weighs in a claim of which this share stands in one sentence of the page."""
    return Severity.CONTRADICTED if shared >= CLOSE or len(claim.terms) <= SHORT else Severity.DOUBTED


def name_findings(claim: Claim, pages: Sequence[IndexedPage]) -> Iterator[Finding]:
    """Yield the names of which a word stands on none of the pages."""
    for group in claim.names():
        words = [claim.terms[at] for at in group]
        if not any(all(map(page.has, words)) for page in pages):
            last = claim.terms[group[-1]]
            shown = claim.text[claim.terms[group[0]].start : last.start + len(last.text)]
            yield Finding(Severity.DOUBTED, "name-missing", shown)


_COUNTED = 10
"""Bare whole numbers up to this are often counted by the writer ("the three ports") and not printed on the page."""


def figure_findings(
    claim: Claim, page: IndexedPage, match: Match, held: Sequence[bool], weight: Severity
) -> Iterator[Finding]:
    """Yield what is wrong with the figures; `held` says which of them any piece of evidence holds."""
    for figure, is_held, place in zip(claim.figures, held, match.held.figures, strict=True):
        if place is not None:
            other = of_another(claim, figure, place, page, match.looked_at)
            if other is not None:
                yield Finding(Severity.CONTRADICTED, "figure-misplaced", f"{figure.text} / {other.text}")
        elif not is_held and (other := _competitor(figure, page, match)) is not None:
            yield Finding(weight, "figure-differs", f"{figure.text} / {other.text}")
        elif not is_held:
            code = "figure-missing" if elsewhere(figure, page) is None else "figure-misplaced"
            yield Finding(Severity.DOUBTED if _is_count(figure) else weight, code, figure.text)


def _competitor(figure: Figure, page: IndexedPage, match: Match) -> Figure | None:
    """Return a figure of the same measure in the best sentence, which no figure of the claim agrees with."""
    if not match.chosen:
        return None
    taken = {place[1].start for place in match.held.figures if place is not None}
    for other in page.figures(match.chosen[0]):
        if figure.measures_as(other) and other.start not in taken:
            return other
    return None


def _is_count(figure: Figure) -> bool:
    return figure.currency is None and figure.value in range(_COUNTED + 1) and figure.unit not in ("%", "pp")


def elsewhere(figure: Figure, page: IndexedPage) -> tuple[int, int] | None:
    """Return where the page prints the figure, of whatever it says it."""
    numerals = [digits(numeral) for numeral in NUMERAL.findall(figure.text)]
    for index in sorted({index for unit in numerals for index in page.postings.get(unit, ())}):
        printed = bearing_out(figure, page, index)
        if printed is not None:
            return printed.start, printed.end
    return None


def period_findings(
    claim: Claim, page: IndexedPage, match: Match, held: Sequence[bool], weight: Severity
) -> Iterator[Finding]:
    """Yield the dates that the evidence does not name; `held` says which of them any piece of it does."""
    for figure, place in zip(claim.figures, match.held.figures, strict=True):
        if place is None or figure.period is None or figure.period_agrees(place[1]):
            continue
        if page.is_row(place[0]) or not _is_named(figure.period, page, place[0]):
            yield Finding(weight, "period-differs", f"{figure.text} ({figure.period})")
    for period, is_held in zip(claim.periods, held, strict=True):
        if is_held or not match.chosen or _is_named(period.value, page, match.chosen[0]):
            continue
        shown = claim.text[period.start : period.end]
        if page.periods(match.chosen[0]):
            yield Finding(weight, "period-differs", shown)
        elif _year(period) not in page.postings:
            yield Finding(Severity.DOUBTED, "period-missing", shown)


def _is_named(value: str, page: IndexedPage, index: int) -> bool:
    """Whether the sentence, or what tells the time of it, names a period."""
    return any(agree(value, period.value) for at in (index, *page.context(index)) for period in page.periods(at))


def _year(period: Period) -> str:
    return digits(period.value.removeprefix("FY")[:4])


_BRACKETS = re.compile(r"\([^()]*\)")
"""Units stand in brackets; they name no cell."""
_BREAK = re.compile(r"[,;、；](?!\d)|\band\b")
_ROWS = 200
"""Rows of a table that are looked at for the one that a claim names."""
Place = tuple[int, Figure]


class Cell(NamedTuple):
    """A figure of a table or list, with the words by which it can be named."""

    figure: Figure
    row: frozenset[str]
    column: frozenset[str]


def of_another(claim: Claim, figure: Figure, place: Place, page: IndexedPage, nearby: Sequence[int]) -> Figure | None:
    """Return the figure that the page gives of what the claim names beside its own, if that is not the claimed one.

    In a table or list (`Bakery 1,310, Snacks 985`), or in "label: value" lines `nearby`, that is the figure whose name
    stands with the claimed figure, while not all stands there that tells the claimed one from it.
    """
    cells = _cells(page, place[0])
    own = next((cell for cell in cells if cell.figure.start == place[1].start), None)
    if own is None:
        return None
    given = [one for one in claim.figures if one is not figure]
    beside = [cell for cell in cells if cell.column != own.column]
    for other in (*beside, *_below(own, place[0], page), *_in_lines(place[0], page, nearby)):
        if not other.figure.measures_as(own.figure) or any(one.agrees(other.figure) for one in given):
            continue
        theirs, ours = (other.row, own.row) if other.column == own.column else (other.column, own.column)
        near = _said_with(figure, claim, ours | theirs)
        if theirs - ours and theirs <= near | ours and not ours - theirs <= near:
            return other.figure
    return None


def _said_with(figure: Figure, claim: Claim, labels: Set[str]) -> frozenset[str]:
    """Return what stands with a figure: between the figure before and it, or behind it where that names nothing."""
    before = max((one.end for one in claim.figures if one.end <= figure.start), default=0)
    end = clause_at(claim.text, figure.start).end
    behind = min((one.start for one in claim.figures if one.start >= figure.end), default=end)
    near = frozenset(units(claim.text[before : figure.start]))
    return near if near & labels else near | units(claim.text[figure.end : min(behind, end)])


def _cells(page: IndexedPage, index: int) -> list[Cell]:
    """Return the figures of a sentence with what each is called: in a table by its column, in a list by its item."""
    text, start = page.sentence(index), page.spans[index].start
    head = page.head(index)
    if head is None:
        breaks = [0, *(match.end() for match in _BREAK.finditer(text))]
        named = []
        for figure in page.figures(index):
            at = figure.start - start
            item = text[breaks[bisect_right(breaks, at) - 1] : at]
            named.append(Cell(figure, frozenset(), _words(item.replace("(", " "))))
        return [cell for cell in named if cell.column]
    columns = [_words(cell) for cell in page.sentence(head).split("|")]
    row = _words(text.split("|", 1)[0])
    placed = [(figure, text.count("|", 0, figure.start - start)) for figure in page.figures(index)]
    return [Cell(figure, row, columns[at]) for figure, at in placed if 0 < at < len(columns) and columns[at]]


def _below(own: Cell, index: int, page: IndexedPage) -> Iterator[Cell]:
    """Yield the other cells of the same column."""
    head = page.head(index)
    if head is not None:
        for other in range(head + 1, min(head + 1 + _ROWS, len(page.spans))):
            if page.head(other) != head:
                return
            yield from (cell for cell in _cells(page, other) if cell.column == own.column and cell.row != own.row)


def _in_lines(index: int, page: IndexedPage, nearby: Sequence[int]) -> Iterator[Cell]:
    """Yield the figures of other "label: value" lines, if the sentence is one."""
    if data_line_in(page.sentence(index)) is not None:
        lines = (other for other in nearby if other != index and data_line_in(page.sentence(other)) is not None)
        yield from (cell for line in lines for cell in _cells(page, line))


def _words(cell: str) -> frozenset[str]:
    """Return what a label can be found by, without units and numbers."""
    plain = _BRACKETS.sub(" ", visible(with_short_names(cell)))
    return frozenset(unit for unit in units(plain) if not unit.startswith("#"))
