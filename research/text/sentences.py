"""A text in blocks, sentences and passages, each with its place."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from sentencex import get_sentence_boundaries

from research.text.words import columns, language_of

_DATA_LINE = re.compile(r"(?P<label>[^:：。！？!?\n]{2,110}?)\s*(?::(?!//)\s+|：\s*)(?P<value>\S.*)", re.DOTALL)
_CELL = re.compile(r"(?P<label>[^:：;；]{1,160})[:：]\s*(?P<value>[^;；]*)(?:[;；]\s*|\Z)")
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
YEARS = re.compile(rf"{YEAR.pattern}(?:年度?)?")
_SUBJECT = re.compile(r"(.{2,60}?)\s+[–—]\s+(.+)", re.DOTALL)
_VALUE_LENGTH = 120
"""Longer values are prose behind a heading."""
_ENDS = (".", "。", "!", "！", "?", "？")
_MOST = 0.5
"""The share of lines beyond which a text is one of data."""


class DataLine(NamedTuple):
    """A label and its value, both verbatim."""

    label: str
    value: str

    @property
    def series(self) -> str:
        """The label without years, folded: the same for each year of one series."""
        return " ".join(YEARS.sub(" ", self.label).lower().split())

    @property
    def is_short(self) -> bool:
        """Whether the value is no prose."""
        return len(self.value) <= _VALUE_LENGTH


def data_line_in(text: str) -> DataLine | None:
    """Return the label and value of a "label: value" line, or None if `text` is prose or anything else."""
    match = _DATA_LINE.fullmatch(text.strip()) if ":" in text or "：" in text else None
    if match is None or ". " in match["label"]:
        return None
    label = match["label"].strip()
    return DataLine(label, match["value"].strip()) if label else None


def cells(text: str) -> list[tuple[str, str]]:
    """Return the cells of a table row ("label: value; label: value") with their labels; nothing for any other text."""
    found: list[tuple[str, str]] = []
    at = 0
    while match := _CELL.match(text, at):
        if match.end() == at:
            break
        found.append((match["label"].strip(), match["value"].strip()))
        at = match.end()
    return found if at == len(text) and len(found) > 1 else []


def are_data(texts: Iterable[str]) -> bool:
    """Whether most lines of texts are "label: value", which labels tell; a sentence behind its heading is none."""
    lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
    return sum(not line.endswith(_ENDS) and data_line_in(line) is not None for line in lines) > _MOST * len(lines)


def without_subject(label: str) -> tuple[str, str]:
    """Split `Japan – Population` into its subject and its label; the subject is empty if there is none."""
    match = _SUBJECT.fullmatch(label)
    return (match[1], match[2]) if match else ("", label)


def latest_year(text: str) -> int:
    """Return the latest year from 1900 to 2099 that `text` names, or 0."""
    return max((int(year[:4]) for year in YEARS.findall(text)), default=0)


class BlockKind(Enum):
    """What a block is."""

    HEADING = auto()
    ITEM = auto()
    ROW = auto()
    LINE = auto()
    """A plain line that states one thing: `label: value`."""
    PARAGRAPH = auto()


class Block(NamedTuple):
    """One block without its markers; `text[start:end]` is what it says."""

    kind: BlockKind
    start: int
    end: int


FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(?:[^\n]{0,500}\n){0,50}?---[ \t]*\r?\n")
_LINE = re.compile(r"[^\n\r\f\v\x85\u2028\u2029]+|\n\r?\n|\f")
RULE = re.compile(r"[\s|:+=_*~\-]{3,}")
FENCE = re.compile(r"(?:```|~~~).*")
_HEADING = re.compile(r"#{1,6}\s+")
_MARKED_HEADING = re.compile(r"[■◆【].{1,40}")
ITEM = re.compile(r"(?:[-*+•‣–]\s+|[・●○◎▪✓✔☑✕✖✗❌]\s*|\d{1,3}[.)]\s+|\d{1,3}[．）]\s*|[(（]\d{1,3}[)）]\s*|[①-⑳]\s*)")
_ROW = re.compile(r"\|(.*)\|")
_CELLS = re.compile(r"(?:[^:：;；]{1,80}:\s[^;；]*;\s){2}")
"""How a row of a data file begins: 年: 2024; 月: 1; it never goes on in the next line."""
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
    front = FRONT_MATTER.match(text)
    for match in _LINE.finditer(text, front.end() if front else 0):
        line = match.group()
        quoted = _QUOTED.match(line.lstrip())
        start = match.start() + len(line) - len(line.lstrip()) + (quoted.end() if quoted else 0)
        end = match.start() + len(line.rstrip())
        content = text[start:end]
        if not content or RULE.fullmatch(content) or FENCE.fullmatch(content):
            yield None
        else:
            yield _classified(content, start, end)


def _classified(content: str, start: int, end: int) -> Block:
    if heading := _HEADING.match(content):
        return Block(BlockKind.HEADING, start + heading.end(), end)
    if _MARKED_HEADING.fullmatch(content) and (content[0] != "【" or content.endswith("】")):
        return Block(BlockKind.HEADING, start, end)
    if row := _ROW.fullmatch(content):
        inner = row[1].strip()
        offset = content.index(inner) if inner else 1
        return Block(BlockKind.ROW, start + offset, start + offset + len(inner))
    if item := ITEM.match(content):
        return Block(BlockKind.ITEM, start + item.end(), end)
    line = (data_line_in(content) or _CELLS.match(content)) if len(content) <= 2_000 else None
    return Block(BlockKind.LINE if line else BlockKind.PARAGRAPH, start, end)


def _continues(text: str, last: Block, block: Block) -> bool:
    """Whether `block` is the rest of a line that was broken for its length only."""
    if block.kind is not BlockKind.PARAGRAPH or last.kind not in (BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.LINE):
        return False
    line = text[max(last.start, text.rfind("\n", last.start, last.end) + 1) : last.end]
    if columns(line[:_LOOKED_AT]) < _WRAPPED_FROM or _CLOSED.search(line):
        return False
    first = text[block.start]
    if first.islower() or unicodedata.category(first) == "Lo":
        return True
    return last.kind is BlockKind.PARAGRAPH and line[-1].islower() and columns(line[:_LOOKED_AT]) > 2 * _WRAPPED_FROM


class Span(NamedTuple):
    """`text[start:end]`."""

    start: int
    end: int


LONGEST = 500
"""Characters above which a sentence is split at its clauses."""
_SPACES = re.compile(r"\s+")
_WINDOW = 1_000
"""The segmenter takes time quadratic in the brackets and quotes of a text, so it is given no more than this at once."""

_ONE_FACT = 200
"""Characters up to which a "label: value" line is one unit; a longer value is prose."""

_STOP = re.compile(r"(?<![.!?])[.!?]+[\"'”’)]*\s+|[。！？]+[」』）]*\s*")
"""Where a window may end: never within "2.9"."""
_STOP_BEFORE_DIGIT = re.compile(r"[。！？][」』）]*(?=\s*\d)")
_DEPTH = {"「": 1, "『": 1, "（": 1, "」": -1, "』": -1, "）": -1}
_BLANK = re.compile(r"[^\S\n ]")
"""White space of any other width: the segmenter breaks down over a wide blank between an initial and its full stop."""
_SEMICOLON = re.compile(r"[;；]\s*")
_COMMA = re.compile(r"、|,\s+")
_PART, _PART_LENGTH = re.compile(r"\b(?:Item|Note)s? \d{1,2}[A-Z]?\.\Z"), 12
"""What refers to a part of a document by its number, before its name: see Item 1A. “Risk Factors”."""
_CARRIES_ON = re.compile(r"(?:と|って|という|など|や|の|が|を|は|も|に|で|へ|から|まで)")


def sentences(text: str) -> list[Span]:
    """Return the sentences of `text` in order, without surrounding white space.

    Headings, list items (without their marker), table rows (without outer bars) and "label: value" lines are units of
    their own. What is longer than `LONGEST` is split at semicolons, at commas only if it must be, and at last anywhere.
    """
    found: list[Span] = []
    for block in blocks(text):
        whole = Span(block.start, block.end)
        one = block.kind is BlockKind.LINE and block.end - block.start <= _ONE_FACT
        if one or block.kind in (BlockKind.HEADING, BlockKind.ROW):
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
            ends = ([one.end() for one in parts.finditer(text, start, end)] for parts in (_STOP, _SEMICOLON, _SPACES))
            end = next((places[-1] for places in ends if places), end)
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
    """Whether a sentence goes on behind what was taken for its end: a quotation in 「」, or the number of a part."""
    if _PART.search(text, max(last.start, last.end - _PART_LENGTH), last.end):
        return True
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


_PASSAGE_HEADING = re.compile(r"^[ \t]*(?:#{1,6}\s+(.{1,160})|([■◆].{1,40})|(【.{1,40}】))[ \t]*$", re.MULTILINE)
_LOOKS_BACK = 6_000
"""Characters before a quote in which its heading is looked for."""


def heading_at(text: str, start: int) -> str:
    """Return the nearest heading above `start`, or an empty string."""
    places, headings = _headings(text)
    index = bisect_left(places, start) - 1
    return headings[index] if index >= 0 and places[index] >= start - _LOOKS_BACK else ""


@lru_cache(maxsize=8)
def _headings(text: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return where the headings of a text begin, and what they say; every sentence of a page asks for its own."""
    found = list(_PASSAGE_HEADING.finditer(text))
    said = (next((part for part in one.groups() if part), "").strip() for one in found)
    return tuple(one.start() for one in found), tuple(said)
