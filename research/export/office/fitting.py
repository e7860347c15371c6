"""What fits on a slide: the template's places and sizes, and text cut to the room that they have."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from research.export import document as tree
from research.export.words import line_ends, lines_on, shortened
from research.text import columns

# --- the template's layouts, which `bench/office_templates` draws ------------------------------------------------


class Layout(StrEnum):
    """The layouts of slides, in the template's order."""

    OPENING = "opening"
    MESSAGE = "message"
    CHART = "chart"
    TABLE = "table"
    APPENDIX = "appendix"


class Slot:
    """The numbers of the places on a layout that hold content."""

    TITLE, BODY, NUMBER, SECTION, FOOT, CHART, TABLE, BYLINE = 0, 1, 12, 13, 14, 15, 16, 17


BODY_WIDTH, BODY_HEIGHT, INDENT = 871.2, 338.4, 18
"""Points (1/72 inch) of the place for content, and those by which a level of it is set in."""
SIZES = {
    Layout.MESSAGE: (20, 18, 16, 15, 14, 14, 13, 12, 12),
    Layout.APPENDIX: (14, 13, 12, 12, 12, 12, 12, 12, 12),
}
"""Points of the words of each level of points."""
BEFORE = {Layout.MESSAGE: 7, Layout.APPENDIX: 5}
"""Points left blank above each point."""
TITLE_SIZES = {Layout.OPENING: 38, Layout.APPENDIX: 20}
TITLE_SIZE, QUESTION_SIZE, SECTION_SIZE, FOOT_SIZE = 26, 20, 13, 11
LARGE_SIZES, FIGURE_SIZES, LARGE_LINES, BELOW_SIZE = (40, 34, 28, 24), (96, 72), 3, 16
"""Points of what a slide says alone, the larger if it then takes no more lines than this; and of what is below it."""
TABLE_SIZES, TABLE_DROP = (20, 18, 16, 14, 12), 12
"""Points of a table's words, the larger if all of it then fits; and by which it stands lower than points would."""


@dataclass(frozen=True)
class SlidePoint:
    """A paragraph of a slide."""

    line: tree.Line
    level: int = 0
    is_head: bool = False
    number: int | None = None
    """Of an item of a numbered list."""
    source: int | None = None
    """The source whose entry this is."""
    size: int | None = None
    """Points of its words, where it stands without a mark and not in the size of its level."""


# --- what fits ---------------------------------------------------------------------------------------------------

MOST_LINES = 4
"""Of one point, or of a cell; what is longer is cut, and stands whole in the notes."""
_LATIN, _WIDE = 1.25, 1.5
"""Leading of lines by the scripts in them, in sizes of their words."""
_ROOM_FOR_ELLIPSIS = 0.88
_MOST_MARKS = 3
"""Citations that stand behind a line that was cut."""
_SCALES = {Layout.MESSAGE: (1.2, 1.1), Layout.APPENDIX: (1.3, 1.15)}
"""Of the words of a slide that is not full, the larger if all of them then fit; none is larger than the title."""
_BOLD = 0.9
"""Of the letters of a line, how many of a title's bold ones it holds."""


def fitting(parts: Sequence[Sequence[SlidePoint]], layout: Layout) -> list[SlidePoint]:
    """Return the points of parts that share a slide: what leads each, then of each as many as there is room for.

    Long points are cut; there is one point at least, and of parts for which there is no room at all those before them.
    """
    parts = [part for part in parts if part]
    for most in range(MOST_LINES, 0, -1):
        leads = [[_short(point, layout, most) for point in part[: _leading(part)]] for part in parts]
        if sum(height_of(lead, layout) for lead in leads) <= BODY_HEIGHT:
            break
    while len(leads) > 1 and sum(height_of(lead, layout) for lead in leads) > BODY_HEIGHT:
        leads.pop()
    room, found = BODY_HEIGHT - sum(height_of(lead, layout) for lead in leads), list[SlidePoint]()
    for place, (lead, part) in enumerate(zip(leads, parts, strict=False)):
        needed = sum(height_of(other[_leading(other) :], layout) for other in parts[place + 1 : len(leads)])
        left = max(room / (len(leads) - place), room - needed)
        found += lead
        for point in part[len(lead) :]:
            short = _short(point, layout, most)
            height = height_of([short], layout)
            if height > left:
                break
            found.append(short)
            left, room = left - height, room - height
        while len(found) > 1 and _only_leads(found[-1]):
            room += height_of([found.pop()], layout)
    return found


def _leading(part: Sequence[SlidePoint]) -> int:
    """Return how many points lead a part: its first that is no heading, and the headings above it."""
    return next((place for place, point in enumerate(part, start=1) if not point.is_head), len(part))


def _only_leads(point: SlidePoint) -> bool:
    """Whether a point says nothing without those that follow it."""
    return point.is_head or tree.plain(point.line).rstrip().endswith((":", "："))


def _short(point: SlidePoint, layout: Layout, most: int) -> SlidePoint:
    return replace(point, line=short_line(point.line, _width(point, layout)[0], most))


