"""Blocks of a report as the points of slides; each keeps its full text for the speaker's notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from research.export.document import (
    Block,
    Chart,
    Citation,
    Code,
    Heading,
    Items,
    Line,
    Paragraph,
    Quotation,
    Table,
    Text,
    ThematicBreak,
    plain,
)
from research.export.office.cleaning import clean
from research.export.office.lines import sentences_of

_FEW = 6
"""Sentences of a section up to which all of them are shown."""
_LEAD = 30
"""Characters of words that lead a paragraph."""
_DIGIT = re.compile(r"\d")
_CODE_LEVEL = 3
"""The level whose size code has."""
_NOTE_INDENT = "    "


class Look(StrEnum):
    """What a point looks like."""

    BULLET = "bullet"
    NUMBER = "number"
    HEAD = "head"
    LEAD = "lead"
    """A paragraph that is no item."""
    PLAIN = "plain"
    """What goes on within an item."""
    QUOTE = "quote"
    CODE = "code"


@dataclass(frozen=True)
class Point:
    """A paragraph of a slide."""

    line: Line
    look: Look = Look.BULLET
    level: int = 0
    number: int = 1
    """Of a numbered point."""
    notes: tuple[Line, ...] = ()
    """What the speaker's notes say at this point."""
    source: int | None = None
    """The source whose entry this is."""


Content = Point | Table | Chart


def points_of(blocks: Sequence[Block], *, is_quiet: bool = False) -> list[Content]:
    """Return the content of a section: its lists whole; of long prose the sentences that begin or prove something.

    In the quiet parts after the text, a paragraph stays as it is.
    """
    if is_quiet:
        return [found for block in blocks for found in _undivided(block)]
    sentences = sum(len(sentences_of(block.line)) for block in blocks if isinstance(block, Paragraph))
    return list(_contents(blocks, shows_all=sentences <= _FEW))


def _undivided(block: Block) -> Iterator[Content]:
    if isinstance(block, Paragraph):
        yield Point(block.line, Look.LEAD, notes=(block.line,))
    else:
        yield from _contents([block], shows_all=True)


def _contents(blocks: Iterable[Block], *, shows_all: bool) -> Iterator[Content]:
    for block in blocks:
        match block:
            case Heading() if plain(block.line).strip():
                yield Point(block.line, Look.HEAD, notes=(block.line,))
            case Paragraph():
                yield from _prose(block.line, shows_all=shows_all)
            case Items():
                yield from _items(block, 0)
            case Quotation():
                yield from _quoted(block)
            case Code():
                yield from _code(block.text)
            case Table() | Chart():
                yield block
            case Heading() | ThematicBreak():
                pass


def _prose(line: Line, *, shows_all: bool) -> Iterator[Point]:
    notes: tuple[Line, ...] = (line,)
    for place, sentence in enumerate(_led(sentences_of(line))):
        if shows_all or place == 0 or (_is_cited(sentence) and _DIGIT.search(_words(sentence))):
            yield Point(sentence, notes=notes)
            notes = ()


def _led(sentences: list[Line]) -> list[Line]:
    """Return sentences; words in bold that lead the first ("In short.") stand on one line with it."""
    if len(sentences) < 2 or not all(isinstance(piece, Text) and piece.bold for piece in sentences[0]):
        return sentences
    lead, first, *rest = sentences
    between = "" if plain(lead).endswith(("。", "：")) else " "
    return [(*lead, Text(between), *first), *rest] if len(plain(lead)) <= _LEAD else sentences


def _is_cited(line: Line) -> bool:
    return any(isinstance(piece, Citation) for piece in line)


def _words(line: Line) -> str:
    return plain([piece for piece in line if not isinstance(piece, Citation)])


def _items(items: Items, level: int) -> Iterator[Content]:
    for place, blocks in enumerate(items.items):
        number = items.start + place
        first, rest = (blocks[0], blocks[1:]) if blocks and isinstance(blocks[0], Paragraph) else (None, blocks)
        mark = f"{number}. " if items.is_ordered else "• "
        line = first.line if first else ()
        look = Look.NUMBER if items.is_ordered else Look.BULLET
        if line:
            yield Point(line, look, level, number, notes=((Text(_NOTE_INDENT * level + mark), *line),))
        for block in rest:
            if isinstance(block, Items):
                yield from _items(block, level + 1)
            else:
                yield from (_set_in(one, level) for one in _contents([block], shows_all=True))


def _set_in(content: Content, level: int) -> Content:
    if not isinstance(content, Point):
        return content
    look = Look.PLAIN if content.look is Look.BULLET else content.look
    return replace(content, level=content.level + level, look=look)


def _quoted(quotation: Quotation) -> Iterator[Content]:
    for content in _contents(quotation.blocks, shows_all=True):
        if isinstance(content, Point) and content.look is Look.BULLET and content.level == 0:
            yield replace(content, look=Look.QUOTE)
        else:
            yield content


def _code(text: str) -> Iterator[Point]:
    rows = clean(text).split("\n")
    notes: tuple[Line, ...] = tuple((Text(row or " "),) for row in rows)
    for place, row in enumerate(rows):
        yield Point((Text(row or " ", code=True),), Look.CODE, _CODE_LEVEL, notes=notes if place == 0 else ())
