"""How charts look: the application's colours, few lines, every axis that bars stand on from zero."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pptx.chart.axis import ValueAxis
from pptx.chart.chart import Chart as NativeChart
from pptx.chart.plot import BarPlot
from pptx.chart.series import LineSeries
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_LABEL_POSITION, XL_LEGEND_POSITION, XL_MARKER_STYLE, XL_TICK_LABEL_POSITION, XL_TICK_MARK
from pptx.oxml import parse_xml
from pptx.util import Pt

from research.export.document import Chart
from research.export.office.cleaning import one_line
from research.export.office.number_formats import beside_marks, of_axis
from research.export.office.palette import LINE, QUIET, SERIES
from research.language import Language

if TYPE_CHECKING:
    from pptx.chart.axis import _BaseAxis
    from pptx.chart.plot import _BasePlot
    from pptx.chart.series import _BaseCategorySeries


_LABELLED = 12
"""Values up to which each is written beside its mark."""
_ROOM_FOR_A_DIGIT = 0.025
"""Of the length of the longest bar."""
_NARROWEST_GAP, _WIDEST_GAP = 40, 200
"""Percent of a bar's breadth."""
_UNFRAMED = (
    '<c:spPr xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>'
)


def finite(value: float | None) -> float | None:
    """Return a value that can be drawn, or None."""
    return value if value is not None and math.isfinite(value) else None


def figures_of(chart: Chart) -> list[float]:
    """Return the values that can be drawn."""
    return [value for one in chart.series for value in map(finite, one.values) if value is not None]


def style(native: NativeChart, chart: Chart, size: int, language: Language, *, is_line: bool, is_ranking: bool) -> None:
    """Style a chart that has its data, with words of `size` points; a ranking has one bar a source."""
    is_single = is_ranking or len(chart.series) == 1
    native.font.size, native.font.color.rgb = Pt(size), _rgb(QUIET)
    native._chartSpace.chart.addnext(parse_xml(_UNFRAMED))
    native.has_title = False
    native.has_legend = not is_single
    if native.legend is not None:
        native.legend.position = XL_LEGEND_POSITION.BOTTOM
        native.legend.include_in_layout = False
    plot = native.plots[0]
    plot.has_data_labels = len(figures_of(chart)) <= _LABELLED and (is_single or not is_line)
    if plot.has_data_labels:
        plot.data_labels.number_format = beside_marks(figures_of(chart), language)
        plot.data_labels.number_format_is_linked = False
        plot.data_labels.position = XL_LABEL_POSITION.ABOVE if is_line else XL_LABEL_POSITION.OUTSIDE_END
    _space(plot)
    _number_axes(native)
    _axis(native.category_axis)
    native.category_axis.reverse_order = is_ranking
    native.category_axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    _value_axis(native.value_axis, chart, language, is_line=is_line, is_shown=not (is_ranking and plot.has_data_labels))
    for index, series in enumerate(plot.series):
        _series(series, _rgb(SERIES[index % len(SERIES)]))


def _rgb(colour: str) -> RGBColor:
    return RGBColor(*bytes.fromhex(colour))


def _space(plot: _BasePlot) -> None:
    """Keep bars slim where there are few of them."""
    if isinstance(plot, BarPlot):
        bars = len(list(plot.categories)) * len(plot.series)
        plot.gap_width = max(_NARROWEST_GAP, _WIDEST_GAP - 20 * bars)


def _number_axes(native: NativeChart) -> None:
    """Give the axes ids of their own; the library's are negative, which the format does not allow."""
    for node in native._chartSpace.xpath("//c:axId | //c:crossAx"):
        node.set("val", str(abs(int(node.get("val")))))


def _axis(axis: _BaseAxis) -> None:
    axis.format.line.color.rgb = _rgb(LINE)
    axis.major_tick_mark = XL_TICK_MARK.NONE
    axis.has_major_gridlines = False


def _value_axis(axis: ValueAxis, chart: Chart, language: Language, *, is_line: bool, is_shown: bool) -> None:
    _axis(axis)
    values = figures_of(chart)
    if not is_line and min(values, default=0) >= 0:
        axis.minimum_scale = 0
    if not is_shown:
        # Room for the figures beside the bars, of which a long one would be broken.
        longest = max(len(f"{value:,.10g}") for value in values)
        axis.maximum_scale = max(*values, 0.0) * (1 + _ROOM_FOR_A_DIGIT * longest) or None
    axis.visible = is_shown
    axis.has_major_gridlines = is_shown
    if not is_shown:
        return
    axis.major_gridlines.format.line.color.rgb = _rgb(LINE)
    axis.tick_labels.number_format = of_axis(values, language)
    axis.tick_labels.number_format_is_linked = False
    unit = one_line(chart.unit)
    if unit:
        axis.has_title = True
        frame = axis.axis_title.text_frame
        frame.text = unit
        frame.paragraphs[0].runs[0].font.bold = False


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
