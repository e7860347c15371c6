"""Figures and dates of a claim that the evidence does not bear out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from research.verification.claim import NUMERAL, Claim
from research.verification.columns import crossed, in_other_column
from research.verification.comparisons import bearing_out
from research.verification.figures import Figure
from research.verification.findings import Finding, Severity
from research.verification.matching import Match
from research.verification.page import IndexedPage
from research.verification.periods import Period, agree
from research.verification.subjects import rival
from research.verification.terms import digits
from research.verification.units import is_physical

_MOST = 0.5
"""Share of a claim's figures that must be found if one that is missing shall not decide alone: most of them."""
_COUNTED = 10
"""Bare whole numbers up to this are often counted by the writer ("the three ports") and not printed on the page."""


def figure_findings(claim: Claim, page: IndexedPage, match: Match, held: Sequence[bool]) -> Iterator[Finding]:
    """Yield what is wrong with the figures; `held` says which of them any piece of evidence holds."""
    for one in claim.ones:
        if (other := _not_one(one, claim, page, match)) is not None:
            yield Finding(Severity.CONTRADICTED, "figure-differs", f"{one.text} / {other.text}")
    if (pair := crossed(claim, match.held.figures, page)) is not None:
        yield Finding(Severity.CONTRADICTED, "figure-misplaced", " / ".join(figure.text for figure in pair))
    outnumbered = sum(held) > _MOST * len(held)
    for figure, is_held, place in zip(claim.figures, held, match.held.figures, strict=True):
        if place is not None:
            other = rival(claim, figure, place, page, match.looked_at) or in_other_column(claim, figure, place, page)
            if other is not None:
                yield Finding(Severity.CONTRADICTED, "figure-misplaced", f"{figure.text} / {other.text}")
        elif not is_held and (other := _competitor(figure, page, match)) is not None:
            yield Finding(Severity.CONTRADICTED, "figure-differs", f"{figure.text} / {other.text}")
        elif not is_held and elsewhere(figure, claim, page) is not None:
            yield Finding(Severity.DOUBTED if outnumbered else Severity.CONTRADICTED, "figure-misplaced", figure.text)
        elif not is_held:
            mild = outnumbered or _is_count(figure)
            yield Finding(Severity.DOUBTED if mild else Severity.CONTRADICTED, "figure-missing", figure.text)


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


def period_findings(claim: Claim, page: IndexedPage, match: Match, held: Sequence[bool]) -> Iterator[Finding]:
    """Yield the dates that the evidence does not name; `held` says which of them any piece of it does."""
    for figure, place in zip(claim.figures, match.held.figures, strict=True):
        if place is None or figure.period is None or figure.period_agrees(place[1]):
            continue
        if page.is_row(place[0]) or not _is_named(figure.period, page, place[0]):
            yield Finding(Severity.CONTRADICTED, "period-differs", f"{figure.text} ({figure.period})")
    for period, is_held in zip(claim.periods, held, strict=True):
        if is_held or not match.chosen or _is_named(period.value, page, match.chosen[0]):
            continue
        shown = claim.text[period.start : period.end]
        if page.periods(match.chosen[0]):
            yield Finding(Severity.CONTRADICTED, "period-differs", shown)
        elif _year(period) not in page.postings:
            yield Finding(Severity.DOUBTED, "period-missing", shown)


def _is_named(value: str, page: IndexedPage, index: int) -> bool:
    """Whether the sentence, or what tells the time of it, names a period."""
    return any(agree(value, period.value) for at in (index, *page.context(index)) for period in page.periods(at))


def _year(period: Period) -> str:
    return digits(period.value.removeprefix("FY")[:4])
