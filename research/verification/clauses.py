"""The clauses of a sentence: the parts that have a predicate of their own."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from research.verification.denials import denials, is_denied
from research.verification.terms import last_wide_unit, units

_CUT = re.compile(
    r",(?!\d)(?=\s|$)|[;；。()（）—]|:(?=\s)|\s[-–]\s|\b(?:while|whereas|but|although|though|however|which|and|because|when|who|where)\b"
    r"|(?=\b(?:without|instead of|rather than)\b)"
    r"|(?<=[しりえみけせきいくれめてでがばず])、|(?<=[たるいだ])(?:が|一方)(?=、)|(?<=[%円人名社件台回倍歳戸点校])と?、|ものの|一方で"
)
_LEAST = 2
"""Words from which a part of a sentence can stand for itself."""


class Clause(NamedTuple):
    """A part of a sentence; offsets are those of the sentence made plain."""

    text: str
    start: int
    end: int
    units: frozenset[str]
    denied: bool
    """Whether it holds an odd number of negations."""
    denials: frozenset[str]
    """What is denied, as far as that can be told."""
    predicate: str
    """What its last Japanese word is found by: the predicate stands at the end. Empty in English."""


@lru_cache(maxsize=8_192)
def clauses(clean: str) -> tuple[Clause, ...]:
    """Return the clauses of a sentence made plain; what holds less than two words is joined to the next."""
    ends: list[int] = []
    start = 0
    for cut in _CUT.finditer(clean):
        if len(units(clean[start : cut.start()])) >= _LEAST:
            ends.append(cut.end())
            start = cut.end()
    if ends and len(units(clean[start:])) < _LEAST:
        ends.pop()
    starts = [0, *ends]
    return tuple(_clause(clean, first, last) for first, last in zip(starts, [*ends, len(clean)], strict=True))


def clause_at(clean: str, offset: int) -> Clause:
    """Return the clause that holds a character of a sentence made plain."""
    found = clauses(clean)
    return next((clause for clause in found if offset < clause.end), found[-1])


def _clause(clean: str, start: int, end: int) -> Clause:
    text = clean[start:end]
    denied = frozenset(unit for denial in denials(text) for unit in denial.units)
    return Clause(text, start, end, frozenset(units(text)), is_denied(text), denied, last_wide_unit(text))
