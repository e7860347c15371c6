"""Charts as Office draws them: with their figures in a workbook inside the file, so that they can be edited.

They have the application's colours and few lines; every axis that bars stand on begins at zero.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, cast

from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part as WordPart
from docx.oxml.parser import parse_xml as parse_word_xml
from pptx import Presentation
from pptx.chart.axis import DateAxis, ValueAxis
from pptx.chart.chart import Chart as NativeChart
from pptx.chart.data import ChartData
from pptx.chart.plot import BarPlot
from pptx.chart.series import LineSeries
from pptx.dml.color import RGBColor
from pptx.enum.chart import (
    XL_CHART_TYPE,
    XL_LABEL_POSITION,
    XL_LEGEND_POSITION,
    XL_MARKER_STYLE,
    XL_TICK_LABEL_POSITION,
    XL_TICK_MARK,
)
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu, Pt

from research.export.charts import axis_ticks, described, drawable, signs_of, values_of
from research.export.document import Chart
from research.export.office import LINE, QUIET, SERIES, TOOLTIP
from research.export.words import one_line, period_in_words, shortened
from research.language import Language

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.oxml.xmlchemy import BaseOxmlElement
    from pptx.chart.series import _BaseCategorySeries
    from pptx.parts.chart import ChartPart
    from pptx.shapes.graphfrm import GraphicFrame


_FORMULA = re.compile(r"=|\{=|[A-Za-z]{2,12}:")
_MONTH_LABEL = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
_MONTH = {Language.EN: "[$-409]mmm yyyy", Language.JA: 'yyyy"年"m"月"'}
_NAMED_MONTHS = 6
"""Months that have their names side by side below a chart."""
_BLANK_LAYOUT = 6
_SIZE = 10
"""Points of the words in a chart of a document."""
_EMU_PER_TWIP = 635
_RATIO = 0.4
"""Height of a chart by its width: a higher one seldom fits below the text, and leaves half a page empty."""
_MOST, _RATIO_OF_NO_BARS, _RATIO_OF_A_BAR = 0.5, 0.08, 0.055
"""The same of a ranking: at most, of its frame, and of each of its bars."""
_DRAWING = """<w:drawing xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><wp:inline
  xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
  xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" distT="0" distB="0" distL="0" distR="0">
  <wp:extent cx="{width}" cy="{height}"/><wp:docPr id="{number}" name="Chart {number}"/><wp:cNvGraphicFramePr/>
  <a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart">
    <c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"
      xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="{relation}"/>
  </a:graphicData></a:graphic>
</wp:inline></w:drawing>"""
_LABELLED = 12
"""Values, or months from the first to the last, up to which each is written beside its mark."""
_ROOM_FOR_A_DIGIT = 0.025
"""Of the length of the longest bar."""
_SHORT = 8
"""Characters of a figure in millions or more."""
_NARROWEST_GAP, _WIDEST_GAP = 40, 200
"""Percent of a bar's breadth."""
_UNFRAMED = (
    '<c:spPr xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>'
)


def word_drawing(word: WordDocument, chart: Chart, number: int, width: int, language: Language) -> BaseOxmlElement:
    """Return what shows a chart in a Word file, `width` twips wide, whose parts, named by `number`, are added to it.

    python-docx has no charts: python-pptx makes it on a slide that is thrown away.
    """
    deck = Presentation()
    shapes = deck.slides.add_slide(deck.slide_layouts[_BLANK_LAYOUT]).shapes

    def insert(kind: XL_CHART_TYPE, data: ChartData) -> GraphicFrame:
        return cast("GraphicFrame", shapes.add_chart(kind, Emu(0), Emu(0), Emu(1), Emu(1), data))

    native = cast("ChartPart", add_chart(insert, chart, _SIZE, language).chart.part)
    book = native.chart_workbook.xlsx_part
    assert book is not None
    package = word.part.package
    part = WordPart(PackURI(f"/word/charts/chart{number}.xml"), CONTENT_TYPE.DML_CHART, native.blob, package)
    name = PackURI(f"/word/embeddings/Microsoft_Excel_Sheet{number}.xlsx")
    relation = next(name for name, one in native.rels.items() if one.target_part is book)
    part.load_rel(RELATIONSHIP_TYPE.PACKAGE, WordPart(name, CONTENT_TYPE.SML_SHEET, book.blob, package), relation)
    relation = word.part.relate_to(part, RELATIONSHIP_TYPE.CHART)
    bars = _RATIO_OF_NO_BARS + _RATIO_OF_A_BAR * len(chart.series) * len(chart.labels)
    size = width * _EMU_PER_TWIP
    height = int(size * (min(_MOST, bars) if _is_ranking(chart) else _RATIO))
    drawing = parse_word_xml(_DRAWING.format(width=size, height=height, number=number, relation=relation))
    properties = drawing[0][1]
    properties.set("title", shortened(one_line(chart.title), TOOLTIP))
    properties.set("descr", described(chart, language))
    return drawing


