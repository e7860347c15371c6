"""The charts of a document, chosen from the figures of the run's own evidence; never from anything else."""

from __future__ import annotations

import re
from collections.abc import Mapping

from research.core.brief import Brief
from research.core.citations import Cited, length_of
from research.core.presets import PRESETS
from research.core.vocabulary import Length, OutputForm
from research.export.document import Chart, Series
from research.export.follow_ups import all_numbers
from research.export.measure_words import in_words
from research.language import Bilingual
from research.quantities.table import figure_rows
from research.results.record import added_on
from research.results.report import Report
from research.verification.series import Point, Quantity, beside, measure_of, quantities

_AT_MOST = {OutputForm.CHARTS: 8, OutputForm.MIX: 4, OutputForm.POINTS: 2, OutputForm.TEXT: 0}
"""Charts of each form, as far as the length has room for them."""
_ROOM = {Length.PAGE: 1, Length.SHORT: 3, Length.MEDIUM: 6, Length.LONG: 12}
_LATER = Bilingual("{title} (added by a follow-up question)", "{title}（追加の質問で加わった情報源）")
_YEAR = re.compile(r"\s*\b(?:FY\s?)?(?:19|20)\d{2}(?:年度?)?\b")
_NAME = 60
_SERIES = 6
"""Sources in one chart, at most: more cannot be told apart."""


def charts_of(report: Report, cited: Cited) -> tuple[Chart, ...]:
    """Return the charts that the brief's form and length have room for.

    What the report cites comes first, then what says most. A chart shows one quantity: its values over time, or side by
    side where several sources give it for one period.
    """
    brief = report.record.brief
    at_most = min(_AT_MOST[_form(brief)], _ROOM[length_of(brief)])
    if not at_most:
        return ()
    used = set(cited.evidence)
    rows = figure_rows(report.evidence_now, report.pages)
    found = [quantity for quantity in quantities(rows) if is_comparable(quantity)]

    def importance(quantity: Quantity) -> tuple[bool, bool, int, int]:
        is_cited = any(point.evidence in used for point in quantity.points)
        return is_cited, quantity.is_series, len(quantity.sources), len(quantity.points)

    numbers = all_numbers(report)
    return tuple(_chart(one, report, numbers) for one in sorted(found, key=importance, reverse=True)[:at_most])


def is_comparable(quantity: Quantity) -> bool:
    """Whether there is something to see in a chart: dated values of several periods, or several values of one."""
    dated = _dated(quantity)
    return len({point.period for point in dated}) > 1 or len({point.value for point in dated}) > 1


def _form(brief: Brief) -> OutputForm:
    return brief.form or PRESETS[brief.preset].form


def _dated(quantity: Quantity) -> list[Point]:
    return [point for point in quantity.points if point.period is not None]


def _chart(quantity: Quantity, report: Report, numbers: Mapping[str, int]) -> Chart:
    pages = list(dict.fromkeys(point.source for point in _dated(quantity)))[:_SERIES]
    names = {page: _short(report.pages[page].title) for page in pages}
    added = added_on(report.history)
    later = dict.fromkeys(point.source for point in _dated(quantity) if point.evidence in added)
    noted = [names[page] for page in pages if page not in numbers and page not in later]
    noted += [_LATER.in_(report.record.brief.language).format(title=names[page]) for page in pages if page in later]
    subject = beside(quantity.subject, quantity.label)
    if quantity.is_series:  # What is about one year in the title of a page is not so in a series.
        subject = _YEAR.sub("", subject).strip()
    return Chart(
        title=f"{subject} – {quantity.label}" if subject else quantity.label,
        unit=in_words(measure_of(quantity), report.record.brief.language),
        labels=quantity.periods,
        series=_series(quantity, names),
        sources=tuple(sorted(numbers[page] for page in pages if page in numbers)),
        is_over_time=quantity.is_series,
        note=" · ".join(noted),
    )


def _series(quantity: Quantity, names: dict[str, str]) -> tuple[Series, ...]:
    """Return one series for each source; only one for all if no two of them differ about any period."""
    by_source = {
        page: {point.period: point.value for point in quantity.points if point.source == page} for page in names
    }
    together: dict[str | None, set[float]] = {}
    for values in by_source.values():
        for period, value in values.items():
            together.setdefault(period, set()).add(value)
    if all(len(values) == 1 for values in together.values()):
        agreed = {period: values for period, (values,) in together.items()}
        return (Series(quantity.label, tuple(agreed.get(period) for period in quantity.periods)),)
    return tuple(
        Series(names[page], tuple(values.get(period) for period in quantity.periods))
        for page, values in by_source.items()
    )


def _short(title: str) -> str:
    line = " ".join(title.split())
    return line if len(line) <= _NAME else line[: _NAME - 1].rstrip() + "…"
