"""A page prepared once, and the few sentences of it that bear out most of a claim.

A page is cut into sentences, each with what it stands under: the title, the headings, the head of its table. Words are
compared by what they can be found by, figures with their limits, signs said in words and tables. Of a claim about a
page in the other language only what both languages share is compared.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from operator import attrgetter
from threading import Lock
from typing import TypeVar

from research.language import Language
from research.quantities import Figure, Period, Quantities, agree, conversion, quantities
from research.text import Span, expand, language_of, sentences
from research.verification.claim import Claim
from research.verification.words import (
    LIGHT_WEIGHT,
    NAME_WEIGHT,
    Kind,
    Term,
    terms,
    units,
    visible,
    with_short_names,
    without_surrogates,
)

_MARKER = 4
"""Characters before a sentence in which the marker of its line is looked for."""
_HEADING = re.compile(r"[■◆【][^。]{1,40}")


def _mark(text: str, span: Span) -> str:
    """Return what a sentence is by its line: `#` a heading, `|` a table row, or nothing of both."""
    before = text[max(0, span.start - _MARKER) : span.start].rstrip(" \t")[-1:]
    if before in ("#", "|"):
        return before
    if text[span.start] in "■◆【" and _HEADING.fullmatch(text, span.start, span.end):
        return "#"
    return ""


_SAMPLED = 50
"""Sentences whose language is looked at."""
_LETTERS = re.compile(r"[^\W\d_]{2}")
_KEPT = 8_000_000
"""Characters of pages that stay prepared: sixty long pages, or four of the longest."""
_MOST = 500
"""Pages that stay prepared, however short."""


class IndexedPage:
    """The sentences of a page, what each can be found by, and what it stands under."""

    def __init__(self, text: str) -> None:
        """Prepare `text` in time linear in its length."""
        text = without_surrogates(text)
        self.text = text
        self.spans: list[Span] = sentences(text)
        self.postings: dict[str, list[int]] = defaultdict(list)
        self.plain: list[str] = []
        self.units: list[set[str]] = []
        self._known: dict[int, tuple[set[str], set[str], str]] = {}
        self._read: dict[int, Quantities] = {}
        short = with_short_names(text)
        for index, span in enumerate(self.spans):
            clean = visible(short[span.start : span.end])
            found = units(clean)
            self.plain.append(clean)
            self.units.append(found)
            for unit in found:
                self.postings[unit].append(index)

    @cached_property
    def _outline(self) -> list[tuple[tuple[int, ...], int | None]]:
        """For each sentence the title and heading above it, and the head of the table that it is a row of."""
        found = []
        headings: tuple[int, ...] = ()
        head: int | None = None
        for index, span in enumerate(self.spans):
            mark = _mark(self.text, span)
            if mark != "|" or (head is not None and "\n\n" in self.text[self.spans[index - 1].end : span.start]):
                head = None
            found.append((headings, head))
            if mark == "|" and head is None:
                head = index
            if mark == "#":
                headings = (*headings[:1], index)
        return found

    def above(self, index: int) -> tuple[int, ...]:
        """Return the sentences that say what one is about: title, heading, head of the table."""
        headings, head = self._outline[index]
        return headings if head is None else (*headings, head)

    @cached_property
    def languages(self) -> frozenset[Language]:
        """The languages that at least one in ten of its sentences is written in."""
        step = -(-len(self.spans) // _SAMPLED)
        counts = Counter(language_of(text) for text in self.plain[::step] if _LETTERS.search(text))
        return frozenset(language for language, count in counts.items() if count * 10 >= counts.total())

    def rarity(self, unit: str) -> float:
        """Return how much a unit tells on this page, from near 0 (in every sentence) to 1 (in one, or in none)."""
        total = len(self.spans)
        holders = len(self.postings.get(unit, ()))
        if total < 2 or holders < 2:
            return 1.0
        return math.log(1 + total / holders) / math.log(1 + total)

    def has(self, term: Term) -> bool:
        """Whether a word stands anywhere on the page."""
        return term.text in self.text if term.is_wide else not self.postings.keys().isdisjoint(term.units)

    def figures(self, index: int) -> list[Figure]:
        """Return the figures of a sentence, those of a table row with what the head of the table says of them."""
        return self._quantities(index).figures

    def periods(self, index: int) -> list[Period]:
        """Return the periods that a sentence names, with offsets within it."""
        return self._quantities(index).periods

    def _quantities(self, index: int) -> Quantities:
        if index not in self._read:
            text, before = self._in_table(index)
            read = quantities(text)
            offset = self.spans[index].start - before
            self._read[index] = Quantities(
                [_moved(figure, offset) for figure in read.figures if figure.start >= before],
                [_moved(period, -before) for period in read.periods if period.start >= before],
            )
        return self._read[index]

    def known(self, index: int) -> tuple[set[str], set[str], str]:
        """Return what a sentence and those above it can be found by, the same with the page's first, and their text."""
        if index not in self._known:
            together = (index, *self.above(index))
            here = set().union(*(self.units[at] for at in together))
            self._known[index] = (here, here | self.units[0], " ".join(self.plain[at] for at in together))
        return self._known[index]

    def head(self, index: int) -> int | None:
        """Return the head of the table that a sentence is a row of."""
        return self._outline[index][1]

    def is_row(self, index: int) -> bool:
        """Whether a sentence is a row of a table, below its head."""
        return self.head(index) is not None

    def sentence(self, index: int) -> str:
        """Return a sentence as the page prints it."""
        span = self.spans[index]
        return self.text[span.start : span.end]

    def _in_table(self, index: int) -> tuple[str, int]:
        """Return a sentence, below the head of its table if it is a row, and where it starts in that."""
        head = self.head(index)
        if head is None:
            return self.sentence(index), 0
        above = f"| {self.sentence(head)} |\n|---|\n| "
        return f"{above}{self.sentence(index)} |", len(above)

    def context(self, index: int) -> list[int]:
        """Return the sentences that tell when: the page's first, and those above."""
        return [other for other in dict.fromkeys((0, *self.above(index))) if other != index]

    def near(self, index: int) -> Iterator[int]:
        """Yield the sentences before and behind one."""
        if index > 0:
            yield index - 1
        if index + 1 < len(self.spans):
            yield index + 1

    def between(self, start: int, end: int) -> list[int]:
        """Return the sentences that a span of the page touches."""
        first = bisect_right(self.spans, start, key=attrgetter("end"))
        return list(range(first, bisect_left(self.spans, end, first, key=attrgetter("start"))))


