"""Where the parts of a chart stand: shares of its area from the left and from the top, for the template to draw."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from research.export.document import Chart, Series
from research.export.pdf.scales import Magnitude, magnitude, ticks, worded
from research.export.pdf.words import Node, breakable, clean
from research.export.period_words import in_words
from research.language import Bilingual, Language, bracketed
from research.quantities.periods import extent

_EDGE = 0.05
"""Free at both sides of a line."""
_LEAST_GAP = 0.085
"""Between two labels below a line."""
_BAR_ROOM = 0.8
"""What the longest bar takes; the rest is for its value."""
_UNIT = Bilingual("{magnitude} {unit}", "単位：{magnitude}{unit}")
_VALUE = Bilingual("{label}: {value}", "{label} {value}")
_SERIES = Bilingual("{name}: {values}", "{name}：{values}")
_NEXT = Bilingual(", ", "、")


def plot(chart: Chart, language: Language) -> Node:
    """Return what is drawn: a line for each source where values follow each other in time, otherwise bars."""
    series = [Series(one.name, tuple(_finite(value) for value in one.values)) for one in chart.series]
    values = [value for one in series for value in one.values if value is not None]
    told_in = magnitude(values, language)
    node: Node = {"unit": _unit(chart.unit, told_in, language), "alt": _spoken(chart, series, told_in, language)}
    if not values:
        return node
    is_line = chart.is_over_time and len(chart.labels) > (2 if len(series) == 1 else 1)
    return node | (_lines(chart, series, told_in, language) if is_line else _bars(chart, series, told_in, language))


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _unit(unit: str, told_in: Magnitude, language: Language) -> str:
    words = told_in.words.in_(language)
    shown = clean(unit).strip()
    return _UNIT.in_(language).format(magnitude=words, unit=shown).strip() if words or shown else ""


def _spoken(chart: Chart, series: Sequence[Series], told_in: Magnitude, language: Language) -> str:
    """Return the chart in words, for readers who do not see it."""
    told = [
        _SERIES.in_(language).format(
            name=one.name,
            values=_NEXT.in_(language).join(
                _VALUE.in_(language).format(label=in_words(label, language), value=worded(value, told_in))
                for label, value in zip(chart.labels, one.values, strict=False)
                if value is not None
            ),
        )
        for one in series
    ]
    named = bracketed(chart.title, _unit(chart.unit, told_in, language), language)
    return clean("; ".join([named, *told]))


# --- lines -----------------------------------------------------------------------------------------------------


def _lines(chart: Chart, series: Sequence[Series], told_in: Magnitude, language: Language) -> Node:
    values = [value for one in series for value in one.values if value is not None]
    marks = ticks(values)
    across = _places(chart.labels)
    named = _named(across)
    is_alone = len(series) == 1 and len(named) == len(across)

    def down(value: float) -> float:
        return round((marks[-1] - value) / (marks[-1] - marks[0]), 4)

    return {
        "lines": [
            {
                "name": breakable(clean(one.name)),
                "runs": [[[across[place], down(value)] for place, value in run] for run in _runs(one.values)],
                "values": [
                    [across[place], down(value), worded(value, told_in)]
                    for place, value in enumerate(one.values)
                    if value is not None and is_alone
                ],
            }
            for one in series
        ],
        "across": [[across[place], clean(in_words(chart.labels[place], language))] for place in named],
        "down": [[down(mark), worded(mark, told_in)] for mark in marks],
    }


def _runs(values: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """Return the values in runs without a gap, each with its place."""
    runs: list[list[tuple[int, float]]] = [[]]
    for place, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((place, value))
    return [run for run in runs if run]


def _places(labels: Sequence[str]) -> list[float]:
    """Return where labels stand from left to right: by their time if all name one, otherwise in equal steps."""
    found = [extent(label) for label in labels]
    times = [(one.first + one.last) / 2 for one in found if one is not None]
    if len(times) < len(labels) or any(after <= before for before, after in itertools.pairwise(times)):
        times = [float(place) for place in range(len(labels))]
    span = times[-1] - times[0] or 1.0
    return [round(_EDGE + (1 - 2 * _EDGE) * (time - times[0]) / span, 4) for time in times]


def _named(across: Sequence[float]) -> list[int]:
    """Return the labels that there is room for, the last one among them."""
    kept: list[int] = []
    for place in reversed(range(len(across))):
        if not kept or across[kept[-1]] - across[place] >= _LEAST_GAP:
            kept.append(place)
    return kept[::-1]


# --- bars ------------------------------------------------------------------------------------------------------


def _bars(chart: Chart, series: Sequence[Series], told_in: Magnitude, language: Language) -> Node:
    """Return rows of bars: one for each source where there is a single label, otherwise one for each label."""
    values = [value for one in series for value in one.values if value is not None]
    low, high = min(0.0, *values), max(0.0, *values)
    span = (high - low) or 1.0

    def bar(name: str, value: float) -> Node:
        start, end = sorted((0.0, value))
        return {
            "name": breakable(clean(name), 24, 8),
            "from": round(_BAR_ROOM * (start - low) / span, 4),
            "size": round(_BAR_ROOM * (end - start) / span, 4),
            "value": worded(value, told_in),
        }

    if len(series) == 1:
        pairs = zip(chart.labels, series[0].values, strict=False)
        return {
            "bars": [{"bars": [bar(in_words(label, language), value) for label, value in pairs if value is not None]}]
        }
    groups = [
        {
            "name": clean(in_words(label, language)) if len(chart.labels) > 1 or chart.is_over_time else "",
            "bars": [bar(one.name, value) for one in series if (value := _value(one, place)) is not None],
        }
        for place, label in enumerate(chart.labels)
    ]
    return {"bars": [group for group in groups if group["bars"]]}


def _value(series: Series, place: int) -> float | None:
    return series.values[place] if place < len(series.values) else None
