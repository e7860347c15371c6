"""A page prepared once, so that each sentence about it looks only at the few places that could bear it out.

It is cut into sentences, each with what it stands under: the title, the headings, the head of its table.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator
from functools import cached_property
from operator import attrgetter
from threading import Lock
from typing import TypeVar

from research.language import Language
from research.quantities import Figure, Period, Quantities, quantities
from research.text import Span, language_of, sentences
from research.verification.words import Term, units, visible, with_short_names, without_surrogates

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
