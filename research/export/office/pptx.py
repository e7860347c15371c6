"""A report as a PowerPoint file: the designed template, its placeholders filled with the slides of the plan."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from importlib import resources
from typing import Any, NamedTuple, cast

from pptx import Presentation
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.oxml.ns import qn
from pptx.oxml.xmlchemy import OxmlElement
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide as NativeSlide
from pptx.text.text import TextFrame, _Paragraph, _Run
from pptx.util import Emu, Pt

from research.core import RECENT_MARK
from research.export import office
from research.export.charts import described
from research.export.document import Align, Citation, Line, LineBreak, ReportDocument, SourceItem, Text, plain
from research.export.office import fitting, slides
from research.export.office.charts import add_chart
from research.export.words import one_line, printable, safe_address, shortened
from research.language import Language

TABLE_STYLE = "{7A3C1B52-8E0D-4C55-9F52-2B57971E7A4C}"
"""The id of the template's style of tables."""
_IN_JAPANESE = {
    "Title slide": "表紙",
    "Message and points": "メッセージと要点",
    "Message and chart": "メッセージとグラフ",
    "Message and table": "メッセージと表",
    "Appendix": "付録",
    "Message": "メッセージ",
    "Section": "章",
    "Points": "要点",
    "Sources": "情報源",
    "Chart": "グラフ",
    "Table": "表",
    "Question": "質問",
    "Date, author, verification": "調査日・執筆・検証",
    "Number": "番号",
}
"""The names of the template's layouts and places, which are also the prompts of these."""
_ALIGNED = {Align.LEFT: PP_ALIGN.LEFT, Align.CENTER: PP_ALIGN.CENTER, Align.RIGHT: PP_ALIGN.RIGHT}
_CHART_SIZE, _FEW_BARS, _LARGE_CHART = 14, 6, 18
"""Points of the words in a chart, and of one with few bars."""
_DEEPEST, _GREATEST_GAP = 8, 40
_GREATEST_START = 32_767


def to_pptx(document: ReportDocument) -> bytes:
    """Return the report as a `.pptx` file: one message a slide, with the full text in the speaker's notes."""
    with resources.files(__package__).joinpath("template.pptx").open("rb") as template:
        deck = Presentation(template)
    if document.language is Language.JA:
        _name_in_japanese(deck)
    layouts = dict(zip(fitting.Layout, deck.slide_layouts, strict=True))
    made = [(deck.slides.add_slide(layouts[slide.layout]), slide) for slide in slides.slides_of(document)]
    for native, slide in made:
        if slide.notes:
            # Before there are links: the library looks through all that the deck leads to for a free name.
            _ = native.notes_slide
    sources = {source.number: source for source in document.sources}
    targets = {
        point.source: _Target(sources[point.source], native.part)
        for native, slide in made
        for point in slide.points
        if point.source is not None
    }
    for native, slide in made:
        _Filling(native, slide, document.language, targets).fill()
    office.describe_file(deck.core_properties, document)
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def _name_in_japanese(deck: Deck) -> None:
    for page in (deck.slide_master, *deck.slide_layouts):
        named = [page._element.cSld, *page._element.xpath(".//p:cNvPr")]
        for element in named:
            if element.get("name") in _IN_JAPANESE:
                element.set("name", _IN_JAPANESE[element.get("name")])
        for prompt in page._element.xpath(".//a:r/a:t"):
            prompt.text = _IN_JAPANESE.get(prompt.text, prompt.text)


# --- lines -------------------------------------------------------------------------------------------------------

_RAISED = 30_000
_BETWEEN = "\N{HAIR SPACE}"
"""Keeps citations apart, whose links some programs would run together."""
_WESTERN = "en-US"
_LATIN = re.compile("[A-Za-z]")
_LINE_END = re.compile(r"[\n\t]+")
_JUMP = "ppaction://hlinksldjump"


class _Target(NamedTuple):
    """Where the number of a source leads: the slide with its entry."""

    source: SourceItem
    part: Part


