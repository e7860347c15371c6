"""What fits on a slide: the room of each layout of the template, and text, points and tables measured to fill it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from research.export.document import Align, Citation, Inline, Line, SourceItem, Table, Text, column_groups, plain
from research.export.office.common import (
    SOURCES_HERE,
    clipped,
    column_ems,
    columns_named,
    joined,
    line_count,
    line_ends,
)
from research.language import Language, Phrase

# --- the template's places, which `bench/office_templates` draws from these numbers -------------------------------


class Layout(StrEnum):
    """The layouts of slides, in the template's order."""

    OPENING = "opening"
    KEY = "key"
    """Few points, in larger words."""
    MESSAGE = "message"
    CHART = "chart"
    TABLE = "table"
    APPENDIX = "appendix"


class Slot:
    """The numbers of the places on a layout that hold content."""

    TITLE, BODY, NUMBER, SECTION, FOOT, CHART, TABLE, BYLINE = 0, 1, 12, 13, 14, 15, 16, 17


class Box(NamedTuple):
    """A place on a slide in points (1/72 inch)."""

    left: float
    top: float
    width: float
    height: float


OPENING = Box(64.8, 115.2, 820.8, 165.6)
TITLE = Box(43.2, 50.4, 871.2, 68.4)
BODY = Box(43.2, 122.4, 871.2, 338.4)
FOOT = Box(43.2, 472.32, 806.4, 36)
OPENING_SIZE, QUESTION_SIZE, BYLINE_SIZE, TITLE_SIZE, QUIET_TITLE_SIZE = 38, 20, 14, 26, 20
SECTION_SIZE, FOOT_SIZE, CHART_SIZE = 13, 11, 14
TABLE_SIZES = (14, 12)
"""Points; of a table's words, the larger if all of it then fits on one slide."""
_OPENING_LINES, _QUESTION_LINES, _TITLE_LINES, _FOOT_LINES = 3, 2, 2, 2
INDENT = 18
"""Points by which a level of points is set in."""


@dataclass(frozen=True)
class Room:
    """The room for points in the body of a layout."""

    sizes: tuple[int, ...]
    """Points; of the words of each level."""
    before: int
    """Points left blank above each point."""
    width: float = BODY.width
    height: float = BODY.height - 8


KEY_ROOM = Room((24, 20, 18, 16, 15, 15, 14, 14, 14), before=10)
MESSAGE_ROOM = Room((20, 18, 16, 15, 14, 14, 13, 12, 12), before=7)
APPENDIX_ROOM = Room((16, 14, 13, 12, 12, 12, 12, 12, 12), before=5)
ROOMS = {Layout.KEY: KEY_ROOM, Layout.MESSAGE: MESSAGE_ROOM, Layout.APPENDIX: APPENDIX_ROOM}
"""Of the layouts that hold points."""

# --- lines -------------------------------------------------------------------------------------------------------

_ROOM_FOR_ELLIPSIS = 0.92
"""Of the width of a line; as lines are measured as bold or not by it, it is below 1 / 1.06."""


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


def shortened(line: Line, width: float, most: int) -> Line:
    """Return a line that takes at most `most` lines of `width` ems, cut with an ellipsis."""
    text = plain(line)
    if line_count(text, width, is_bold=True) <= most:
        return line
    end = line_ends(text, width * _ROOM_FOR_ELLIPSIS)[:most][-1]
    kept = trimmed(next(cut(line, [max(1, end - 1)])))
    last = kept[-1]
    return (*kept[:-1], replace(last, text=f"{last.text}…")) if isinstance(last, Text) else kept


def short_title(title: Line, layout: Layout) -> Line:
    """Return a slide's title, cut to the lines that its layout has for it."""
    if layout is Layout.OPENING:
        return shortened(title, OPENING.width / OPENING_SIZE, _OPENING_LINES)
    size = QUIET_TITLE_SIZE if layout is Layout.APPENDIX else TITLE_SIZE
    return shortened(title, BODY.width / size, _TITLE_LINES)


