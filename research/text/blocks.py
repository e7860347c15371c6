"""The blocks that a Markdown or plain text is made of: headings, list items, table rows, paragraphs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from research.text.data_lines import data_line_in
from research.text.words import columns


class Kind(Enum):
    """What a block is."""

    HEADING = auto()
    ITEM = auto()
    ROW = auto()
    LINE = auto()
    """A plain line that states one thing: `label: value`."""
    PARAGRAPH = auto()


class Block(NamedTuple):
    """One block without its markers; `text[start:end]` is what it says."""

    kind: Kind
    start: int
    end: int


_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(?:[^\n]{0,500}\n){0,50}?---[ \t]*\r?\n")
_LINE = re.compile(r"[^\n\r\f\v\x85\u2028\u2029]+|\n\r?\n|\f")
_RULE = re.compile(r"[\s|:+=_*~\-]{3,}")
_FENCE = re.compile(r"(?:```|~~~).*")
_HEADING = re.compile(r"#{1,6}\s+")
_MARKED_HEADING = re.compile(r"[■◆【].{1,40}")
_ITEM = re.compile(r"(?:[-*+•‣–]\s+|[・●○◎▪]\s*|\d{1,3}[.)]\s+|\d{1,3}[．）]\s*|[(（]\d{1,3}[)）]\s*|[①-⑳]\s*)")
_ROW = re.compile(r"\|(.*)\|")
_QUOTED = re.compile(r"(?:>\s?)+")
_CLOSED = re.compile(r"[.!?。！？:：;；」』】]['\"”’)）\]]*$")

_LOOKED_AT = 200
_WRAPPED_FROM = 30
"""Columns (wide characters count two) from which a line may have been broken by a text editor or a PDF."""


def blocks(text: str) -> list[Block]:
    """Return the blocks of `text` in order, without front matter.

    Hard-wrapped lines of one paragraph or item are one block.
    """
    joined: list[Block] = []
    follows = False
    for block in _lines(text):
        if block is None:
            follows = False
            continue
        last = joined[-1] if joined else None
        if follows and last is not None and _continues(text, last, block):
            joined[-1] = last._replace(end=block.end)
        else:
            joined.append(block)
        follows = True
    return joined


def _lines(text: str) -> Iterator[Block | None]:
    """Yield each line as a block, None for lines that separate."""
    front = _FRONT_MATTER.match(text)
    for match in _LINE.finditer(text, front.end() if front else 0):
        line = match.group()
        quoted = _QUOTED.match(line.lstrip())
        start = match.start() + len(line) - len(line.lstrip()) + (quoted.end() if quoted else 0)
        end = match.start() + len(line.rstrip())
        content = text[start:end]
        if not content or _RULE.fullmatch(content) or _FENCE.fullmatch(content):
            yield None
        else:
            yield _classified(content, start, end)


def _classified(content: str, start: int, end: int) -> Block:
    if heading := _HEADING.match(content):
        return Block(Kind.HEADING, start + heading.end(), end)
    if _MARKED_HEADING.fullmatch(content) and (content[0] != "【" or content.endswith("】")):
        return Block(Kind.HEADING, start, end)
    if row := _ROW.fullmatch(content):
        inner = row[1].strip()
        offset = content.index(inner) if inner else 1
        return Block(Kind.ROW, start + offset, start + offset + len(inner))
    if item := _ITEM.match(content):
        return Block(Kind.ITEM, start + item.end(), end)
    line = data_line_in(content) if len(content) <= 2_000 else None
    return Block(Kind.LINE if line else Kind.PARAGRAPH, start, end)


def _continues(text: str, last: Block, block: Block) -> bool:
    """Whether `block` is the rest of a line that was broken for its length only."""
    if block.kind is not Kind.PARAGRAPH or last.kind not in (Kind.PARAGRAPH, Kind.ITEM, Kind.LINE):
        return False
    line = text[max(last.start, text.rfind("\n", last.start, last.end) + 1) : last.end]
    if columns(line[:_LOOKED_AT]) < _WRAPPED_FROM or _CLOSED.search(line):
        return False
    first = text[block.start]
    if first.islower() or unicodedata.category(first) == "Lo":
        return True
    return last.kind is Kind.PARAGRAPH and line[-1].islower() and columns(line[:_LOOKED_AT]) > 2 * _WRAPPED_FROM
