"""A sentence taken apart: its words, names and figures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from research.language import Language
from research.text.words import language_of
from research.verification.figures import Figure, quantities
from research.verification.names import JOINS, Offsets, leading_word, names_in
from research.verification.periods import Period
from research.verification.terms import Kind, Term, digits, terms, visible, with_short_names, without_surrogates

LONGEST = 3_000
"""Characters of a sentence that are checked: what is longer is no sentence."""

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
NUMERAL = re.compile(r"\d+(?:[.,]\d+)*")


class Claim(NamedTuple):
    """A sentence as it is compared with pages."""

    text: str
    """Visible characters only, with short forms for common names; all offsets refer to it."""
    language: Language
    terms: tuple[Term, ...]
    """Its words without those of figures."""
    figures: tuple[Figure, ...]
    ones: tuple[Figure, ...]
    """Figures that may say no more than "a": 1株64円, "1 tonne of steel"."""
    periods: tuple[Period, ...]
    leading: Offsets | None
    """A capitalised first word, which may be a name."""

    @property
    def digits(self) -> tuple[str, ...]:
        """What its figures can be looked up by."""
        spans = _spans(self.figures, self.periods)
        numerals = {numeral for start, end in spans for numeral in NUMERAL.findall(self.text[start:end])}
        return tuple(sorted(map(digits, numerals)))

    def names(self) -> list[list[int]]:
        """Return the positions of names among its words, those that make up one name together."""
        groups: list[list[int]] = []
        end = -1
        for position, term in enumerate(self.terms):
            if term.kind is not Kind.NAME:
                continue
            if groups and groups[-1][-1] == position - 1 and JOINS.fullmatch(self.text, end, term.start):
                groups[-1].append(position)
            else:
                groups.append([position])
            end = term.start + len(term.text)
        return groups


@lru_cache(maxsize=1_024)
def claim_of(sentence: str) -> Claim:
    """Return `sentence` taken apart."""
    seen = _TAG.sub(lambda tag: " " * len(tag.group()), visible(without_surrogates(sentence[:LONGEST])))
    printed, times = quantities(seen)
    found = tuple(figure for figure in printed if not _is_article(figure))
    ones = tuple(figure for figure in printed if _is_article(figure))
    text = with_short_names(seen)
    words = terms(text, names_in(text), _spans(printed, times))
    return Claim(text, language_of(seen), tuple(words), found, ones, tuple(times), leading_word(text))


def _spans(found: Iterable[Figure], times: Iterable[Period]) -> list[Offsets]:
    return [(figure.start, figure.end) for figure in found] + [(period.start, period.end) for period in times]


def _is_article(figure: Figure) -> bool:
    """Whether a figure says no more than "a": 1株64円, "one customer"."""
    is_counted = figure.currency is None and figure.unit not in ("%", "pp")
    return figure.value == 1 and figure.tolerance >= _WHOLE and is_counted


_WHOLE = 0.5
"""Tolerance of a whole number."""
