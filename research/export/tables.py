"""The data of a run as files: figures, sources and verdicts as CSV and Excel, the cited sources as bibliographies."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from enum import StrEnum
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from research.core import Page, Sentence, Status, first_day, is_web
from research.export.citing import address
from research.export.markdown import all_numbers
from research.export.office import LINE, LONGEST_PROPERTY, MAKER, QUIET, SERIES
from research.export.words import one_line, safe_address, shortened
from research.language import Bilingual, Language, Phrase
from research.quantities import Cell, FigureRow, figure_rows, label_as_written, to_csv_safe
from research.results import Report, added_on
from research.text import columns
from research.verification import Label, subject_named

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet


class _CellKind(StrEnum):
    """What the text of a column is, which decides how a workbook holds it; numbers are numbers in any column."""

    TEXT = "text"
    ADDRESS = "address"
    DAY = "day"
    """A day (ISO 8601), or less of a date if no more is known."""
    MOMENT = "moment"
    """A time (ISO 8601) with its distance from UTC."""
    NUMBER = "number"


class _Column(NamedTuple):
    head: Bilingual
    width: int
    """For reading, in characters."""
    kind: _CellKind = _CellKind.TEXT


_FIGURES = Phrase("Figures", "list")
_FIGURE_COLUMNS = (
    _Column(Phrase("Subject"), 24),
    _Column(Phrase("Measure"), 40),
    _Column(Phrase("Value"), 16, _CellKind.NUMBER),
    _Column(Phrase("Unit"), 10),
    _Column(Phrase("Currency"), 10),
    _Column(Phrase("Period", "of a figure"), 12),
    _Column(Phrase("As printed"), 18),
    _Column(Phrase("Quote"), 60),
    _Column(Phrase("Source"), 36),
    _Column(Phrase("Address"), 40, _CellKind.ADDRESS),
    _Column(Phrase("Date of source"), 15, _CellKind.DAY),
    _Column(Phrase("Evidence"), 11),
)
_ADDED = _Column(Phrase("Added on"), 14, _CellKind.DAY)
"""The last column, where something joined the run by a further question."""
_SOURCE_COLUMNS = (
    _Column(Phrase("Number"), 10, _CellKind.NUMBER),
    _Column(Phrase("Title", "of a page"), 48),
    _Column(Phrase("Address"), 48, _CellKind.ADDRESS),
    _Column(Phrase("Site"), 24),
    _Column(Phrase("Kind"), 18),
    _Column(Phrase("Date of source"), 15, _CellKind.DAY),
    _Column(Phrase("Read at (UTC)"), 19, _CellKind.MOMENT),
    _Column(Phrase("Quotes", "how many"), 10, _CellKind.NUMBER),
    _Column(Phrase("SHA-256 of the text"), 70),
    _Column(Phrase("Page", "column"), 11),
)
_SENTENCES = Phrase("Sentences")
_SENTENCE_COLUMNS = (
    _Column(Phrase("Sentence"), 80),
    _Column(Phrase("Verdict"), 18),
    _Column(Phrase("Score"), 10, _CellKind.NUMBER),
    _Column(Phrase("Reason"), 48),
    _Column(Phrase("Sources"), 12),
    _Column(Phrase("Evidence"), 16),
)
_ASKED = _Column(Phrase("Asked"), 48)
"""The last column, where a sentence answers a further question."""


@dataclass(frozen=True)
class _Sheet:
    """A table with one row of heads."""

    name: Bilingual
    columns: Sequence[_Column]
    rows: Sequence[Sequence[Cell]]
    language: Language

    @property
    def heads(self) -> list[str]:
        return [column.head.in_(self.language) for column in self.columns]


def _figures_sheet(
    rows: Iterable[FigureRow], pages: Mapping[str, Page], language: Language, added: Mapping[str, date]
) -> _Sheet:
    if not added:
        return _Sheet(_FIGURES, _FIGURE_COLUMNS, [_figure(row, pages[row.source]) for row in rows], language)
    days = {name: day.isoformat() for name, day in added.items()}
    filled = [[*_figure(row, pages[row.source]), days.get(row.evidence)] for row in rows]
    return _Sheet(_FIGURES, (*_FIGURE_COLUMNS, _ADDED), filled, language)


def _figure(row: FigureRow, page: Page) -> list[Cell]:
    said = [row.unit, row.currency, row.period, row.text, row.quote]
    subject, label = subject_named(row), label_as_written(row.label)
    return [subject, label, _number(row.value), *said, page.title, _web_address(page), row.date, row.evidence]


def _number(value: float) -> Cell:
    """Return a value without the noise of binary fractions, whole where it is; text if it is too large for a number."""
    if not isfinite(value):
        return str(value)
    shown = float(f"{value:.15g}")
    return int(shown) if shown.is_integer() and abs(shown) < 1e15 else shown


def _web_address(page: Page) -> str | None:
    """Return the address of a page of the web; where a file of one's own lies is nobody else's business."""
    return page.url if is_web(page.url) else None


def _report_figures(report: Report) -> _Sheet:
    """Return the table of every figure in the quotes of a run, with those that joined it since."""
    rows = figure_rows(report.evidence_now, report.pages)
    return _figures_sheet(rows, report.pages, report.record.brief.language, added_on(report.view))


def _sources_sheet(report: Report) -> _Sheet:
    """Return the table of all pages that were read: those that the report cites first, by number."""
    language, numbers = report.record.brief.language, all_numbers(report)
    quotes = Counter(entry.source for entry in report.evidence_now)
    pages = sorted(report.pages.values(), key=lambda page: numbers.get(page.id, len(report.pages) + 1))
    rows = [
        [
            numbers.get(page.id),
            page.title,
            _web_address(page),
            page.site,
            page.kind.label.in_(language),
            page.published,
            page.fetched_at.astimezone(UTC).isoformat(timespec="seconds"),
            quotes[page.id],
            page.sha256,
            page.id,
        ]
        for page in pages
    ]
    return _Sheet(Phrase("Sources"), _SOURCE_COLUMNS, rows, language)


def _sentences_sheet(report: Report) -> _Sheet:
    """Return the table of the sentences of the report and of the answers to further questions, with their verdicts."""
    language, numbers = report.record.brief.language, all_numbers(report)
    sources = {entry.id: numbers.get(entry.source) for entry in report.evidence_now}
    rows = [_sentence(sentence, sources, language) for sentence in report.record.sentences]
    if not report.follow_ups:
        return _Sheet(_SENTENCES, _SENTENCE_COLUMNS, rows, language)
    rows = [[*row, None] for row in rows]
    for one in report.follow_ups:
        rows += [[*_sentence(said, sources, language), one.answer.question] for said in one.answer.sentences]
    return _Sheet(_SENTENCES, (*_SENTENCE_COLUMNS, _ASKED), rows, language)


def _sentence(sentence: Sentence, sources: Mapping[str, int | None], language: Language) -> list[Cell]:
    cited = dict.fromkeys(number for number in map(sources.get, sentence.evidence) if number is not None)
    verdict = Label(sentence.shown).words.in_(language) if sentence.shown in set(Label) else sentence.shown
    reason = sentence.reason.in_(language) if sentence.reason else None
    numbers = " ".join(f"[{number}]" for number in cited)
    return [sentence.text, verdict, sentence.score, reason, numbers, " ".join(sentence.evidence)]


# --- CSV: spreadsheets open it rightly and take no formula from it -------------------------------------------------


def figures_csv(
    rows: Iterable[FigureRow], pages: Mapping[str, Page], language: Language, added: Mapping[str, date] | None = None
) -> bytes:
    """Return the rows as CSV in UTF-8 with a byte order mark, by which Excel knows it.

    `pages` are by id, the days on which quotes were `added` to the run by the id of the quote.
    """
    return _csv(_figures_sheet(rows, pages, language, added or {}))


def report_figures_csv(report: Report) -> bytes:
    """Return every figure of a run as CSV of the same kind, in the language of the report."""
    return _csv(_report_figures(report))


def sources_csv(report: Report) -> bytes:
    """Return the pages that were read as CSV of the same kind, in the language of the report."""
    return _csv(_sources_sheet(report))


def _csv(sheet: _Sheet) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(sheet.heads)
    writer.writerows([to_csv_safe(cell) for cell in row] for row in sheet.rows)
    return file.getvalue().encode("utf-8-sig", "replace")


# --- Excel: numbers and days as such, all else as text, nothing as a formula ---------------------------------------

_FACES = {Language.EN: "Calibri", Language.JA: "Yu Gothic"}
_LONGEST_CELL = 32_000
"""Characters; a cell of Excel holds 32,767."""
_MOST_LINKS = 60_000
"""Links of a sheet, of which Excel reads 65,530."""
_HEAD_HEIGHT, _LATIN_HEIGHT, _WIDE_HEIGHT, _HIGHEST = 26, 15, 19, 400
"""Points of the head, of a line by its letters, and of a row at most, of which Excel has 409."""
_MOST_DECIMALS = 6
_EARLIEST = 1_901
"""Years before are no dates to Excel."""
_A4 = 9
_LINK = {"font_color": f"#{SERIES[0]}", "underline": 1}
_WRAPPED = {"text_wrap": True, "valign": "top", "bottom": 1, "border_color": f"#{LINE}"}
_SET_IN = {"align": "left", "indent": 1}
_HEAD = {
    **_SET_IN,
    "bold": True,
    "text_wrap": True,
    "valign": "vcenter",
    "bg_color": "#EDF1F7",
    "bottom": 1,
    "border_color": f"#{QUIET}",
}


def figures_xlsx(
    rows: Iterable[FigureRow], pages: Mapping[str, Page], language: Language, added: Mapping[str, date] | None = None
) -> bytes:
    """Return the rows as an `.xlsx` file with one sheet that can be sorted and filtered; see `figures_csv`."""
    return _filled([_figures_sheet(rows, pages, language, added or {})], language, {})


def report_xlsx(report: Report) -> bytes:
    """Return an `.xlsx` file of a run: its figures, its sources, its sentences with verdicts."""
    brief = report.record.brief
    sheets = [_report_figures(report), _sources_sheet(report), _sentences_sheet(report)]
    title = shortened(one_line(brief.question), LONGEST_PROPERTY)
    return _filled(sheets, brief.language, {"title": title, "keywords": report.record.run})


_BATCH = Phrase("Results")
_BATCH_COLUMNS = (
    _Column(Phrase("Question"), 48),
    _Column(Phrase("Status"), 12),
    _Column(Phrase("Answer"), 80),
    _Column(Phrase("Sources"), 40),
    _Column(Phrase("Run"), 18),
)
_ANSWER = 3
"""Sentences of a report that stand for it in a table."""


@dataclass(frozen=True)
class BatchRow:
    """A row of the table that a batch is about, and what became of it."""

    subject: Mapping[str, str]
    question: str
    report: Report | None
    problem: str = ""
    """Why there is no report."""


def batch_xlsx(rows: Sequence[BatchRow], language: Language) -> bytes:
    """Return an `.xlsx` file: a row a subject with its answer, and the figures and sources of all, by run."""
    names = list(dict.fromkeys(name for row in rows for name in row.subject))
    columns = [*(_Column(Bilingual(name, name), 24) for name in names), *_BATCH_COLUMNS]
    told = [[*(row.subject.get(name, "") for name in names), *_outcome(row, language)] for row in rows]
    reports = [row.report for row in rows if row.report is not None]
    sheets = [
        _Sheet(_BATCH, columns, told, language),
        *(_together(reports, sheet_of, language) for sheet_of in (_report_figures, _sources_sheet)),
    ]
    return _filled(sheets, language, {"title": _BATCH.in_(language)})


def _outcome(row: BatchRow, language: Language) -> list[Cell]:
    if row.report is None:
        return [row.question, Status.FAILED.label.in_(language), row.problem, "", ""]
    record = row.report.record
    answer = " ".join(one_line(one.text) for one in record.sentences[:_ANSWER])
    cited = [source for source in record.sources if source.number is not None]
    sources = "\n".join(safe_address(source.url) or source.title for source in cited)
    return [row.question, record.status.label.in_(language), answer, sources, record.run]


def _together(reports: Sequence[Report], sheet_of: Callable[[Report], _Sheet], language: Language) -> _Sheet:
    """Return the sheets of several reports as one, with the run in front."""
    sheets = [(report.record.run, sheet_of(report)) for report in reports]
    rows = [[run, *row] for run, sheet in sheets for row in sheet.rows]
    name, columns = (sheets[0][1].name, sheets[0][1].columns) if sheets else (Phrase("Sources"), ())
    return _Sheet(name, [_Column(Phrase("Run"), 18), *columns], rows, language)


def _filled(sheets: Iterable[_Sheet], language: Language, properties: Mapping[str, str]) -> bytes:
    import xlsxwriter

    file = io.BytesIO()
    face = {"font_name": _FACES[language], "font_size": 11}
    with xlsxwriter.Workbook(file, {"in_memory": True, "default_format_properties": face}) as book:
        book.set_properties({"author": MAKER, **properties})
        worksheets = _Worksheets(book)
        for sheet in sheets:
            worksheets.add(sheet)
    return file.getvalue()


class _Worksheets:
    """Adds sheets to a workbook."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._format = cache(lambda **properties: book.add_format({**_WRAPPED, **properties}))
        self._head = book.add_format(_HEAD)
        self._head_of_numbers = book.add_format({**_HEAD, "align": "right", "indent": 0})

    def add(self, sheet: _Sheet) -> None:
        """Add a sheet that is sorted, filtered and printed at once: its head stays, its width fits on paper.

        Addresses have no column where nothing has one, and rows are as high as their words need, which not every
        program finds out by itself.
        """
        worksheet = self._book.add_worksheet(sheet.name.in_(sheet.language))
        kept = [
            place
            for place, column in enumerate(sheet.columns)
            if column.kind is not _CellKind.ADDRESS or any(row[place] for row in sheet.rows)
        ]
        rows = [[row[place] for place in kept] for row in sheet.rows]
        sheet = replace(sheet, columns=[sheet.columns[place] for place in kept], rows=rows)
        for place, (column, head) in enumerate(zip(sheet.columns, sheet.heads, strict=True)):
            worksheet.set_column(place, place, column.width)
            worksheet.write_string(
                0, place, head, self._head_of_numbers if column.kind is _CellKind.NUMBER else self._head
            )
        worksheet.set_row(0, _HEAD_HEIGHT)
        links = 0
        for line, row in enumerate(sheet.rows, start=1):
            worksheet.set_row(line, min(_HIGHEST, max(map(_height, row, sheet.columns))))
            for place, (column, cell) in enumerate(zip(sheet.columns, row, strict=True)):
                links += self._write(worksheet, (line, place), column.kind, cell, may_link=links < _MOST_LINKS)
        _set_up(worksheet, len(sheet.rows), len(sheet.columns))

    def _write(self, sheet: Worksheet, place: tuple[int, int], kind: _CellKind, cell: Cell, *, may_link: bool) -> bool:
        """Write a cell and return whether it is a link."""
        if cell is None:
            sheet.write_blank(*place, None, self._format())
            return False
        if not isinstance(cell, str):
            sheet.write_number(*place, cell, self._format(num_format=_number_format(cell)))
            return False
        link = safe_address(cell) if kind is _CellKind.ADDRESS and may_link else ""
        moment = _moment(cell, kind)
        words = cell[:_LONGEST_CELL].encode("utf-8", "replace").decode("utf-8")
        if link:
            sheet.write_url(*place, link, self._format(**_LINK, **_SET_IN), words)
        elif moment is not None:
            pattern = "yyyy-mm-dd hh:mm" if kind is _CellKind.MOMENT else "yyyy-mm-dd"
            sheet.write_datetime(*place, moment, self._format(num_format=pattern, **_SET_IN))
        else:
            sheet.write_string(*place, words, self._text(cell))
        return bool(link)

    def _text(self, cell: str) -> Format:
        """Return the format of text: what looks like a formula is kept text even when it is edited."""
        return self._format(**_SET_IN, **({} if to_csv_safe(cell) == cell else {"quote_prefix": True}))


