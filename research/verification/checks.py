"""What speaks against a claim: figures, dates and names that the page does not have, or has of something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from enum import Enum, IntEnum
from itertools import pairwise
from typing import NamedTuple

from research.quantities import Figure, Period, agree, is_physical
from research.verification.alignment import Alignment
from research.verification.claim import NUMERAL, Claim, clause_at, clauses
from research.verification.matching import Match, bearing_out
from research.verification.opposites import is_converse
from research.verification.page import IndexedPage
from research.verification.words import (
    NAME_WEIGHT,
    Kind,
    Term,
    digits,
    leading_word,
    names_in,
    unit_of,
    units,
    visible,
    with_short_names,
)


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
    NEGATION = "negation"
    ROLES = "roles"


ALL = frozenset(Rule)


class Finding(NamedTuple):
    """One thing that speaks against a sentence."""

    severity: Severity
    code: str
    """That of a reason."""
    detail: str


_CLOSE = 0.5
"""Share of the claim that stands in the page's sentence in the same order, from which both are one statement.

A wrong part then makes it a false statement; in a longer claim it leaves the rest standing. Measured: with this
condition WiCE's partly supported claims stay so (macro-F1 .53 to .60), and no altered number of ours gets past.
"""


_SHORT = 6
"""Words up to which a claim is one statement, however it is put."""


def gravity(claim: Claim, shared: float) -> Severity:
    """Return how much a wrong part weighs in a claim of which this share stands in one sentence of the page."""
    return Severity.CONTRADICTED if shared >= _CLOSE or len(claim.terms) <= _SHORT else Severity.DOUBTED


_SAME_FRAME = (0.6, 0.3)
"""Shares of claim and sentence that must stand in the other in order, if one other word is to change the statement.

Chosen on half of JNLI: 34% of its contradictions are such, 14% of its entailments and 6% of the rest.
"""
_NAME_FRAME = (0.6, 0.3)
"""The same for a name: .5 costs WiCE .01 of macro-F1, .6 hardly anything."""
_NOUN_ENDS = "をにがはのとでもへや"
"""Particles that mark a noun: only one of those in another's place is counted, as verbs are paraphrased freely."""


def replaced_findings(claim: Claim, sentence: str, lying: Alignment) -> Iterator[Finding]:
    """Yield what stands in place of a name, or of a Japanese noun, in a sentence that is otherwise the same.

    English words other than names are left alone: of WiCE's supported claims 12% put another word for one of the
    page, of the others 2%.
    """
    if is_converse(claim.text, units(claim.text), sentence, units(sentence)):
        return
    for ours, theirs in lying.replaced:
        if _is_noun(ours, claim.text) and _is_noun(theirs, sentence) and _frames(lying, _SAME_FRAME):
            yield Finding(Severity.CONTRADICTED, "word-differs", f"{ours} / {theirs}")
        elif _frames(lying, _NAME_FRAME) and _is_name(ours, claim.text) and _is_name(theirs, sentence):
            yield Finding(Severity.CONTRADICTED, "name-differs", f"{ours} / {theirs}")


def _frames(lying: Alignment, least: tuple[float, float]) -> bool:
    return lying.claim >= least[0] and lying.sentence >= least[1]


def _is_noun(words: str, text: str) -> bool:
    place = text.find(words)
    behind = text[place + len(words) : place + len(words) + 1]
    return not words.isascii() and place >= 0 and (words[-1] in _NOUN_ENDS or (behind != "" and behind in _NOUN_ENDS))


def _is_name(words: str, text: str) -> bool:
    """Whether words begin with a name, or with the word with a capital that opens their sentence."""
    place = text.find(words)
    first = leading_word(text)
    return place >= 0 and any(start <= place < end for start, end in (*names_in(text), *([first] if first else ())))


_FORMS = frozenset({"ag", "as", "corporation", "gmbh", "group", "holding", "holdings", "limited", "llc", "plc", "sa"})
"""Words of companies' names that are left out or exchanged freely."""


def name_findings(claim: Claim, pages: Sequence[IndexedPage]) -> Iterator[Finding]:
    """Yield the names of which a word stands on none of the pages."""
    for group in claim.names():
        words = [term for term in (claim.terms[at] for at in group) if term.text.lower() not in _FORMS]
        if words and not any(_has(words, page) for page in pages):
            yield Finding(Severity.DOUBTED, "name-missing", _shown(claim, group))


def _has(name: Sequence[Term], page: IndexedPage) -> bool:
    return all(_stands(word, page) for word in name) or _is_spelt_out(name[0], page)


def with_leading_name(claim: Claim, page: IndexedPage) -> Claim:
    """Return the claim with its first word as a name if the page writes that word with a capital only."""
    if claim.leading is None:
        return claim
    start, end = claim.leading
    word = claim.text[start:end]
    if word not in page.text or page.writes(unit_of(word), word.lower()):
        return claim
    words = (_as_name(term) if term.start == start else term for term in claim.terms)
    return claim._replace(terms=tuple(words), leading=None)


