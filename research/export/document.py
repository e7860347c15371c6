"""A report as a tree of typed parts, from which every document format is made, and the walk over it that they share.

Text in the tree is plain text and never markup; addresses in it may be shown as links and are never fetched. Everything
that stands in `report.md` stands in here, in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from itertools import chain, islice, repeat
from typing import Any, Generic, TypeVar

from research.core import OPEN, Length
from research.language import Language, Phrase
from research.text import columns

SOURCES = Phrase("Sources")
ASKED_FOR = Phrase("What was asked for")


class Paper(StrEnum):
    """A sheet that a document can be printed on."""

    A4 = "a4"
    LETTER = "letter"


# --- within a line ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Text:
    """Words in one style."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    strike: bool = False
    url: str = ""
    """`http`, `https` or `mailto` address that the words lead to; empty for none."""


@dataclass(frozen=True)
class Citation:
    """The number of a source in the list of sources; `is_recent` marks information of the last three months."""

    number: int
    is_recent: bool = False


@dataclass(frozen=True)
class LineBreak:
    """A new line within a paragraph."""


Inline = Text | Citation | LineBreak
Line = tuple[Inline, ...]

# --- blocks ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the highest below the document's title."""

    level: int
    line: Line


@dataclass(frozen=True)
class Paragraph:
    """A paragraph."""

    line: Line


@dataclass(frozen=True)
class Items:
    """A list; each item is a sequence of blocks."""

    items: tuple[tuple[Block, ...], ...]
    is_ordered: bool = False
    start: int = 1


class Align(StrEnum):
    """How the cells of a column stand."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


@dataclass(frozen=True)
class Table:
    """A table with one row of heads; every row has as many cells as there are heads."""

    head: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]
    aligned: tuple[Align, ...]


@dataclass(frozen=True)
class Code:
    """Preformatted text."""

    text: str


@dataclass(frozen=True)
class Quotation:
    """What somebody else says."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class ThematicBreak:
    """A line across."""


@dataclass(frozen=True)
class Series:
    """The values of one source in a chart, in the order of its labels; None where it has none."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Chart:
    """Figures of the run's own evidence, drawn; never anything computed from nothing."""

    title: str
    unit: str
    labels: tuple[str, ...]
    """Periods in order, or names."""
    series: tuple[Series, ...]
    sources: tuple[int, ...]
    """Citation numbers of the pages that the figures are from; may be empty for pages that the text does not cite."""
    is_over_time: bool = True
    note: str = ""
    """Who says so, in words, for pages without a number."""


Block = Heading | Paragraph | Items | Table | Code | Quotation | ThematicBreak | Chart

# --- the whole -------------------------------------------------------------------------------------------------


class PartKind(StrEnum):
    """What a part of a report is."""

    BODY = "body"
    CHARTS = "charts"
    FOLLOW_UPS = "follow_ups"
    ASIDES = "asides"
    CONTRADICTIONS = "contradictions"
    LEFT_OUT = "left_out"
    LIMITS = "limits"
    VERIFICATION = "verification"
    SOURCES = "sources"
    TRAIL = "trail"


@dataclass(frozen=True)
class DocumentPart:
    """A part of the report; all but the body begin with their heading. The sources' blocks are `Document.sources`."""

    kind: PartKind
    blocks: tuple[Block, ...]

    @property
    def is_quiet(self) -> bool:
        """Whether it stands behind what answers the question, in a quieter design."""
        return self.kind not in (PartKind.BODY, PartKind.CHARTS, PartKind.FOLLOW_UPS)


@dataclass(frozen=True)
class SourceItem:
    """An entry of the list of sources."""

    number: int
    title: str
    url: str
    """Empty if it may not become a link."""
    site: str
    kind: str
    """The kind's name in the report's language, and of which limits of the brief the page is outside."""
    dated: str
    """The date as a reader is told."""
    fetched: date
    is_recent: bool
    quotes: tuple[str, ...]
    """The passages behind its citations."""
    more: str = ""
    """That further rows of a file stand behind them, which are not listed; empty where all are."""


