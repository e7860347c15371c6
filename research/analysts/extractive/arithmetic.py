"""Values and what is computed of them: sums, ratios, changes, each with the figures that it is worked out from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from research.analysts.extractive.calculation import computed_line, from_to, headed
from research.analysts.extractive.values import ValueMatch
from research.analysts.protocol import ReportRequest
from research.core import Evidence, How
from research.language import COMMA, Bilingual, Language, Phrase
from research.quantities import Part, made_of, operand_of, part_of_rows, shown, signed, span_of
from research.text import Asked, Scale, Value, escape_markdown, is_table_row, place_in, scale_of

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


def sum_of(group: Sequence[CitedValue], request: ReportRequest, asked: str = "") -> Iterator[str]:
    """Yield the sum of the values of the nearest label to what is asked, if there are several."""
    if not group:
        return
    best = max(group, key=lambda one: (one.match.score, one.match.rank)).value.label
    ones = [one for one in of_label(group, best) if number_of(one) is not None]
    if len(ones) > 1:
        language = request.brief.language
        what = escape_markdown(_told_of(ones, language, asked))
        part = rows_of(ones, How.SUM, request)
        yield _told_by_rows(what, part, ones, language) if part else summed(ones, what, language)


def average_of(ones: Sequence[CitedValue], request: ReportRequest, asked: str = "") -> Iterator[str]:
    """Yield what rows of a file come to on average."""
    if len(ones) > 1 and (part := rows_of(ones, How.AVERAGE, request)):
        language = request.brief.language
        what = _AVERAGE.in_(language).format(what=_told_of(ones, language, asked))
        yield _told_by_rows(escape_markdown(what), part, ones, language)


def rows_of(ones: Sequence[CitedValue], how: How, request: ReportRequest) -> Part | None:
    """Return what the rows of one data file come to in which values of one label stand; None if they are no such rows.

    What is told of them so is done again by the check, from the page.
    """
    if len({one.entry.source for one in ones}) != 1 or not all(map(is_file_row, ones)):
        return None
    text = request.pages[ones[0].entry.source].text
    return part_of_rows(text, {one.value.start for one in ones}, how, ones[0].value.label)


def _told_by_rows(what: str, part: Part, ones: Sequence[CitedValue], language: Language) -> str:
    said = escape_markdown(f"{shown(part.value)} = {made_of(part, language)}")
    return computed_line(what, f"{said} {_marks(ones)}", language)


def summed(ones: Sequence[CitedValue], what: str, language: Language) -> str:
    """Return the line of a sum of values that are cited one by one."""
    scale = common_scale(ones)
    added = " + ".join(f"{plain(number_of(one), scale)} [{one.entry.id}]" for one in ones)
    return computed_line(what, f"{plain(total_of(ones), scale)} = {added}", language)


def total_of(ones: Sequence[CitedValue]) -> float:
    """Return what values come to."""
    return sum(number for one in ones if (number := number_of(one)) is not None)


def _marks(ones: Sequence[CitedValue]) -> str:
    return "".join(f"[{one.entry.id}]" for one in ones)


def change_of_sums(
    first: Sequence[CitedValue], last: Sequence[CitedValue], request: ReportRequest, asked: str = ""
) -> Iterator[str]:
    """Yield by how much the sum of some rows differs from that of others of the same, as a difference and a share."""
    language = request.brief.language
    before, after = (rows_of(ones, How.SUM, request) if ones else None for ones in (first, last))
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
    some: Sequence[CitedValue], every: Sequence[CitedValue], request: ReportRequest, asked: str = ""
) -> Iterator[str]:
    """Yield which share the sum of some rows is of that of all in their file."""
    language = request.brief.language
    part, whole = (rows_of(ones, How.SUM, request) if ones else None for ones in (some, every))
    if part is None or whole is None or not whole.value or len(some) == len(every):
        return
    what = _SHARE_OF_ALL.in_(language).format(what=_told_of(some, language, asked))
    worked = f"{operand_of(part, language)} ÷ {operand_of(whole, language)}"
    said = escape_markdown(f"{part.value / whole.value:.1%} = {worked}")
    yield computed_line(escape_markdown(what), f"{said} {_marks(every)}", language)


def ratio(known: Sequence[CitedValue], what: str, language: Language) -> Iterator[str]:
    """Yield how the first of two relates to the second: as a share where it is less."""
    first, second = (number_of(one) for one in known[:2])
    if first is not None and second:
        marks = " ÷ ".join(f"{_figure(one)} [{one.entry.id}]" for one in known[:2])
        shown = f"{first / second:.1%}" if first < second else f"{first / second:.3g}"
        yield computed_line(what, f"{shown} = {marks}", language)


def _figure(one: CitedValue) -> str:
    """Return the figure of a value as it stands there, with what multiplies it, and not what it is of."""
    text = _ASIDE.sub("", one.value.text)
    bare = plain(number_of(one), scale_of(text))
    return bare if bare in text else text


def difference(known: Sequence[CitedValue], what: str, language: Language) -> Iterator[str]:
    """Yield by how much the first of two is more, or less, than the second."""
    first, second = (number_of(one) for one in known[:2])
    if len(known) == 2 and first is not None and second is not None:
        scale = common_scale(known)
        marks = f"{plain(first, scale)} [{known[0].entry.id}] − {plain(second, scale)} [{known[1].entry.id}]"
        yield computed_line(what, f"{differing(first - second, scale, language)} = {marks}", language)


def change(series: Sequence[CitedValue], language: Language) -> Iterator[str]:
    """Yield the change from the first to the last of a series, as a difference and a share."""
    known = [one for one in series if number_of(one) is not None and one.value.period]
    if len(known) < 2:
        return
    first, last = known[0], known[-1]
    before, after = number_of(first), number_of(last)
    if before is None or after is None:
        return
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


def number_of(one: CitedValue) -> float | None:
    """Return the number that a value is; None if it is none."""
    return one.value.number


def common_scale(ones: Sequence[CitedValue]) -> Scale:
    """Return the unit of several values if it is that of each; else none."""
    units = {scale_of(one.value.text) for one in ones}
    return units.pop() if len(units) == 1 else Scale()


def plain(number: float | None, scale: Scale = _BARE) -> str:
    """Return a number in its unit, without what adding up left behind its last digit."""
    if number is None:
        return "–"
    scaled = number / scale.times
    shown = f"{abs(scaled):,.0f}" if float(scaled).is_integer() else f"{abs(scaled):,.6f}".rstrip("0").rstrip(".")
    return f"{'−' if scaled < 0 else ''}{escape_markdown(scale.sign)}{shown}{scale.word}"