def _height(cell: Cell, column: _Column) -> int:
    """Return the points that a cell needs in lines of its column's width."""
    text = cell if isinstance(cell, str) and column.kind in (_CellKind.TEXT, _CellKind.ADDRESS) else ""
    lines = sum(max(1, -(-columns(part) // (column.width - 1))) for part in text.split("\n"))
    return lines * (_LATIN_HEIGHT if text.isascii() else _WIDE_HEIGHT)


def _set_up(worksheet: Worksheet, rows: int, columns: int) -> None:
    worksheet.freeze_panes(1, 1)
    worksheet.autofilter(0, 0, rows, columns - 1)
    worksheet.ignore_errors({"number_stored_as_text": f"A1:XFD{rows + 1}"})
    worksheet.set_landscape()
    worksheet.set_paper(_A4)
    worksheet.fit_to_pages(1, 0)
    worksheet.repeat_rows(0)
    worksheet.set_footer("&L&A&R&P / &N")


def _number_format(number: float) -> str:
    """Return a pattern with the thousands apart and as many decimals as a number has."""
    decimals = len(f"{number:.{_MOST_DECIMALS}f}".rstrip("0").partition(".")[2])
    if abs(number) >= 1e15 or (number and not decimals and abs(number) < 1):
        return "General"
    return "#,##0" + (f".{'0' * decimals}" if decimals else "")


def _moment(text: str, kind: _CellKind) -> datetime | None:
    """Return a day, or a time in UTC, without its zone, which Excel does not know; None for less of a date."""
    if kind not in (_CellKind.DAY, _CellKind.MOMENT):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if kind is _CellKind.DAY:
        moment = datetime.combine(moment.date(), time())
    elif moment.tzinfo:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment if moment.year >= _EARLIEST else None


# --- bibliographies: BibTeX (for biblatex and reference managers) and RIS --------------------------------------------

# The addresses, titles and dates are those of the pages; who wrote a page is not known and is never guessed. Text keeps
# its script (UTF-8); what the format reads as a command is escaped.

_NOTE = Phrase("Source [{number}] of the report {run}; SHA-256 of the text that was read: {sha256}")
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "$&#_%"},
    }
)
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?(?=T|$)")


