"""Points on slides: as many as fit, measured; what is longer than a slide goes on on the next."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from research.export.document import Line, Text, plain
from research.export.office.lines import cut, trimmed
from research.export.office.measuring import line_count
from research.export.pptx.geometry import INDENT, Room
from research.export.pptx.points import Look, Point

_LATIN, _WIDE = 1.25, 1.5
"""Leading of lines by the scripts in them, in sizes of their words."""
_THINNEST = 0.3
"""Ems of a character, below any."""
_HALVINGS = 6
"""Steps in which the height is sought up to which all slides of a section are filled."""
_SHARE = 0.9
"""Of the room that is filled with one long point."""


def size_of(point: Point, room: Room) -> float:
    """Return the size of a point's words."""
    return room.sizes[min(point.level, len(room.sizes) - 1)]


def height_in_sizes(text: str, lines: int) -> float:
    """Return the height of text that is set on some lines, in sizes of its words; wide letters make a line higher."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    high = min(lines, wide)
    return high * _WIDE + (lines - high) * _LATIN


def height_of(point: Point, room: Room) -> float:
    """Return how high a point stands on a slide, with the blank above it."""
    size, text = size_of(point, room), plain(point.line)
    lines = line_count(text, _width(point, room) / size, is_bold=point.look is Look.HEAD)
    return height_in_sizes(text, lines) * size + before(point, room)


def before(point: Point, room: Room) -> float:
    """Return the blank above a point."""
    return room.before * {Look.CODE: 0, Look.HEAD: 2}.get(point.look, 1)


def _width(point: Point, room: Room) -> float:
    indents = {Look.HEAD: 0, Look.LEAD: 0, Look.CODE: 1}.get(point.look, point.level + 1)
    return room.width - INDENT * indents


def pages(points: Sequence[Point], room: Room) -> list[list[Point]]:
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


def _filled(pieces: Sequence[Point], heights: Sequence[float], limit: float) -> list[list[Point]]:
    """Return points by slides filled up to a height; a heading that leads a slide costs nothing, as it is its title."""
    found: list[list[Point]] = []
    page: list[Point] = []
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


def _pieces(point: Point, room: Room) -> Iterator[Point]:
    """Yield a point in pieces that each fit on a slide; what goes on has neither mark nor notes again."""
    size = size_of(point, room)
    most = int(room.height * _SHARE / (size * height_in_sizes(plain(point.line), 1)))
    if point.look is Look.HEAD:
        most //= 2
    keep = (lambda line: line) if point.look is Look.CODE else trimmed
    lines = [keep(line) for line in cut(point.line, _cuts(plain(point.line), _width(point, room) / size, most))]
    kept = [line for line in lines if line] or [point.line]
    look = Look.PLAIN if point.look in (Look.BULLET, Look.NUMBER) else point.look
    yield replace(point, line=kept[0])
    yield from (replace(point, line=line, look=look, notes=(), source=None) for line in kept[1:])


def _cuts(text: str, width: float, most: int) -> Iterator[int]:
    """Yield the places to cut text at so that no piece takes more than `most` lines of `width` ems."""
    start, ample = 0, _ample(width, most)
    while len(text) - start > ample or line_count(text[start:], width) > most:
        start += fitting(text[start:], width, most)
        yield start


def _ample(width: float, most: int) -> int:
    """Return how many characters surely do not fit, so that no more of a long text need be measured."""
    return int(width * most / _THINNEST) + 1


def fitting(text: str, width: float, most: int) -> int:
    """Return how many characters of `text` fit into `most` lines, at a word's end if one is near."""
    low, high = 1, min(len(text), _ample(width, most))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if line_count(text[:middle], width) <= most else (low, middle - 1)
    blank = text.rfind(" ", 0, low)
    return blank + 1 if low < len(text) and blank > low // 2 else low


def shortened(line: Line, width: float, most: int) -> Line:
    """Return a line that takes at most `most` lines of `width` ems, cut with an ellipsis."""
    text = plain(line)
    if line_count(text, width, is_bold=True) <= most:
        return line
    end = fitting(text, width * 0.92, most)
    kept = trimmed(next(iter(cut(line, [max(1, end - 1)]))))
    last = kept[-1]
    return (*kept[:-1], replace(last, text=f"{last.text}…")) if isinstance(last, Text) else kept
