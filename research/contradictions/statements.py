"""The sentences of the evidence, with what they stand under."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from research.contradictions.manner import is_conditional
from research.contradictions.words import Words, joined, plain, words_of
from research.core.ledger import Evidence, Page
from research.text.sentences import data_line_in, heading_at
from research.verification.clauses import Clause, clauses
from research.verification.figures import Figure, figures
from research.verification.page import IndexedPage, prepared
from research.verification.periods import Period, extent, periods

_BRACKETS = re.compile(r"[(（][^()（）]{0,200}[)）]")
_LEADING = re.compile(
    r"(?:In|For|Among|Across|Within|At|By|On|Excluding|Including|Outside|With|Without|Of|From)\b.*,\s*|.*(?:で|うち)、",
    re.DOTALL,
)
_TOPIC = re.compile(r"[^、。]{1,40}?は(?!じめ)")
"""What a Japanese sentence opens with: it holds for every clause that has no words of its own for its subject."""
_LETTER = re.compile(r"[^\W\d_]")
_BARE_AND = re.compile(r"[^,;]\sand\s*\Z")
_LOOKS_BACK = 4
"""Sentences above one that names nothing, among which the one that it goes on from is looked for."""
_AROUND = ("quarter", "half", "year", "fiscal year")
"""How long a period in a heading is that holds for what stands below; days and months there are mostly of writing."""


@dataclass(frozen=True)
class Statement:
    """A sentence or table row of the evidence."""

    entry: Evidence
    page: Page
    text: str
    """The sentence, made plain; offsets refer to it, those of the figures of a row to the page."""
    heading: str
    figures: tuple[Figure, ...]
    periods: tuple[Period, ...]
    is_row: bool
    is_line: bool
    """Whether it is a "label: value" line."""
    above: str
    """The nearest sentence above it, under the same heading, that names something, if it names nothing itself."""

    @property
    def is_conditional(self) -> bool:
        """Whether it says what would be."""
        return is_conditional(self.text)

    @cached_property
    def words(self) -> Words:
        """The words of the sentence itself, glosses included."""
        return words_of(self.text, () if self.is_row else self._taken, opens=self._opens)

    @cached_property
    def under(self) -> Words:
        """The words of its heading."""
        return words_of(plain(self.heading))

    @cached_property
    def around(self) -> Words:
        """The words of its heading and of the title of its page."""
        return joined((self.under, words_of(plain(self.page.title))))

    @cached_property
    def before(self) -> Words:
        """The words of the sentence that it goes on from."""
        return words_of(self.above)

    @cached_property
    def wide(self) -> Words:
        """Everything that the sentence can be meant to speak of."""
        return joined((self.words, self.around, self.before))

    @cached_property
    def period_around(self) -> str | None:
        """The only longer period that its heading names, else its page's title."""
        for text in (self.heading, self.page.title):
            found = {period.value for period in periods(text) if period.granularity in _AROUND}
            if found:
                return found.pop() if len(found) == 1 else None
        return None

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Its clauses."""
        return clauses(self._without_glosses)

    @cached_property
    def _without_glosses(self) -> str:
        """The sentence without brackets that hold no figure: they explain what stands before them."""
        text = self.text
        for match in _BRACKETS.finditer(self.text):
            if not any(match.start() <= figure.start < match.end() for figure in self.figures):
                text = text[: match.start()] + " " * len(match.group()) + text[match.end() :]
        return text

    def clause_at(self, offset: int) -> Clause:
        """Return the clause that holds a character."""
        return next((clause for clause in self.clauses if offset < clause.end), self.clauses[-1])

    def said_with(self, figure: Figure) -> str:
        """Return the clause of a figure, to the end of the sentence if the clause breaks off behind the figure."""
        clause = self.clause_at(figure.start)
        breaks_off = not _LETTER.search(self.text, figure.end, clause.end)
        return self.text[clause.start :] if breaks_off else clause.text

    def words_at(self, offset: int) -> Words:
        """Return the words that hold for what stands at `offset`: its clause, a leading phrase or topic, its label."""
        clause = self.clause_at(offset)
        start = clause.start
        index = self.clauses.index(clause)
        if index and _BARE_AND.search(self.text, 0, start) and not self._has_figure(self.clauses[index - 1]):
            start = self.clauses[index - 1].start
        parts = [self._words(start, clause.end)]
        first = self.clauses[0]
        if index and not self._has_figure(first) and _LEADING.fullmatch(first.text):
            parts.append(self._words(first.start, first.end))
        if self.is_line:
            segment = self.text.rfind(";", 0, offset) + 1
            parts.append(self._words(segment, max(segment, self.text.rfind(":", segment, offset))))
            if ";" in self.text:
                parts.append(Words(self.words.names, {}, ""))
        found = joined(parts)
        topic = _TOPIC.match(self._without_glosses, 0, first.end)
        if topic and index and not found.all:
            return joined([found, self._words(0, topic.end())])
        return found

    def quotes(self, figure: Figure) -> bool:
        """Whether the quote holds a figure of the sentence, or is a part of it."""
        return figure.text in self.entry.quote or figure.text in plain(self.entry.quote)

    def _has_figure(self, clause: Clause) -> bool:
        return any(clause.start <= figure.start < clause.end for figure in self.figures)

    def _words(self, start: int, end: int) -> Words:
        inside = ((max(first, start) - start, min(last, end) - start) for first, last in self._taken)
        spans = tuple(span for span in inside if span[0] < span[1])
        return words_of(self._without_glosses[start:end], spans, opens=start == 0 and self._opens)

    @property
    def _opens(self) -> bool:
        return not self.is_row and not self.is_line

    @cached_property
    def _taken(self) -> tuple[tuple[int, int], ...]:
        """The spans of figures and periods, which are no words."""
        parts: list[Figure | Period] = [*self.figures, *self.periods]
        return tuple((part.start, part.end) for part in parts)


def statements(evidence: Iterable[Evidence], pages: Mapping[str, Page]) -> Iterator[Statement]:
    """Yield each sentence that the evidence quotes, once for each page."""
    seen: set[tuple[str, int]] = set()
    for entry in evidence:
        page = pages[entry.source]
        indexed = prepared(page.text)
        for index in indexed.between(entry.start, entry.end):
            if (page.id, index) not in seen:
                seen.add((page.id, index))
                yield _statement(entry, page, indexed, index)


def _statement(entry: Evidence, page: Page, indexed: IndexedPage, index: int) -> Statement:
    text = plain(indexed.sentence(index))
    is_row = indexed.is_row(index)
    printed = indexed.figures(index) if is_row else figures(text)
    dated = [period for period in periods(text) if extent(period.value) is not None]
    heading = _heading(page.text, indexed.spans[index].start)
    is_line = data_line_in(text) is not None
    above = "" if is_row or is_line or words_of(text).names else _named_above(page, indexed, index, heading)
    return Statement(entry, page, text, heading, tuple(printed), tuple(dated), is_row, is_line, above)


@lru_cache(maxsize=64)
def _heading(text: str, start: int) -> str:
    """Return the heading above a sentence; the sentences near to it ask for it as well."""
    return heading_at(text, start)


def _named_above(page: Page, indexed: IndexedPage, index: int, heading: str) -> str:
    for place in range(index - 1, max(-1, index - 1 - _LOOKS_BACK), -1):
        if indexed.is_row(place) or _heading(page.text, indexed.spans[place].start) != heading:
            break
        text = plain(indexed.sentence(place))
        if words_of(text).names:
            return text
    return ""
