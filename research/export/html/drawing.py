"""Charts as SVG shapes; colours, widths and fonts are those of the style sheet, so that they follow light and dark."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

import htpy as h

from research.export.document import Chart, Series
from research.export.html.scale import Scale, drawable, full, short
from research.export.html.words import BAR, POINT
from research.export.period_words import in_words
from research.export.printable import one_line, shortened
from research.language import Language
from research.text.words import columns

_WIDTH = 640
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 20, 14, 34
_PLOT_HEIGHT = 240
_LABELS, _LETTER = 9, 11
"""Periods that are named below a chart at most, and the room that a letter of them takes on a telephone."""
_ROW, _BAR = 54, 16
_VALUE_SPACE = 96
"""Beside the longest bar, for its value."""
_LONGEST_NAME, _LONGEST_PERIOD = 60, 12
"""Letters; Japanese ones count twice."""
_MARKERS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
    "M-4 -4H4V4H-4Z",
    "M0 -5L5 4H-5Z",
    "M0 -5.5L5.5 0L0 5.5L-5.5 0Z",
    "M0 5L5 -4H-5Z",
    "M-5 -2H-2V-5H2V-2H5V2H2V5H-2V2H-5Z",
)


@dataclass(frozen=True)
class Drawn:
    """Shapes and the space that they take, in units of the drawing."""

    width: int
    height: int
    marks: list[h.Node]


@dataclass(frozen=True)
class _Point:
    x: float
    y: float
    said: str


def marker(place: int, x: float, y: float, said: str = "") -> h.Node:
    """Return the mark of a series at a point; series differ by shape as well as by colour."""
    shape = h.path(class_="marker", d=_MARKERS[place % len(_MARKERS)], transform=f"translate({x:.1f} {y:.1f})")
    return shape[h.title[said]] if said else shape


def lines(chart: Chart, language: Language) -> Drawn:
    """Draw values over time: a line for each series, broken where a value is missing."""
    known = [value for series in chart.series for value in map(drawable, series.values) if value is not None]
    scale = Scale.around(known, from_zero=False)
    marks: list[h.Node] = [_grid(scale, language), _periods(chart, language)]
    marks += [_series(place, series, chart, scale, language) for place, series in enumerate(chart.series)]
    return Drawn(_WIDTH, _TOP + _PLOT_HEIGHT + _BOTTOM, marks)


def bars(chart: Chart, language: Language) -> Drawn:
    """Draw values side by side: a bar for each, its name above it and its value beside it."""
    rows = list(_rows(chart, language))
    scale = Scale.around([value for _, _, value in rows], from_zero=True)
    width = _WIDTH - _VALUE_SPACE - (_VALUE_SPACE if scale.low < 0 else 0)
    left = _VALUE_SPACE if scale.low < 0 else 0
    zero = left + scale.share(0.0) * width
    marks: list[h.Node] = []
    for number, (place, name, value) in enumerate(rows):
        top = number * _ROW + 28
        end = left + scale.share(value) * width
        said = short(value, language)
        beside = (end + 6, "start") if value >= 0 else (end - 6, "end")
        marks.append(
            h.g(class_=f"series{place % 6}")[
                h.text(class_="name", x="0", y=str(top - 10))[name],
                h.rect(
                    class_="bar",
                    x=f"{min(zero, end):.1f}",
                    y=str(top),
                    width=f"{max(abs(end - zero), 1.0):.1f}",
                    height=str(_BAR),
                )[h.title[BAR.in_(language).format(name=name, value=full(value, language))]],
                h.text(class_="value", x=f"{beside[0]:.1f}", y=str(top + 13), text_anchor=beside[1])[said],
            ]
        )
        marks.append(h.path(class_="axis", d=f"M{zero:.1f} {top - 2}v{_BAR + 4}"))
    return Drawn(_WIDTH, len(rows) * _ROW, marks)


def _rows(chart: Chart, language: Language) -> Iterable[tuple[int, str, float]]:
    """Yield the series, name and value of each bar."""
    for at, label in enumerate(chart.labels):
        for place, series in enumerate(chart.series):
            value = drawable(series.values[at]) if at < len(series.values) else None
            if value is not None:
                parts = [series.name] if len(chart.labels) == 1 else [in_words(label, language), series.name]
                yield place, shortened(" · ".join(one_line(part) for part in parts if part), _LONGEST_NAME), value


def _grid(scale: Scale, language: Language) -> h.Node:
    rules = [
        [
            h.path(class_="axis" if tick == 0 else "grid", d=f"M{_LEFT} {_y(tick, scale):.1f}H{_WIDTH - _RIGHT}"),
            h.text(class_="tick", x=str(_LEFT - 8), y=f"{_y(tick, scale) + 4:.1f}", text_anchor="end")[
                short(tick, language)
            ],
        ]
        for tick in scale.ticks
    ]
    return h.g(aria_hidden="true")[rules]


def _periods(chart: Chart, language: Language) -> h.Node:
    """Name the periods below, as many as there is room for; the last one always."""
    last = len(chart.labels) - 1
    names = [shortened(in_words(one_line(label), language), _LONGEST_PERIOD) for label in chart.labels]
    room = (_WIDTH - _LEFT - _RIGHT) // (_LETTER * (max(map(columns, names)) + 1))
    every = max(1, -(-len(names) // max(1, min(_LABELS, room))))
    y = str(_TOP + _PLOT_HEIGHT + 24)
    return h.g(aria_hidden="true")[
        [
            h.text(class_="tick", x=f"{_x(at, chart):.1f}", y=y, text_anchor="middle")[name]
            for at, name in enumerate(names)
            if at == last or (at % every == 0 and last - at >= every)
        ]
    ]


def _series(place: int, series: Series, chart: Chart, scale: Scale, language: Language) -> h.Node:
    points: list[_Point | None] = []
    for at, label in enumerate(chart.labels):
        value = drawable(series.values[at]) if at < len(series.values) else None
        if value is None:
            points.append(None)
            continue
        period, name = in_words(one_line(label), language), one_line(series.name)
        said = POINT.in_(language).format(name=name, period=period, value=full(value, language))
        points.append(_Point(_x(at, chart), _y(value, scale), said))
    runs = [list(run) for is_known, run in groupby(points, key=bool) if is_known]
    return h.g(class_=f"series{place % 6}")[
        [h.path(class_="line", d=_path(run)) for run in runs if len(run) > 1],
        [marker(place, point.x, point.y, point.said) for run in runs for point in run if point],
    ]


def _path(run: list[_Point | None]) -> str:
    return "M" + "L".join(f"{point.x:.1f} {point.y:.1f}" for point in run if point)


def _x(at: int, chart: Chart) -> float:
    inner = _WIDTH - _LEFT - _RIGHT - 40
    steps = len(chart.labels) - 1
    return _LEFT + 20 + (inner * at / steps if steps else inner / 2)


def _y(value: float, scale: Scale) -> float:
    return _TOP + (1 - scale.share(value)) * _PLOT_HEIGHT
