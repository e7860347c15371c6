"""Where things stand on a slide, and how large its words are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Box(NamedTuple):
    """A place on a slide in EMU."""

    left: int
    top: int
    width: int
    height: int


EMU_PER_POINT = 12_700
_INCH = 914_400
WIDTH, HEIGHT = 12_192_000, 6_858_000
"""EMU: 16 to 9."""


def box(left: float, top: float, width: float, height: float) -> Box:
    """Return a box given in inches."""
    return Box(*(round(size * _INCH) for size in (left, top, width, height)))


OPENING = box(0.9, 1.6, 11.4, 2.3)
QUESTION = box(0.9, 4.05, 11.4, 0.95)
BYLINE = box(0.9, 5.45, 11.4, 1.2)
EDGE = box(0, 0, 0.28, 7.5)
SECTION = box(0.6, 0.38, 12.1, 0.34)
TITLE = box(0.6, 0.70, 12.1, 0.95)
BODY = box(0.6, 1.7, 12.1, 4.7)
RULE = box(0.6, 6.5, 12.1, 0)
FOOT = box(0.6, 6.56, 11.2, 0.5)
NUMBER = box(11.9, 6.56, 0.8, 0.3)

OPENING_SIZE, QUESTION_SIZE, BYLINE_SIZE, TITLE_SIZE, QUIET_TITLE_SIZE = 38, 20, 14, 26, 20
SECTION_SIZE, FOOT_SIZE, CHART_SIZE = 13, 11, 14
TABLE_SIZES = (14, 12)
"""Points; of a table's words, the larger if all of it then fits on one slide."""
OPENING_LINES, QUESTION_LINES, TITLE_LINES, FOOT_LINES = 3, 2, 2, 2
INDENT = 18
"""Points by which a level of points is set in."""


class Layout(StrEnum):
    """The layouts of slides."""

    OPENING = "opening"
    KEY = "key"
    """Few points, in larger words."""
    MESSAGE = "message"
    CHART = "chart"
    TABLE = "table"
    APPENDIX = "appendix"


class Slot:
    """The numbers of the places on a layout that hold content."""

    TITLE = 0
    BODY = 1
    SECTION = 13
    FOOT = 14
    CHART = 15
    TABLE = 16
    BYLINE = 17
    NUMBER = 12


@dataclass(frozen=True)
class Room:
    """The room for points on a slide, in points (1/72 inch)."""

    width: float
    height: float
    sizes: tuple[float, ...]
    """Size of the words of each level."""
    before: float
    """Blank above each point."""


_SPACE = (BODY.width / EMU_PER_POINT, BODY.height / EMU_PER_POINT - 8)
KEY_ROOM = Room(*_SPACE, sizes=(24, 20, 18, 16, 15, 15, 14, 14, 14), before=10)
MESSAGE_ROOM = Room(*_SPACE, sizes=(20, 18, 16, 15, 14, 14, 13, 12, 12), before=7)
APPENDIX_ROOM = Room(*_SPACE, sizes=(16, 14, 13, 12, 12, 12, 12, 12, 12), before=5)
ROOMS = {Layout.KEY: KEY_ROOM, Layout.MESSAGE: MESSAGE_ROOM, Layout.APPENDIX: APPENDIX_ROOM}
"""Of the layouts that hold points."""
TEXT_WIDTH = _SPACE[0]
OPENING_WIDTH = OPENING.width / EMU_PER_POINT
"""Points."""