_Placed = TypeVar("_Placed", Figure, Period)


def _moved(one: _Placed, offset: int) -> _Placed:
    return one._replace(start=one.start + offset, end=one.end + offset)


_prepared: OrderedDict[str, IndexedPage] = OrderedDict()
_lock = Lock()


def prepared(text: str) -> IndexedPage:
    """Return a page ready for verification; the pages used last are kept."""
    with _lock:
        if text in _prepared:
            _prepared.move_to_end(text)
            return _prepared[text]
    page = IndexedPage(text)
    with _lock:
        _prepared[text] = page
        while len(_prepared) > _MOST or (len(_prepared) > 1 and sum(map(len, _prepared)) > _KEPT):
            _prepared.popitem(last=False)
    return page


_REACH = 100.0
"""A limit is borne out by figures up to a hundred times away: beyond that it speaks of another size of thing."""
_ABOVE = ("over", "at least")
_BELOW = ("under", "at most")
_TIMES = ("years", "months", "weeks", "days")
_WORD = re.compile(r"[^\W\d_]+")


def bearing_out(claimed: Figure, page: IndexedPage, index: int) -> Figure | None:
    """Return the figure in a sentence of the page that bears out the claimed one, one of its period first, or None."""
    printed = page.figures(index)
    if _is_limit(claimed):  # Only the nearest figure can be meant.
        alike = [other for other in printed if claimed.measures_as(other) and claimed.value * other.value > 0]
        printed = sorted(alike, key=lambda other: abs(math.log(other.value / claimed.value)))[:1]
    found = [other for other in printed if holds(claimed, other)]
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


