"""The charts of a report: which its tables have, told in words, the numbers of their axes, and drawn as SVG.

HTML and PDF show that; Word and PowerPoint draw their own (`research.export.office.charts`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise, repeat
from operator import itemgetter
from typing import NamedTuple

import htpy as h
from babel.numbers import format_compact_decimal, format_decimal, get_currency_symbol
from markupsafe import Markup

from research.export.document import Chart, Citation, Line, Series, Table, Text, plain, squared
from research.export.words import measure_in_words, one_line, period_in_words, shortened
from research.language import COMMA, Bilingual, Language, Phrase, bracketed
from research.quantities import Figure, extent, figures, periods
from research.text import columns, place_in
from research.verification import measure_of

# --- what a table has to show ----------------------------------------------------------------------------------------

SERIES = 6
"""Series in one chart, at most: more cannot be told apart."""
_BARS = 20
"""Rows of a table up to which a chart shows them."""
_DATED = Bilingual("{title}, {period}", "{title}、{period}")
_OF_YEAR = Phrase("{year}")


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, and the name of a row with the one figure that stands there."""

    head: str
    told: tuple[tuple[str, Figure], ...]
    cited: tuple[int, ...]

    @classmethod
    def of(cls, table: Table, place: int) -> Column:
        """Return a column of a table; a cell in which several figures stand, or none, tells nothing."""
        cells = [(_words(row[0]), row[place]) for row in table.rows]
        told = ((name, found) for name, cell in cells if len(found := figures(_words(cell))) == 1)
        cited = {piece.number for _, cell in cells for piece in cell if isinstance(piece, Citation)}
        return cls(_words(table.head[place]), tuple((name, one) for name, (one,) in told), tuple(sorted(cited)))

    @property
    def measures(self) -> set[str]:
        """What its figures measure, each in its unit."""
        return {measure_of(figure) for _, figure in self.told}


@dataclass(frozen=True)
class Told:
    """The columns of a table that have figures of one measure, not all of them the same."""

    columns: tuple[Column, ...]
    is_over_time: bool
    """Whether the rows are periods."""


def told_by(table: Table) -> Told:
    """Return the columns of figures of a table, turned where its periods stand side by side."""
    table = squared(table)
    if len(table.head) > 2 and all(map(_time, table.head[1:])):
        turned = zip(table.head[1:], *(row[1:] for row in table.rows), strict=True)
        table = Table((table.head[0], *(row[0] for row in table.rows)), tuple(turned), table.aligned)
    columns = (Column.of(table, place) for place in range(1, len(table.head)))
    told = (one for one in columns if len({figure.value for _, figure in one.told}) > 1 and len(one.measures) == 1)
    return Told(tuple(told), len(table.rows) > 1 and all(_time(row[0]) for row in table.rows))


def charts_of_table(table: Table, language: Language) -> Iterator[Chart]:
    """Yield the charts of a table: lines where its rows or columns are periods, else a ranking for each column."""
    told = told_by(table)
    if told.is_over_time:
        for measure in dict.fromkeys(next(iter(one.measures)) for one in told.columns):
            yield _over_time([one for one in told.columns if measure in one.measures][:SERIES], language)
    else:
        yield from (_ranked(one, language) for one in told.columns if len(one.told) <= _BARS)


def _words(line: Line) -> str:
    return one_line(plain([piece for piece in line if not isinstance(piece, Citation)]))


def _time(line: Line) -> str:
    """Return the period that a line is, in its canonical form; empty if it says more or something else."""
    words = _words(line)
    found = periods(words)
    return found[0].value if len(found) == 1 and words == words[found[0].start : found[0].end] else ""


def by_time(column: Column) -> list[tuple[str, Figure]]:
    """Return the figures of a column whose rows are periods, each with its period, the earliest first."""
    return sorted(((_time((Text(name),)), figure) for name, figure in column.told), key=itemgetter(0))


def by_value(column: Column) -> list[tuple[str, Figure]]:
    """Return the figures of a column, each with the name of its row, the greatest first."""
    return sorted(column.told, key=lambda one: one[1].value, reverse=True)