def short_section(words: str, layout: Layout) -> Line:
    """Return what stands above a slide's title, or the question below that of the first, cut to its lines."""
    if layout is Layout.OPENING:
        return shortened((Text(words),), OPENING.width / QUESTION_SIZE, _QUESTION_LINES)
    return shortened((Text(words),), BODY.width / SECTION_SIZE, 1)


_SHORT_TITLES = (70, 48, 32, 20, 0)
"""Characters of a title at the foot, from the longest that fits; at last the numbers alone."""
_BETWEEN = " · "


def foot_line(sources: Sequence[SourceItem], remark: str, language: Language) -> Line:
    """Return the foot of a slide: a remark, then its sources by number, with titles as long as there is room for."""
    line: Line = ()
    width = (FOOT.width - 15) / FOOT_SIZE
    for most in _SHORT_TITLES:
        named: list[Line] = [(Text(remark),)] if remark else []
        for source in sources:
            title = (Text(f" {clipped(source.title, most)}", url=source.url),) if most else ()
            named.append((Citation(source.number), *title))
        line = (Text(SOURCES_HERE.in_(language) if sources else ""), *joined(named, _BETWEEN)) if named else ()
        if line_count(plain(line), width) <= _FOOT_LINES:
            return line
    return shortened(line, width, _FOOT_LINES)


# --- points ------------------------------------------------------------------------------------------------------

_LATIN, _WIDE = 1.25, 1.5
"""Leading of lines by the scripts in them, in sizes of their words."""
_HALVINGS = 6
"""Steps in which the height is sought up to which all slides of a section are filled."""
_SHARE = 0.9
"""Of the room that is filled with one long point."""


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
class SlidePoint:
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

    @property
    def indent(self) -> int:
        """Points by which its words are set in."""
        return INDENT * {Look.HEAD: 0, Look.LEAD: 0, Look.CODE: 1}.get(self.look, self.level + 1)

    def before(self, room: Room) -> float:
        """Return the points left blank above it."""
        return room.before * {Look.CODE: 0, Look.HEAD: 2}.get(self.look, 1)

    def size(self, room: Room) -> int:
        """Return the size of its words in points."""
        return room.sizes[min(self.level, len(room.sizes) - 1)]

    def ems(self, room: Room) -> float:
        """Return the width of its lines in sizes of its words."""
        return (room.width - self.indent) / self.size(room)


def height_of(point: SlidePoint, room: Room) -> float:
    """Return how high a point stands on a slide, with the blank above it."""
    text = plain(point.line)
    lines = line_count(text, point.ems(room), is_bold=point.look is Look.HEAD)
    return _height_in_sizes(text, lines) * point.size(room) + point.before(room)


