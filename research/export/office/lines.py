"""Lines of a document taken apart: into sentences, and into pieces of a length."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest

from research.export.document import (
    Block,
    Citation,
    Heading,
    Inline,
    Items,
    Line,
    LineBreak,
    Paragraph,
    Quotation,
    Table,
    Text,
    plain,
)
from research.export.markdown import SOURCES_OF_SECTION
from research.export.office.cleaning import clean
from research.language import Language
from research.text.sentences import Span, sentences_in

_LINE_END = re.compile(r"[\n\t]+")
_UNBROKEN = "\N{NO-BREAK SPACE}"


def sentences_of(line: Line) -> list[Line]:
    """Return the sentences of a line, cleaned, each with the citations that follow it."""
    line = tuple(replace(piece, text=clean(piece.text)) if isinstance(piece, Text) else piece for piece in line)
    text = plain(line)
    spans = sentences_in(text, Span(0, len(text))) if text.strip() else []
    starts = [span.start for span in spans[1:]]
    found: list[Line] = []
    for piece in cut(line, starts):
        bare = piece
        if found:
            led = _leading_citations(piece)
            found[-1] += piece[:led]
            bare = piece[led:]
        if plain(bare).strip():
            found.append(bare)
        elif found:
            found[-1] += bare
    return [trimmed(sentence) for sentence in found]


def _leading_citations(line: Line) -> int:
    """Return how many pieces at the start of a line are citations, with the blanks between them."""
    count = 0
    for index, piece in enumerate(line):
        if isinstance(piece, Citation):
            count = index + 1
        elif not isinstance(piece, Text) or piece.text.strip():
            break
    return count


def trimmed(line: Line) -> Line:
    """Return a line without white space at its ends."""
    pieces = list(line)
    while pieces and not plain(pieces[:1]).strip():
        del pieces[0]
    while pieces and not plain(pieces[-1:]).strip():
        del pieces[-1]
    if pieces and isinstance(pieces[0], Text):
        pieces[0] = replace(pieces[0], text=pieces[0].text.lstrip())
    if pieces and isinstance(pieces[-1], Text):
        pieces[-1] = replace(pieces[-1], text=pieces[-1].text.rstrip())
    return tuple(pieces)


def cut(line: Line, places: Iterable[int]) -> Iterator[Line]:
    """Yield a line in pieces that end at `places` of its plain text; a citation is never parted."""
    marks = sorted(set(places))
    held: list[Inline] = []
    at = 0
    for piece in line:
        rest: Inline = piece
        end = at + len(plain((piece,)))
        while marks and marks[0] < end:
            mark = marks.pop(0)
            if isinstance(rest, Text) and mark > at:
                held.append(replace(rest, text=rest.text[: mark - at]))
                rest, at = replace(rest, text=rest.text[mark - at :]), mark
            yield tuple(held)
            held = []
        held.append(rest)
        at = end
    yield tuple(held)


def unwrapped(line: Line) -> Line:
    """Return a line without line ends of its own."""
    return tuple(
        replace(piece, text=_LINE_END.sub(" ", clean(piece.text)))
        if isinstance(piece, Text)
        else Text(" ")
        if isinstance(piece, LineBreak)
        else piece
        for piece in line
    )


def bound(line: Line) -> Line:
    """Return a line in which no citation begins a new line of the page if there is a blank before it."""
    return tuple(
        replace(piece, text=f"{piece.text[:-1]}{_UNBROKEN}")
        if isinstance(piece, Text) and isinstance(after, Citation) and piece.text.endswith(" ") and piece.text.strip()
        else piece
        for piece, after in zip_longest(line, line[1:])
        if piece is not None
    )


def citations_of(lines: Iterable[Line]) -> tuple[int, ...]:
    """Return the numbers that lines cite, in order of their first occurrence."""
    return tuple(
        dict.fromkeys(piece.number for line in lines for piece in line if isinstance(piece, Citation)),
    )


def all_lines(blocks: Iterable[Block]) -> Iterator[Line]:
    """Yield the lines of blocks and of all that is in them; code and charts have none."""
    for block in blocks:
        match block:
            case Heading() | Paragraph():
                yield block.line
            case Items():
                for item in block.items:
                    yield from all_lines(item)
            case Quotation():
                yield from all_lines(block.blocks)
            case Table():
                yield from block.head
                for row in block.rows:
                    yield from row
            case _:
                pass


def names_sources(block: Block, language: Language) -> bool:
    """Whether a block is the line under a section that names its sources."""
    return isinstance(block, Paragraph) and plain(block.line).startswith(SOURCES_OF_SECTION.in_(language))
