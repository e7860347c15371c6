"""A page prepared once, so that each sentence about it looks only at the few places that could bear it out."""

from __future__ import annotations

import math
import re
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from threading import Lock

from research.language import Language
from research.text.language_of import language_of
from research.text.sentences import Span, sentences
from research.verification.figures import Figure, figures
from research.verification.periods import Period, periods
from research.verification.terms import units, visible, with_short_names, without_surrogates

FAMILY = 5
"""Letters that two English words must share from the start to be of one family (`Japan`, `Japanese`): with fewer,
unrelated short words meet."""
_SUFFIX = 3
"""Letters by which the longer of two words of one family may be longer: an ending, not another word."""
_MARKER = 4
"""Characters before a sentence in which the marker of its line is looked for."""
_RECALLED = 2
"""Sentences back to which a pronoun or an omitted subject refers."""
_SAMPLED = 50
"""Sentences whose language is looked at."""
_LETTERS = re.compile(r"[^\W\d_]{2}")
_DIGIT = re.compile(r"[0-9元〇一二]")
_NUMBER = re.compile(
    r"[0-9〇一二三四五六七八九十百千]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|\w+teen|twelve|\w+ty|hundred"
    r"|thousand|dozen|million|billion|trillion|half)\b",
    re.IGNORECASE,
)
"""What a sentence without figures does not hold: most need not be read."""
_HEADING = re.compile(r"[■◆【][^。]{1,40}")
_KEPT = 8_000_000
"""Characters of pages that stay prepared: sixty long pages, or four of the longest."""


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
        self._figures: dict[int, list[Figure]] = {}
        self._periods: dict[int, list[Period]] = {}
        short = with_short_names(text)
        for index, span in enumerate(self.spans):
            clean = visible(short[span.start : span.end])
            found = units(clean)
            self.plain.append(clean)
            self.units.append(found)
            for unit in found:
                self.postings[unit].append(index)

    @cached_property
    def above(self) -> list[tuple[int, ...]]:
        """For each sentence those that say what it is about: title, heading, head of the table."""
        found: list[tuple[int, ...]] = []
        title: int | None = None
        heading: int | None = None
        for index, span in enumerate(self.spans):
            about = dict.fromkeys((title, heading, self._head[index]))
            found.append(tuple(one for one in about if one is not None))
            if self._mark(span) == "#":
                heading = index
                title = index if title is None else title
        return found

    @cached_property
    def _head(self) -> list[int | None]:
        """For each sentence the head of the table that it is a row of."""
        found: list[int | None] = []
        head: int | None = None
        for index, span in enumerate(self.spans):
            is_row = self._mark(span) == "|"
            found.append(head if is_row else None)
            head = (index if head is None else head) if is_row else None
        return found

    def _mark(self, span: Span) -> str:
        """Return what a sentence is by its line: `#` a heading, `|` a table row, or nothing of both."""
        before = self.text[max(0, span.start - _MARKER) : span.start].rstrip(" \t")[-1:]
        if before in ("#", "|"):
            return before
        if self.text[span.start] in "■◆【" and _HEADING.fullmatch(self.text, span.start, span.end):
            return "#"
        return ""

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

    def family(self, unit: str) -> tuple[str, ...]:
        """Return the unit as it stands on the page, else words there that differ from it by an ending."""
        if unit in self.postings:
            return (unit,)
        if len(unit) < FAMILY or not unit.isalpha():
            return ()
        related = self._by_beginning.get(unit[:FAMILY], ())
        return tuple(other for other in related if _differ_by_ending(unit, other))

    @cached_property
    def _by_beginning(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for unit in self.postings:
            if len(unit) >= FAMILY and unit.isalpha():
                found[unit[:FAMILY]].append(unit)
        return found

    def figures(self, index: int) -> list[Figure]:
        """Return the figures of a sentence, those of a table row with what the head of the table says of them."""
        if index not in self._figures and not _NUMBER.search(self.plain[index]):
            self._figures[index] = []
        elif index not in self._figures:
            text, before = self._in_table(index)
            offset = self.spans[index].start - before
            found = [figure for figure in figures(text) if figure.start >= before]
            self._figures[index] = [
                figure._replace(start=figure.start + offset, end=figure.end + offset) for figure in found
            ]
        return self._figures[index]

    def periods(self, index: int) -> list[Period]:
        """Return the periods that a sentence names, with offsets within it."""
        if index not in self._periods:
            dated = _DIGIT.search(self.plain[index])
            self._periods[index] = periods(self.sentence(index)) if dated else []
        return self._periods[index]

    def known(self, index: int) -> tuple[set[str], set[str], str]:
        """Return what a sentence and those above it can be found by, the same with the page's first, and their text."""
        if index not in self._known:
            together = (index, *self.above[index])
            here = set().union(*(self.units[at] for at in together))
            self._known[index] = (here, here | self.units[0], " ".join(self.plain[at] for at in together))
        return self._known[index]

    def writes(self, unit: str, word: str) -> bool:
        """Whether one of the first sentences with `unit` has `word` as it is written."""
        pattern = re.compile(rf"\b{re.escape(word)}\b")
        return any(pattern.search(self.plain[index]) for index in self.postings.get(unit, ())[:_SAMPLED])

    def is_row(self, index: int) -> bool:
        """Whether a sentence is a row of a table, below its head."""
        return self._head[index] is not None

    def units_of(self, texts: Iterable[str]) -> set[str]:
        """Return what texts, made plain, can be found by."""
        return set().union(*(units(text) for text in texts))

    def sentence(self, index: int) -> str:
        """Return a sentence as the page prints it."""
        span = self.spans[index]
        return self.text[span.start : span.end]

    def _in_table(self, index: int) -> tuple[str, int]:
        """Return a sentence, below the head of its table if it is a row, and where it starts in that."""
        head = self._head[index]
        if head is None:
            return self.sentence(index), 0
        above = f"| {self.sentence(head)} |\n|---|\n| "
        return f"{above}{self.sentence(index)} |", len(above)

    def context(self, index: int) -> list[int]:
        """Return the sentences that tell who and when: the page's first, those above, two before in the paragraph."""
        found = [0, *self.above[index]]
        for before in range(index - 1, max(-1, index - 1 - _RECALLED), -1):
            if "\n" in self.text[self.spans[before].end : self.spans[before + 1].start]:
                break
            found.append(before)
        return [other for other in dict.fromkeys(found) if other != index]

    def near(self, index: int) -> Iterator[int]:
        """Yield the sentences before and behind one."""
        if index > 0:
            yield index - 1
        if index + 1 < len(self.spans):
            yield index + 1

    def between(self, start: int, end: int) -> list[int]:
        """Return the sentences that a span of the page touches."""
        return [index for index, span in enumerate(self.spans) if span.start < end and start < span.end]


def _differ_by_ending(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) and len(longer) - len(shorter) <= _SUFFIX


class _Prepared:
    """The pages prepared last, up to `_KEPT` characters of them."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, IndexedPage] = OrderedDict()
        self._characters = 0
        self._lock = Lock()

    def get(self, text: str) -> IndexedPage:
        with self._lock:
            if text in self._pages:
                self._pages.move_to_end(text)
                return self._pages[text]
        page = IndexedPage(text)
        with self._lock:
            if text not in self._pages:
                self._pages[text] = page
                self._characters += len(text)
            while self._characters > _KEPT and len(self._pages) > 1:
                self._characters -= len(self._pages.popitem(last=False)[0])
        return page


_prepared = _Prepared()


def prepared(text: str) -> IndexedPage:
    """Return a page ready for verification; the pages used last are kept."""
    return _prepared.get(text)