def _over_time(columns: Sequence[Column], language: Language) -> Chart:
    """Return columns of one measure, whose rows are periods, as a chart of lines."""
    values = [{period: figure.value for period, figure in by_time(one)} for one in columns]
    labels = sorted({period for one in values for period in one})
    series = (
        Series(one.head, tuple(own.get(label) for label in labels)) for one, own in zip(columns, values, strict=True)
    )
    title = COMMA.in_(language).join(one.head for one in columns)
    unit = measure_in_words(next(iter(columns[0].measures)), language)
    cited = sorted({number for one in columns for number in one.cited})
    return Chart(title, unit, tuple(labels), tuple(series), tuple(cited))


def _ranked(column: Column, language: Language) -> Chart:
    """Return a column as bars, the longest first, under names in the language of the report where it knows them."""
    title, times = column.head, {figure.period for _, figure in column.told}
    if len(times) == 1 and (period := next(iter(times))):
        told = _OF_YEAR.in_(language).format(year=period) if period.isdigit() else period_in_words(period, language)
        title = _DATED.in_(language).format(title=title, period=told)
    ranked = by_value(column)
    labels = tuple(
        bracketed(place_in(language, name), figure.period if figure.period and len(times) > 1 else "", language)
        for name, figure in ranked
    )
    series = Series(title, tuple(figure.value for _, figure in ranked))
    unit = measure_in_words(next(iter(column.measures)), language)
    return Chart(title, unit, labels, (series,), column.cited, is_over_time=False)


# --- numbers of an axis --------------------------------------------------------------------------------------------

_STEPS = (1, 2, 2.5, 5, 10)
_TICKS = 4
_FROM_ZERO_IF_BELOW = 0.6
"""An axis begins at zero if the least value is below this share of the greatest."""
_GREATEST = 1e300
"""Beyond, the span of an axis is no number any more."""


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


# --- what is drawn, and how it is told in words -----------------------------------------------------------------------

_SERIES = Bilingual("{name}: {figures}", "{name}：{figures}")
_DESCRIBED = Bilingual("{chart}. {told}", "{chart}。{told}")


def drawable(chart: Chart) -> tuple[Series, ...]:
    """Return the series of a chart with a value for each label: None for what is missing or no finite number."""
    count = len(chart.labels)
    return tuple(
        Series(one.name, tuple(islice(chain(map(_finite, one.values), repeat(None)), count))) for one in chart.series
    )


def _finite(value: float | None) -> float | None:
    return value if value is not None and abs(value) <= _GREATEST else None


def has_values(chart: Chart) -> bool:
    """Whether there is something to draw."""
    return bool(values_of(drawable(chart)))


def values_of(series: Sequence[Series]) -> list[float]:
    """Return all values that are known."""
    return [value for one in series for value in one.values if value is not None]


def captioned(chart: Chart, language: Language) -> str:
    """Return a chart's title with its unit."""
    return bracketed(one_line(chart.title), one_line(chart.unit), language)


def spoken(chart: Chart, language: Language) -> list[str]:
    """Return the figures of a chart in words: a line for each source."""
    lines = []
    for series in drawable(chart):
        pairs = zip(chart.labels, series.values, strict=True)
        values = [
            f"{period_in_words(label, language)} {exact(value, language)}"
            for label, value in pairs
            if value is not None
        ]
        figures = one_line(COMMA.in_(language).join(values))
        lines.append(_SERIES.in_(language).format(name=one_line(series.name), figures=figures))
    return lines


def described(chart: Chart, language: Language) -> str:
    """Return a chart in words, for those who do not see it."""
    told = Bilingual("; ", "。").in_(language).join(spoken(chart, language))
    return _DESCRIBED.in_(language).format(chart=captioned(chart, language), told=told)


# --- charts as SVG; colours, widths and fonts are those of a style sheet, so that they follow light and dark ----------