def add_chart(
    insert: Callable[[XL_CHART_TYPE, ChartData], GraphicFrame], chart: Chart, size: int, language: Language
) -> GraphicFrame:
    """Insert a chart and return its frame: lines over time, columns otherwise; of one period a bar for each source.

    Its words have `size` points.
    """
    chart, unit = _in_unit(chart, language)
    if _is_ranking(chart):
        kind = XL_CHART_TYPE.BAR_CLUSTERED
    else:
        kind = XL_CHART_TYPE.LINE_MARKERS if _is_line(chart) else XL_CHART_TYPE.COLUMN_CLUSTERED
    frame = insert(kind, _data(chart, language, unit))
    _style(frame.chart, chart, size, language, unit, is_line=kind is XL_CHART_TYPE.LINE_MARKERS)
    return frame


def _in_unit(chart: Chart, language: Language) -> tuple[Chart, str]:
    """Return a chart with its values in the unit in which Japanese counts them, and that unit; else as it is.

    Office only divides by thousands: 14.19億 would be written as 1,419百万.
    """
    values = values_of(drawable(chart)) if language is Language.JA else []
    greatest, least = max(map(abs, values), default=0.0), min(map(abs, values), default=0.0)
    fits = (one for one in _UNITS_JA if greatest >= one.greatest or least >= one.least)
    unit = next(fits, None)
    if unit is None or greatest >= _POWERS_FROM:
        return chart, ""
    told = (replace(one, values=tuple(value and value / unit.size for value in one.values)) for one in chart.series)
    return replace(chart, series=tuple(told)), unit.name


def _data(chart: Chart, language: Language, unit: str) -> ChartData:
    drawn = drawable(chart)
    data = ChartData(number_format=f'General"{unit}"' if unit else "General")
    labels = [_cell(period_in_words(label, language)) for label in chart.labels]
    if _is_ranking(chart) and len(chart.series) > 1:
        data.categories = [_cell(series.name) for series in chart.series]
        data.add_series(labels[0], [one.values[0] for one in drawn])
        return data
    data.categories = _months(chart) or labels
    for series in drawn:
        data.add_series(_cell(series.name), series.values)
    return data


def _months(chart: Chart) -> list[date]:
    """Return the months that lines run through, so that they stand as far apart as they are; nothing for others."""
    found = [_MONTH_LABEL.fullmatch(label) for label in chart.labels] if _is_line(chart) else []
    return [date(int(one[1]), int(one[2]), 1) for one in found if one] if all(found) else []


def _cell(text: str) -> str:
    """Return text as a cell holds it: never a formula or a link."""
    line = one_line(text) or "–"
    return f" {line}" if _FORMULA.match(line) else line


# --- how a chart looks -------------------------------------------------------------------------------------------


def _is_ranking(chart: Chart) -> bool:
    """Whether a chart sets figures side by side under one name each: of several sources, or of whom they tell."""
    return (len(chart.labels) == 1) != (len(chart.series) == 1) and not chart.is_over_time


def _is_line(chart: Chart) -> bool:
    return chart.is_over_time and len(chart.labels) > 1


