"""Values and what is computed of them: sums, ratios, changes, each with the figures that it is worked out from.

Who asks for the sales in Thailand wants no list of months. What data files tell month by month is added up over the
years that are asked for, else over the last twelve months that the file has; of what does not add up (a price, a head
count) the last month tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from research.analysts.extractive.quotes import computed_line, from_to, headed
from research.analysts.extractive.values import (
    MONTHS_OF_A_YEAR,
    NO_SUM,
    ValueMatch,
    Window,
    is_whole,
    last_years,
    month_of,
)
from research.analysts.protocol import ReportRequest
from research.core import Evidence, How
from research.language import COMMA, Bilingual, Language, Phrase
from research.quantities import Part, made_of, operand_of, part_of_rows, shown, signed, span_of
from research.text import (
    Asked,
    Name,
    Operation,
    Scale,
    Value,
    countries_in,
    escape_markdown,
    folded,
    is_table_row,
    place_in,
    scale_of,
)

_BARE = Scale()
SHARES = ("%", "％")
_SHARE_OF_ALL = Phrase("{what}, share of all in the file")
_AVERAGE = Phrase("{what}, average")
_ASIDE = re.compile(r"\s?[(（][^()（）]*[)）]\Z")
"""What a value says behind its figure: (2025 est.) is no part of a calculation."""
_POINTS = Bilingual(" percentage points", "ポイント")


@dataclass(frozen=True)
class CitedValue:
    """A value that answers, and the quote that holds it."""

    match: ValueMatch
    entry: Evidence

    @property
    def value(self) -> Value:
        """The value itself."""
        return self.match.value

    @property
    def number(self) -> float | None:
        """The number that it is; None if it is none."""
        return self.value.number

    @property
    def month(self) -> str:
        """The month that it is of, as `2025-04`; nothing of what is of longer or of a day."""
        return month_of(self.value)


def is_file_row(one: CitedValue) -> bool:
    """Whether a value stands in a row of a data file."""
    return one.value.is_row and not is_row_of_table(one)


def is_row_of_table(one: CitedValue) -> bool:
    """Whether a value stands in a row of a table within a page."""
    return one.value.is_row and is_table_row(one.entry.quote)


def is_led(one: CitedValue) -> bool:
    """Whether a value is a row of a table, labelled with what leads to it."""
    return is_row_of_table(one) and one.value.subject not in one.value.label


def of_label(group: Sequence[CitedValue], label: str) -> list[CitedValue]:
    """Return the values under a label."""
    return [one for one in group if one.value.label == label]


def nearest_label(group: Sequence[CitedValue]) -> list[CitedValue]:
    """Return the values under the label that comes nearest to what is asked, within its own page before all others."""
    best = max(group, key=lambda one: (one.match.score, one.match.rank), default=None)
    return of_label(group, best.value.label) if best else []


def with_period(value: Value) -> str:
    """Return a value with when it held, unless it says so itself."""
    return value.text if not value.period or value.period in value.text else f"{value.text} ({value.period})"


def row_of_file(one: CitedValue) -> str:
    """Return a row of a series by whom, what and when it is about: its other cells say the same of each."""
    whom = ", ".join(filter(None, (one.value.subject.replace("; ", ", "), one.value.period)))
    told = escape_markdown(": ".join(filter(None, (whom, one.value.label, one.value.text))))
    return f"{told} [{one.entry.id}]"


def what_of(one: CitedValue, language: Language) -> str:
    """Return whom and what a value is of; of a row whose label is what leads to its table, the row."""
    told = (place_in(language, one.value.subject), one.value.label)
    subject, label = (escape_markdown(part.rstrip(":： ")) for part in told)
    if is_led(one):
        return subject
    return label if subject in label else COMMA.in_(language).join(filter(None, (subject, label)))


def of_both(sign: str, ones: Sequence[CitedValue], language: Language) -> str:
    """Return what is worked out of two values: whom both are about is said once."""
    subjects = {one.value.subject for one in ones}
    if len(subjects) > 1 or any(map(is_led, ones)):
        return f" {sign} ".join(what_of(one, language) for one in ones)
    subject = escape_markdown(place_in(language, subjects.pop()))
    labels = f" {sign} ".join(escape_markdown(one.value.label.rstrip(":： ")) for one in ones)
    return COMMA.in_(language).join(filter(None, (subject, labels)))


def _told_of(ones: Sequence[CitedValue], language: Language, asked: str) -> str:
    """Return whom, when and what values of one label are of, the label behind what is `asked`."""
    return COMMA.in_(language).join([*in_common(ones, language), headed(ones[0].value.label, asked, language)])


def in_common(ones: Sequence[CitedValue], language: Language) -> Iterator[str]:
    """Yield whom values are all about, and from when to when they are."""
    subjects = [one.value.subject.split("; ") for one in ones]
    told = [cell for cell in subjects[0] if cell and all(cell in other for other in subjects)]
    if told:
        yield "; ".join(place_in(language, cell) for cell in told)
    periods = sorted(one.value.period for one in ones)
    if periods[0]:
        yield span_of(periods[0], periods[-1], language)


def sum_of(group: Sequence[CitedValue], request: ReportRequest, asked: str = "", how: How = How.SUM) -> Iterator[str]:
    """Yield what the values of the nearest label to what is asked come to, or what rows of a file are on average."""
    ones = [one for one in nearest_label(group) if one.number is not None]
    if len(ones) < 2:
        return
    language = request.brief.language
    what = _told_of(ones, language, asked)
    what = escape_markdown(what if how is How.SUM else _AVERAGE.in_(language).format(what=what))
    if part := rows_of(ones, how, request):
        said = escape_markdown(f"{shown(part.value)} = {made_of(part, language)}")
        yield computed_line(what, f"{said} {_marks(ones)}", language)
    elif how is How.SUM:
        yield summed(ones, what, language)


def rows_of(ones: Sequence[CitedValue], how: How, request: ReportRequest) -> Part | None:
    """Return what the rows of one data file come to in which values of one label stand; None if they are no such rows.

    What is told of them so is done again by the check, from the page.
    """
    if len({one.entry.source for one in ones}) != 1 or not all(map(is_file_row, ones)):
        return None
    text = request.pages[ones[0].entry.source].text
    return part_of_rows(text, {one.value.start for one in ones}, how, ones[0].value.label)


def summed(ones: Sequence[CitedValue], what: str, language: Language) -> str:
    """Return the line of a sum of values that are cited one by one."""
    scale = common_scale(ones)
    return computed_line(what, f"{plain(total_of(ones), scale)} = {_added(ones, scale)}", language)


def averaged(ones: Sequence[CitedValue], what: str, language: Language) -> str:
    """Return the line of the average of values that are cited one by one, each of which counts as much."""
    scale = common_scale(ones)
    bare = Scale(times=scale.times)
    decimals = 1 + max(len(plain(one.number, bare).partition(".")[2]) for one in ones)
    average = round(total_of(ones) / len(ones) / scale.times, decimals) * scale.times
    said = f"{plain(average, scale)} = ({_added(ones, scale)}) ÷ {len(ones)}"
    return computed_line(_AVERAGE.in_(language).format(what=what), said, language)


def _added(ones: Sequence[CitedValue], scale: Scale) -> str:
    """Return values as they are added up, each with its quote."""
    return " + ".join(f"{plain(one.number, scale)} [{one.entry.id}]" for one in ones)


def total_of(ones: Sequence[CitedValue]) -> float:
    """Return what values come to."""
    return sum(number for one in ones if (number := one.number) is not None)


def _marks(ones: Sequence[CitedValue]) -> str:
    return "".join(f"[{one.entry.id}]" for one in ones)


def change_of_sums(
    first: Sequence[CitedValue], last: Sequence[CitedValue], request: ReportRequest, asked: str
) -> Iterator[str]:
    """Yield by how much the sum of some rows differs from that of others of the same, as a difference and a share."""
    language = request.brief.language
    before, after = (rows_of(ones, How.SUM, request) for ones in (first, last))
    if before is None or after is None:
        return
    share = f" ({signed(f'{after.value / before.value - 1:.1%}')})" if before.value > 0 else ""
    worked = f"{operand_of(after, language)} − {operand_of(before, language)}"
    said = escape_markdown(f"{signed(shown(after.value - before.value))}{share} = {worked}")
    (*_, before_that), (*who, then) = (in_common(ones, language) for ones in (first, last))
    what = (*who, headed(last[0].value.label, asked, language), from_to(before_that, then, language))
    marks = _marks([*last, *first])
    yield computed_line(escape_markdown(COMMA.in_(language).join(what)), f"{said} {marks}", language)


def share_of_sums(
    some: Sequence[CitedValue], every: Sequence[CitedValue], request: ReportRequest, asked: str
) -> Iterator[str]:
    """Yield which share the sum of some rows is of that of all in their file."""
    language = request.brief.language
    part, whole = (rows_of(ones, How.SUM, request) for ones in (some, every))
    if part is None or whole is None or not whole.value or len(some) == len(every):
        return
    what = _SHARE_OF_ALL.in_(language).format(what=_told_of(some, language, asked))
    worked = f"{operand_of(part, language)} ÷ {operand_of(whole, language)}"
    said = escape_markdown(f"{part.value / whole.value:.1%} = {worked}")
    yield computed_line(escape_markdown(what), f"{said} {_marks(every)}", language)


def ratio(known: Sequence[CitedValue], what: str, language: Language) -> Iterator[str]:
    """Yield how the first of two relates to the second: as a share where it is less."""
    first, second = (one.number for one in known)
    if first is not None and second:
        marks = " ÷ ".join(f"{_figure(one)} [{one.entry.id}]" for one in known)
        shown = f"{first / second:.1%}" if first < second else f"{first / second:.3g}"
        yield computed_line(what, f"{shown} = {marks}", language)


def _figure(one: CitedValue) -> str:
    """Return the figure of a value as it stands there, with what multiplies it, and not what it is of."""
    text = _ASIDE.sub("", one.value.text)
    bare = plain(one.number, scale_of(text))
    return bare if bare in text else text


def difference(known: Sequence[CitedValue], what: str, language: Language) -> Iterator[str]:
    """Yield by how much the first of two is more, or less, than the second."""
    first, second = (one.number for one in known)
    if first is not None and second is not None:
        scale = common_scale(known)
        marks = f"{plain(first, scale)} [{known[0].entry.id}] − {plain(second, scale)} [{known[1].entry.id}]"
        yield computed_line(what, f"{differing(first - second, scale, language)} = {marks}", language)


def change(series: Sequence[CitedValue], language: Language) -> Iterator[str]:
    """Yield the change from the first to the last of a series, as a difference and a share."""
    known = [(one, number) for one in series if (number := one.number) is not None and one.value.period]
    if len(known) < 2:
        return
    (first, before), (last, after) = known[0], known[-1]
    scale = common_scale((first, last))
    marks = f"{plain(after, scale)} [{last.entry.id}] − {plain(before, scale)} [{first.entry.id}]"
    share = f" ({signed(f'{after / before - 1:.1%}')})" if before > 0 and scale.word not in SHARES else ""
    said = f"{signed(differing(after - before, scale, language))}{share} = {marks}"
    when = from_to(first.value.period, last.value.period, language)
    yield computed_line(COMMA.in_(language).join((what_of(last, language), when)), said, language)


def differing(number: float, scale: Scale, language: Language) -> str:
    """Return by how much two values differ; shares differ by points."""
    if scale.word not in SHARES:
        return plain(number, scale)
    return f"{plain(number)}{_POINTS.in_(language)}"


def asked_of(one: CitedValue, question: Asked) -> str:
    """Return which of the things asked a value is."""
    return question.attributes[one.match.attribute]


def common_scale(ones: Sequence[CitedValue]) -> Scale:
    """Return the unit of several values if it is that of each; the larger one of millions and billions; else none."""
    units = {scale_of(one.value.text) for one in ones}
    are_alike = len({unit.sign for unit in units}) == 1 and all(unit.times > 1 for unit in units)
    return max(units, key=lambda unit: unit.times) if len(units) == 1 or are_alike else Scale()


def plain(number: float | None, scale: Scale = _BARE) -> str:
    """Return a number in its unit, without what adding up left behind its last digit."""
    if number is None:
        return "–"
    scaled = float(f"{number / scale.times:.15g}")
    shown = f"{abs(scaled):,.0f}" if float(scaled).is_integer() else f"{abs(scaled):,.6f}".rstrip("0").rstrip(".")
    return f"{'−' if scaled < 0 else ''}{escape_markdown(scale.sign)}{shown}{scale.word}"


# --- months added up by the year, where nobody asks for months -------------------------------------------------------

_OF_MONTHS = re.compile(r"\bmonth|月", re.IGNORECASE)
"""What asks for months themselves."""
_NO_SUM = re.compile(
    rf"{NO_SUM.pattern}|head ?count|\b(?:employees|staff)\b|残|人員|人数|従業員|社員数|職員数", re.IGNORECASE
)
"""Labels of what does not add up over the months of a year: nor do those who are there in each."""
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
    return [one for one in cited if not (one.month and _NO_SUM.search(one.value.label))]


def told_by_month(group: Sequence[CitedValue], question: Asked) -> list[CitedValue]:
    """Return the values of the nearest label of one thing asked, if a file has them by month and no month is asked."""
    if asks_for_months(question):
        return []
    series = [one for one in nearest_label(group) if one.month and one.number is not None]
    is_one_file = len({one.entry.source for one in series}) == 1
    return series if is_one_file and len({one.month for one in series}) > 1 else []


def by_year_of_several(
    by_attribute: Sequence[Sequence[CitedValue]], question: Asked, request: ReportRequest
) -> Iterator[str]:
    """Yield what series by month come to where several are put in order, compared, or one held against them all."""
    told = [told_by_month(group, question) for group in by_attribute]
    if not told or not told[0]:
        return
    if question.operation is Operation.RANK or (question.wants_each and not question.names):
        if question.wants_each and not _has_each(told[0], question):
            yield from by_year(told[0], question, request)
            yield _NO_BREAKDOWN.filled(each=question.each).in_(request.brief.language)
        else:
            yield from _in_order(told[0], question, request)
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
            yield from sum_of(year, request, asked, How.AVERAGE if question.wants_average else How.SUM)
        if question.wants_change and len(years) > 1 and not question.wants_average:
            first, last = _of_same_months(years[0], years[-1])
            yield from change_of_sums(first, last, request, asked)


def _as_it_stands(series: Sequence[CitedValue], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield what does not add up in the last month, of a change in the first one too, and how it changed."""
    meant = [one for own in _by_subject(series, question) for one in own]
    for subject in dict.fromkeys(one.value.subject for one in meant):
        told = sorted((one for one in meant if one.value.subject == subject), key=attrgetter("month"))
        for one in dict.fromkeys([told[0], told[-1]] if question.wants_change else told[-1:]):
            yield f"- {row_of_file(one)}"
        if question.wants_change:
            yield from change(told, request.brief.language)


def _in_order(series: Sequence[CitedValue], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield what a series by month comes to for each of several, in order; nothing where it is told of one alone."""
    asked, windows = asked_of(series[0], question), _windows(series, question)
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
    months = {one.month[5:] for one in first} & {one.month[5:] for one in last}
    return [one for one in first if one.month[5:] in months], [one for one in last if one.month[5:] in months]


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
    told = sorted(one.month for one in series)
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
    return sorted((one for one in series if window[0] <= one.month <= window[1]), key=attrgetter("month"))
