"""Figures of different sources that are said of the same thing and are not the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from research.contradictions.manner import REACH, Role, Standing, is_replaced
from research.contradictions.mentions import Mention
from research.contradictions.sameness import same_quantity
from research.verification.figures import Figure
from research.verification.units import conversion

_CROWD = 200
"""Figures that share a word, up to which all are compared: a word of more than that tells nothing."""


def differing(mentions: Sequence[Mention]) -> list[tuple[Mention, Mention]]:
    """Return the pairs of mentions from different sources that give the same quantity two values."""
    values = [mention for mention in mentions if mention.role is Role.VALUE]
    return [(one, other) for one, other in _candidates(values) if _differ(one, other) and same_quantity(one, other)]


def _candidates(mentions: Sequence[Mention]) -> Iterator[tuple[Mention, Mention]]:
    """Yield pairs that share a word of what they are said of or a condition, each once."""
    holders: dict[tuple[Hashable, ...], list[int]] = defaultdict(list)
    for index, mention in enumerate(mentions):
        for key in (*mention.own.all, *_conditions(mention)):
            kind = mention.figure.currency, mention.period, mention.standing is Standing.FACT, mention.change != 0
            holders[key, *kind].append(index)
    seen = {pair for found in holders.values() if len(found) <= _CROWD for pair in combinations(found, 2)}
    for first, second in sorted(seen):
        one, other = mentions[first], mentions[second]
        if one.statement.page.id != other.statement.page.id:
            yield one, other


def _conditions(mention: Mention) -> Iterator[str]:
    """Yield a key for each other figure of the sentence, by which sentences in two languages may meet."""
    if not mention.statement.is_row:
        for figure in mention.statement.figures:
            if figure is not mention.figure and figure.unit is not None:
                yield f"{figure.value:g} {figure.unit}"


def _differ(one: Mention, other: Mention) -> bool:
    """Whether the values are apart by more than both are rounded, and neither sentence gives the other's value too."""
    mine, theirs = one.figure, other.figure
    if one.standing.is_limit is not other.standing.is_limit:
        mine, theirs = _as_meant(one), _as_meant(other)
    if not mine.measures_as(theirs):
        return False
    if one.change == other.change and mine.agrees(theirs, ignore_sign=one.change != 0):
        return False
    value, known = one.value, other.value * conversion(theirs.unit, mine.unit)
    if not value or not known or not 1 / REACH <= abs(known / value) <= REACH:
        return False
    return one.change != other.change or not (_gives(one, other) or _gives(other, one))


def _as_meant(mention: Mention) -> Figure:
    """Return the figure; a limit is meant as printed, however round: 4.3 is beyond a cap of 4."""
    figure = mention.figure
    return figure._replace(tolerance=0.0) if mention.standing.is_limit and figure.bound != "about" else figure


def _gives(one: Mention, other: Mention) -> bool:
    """Whether the sentence of one has, unreplaced, the value of the other."""
    statement = one.statement
    return any(
        figure.agrees(other.figure) and (statement.is_row or not is_replaced(statement.text, figure))
        for figure in statement.figures
        if figure is not one.figure
    )