def _style(native: NativeChart, chart: Chart, size: int, language: Language, unit: str, *, is_line: bool) -> None:
    """Style a chart that has its data, with words of `size` points."""
    ranks, values = _is_ranking(chart), values_of(drawable(chart))
    is_single = ranks or len(chart.series) == 1
    ticks = axis_ticks(values if is_line else [0.0, *values]) if values else ()
    written, on_axis = number_formats(values, ticks, unit)
    beside = _signed(written, chart.unit, language)
    native.font.size, native.font.color.rgb = Pt(size), _rgb(QUIET)
    native._chartSpace.chart.addnext(parse_xml(_UNFRAMED))
    native.has_title = False
    native.has_legend = not is_single
    if native.legend is not None:
        native.legend.position = XL_LEGEND_POSITION.BOTTOM
        native.legend.include_in_layout = False
    plot = native.plots[0]
    months = _months(chart)
    is_roomy = len(values) <= _LABELLED and _span(months) <= _LABELLED
    plot.has_data_labels = is_roomy and (is_single or not is_line)
    if plot.has_data_labels:
        plot.data_labels.number_format = beside
        plot.data_labels.number_format_is_linked = False
        plot.data_labels.font.size, plot.data_labels.font.bold = Pt(size), True
        plot.data_labels.font.color.theme_color = MSO_THEME_COLOR.TEXT_1
        plot.data_labels._element.find(f"{qn('c:txPr')}/{qn('a:bodyPr')}").set("wrap", "none")
        plot.data_labels.position = XL_LABEL_POSITION.ABOVE if is_line else XL_LABEL_POSITION.OUTSIDE_END
    if isinstance(plot, BarPlot):  # bars stay slim where there are few of them
        plot.gap_width = max(_NARROWEST_GAP, _WIDEST_GAP - 20 * len(values))
    # The library's axes have negative ids, which the format does not allow.
    for node in native._chartSpace.xpath("//c:axId | //c:crossAx"):
        node.set("val", str(abs(int(node.get("val")))))
    for axis in (native.category_axis, native.value_axis):
        axis.format.line.color.rgb = _rgb(LINE)
        axis.major_tick_mark = XL_TICK_MARK.NONE
        axis.has_major_gridlines = False
    if isinstance(native.category_axis, DateAxis):
        _by_months(native.category_axis, months, language)
    native.category_axis.reverse_order = ranks
    native.category_axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    if ranks and plot.has_data_labels:
        _hide(native.value_axis, values, is_short='"' in written)
    else:
        _show(native.value_axis, ticks, on_axis)
    for index, series in enumerate(plot.series):
        _series(series, _rgb(SERIES[index % len(SERIES)]))


def _rgb(colour: str) -> RGBColor:
    return RGBColor(*bytes.fromhex(colour))


def _hide(axis: ValueAxis, values: Sequence[float], *, is_short: bool) -> None:
    """Leave an axis out, with room for the figures beside the bars, of which a long one would be broken."""
    longest = _SHORT if is_short else max(len(f"{value:,.10g}") for value in values)
    if min(values, default=0.0) >= 0:
        axis.minimum_scale = 0
    axis.maximum_scale = max(*values, 0.0) * (1 + _ROOM_FOR_A_DIGIT * longest) or None
    axis.visible = False


def _show(axis: ValueAxis, ticks: Sequence[float], written: str) -> None:
    if ticks:  # where it ends is left to the program, which keeps room for the figures above the marks
        axis.minimum_scale, axis.major_unit = ticks[0], ticks[1] - ticks[0]
    axis.visible = True
    axis.has_major_gridlines = True
    axis.major_gridlines.format.line.color.rgb = _rgb(LINE)
    axis.tick_labels.number_format = written
    axis.tick_labels.number_format_is_linked = False


def _span(months: Sequence[date]) -> int:
    """Return how many months lie between the first and the last."""
    return 12 * (months[-1].year - months[0].year) + months[-1].month - months[0].month if months else 0


def _by_months(axis: DateAxis, months: Sequence[date], language: Language) -> None:
    """Have an axis count in months, of which a few are named."""
    base = axis._element.find(qn("c:baseTimeUnit"))
    base.set("val", "months")
    base.addnext(parse_xml(f'<c:majorTimeUnit {nsdecls("c")} val="months"/>'))
    base.addnext(parse_xml(f'<c:majorUnit {nsdecls("c")} val="{math.ceil((_span(months) + 1) / _NAMED_MONTHS)}"/>'))
    axis.tick_labels.number_format = _MONTH[language]
    axis.tick_labels.number_format_is_linked = False


