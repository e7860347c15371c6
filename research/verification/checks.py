"""What speaks against a claim: figures, dates and names that the page does not have, or has of something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from enum import Enum, IntEnum
from typing import NamedTuple

from research.quantities import Figure, Period, agree
from research.text import data_line_in
from research.verification.claim import NUMERAL, Claim, clause_at
from research.verification.matching import Match, bearing_out
from research.verification.page import IndexedPage
from research.verification.words import Kind, digits, units, visible, with_short_names


class Severity(IntEnum):
    """How much a finding weighs, the heaviest first."""

    CONTRADICTED = 1
    """However well the rest is found, the sentence is not supported."""
    DOUBTED = 2
    """However well the rest is found, the sentence is supported in part at most; but a part of it stays one."""


class Rule(Enum):
    """The rules that can be left out to see what each is worth."""

    FIGURES = "figures"
    PERIODS = "periods"
    NAMES = "names"
    WORDS = "words"
    NEGATION = "negation"
    ROLES = "roles"


ALL = frozenset(Rule)


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
            other = of_another(claim, figure, place, page) or _nearer(claim, figure, place, match, page)
            if other is not None:
                yield Finding(Severity.CONTRADICTED, "figure-misplaced", f"{figure.text} / {other.text}")
        elif not is_held and (other := _competitor(figure, page, match)) is not None:
            yield Finding(weight, "figure-differs", f"{figure.text} / {other.text}")
        elif not is_held:
            code = "figure-missing" if elsewhere(figure, claim, page) is None else "figure-misplaced"
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


def elsewhere(figure: Figure, claim: Claim, page: IndexedPage) -> tuple[int, int] | None:
    """Return where the page prints the figure, of whatever it says it."""
    numerals = [digits(numeral) for numeral in NUMERAL.findall(figure.text)]
    for index in sorted({index for unit in numerals for index in page.postings.get(unit, ())}):
        printed = bearing_out(figure, claim, page, index)
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
_FIELD = re.compile(r"(?:^|;\s)\s*([^:;]{1,80}):\s")
"""What a value is called in a row that is written out: `region: East; units: 120`."""
_BREAK = re.compile(r"[,;、；](?!\d)|\band\b")
_ROWS = 200
"""Rows of a table that are looked at for the one that a claim names."""
Place = tuple[int, Figure]


class Cell(NamedTuple):
    """A figure of a table or list, with the words by which it can be named."""

    figure: Figure
    row: frozenset[str]
    column: frozenset[str]


def of_another(claim: Claim, figure: Figure, place: Place, page: IndexedPage) -> Figure | None:
    """Return the figure that the page gives of what the claim names beside its own, if that is not the claimed one.

    In a table that is the cell in the same row or column whose name stands with the claimed figure, while what tells
    the claimed cell from it does not. In a list (`Bakery 1,310, Snacks 985`) it is the figure right behind the name.
    """
    own = next((cell for cell in _cells(page, place[0]) if cell.figure.start == place[1].start), None)
    if own is None:
        return _listed(claim, figure, place, page)
    given = [one for one in claim.figures if one is not figure]
    for other in _beside(own, place[0], page):
        if not other.figure.measures_as(own.figure) or any(one.agrees(other.figure) for one in given):
            continue
        same_row = other.column != own.column
        theirs, ours = (other.column, own.column) if same_row else (other.row, own.row)
        near = _said_with(figure, claim, ours | theirs)
        if theirs - ours and theirs <= near | ours and near.isdisjoint(ours - theirs) and (ours - theirs):
            return other.figure
    return None


def _said_with(figure: Figure, claim: Claim, labels: Set[str]) -> frozenset[str]:
    """Return what stands with a figure: between the figure before and it, or behind it where that names nothing."""
    before = max((one.end for one in claim.figures if one.end <= figure.start), default=0)
    end = clause_at(claim.text, figure.start).end
    behind = min((one.start for one in claim.figures if one.start >= figure.end), default=end)
    near = frozenset(units(claim.text[before : figure.start]))
    return near if near & labels else near | units(claim.text[figure.end : min(behind, end)])


def _beside(own: Cell, index: int, page: IndexedPage) -> Iterator[Cell]:
    """Yield the other cells of a row, and those of the same column."""
    yield from (cell for cell in _cells(page, index) if cell.column != own.column)
    head = page.head(index)
    if head is not None:
        for other in range(head + 1, min(head + 1 + _ROWS, len(page.spans))):
            if page.head(other) != head:
                return
            yield from (cell for cell in _cells(page, other) if cell.column == own.column and cell.row != own.row)


def _listed(claim: Claim, figure: Figure, place: Place, page: IndexedPage) -> Figure | None:
    index, printed = place
    text, start = page.sentence(index), page.spans[index].start
    end = printed.end - start
    for term in claim.terms:
        at = text.find(term.text, end) if term.start < figure.start and term.kind is not Kind.LIGHT else -1
        if at < 0 or term.text in text[:end] or not _BREAK.search(text, end, at):
            continue
        behind = at + len(term.text)
        following = next((other for other in page.figures(index) if other.start - start >= behind), None)
        if following is None or _BREAK.search(text, behind, following.start - start):
            continue
        if following.measures_as(figure) and not any(given.agrees(following) for given in claim.figures):
            return following
    return None


def _nearer(claim: Claim, figure: Figure, place: Place, match: Match, page: IndexedPage) -> Figure | None:
    """Return the figure of another data line that names all that the figure's own line names of the claim, and more."""
    words = frozenset(unit for term in claim.terms if term.kind is not Kind.LIGHT for unit in term.units)
    here = words & page.units[place[0]]
    if data_line_in(page.sentence(place[0])) is None:
        return None
    for index in match.looked_at:
        if here < words & page.units[index] and data_line_in(page.sentence(index)) is not None:
            for other in page.figures(index):
                if other.measures_as(figure) and not any(one.agrees(other) for one in claim.figures):
                    return other
    return None


def _cells(page: IndexedPage, index: int) -> list[Cell]:
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