_LINE_CHART = Phrase("Line chart, {first} to {last}.")
_BAR = Bilingual("{name}: {value}", "{name}：{value}")
_POINT = Bilingual("{name}, {period}: {value}", "{name}、{period}：{value}")
_SERIES_RANGE = Phrase("{name}: {first} to {last}.")
WIDTH = 640
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 20, 22, 34
_ACROSS, _DOWN = WIDTH - _LEFT - _RIGHT, 200
"""A higher chart seldom fits below the text, and leaves half a page empty."""
_EDGE = 0.05
"""Share of the width that is free at both sides of a line."""
_LETTER = 11
"""The room that a letter of a period below a chart takes on a telephone."""
_ROW, _BAR_HEIGHT, _KEY = 54, 16, 26
_SHORT_NAME, _LETTER_BESIDE, _CLOSE_ROW = 22, 8, 30
"""Letters of a name that stands beside its bar, the room of one, and the height of a bar with its name there."""
_VALUE_SPACE = 96
"""Beside the longest bar, for its value."""
_LONGEST_NAME, _LONGEST_PERIOD = 60, 12
"""Letters; Japanese ones count twice."""
_LARGE = 1_000_000.0
"""Values from which a chart writes them short (1.2M, 120万)."""
_MARKERS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
    "M-4 -4H4V4H-4Z",
    "M0 -5L5 4H-5Z",
    "M0 -5.5L5.5 0L0 5.5L-5.5 0Z",
    "M0 5L5 -4H-5Z",
    "M-5 -2H-2V-5H2V-2H5V2H2V5H-2V2H-5Z",
)


class Word(NamedTuple):
    """A word in a drawing; its base line begins, has its middle or ends at a point."""

    kind: str
    x: float
    y: float
    anchor: str
    text: str


class Drawing(NamedTuple):
    """A chart drawn on an area of `WIDTH` by `height`: its shapes, and its words, which each format sets itself."""

    height: int
    shapes: list[h.Node]
    words: list[Word]


def drawing_of(chart: Chart, language: Language) -> Drawing | None:
    """Return a chart drawn; None if it has no value that can be drawn."""
    series = drawable(chart)
    if not values_of(series):
        return None
    return (_lines if chart.is_over_time else _bars)(chart, series, language)


def svg(chart: Chart, name: str, language: Language) -> h.Node:
    """Return a chart with its words, whose parts have ids that begin with `name`; None if nothing can be drawn."""
    drawing = drawing_of(chart, language)
    if drawing is None:
        return None
    labelled = f"{name}-title {name}-desc"
    kind = "over-time" if chart.is_over_time else "bars"
    return h.svg(viewBox=f"0 0 {WIDTH} {drawing.height}", role="img", aria_labelledby=labelled, class_=kind)[
        h.title(id=f"{name}-title")[one_line(chart.title)],
        h.desc(id=f"{name}-desc")[_summary(chart, drawable(chart), language)],
        drawing.shapes,
        [
            h.text(class_=kind, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)[text]
            for kind, x, y, anchor, text in drawing.words
        ],
    ]


def shapes_alone(drawing: Drawing, style: str) -> str:
    """Return the shapes of a drawing as an SVG file with a style sheet of its own."""
    return str(
        h.svg(xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {drawing.height}")[
            h.style[Markup(style)],  # noqa: S704 - the program's own, without any text of others
            drawing.shapes,
        ]
    )


