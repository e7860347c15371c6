"""What a plan of slides is made of: sections of the report, and the slides to be made of them."""

from __future__ import annotations

from dataclasses import dataclass

from research.export.document import Block, Chart, Line
from research.export.pptx.geometry import Layout
from research.export.pptx.points import Point
from research.export.pptx.tables import TablePiece


@dataclass(frozen=True)
class Slide:
    """A slide to be made."""

    layout: Layout
    title: Line
    section: str = ""
    """What the title belongs to, in small print above it."""
    points: tuple[Point, ...] = ()
    table: TablePiece | None = None
    chart: Chart | None = None
    notes: tuple[Line, ...] = ()
    cited: tuple[int, ...] = ()
    """Sources named at the foot."""
    remark: str = ""
    """What else the foot says."""


@dataclass(frozen=True)
class Section:
    """What stands under one heading of the highest level."""

    heading: Line
    blocks: tuple[Block, ...]
    is_quiet: bool
