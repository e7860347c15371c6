"""What data files tell month by month, where nobody asks for months: added up by the year, and how that changed.

Who asks for the sales in Thailand wants no list of months. They are added up over the years that are asked for, else
over the last twelve months that the file has; of what does not add up (a price, a head count) the last month tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from research.analysts.extractive.arithmetic import (
    CitedValue,
    asked_of,
    average_of,
    change,
    change_of_sums,
    number_of,
    of_label,
    row_of_file,
    share_of_sums,
    sum_of,
    total_of,
)
from research.analysts.extractive.values import MONTHS_OF_A_YEAR, Window, is_whole, last_years, month_of
from research.analysts.protocol import ReportRequest
from research.language import Phrase
from research.text import Asked, Name, Operation, countries_in, folded

_OF_MONTHS = re.compile(r"\bmonth|月", re.IGNORECASE)
"""What asks for months themselves."""
_NO_SUM = re.compile(
    r"rate|ratio|share|price|average|index|balance|head ?count|[%％率比価残]|平均|指数|人員|人数", re.IGNORECASE
)
"""Labels of what does not add up over the months of a year."""
_BY_PLACE = re.compile(r"countr|region|market|state|cit(?:y|ies)|国|地域|市場|都市", re.IGNORECASE)
_NO_BREAKDOWN = Phrase("- No breakdown “{each}” was found; this is all of it together.")
_SHOWN = 10
"""Of an order, those that are shown."""


def asks_for_months(question: Asked) -> bool:
    """Whether months are asked for: by name, or as months."""
    return question.names_months or (_OF_MONTHS.search(question.question) is not None and not question.wants_average)


def of_asked_length(cited: Sequence[CitedValue], question: Asked) -> list[CitedValue]:
    """Return the values without those of single months of what does not add up, where a year is asked for."""
    if not question.years or asks_for_months(question) or question.operation is Operation.ADD:
        return list(cited)
    return [one for one in cited if not (month_of(one.value) and _NO_SUM.search(one.value.label))]


def told_by_month(group: Sequence[CitedValue], question: Asked) -> list[CitedValue]:
    """Return the values of the nearest label of one thing asked, if a file has them by month and no month is asked."""
    if not group or asks_for_months(question):
        return []
    best = max(group, key=lambda one: (one.match.score, one.match.rank))
    series = [one for one in of_label(group, best.value.label) if month_of(one.value) and number_of(one) is not None]
    is_one_file = len({one.entry.source for one in series}) == 1
    return series if is_one_file and len({month_of(one.value) for one in series}) > 1 else []


def by_year_of_several(
    by_attribute: Sequence[Sequence[CitedValue]], question: Asked, request: ReportRequest
) -> Iterator[str]:
    """Yield what series by month come to where several are put in order, compared, or one held against them all."""
    told = [told_by_month(group, question) for group in by_attribute]
    if not told or not told[0]:
        return
    if question.operation is Operation.RANK or (question.wants_each and not question.names):
        yield from _in_order(told[0], question, request)
        if question.wants_each and not _has_each(told[0], question):
            yield from by_year(told[0], question, request)
            yield _NO_BREAKDOWN.filled(each=question.each).in_(request.brief.language)
    elif question.operation is Operation.RATIO and len(question.names) == 1:
        yield from _share_of_all(told[0], question, request)
    elif len(question.names) > 1 and all(told):
        for series in told:
            yield from by_year(series, question, request)


def by_year(series: Sequence[CitedValue], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield what a series by month comes to in each year asked for, else in the last; of a change, how it changed."""
    asked = asked_of(series[0], question)
    if _NO_SUM.search(series[0].value.label) and (question.wants_change or not question.wants_average):
        yield from _as_it_stands(series, question, request)
        return
    for own in _by_subject(series, question):
        years = [_within(own, window) for window in _windows(own, question)]
        for year in years if question.wants_change or question.years else years[-1:]:
            yield from (average_of if question.wants_average else sum_of)(year, request, asked)
        if question.wants_change and len(years) > 1 and not question.wants_average:
            first, last = _of_same_months(years[0], years[-1])
            yield from change_of_sums(first, last, request, asked)


