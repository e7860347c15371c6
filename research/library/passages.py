"""Cut a text into passages of a few sentences, with exact offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sentencex import segment

from research.library.readers.plain import FRONT_MATTER

SHORTEST = 300
"""A passage ends at a paragraph once it is this long (characters)."""
LONGEST = 900
"""A passage is never longer, unless its beginning is a mere heading."""
_STUB = 120
"""What is shorter cannot stand alone: it stays with what follows."""

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+][ \t]|\d{1,3}[.)][ \t]|[•・◆■●○|]|[（(]\d+[）)])")


class Passage(NamedTuple):
    """A part of a text: `text[start:end]`."""

    start: int
    end: int
    heading: str
    """The headings above it, outermost first, joined by blanks."""


class _Piece(NamedTuple):
    start: int
    end: int
    opens: bool
    """First of a paragraph."""
    heading: str
    titles: bool
    """A heading itself."""


def split(text: str, *, rows: bool = False) -> list[Passage]:
    """Return the passages of `text` in order; front matter and white space between them belong to none.

    With `rows`, every line is a record, and only line ends are cut at.
    """
    pieces = list(_pieces(text, rows=rows))
    passages: list[Passage] = []
    start = 0
    for index in range(1, len(pieces) + 1):
        if index == len(pieces) or _cuts(pieces, start, index):
            passages.append(Passage(pieces[start].start, pieces[index - 1].end, pieces[start].heading))
            start = index
    return _without_stub(passages)


def _without_stub(passages: list[Passage]) -> list[Passage]:
    """Return the passages with a very short last one joined to the one before it."""
    if len(passages) < 2:
        return passages
    *others, before, last = passages
    if last.end - last.start >= _STUB or last.end - before.start > LONGEST:
        return passages
    return [*others, Passage(before.start, last.end, before.heading)]


def _cuts(pieces: list[_Piece], first: int, following: int) -> bool:
    """Whether a passage that began with piece `first` ends before piece `following`."""
    nearest = pieces[following]
    length = pieces[following - 1].end - pieces[first].start
    if nearest.end - pieces[first].start > LONGEST:
        return length >= _STUB
    return nearest.opens and length >= (_STUB if nearest.titles else SHORTEST)


def _pieces(text: str, *, rows: bool) -> Iterator[_Piece]:
    """Yield the parts that are never cut: paragraphs, items and rows, or sentences where these are too long."""
    trail: dict[int, str] = {}
    for start, end in _paragraphs(text, rows=rows):
        heading = _HEADING.match(text[start:end]) if "\n" not in text[start:end] else None
        if heading:
            level = len(heading.group(1))
            trail = {above: words for above, words in trail.items() if above < level} | {level: heading.group(2)}
        above = " ".join(trail.values())
        opens = True
        for a, b in _fitting(text, start, end, rows=rows):
            yield _Piece(a, b, opens, above, heading is not None)
            opens = rows


def _paragraphs(text: str, *, rows: bool) -> Iterator[tuple[int, int]]:
    """Yield runs of lines that hold text; a heading is a run of its own, and so is a row."""
    front_matter = None if rows else FRONT_MATTER.match(text)
    offset = front_matter.end() if front_matter else int(text.startswith("\ufeff"))
    begin: int | None = None
    last = offset
    for line in text[offset:].splitlines(keepends=True):
        stripped = line.strip()
        alone = bool(stripped) and (rows or _HEADING.match(stripped) is not None)
        if begin is not None and (not stripped or alone):
            yield begin, last
            begin = None
        if stripped:
            at = offset + line.index(stripped[0])
            last = at + len(stripped)
            if alone:
                yield at, last
            elif begin is None:
                begin = at
        offset += len(line)
    if begin is not None:
        yield begin, last


def _fitting(text: str, start: int, end: int, *, rows: bool) -> Iterator[tuple[int, int]]:
    """Yield parts of a paragraph: all of it, else its items, else sentences, else lines, else what fits."""
    if end - start <= LONGEST:
        yield start, end
        return
    for item in _items(text, start, end):
        if item[1] - item[0] <= LONGEST:
            yield item
            continue
        for sentence in [item] if rows else _sentences(text, *item):
            for line in _lines(text, *sentence) if sentence[1] - sentence[0] > LONGEST else [sentence]:
                yield from _hard(text, *line)


def _items(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the items of a list or the rows of a table; prose is one item."""
    begin = last = start
    for line_start, line_end in _lines(text, start, end):
        if line_start > start and _ITEM.match(text, line_start):
            yield begin, last
            begin = line_start
        last = line_end
    yield begin, last


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for sentence in segment("en", text[start:end]):
        words = sentence.strip()
        if words:
            at = text.index(words, at, end)
            yield at, at + len(words)
            at += len(words)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in re.compile(r"[^\n]*\S").finditer(text, start, end):
        yield match.start(), match.end()


def _hard(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut what has no sentence end, where possible behind a comma or a blank."""
    while end - start > LONGEST:
        room = text[start : start + LONGEST]
        cut = max(room.rfind(mark) + len(mark) for mark in (", ", "; ", "、", "，", " "))
        cut = start + (cut if cut > LONGEST // 2 else LONGEST)
        yield start, start + len(text[start:cut].rstrip())
        start = cut
    if start < end:
        yield start, end
