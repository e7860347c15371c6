"""Sentences that say the opposite: a negation on one side only, or words that oppose each other.

Each clause of the sentence is held against the clause of the page that shares most words with it, or holds the same
figure. A denial and a reversing word cancel each other: `did not rise` and `fell` agree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from research.verification.clauses import Clause, clause_at, clauses
from research.verification.converses import is_converse
from research.verification.denials import denials
from research.verification.meanings import Contrast, meanings
from research.verification.terms import units

_PREFIX_EN = re.compile(r"\b(?:un|in|im|ir|il|dis|non-?|de)([a-z]{5,})\b")
_PREFIX_JA = re.compile(r"[未非不無]([一-鿿]{2})")

_ENOUGH = 0.5
"""Share of a clause's words that another must share to speak of the same: at least every second one."""


_CLOSE = 2 / 3
"""Share from which two clauses are the same but for the negation."""


class Passage(NamedTuple):
    """A sentence of the page, made plain, and the words of what it stands under."""

    text: str
    under: frozenset[str]


def contradiction(sentence: str, passages: Sequence[Passage]) -> str | None:
    """Return the clause of `sentence` (made plain) that the passages deny or oppose, or None."""
    theirs = [(clause, passage.under) for passage in passages for clause in clauses(passage.text)]
    for clause in clauses(sentence):
        if _is_opposed(clause, theirs):
            return _shown(clause)
    return None


def contradiction_at(sentence: str, offset: int, passage: str, figure: str) -> str | None:
    """Return the clause of `sentence` at `offset`, where it has a figure, if that of `passage` with it disagrees."""
    place = passage.find(figure)
    if place < 0:
        return None
    ours, theirs = clause_at(sentence, offset), clause_at(passage, place)
    return _shown(ours) if _disagree(ours, theirs, close=True) else None


def exclusion(sentence: str, passage: str, known: frozenset[str]) -> str | None:
    """Return the clause of `sentence` with a word that `passage` excludes, unless that word is among those `known`."""
    theirs = frozenset().union(*(clause.units for clause in clauses(passage)))
    for clause in clauses(sentence):
        if is_converse(clause.text, clause.units, passage, theirs):
            continue
        if _oppose(clause.units - known, theirs, Contrast.EXCLUDES):
            return _shown(clause)
    return None


def denied_differently(sentence: str, passage: str) -> str | None:
    """Return a word that one of two texts (made plain) denies where the other states it, or None.

    The same may be denied by another verb in Japanese (取り消しはない, 取り消しは出ていない), so there the other text
    must not deny anything. Words that have an opposite are left to the clauses.
    """
    for one, other in ((sentence, passage), (passage, sentence)):
        theirs = denials(other)
        stated = units(other) - {unit for denial in theirs for unit in denial.reach}
        for denial in denials(one):
            words = {unit for unit in denial.units if unit not in meanings().opposites}
            repeated = not words.isdisjoint(units(one.replace(denial.text, " ")))
            if words and words <= stated and not repeated and not (denial.is_wide and theirs):
                return denial.text.strip()
    return None


def _shown(clause: Clause) -> str:
    return clause.text.strip(" ,、;；。")


def _is_opposed(clause: Clause, theirs: Sequence[tuple[Clause, frozenset[str]]]) -> bool:
    """Whether the clauses nearest to ours disagree with it, and none that is as near agrees."""
    subject = {unit for unit in clause.units if unit not in meanings().opposites} or set(clause.units)
    ranked = [(_nearness(clause, subject, other, under), other) for other, under in theirs]
    nearest = max((nearness for nearness, _ in ranked), default=(0.0, 0, False))
    if nearest[0] < _ENOUGH or not nearest[1]:
        return False
    close = nearest[0] >= _CLOSE
    return all(_disagree(clause, other, close=close) for nearness, other in ranked if nearness == nearest)


def _nearness(clause: Clause, subject: set[str], other: Clause, under: frozenset[str]) -> tuple[float, int, bool]:
    """Return the share of our subject that another clause has, how many words both have, and whether the predicate."""
    share = len(subject & (other.units | under)) / len(subject)
    return share, len(clause.units & other.units), bool(clause.predicate) and clause.predicate in other.units


def _disagree(clause: Clause, other: Clause, *, close: bool) -> bool:
    """Whether one of two clauses excludes the other, or says it reversed or denied but not both.

    A negation on one side counts if the other states what it denies: `did not improve` and `was similar` are no
    contradiction. If it is ours, it counts also where the clauses are `close` in what else they say; if it is theirs,
    another word in the place of the denied one may say the same: `did not meet the deadline`, `missed the deadline`.
    """
    if is_converse(clause.text, clause.units, other.text, other.units):
        return False
    if _oppose(clause.units, other.units, Contrast.EXCLUDES):
        return True
    differs = clause.denied != other.denied
    if _oppose(clause.units, other.units, Contrast.REVERSES) or _is_prefixed(clause.text, other.text):
        return not differs
    denying, stating = (clause, other) if clause.denied else (other, clause)
    is_stated = not denying.denials or not denying.denials.isdisjoint(stating.units)
    return differs and (is_stated or (close and clause.denied))


def _oppose(ours: frozenset[str], theirs: frozenset[str], contrast: Contrast) -> bool:
    """Whether the opposite of one of our words, and not itself, is among theirs."""
    for unit in ours - theirs:
        for other, kind in meanings().opposites.get(unit, ()):
            if kind is contrast and other in theirs and other not in ours:
                return True
    return False


def _is_prefixed(ours: str, theirs: str) -> bool:
    """Whether one of two clauses has a word with a denying prefix and the other has it without."""
    ours, theirs = ours.lower(), theirs.lower()
    for one, other in ((ours, theirs), (theirs, ours)):
        for pattern in (_PREFIX_EN, _PREFIX_JA):
            for match in pattern.finditer(one):
                bare = re.compile(rf"(?<![a-z未非不無]){re.escape(match[1])}")
                if match.group() not in other and bare.search(other):
                    return True
    return False