def _as_it_stands(series: Sequence[CitedValue], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield what does not add up in the last month, of a change in the first one too, and how it changed."""
    meant = [one for own in _by_subject(series, question) for one in own]
    for subject in dict.fromkeys(one.value.subject for one in meant):
        told = sorted((one for one in meant if one.value.subject == subject), key=_month)
        for one in dict.fromkeys([told[0], told[-1]] if question.wants_change else told[-1:]):
            yield f"- {row_of_file(one)}"
        if question.wants_change:
            yield from change(told, request.brief.language)


def _in_order(series: Sequence[CitedValue], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield what a series by month comes to for each of several, in order; nothing where it is told of one alone."""
    asked, windows = asked_of(series[0], question), _windows(series, question)
    if question.wants_each and not _has_each(series, question):
        return
    each = _of_each([one for one in series if not is_whole(one.value)], question)
    sums = [own for own in ([_within(own, window) for window in windows] for own in each) if all(own)]
    if len(sums) < 2 or _NO_SUM.search(series[0].value.label):
        return
    if question.ranks_size:
        for own in sorted(sums, key=lambda own: total_of(own[-1]), reverse=not question.is_least)[:_SHOWN]:
            yield from sum_of(own[-1], request, asked)
    if question.ranks_growth and len(windows) > 1:
        grown = sorted(
            sums, key=lambda own: total_of(own[-1]) / (total_of(own[0]) or 1.0), reverse=not question.is_least
        )
        for own in grown[:_SHOWN]:
            yield from change_of_sums(own[0], own[-1], request, asked)


def _of_same_months(
    first: Sequence[CitedValue], last: Sequence[CitedValue]
) -> tuple[list[CitedValue], list[CitedValue]]:
    """Return the values of two years in the months that both have: nine months are not held against twelve."""
    months = {_month(one)[5:] for one in first} & {_month(one)[5:] for one in last}
    return [one for one in first if _month(one)[5:] in months], [one for one in last if _month(one)[5:] in months]


def _share_of_all(series: Sequence[CitedValue], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield which share the one that is named has of all that a series by month is told of, in each year asked for."""
    asked = asked_of(series[0], question)
    for window in _windows(series, question)[-1:]:
        whole = _within([one for one in series if not is_whole(one.value)], window)
        yield from share_of_sums(_naming(whole, question.names), whole, request, asked)


def _by_subject(series: Sequence[CitedValue], question: Asked) -> list[list[CitedValue]]:
    """Return the values of each that is named, of all of its products, say; where none is, those of all together."""
    if not question.names:
        return [[one for one in series if is_whole(one.value)] or list(series)]
    places = [name for name in question.names if name.is_place]
    things = [name for name in question.names if not name.is_place]
    of_things = _naming(series, things) or series
    each = [_naming(of_things, [name]) for name in places or things]
    return [own for own in each if own] or _of_each(series, question)


def _naming(series: Sequence[CitedValue], names: Sequence[Name]) -> list[CitedValue]:
    return [one for one in series if any(name.stands_in(folded(one.value.subject)) for name in names)]


def _of_each(series: Sequence[CitedValue], question: Asked) -> list[list[CitedValue]]:
    """Return the values of each place, or of each product, say, where these are asked for; else of each subject."""
    is_of_places = _is_of_places(question)

    def whose(subject: str) -> str:
        return next((cell for cell in subject.split("; ") if bool(countries_in(cell)) is is_of_places), subject)

    told = [whose(one.value.subject) for one in series]
    return [[one for one, who in zip(series, told, strict=True) if who == each] for each in dict.fromkeys(told)]


def _is_of_places(question: Asked) -> bool:
    return not question.wants_each or _BY_PLACE.search(question.each) is not None


def _has_each(series: Sequence[CitedValue], question: Asked) -> bool:
    """Whether rows say of which product, say, or of which place they are, as a question asks for a figure of each."""
    cells = {cell for one in series for cell in one.value.subject.split("; ")}
    return any(bool(countries_in(cell)) is _is_of_places(question) for cell in cells)


def _windows(series: Sequence[CitedValue], question: Asked) -> list[Window]:
    """Return the years over which months are added up, the earliest first: fiscal ones where those are asked for."""
    told = sorted(map(_month, series))
    years = sorted(question.years)
    if question.goes_on and (since := [one for one in last_years(told) if one[0][:4] >= years[0]]):
        return since
    calendar = [(f"{year}-01", f"{year}-12") for year in years]
    fiscal = [(f"{year}-04", f"{int(year) + 1}-03") for year in years]
    named = question.spans or (calendar if _are_whole(calendar, told) or not _are_whole(fiscal, told) else fiscal)
    if question.ranks_growth and len(named) == 1:
        named = [_a_year_before(named[0]), named[0]]
    return [one for one in named if _within(series, one)] or last_years(told) or [(told[0], told[-1])]


def _a_year_before(window: Window) -> Window:
    first, last = (f"{int(month[:4]) - 1}{month[4:]}" for month in window)
    return first, last


def _are_whole(windows: Sequence[Window], told: Sequence[str]) -> bool:
    """Whether each month of some years is told of: a file may begin with a fiscal year."""
    return all(len({one for one in told if first <= one <= last}) == MONTHS_OF_A_YEAR for first, last in windows)


def _within(series: Iterable[CitedValue], window: Window) -> list[CitedValue]:
    return sorted((one for one in series if window[0] <= _month(one) <= window[1]), key=_month)


def _month(one: CitedValue) -> str:
    return month_of(one.value)
