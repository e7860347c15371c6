"""The values that answer a question as lines: side by side, in order, of each of all, and what is computed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from research.analysts.extractive.arithmetic import (
    SHARES,
    CitedValue,
    asked_of,
    averaged,
    by_year,
    by_year_of_several,
    change,
    difference,
    is_file_row,
    is_led,
    is_row_of_table,
    of_both,
    of_label,
    ratio,
    row_of_file,
    sum_of,
    summed,
    told_by_month,
    with_period,
)
from research.analysts.extractive.quotes import headed, quoted
from research.analysts.extractive.tables import label_of_rows
from research.analysts.extractive.values import begins_with_asked, is_headed_by, plainness, shares_of_named
from research.analysts.protocol import ReportRequest
from research.core import Evidence
from research.gaps import word_shares
from research.language import COMMA, Bilingual, Language, Phrase
from research.quantities import figures
from research.text import (
    MOST_WITHIN,
    Asked,
    Name,
    Operation,
    Value,
    best_told,
    counted,
    data_line_in,
    escape_markdown,
    folded,
    lies_elsewhere,
    lies_in,
    meets,
    place_in,
    places_among,
    places_in,
    question_parts,
    regions_in,
    things_of_all,
    without_subject,
)

_LINES = 4
"""Values of one label that are listed, and labels of one attribute."""
_FAMILY = 10
"""Shares of one whole that are listed."""
_CLOSE = 0.015
"""How far below the nearest label another may lie to be shown beside it."""
_SAID = 0.5
"""What a label has to share with what is asked for a ratio of it to be computed."""
_SHOWN = 5
"""Places of an order that are shown."""
_SIDE = 3
"""Values of a label that stand in one cell, the latest."""


_HIGHEST, _LOWEST = Phrase("{label}, highest first:"), Phrase("{label}, lowest first:")
_COLON = Bilingual(":", "：")
_PERCENT = re.compile(r"\bpercent(?:age)?s? of\b|\bin percent\b|単位[:：]?\s*[%％]|構成比", re.IGNORECASE)
"""How the line that leads to a table says that its figures are shares."""
_CURRENCY = re.compile("[$€£¥]")
_TOTAL = re.compile(r"総数|合計|総計|\b(?:total|all)\b", re.IGNORECASE)
_OF_WHAT = re.compile(
    r"\b(?:mix|breakdown|composition|sources)\b|\bmade (?:of|from|up)\b|\b(?:comes?|generated?|makes?) .{0,40}\bfrom\b"
    r"|内訳|構成|何[でか]ら?(?:作|つく|発電|成|でき)",
    re.IGNORECASE,
)
"""What asks what something is made of: no one figure answers it."""
_OF_ALL = re.compile(r", total(?: population)?\Z")
"""What a label ends with that is of all people, beside those that are of men and of women."""
_LIMITED = {
    (True, True): Phrase("{label}, {limit} or more:"),
    (True, False): Phrase("{label}, more than {limit}:"),
    (False, True): Phrase("{label}, {limit} or less:"),
    (False, False): Phrase("{label}, less than {limit}:"),
}
NO_MORE = Phrase("Only the first {count} are listed.")
_COUNTED, _AT_LEAST = Phrase("{count} – {told}"), Phrase("At least {count} – {told}")
_IS_PLACED = Phrase("{name} is number {place}.")
_NOT_PLACED = Phrase("{name} is not among the first {count}.")
_READ_ONLY = Phrase("In order among the pages that were read; others were not compared.")


def value_lines(cited: Sequence[CitedValue], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield the lines of the answer for what is to be done with the values."""
    language = request.brief.language
    by_attribute = [[one for one in cited if one.match.attribute == index] for index in range(len(question.attributes))]
    by_attribute = [group for group in by_attribute if group]
    names = [name for name in question.names if name.is_place]
    names = names or [name for name in question.names if any(_is_of(one, name, request) for one in cited)]
    if lines := list(by_year_of_several(by_attribute, question, request)):
        yield from lines
        return
    if len(names) > 1 and by_attribute:
        if question.operation is Operation.RATIO and (shares := _listed_shares(by_attribute, names, request)):
            yield from _one_by_one([shares], cited, question, request)
            return
        yield from _table(by_attribute, names, question, request)
        is_computed = question.operation in (Operation.ADD, Operation.RATIO) or question.wants_difference
        if is_computed or question.averages_group:
            column = of_label(by_attribute[0], _best_label(by_attribute[0], names, request))
            yield from _together(column, names, question, request)
        return
    if question.operation is Operation.RANK and by_attribute:
        ordered = _ordered(by_attribute[0], question, request)
        if len(ordered) > 1 or question.is_bounded:
            yield from _order(ordered, by_attribute[1:], question, request)
            return
    if question.operation is Operation.ADD and by_attribute:
        yield from _added(by_attribute, question, request)
        return
    if question.operation is Operation.RATIO:
        by_attribute = [group for group in by_attribute if _is_share(_nearest_of(group, question))][:1] or by_attribute
    yield from _one_by_one(by_attribute, cited, question, request)
    if not by_attribute:
        return
    nearest, is_of_two = _nearest_of(by_attribute[0], question), len(by_attribute) > 1 or question.wants_difference
    two = _two_of(by_attribute, question) if is_of_two and not question.compares_months else []
    if question.compares_months or (is_of_two and not two and question.names_months):
        yield from change(_in_time(of_label(by_attribute[0], nearest.value.label), question), language)
    elif is_of_two:
        yield from _related(two, question, language)
    elif question.operation is Operation.RATIO:
        yield from _of_total(nearest, by_attribute[0], language)