@dataclass(frozen=True)
class ReportDocument:
    """A report, ready to be set."""

    run: str
    title: str
    question: str
    language: Language
    researched: date
    byline: str
    """What is missing, when it was researched and who wrote it."""
    brief: tuple[tuple[str, str], ...]
    """Name and value of each field of the brief."""
    parts: tuple[DocumentPart, ...]
    sources: tuple[SourceItem, ...]
    verdicts: dict[str, int] = field(default_factory=dict)
    """Sentences for each verdict that occurs."""
    checked: str = ""
    """What was checked, and how, in one line."""
    length: Length | None = None
    """How long it was asked to be; None if nobody said."""

    @property
    def asked(self) -> tuple[tuple[str, str], ...]:
        """The fields of the brief that say something, without the question, which every format shows by itself."""
        said = ((name, value.strip()) for name, value in self.brief)
        known = ("", OPEN.in_(self.language), self.question.strip())
        return tuple((name, value) for name, value in said if value not in known)

    @property
    def headings(self) -> tuple[Heading, ...]:
        """Every heading in order, for a table of contents."""
        return tuple(block for part in self.parts for block in part.blocks if isinstance(block, Heading))

    @property
    def parts_in_order(self) -> tuple[DocumentPart, ...]:
        """The parts as they are read; if there are sources, a part with a heading for them stands before the trail."""
        heading = Heading(1, (Text(SOURCES.in_(self.language)),))
        sources = (DocumentPart(PartKind.SOURCES, (heading,)),) if self.sources else ()
        others = [part for part in self.parts if part.kind is not PartKind.SOURCES]
        trail = tuple(part for part in others if part.kind is PartKind.TRAIL)
        return (*(part for part in others if part not in trail), *sources, *trail)

    def part(self, kind: PartKind) -> DocumentPart | None:
        """Return the part of a kind, if there is one."""
        return next((part for part in self.parts if part.kind is kind), None)


# --- the walk --------------------------------------------------------------------------------------------------

Place = TypeVar("Place")
Node = TypeVar("Node")


class Walk(Generic[Place, Node]):
    """The walk over blocks. A format says what kinds of blocks become at their place: any number of its own nodes.

    A place is what a format has to know of where a block stands, for instance how many lists are around it.
    """

    def blocks(self, blocks: Iterable[Block], place: Place) -> list[Node]:
        """Return the nodes of blocks, in order."""
        return [node for block in blocks for node in self.block(block, place)]

    def block(self, block: Block, place: Place) -> Iterable[Node]:  # noqa: PLR0911 - one way for each kind of block
        """Return the nodes of a block."""
        match block:
            case Heading():
                return self._heading(block, place)
            case Paragraph():
                return self._paragraph(block, place)
            case Items():
                return self._items(block, place)
            case Table():
                return self._table(squared(block), place) if block.head else ()
            case Code():
                return self._code(block, place)
            case Quotation():
                return self._quotation(block, place)
            case ThematicBreak():
                return self._rule(block, place)
            case Chart():
                return self._chart(block, place)

    def _nothing(self, block: Any, place: Place) -> Iterable[Node]:
        """Return what a kind of blocks becomes of which a format says nothing."""
        return ()

    _heading = _paragraph = _items = _table = _code = _quotation = _rule = _chart = _nothing


def led(item: Sequence[Block]) -> tuple[Paragraph | None, Sequence[Block]]:
    """Return the paragraph that stands beside the mark of an item, if it begins with one, and what is below it."""
    first = item[0] if item else None
    return (first, item[1:]) if isinstance(first, Paragraph) else (None, item)


def squared(table: Table) -> Table:
    """Return a table whose rows and alignments are filled up, or cut, to the number of its heads."""
    count = len(table.head)
    empty: Line = ()
    return replace(
        table,
        rows=tuple(tuple(islice(chain(row, repeat(empty)), count)) for row in table.rows),
        aligned=tuple(islice(chain(table.aligned, repeat(Align.LEFT)), count)),
    )