def _stands_in_table(claimed: Figure, printed: Figure, page: IndexedPage) -> bool:
    """Whether a bare number has the digits of the claimed figure, whose unit the page names elsewhere."""
    is_bare = printed.unit is None and printed.currency is None and printed.scale == 1.0
    if not is_bare or not claimed.same_digits(printed):
        return False
    return all(word in page.text for word in _WORD.findall(claimed.text))


LOOKED_AT = 8
"""Sentences that are compared in full, those that share most with the claim first."""
_WORTH_READING = 0.25
"""Share of what the first of them has below which a sentence is not compared."""
_SENTENCES = 3
"""Sentences that a verdict may rest on: a claim that needs more of them is not stated but inferred."""
_GAIN = 1.0
"""What a further sentence must add: one word. Asking for two of those that stand elsewhere changes WiCE's macro-F1 from
.62 to .63 on dev and from .56 to .53 on test."""
_FAR = 0.75
"""What a word counts that stands elsewhere: the page says it, but perhaps of something else."""
_WINDOW = 3
"""Neighbouring sentences that are read as one passage."""
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
    near: float = 0.0
    """The same for the best three neighbouring sentences, by plain count of its words and numbers."""


_MOST_FIGURES = 60
"""Figures of a claim that are looked for, more than any sentence has; further ones count as not found."""


def match(claim: Claim, page: IndexedPage, only: Sequence[int] | None = None) -> Match:
    """Return the sentences of `page` (of those in `only`, if given) that together bear out most of `claim`."""
    return _Search(claim, page).run(only)


class _Search:
    """One claim held against one page."""

    def __init__(self, claim: Claim, page: IndexedPage) -> None:
        self._claim = claim
        self._page = page
        self._weights = [_weight(term, page) for term in claim.terms]

    def run(self, only: Sequence[int] | None) -> Match:
        claim = self._claim
        found = Match(Held([0.0] * len(claim.terms), [None] * len(claim.figures), [False] * len(claim.periods)))
        indices = self._candidates() if only is None else list(only)
        rest = {index: self._held(index) for index in indices}
        while rest and len(found.chosen) < _SENTENCES:
            gain, _, index = max((self._gain(found, index, one), -index, index) for index, one in rest.items())
            if gain < (_GAIN if found.chosen else LIGHT_WEIGHT / 2):
                break
            if not found.chosen and only is None:
                rest |= {near: self._held(near) for near in self._page.near(index) if near not in rest}
            _take(found, index, rest.pop(index))
        found.looked_at = [*found.chosen, *rest]
        found.coverage = coverage(self._weights, found.held)
        found.near = self._near(indices)
        return found

    def _near(self, indices: Sequence[int]) -> float:
        windows = {max(0, index - before) for index in indices for before in range(_WINDOW)}
        return max((self._count(range(start, start + _WINDOW)) for start in windows), default=0.0)

    def _count(self, window: range) -> float:
        page = self._page
        inside = [index for index in window if index < len(page.spans)]
        known = set().union(*(page.units[index] for index in inside))
        text = "\n".join(page.plain[index] for index in inside)
        held = [credit(term, known, text) for term in self._claim.terms]
        held += [1.0 if digits in known else 0.0 for digits in self._claim.digits]
        return sum(held) / len(held) if held else 0.0

    def _candidates(self) -> list[int]:
        """Return the sentences that share most with the claim, found by their words and digits alone."""
        if len(self._page.spans) <= LOOKED_AT:
            return list(range(len(self._page.spans)))
        scores: dict[int, float] = {}
        lookups = [
            (weight / len(term.units), unit)
            for weight, term in zip(self._weights, self._claim.terms, strict=True)
            for unit in term.units
        ]
        for weight, unit in (*lookups, *((NAME_WEIGHT, digits) for digits in self._claim.digits)):
            for index in self._page.postings.get(unit, ()):
                scores[index] = scores.get(index, 0.0) + weight
        best = nlargest(LOOKED_AT, scores, key=lambda index: (scores[index], -index))
        return [index for index in best if scores[index] >= _WORTH_READING * scores[best[0]]]

    def _held(self, index: int) -> Held:
        page = self._page
        here, with_lead, text = page.known(index)
        words = [credit(term, with_lead if term.kind is Kind.NAME else here, text) for term in self._claim.terms]
        told, beyond = self._claim.figures[:_MOST_FIGURES], self._claim.figures[_MOST_FIGURES:]
        figures = [self._figure(figure, index) for figure in told]
        return Held(words, [*figures, *[None for _ in beyond]], self._periods(index))

    def _figure(self, figure: Figure, index: int) -> tuple[int, Figure] | None:
        printed = bearing_out(figure, self._page, index)
        return None if printed is None else (index, printed)

    def _periods(self, index: int) -> list[bool]:
        if not self._claim.periods:
            return []
        page = self._page
        printed = {period.value for at in (index, *page.above(index)) for period in page.periods(at)}
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


