"""Sentences with exact offsets, English and Japanese, in time linear in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sentencex import get_sentence_boundaries

from research.text.blocks import Kind, blocks
from research.text.language_of import language_of


class Span(NamedTuple):
    """`text[start:end]`."""

    start: int
    end: int


LONGEST = 500
"""Characters above which a sentence is split at its clauses."""
_WINDOW = 1_000
"""The segmenter takes time quadratic in the brackets and quotes of a text, so it is given no more than this at once."""

_ONE_FACT = 200
"""Characters up to which a "label: value" line is one unit; a longer value is prose."""

_STOP = re.compile(r"[.!?]+[\"'”’)]*\s+|[。！？]+[」』）]*\s*")
"""Where a window may end: never within "2.9"."""
_STOP_BEFORE_DIGIT = re.compile(r"[。！？][」』）]*(?=\s*\d)")
_DEPTH = {"「": 1, "『": 1, "（": 1, "」": -1, "』": -1, "）": -1}
_BLANK = re.compile(r"[^\S\n ]")
"""White space of any other width: the segmenter breaks down over a wide blank between an initial and its full stop."""
_SEMICOLON = re.compile(r"[;；]\s*")
_COMMA = re.compile(r"、|,\s+")
_CARRIES_ON = re.compile(r"(?:と|って|という|など|や|の|が|を|は|も|に|で|へ|から|まで)")


def sentences(text: str) -> list[Span]:
    """Return the sentences of `text` in order, without surrounding white space.

    Headings, list items (without their marker), table rows (without outer bars) and "label: value" lines are units of
    their own. What is longer than `LONGEST` is split at semicolons, at commas only if it must be, and at last anywhere.
    """
    found: list[Span] = []
    for block in blocks(text):
        whole = Span(block.start, block.end)
        one = block.kind is Kind.LINE and block.end - block.start <= _ONE_FACT
        if one or block.kind in (Kind.HEADING, Kind.ROW):
            found.extend(_shortened(text, whole))
        else:
            for sentence in sentences_in(text, whole):
                found.extend(_shortened(text, sentence))
    return found


def sentences_in(text: str, span: Span) -> list[Span]:
    """Return the sentences of one paragraph of `text`, however long they are."""
    merged: list[Span] = []
    for segment in _segments(text, span):
        for sentence in _parted(text, _trimmed(text, *segment)):
            if merged and _belongs(text, merged[-1], sentence):
                merged[-1] = Span(merged[-1].start, sentence.end)
            else:
                merged.append(sentence)
    return merged


def _segments(text: str, span: Span) -> Iterator[Span]:
    """Yield what the segmenter finds, window by window; the last of a window may be cut off and begins the next."""
    start = span.start
    while start < span.end:
        end = min(start + _WINDOW, span.end)
        piece = _BLANK.sub(" ", text[start:end])
        bounds = get_sentence_boundaries(language_of(piece).value, piece)
        found = [Span(start + bound["start_index"], start + bound["end_index"]) for bound in bounds]
        if end < span.end and found and found[-1].start > start:
            end = found.pop().start
        elif end < span.end:
            end = next(reversed([stop.end() for stop in _STOP.finditer(text, start, end)]), end)
            found = [Span(start, end)]
        yield from found
        start = end


def _parted(text: str, segment: Span) -> Iterator[Span]:
    """Yield the sentences of a segment: the segmenter overlooks a Japanese full stop before a digit."""
    start, seen, depth = segment.start, segment.start, 0
    for stop in _STOP_BEFORE_DIGIT.finditer(text, segment.start, segment.end):
        depth += sum(_DEPTH.get(character, 0) for character in text[seen : stop.end()])
        seen = stop.end()
        if depth <= 0:
            yield _trimmed(text, start, seen)
            start = seen
    if start < segment.end:
        yield _trimmed(text, start, segment.end)


def _belongs(text: str, last: Span, sentence: Span) -> bool:
    """Whether a quotation in 「」 was taken for a sentence although the sentence goes on behind it."""
    return text[last.end - 1] in "」』）" and _CARRIES_ON.match(text, sentence.start) is not None


def _shortened(text: str, span: Span) -> Iterator[Span]:
    """Split a long unit into pieces of at most `LONGEST` characters, at the best place that there is."""
    while span.end - span.start > LONGEST:
        cut = _cut(text, span.start, span.start + LONGEST)
        yield _trimmed(text, span.start, cut)
        span = _trimmed(text, cut, span.end)
    if span.end > span.start:
        yield span


def _cut(text: str, start: int, limit: int) -> int:
    earliest = start + LONGEST // 5
    for pattern in (_SEMICOLON, _COMMA):
        ends = [match.end() for match in pattern.finditer(text, earliest, limit)]
        if ends:
            return ends[-1]
    space = text.rfind(" ", earliest, limit)
    return space if space > 0 else limit


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
