"""Whether a figure of the page bears out one of a sentence: limits, signs said in words and tables included."""

from __future__ import annotations

import math
import re

from research.verification.claim import Claim
from research.verification.clauses import clause_at, clauses
from research.verification.figures import Figure
from research.verification.page import IndexedPage
from research.verification.terms import visible
from research.verification.units import conversion

_REACH = 100.0
"""A limit is borne out by figures up to a hundred times away: beyond that it speaks of another size of thing."""
_ABOVE = ("over", "at least")
_BELOW = ("under", "at most")
_NEGATIVE = frozenset({"=decrease", "=loss", "=negative", "=less", "=below", "=miss"})
_TIMES = ("years", "months", "weeks", "days")
_TOPIC = re.compile("[一-鿿々ァ-ヺー][はがも]")
_WORD = re.compile(r"[^\W\d_]+")


def bearing_out(claimed: Figure, claim: Claim, page: IndexedPage, index: int) -> Figure | None:
    """Return the figure in a sentence of the page that bears out the claimed one, one of its period first, or None."""
    printed = page.figures(index)
    if _is_limit(claimed):
        printed = _nearest(claimed, printed, claim, page, index)
    found = [other for other in printed if holds(claimed, other)]
    if not found:
        found = [other for other in printed if _signed_in_words(claimed, other, claim, page, index)]
    if not found:
        found = [other for other in printed if _stands_in_table(claimed, other, page)]
    return min(found, key=lambda other: (not claimed.period_agrees(other), not claimed.agrees(other)), default=None)


def holds(claimed: Figure, printed: Figure) -> bool:
    """Whether the page's figure bears out the claimed one, or lies on the claimed side of its limit."""
    if (claimed.bound in _ABOVE and printed.bound in _BELOW) or (claimed.bound in _BELOW and printed.bound in _ABOVE):
        return False
    if _is_limit(claimed) and printed.bound is None:
        return _keeps_limit(claimed, printed)
    return claimed.agrees(printed)


def _is_limit(figure: Figure) -> bool:
    """Whether a figure is a limit: "over five years" mostly means during."""
    return figure.bound in (*_ABOVE, *_BELOW) and not (figure.bound == "over" and figure.unit in _TIMES)


def _keeps_limit(claimed: Figure, printed: Figure) -> bool:
    """Whether an exact figure lies on the claimed side of a limit: 503 for "more than 500"."""
    is_counted = claimed.currency is None and claimed.unit not in ("%", "pp")
    same_sort = claimed.currency == printed.currency and (is_counted or claimed.unit == printed.unit)
    if not same_sort or not claimed.measures_as(printed) or claimed.value * printed.value <= 0:
        return False
    ratio = printed.value * conversion(printed.unit, claimed.unit) / claimed.value
    if ratio == 1:
        return claimed.bound in ("at least", "at most")
    return 1.0 < ratio <= _REACH if claimed.bound in _ABOVE else 1.0 / _REACH <= ratio < 1.0


def _nearest(claimed: Figure, printed: list[Figure], claim: Claim, page: IndexedPage, index: int) -> list[Figure]:
    """Return the figure that a limit can be meant of: of those in the likest clause the nearest."""
    clause = clause_at(claim.text, claimed.start)
    ours = {unit for term in claim.terms if clause.start <= term.start < clause.end for unit in term.units}
    text = page.plain[index]
    rated = []
    for figure in printed:
        if claimed.measures_as(figure) and claimed.value * figure.value > 0:
            theirs = _said_at(text, max(0, text.find(visible(figure.text))))
            rated.append((-len(ours & theirs), abs(math.log(figure.value / claimed.value)), figure))
    best = min((entry[:2] for entry in rated), default=None)
    return [figure for *rank, figure in rated if tuple(rank) == best]


def _said_at(text: str, offset: int) -> frozenset[str]:
    """Return the words of the clause at an offset; a Japanese clause without a topic goes on about that of the last."""
    found = [clause for clause in clauses(text) if clause.start <= offset]
    said = found[-1].units
    while len(found) > 1 and found[-1].predicate and not _TOPIC.search(found[-1].text):
        found.pop()
        said |= found[-1].units
    return said


def _signed_in_words(claimed: Figure, printed: Figure, claim: Claim, page: IndexedPage, index: int) -> bool:
    """Whether one says "fell 3%" where the other prints a minus."""
    if claimed.value * printed.value >= 0 or not claimed.agrees(printed, ignore_sign=True):
        return False
    words = page.units[index] if claimed.value < 0 else {unit for term in claim.terms for unit in term.units}
    return not _NEGATIVE.isdisjoint(words)


def _stands_in_table(claimed: Figure, printed: Figure, page: IndexedPage) -> bool:
    """Whether a bare number has the digits of the claimed figure, whose unit the page names elsewhere."""
    is_bare = printed.unit is None and printed.currency is None and printed.scale == 1.0
    if not is_bare or not claimed.same_digits(printed):
        return False
    return all(word in page.text for word in _WORD.findall(claimed.text))