def to_bibtex(report: Report) -> bytes:
    """Return an `@online` entry for each source that the report cites, by number."""
    entries = [_bibtex(number, page, report) for number, page in _cited(report)]
    return "\n".join(entries).encode("utf-8")


def to_ris(report: Report) -> bytes:
    """Return an `ELEC` record for each source that the report cites, by number."""
    records = ["".join(f"{line}\r\n" for line in _ris(number, page, report)) for number, page in _cited(report)]
    return "\r\n".join(records).encode("utf-8")


def _cited(report: Report) -> list[tuple[int, Page]]:
    """Return what the report, or an answer to a further question, cites."""
    numbers = sorted((number, name) for name, number in all_numbers(report).items())
    return [(number, report.pages[name]) for number, name in numbers if name in report.pages]


def _bibtex(number: int, page: Page, report: Report) -> str:
    fields = {
        # The inner braces keep capitals as they are.
        "title": f"{{{_latex(page.title or page.site)}}}",
        "organization": f"{{{_latex(page.site)}}}",
        "date": _published(page),
        "url": _address(page),
        "urldate": page.fetched_at.date().isoformat(),
        "note": _latex(_note(number, page, report)),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value and value != "{}"]
    return f"@online{{{_key(number, report)},\n" + ",\n".join(lines) + "\n}\n"