# --- tables wider than a page: parts one below the other, each led by the first column ------------------------------

_PADDING = 3
_UNBROKEN = re.compile(r"(?<!\S)[!-~]+(?!\S)|[ァ-ヿ]+")
"""What would look odd in two pieces: words in Latin letters, and names in katakana, as インドネシア is."""
_LONGEST_WORD, _WRAPS_BELOW, _WIDEST = 18, 7, 60
"""Letters: a longer word may break; a cell needs no more than the second before it wraps; no column is wider than the
third, which is about a line of reading."""


@dataclass(frozen=True)
class TablePart:
    """Some columns of a table that stand side by side."""

    columns: tuple[int, ...]
    shares: tuple[float, ...]
    """Of the width, for each of the columns."""
    filled: float
    """The share of a line that they fill."""
    caption: str
    """Which columns these are; empty if they are all."""


def table_parts(table: Table, room: int, language: Language) -> list[TablePart]:
    """Return the parts in which a table is set where lines have `room` letters, of which a wide one counts two."""
    widths = [_width([plain(row[place]) for row in (table.head, *table.rows)]) for place in range(len(table.head))]
    groups: list[list[int]] = [[0]]
    for place in range(1, len(widths)):
        held = groups[-1]
        if len(held) > 1 and sum(widths[one][0] for one in (*held, place)) > room:
            groups.append([0])
        groups[-1].append(place)
    said = Phrase("Columns {first}–{last} of {total}").in_(language)
    parts = []
    for at, group in enumerate(groups):
        shown = group[1:] if at else group
        caption = said.format(first=shown[0] + 1, last=shown[-1] + 1, total=len(widths)) if len(groups) > 1 else ""
        given = _given([widths[one] for one in group], room)
        shares = tuple(width / sum(given) for width in given)
        parts.append(TablePart(tuple(group), shares, min(1.0, sum(given) / room), caption))
    return parts


def _width(cells: Sequence[str]) -> tuple[int, int]:
    """Return the letters that a column needs at least, and those that it would fill."""
    widest = max(map(columns, cells))
    word = max((columns(word) for cell in cells for word in _UNBROKEN.findall(cell)), default=0)
    least = max(4, min(word, _LONGEST_WORD), min(widest, _WRAPS_BELOW))
    return least + _PADDING, max(least, min(widest, _WIDEST)) + _PADDING


def _given(widths: Sequence[tuple[int, int]], room: int) -> list[float]:
    """Return the letters for each column: the least that it needs, and its part of what is left of the room."""
    left = max(0, room - sum(least for least, _ in widths))
    wished = sum(whole - least for least, whole in widths)
    part = min(1.0, left / wished) if wished else 0.0
    return [least + part * (whole - least) for least, whole in widths]


# --- lines ---------------------------------------------------------------------------------------------------------


def lines_of(blocks: Iterable[Block]) -> Iterator[Line]:
    """Yield the lines of blocks and of all that is in them; code and charts have none."""
    for block in blocks:
        match block:
            case Heading() | Paragraph():
                yield block.line
            case Items():
                for item in block.items:
                    yield from lines_of(item)
            case Quotation():
                yield from lines_of(block.blocks)
            case Table():
                yield from chain(block.head, *block.rows)
            case _:
                pass


def plain(line: Sequence[Inline]) -> str:
    """Return the words of a line, citations as `[1]`."""
    return "".join(map(_words, line))


def _words(piece: Inline) -> str:
    match piece:
        case Text():
            return piece.text
        case Citation():
            return f"[{piece.number}]"
        case LineBreak():
            return "\n"


def joined(lines: Iterable[Line], between: str) -> Line:
    """Return lines as one, with words between them."""
    return tuple(piece for place, line in enumerate(lines) for piece in ((Text(between), *line) if place else line))