def _series(series: _BaseCategorySeries, shade: RGBColor) -> None:
    if not isinstance(series, LineSeries):
        series.format.fill.solid()
        series.format.fill.fore_color.rgb = shade
        return
    series.format.line.color.rgb = shade
    series.format.line.width = Pt(2)
    series.smooth = False
    series.marker.style = XL_MARKER_STYLE.CIRCLE
    series.marker.size = 7
    series.marker.format.fill.solid()
    series.marker.format.fill.fore_color.rgb = shade
    series.marker.format.line.color.rgb = shade


# --- how Office writes the figures: with what a reader needs beside their marks, short on the axis ----------------

_MOST_DECIMALS, _ROUNDED, _MANY = 4, 2, 1e3
"""Decimals of a figure at most, of one in millions or more, and from how many of a word (1,419億) on it needs none."""
_CONDITION = re.compile(r"^(?:\[[^]]*\])?")


class _Unit(NamedTuple):
    """In what Japanese tells large values, and from which greatest, or which least, value of a chart all of it."""

    name: str
    size: float
    greatest: float
    least: float


_UNITS_JA = (_Unit("兆", 1e12, 1e14, 1e12), _Unit("億", 1e8, 1e8, 1e8), _Unit("万", 1e4, 1e6, 1e6))
_POWERS, _POWERS_FROM = "0.0E+00", 1e16
"""How larger values are written."""
_MAGNITUDES = ((1e12, ',,,,"T"'), (1e9, ',,,"B"'), (1e6, ',,"M"'))
"""Each comma divides by a thousand; what stands in quotes is written after the number."""


def number_formats(values: Sequence[float], ticks: Sequence[float], unit: str = "") -> tuple[str, str]:
    """Return how values are written beside their marks, and the ticks on the axis; behind both a `unit` they are in.

    Beside a mark they are as short as in the words about them (`short_number`): the workbook has all of their digits.
    """
    greatest = max(map(abs, values), default=0.0)
    if greatest >= _POWERS_FROM:
        return _POWERS, _POWERS
    zero = "[=0]0;" if 0 in ticks else ""
    if unit:
        decimals = 0 if greatest >= _MANY else min(_ROUNDED, _decimals(values))
        return f'{_plain(decimals)}"{unit}"', f'{zero}{_plain(_decimals(ticks))}"{unit}"'
    exact = _plain(_decimals(values))
    size, ending = next((one for one in _MAGNITUDES if greatest >= one[0]), (1.0, ""))
    if not ending:
        return exact, "General" if greatest < 10 else _plain(_decimals(ticks))
    on_axis = zero + _plain(_decimals([tick / size for tick in ticks])) + ending
    decimals = min(0 if greatest >= _MANY * size else _ROUNDED, _decimals([value / size for value in values]))
    is_mixed = size > _MAGNITUDES[-1][0] and 0 < min(values) < size
    return _by_size(values) if is_mixed else _plain(decimals) + ending, on_axis


def _signed(written: str, unit: str, language: Language) -> str:
    """Return a format with the signs that `amount` writes, in each of its sizes."""
    before, behind = (f'"{sign}"' if sign else "" for sign in signs_of(unit, language))
    return ";".join(_CONDITION.sub(rf"\g<0>{before}", part) + behind for part in written.split(";"))


def _by_size(values: Sequence[float]) -> str:
    """Return a format that writes each value in its own size, of which Office tells two apart."""
    (size, first), (_, second) = [one for one in _MAGNITUDES if one[0] <= max(values)][:2]
    return f"[>={size:.0f}]{_plain(_ROUNDED)}{first};{_plain(_ROUNDED)}{second}"


def _decimals(values: Sequence[float]) -> int:
    written = (f"{value:.{_MOST_DECIMALS}f}".rstrip("0").partition(".")[2] for value in values)
    return max(map(len, written), default=0)


def _plain(decimals: int) -> str:
    return "#,##0" + (f".{'0' * decimals}" if decimals else "")
