"""Which sentences of two reports make the same statement, by their words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz, process

from research.contradictions.words import plain, words_of
from research.text.words import folded
from research.verification.negation import Passage, contradiction

ALIKE = 82.0
"""Similarity (0-100) from which two sentences are taken for the same statement, their figures not counted."""
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_BETWEEN = re.compile(r"[^\w.,]+|[.,](?!\d)")


def pairs(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return which sentence of `before` stands for which of `after`, by place; none has two partners.

    A statement whose figure has changed is still the same statement; one that names somebody else is not. Quadratic in
    the sentences, at some millions of comparisons a second.
    """
    if not before or not after:
        return []
    said = [[_BETWEEN.sub(" ", folded(text)).strip() for text in texts] for texts in (before, after)]
    bare = [[_FIGURE.sub("0", text) for text in texts] for texts in said]
    alike = process.cdist(*bare, scorer=fuzz.ratio, score_cutoff=ALIKE)
    rows, columns = (places.tolist() for places in alike.nonzero())
    likeness = {
        (first, second): (float(alike[first, second]), fuzz.ratio(said[0][first], said[1][second]))
        for first, second in zip(rows, columns, strict=True)
    }
    found: dict[int, int] = {}
    taken: set[int] = set()
    for first, second in sorted(likeness, key=lambda place: (*(-value for value in likeness[place]), place)):
        if first in found or second in taken:
            continue
        if said[0][first] == said[1][second] or _name_the_same(before[first], after[second]):
            found[first] = second
            taken.add(second)
    return list(found.items())


def _name_the_same(before: str, after: str) -> bool:
    """Whether no name of one takes the place of a name of the other; one may name more."""
    first, second = (set(words_of(plain(text)).names) for text in (before, after))
    return not (first - second and second - first)


def differs(before: str, after: str) -> bool:
    """Whether two versions of a statement give different figures, or one says the opposite of the other."""
    figures = [sorted(_FIGURE.findall(folded(text))) for text in (before, after)]
    if figures[0] != figures[1]:
        return True
    return contradiction(plain(after), [Passage(plain(before), frozenset())]) is not None