def _listed_shares(
    by_attribute: Sequence[Sequence[CitedValue]], names: Sequence[Name], request: ReportRequest
) -> list[CitedValue]:
    """Return the values of one label that list a name with a share, those of the name that is asked of first."""
    shares = [one for group in by_attribute for one in group if shares_of_named(one.value, names)]
    shares.sort(key=lambda one: not _is_of(one, names[0], request))  # “Japan's imports” come before China's.
    return of_label(shares, shares[0].value.label) if shares else []


def _added(by_attribute: Sequence[Sequence[CitedValue]], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield the sum of the rows of a table that are asked for, else of each thing asked."""
    if rows := [one for group in by_attribute for one in group if is_led(one)]:
        yield from _rows(rows, question, request)
        return
    for group in by_attribute:
        yield from sum_of(group, request)


def _related(known: Sequence[CitedValue], question: Asked, language: Language) -> Iterator[str]:
    """Yield how two things that are asked of the same relate, if that is asked.

    A ratio is computed only of values whose labels say in words what is asked: one of men is no share of all people.
    """
    if len(known) < 2:
        return
    is_said = all(one.match.shared >= _SAID for one in known)
    if question.wants_difference:
        yield from difference(known, of_both("−", known, language), language)
    elif question.operation is Operation.RATIO and is_said and not any(map(_is_share, known)):
        yield from ratio(known, of_both("÷", known, language), language)


def _of_total(part: CitedValue, group: Sequence[CitedValue], language: Language) -> Iterator[str]:
    """Yield which share a part is of the total of its kind: emissions from coal, of total emissions."""
    if _is_share(part) or _is_total(part.value.label):
        return
    value = part.value
    of_kind = [one for one in group if one.entry.source == part.entry.source and one.value.kind == value.kind]
    whole = [one for one in of_kind if _is_total(one.value.label) and one.value.period == value.period]
    if whole and _unit(whole[0].value) == _unit(value):
        yield from ratio([part, whole[0]], of_both("÷", [part, whole[0]], language), language)


def _unit(value: Value) -> str | None:
    """Return what stands behind the figure of a value, without what multiplies it or when it is of."""
    return next((figure.unit for figure in figures(value.text)), None)


def _two_of(by_attribute: Sequence[Sequence[CitedValue]], question: Asked) -> list[CitedValue]:
    """Return the values of the two things that are asked; else of the only two parts that one thing is told of.

    Literacy is told of men, of women, and in total. None where there are not two.
    """
    nearest = [_nearest_of(group, question) for group in by_attribute[:2]]
    if len({one.entry.id for one in nearest}) == 2:
        return nearest
    parts = [[one for one in group if one.value.is_amount and not _is_total(one.value.label)] for group in by_attribute]
    if len(parts) > 1 and all(parts[:2]):  # Men's and women's: the total came nearest to both.
        nearest = [max(group, key=lambda one: one.match.rank) for group in parts[:2]]
        return nearest if nearest[0].entry.id != nearest[1].entry.id else []
    told = {(one.value.label, one.value.text): one for group in parts for one in group}
    labels = {label for label, _ in told}
    kinds = {(one.value.subject, one.value.kind, _unit(one.value)) for one in told.values()}
    return list(told.values()) if len(told) == len(labels) == 2 and len(kinds) == 1 else []


def _is_share(one: CitedValue) -> bool:
    """Whether a value is told as a share already: what it is a share of is not needed beside it."""
    return any(mark in one.value.text for mark in SHARES)


def _one_by_one(
    by_attribute: Sequence[Sequence[CitedValue]], cited: Sequence[CitedValue], question: Asked, request: ReportRequest
) -> Iterator[str]:
    """Yield the values of each thing asked: summed up where months make a year, as rows of a table, or line by line."""
    shown: set[tuple[str, str]] = set()
    quotes: set[str] = set()
    led: set[str] = set()
    for group in by_attribute:
        if months := told_by_month(group, question):
            yield from by_year(months, question, request)
            continue
        if rows := [one for one in group if is_led(one)]:
            yield from _rows(rows, question, request)
            led |= {one.value.subject for one in rows}
        elif fresh := [one for one in group if one.value.label not in led]:
            yield from _of_attribute(fresh, cited, question, request, shown=shown, quotes=quotes)


def _nearest_of(group: Sequence[CitedValue], question: Asked) -> CitedValue:
    """Return the value that answers one thing asked: of the nearest label that has amounts, the latest asked for."""
    amounts = [one for one in group if one.value.is_amount] or group
    label = max(amounts, key=lambda one: (one.match.shared, _is_total(one.value.label), one.match.rank)).value.label
    return _in_time(of_label(amounts, label), question)[-1]


def _is_total(label: str) -> bool:
    """Whether a column counts all, beside others that count parts: 外国人総数 beside 外国人男."""
    return _TOTAL.search(label) is not None


def _of_attribute(
    group: Sequence[CitedValue],
    cited: Sequence[CitedValue],
    question: Asked,
    request: ReportRequest,
    *,
    shown: set[tuple[str, str]],
    quotes: set[str],
) -> Iterator[str]:
    """Yield the values of one thing asked under the labels nearest to it; `shown` and `quotes` take what is said."""
    language = request.brief.language
    best = max(group, key=lambda one: one.match.rank).match
    near = [one for one in group if one.match.rank >= best.rank - _CLOSE and one.match.shared >= best.shared]
    labels = list(dict.fromkeys(one.value.label for one in sorted(near, key=lambda one: -one.match.rank)))
    asked = question.attributes[best.attribute]
    labels = [label for label in labels if begins_with_asked(asked, label)] or labels
    if not (question.wants_items_of(best.attribute) or _OF_WHAT.search(question.question)):
        labels = [label for label in labels if is_headed_by(asked, label)] or labels
        labels = [label for label in labels if plainness(asked, label) == 1] or labels
        whole = {one.value.kind for one in group if one.value.label in labels and _OF_ALL.search(one.value.label)}
        parts = {one.value.label for one in group if one.value.kind in whole and not _OF_ALL.search(one.value.label)}
        labels = [label for label in labels if label not in parts]
    if question.wants_figure:
        amounts = {one.value.label for one in group if one.value.is_amount}
        labels = [label for label in labels if label in amounts] or labels
    for label in _of_family(labels, group):
        series = _in_time(_of_one_row(of_label(group, label), question), question)
        fresh = [one for one in series if (one.entry.id, label) not in shown]
        shown |= {(one.entry.id, label) for one in fresh}
        if len(fresh) > 1 and all(map(is_row_of_table, fresh)) and len({one.entry.id for one in fresh}) == 1:
            said = "; ".join(dict.fromkeys(escape_markdown(with_period(one.value)) for one in fresh))
            yield f"- {escape_markdown(label)}: {said} [{fresh[0].entry.id}]"
            fresh = []
        for one in fresh[:_LINES]:
            beside = [other for other in cited if other.entry is one.entry and other.value.label not in (label, "")]
            rest = [other for other in beside if (other.entry.id, other.value.label) not in shown]
            shown |= {(other.entry.id, other.value.label) for other in rest}
            if rest or one.entry.quote not in quotes:
                quotes.add(one.entry.quote)
                yield f"- {_line(one, request, rest)}"
        changes = list(change(series, language)) if question.operation is Operation.CHANGE else []
        yield from changes
        if changes:
            break  # What changed is told; other labels are of other things.


def _of_family(labels: Sequence[str], group: Sequence[CitedValue]) -> Sequence[str]:
    """Return the labels that are shown: the nearest, or all shares of one whole, the largest first."""
    kinds = {one.value.kind for one in group if one.value.label in labels}
    family = {one.value.label: one for one in group if one.value.kind in kinds and one.value.kind != one.value.label}
    if len(labels) > 1 and len(kinds) == 1 and all(map(_is_share, family.values())):
        return sorted(family, key=lambda label: -(family[label].number or 0.0))[:_FAMILY]
    return labels[:_LINES]


def _best_label(group: Sequence[CitedValue], places: Sequence[Name], request: ReportRequest) -> str:
    """Return the label that is nearest to what is asked and that most of the names have."""
    told: dict[str, tuple[int, float]] = {}
    for label in dict.fromkeys(one.value.label for one in group):
        ones = of_label(group, label)
        count = sum(any(_is_of(one, name, request) for one in ones) for name in places)
        told[label] = (count, max(one.match.rank for one in ones))
    best = max(score for _, score in told.values())
    near = {label: count for label, (count, score) in told.items() if score >= best - 2 * _CLOSE}
    return max(near, key=lambda label: (near[label], told[label][1]))


def _of_one_row(series: Sequence[CitedValue], question: Asked) -> list[CitedValue]:
    """Return the values of one row where several tables have it: the one for most of the years asked for.

    Of those a row of amounts comes before one of shares, unless a share is asked for; of two, that of the larger
    amounts: the same is told again of a part, such as what of an expense was paid in stock.
    """
    if question.operation is Operation.CHANGE and all(map(is_file_row, series)):
        return _of_one_file(series, question)
    rows: dict[str, list[CitedValue]] = {}
    for one in series:
        rows.setdefault(one.entry.id, []).append(one)
    if len(rows) < 2 or not all(map(is_row_of_table, series)):
        return list(series)

    def worth(row: Sequence[CitedValue]) -> tuple[int, bool, float]:
        years = {one.value.year for one in row if question.years and question.is_in_years(one.value.year)}
        quote = row[0].entry.quote
        is_share = "%" in quote and _CURRENCY.search(quote) is None  # A row of amounts may end with their change.
        return len(years), is_share is (question.operation is Operation.RATIO), max(one.number or 0.0 for one in row)

    return max(rows.values(), key=worth)


def _of_one_file(series: Sequence[CitedValue], question: Asked) -> list[CitedValue]:
    """Return the values of the data file that says most of what is asked: each counts in a way of its own."""
    files: dict[str, list[CitedValue]] = {}
    for one in series:
        files.setdefault(one.entry.source, []).append(one)
    shares = word_shares(question.question, [own[0].entry.quote for own in files.values()])
    told = [(len({one.value.year for one in own}), share) for own, share in zip(files.values(), shares, strict=True)]
    return list(files.values())[told.index(max(told))] if told else []


def _rows(series: Sequence[CitedValue], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield what leads to a table, its rows that are asked for, and the share of the first where one is.

    A row of words is told as a whole: what is done about a risk stands beside what it means.
    """
    language = request.brief.language
    lead = series[0].value.label
    percent = "%" if _PERCENT.search(lead) else ""
    yield f"- {escape_markdown(lead.rstrip('.'))}{_COLON.in_(language)}"
    for subject in dict.fromkeys(one.value.subject for one in series):
        own = [one for one in series if one.value.subject == subject]
        if not any(one.value.is_amount for one in own):
            yield f"  - {_quoted(own[0].entry, request)}"
            continue
        printed = [replace(one.value, text=counted(one.value.text, percent)) for one in own]
        said = "; ".join(escape_markdown(with_period(one)) for one in printed)
        yield f"  - {escape_markdown(subject)}: {said} [{own[0].entry.id}]"
        if question.wants_change:
            yield from change(sorted(own, key=lambda one: one.value.year), language)
    if question.operation is Operation.ADD and len(series) > 1:
        yield summed([one for one in series if one.value.label == lead], Phrase("total").in_(language), language)
    is_told = series[-1].value.subject.startswith("%")
    if question.operation is Operation.RATIO and len(series) == 2 and not is_told:
        yield from ratio(series, of_both("÷", series, language), language)


def _is_of(one: CitedValue, name: Name, request: ReportRequest) -> bool:
    """Whether a value is of somebody; one that says of which place it is, is of no other that its page is titled by."""
    subject = one.value.subject
    if name.is_place and places_in(subject):
        return name.stands_in(folded(subject))
    return name.stands_in(folded(f"{subject} {request.pages[one.entry.source].title}"))


def _in_time(series: Sequence[CitedValue], question: Asked) -> list[CitedValue]:
    """Return the values of one label for the years that are asked for, else the latest first."""
    ordered = sorted(series, key=lambda one: (one.value.year, one.value.period))
    if question.years:
        inside = [one for one in ordered if question.is_in_years(one.value.year)]
        ends = [one for one in inside if one.value.year in (min(question.years), max(question.years))]
        spans = question.operation in (Operation.CHANGE, Operation.COMPARE)
        if spans and len({one.value.year for one in ends}) > 1:
            return ends
        if inside:
            return inside
    dated = [one for one in ordered if one.value.period]
    if question.operation is Operation.CHANGE:
        return ordered
    return dated[-1:] if dated and not dated[-1].value.is_row else ordered


def _line(one: CitedValue, request: ReportRequest, beside: Sequence[CitedValue]) -> str:
    """Return a value as the source has it; those of a table row with their labels, since it says more than is asked."""
    if not is_row_of_table(one):
        is_series = is_file_row(one) and question_parts(request.brief.question).operation is Operation.CHANGE
        return row_of_file(one) if is_series else _quoted(one.entry, request)
    said = [_labelled(one.value), *(_labelled(other.value, one.value.subject) for other in beside[:_LINES])]
    return f"{'; '.join(dict.fromkeys(said))} [{one.entry.id}]"


def _labelled(value: Value, subject: str = "") -> str:
    """Return a value behind its label, without the subject if that was named."""
    period = f" ({value.period})" if value.period else ""
    label = f"{value.label.removeprefix(f'{subject}: ')}{period}"
    return f"{escape_markdown(label)}: {escape_markdown(value.text)}"


def _quoted(entry: Evidence, request: ReportRequest) -> str:
    return quoted(entry, request.pages[entry.source], request.brief.language)


def _table(
    groups: Sequence[Sequence[CitedValue]], names: Sequence[Name], question: Asked, request: ReportRequest
) -> Iterator[str]:
    """Yield the values of several names side by side: a row a name, a column for what is asked.

    A label that several of them have stands above its column; where each calls it in its own way, with the values.
    """
    heads: list[str] = []
    columns: list[tuple[Sequence[CitedValue], bool]] = []
    for group in groups:
        column = of_label(group, _best_label(group, names, request))
        is_shared = sum(any(_is_of(one, name, request) for one in column) for name in names) > 1
        # A data file may call every figure a value.
        is_label = is_shared and (column[0].match.shared > 0 or not is_file_row(column[0]))
        asked = asked_of(column[0], question)
        heads.append(headed(column[0].value.label, asked, request.brief.language) if is_label else asked)
        columns.append((column if is_shared else group, is_shared))
    if question.operation is Operation.RANK:
        names = _in_order(names, columns[0][0], question, request)
    yield f"| | {' | '.join(map(escape_markdown, heads))} |"
    yield f"| --- |{' --- |' * len(heads)}"
    for name in names:
        cells = [
            _cell([one for one in column if _is_of(one, name, request)], question, request, is_shared=is_shared)
            for column, is_shared in columns
        ]
        yield f"| {escape_markdown(getattr(name, request.brief.language.value))} | {' | '.join(cells)} |"
    yield ""


def _in_order(
    names: Sequence[Name], column: Sequence[CitedValue], question: Asked, request: ReportRequest
) -> list[Name]:
    """Return names by what a column tells of each, as the question asks for the highest or the lowest; others last."""
    told = {name: _in_time([one for one in column if _is_of(one, name, request)], question) for name in names}
    known = {name: number for name, own in told.items() if own and (number := own[0].number) is not None}
    ordered = sorted(known, key=known.__getitem__, reverse=not question.is_least)
    return [*ordered, *(name for name in names if name not in known)]


def _cell(own: Sequence[CitedValue], question: Asked, request: ReportRequest, *, is_shared: bool) -> str:
    """Return what is told of one name, the latest last: under a label of its own, of the row that is nearest by it."""
    said = list(own)
    if own and not is_shared:
        best = max(own, key=lambda one: (is_headed_by(asked_of(one, question), one.value.label), one.match.rank))
        said = of_label(own, best.value.label)
    row = _of_one_row(said, question)
    dated = [one for one in row if one.value.year] or row  # Beside years, “Change” is of none.
    timely = _in_time(dated, question)
    timely = timely if question.years else _as_of(timely, request.today)
    told = {with_period(one.value): one for one in reversed(timely)}
    if not told:
        return "–"
    by_entry: dict[str, list[str]] = {}
    for text, one in list(reversed(told.items()))[-_SIDE:]:
        by_entry.setdefault(one.entry.id, []).append(escape_markdown(text))
    values = "; ".join(f"{'; '.join(texts)} [{name}]" for name, texts in by_entry.items())
    label = row[0].value.subject if is_led(row[0]) else row[0].value.label
    return values if is_shared else f"{escape_markdown(label)}: {values}"


def _as_of(series: Sequence[CitedValue], today: date) -> list[CitedValue]:
    """Return, of the years of a row, the last that is no forecast: what is asked without a year is asked of now."""
    past = [one for one in series if one.value.year and int(one.value.year) <= today.year]
    return past[-1:] if past and all(map(is_file_row, series)) else list(series)


# --- what is computed ------------------------------------------------------------------------------------------


def _together(
    column: Sequence[CitedValue], places: Sequence[Name], question: Asked, request: ReportRequest
) -> Iterator[str]:
    """Yield the sum of the names, or how the first relates to the second."""
    own = [_in_time([one for one in column if _is_of(one, name, request)], question) for name in places]
    own = own if question.years else [_as_of(series, request.today) for series in own]
    known = [series[-1] for series in own if series and series[-1].number is not None]
    if len(known) < len(places):
        return
    language, asked = request.brief.language, asked_of(known[0], question)
    label = escape_markdown(headed(known[0].value.label, asked, language))
    adds = question.operation is Operation.ADD or question.averages_group
    sign = "+" if adds else "−" if question.wants_difference else "÷"
    names = f" {sign} ".join(escape_markdown(getattr(name, language.value)) for name in places)
    what = COMMA.in_(language).join((label, names))
    if question.averages_group:
        yield averaged(known, what, language)
    elif question.operation is Operation.ADD and not any(map(_is_share, known)):
        yield summed(known, what, language)
    elif len(known) == 2:
        yield from (difference if question.wants_difference else ratio)(known, what, language)


def _order(
    ordered: Sequence[CitedValue],
    further: Sequence[Sequence[CitedValue]],
    question: Asked,
    request: ReportRequest,
) -> Iterator[str]:
    """Yield the first places of an order, or all that keep to a limit, each with what else is asked of its row."""
    language, limit = request.brief.language, question.limit
    if not ordered:
        return
    cells = [one.value.subject.split("; ") for one in ordered]
    common = [cell for cell in cells[0] if len(cells) > 1 and all(cell in others for others in cells)]
    label = label_of_rows(ordered[0].value)
    if common:  # Behind a unit in brackets there are no others.
        own = ", ".join(common)
        label = f"{label}, {own}" if label.endswith(")") else f"{label} ({own})"
    label = label[:1].upper() + label[1:] if label.partition(" ")[0].islower() else label

    def place(one: CitedValue, own: Sequence[str]) -> str:
        title = request.pages[one.entry.source].title
        subject = "; ".join(cell for cell in own if cell not in common)
        is_when = not subject and bool(common and one.value.period)  # All are of one: what differs is when.
        subject = one.value.period if is_when else place_in(language, subject or one.value.subject or title)
        beside = "".join(f"; {escape_markdown(f'{other.label}: {other.text}')}" for other in _in_its_row(one, further))
        told = escape_markdown(one.value.text if is_when else with_period(one.value))
        return f"  - {escape_markdown(subject)}: {told}{beside} [{one.entry.id}]"

    heading = _heading(escape_markdown(label), question).in_(language)
    if question.counts_places:
        counted = _AT_LEAST if len(ordered) >= MOST_WITHIN else _COUNTED
        heading = counted.filled(count=str(len(ordered)), told=heading).in_(language)
    if question.placed is not None:
        heading = f"{heading} {_placed(question.placed, ordered, request)}"
    yield f"- {heading}"
    lines = list(map(place, ordered, cells))
    shown = question.first_few or _SHOWN
    yield from lines if question.is_bounded else lines[:shown]
    if question.has_both_ends and (last := lines[shown:][-shown:]):
        yield f"- {_LOWEST.filled(label=escape_markdown(label)).in_(language)}"
        yield from reversed(last)
    if limit is not None and len(ordered) >= MOST_WITHIN:
        yield f"- {NO_MORE.filled(count=str(len(ordered))).in_(language)}"
    if any(request.pages[one.entry.source].origin.is_open for one in ordered):
        yield f"- {_READ_ONLY.in_(language)}"


def _placed(name: Name, ordered: Sequence[CitedValue], request: ReportRequest) -> str:
    """Return which number somebody is in an order that goes down to their value; none is before one as large."""
    language = request.brief.language
    told = escape_markdown(getattr(name, language.value))
    own = next((one for one in ordered if _is_of(one, name, request)), None)
    if own is None:
        return _NOT_PLACED.filled(name=told, count=str(len(ordered))).in_(language)
    before = [one for one in ordered[: ordered.index(own)] if one.number != own.number]
    return _IS_PLACED.filled(name=told, place=str(len(before) + 1)).in_(language)


def _in_its_row(one: CitedValue, further: Sequence[Sequence[CitedValue]]) -> Iterator[Value]:
    """Yield what the row of a value says under the label nearest to each thing that is asked beside it."""
    for group in further:
        own = [other for other in group if other.entry is one.entry and other.value.label != one.value.label]
        if own and one.value.is_row:
            yield max(own, key=lambda other: (other.match.shared, other.match.rank)).value


def _ordered(group: Sequence[CitedValue], question: Asked, request: ReportRequest) -> list[CitedValue]:
    """Return the values of the nearest label in order: of each subject its latest, of several data files one's.

    Where most subjects are places, those that are none (the world, a union) are left out.
    """
    ordered = [one for one in group if one.value.is_figure or (one.entry.answers and not one.value.is_prose)]
    best = max(ordered, key=lambda one: (one.match.score, one.match.rank), default=None)
    same = [one for one in ordered if label_of_rows(one.value) == label_of_rows(best.value)] if best else []
    if all(map(is_file_row, same)):
        same = _of_one_file(same, question)
    parts, limit = regions_in(question.question), question.limit
    latest: dict[tuple[str, str], CitedValue] = {}
    for one in sorted(same, key=lambda one: one.value.period):
        if lies_in(one.value.subject or request.pages[one.entry.source].title, parts):
            latest[one.value.subject, one.value.period if one.value.is_row else ""] = one
    kept: Sequence[CitedValue] = [one for one in latest.values() if limit is None or limit.holds(one.number or 0.0)]
    kept = places_among(kept, lambda one: one.value.subject or request.pages[one.entry.source].title)
    return sorted(kept, key=lambda one: one.number or 0.0, reverse=not question.is_least)


def _heading(label: str, question: Asked) -> Bilingual:
    """Return what leads to an order: which way it goes, or what it is limited to."""
    limit = question.limit
    if limit is None:
        return (_LOWEST if question.is_least else _HIGHEST).filled(label=label)
    return _LIMITED[limit.is_above, limit.is_within].filled(label=label, limit=escape_markdown(limit.said))


_FEWEST = 2
"""Places from which what is told of them is a list."""
_HEAD_OF_ALL = Bilingual("{label}:", "{label}：")
_ONLY_READ = Phrase("Those on pages that were read; there may be others.")


class ToldOfAll(NamedTuple):
    """A list, and the quotes that it cites."""

    lines: tuple[str, ...]
    """Markdown."""
    shown: tuple[Evidence, ...]


class _LineOfAll(NamedTuple):
    subject: str
    label: str
    said: str
    entry: Evidence


def inside(pool: list[Evidence], question: Asked, request: ReportRequest) -> list[Evidence]:
    """Return the quotes of pages on places in the part of the world that is asked for, where no place is named."""
    parts = () if question.names else regions_in(question.question)
    elsewhere = {source: lies_elsewhere(request.pages[source].title, parts) for source in {one.source for one in pool}}
    return [entry for entry in pool if not elsewhere[entry.source]] or pool


def told_of_all(pool: Sequence[Evidence], question: Asked, request: ReportRequest) -> ToldOfAll | None:
    """Return of each place what quotes tell of it under the label of which most tell what is asked; None without one.

    A library brings the lines of all that it holds; of the web only what was read is known, which is said.
    """
    asked = things_of_all(question)
    found: dict[str, dict[str, _LineOfAll]] = {}
    for line in (line for entry in pool if asked and (line := _line_of_all(entry, request)) is not None):
        if meets(asked, line.label, line.said):
            found.setdefault(line.label, {}).setdefault(line.subject, line)
    told_under = {label: [line.said for line in own.values()] for label, own in found.items()}
    best = found.get(best_told(told_under, asked), {})
    if len(best) < _FEWEST and not any(one.entry.answers for one in best.values()):
        return None
    told = sorted(best.values())
    language = request.brief.language
    lines = [f"- {_HEAD_OF_ALL.in_(language).format(label=escape_markdown(told[0].label))}"]
    for one in told:
        subject = escape_markdown(place_in(language, one.subject))
        lines.append(f"  - {subject}: {escape_markdown(one.said)} [{one.entry.id}]")
    if any(request.pages[one.entry.source].origin.is_open for one in told):
        lines.append(f"- {_ONLY_READ.in_(language)}")
    elif len(told) >= MOST_WITHIN:
        lines.append(f"- {NO_MORE.filled(count=str(len(told))).in_(language)}")
    return ToldOfAll(tuple(lines), tuple(one.entry for one in told))


def _line_of_all(entry: Evidence, request: ReportRequest) -> _LineOfAll | None:
    """Return what a quote tells of a place under a label; None if it is no such line."""
    line = data_line_in(entry.quote)
    if line is None:
        return None
    subject, label = without_subject(line.label)
    subject = subject or request.pages[entry.source].title
    return _LineOfAll(subject, label, line.value, entry) if places_in(subject) else None