def _as_name(term: Term) -> Term:
    has_meaning = term.units[0].startswith("=")
    return term if has_meaning else term._replace(kind=Kind.NAME, weight=NAME_WEIGHT)


def _shown(claim: Claim, group: Sequence[int]) -> str:
    last = claim.terms[group[-1]]
    return claim.text[claim.terms[group[0]].start : last.start + len(last.text)]


def _stands(term: Term, page: IndexedPage) -> bool:
    if term.is_wide:
        return term.text in page.text
    return any(page.family(unit) for unit in term.units)


def _is_spelt_out(term: Term, page: IndexedPage) -> bool:
    """Whether an abbreviation stands on the page as the words that it is made of: WHO, World Health Organization."""
    letters = term.text
    if not (letters.isascii() and letters.isupper() and len(letters) > 2):
        return False
    words = r"\w*(?:\s(?:of|the|and|for|on|in|to)){0,2}[\s-]".join(letters)
    return re.search(rf"\b{words}", page.text) is not None


_COUNTED = 10
"""Bare whole numbers up to this are often counted by the writer ("the three ports") and not printed on the page."""


def figure_findings(
    claim: Claim, page: IndexedPage, match: Match, held: Sequence[bool], weight: Severity
) -> Iterator[Finding]:
    """Yield what is wrong with the figures; `held` says which of them any piece of evidence holds."""
    for one in claim.ones:
        if (other := _not_one(one, claim, page, match)) is not None:
            yield Finding(weight, "figure-differs", f"{one.text} / {other.text}")
    if (pair := crossed(claim, match.held.figures, page)) is not None:
        yield Finding(Severity.CONTRADICTED, "figure-misplaced", " / ".join(figure.text for figure in pair))
    for figure, is_held, place in zip(claim.figures, held, match.held.figures, strict=True):
        if place is not None:
            other = (
                in_other_column(claim, figure, place, page)
                or in_other_row(claim, figure, place, page)
                or _of_another(claim, figure, place, page)
            )
            if other is not None:
                yield Finding(Severity.CONTRADICTED, "figure-misplaced", f"{figure.text} / {other.text}")
        elif not is_held and (other := _competitor(figure, page, match)) is not None:
            yield Finding(weight, "figure-differs", f"{figure.text} / {other.text}")
        elif not is_held:
            code = "figure-missing" if elsewhere(figure, claim, page) is None else "figure-misplaced"
            yield Finding(Severity.DOUBTED if _is_count(figure) else weight, code, figure.text)


_BREAK = re.compile(r"[,;、；](?!\d)")


def _of_another(claim: Claim, figure: Figure, place: tuple[int, Figure], page: IndexedPage) -> Figure | None:
    """Return the figure that a list gives of what the claim names before its own: `Bakery 1,310, Snacks 985`.

    The name stands in the page's sentence behind the figure and a comma, and right before another of the same measure.
    """
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


def _competitor(figure: Figure, page: IndexedPage, match: Match) -> Figure | None:
    """Return a figure of the same measure in the best sentence, which no figure of the claim agrees with."""
    if not match.chosen:
        return None
    taken = {place[1].start for place in match.held.figures if place is not None}
    for other in page.figures(match.chosen[0]):
        if figure.measures_as(other) and other.start not in taken:
            return other
    return None


def _not_one(one: Figure, claim: Claim, page: IndexedPage, match: Match) -> Figure | None:
    """Return what the best sentence has instead of "1 tonne": the page may say "a tonne", but not "3 tonnes".

    Things counted and times are passed over: "1 customer" may be any of them.
    """
    is_measure = one.unit is not None and is_physical(one.unit)
    if not is_measure or not match.chosen or bearing_out(one, claim, page, match.chosen[0]) is not None:
        return None
    return _competitor(one, page, match)


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


def in_other_row(claim: Claim, figure: Figure, place: Place, page: IndexedPage) -> Figure | None:
    """Return the figure of the same column in the row that the claim names, if it does not name the row it is in."""
    own, head = _cell_at(page, place), page.head(place[0])
    if own is None or head is None or not own.row:
        return None
    words = frozenset(unit for term in claim.terms for unit in term.units)
    if not words.isdisjoint(own.row):
        return None
    for index in _rows_below(page, head):
        for other in cells_of(page, index):
            if index != place[0] and other.column == own.column and other.row and other.row <= words:
                return other.figure
    return None


def _rows_below(page: IndexedPage, head: int) -> Iterator[int]:
    index = head + 1
    while index < len(page.spans) and page.head(index) == head:
        yield index
        index += 1


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