class _Writer:
    """Writes lines into the paragraphs of one slide, or of its notes, where numbers lead nowhere."""

    def __init__(self, part: Part, language: Language, targets: Mapping[int, _Target]) -> None:
        self._part = part
        self._tag = office.tag(language)
        self._targets = targets

    def lines(self, frame: TextFrame, lines: Iterable[Line], *, raises: bool = True) -> Sequence[_Paragraph]:
        """Write lines into an empty frame, a paragraph each, and return these."""
        for place, line in enumerate(lines):
            self.line(frame.add_paragraph() if place else frame.paragraphs[0], line, raises=raises)
        return frame.paragraphs

    def line(self, paragraph: _Paragraph, line: Line, *, raises: bool = True, size: int | None = None) -> None:
        """Write a line; citations are raised unless they lead it, or stand in a line of sources."""
        line = office.bound(line) if raises else line
        for place, piece in enumerate(line):
            if place and isinstance(piece, Citation) and isinstance(line[place - 1], Citation):
                self._words(paragraph, _BETWEEN, Text(""), size)
            match piece:
                case LineBreak():
                    paragraph.add_line_break()
                case Citation():
                    words = f"[{piece.number}]{RECENT_MARK if piece.is_recent else ''}"
                    for run in self._words(paragraph, words, Text(words), size):
                        if raises and place > 0:
                            _properties(run).set("baseline", str(_RAISED))
                        self._jump(run, piece.number)
                case Text():
                    address = safe_address(piece.url) if piece.url else ""
                    for run in self._words(paragraph, printable(piece.text), piece, size):
                        if address:
                            self._lead(
                                run, self._part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
                            )

    def _words(self, paragraph: _Paragraph, text: str, like: Text, size: int | None) -> list[_Run]:
        """Write words in the style, language and typeface of `like`, and return their runs."""
        runs = []
        for place, row in enumerate(text.split("\n")):
            if place:
                paragraph.add_line_break()
            if row:
                runs.append(paragraph.add_run())
                runs[-1].text = row.replace("\t", "    ")
                self._style(runs[-1], like, size)
        return runs

    def _style(self, run: _Run, like: Text, size: int | None) -> None:
        face, properties = office.face_of(like.text), _properties(run)
        is_latin = face is None and _LATIN.search(like.text) is not None
        spoken = face.tag if face else _WESTERN if is_latin else self._tag
        other = _WESTERN if spoken != _WESTERN else self._tag
        properties.set("lang", spoken)
        if other != spoken:
            properties.set("altLang", other)
        if like.strike:
            properties.set("strike", "sngStrike")
        run.font.bold, run.font.italic = like.bold or None, like.italic or None
        run.font.size = Pt(size) if size else None
        run.font.name = office.MONOSPACE if like.code else None
        if face and face is not office.JAPANESE:
            properties.append(_element("ea", typeface=face.typeface))
        if like.code:
            properties.append(_element("cs", typeface=office.MONOSPACE))

    def _lead(self, run: _Run, relation: str) -> Any:
        return cast(Any, _properties(run)).add_hlinkClick(relation)

    def _jump(self, run: _Run, number: int) -> None:
        """Let the number of a source lead to the slide with its entry."""
        target = self._targets.get(number)
        if target is not None:
            link = self._lead(run, self._part.relate_to(target.part, RELATIONSHIP_TYPE.SLIDE))
            link.set("action", _JUMP)
            if title := shortened(one_line(target.source.title), office.TOOLTIP):
                link.set("tooltip", title)


def _properties(run: _Run) -> Any:
    return run._r.get_or_add_rPr()


def _element(name: str, **attributes: object) -> Any:
    made = OxmlElement(f"a:{name}")
    for key, value in attributes.items():
        made.set(key, str(value))
    return made


# --- slides ------------------------------------------------------------------------------------------------------


