"""Charts as Office draws them: with their figures in a workbook inside the file, so that they can be edited."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, cast

from research.core.errors import UsageError
from research.export.document import Chart
from research.export.office.cleaning import one_line
from research.export.office.words import CHARTS, missing
from research.export.words import period_in_words
from research.language import Bilingual, Language, bracketed

if TYPE_CHECKING:
    from pptx.chart.data import ChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.shapes.graphfrm import GraphicFrame


_COMMA = Bilingual(", ", "、")
_SERIES = Bilingual("{name}: {figures}", "{name}：{figures}")
_NEXT = Bilingual("; ", "。")
_DESCRIBED = Bilingual("{chart}. {told}", "{chart}。{told}")
_FORMULA = re.compile(r"=|\{=|[A-Za-z]{2,12}:")
_BLANK_LAYOUT = 6
_SIZE = 10
"""Points of the words in a chart of a document."""


class Drawn(NamedTuple):
    """A chart apart from any file: its XML, which refers to its workbook by the name of a relation."""

    xml: bytes
    workbook: bytes
    relation: str
    told: str
    """Title, unit and figures in words."""


def has_figures(chart: Chart) -> bool:
    """Whether there is anything to draw."""
    return bool(chart.labels) and any(
        value is not None and math.isfinite(value) for one in chart.series for value in one.values
    )


def is_ranking(chart: Chart) -> bool:
    """Whether a chart sets the figures of several sources for one period side by side: a bar for each."""
    return len(chart.labels) == 1 and len(chart.series) > 1


def captioned(chart: Chart, language: Language) -> str:
    """Return a chart's title with its unit."""
    return bracketed(one_line(chart.title), one_line(chart.unit), language)


def spoken(chart: Chart, language: Language) -> list[str]:
    """Return the figures of a chart in words: a line for each source."""
    lines = []
    for series in chart.series:
        pairs = zip(chart.labels, series.values, strict=False)
        values = [f"{period_in_words(label, language)} {value:,.10g}" for label, value in pairs if value is not None]
        figures = one_line(_COMMA.in_(language).join(values))
        lines.append(_SERIES.in_(language).format(name=one_line(series.name), figures=figures))
    return lines


def described(chart: Chart, language: Language) -> str:
    """Return a chart in words, for those who do not see it."""
    told = _NEXT.in_(language).join(spoken(chart, language))
    return _DESCRIBED.in_(language).format(chart=captioned(chart, language), told=told)


def drawn(charts: Iterable[Chart], language: Language) -> list[Drawn]:
    """Return charts for a file that is no presentation.

    Raises:
        UsageError: the extra `documents` is not installed.
    """
    try:
        from pptx import Presentation
    except ImportError as error:
        raise UsageError(missing(CHARTS, language)) from error
    from pptx.util import Emu

    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[_BLANK_LAYOUT])

    def insert(kind: XL_CHART_TYPE, data: ChartData) -> GraphicFrame:
        return cast("GraphicFrame", slide.shapes.add_chart(kind, Emu(0), Emu(0), Emu(1), Emu(1), data))

    found = []
    for chart in charts:
        part = cast("ChartPart", add_chart(insert, chart, _SIZE, language).chart.part)
        book = part.chart_workbook.xlsx_part
        assert book is not None
        relation = next(name for name, one in part.rels.items() if one.target_part is book)
        found.append(Drawn(part.blob, book.blob, relation, described(chart, language)))
    return found


def add_chart(
    insert: Callable[[XL_CHART_TYPE, ChartData], GraphicFrame], chart: Chart, size: int, language: Language
) -> GraphicFrame:
    """Insert a chart and return its frame: lines over time, columns otherwise; of one period a bar for each source.

    Its words have `size` points.
    """
    from pptx.enum.chart import XL_CHART_TYPE

    from research.export.office.chart_style import style

    ranks = is_ranking(chart)
    is_line = chart.is_over_time and len(chart.labels) > 1
    if ranks:
        kind = XL_CHART_TYPE.BAR_CLUSTERED
    else:
        kind = XL_CHART_TYPE.LINE_MARKERS if is_line else XL_CHART_TYPE.COLUMN_CLUSTERED
    frame = insert(kind, _data(chart, language, by_source=ranks))
    style(frame.chart, chart, size, language, is_line=is_line, is_ranking=ranks)
    return frame


def _data(chart: Chart, language: Language, *, by_source: bool) -> ChartData:
    from pptx.chart.data import ChartData

    from research.export.office.chart_style import figures_of, finite
    from research.export.office.number_formats import exact

    data = ChartData(number_format=exact(figures_of(chart)))
    labels = [_cell(period_in_words(label, language)) for label in chart.labels]
    if by_source:
        data.categories = [_cell(series.name) for series in chart.series]
        data.add_series(labels[0], [finite(value) for one in chart.series for value in one.values[:1]])
        return data
    data.categories = labels
    for series in chart.series:
        data.add_series(_cell(series.name), [finite(value) for value in series.values])
    return data


def _cell(text: str) -> str:
    """Return text as a cell holds it: never a formula or a link."""
    line = one_line(text) or "–"
    return f" {line}" if _FORMULA.match(line) else line
