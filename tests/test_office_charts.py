"""Figures in the charts of Office files: exact where they stand beside a mark, short on an axis, in both languages."""

from __future__ import annotations

import io

import pytest
from pptx import Presentation
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_TICK_LABEL_POSITION

from research.export.charts import captioned, described
from research.export.document import Chart, Series
from research.export.office import to_pptx
from research.export.office.charts import number_formats
from research.language import Language
from tests.support.office_samples import PEOPLE, PRICES, body, heading

EN, JA = Language.EN, Language.JA


@pytest.mark.parametrize(
    ("values", "language", "labels", "axis"),
    [
        ([1, 2, 3], EN, "#,##0", "General"),
        ([0.8, 1.3], JA, "#,##0.0", "General"),
        ([13.5, 20.25], EN, "#,##0.00", "#,##0"),
        ([650e6, 800e6], EN, '#,##0,,"M"', '#,##0,,"M"'),
        ([650e6, 800e6], JA, '#,##0,,"百万"', '#,##0,,"百万"'),
        ([4.026e12, 1.713e12], EN, '#,##0.000,,,,"T"', '#,##0.0,,,,"T"'),
        ([4.026e12, 1.713e12], JA, '#,##0.000,,,,"兆"', '#,##0.0,,,,"兆"'),
        ([106_688_169.0], EN, "#,##0", '#,##0,,"M"'),
        ([-5e9], EN, '#,##0,,,"B"', '#,##0.0,,,"B"'),
        ([1e300, 2.0], EN, "0.0E+00", "0.0E+00"),
        ([], EN, "#,##0", "General"),
    ],
)
def test_figures_are_written_as_readers_know_them(
    values: list[float], language: Language, labels: str, axis: str
) -> None:
    assert number_formats(values, language) == (labels, axis)


def _charts(*charts: Chart) -> list[object]:
    deck = Presentation(io.BytesIO(to_pptx(body(heading("A"), *charts))))
    return [shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart]


def test_labels_stand_clear_of_lines_and_bars() -> None:
    line = Chart("Rate", "%", ("2024", "2025"), (Series("A", (0.8, 1.3)),), (1,))
    below = Chart("Profit", "JPY", ("2024",), (Series("A", (5.0,)), Series("B", (-3.0,))), (1,), is_over_time=False)
    lines, ranking, split = _charts(line, PEOPLE, below)
    assert lines.plots[0].data_labels.position is XL_LABEL_POSITION.ABOVE
    assert ranking.plots[0].data_labels.position is XL_LABEL_POSITION.OUTSIDE_END
    assert ranking.value_axis.maximum_scale > 106_688_169
    assert split.category_axis.tick_label_position is XL_TICK_LABEL_POSITION.LOW
    assert split.chart_type is XL_CHART_TYPE.BAR_CLUSTERED


def test_few_bars_are_slim_and_many_stand_close() -> None:
    many = Chart("Sales", "t", tuple("abcdefgh"), (Series("A", tuple(map(float, range(8)))),), (1,), is_over_time=False)
    few, full = _charts(PEOPLE, many)
    assert few.plots[0].gap_width > full.plots[0].gap_width >= 40


def test_several_lines_are_told_apart_by_a_legend_and_not_by_figures() -> None:
    (chart,) = _charts(PRICES)
    assert chart.has_legend
    assert not chart.plots[0].has_data_labels


def test_periods_stand_in_the_words_of_the_reader() -> None:
    sales = Chart("売上高", "円", ("FY2024", "FY2025"), (Series("決算", (1.0, 2.0)),), (1,))
    deck = Presentation(io.BytesIO(to_pptx(body(heading("A"), sales, language=JA))))
    (shape,) = (shape for slide in deck.slides for shape in slide.shapes if shape.has_chart)
    assert list(shape.chart.plots[0].categories) == ["2024年度", "2025年度"]
    assert "2024年度" in shape._element.xpath(".//p:cNvPr/@descr")[0]


@pytest.mark.parametrize(
    ("unit", "language", "said", "told"),
    [
        ("円", JA, "売上高（円）", "。決算：2024年度 1、2025年度 2"),
        ("JPY", EN, "売上高 (JPY)", ". 決算: FY2024 1, FY2025 2"),
        ("", EN, "売上高", ". 決算: FY2024 1, FY2025 2"),
    ],
)
def test_a_chart_is_told_in_the_signs_of_the_language(unit: str, language: Language, said: str, told: str) -> None:
    sales = Chart("売上高", unit, ("FY2024", "FY2025"), (Series("決算", (1.0, 2.0)),), (1,))
    assert captioned(sales, language) == said
    assert described(sales, language) == said + told