def _ris(number: int, page: Page, report: Report) -> Iterator[str]:
    published = _published(page)
    yield "TY  - ELEC"
    yield f"ID  - {_key(number, report)}"
    yield f"TI  - {one_line(page.title) or one_line(page.site)}"
    if page.site:
        yield f"T2  - {one_line(page.site)}"
    if published:
        yield f"PY  - {published[:4]}"
        yield f"DA  - {'/'.join([*published.split('-'), '', ''][:3])}/"
    if address := _address(page):
        yield f"UR  - {address}"
    yield f"Y2  - {page.fetched_at.date():%Y/%m/%d}/"
    yield f"N1  - {_note(number, page, report)}"
    yield "ER  - "


def _note(number: int, page: Page, report: Report) -> str:
    return _NOTE.in_(report.record.brief.language).format(number=number, run=report.record.run, sha256=page.sha256)


def _key(number: int, report: Report) -> str:
    """Return a key that stays the same for the same run, and differs from those of other runs."""
    return f"run{re.sub('[^0-9A-Za-z-]', '', report.record.run)}-{number}"


def _published(page: Page) -> str:
    known = _DATE.match(page.published or "")
    return known[0] if known and first_day(known[0]) else ""


def _address(page: Page) -> str:
    return address(one_line(page.url)) if is_web(page.url) else ""


def _latex(text: str) -> str:
    return one_line(text).translate(_LATEX)