def _lines(chart: Chart, series: Sequence[Series], language: Language) -> Drawing:
    """Draw values over time: a line for each series, broken where a value is missing."""
    ticks = axis_ticks(values_of(series))
    xs = [_LEFT + share * _ACROSS for share in _places_across(chart.labels)]
    periods = [period_in_words(one_line(label), language) for label in chart.labels]
    named = _labels_with_room(periods, xs)
    words = [Word("tick", _LEFT - 8, _down(tick, ticks) + 4, "end", short_number(tick, language)) for tick in ticks]
    words += [
        Word("tick", xs[at], _TOP + _DOWN + 24, "middle", shortened(periods[at], _LONGEST_PERIOD)) for at in named
    ]
    shapes: list[h.Node] = [
        h.path(class_="grid" if tick else "axis", d=f"M{_LEFT} {_down(tick, ticks):.1f}H{WIDTH - _RIGHT}")
        for tick in ticks
    ]
    height = _TOP + _DOWN + _BOTTOM
    for place, one in enumerate(series):
        name, say, drawn = one_line(one.name), _POINT.in_(language), list[h.Node]()
        runs = _runs_of(one.values)
        for run in runs:
            points = [f"{xs[at]:.1f} {_down(value, ticks):.1f}" for at, value in run]
            drawn += [h.path(class_="line", d="M" + "L".join(points))] if len(run) > 1 else []
        for at, value in chain.from_iterable(runs):
            said = say.format(name=name, period=periods[at], value=exact(value, language))
            drawn.append(_marker("marker", place, xs[at], _down(value, ticks))[h.title[said]])
            if len(series) == 1 and len(named) == len(xs):
                said = amount(value, chart.unit, language)
                words.append(Word("value", xs[at], _down(value, ticks) - 10, "middle", said))
        if len(series) > 1:  # which is which
            drawn += [
                h.path(class_="line key", d=f"M{_LEFT} {height + _KEY / 2}h26"),
                _marker("marker key", place, _LEFT + 13, height + _KEY / 2),
            ]
            words.append(Word("key", _LEFT + 36, height + _KEY / 2 + 4, "start", shortened(name, _LONGEST_NAME)))
            height += _KEY
        shapes.append(h.g(class_=f"series{place % 6}")[drawn])
    return Drawing(height, shapes, words)


def _marker(kind: str, place: int, x: float, y: float) -> h.Element:
    """Return the mark of a series at a point; series differ by shape as well as by colour."""
    return h.path(class_=kind, d=_MARKERS[place % len(_MARKERS)], transform=f"translate({x:.1f} {y:.1f})")


def _labels_with_room(periods: Sequence[str], xs: Sequence[float]) -> list[int]:
    """Return the periods that there is room for below their places, the last one among them."""
    gap = _LETTER * (min(_LONGEST_PERIOD, max(map(columns, periods))) + 1)
    kept: list[int] = []
    for place in reversed(range(len(xs))):
        if not kept or xs[kept[-1]] - xs[place] >= gap:
            kept.append(place)
    return kept[::-1]


def _places_across(labels: Sequence[str]) -> list[float]:
    """Return where labels stand from left to right: by their time if all name one, otherwise in equal steps."""
    found = [extent(label) for label in labels]
    times = [(one.first + one.last) / 2 for one in found if one is not None]
    if len(times) < len(labels) or any(after <= before for before, after in pairwise(times)):
        times = [float(place) for place in range(len(labels))]
    span = times[-1] - times[0] or 1.0
    return [_EDGE + (1 - 2 * _EDGE) * (time - times[0]) / span for time in times]