def _width(point: SlidePoint, layout: Layout, scale: float = 1.0) -> tuple[float, float]:
    """Return how many letters a line of a point holds, and their size."""
    size = size_of(point, layout) * scale
    return 2 * (BODY_WIDTH - INDENT * (point.level + 1)) / size, size


def size_of(point: SlidePoint, layout: Layout) -> int:
    """Return the points of a point's words."""
    return SIZES[layout][min(point.level, len(SIZES[layout]) - 1)]


def scale_of(points: Sequence[SlidePoint], layout: Layout) -> float:
    """Return by how much words may be larger than their layout has them, where points leave much of it empty."""
    return next((one for one in _SCALES[layout] if height_of(points, layout, one) <= BODY_HEIGHT), 1.0)


def height_of(points: Iterable[SlidePoint], layout: Layout, scale: float = 1.0) -> float:
    """Return the height that points take, each cut to the lines that one may have at most."""
    height = 0.0
    for point in points:
        (width, size), text = _width(point, layout, scale), tree.plain(point.line)
        lines = min(math.ceil(MOST_LINES * scale), lines_on(text, width))
        height += lines * size * _leading_of(text) + BEFORE[layout] * (2 if point.is_head else 1)
    return height


def height_in_sizes(text: str, width: float) -> float:
    """Return the height of text in sizes of its words."""
    return lines_on(text, width) * _leading_of(text)


def _leading_of(text: str) -> float:
    return _WIDE if columns(text) > len(text) else _LATIN


def short_line(line: tree.Line, width: float, most: int) -> tree.Line:
    """Return a line that takes at most `most` lines of `width` letters, cut with an ellipsis; its citations stay."""
    text = tree.plain(line)
    if lines_on(text, width) <= most:
        return line
    end = len(shortened(text.replace("\n", " "), int(width * most * _ROOM_FOR_ELLIPSIS))) - 1
    kept, *rest = [trimmed(piece) for piece in cut(line, [max(1, end)])]
    marks = [piece for piece in tree.joined(rest, "") if isinstance(piece, tree.Citation)][:_MOST_MARKS]
    last = kept[-1]
    return (*kept[:-1], replace(last, text=f"{last.text}…"), *marks) if isinstance(last, tree.Text) else kept


def large(line: tree.Line, sizes: Sequence[int] = LARGE_SIZES) -> SlidePoint | None:
    """Return a line in the largest print in which it is short, a figure on one line; nothing if it is too long."""
    for size in sizes:
        width = 2 * BODY_WIDTH * _BOLD / size
        if lines_on(tree.plain(line), width) <= (1 if sizes is FIGURE_SIZES else LARGE_LINES):
            return SlidePoint(_balanced(line, width), size=size)
    return None


def below(point: SlidePoint) -> SlidePoint:
    """Return a point as it stands below one in large print, cut to two lines."""
    return replace(point, line=short_line(point.line, 2 * BODY_WIDTH / BELOW_SIZE, 2), size=BELOW_SIZE)


def short_title(title: tree.Line, layout: Layout) -> tree.Line:
    """Return a slide's title, cut to the lines that its layout has for it, which are about as long as each other."""
    width = 2 * BODY_WIDTH * _BOLD / TITLE_SIZES.get(layout, TITLE_SIZE)
    return _balanced(short_line(title, width, 3 if layout is Layout.OPENING else 2), width)


def _balanced(line: tree.Line, width: float) -> tree.Line:
    """Return a line broken into lines about as long as each other."""
    first, *others = map(trimmed, cut(line, line_ends(tree.plain(line), width)))
    return (*first, *(piece for row in others for piece in (tree.LineBreak(), *row)))


def short_section(words: str, layout: Layout) -> tree.Line:
    """Return what stands above a slide's title, or the question below that of the first, cut to its lines."""
    size, most = (QUESTION_SIZE, 2) if layout is Layout.OPENING else (SECTION_SIZE, 1)
    return short_line((tree.Text(words),), 2 * BODY_WIDTH / size, most)


def trimmed(line: tree.Line) -> tree.Line:
    """Return a line without white space at its ends."""
    pieces = list(line)
    while pieces and not tree.plain(pieces[:1]).strip():
        del pieces[0]
    while pieces and not tree.plain(pieces[-1:]).strip():
        del pieces[-1]
    if pieces and isinstance(pieces[0], tree.Text):
        pieces[0] = replace(pieces[0], text=pieces[0].text.lstrip())
    if pieces and isinstance(pieces[-1], tree.Text):
        pieces[-1] = replace(pieces[-1], text=pieces[-1].text.rstrip())
    return tuple(pieces)


def cut(line: tree.Line, places: Iterable[int]) -> Iterator[tree.Line]:
    """Yield a line in pieces that end at `places` of its plain text; a citation is never parted."""
    marks = sorted(set(places))
    held: list[tree.Inline] = []
    at = 0
    for piece in line:
        rest: tree.Inline = piece
        end = at + len(tree.plain((piece,)))
        while marks and marks[0] < end:
            mark = marks.pop(0)
            if isinstance(rest, tree.Text) and mark > at:
                held.append(replace(rest, text=rest.text[: mark - at]))
                rest, at = replace(rest, text=rest.text[mark - at :]), mark
            yield tuple(held)
            held = []
        held.append(rest)
        at = end
    yield tuple(held)
