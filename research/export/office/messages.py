"""The message of a table or a chart: what its own figures say, as the title of the slide that shows them."""

from __future__ import annotations

import re

from babel.lists import format_list

from research.export import document as tree
from research.export.charts import drawable, short_number
from research.export.table_charts import Column, by_time, by_value, told_by
from research.export.words import one_line, period_in_words
from research.language import COMMA, Language, Phrase
from research.quantities import Figure

_RANKED = Phrase("{most} highest at {greatest}, {least} lowest at {smallest}")
_UP = Phrase("Up from {before} ({first}) to {after} ({last})")
_DOWN = Phrase("Down from {before} ({first}) to {after} ({last})")
_THE_SAME = Phrase("Unchanged at {after} from {first} to {last}")
_TOLD_TOGETHER = 3
"""Series that one title can tell of."""


def chart_message(chart: tree.Chart, language: Language) -> str:
    """Return in words what a chart shows; empty for what no line of words can tell."""
    percent = "%" if chart.unit == "%" else ""
    if len(chart.series) > 1:
        return _of_each_series(chart, percent, language)
    pairs = zip(chart.labels, drawable(chart)[0].values, strict=True) if len(chart.series) == 1 else ()
    known = [
        (period_in_words(one_line(label), language), f"{short_number(value, language)}{percent}")
        for label, value in pairs
        if value is not None
    ]
    if len(known) < 2:
        return ""
    (first, before), (last, after) = known[0], known[-1]
    if chart.is_over_time:
        values = [value for value in drawable(chart)[0].values if value is not None]
        said = _THE_SAME if values[0] == values[-1] else _UP if values[0] < values[-1] else _DOWN
        return said.in_(language).format(before=before, first=first, after=after, last=last)
    return _RANKED.in_(language).format(most=first, greatest=before, least=last, smallest=after)


def _of_each_series(chart: tree.Chart, percent: str, language: Language) -> str:
    """Return how each of a few series moved over the same time."""
    if not chart.is_over_time or len(chart.series) > _TOLD_TOGETHER:
        return ""
    ends = [(one.name, one.values[0], one.values[-1]) for one in drawable(chart)]
    told = [
        f"{one_line(name)} {short_number(before, language)}{percent} → {short_number(after, language)}{percent}"
        for name, before, after in ends
        if before is not None and after is not None
    ]
    return COMMA.in_(language).join(told) if len(told) == len(ends) and len(chart.labels) > 1 else ""


_OF = Phrase("{measure}: {said}")
_WENT_UP = Phrase("{measure} up from {before} ({first}) to {after} ({last})")
_WENT_DOWN = Phrase("{measure} down from {before} ({first}) to {after} ({last})")
_STAYED = Phrase("{measure} unchanged at {after} from {first} to {last}")
_BESIDE = Phrase("{names} side by side")
_ASIDE = re.compile(r"\s*[(（].*[)）]\s*$")
"""What a head adds in brackets: its unit, or what the source calls it."""
_TOTAL = re.compile(r"^(?:(?:grand|sub)[ -]?)?total\b|^(?:合計|総計|小計|計|全体|総数)$", re.IGNORECASE)
"""A row that is the sum of others: that it is the greatest says nothing."""


def table_message(table: tree.Table, language: Language) -> str:
    """Return what the figures of a table say, as they are printed there; of a few rows in words, whom they compare."""
    told = told_by(table)
    if told.is_over_time and 1 < len(told.columns) <= _TOLD_TOGETHER:
        return COMMA.in_(language).join(map(_moved, told.columns))
    said = _over_time if told.is_over_time else _in_order
    found = next(filter(None, (said(column, language) for column in told.columns)), "")
    return found or _compared(table, language)


def _moved(column: Column) -> str:
    (_, first), *_, (_, last) = by_time(column)
    return f"{_named(column)} {_printed(first)} → {_printed(last)}"


def _over_time(column: Column, language: Language) -> str:
    """Return from what to what a column moved."""
    (first, before), *_, (last, after) = by_time(column)
    went = _STAYED if before.value == after.value else _WENT_UP if before.value < after.value else _WENT_DOWN
    return went.in_(language).format(
        measure=_named(column),
        before=_printed(before),
        first=period_in_words(first, language),
        after=_printed(after),
        last=period_in_words(last, language),
    )


def _in_order(column: Column, language: Language) -> str:
    """Return which rows of a column have the greatest and the least figure; empty where there are not two."""
    ranked = [(name, figure) for name, figure in by_value(column) if name and not _TOTAL.search(name)]
    if len(ranked) < 2 or ranked[0][1].value == ranked[-1][1].value:
        return ""
    (most, greatest), (least, smallest) = ranked[0], ranked[-1]
    said = _RANKED.in_(language).format(
        most=most, greatest=_printed(greatest), least=least, smallest=_printed(smallest)
    )
    return _OF.in_(language).format(measure=_named(column), said=said) if column.head else said


def _compared(table: tree.Table, language: Language) -> str:
    """Return whom a table without figures compares, if its first column, which has no head, names a few."""
    names = [one_line(tree.plain(row[0])) for row in table.rows] if not tree.plain(table.head[0]).strip() else []
    if not 1 < len(names) <= _TOLD_TOGETHER or not all(names):
        return ""
    return _BESIDE.in_(language).format(names=format_list(names, locale=language.value))


def _named(column: Column) -> str:
    return _ASIDE.sub("", column.head) or column.head


def _printed(figure: Figure) -> str:
    return one_line(figure.text)
