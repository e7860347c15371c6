"""The few sentences of a page that bear out most of a claim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import nlargest

from research.verification.claim import Claim
from research.verification.comparisons import bearing_out
from research.verification.figures import Figure
from research.verification.page import IndexedPage
from research.verification.periods import agree
from research.verification.terms import LIGHT_WEIGHT, NAME_WEIGHT, Kind, Term

LOOKED_AT = 8
"""Sentences that are compared in full, those that share most with the claim first."""
_WORTH_READING = 0.25
"""Share of what the first of them has below which a sentence is not compared."""
_SENTENCES = 3
"""Sentences that a verdict may rest on: a claim that needs more of them is not stated but inferred."""
_WORDS_A_SENTENCE = 12
"""A claim with more words than three sentences have may rest on one more for each of so many."""
_GAIN_NEAR = 1.0
"""What a neighbour of the best sentence must add: one word, because text goes on there."""
_GAIN_FAR = 2.0
"""What a sentence elsewhere must add: two words or a name; one word may stand anywhere by chance."""
_FAR = 0.75
"""What a word counts that stands elsewhere: the page says it, but perhaps of something else."""
_BOTH_CHARACTERS = 0.5
"""What a pair of Japanese characters counts where both stand apart: 日銀 in 日本銀行, 増やす in 増加."""


@dataclass
class Held:
    """What one sentence of the page says of the claim, or what all chosen sentences say together."""

    words: list[float]
    """For each word of the claim, from 0 to 1."""
    figures: list[tuple[int, Figure] | None]
    """For each figure of the claim the sentence that holds it and the figure there."""
    periods: list[bool]
    """For each period of the claim whether it is named."""


@dataclass
class Match:
    """The sentences chosen, and what they say of the claim."""

    held: Held
    chosen: list[int] = field(default_factory=list)
    """Indices of the sentences, the best first."""
    looked_at: list[int] = field(default_factory=list)
    """Indices of the sentences that came into question."""
    coverage: float = 0.0
    """Share of the claim that is found, from 0 to 1, by weight."""


def match(claim: Claim, page: IndexedPage, only: Sequence[int] | None = None) -> Match:
    """Return the sentences of `page` (of those in `only`, if given) that together bear out most of `claim`."""
    return _Search(claim, page).run(only)


class _Search:
    """One claim held against one page."""

    def __init__(self, claim: Claim, page: IndexedPage) -> None:
        self._claim = claim
        self._page = page
        self._weights = [_weight(term, page) for term in claim.terms]
        self._forms = [[page.family(unit) for unit in term.units] for term in claim.terms]

    def run(self, only: Sequence[int] | None) -> Match:
        claim = self._claim
        found = Match(Held([0.0] * len(claim.terms), [None] * len(claim.figures), [False] * len(claim.periods)))
        limit = max(_SENTENCES, -(-len(claim.terms) // _WORDS_A_SENTENCE))
        indices = self._candidates() if only is None else list(only)
        rest = {index: self._held(index) for index in indices}
        while rest and len(found.chosen) < limit:
            gain, _, index = max((self._gain(found, index, one), -index, index) for index, one in rest.items())
            if gain <= 0 or gain < _required(found, index):
                break
            if not found.chosen and only is None:
                rest |= {near: self._held(near) for near in self._page.near(index) if near not in rest}
            _take(found, index, rest.pop(index))
        found.looked_at = [*found.chosen, *rest]
        found.coverage = self._coverage(found.held)
        return found

    def _candidates(self) -> list[int]:
        """Return the sentences that share most with the claim, found by their words and digits alone."""
        if len(self._page.spans) <= LOOKED_AT:
            return list(range(len(self._page.spans)))
        scores: dict[int, float] = {}
        lookups = [
            (weight / len(families), family)
            for weight, families in zip(self._weights, self._forms, strict=True)
            for family in families
        ]
        lookups += [(NAME_WEIGHT, (digits,)) for digits in self._claim.digits]
        for weight, family in lookups:
            for unit in family:
                for index in self._page.postings.get(unit, ()):
                    scores[index] = scores.get(index, 0.0) + weight
        best = nlargest(LOOKED_AT, scores, key=lambda index: (scores[index], -index))
        return [index for index in best if scores[index] >= _WORTH_READING * scores[best[0]]]

    def _held(self, index: int) -> Held:
        page = self._page
        here, with_lead, text = page.known(index)
        words = [
            credit(term, families, with_lead if term.kind is Kind.NAME else here, text)
            for term, families in zip(self._claim.terms, self._forms, strict=True)
        ]
        return Held(words, [self._figure(figure, index) for figure in self._claim.figures], self._periods(index))

    def _figure(self, figure: Figure, index: int) -> tuple[int, Figure] | None:
        printed = bearing_out(figure, self._claim, self._page, index)
        return None if printed is None else (index, printed)

    def _periods(self, index: int) -> list[bool]:
        if not self._claim.periods:
            return []
        page = self._page
        printed = {period.value for at in (index, *page.above[index]) for period in page.periods(at)}
        printed.update(figure.period for figure in page.figures(index) if figure.period)
        return [any(agree(period.value, other) for other in printed) for period in self._claim.periods]

    def _gain(self, found: Match, index: int, one: Held) -> float:
        share = _share(found, index)
        words = zip(self._weights, one.words, found.held.words, strict=True)
        gain = sum([weight * (share * new - old) for weight, new, old in words if share * new > old])
        figures = zip(one.figures, found.held.figures, strict=True)
        periods = zip(one.periods, found.held.periods, strict=True)
        gain += NAME_WEIGHT * sum(new is not None and old is None for new, old in figures)
        return gain + NAME_WEIGHT * sum(new and not old for new, old in periods)

    def _coverage(self, held: Held) -> float:
        marks = [figure is not None for figure in held.figures] + held.periods
        total = sum(self._weights) + NAME_WEIGHT * len(marks)
        words = sum(weight * credit for weight, credit in zip(self._weights, held.words, strict=True))
        return (words + NAME_WEIGHT * sum(marks)) / total if total else 0.0


def _weight(term: Term, page: IndexedPage) -> float:
    """Return the weight of a term: a word that stands in every sentence of a page tells half as much as a rare one."""
    rarity = sum(map(page.rarity, term.units)) / len(term.units)
    return term.weight * (1 + rarity) / 2


def credit(term: Term, families: Sequence[tuple[str, ...]], known: set[str], text: str) -> float:
    """Return how far a term stands among the units known, or in `text`."""
    if term.is_wide and term.text in text:
        return 1.0
    if not term.is_wide and not term.text[0].isdigit():
        return 0.0 if known.isdisjoint(families[0]) else 1.0
    if term.text[0].isdigit():
        return 1.0 if re.search(rf"(?<![\d.,]){re.escape(term.text)}(?![\d]|[.,]\d)", text) else 0.0
    found = 0.0
    for unit, family in zip(term.units, families, strict=True):
        if not known.isdisjoint(family):
            found += 1.0
        elif term.is_wide and all(character in text for character in unit):
            found += _BOTH_CHARACTERS
    return found / len(term.units)


def _required(found: Match, index: int) -> float:
    if not found.chosen:
        return LIGHT_WEIGHT / 2
    return _GAIN_NEAR if _is_near(found, index) else _GAIN_FAR


def _is_near(found: Match, index: int) -> bool:
    return any(abs(index - other) <= 1 for other in found.chosen)


def _share(found: Match, index: int) -> float:
    return 1.0 if not found.chosen or _is_near(found, index) else _FAR


def _take(found: Match, index: int, one: Held) -> None:
    share, held = _share(found, index), found.held
    held.words = [max(old, share * new) for old, new in zip(held.words, one.words, strict=True)]
    held.figures = [old or new for old, new in zip(held.figures, one.figures, strict=True)]
    held.periods = [old or new for old, new in zip(held.periods, one.periods, strict=True)]
    found.chosen.append(index)