def _runs_of(values: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """Return the values in runs without a gap, each with its place."""
    runs: list[list[tuple[int, float]]] = [[]]
    for place, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((place, value))
    return [run for run in runs if run]


def _down(value: float, ticks: Sequence[float]) -> float:
    """Return how far down a value stands on an axis with these ticks."""
    return _TOP + (ticks[-1] - value) / (ticks[-1] - ticks[0]) * _DOWN


def _bars(chart: Chart, series: Sequence[Series], language: Language) -> Drawing:
    """Draw values side by side: names stand above bars, short ones before them, and values beside."""
    values, rows = values_of(series), list(_rows(chart, series, language))
    low, high = min(0.0, *values), max(0.0, *values)
    longest = max(columns(name) for _, name, _ in rows)
    is_beside = longest <= _SHORT_NAME
    row, above = (_CLOSE_ROW, 6) if is_beside else (_ROW, 28)
    before = _LETTER_BESIDE * longest + 12 if is_beside else 0
    left = before + (_VALUE_SPACE if low < 0 else 0)
    scale = (WIDTH - _VALUE_SPACE - left) / ((high - low) or 1.0)
    zero = left - low * scale
    shapes: list[h.Node] = []
    words: list[Word] = []
    for number, (place, name, value) in enumerate(rows):
        top, size = number * row + above, abs(value) * scale
        first = zero if value >= 0 else zero - size
        bar = h.rect(class_="bar", x=f"{first:.1f}", y=str(top), width=f"{max(size, 1.0):.1f}", height=str(_BAR_HEIGHT))
        shapes += [
            h.g(class_=f"series{place % 6}")[
                bar[h.title[_BAR.in_(language).format(name=name, value=exact(value, language))]]
            ],
            h.path(class_="axis", d=f"M{zero:.1f} {top - 2}v{_BAR_HEIGHT + 4}"),
        ]
        at, anchor = (zero + size + 6, "start") if value >= 0 else (first - 6, "end")
        words += [
            Word("name", before - 12, top + 13, "end", name) if is_beside else Word("name", 0, top - 10, "start", name),
            Word("value", at, top + 13, anchor, amount(value, chart.unit, language)),
        ]
    return Drawing(len(rows) * row, shapes, words)


def _rows(chart: Chart, series: Sequence[Series], language: Language) -> Iterable[tuple[int, str, float]]:
    """Yield the colour, the name and the value of each bar; where each has its name alone, all have one colour."""
    is_alone = 1 in (len(chart.labels), len(series))
    for at, label in enumerate(chart.labels):
        for place, one in enumerate(series):
            value = one.values[at]
            if value is not None:
                said = [period_in_words(label, language)] if len(chart.labels) > 1 else []
                said += [one.name] if len(series) > 1 or not said else []
                name = " · ".join(one_line(part) for part in said if part)
                yield 0 if is_alone else place, shortened(name, _LONGEST_NAME), value


def _summary(chart: Chart, series: Sequence[Series], language: Language) -> str:
    """Say in words what the drawing shows; its values stand in a table."""
    first, last = (period_in_words(one_line(chart.labels[at]), language) for at in (0, -1))
    said = [(_LINE_CHART if chart.is_over_time else Phrase("Bar chart.")).in_(language).format(first=first, last=last)]
    for one in series:
        if known := values_of([one]):
            first, last = (amount(known[at], chart.unit, language) for at in (0, -1))
            said.append(_SERIES_RANGE.in_(language).format(name=one_line(one.name), first=first, last=last))
    return " ".join(said)


_THOUSANDS = re.compile(r"\d{4}(?:\.\d+)?")
"""What stands before 万, 億 or 兆 may have four digits, which need no decimals."""


def short_number(value: float, language: Language) -> str:
    """Write a value for an axis: large ones with a word for their size."""
    if abs(value) >= 1e17:
        return f"{value:.3g}"
    if abs(value) >= _LARGE:
        compact = str(format_compact_decimal(value, locale=language.value, fraction_digits=2))
        return _THOUSANDS.sub(lambda found: exact(round(float(found[0])), language), compact)
    return exact(value, language)


_CURRENCY = re.compile("[A-Z]{3}")


def signs_of(unit: str, language: Language) -> tuple[str, str]:
    """Return what is written before and behind a figure in a unit: the sign of a currency, or of a share."""
    sign = get_currency_symbol(unit, locale=language.value) if _CURRENCY.fullmatch(unit) else ""
    return f"{sign}\N{NO-BREAK SPACE}" if sign.isalpha() else sign, "%" if unit == "%" else ""


def amount(value: float, unit: str, language: Language) -> str:
    """Write a value of a chart, wherever it is told: short, with its sign."""
    shown, (before, behind) = short_number(value, language), signs_of(unit, language)
    return f"−{before}{shown[1:]}" if before and shown.startswith("-") else f"{before}{shown}{behind}"


def exact(value: float, language: Language) -> str:
    """Write a value with all that is known of it."""
    shown = float(f"{value:.12g}")
    if abs(shown) >= 1e17 or 0 < abs(shown) < 1e-6:
        return f"{shown:.6g}"
    return str(format_decimal(shown, format="#,##0.########", locale=language.value))
