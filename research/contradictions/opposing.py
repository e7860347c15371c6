"""Sentences of different sources that say the opposite of each other, by rules that would rather find few."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from research.contradictions.grouping import Stand
from research.contradictions.manner import Standing, standing_of
from research.contradictions.sameness import same_thing, same_time
from research.contradictions.statements import Statement
from research.contradictions.words import Words, may_be_name, weight
from research.verification.clauses import Clause
from research.verification.meanings import Contrast, meanings

_ENOUGH = 3.0
"""Words besides the opposed ones that must be shared: a name, and what is said of it."""
_CROWD = 200
"""Clauses that share a word, up to which all are compared."""


@dataclass(frozen=True)
class Said:
    """A clause that states something."""

    statement: Statement
    own: Words
    """Its words without those that have an opposite."""
    polar: frozenset[str]
    """Those that have an opposite."""
    clause: Clause
    standing: Standing
    period: str | None

    def as_stand(self) -> Stand:
        """Return it as a stand of its source."""
        return Stand(self.statement, self.own, self.clause.text.strip(" ,、;；。."), self.period)


def opposing(statements: Iterable[Statement]) -> list[tuple[Stand, Stand]]:
    """Return the pairs of clauses from different sources of which one says what the other denies or reverses."""
    said = [clause for statement in statements for clause in _said(statement)]
    holders: dict[str, list[int]] = defaultdict(list)
    for index, one in enumerate(said):
        for word in one.own.all:
            holders[word].append(index)
    pairs = {pair for found in holders.values() if len(found) <= _CROWD for pair in combinations(found, 2)}
    return [
        (said[first].as_stand(), said[second].as_stand())
        for first, second in sorted(pairs)
        if _oppose(said[first], said[second])
    ]


def _said(statement: Statement) -> Iterator[Said]:
    """Yield the clauses without figures: those with figures are compared by them."""
    if statement.is_row or statement.is_line or statement.is_conditional:
        return
    periods = {period.value for period in statement.periods}
    if len(periods) > 1:
        return
    for clause in statement.clauses:
        if any(clause.start <= figure.start < clause.end for figure in statement.figures):
            continue
        words = statement.words_at(clause.start)
        polar = frozenset(word for word in words.content if word in _reversible())
        own = words.without(polar)
        if _is_named(own) and (polar or clause.denied) and sum(map(weight, own.all)) >= _ENOUGH - 1:
            period = next(iter(periods), None) or statement.period_around
            standing = standing_of(clause.text, statement.heading, None)
            yield Said(statement, own, polar, clause, standing, period)


def _is_named(own: Words) -> bool:
    return bool(own.names) or any(map(may_be_name, own.content))


def _reversible() -> frozenset[str]:
    opposites = meanings().opposites
    return frozenset(word for word, others in opposites.items() if any(kind is Contrast.REVERSES for _, kind in others))


def _oppose(one: Said, other: Said) -> bool:
    statement, opposite = one.statement, other.statement
    if statement.page.id == opposite.page.id or one.standing is not other.standing:
        return False
    if statement.words.is_japanese != opposite.words.is_japanese or not _contrary(one, other):
        return False
    if one.period is None and (statement.page.published is None or opposite.page.published is None):
        return False
    if not same_time(one.period, other.period, statement, opposite):
        return False
    shared = sum(weight(word) for word in one.own.all if opposite.wide.has(word))
    return shared >= _ENOUGH - 1 and same_thing(one.own, statement, other.own, opposite)


def _contrary(one: Said, other: Said) -> bool:
    """Whether exactly one of two things holds: a word is reversed, or one clause is denied."""
    if one.polar == other.polar:
        return one.clause.denied != other.clause.denied
    mine, theirs = one.polar - other.polar, other.polar - one.polar
    if len(mine) != 1 or len(theirs) != 1:
        return False
    (word,), (opposite,) = mine, theirs
    known = meanings().opposites.get(word, ())
    return (opposite, Contrast.REVERSES) in known and one.clause.denied == other.clause.denied