class _Filling:
    """Fills a slide of the deck and its notes; numbers of sources lead to the slides with their entries."""

    def __init__(
        self, native: NativeSlide, slide: slides.Slide, language: Language, targets: Mapping[int, _Target]
    ) -> None:
        self._native = native
        self._slide = slide
        self._language = language
        self._targets = targets
        self._writer = _Writer(native.part, language, targets)
        self._places: dict[int, Any] = {shape.placeholder_format.idx: shape for shape in native.placeholders}

    def fill(self) -> None:
        """Fill the slide; places that stay empty are removed."""
        slide, opens = self._slide, self._slide.layout is fitting.Layout.OPENING
        self._text(fitting.Slot.TITLE, [fitting.short_title(_unwrapped(slide.title), slide.layout)])
        section = [fitting.short_section(slide.section, slide.layout)] if slide.section else []
        self._text(fitting.Slot.BODY if opens else fitting.Slot.SECTION, section)
        if opens:
            self._text(fitting.Slot.BYLINE, [point.line for point in slide.points])
        elif slide.layout in fitting.SIZES:
            paragraphs = self._text(fitting.Slot.BODY, [_shown(point) for point in slide.points])
            for paragraph, point in zip(paragraphs, slide.points, strict=False):
                _set_point(paragraph, point, slide)
        if slide.chart is not None:
            size = _LARGE_CHART if len(slide.chart.labels) <= _FEW_BARS else _CHART_SIZE
            frame = add_chart(self._places[fitting.Slot.CHART].insert_chart, slide.chart, size, self._language)
            frame._element.xpath(".//p:cNvPr")[0].set("descr", described(slide.chart, self._language))
        if slide.table is not None:
            self._table(slide.table)
        if not opens:
            sources = [target.source for number in slide.cited if (target := self._targets.get(number))]
            foot = slides.foot_line(sources, slide.remark, self._language)
            self._text(fitting.Slot.FOOT, [foot] if foot else [], raises=False)
            self._add_number()
        if slide.notes:
            notes = self._native.notes_slide
            assert notes.notes_text_frame is not None
            _Writer(notes.part, self._language, {}).lines(notes.notes_text_frame, slide.notes, raises=False)

    def _text(self, slot: int, lines: Sequence[Line], *, raises: bool = True) -> Sequence[_Paragraph]:
        place = self._places[slot]
        if not lines:
            place._element.getparent().remove(place._element)
            return ()
        return self._writer.lines(place.text_frame, lines, raises=raises)

    def _table(self, shown: slides.SlideTable) -> None:
        frame = self._places[fitting.Slot.TABLE].insert_table(rows=len(shown.rows), cols=len(shown.shares))
        table = frame.table
        table._tbl.find(f"{qn('a:tblPr')}/{qn('a:tableStyleId')}").text = TABLE_STYLE
        table.horz_banding = False
        for column, share in zip(table.columns, shown.shares, strict=True):
            column.width = Pt(share * fitting.BODY_WIDTH)
        for row, lines, height in zip(table.rows, shown.rows, shown.heights, strict=True):
            row.height = Pt(height)
            for cell, line, aligned in zip(row.cells, lines, shown.aligned, strict=True):
                cell.vertical_anchor = MSO_ANCHOR.MIDDLE
                words = cell.text_frame.paragraphs[0]
                words.alignment = _ALIGNED[aligned]
                self._writer.line(words, line, size=shown.size)
        frame.height = Emu(sum(row.height for row in table.rows))

    def _add_number(self) -> None:
        """Put the slide's number on it, which the library leaves on the layout."""
        shapes, place = self._native.shapes, self._native.slide_layout.placeholders.get(fitting.Slot.NUMBER)
        assert place is not None
        element = deepcopy(place._element)
        for child in list(element.spPr):
            element.spPr.remove(child)
        element.nvSpPr.cNvPr.set("id", str(shapes._next_shape_id))
        shapes._spTree.append(element)


def _set_point(paragraph: _Paragraph, point: fitting.SlidePoint, slide: slides.Slide) -> None:
    """Set a point's level, mark, indent and direction where they are not those of the layout."""
    if level := min(point.level, _DEEPEST):
        paragraph.level = level
    before = fitting.BEFORE[slide.layout]
    paragraph.space_before = Pt(min(point.size or 0, _GREATEST_GAP) or (2 * before if point.is_head else before))
    properties = paragraph._p.get_or_add_pPr()
    if point.source is not None:
        _unmark(properties, left=2 * fitting.INDENT, first=-2 * fitting.INDENT)
    elif point.is_head or point.size:
        _unmark(properties, left=0, first=0)
    elif point.number is not None:
        start = max(1, min(point.number, _GREATEST_START))
        properties.append(_element("buAutoNum", type="arabicPeriod", startAt=start))
    if point.size or slide.scale > 1:
        for run in paragraph.runs:
            run.font.size = Pt(point.size or round(slide.scale * fitting.size_of(point, slide.layout)))
    if point.size in fitting.FIGURE_SIZES:
        paragraph.font.color.theme_color = MSO_THEME_COLOR.ACCENT_1
    if office.runs_right_to_left(plain(point.line)):
        paragraph.alignment = PP_ALIGN.RIGHT
        properties.set("rtl", "1")


def _unmark(properties: Any, left: int, first: int) -> None:
    properties.append(_element("buNone"))
    properties.set("marL", str(Pt(left)))
    properties.set("indent", str(Pt(first)))


def _shown(point: fitting.SlidePoint) -> Line:
    if not point.is_head:
        return point.line
    return tuple(replace(piece, bold=True) if isinstance(piece, Text) else piece for piece in point.line)


def _unwrapped(line: Line) -> Line:
    """Return a line without line ends of its own."""
    return tuple(
        replace(piece, text=_LINE_END.sub(" ", printable(piece.text)))
        if isinstance(piece, Text)
        else Text(" ")
        if isinstance(piece, LineBreak)
        else piece
        for piece in line
    )
