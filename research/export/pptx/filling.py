"""Slides of a plan, filled into the placeholders of their layouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn
from pptx.oxml.xmlchemy import BaseOxmlElement as Element
from pptx.util import Emu

from research.export.document import Align, Chart, Line, Text, plain
from research.export.office.cleaning import runs_right_to_left
from research.export.office.lines import unwrapped
from research.export.office.native_charts import add_chart, described
from research.export.pptx.foot import foot_line
from research.export.pptx.geometry import (
    BODY,
    CHART_SIZE,
    EMU_PER_POINT,
    INDENT,
    MESSAGE_ROOM,
    OPENING_LINES,
    OPENING_SIZE,
    OPENING_WIDTH,
    QUESTION_LINES,
    QUESTION_SIZE,
    QUIET_TITLE_SIZE,
    ROOMS,
    SECTION_SIZE,
    TEXT_WIDTH,
    TITLE_LINES,
    TITLE_SIZE,
    Layout,
    Room,
    Slot,
)
from research.export.pptx.notes import add_notes
from research.export.pptx.paging import before, shortened
from research.export.pptx.points import Look, Point
from research.export.pptx.runs import Runs, Target, paragraph, write
from research.export.pptx.slides import Slide
from research.export.pptx.tables import TablePiece
from research.export.pptx.xml import a
from research.language import Language

if TYPE_CHECKING:
    from pptx.shapes.base import BaseShape
    from pptx.shapes.placeholder import ChartPlaceholder, TablePlaceholder
    from pptx.slide import Slide as NativeSlide


_TABLE_STYLE = "{7A3C1B52-8E0D-4C55-9F52-2B57971E7A4C}"
_ALIGNED = {Align.LEFT: PP_ALIGN.LEFT, Align.CENTER: PP_ALIGN.CENTER, Align.RIGHT: PP_ALIGN.RIGHT}
_DEEPEST = 8
_GREATEST_START = 32_767


class Filling:
    """Fills slides; numbers of sources lead to the slides with their entries."""

    def __init__(self, language: Language, targets: Mapping[int, Target]) -> None:
        self._language = language
        self._targets = targets

    def fill(self, native: NativeSlide, slide: Slide, number: int) -> None:
        """Fill the deck's `number`-th slide and its notes; placeholders that stay empty are removed."""
        runs = Runs(native.part, self._language, self._targets)
        places = {shape.placeholder_format.idx: shape for shape in native.placeholders}
        write(places[Slot.TITLE], [paragraph(runs.line(self._title(slide)))])
        opens = slide.layout is Layout.OPENING
        room = ROOMS.get(slide.layout, MESSAGE_ROOM)
        section = runs.line(self._section(slide))
        self._text(places, Slot.BODY if opens else Slot.SECTION, [paragraph(section)] if section else [])
        points = [paragraph(runs.line(point.line)) if opens else _point(runs, point, room) for point in slide.points]
        if opens or slide.layout in ROOMS:
            self._text(places, Slot.BYLINE if opens else Slot.BODY, points)
        if slide.chart is not None:
            _chart(cast("ChartPlaceholder", places[Slot.CHART]), slide.chart, self._language)
        if slide.table is not None:
            _table(cast("TablePlaceholder", places[Slot.TABLE]), slide.table, runs)
        if not opens:
            sources = [target.source for number in slide.cited if (target := self._targets.get(number))]
            foot = runs.line(foot_line(sources, slide.remark, self._language), raises=False)
            self._text(places, Slot.FOOT, [paragraph(foot)] if foot else [])
            _add_number(native)
        if slide.notes:
            add_notes(native, number, slide.notes, self._language)

    def _title(self, slide: Slide) -> Line:
        title = unwrapped(slide.title)
        if slide.layout is Layout.OPENING:
            return shortened(title, OPENING_WIDTH / OPENING_SIZE, OPENING_LINES)
        size = QUIET_TITLE_SIZE if slide.layout is Layout.APPENDIX else TITLE_SIZE
        return shortened(title, TEXT_WIDTH / size, TITLE_LINES)

    def _section(self, slide: Slide) -> Line:
        if not slide.section:
            return ()
        opens = slide.layout is Layout.OPENING
        size, most = (QUESTION_SIZE, QUESTION_LINES) if opens else (SECTION_SIZE, 1)
        return shortened((Text(slide.section),), (OPENING_WIDTH if opens else TEXT_WIDTH) / size, most)

    def _text(self, places: Mapping[int, BaseShape], slot: int, paragraphs: Sequence[Element]) -> None:
        if paragraphs:
            write(places[slot], paragraphs)
        else:
            element = places[slot]._element
            element.getparent().remove(element)


