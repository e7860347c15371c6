"""What a figure or name of the page is said of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from research.verification.claim import Claim
from research.verification.clauses import Clause, clause_at
from research.verification.figures import Figure
from research.verification.matching import Match, credit
from research.verification.page import IndexedPage
from research.verification.terms import Term, visible

_ONE_WORD = 1.0
"""How much more of the claim another place must say to be the one that is meant: at least one word."""
_REACH = 10.0
"""Figures of one thing at other times, or of like things, are at most about ten times as large."""
_HALF = 0.5
"""Share of a clause's other words that must stand where its name stands for the page to say it of that name."""


def rival(
    claim: Claim, figure: Figure, place: tuple[int, Figure], page: IndexedPage, looked_at: Iterable[int]
) -> Figure | None:
    """Return another figure of the page that is said of what the claim speaks of, if the claimed one is not.

    A figure belongs to the words of its own clause or row. If another clause with a figure of the same measure, which
    the claim does not give, has more of the claim's words, the claim says its figure of the wrong thing.
    """
    words = _words_around(claim, figure)
    index, printed = place
    here = _credits(words, page, index, None)
    for other_index in looked_at:
        same = index == other_index
        if not same and not _says_more(words, _credits(words, page, other_index, None), here):
            continue
        for other in page.figures(other_index):
            if not _competes(figure, printed, other, claim, is_row=page.is_row(index)):
                continue
            if not same or _says_more(words, *(_credits(words, page, index, one) for one in (other, printed))):
                return other
    return None


def _says_more(words: Sequence[Term], there: Sequence[float], here: Sequence[float]) -> bool:
    """Whether one place has at least one word of the claim more than another, all in all."""
    gains = [term.weight * (new - old) for term, new, old in zip(words, there, here, strict=True)]
    gain, loss = sum(one for one in gains if one > 0), -sum(one for one in gains if one < 0)
    return gain >= _ONE_WORD and gain > loss


def _words_around(claim: Claim, figure: Figure) -> list[Term]:
    clause = clause_at(claim.text, figure.start)
    return [term for term in claim.terms if clause.start <= term.start < clause.end]


def _competes(figure: Figure, printed: Figure, other: Figure, claim: Claim, *, is_row: bool) -> bool:
    """Whether a figure of the page could stand where the claimed one does, and the claim does not give it."""
    same_measure = (printed.unit, printed.currency) == (other.unit, other.currency)
    if not same_measure or not figure.period_agrees(other):
        return False
    if not is_row and printed.unit is None and printed.currency is None:
        return False
    if not printed.value or not 1 / _REACH <= other.value / printed.value <= _REACH:
        return False
    return not any(given.agrees(other) or given.same_digits(other) for given in claim.figures)


def _credits(words: Sequence[Term], page: IndexedPage, index: int, figure: Figure | None) -> list[float]:
    """Return how far each word stands in a sentence (in the clause of `figure`, if given) or above it."""
    text = page.plain[index]
    if figure is None or (at := text.find(visible(figure.text))) < 0:
        return _credits_in(words, page, [index, *page.above[index]])
    clause, above = clause_at(text, at), page.above[index]
    known = set().union(clause.units, *(page.units[one] for one in above))
    return _credits_of(words, page, known, " ".join([clause.text, *(page.plain[one] for one in above)]))


def _credits_in(words: Sequence[Term], page: IndexedPage, indices: Sequence[int]) -> list[float]:
    known = set().union(*(page.units[index] for index in indices))
    return _credits_of(words, page, known, " ".join(page.plain[index] for index in indices))


def _credits_of(words: Sequence[Term], page: IndexedPage, known: set[str], text: str) -> list[float]:
    return [credit(term, [page.family(unit) for unit in term.units], known, text) for term in words]


def is_linked(claim: Claim, group: Sequence[int], page: IndexedPage, match: Match) -> bool:
    """Return whether the page says of a name (positions of its terms) what the claim says of it.

    The name stands in the best sentence; or in another chosen one, or in what tells whom that is about, with half of
    the other words of the claim or of the name's clause, or with a figure of that clause, and not of another time.
    """
    name = [claim.terms[position] for position in group]
    clause = clause_at(claim.text, name[0].start)
    others = [term for term in claim.terms if term not in name]
    near = [term for term in others if clause.start <= term.start < clause.end]
    for index in match.chosen:
        around = [index, *page.context(index)]
        if index == match.chosen[0] and max(_credits_in(name, page, [index])) >= _HALF:
            return True
        if max(_credits_in(name, page, around)) < _HALF or _is_of_other_time(claim, page, index):
            continue
        if _gives_figure(claim, clause, match, index):
            return True
        if _is_mostly_in(near, page, around) or _is_mostly_in(others, page, around):
            return True
    return False


def _is_of_other_time(claim: Claim, page: IndexedPage, index: int) -> bool:
    """Whether a sentence names periods, but none of the claim's."""
    named = page.periods(index)
    return bool(named and claim.periods) and not any(one.agrees(other) for one in claim.periods for other in named)


def _gives_figure(claim: Claim, clause: Clause, match: Match, index: int) -> bool:
    """Whether a sentence holds a figure of a clause of the claim."""
    return any(
        place is not None and place[0] == index and clause.start <= figure.start < clause.end
        for figure, place in zip(claim.figures, match.held.figures, strict=True)
    )


def _is_mostly_in(words: Sequence[Term], page: IndexedPage, indices: Sequence[int]) -> bool:
    held = zip(words, _credits_in(words, page, indices), strict=True)
    return sum(term.weight * share for term, share in held) >= _HALF * sum(term.weight for term in words)