def _height_in_sizes(text: str, lines: int) -> float:
    """Return the height of text that is set on some lines, in sizes of its words; wide letters make a line higher."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    high = min(lines, wide)
    return high * _WIDE + (lines - high) * _LATIN


def pages(points: Sequence[SlidePoint], room: Room) -> list[list[SlidePoint]]:
    """Return points by slides, as few as can be, filled about alike; a heading stays with what follows it."""
    pieces = [piece for point in points for piece in _pieces(point, room)]
    heights = [height_of(piece, room) for piece in pieces]
    found = _filled(pieces, heights, room.height)
    low, high = sum(heights) / max(1, len(found)), room.height
    for _ in range(_HALVINGS if len(found) > 1 else 0):
        middle = (low + high) / 2
        tried = _filled(pieces, heights, middle)
        if len(tried) == len(found):
            found, high = tried, middle
        else:
            low = middle
    return found


def _filled(pieces: Sequence[SlidePoint], heights: Sequence[float], limit: float) -> list[list[SlidePoint]]:
    """Return points by slides filled up to a height; a heading that leads a slide costs nothing, as it is its title."""
    found: list[list[SlidePoint]] = []
    page: list[SlidePoint] = []
    used = 0.0
    for place, (point, height) in enumerate(zip(pieces, heights, strict=True)):
        is_head = point.look is Look.HEAD
        needed = height + (heights[place + 1] if is_head and place + 1 < len(pieces) else 0.0)
        if page and used + needed > limit:
            found.append(page)
            page, used = [], 0.0
        used += 0.0 if not page and found and is_head else height
        page.append(point)
    return [*found, page] if page else found


def _pieces(point: SlidePoint, room: Room) -> Iterator[SlidePoint]:
    """Yield a point in pieces that each fit on a slide; what goes on has neither mark nor notes again."""
    text = plain(point.line)
    most = int(room.height * _SHARE / (point.size(room) * _height_in_sizes(text, 1)))
    if point.look is Look.HEAD:
        most //= 2
    lines = list(cut(point.line, line_ends(text, point.ems(room))[most - 1 : -1 : most]))
    if point.look is not Look.CODE:
        lines = [trimmed(line) for line in lines]
    first, *rest = [line for line in lines if line] or [point.line]
    look = Look.PLAIN if point.look in (Look.BULLET, Look.NUMBER) else point.look
    yield replace(point, line=first)
    yield from (replace(point, line=line, look=look, notes=(), source=None) for line in rest)


# --- tables ------------------------------------------------------------------------------------------------------

_COLUMNS = 7
_ROWS_OF_ALL = 60
"""Rows of a table that are shown; of more, the notes have the rest."""
_CELL_LINES = 6
_PADDING = 10.0
"""Points above and below the words of a cell, and beside them."""


@dataclass(frozen=True)
class TablePiece:
    """A part of a table that fits on a slide."""

    rows: tuple[tuple[Line, ...], ...]
    """The first is the head."""
    aligned: tuple[Align, ...]
    widths: tuple[float, ...]
    """Points."""
    heights: tuple[float, ...]
    """Points of each row."""
    size: int
    """Points of the words."""
    remark: str = ""


def table_pieces(table: Table, language: Language) -> list[TablePiece]:
    """Return a table in parts: some columns, led by the first, and as many rows as a slide has room for."""
    large, small = TABLE_SIZES
    found = list(_sized(table, language, large))
    return found if len(found) == 1 else list(_sized(table, language, small))


def _sized(table: Table, language: Language, size: int) -> Iterator[TablePiece]:
    groups = column_groups(len(table.head), _COLUMNS)
    left = len(table.rows) - _ROWS_OF_ALL
    for columns in groups:
        remarks = [columns_named(columns, len(table.head), language)] if len(groups) > 1 else []
        if left > 0:
            remarks.append(Phrase("{count} more rows: in the notes of this slide").in_(language).format(count=left))
        yield from _with_columns(table, columns, size, _BETWEEN.join(remarks))


def _with_columns(table: Table, columns: Sequence[int], size: int, remark: str) -> Iterator[TablePiece]:
    shown = [table.head, *table.rows[:_ROWS_OF_ALL]]
    wanted = [wide * size + 2 * _PADDING for wide in column_ems(shown, columns)]
    widths = [width * BODY.width / sum(wanted) for width in wanted]
    fits = [(width - 2 * _PADDING) / size for width in widths]
    rows = [
        tuple(shortened(row[column], fit, _CELL_LINES) for column, fit in zip(columns, fits, strict=True))
        for row in shown
    ]
    heights = [_height(row, fits, size) for row in rows]
    aligned = tuple(table.aligned[column] for column in columns)
    start = 1
    while start < len(rows) or start == 1:
        end, used = start, heights[0]
        while end < len(rows) and (end == start or used + heights[end] <= BODY.height):
            used += heights[end]
            end += 1
        page = (rows[0], *rows[start:end])
        yield TablePiece(page, aligned, tuple(widths), (heights[0], *heights[start:end]), size, remark)
        start = max(end, start + 1)


def _height(row: Sequence[Line], fits: Sequence[float], size: int) -> float:
    texts = [plain(cell) for cell in row]
    lines = [line_count(text, fit, is_bold=True) for text, fit in zip(texts, fits, strict=True)]
    return size * max(map(_height_in_sizes, texts, lines), default=1.0) + _PADDING
