"""The charts of a report, drawn: the numbers of their axes, where their parts stand, and the whole as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import chain, islice, pairwise, repeat
from typing import NamedTuple

import htpy as h
from babel.numbers import format_compact_decimal, format_decimal

from research.export.document import Chart, Series
from research.export.words import one_line, period_in_words, shortened
from research.language import Bilingual, Language, Phrase
from research.quantities import extent
from research.text import columns

# --- numbers of an axis --------------------------------------------------------------------------------------------

_STEPS = (1, 2, 2.5, 5, 10)
_TICKS = 4
_FROM_ZERO_IF_BELOW = 0.6
"""An axis begins at zero if the least value is below this share of the greatest."""
_DIGITS = 5
_WRITTEN_OUT = (1e-5, 1e9)
"""Smaller or greater values are told with a power of ten."""
_GREATEST = 1e300
"""Beyond, the span of an axis is no number any more."""


class Magnitude(NamedTuple):
    """A power of ten and what it is called."""

    size: float
    words: Bilingual
    least: float
    """The greatest value of a chart from which on it is used."""


_PLAIN = Magnitude(1, Bilingual("", ""), 0)
_MAGNITUDES = {
    Language.EN: (
        Magnitude(1e12, Phrase("trillion"), 1e12),
        Magnitude(1e9, Phrase("billion"), 1e9),
        Magnitude(1e6, Phrase("million"), 1e6),
        _PLAIN,
    ),
    Language.JA: (
        Magnitude(1e12, Phrase("trillion"), 1e12),
        Magnitude(1e8, Phrase("hundred million"), 1e8),
        Magnitude(1e4, Phrase("ten thousand"), 1e5),
        _PLAIN,
    ),
}


def magnitude_of(values: Sequence[float], language: Language) -> Magnitude:
    """Return the power of ten that the values are told in."""
    greatest = max(map(abs, values), default=0)
    return next(one for one in _MAGNITUDES[language] if greatest >= one.least)


def number_in_words(value: float, told_in: Magnitude) -> str:
    """Return a value as it is printed: five digits at most, thousands apart, a true minus."""
    scaled = value / told_in.size
    if scaled and not _WRITTEN_OUT[0] <= abs(scaled) < _WRITTEN_OUT[1]:
        return f"{scaled:.3g}".replace("-", "−")
    decimals = 0 if scaled == 0 else max(0, min(12, _DIGITS - 1 - math.floor(math.log10(abs(scaled)))))
    digits = f"{scaled:,.{decimals}f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return digits.replace("-", "−") if digits not in ("-0", "") else "0"


def axis_ticks(values: Sequence[float]) -> tuple[float, ...]:
    """Return round values from below the least to above the greatest, in equal steps."""
    low, high = min(values), max(values)
    if low >= 0:
        low = 0 if low <= _FROM_ZERO_IF_BELOW * high else low
    elif high < 0:
        high = 0 if high >= _FROM_ZERO_IF_BELOW * low else high
    if high == low:
        low, high = (min(low, 0), max(high, 0)) if low else (0.0, 1.0)
    step = _step((high - low) / _TICKS)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return tuple(place * step for place in range(first, last + 1))


def _step(wanted: float) -> float:
    power = 10.0 ** math.floor(math.log10(wanted)) if wanted > 0 else 1.0
    return next(step * power for step in _STEPS if step * power >= wanted * (1 - 1e-9))


# --- where the parts of a chart stand: shares of its area, from the left and from the top --------------------------

_EDGE = 0.05
"""Free at both sides of a line."""


def drawable(chart: Chart) -> tuple[Series, ...]:
    """Return the series of a chart with a value for each label: None for what is missing or no finite number."""
    count = len(chart.labels)
    return tuple(
        Series(one.name, tuple(islice(chain(map(_finite, one.values), repeat(None)), count))) for one in chart.series
    )


def _finite(value: float | None) -> float | None:
    return value if value is not None and abs(value) <= _GREATEST else None


def values_of(series: Sequence[Series]) -> list[float]:
    """Return all values that are known."""
    return [value for one in series for value in one.values if value is not None]


def runs_of(values: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """Return the values in runs without a gap, each with its place."""
    runs: list[list[tuple[int, float]]] = [[]]
    for place, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((place, value))
    return [run for run in runs if run]


def places_across(labels: Sequence[str]) -> list[float]:
    """Return where labels stand from left to right: by their time if all name one, otherwise in equal steps."""
    found = [extent(label) for label in labels]
    times = [(one.first + one.last) / 2 for one in found if one is not None]
    if len(times) < len(labels) or any(after <= before for before, after in pairwise(times)):
        times = [float(place) for place in range(len(labels))]
    span = times[-1] - times[0] or 1.0
    return [round(_EDGE + (1 - 2 * _EDGE) * (time - times[0]) / span, 4) for time in times]


def labels_with_room(across: Sequence[float], least_gap: float) -> list[int]:
    """Return the labels that there is room for below their places, the last one among them."""
    kept: list[int] = []
    for place in reversed(range(len(across))):
        if not kept or across[kept[-1]] - across[place] >= least_gap:
            kept.append(place)
    return kept[::-1]


def place_down(value: float, ticks: Sequence[float]) -> float:
    """Return where a value stands on an axis with these ticks."""
    return round((ticks[-1] - value) / (ticks[-1] - ticks[0]), 4)


def bar_of(value: float, values: Sequence[float]) -> tuple[float, float]:
    """Return where the bar of a value begins, and how long it is, beside those of all `values`; all hold zero."""
    low, high = min(0.0, *values), max(0.0, *values)
    span = (high - low) or 1.0
    start, end = sorted((0.0, value))
    return (start - low) / span, (end - start) / span


# --- charts as SVG; colours, widths and fonts are those of the style sheet, so that they follow light and dark -------

_LINE_CHART = Phrase("Line chart, {first} to {last}.")
_BAR = Bilingual("{name}: {value}", "{name}：{value}")
_POINT = Bilingual("{name}, {period}: {value}", "{name}、{period}：{value}")
_SERIES_RANGE = Phrase("{name}: {first} to {last}.")
_WIDTH = 640
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 20, 14, 34
_ACROSS, _DOWN = _WIDTH - _LEFT - _RIGHT, 240
_LETTER = 11
"""The room that a letter of a period below a chart takes on a telephone."""
_ROW, _BAR_HEIGHT = 54, 16
_VALUE_SPACE = 96
"""Beside the longest bar, for its value."""
_LONGEST_NAME, _LONGEST_PERIOD = 60, 12
"""Letters; Japanese ones count twice."""
_LARGE = 100_000.0
"""Values from which a chart writes them short (1.2M, 120万)."""
_MARKERS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
    "M-4 -4H4V4H-4Z",
    "M0 -5L5 4H-5Z",
    "M0 -5.5L5.5 0L0 5.5L-5.5 0Z",
    "M0 5L5 -4H-5Z",
    "M-5 -2H-2V-5H2V-2H5V2H2V5H-2V2H-5Z",
)


def svg(chart: Chart, name: str, language: Language) -> h.Node:
    """Return a chart drawn, whose parts have ids that begin with `name`; None if it has no value that can be drawn."""
    series = drawable(chart)
    if not values_of(series):
        return None
    draw, kind = (_lines, "over-time") if chart.is_over_time else (_bars, "bars")
    height, marks = draw(chart, series, language)
    labelled = f"{name}-title {name}-desc"
    return h.svg(viewBox=f"0 0 {_WIDTH} {height}", role="img", aria_labelledby=labelled, class_=kind)[
        h.title(id=f"{name}-title")[one_line(chart.title)],
        h.desc(id=f"{name}-desc")[_described(chart, series, language)],
        marks,
    ]


def _lines(chart: Chart, series: Sequence[Series], language: Language) -> tuple[int, list[h.Node]]:
    """Return the height and the marks of values over time: a line for each series, broken where a value is missing."""
    ticks, across = axis_ticks(values_of(series)), places_across(chart.labels)
    periods = [period_in_words(one_line(label), language) for label in chart.labels]

    def point(at: int, value: float) -> tuple[float, float]:
        return _LEFT + across[at] * _ACROSS, _TOP + place_down(value, ticks) * _DOWN

    marks = [_grid(ticks, language), _periods(periods, across)]
    for place, one in enumerate(series):
        runs = [[(*point(at, value), at, value) for at, value in run] for run in runs_of(one.values)]
        name, say = one_line(one.name), _POINT.in_(language)
        marks.append(
            h.g(class_=f"series{place % 6}")[
                [
                    h.path(class_="line", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y, *_ in run))
                    for run in runs
                    if len(run) > 1
                ],
                [
                    _marker(place, x, y, say.format(name=name, period=periods[at], value=exact(value, language)))
                    for run in runs
                    for x, y, at, value in run
                ],
            ]
        )
    return _TOP + _DOWN + _BOTTOM, marks


def _marker(place: int, x: float, y: float, said: str = "") -> h.Node:
    """Return the mark of a series at a point; series differ by shape as well as by colour."""
    shape = h.path(class_="marker", d=_MARKERS[place % len(_MARKERS)], transform=f"translate({x:.1f} {y:.1f})")
    return shape[h.title[said]] if said else shape


def _grid(ticks: Sequence[float], language: Language) -> h.Node:
    rules = []
    for tick in ticks:
        y = _TOP + place_down(tick, ticks) * _DOWN
        rules.append(
            [
                h.path(class_="axis" if tick == 0 else "grid", d=f"M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}"),
                h.text(class_="tick", x=str(_LEFT - 8), y=f"{y + 4:.1f}", text_anchor="end")[_brief(tick, language)],
            ]
        )
    return h.g(aria_hidden="true")[rules]


def _periods(periods: Sequence[str], across: Sequence[float]) -> h.Node:
    """Name the periods below, as many as there is room for; the last one always."""
    names = [shortened(period, _LONGEST_PERIOD) for period in periods]
    gap = _LETTER * (max(map(columns, names)) + 1) / _ACROSS
    y = str(_TOP + _DOWN + 24)
    return h.g(aria_hidden="true")[
        [
            h.text(class_="tick", x=f"{_LEFT + across[at] * _ACROSS:.1f}", y=y, text_anchor="middle")[names[at]]
            for at in labels_with_room(across, gap)
        ]
    ]


def _bars(chart: Chart, series: Sequence[Series], language: Language) -> tuple[int, list[h.Node]]:
    """Return the height and the marks of values side by side: names stand above bars, values beside."""
    values = values_of(series)
    left = _VALUE_SPACE if min(values) < 0 else 0
    width = _WIDTH - _VALUE_SPACE - left
    zero = left + bar_of(0.0, values)[0] * width
    marks: list[h.Node] = []
    for number, (place, name, value) in enumerate(_rows(chart, series, language)):
        top, (start, size) = number * _ROW + 28, bar_of(value, values)
        first, last = left + start * width, left + (start + size) * width
        at, anchor = (last + 6, "start") if value >= 0 else (first - 6, "end")
        bar = h.rect(
            class_="bar", x=f"{first:.1f}", y=str(top), width=f"{max(last - first, 1.0):.1f}", height=str(_BAR_HEIGHT)
        )
        marks += [
            h.g(class_=f"series{place % 6}")[
                h.text(class_="name", x="0", y=str(top - 10))[name],
                bar[h.title[_BAR.in_(language).format(name=name, value=exact(value, language))]],
                h.text(class_="value", x=f"{at:.1f}", y=str(top + 13), text_anchor=anchor)[_brief(value, language)],
            ],
            h.path(class_="axis", d=f"M{zero:.1f} {top - 2}v{_BAR_HEIGHT + 4}"),
        ]
    return len(values) * _ROW, marks


def _rows(chart: Chart, series: Sequence[Series], language: Language) -> Iterable[tuple[int, str, float]]:
    """Yield the place of the series, the name and the value of each bar."""
    for at, label in enumerate(chart.labels):
        for place, one in enumerate(series):
            value = one.values[at]
            if value is not None:
                parts = [one.name] if len(chart.labels) == 1 else [period_in_words(label, language), one.name]
                yield place, shortened(" · ".join(one_line(part) for part in parts if part), _LONGEST_NAME), value


def legend(chart: Chart) -> h.Node:
    """Return the names of several series with their marks; None for a single one."""
    if len(chart.series) < 2:
        return None
    return h.ul(".legend")[
        [
            h.li[
                h.svg(viewBox="0 0 26 12", width="26", height="12", aria_hidden="true", class_=f"series{place % 6}")[
                    h.path(class_="line", d="M1 6H25"), _marker(place, 13, 6)
                ],
                h.bdi[one_line(one.name)],
            ]
            for place, one in enumerate(chart.series)
        ]
    ]


def _described(chart: Chart, series: Sequence[Series], language: Language) -> str:
    """Say in words what the drawing shows; its values stand in a table."""
    first, last = (period_in_words(one_line(chart.labels[at]), language) for at in (0, -1))
    said = [(_LINE_CHART if chart.is_over_time else Phrase("Bar chart.")).in_(language).format(first=first, last=last)]
    for one in series:
        if known := values_of([one]):
            first, last = _brief(known[0], language), _brief(known[-1], language)
            said.append(_SERIES_RANGE.in_(language).format(name=one_line(one.name), first=first, last=last))
    return " ".join(said)


def _brief(value: float, language: Language) -> str:
    """Write a value for an axis: large ones with a word for their size."""
    if abs(value) >= 1e17:
        return f"{value:.3g}"
    if abs(value) >= _LARGE:
        return str(format_compact_decimal(value, locale=language.value, fraction_digits=2))
    return exact(value, language)


def exact(value: float, language: Language) -> str:
    """Write a value with all that is known of it."""
    shown = float(f"{value:.12g}")
    if abs(shown) >= 1e17 or 0 < abs(shown) < 1e-6:
        return f"{shown:.6g}"
    return str(format_decimal(shown, format="#,##0.########", locale=language.value))
