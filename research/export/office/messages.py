"""The message of a table or a chart: what its own figures say, as the title of the slide that shows them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from babel.lists import format_list

from research.export import document as tree
from research.export.charts import Column, amount, by_time, by_value, drawable, told_by
from research.export.words import one_line, period_in_words
from research.language import COMMA, Bilingual, Language, Phrase, bracketed

_OF = Phrase("{measure}: {said}")
_RANKED = Phrase("{most} highest at {greatest}, {least} lowest at {smallest}")
_WENT_UP = Phrase("{measure} up from {before} ({first}) to {after} ({last})")
_WENT_DOWN = Phrase("{measure} down from {before} ({first}) to {after} ({last})")
_STAYED = Phrase("{measure} unchanged at {after} from {first} to {last}")
_BESIDE = Phrase("{names} side by side")
_HIGHEST = Phrase("Highest: {leaders}")
_DIFFERING = Phrase("{measure}: {least} to {most}, depending on the source")
_TOLD_TOGETHER = 3
"""Series or columns that one title can tell of."""


class _Told(NamedTuple):
    """A figure of a row or period, and how it is said."""

    name: str
    value: float
    said: str


def chart_message(chart: tree.Chart, language: Language) -> str:
    """Return in words what a chart shows; empty for what no line of words can tell."""
    series = drawable(chart)
    if len(series) > 1:
        return _of_each_series(chart, language)
    pairs = zip(chart.labels, series[0].values, strict=True) if series else ()
    known = [
        _Told(period_in_words(one_line(label), language), value, amount(value, chart.unit, language))
        for label, value in pairs
        if value is not None
    ]
    if len(known) < 2:
        return ""
    said = _change if chart.is_over_time else _order
    return said(_without_aside(one_line(chart.title)), known[0], known[-1], language)


def _of_each_series(chart: tree.Chart, language: Language) -> str:
    """Return how each of a few series moved over the same time, or how far sources differ about one."""
    if len(chart.labels) == 1:
        told = [one.values[0] for one in drawable(chart) if one.values[0] is not None]
        least, most = (amount(value, chart.unit, language) for value in (min(told), max(told)))
        measure = _without_aside(one_line(chart.title))
        return _DIFFERING.in_(language).format(measure=measure, least=least, most=most) if least != most else ""
    if not chart.is_over_time or len(chart.series) > _TOLD_TOGETHER:
        return ""
    ends = [(one.name, one.values[0], one.values[-1]) for one in drawable(chart)]
    moved = [
        f"{one_line(name)} {amount(before, chart.unit, language)} → {amount(after, chart.unit, language)}"
        for name, before, after in ends
        if before is not None and after is not None
    ]
    return COMMA.in_(language).join(moved) if len(moved) == len(ends) and len(chart.labels) > 1 else ""


def _change(measure: str, before: _Told, after: _Told, language: Language) -> str:
    """Return from what to what a measure moved."""
    went = _STAYED if before.value == after.value else _WENT_UP if before.value < after.value else _WENT_DOWN
    return went.in_(language).format(
        measure=measure, before=before.said, first=before.name, after=after.said, last=after.name
    )


def _order(measure: str, most: _Told, least: _Told, language: Language) -> str:
    """Return which has the greatest and which the least of a measure."""
    said = _RANKED.in_(language).format(most=most.name, greatest=most.said, least=least.name, smallest=least.said)
    return _OF.in_(language).format(measure=measure, said=said) if measure else said


_TOTAL = re.compile(r"^(?:(?:grand|sub)[ -]?)?total\b|^(?:合計|総計|小計|計|全体|総数)$", re.IGNORECASE)
"""A row that is the sum of others: that it is the greatest says nothing."""


def table_message(table: tree.Table, language: Language) -> str:
    """Return what the figures of a table say, as they are printed there; of a few rows in words, whom they compare."""
    told = told_by(table)
    if 1 < len(told.columns) <= _TOLD_TOGETHER:
        if told.is_over_time:
            return COMMA.in_(language).join(map(_moved, told.columns))
        if leaders := _leaders(told.columns, language):
            return leaders
    said = _over_time if told.is_over_time else _in_order
    found = next(filter(None, (said(column, language) for column in told.columns)), "")
    return found or _compared(table, language)


def _moved(column: Column) -> str:
    (_, first), *_, (_, last) = by_time(column)
    return f"{_without_aside(column.head)} {one_line(first.text)} → {one_line(last.text)}"


def _over_time(column: Column, language: Language) -> str:
    told = [_Told(period_in_words(name, language), one.value, one_line(one.text)) for name, one in by_time(column)]
    return _change(_without_aside(column.head), told[0], told[-1], language)


def _in_order(column: Column, language: Language) -> str:
    """Return which rows of a column have the greatest and the least figure; empty where there are not two."""
    told = _ranked(column)
    return _order(_without_aside(column.head), told[0], told[-1], language) if told else ""


def _ranked(column: Column) -> list[_Told]:
    """Return the rows of a column, the greatest first; none where all are alike."""
    ranked = [(name, one) for name, one in by_value(column) if name and not _TOTAL.search(name)]
    told = [_Told(name, one.value, one_line(one.text)) for name, one in ranked]
    return told if len(told) > 1 and told[0].value != told[-1].value else []


def _leaders(columns: Sequence[Column], language: Language) -> str:
    """Return which row has the greatest figure of which column; empty where that cannot be said of each column."""
    led: dict[str, list[str]] = {}
    for column in columns:
        told = _ranked(column)
        if not told or told[0].value == told[1].value:
            return ""
        led.setdefault(told[0].name, []).append(_without_aside(column.head))
    beside = Bilingual("; ", "、").in_(language)
    leads = [bracketed(name, beside.join(measures), language) for name, measures in led.items()]
    return _HIGHEST.in_(language).format(leaders=COMMA.in_(language).join(leads))


def _compared(table: tree.Table, language: Language) -> str:
    """Return whom a table compares that says no more: its rows or its columns, where its corner is blank and few."""
    sides = ([row[0] for row in table.rows], table.head[1:]) if not tree.plain(table.head[0]).strip() else ()
    for side in sides:
        names = [one_line(tree.plain(name)) for name in side]
        if 1 < len(names) <= _TOLD_TOGETHER and all(names):
            return _BESIDE.in_(language).format(names=format_list(names, locale=language.value))
    return ""


def _without_aside(head: str) -> str:
    """Return a head without what stands in brackets: its unit, or what the source calls it."""
    start = min((at for at in map(head.find, "(（") if at > 0), default=0)
    end = max(map(head.rfind, ")）"))
    return f"{head[:start].rstrip()}{head[end + 1 :]}" if 0 < start < end else head