def _point(runs: Runs, point: Point, room: Room) -> Element:
    level = min(point.level, _DEEPEST)
    step = INDENT * EMU_PER_POINT
    left = {Look.HEAD: 0, Look.LEAD: 0, Look.CODE: step}.get(point.look, step * (level + 1))
    mark: Element | None = None
    indent: dict[str, int] = {}
    if point.source is not None:
        mark, indent = a("buNone"), {"marL": 2 * step, "indent": -2 * step}
    elif point.look is Look.NUMBER:
        mark = a("buAutoNum", type="arabicPeriod", startAt=max(1, min(point.number, _GREATEST_START)))
    elif point.look is not Look.BULLET:
        mark, indent = a("buNone"), {"marL": left, "indent": 0}
    blank = a("spcBef", a("spcPts", val=round(before(point, room) * 100)))
    turned: dict[str, str | int] = {"algn": "r", "rtl": 1} if runs_right_to_left(plain(point.line)) else {}
    return paragraph(runs.line(_line(point)), a("pPr", blank, mark, lvl=level or None, **indent, **turned))


def _line(point: Point) -> Line:
    if point.look is not Look.HEAD:
        return point.line
    return tuple(replace(piece, bold=True) if isinstance(piece, Text) else piece for piece in point.line)


def _chart(place: ChartPlaceholder, chart: Chart, language: Language) -> None:
    frame = add_chart(place.insert_chart, chart, CHART_SIZE, language)
    shape = frame._element.xpath(".//p:cNvPr")[0]
    shape.set("descr", described(chart, language))


def _table(place: TablePlaceholder, piece: TablePiece, runs: Runs) -> None:
    frame = place.insert_table(rows=len(piece.rows) + 1, cols=len(piece.head))
    table = frame.table
    style = table._tbl.find(f"{qn('a:tblPr')}/{qn('a:tableStyleId')}")
    style.text = _TABLE_STYLE
    table.horz_banding = False
    for column, width in enumerate(piece.widths):
        table.columns[column].width = Emu(width)
    for number, (row, height) in enumerate(zip((piece.head, *piece.rows), piece.heights, strict=True)):
        table.rows[number].height = Emu(height)
        for column, line in enumerate(row):
            cell = table.cell(number, column)
            words = cell.text_frame.paragraphs[0]
            words.alignment = _ALIGNED[piece.aligned[column]]
            written = runs.line(line)
            for properties in (node.find(qn("a:rPr")) for node in written):
                if properties is not None:
                    properties.set("sz", str(piece.size * 100))
            words._p.extend(written)
    frame.height = Emu(min(sum(piece.heights), BODY.height))


def _add_number(native: NativeSlide) -> None:
    """Put the slide's number on it, which the library leaves on the layout."""
    for shape in native.slide_layout.shapes:
        if shape.is_placeholder and shape.placeholder_format.idx == Slot.NUMBER:
            element = deepcopy(shape._element)
            properties = element.find(qn("p:spPr"))
            for child in list(properties):
                properties.remove(child)
            tree = native.shapes._spTree
            element.xpath(".//p:cNvPr")[0].set("id", str(max(map(int, tree.xpath("//p:cNvPr/@id"))) + 1))
            tree.append(element)
