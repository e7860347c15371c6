"""A chart as a figure of the report: drawn as SVG, with its sources below and its values as a table to be opened."""

from __future__ import annotations

import htpy as h

from research.export.document import Chart, Citation, Line, Text
from research.export.html.drawing import Drawn, bars, lines, marker
from research.export.html.lines import Setting, line_nodes
from research.export.html.scale import drawable, full, short
from research.export.html.words import BAR_CHART, FIGURES_FROM, LINE_CHART, NOTHING_DRAWN, PERIOD, SERIES_RANGE, VALUES
from research.export.period_words import in_words
from research.export.printable import one_line
from research.language import bracketed


def chart_figure(chart: Chart, setting: Setting) -> h.Node:
    """Return the figure of a chart; one without any value that can be drawn says so."""
    setting.charts += 1
    values = [value for series in chart.series for value in map(drawable, series.values) if value is not None]
    title = one_line(chart.title)
    unit = bracketed("", one_line(chart.unit), setting.language)
    return h.figure(".chart", id=f"chart{setting.charts}")[
        h.figcaption[h.strong[title], h.span(".unit")[unit] if unit else None],
        _drawing(chart, setting) if values else h.p(".facts")[NOTHING_DRAWN.in_(setting.language)],
        _legend(chart) if values and chart.is_over_time else None,
        _origin(chart, setting),
        _values(chart, setting),
    ]


def _drawing(chart: Chart, setting: Setting) -> h.Node:
    language = setting.language
    drawn: Drawn = lines(chart, language) if chart.is_over_time else bars(chart, language)
    name = f"chart{setting.charts}"
    return h.div(".plot")[
        h.svg(
            viewBox=f"0 0 {drawn.width} {drawn.height}",
            role="img",
            aria_labelledby=f"{name}-title {name}-desc",
            class_="over-time" if chart.is_over_time else "bars",
        )[
            h.title(id=f"{name}-title")[one_line(chart.title)],
            h.desc(id=f"{name}-desc")[_described(chart, setting)],
            drawn.marks,
        ]
    ]


def _said(label: str, setting: Setting) -> str:
    return in_words(one_line(label), setting.language)


def _described(chart: Chart, setting: Setting) -> str:
    """Say in words what the drawing shows."""
    language = setting.language
    kind = BAR_CHART if not chart.is_over_time else LINE_CHART
    said = [kind.in_(language).format(first=_said(chart.labels[0], setting), last=_said(chart.labels[-1], setting))]
    for series in chart.series:
        known = [value for value in map(drawable, series.values) if value is not None]
        if known:
            first, last = short(known[0], language), short(known[-1], language)
            said.append(SERIES_RANGE.in_(language).format(name=one_line(series.name), first=first, last=last))
    return " ".join(said)


def _legend(chart: Chart) -> h.Node:
    if len(chart.series) < 2:
        return None
    return h.ul(".legend")[
        [
            h.li[
                h.svg(viewBox="0 0 26 12", width="26", height="12", aria_hidden="true", class_=f"series{place % 6}")[
                    h.path(class_="line", d="M1 6H25"), marker(place, 13, 6)
                ],
                h.bdi[one_line(series.name)],
            ]
            for place, series in enumerate(chart.series)
        ]
    ]


def _origin(chart: Chart, setting: Setting) -> h.Node:
    """Return who says so."""
    cited: list[Line] = [(Text(" "), Citation(number)) for number in chart.sources]
    if not cited and not chart.note:
        return None
    note = one_line(chart.note)
    return h.p(".facts")[
        FIGURES_FROM.in_(setting.language),
        [line_nodes(line, setting) for line in cited],
        [" · " if cited else " ", note] if note else None,
    ]


def _values(chart: Chart, setting: Setting) -> h.Node:
    language = setting.language

    def cell(value: float | None) -> h.Node:
        known = drawable(value)
        return h.td(".right")[full(known, language) if known is not None else "–"]

    rows = [
        h.tr[
            h.th(scope="row")[_said(label, setting)],
            [cell(series.values[place] if place < len(series.values) else None) for series in chart.series],
        ]
        for place, label in enumerate(chart.labels)
    ]
    heads = [h.th(".right", scope="col")[one_line(series.name)] for series in chart.series]
    return h.details[
        h.summary[VALUES.in_(language)],
        h.div(".table", role="region", tabindex="0", aria_label=VALUES.in_(language))[
            h.table[h.thead[h.tr[h.th(scope="col")[PERIOD.in_(language)], heads]], h.tbody[rows]]
        ],
    ]