def coverage(weights: Sequence[float], held: Held) -> float:
    """Return the share of a claim that is held, its words by their weights."""
    marks = [figure is not None for figure in held.figures] + held.periods
    total = sum(weights) + NAME_WEIGHT * len(marks)
    words = sum(weight * credit for weight, credit in zip(weights, held.words, strict=True))
    return (words + NAME_WEIGHT * sum(marks)) / total if total else 0.0


def _weight(term: Term, page: IndexedPage) -> float:
    """Return the weight of a term: a word that stands in every sentence of a page tells half as much as a rare one."""
    rarity = sum(map(page.rarity, term.units)) / len(term.units)
    return term.weight * (1 + rarity) / 2


def credit(term: Term, known: set[str], text: str) -> float:
    """Return how far a term stands among the units known, or in `text`."""
    if term.text[0].isdigit():
        return 1.0 if re.search(rf"(?<![\d.,]){re.escape(term.text)}(?![\d]|[.,]\d)", text) else 0.0
    if not term.is_wide:
        return 0.0 if known.isdisjoint(term.units) else 1.0
    if term.text in text:
        return 1.0
    pairs = (1.0 if unit in known else _BOTH_CHARACTERS * all(map(text.__contains__, unit)) for unit in term.units)
    return sum(pairs) / len(term.units)


def _share(found: Match, index: int) -> float:
    return 1.0 if not found.chosen or any(abs(index - other) <= 1 for other in found.chosen) else _FAR


def _take(found: Match, index: int, one: Held) -> None:
    share, held = _share(found, index), found.held
    held.words = [max(old, share * new) for old, new in zip(held.words, one.words, strict=True)]
    held.figures = [old or new for old, new in zip(held.figures, one.figures, strict=True)]
    held.periods = [old or new for old, new in zip(held.periods, one.periods, strict=True)]
    found.chosen.append(index)


def foreign(claim: Claim, page: IndexedPage) -> Claim | None:
    """Return the claim in what can be compared with a page in the other language; None if the languages are the same.

    Figures and periods stay. Of the words only those remain that both languages share: words with a known meaning, the
    translations that the lexicon has, and names in Latin letters. An English name that a Japanese page does not have
    may stand there in katakana, so it is not missed.
    """
    if claim.language in page.languages or not page.languages:
        return None
    shared = [term for term in claim.terms if _is_shared(term, claim, page)]
    known = {unit for term in shared for unit in term.units}
    translated = expand(claim.text).removeprefix(claim.text)
    added = {term.units: term for term in terms(translated, ()) if known.isdisjoint(term.units)}
    return claim._replace(terms=(*shared, *added.values()))


def _is_shared(term: Term, claim: Claim, page: IndexedPage) -> bool:
    if term.units[0].startswith("="):
        return True
    return term.text.isascii() and (claim.language is Language.JA or term.units[0] in page.postings)
