"""The tables of a run as files hold them: its figures, its sources, and its sentences with their verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from research.evidence import Page
from research.export.figure_columns import WIDTHS, cells, heads
from research.export.follow_ups import all_numbers
from research.followup.evidence import added_on, evidence_now
from research.language import Bilingual, Language
from research.report import Report
from research.verification.figure_table import Cell, FigureRow, figure_rows
from research.verification.labels import Label

_FIGURES = Bilingual("Figures", "数値一覧")
_DAY = 14
"""Characters of a column of days."""
_SOURCES = Bilingual("Sources", "情報源")
_SENTENCES = Bilingual("Sentences", "文と検証")
_SOURCE_HEADS = (
    (Bilingual("Number", "番号"), 9),
    (Bilingual("Title", "タイトル"), 48),
    (Bilingual("Address", "アドレス"), 48),
    (Bilingual("Site", "サイト"), 24),
    (Bilingual("Kind", "種類"), 18),
    (Bilingual("Date of source", "情報源の日付"), 14),
    (Bilingual("Read at", "取得日時"), 26),
    (Bilingual("Quotes", "引用数"), 9),
    (Bilingual("SHA-256 of the text", "本文の SHA-256"), 68),
    (Bilingual("Page", "ページID"), 10),
)
_SENTENCE_HEADS = (
    (Bilingual("Sentence", "文"), 80),
    (Bilingual("Verdict", "判定"), 18),
    (Bilingual("Score", "スコア"), 9),
    (Bilingual("Reason", "理由"), 48),
    (Bilingual("Sources", "情報源"), 12),
    (Bilingual("Evidence", "証拠ID"), 16),
)


@dataclass(frozen=True)
class Sheet:
    """A table with one row of heads."""

    name: str
    heads: Sequence[str]
    widths: Sequence[int]
    """Widths for reading, in characters."""
    rows: Sequence[Sequence[Cell]]


def figures_sheet(
    rows: Iterable[FigureRow], pages: Mapping[str, Page], language: Language, added: Mapping[str, date] | None = None
) -> Sheet:
    """Return the table of figures; `pages` by id, and the days on which quotes joined the run by that of the quote."""
    if not added:
        return Sheet(_FIGURES.in_(language), heads(language), WIDTHS, [cells(row, pages) for row in rows])
    filled = [[*cells(row, pages), _day(added.get(row.evidence))] for row in rows]
    return Sheet(_FIGURES.in_(language), heads(language, with_added=True), (*WIDTHS, _DAY), filled)


def _day(added: date | None) -> str | None:
    return added.isoformat() if added else None


def report_figures(report: Report) -> Sheet:
    """Return the table of every figure in the quotes of a run, with those that joined it since."""
    rows = figure_rows(evidence_now(report), report.pages)
    return figures_sheet(rows, report.pages, report.record.brief.language, added_on(report.history))


def sources_sheet(report: Report) -> Sheet:
    """Return the table of all pages that were read: those that the report cites first, by number."""
    language, numbers = report.record.brief.language, all_numbers(report)
    quotes = Counter(entry.source for entry in evidence_now(report))
    pages = sorted(report.pages.values(), key=lambda page: numbers.get(page.id, len(report.pages) + 1))
    rows = [
        [
            numbers.get(page.id),
            page.title,
            page.url,
            page.site,
            page.kind.label.in_(language),
            page.published,
            page.fetched_at.isoformat(),
            quotes[page.id],
            page.sha256,
            page.id,
        ]
        for page in pages
    ]
    return _sheet(_SOURCES, _SOURCE_HEADS, rows, language)


def sentences_sheet(report: Report) -> Sheet:
    """Return the table of the report's sentences, each with what the pages bear out of it."""
    language = report.record.brief.language
    numbers = all_numbers(report)
    sources = {entry.id: numbers.get(entry.source) for entry in report.record.evidence}
    rows: list[list[Cell]] = []
    for sentence in report.record.sentences:
        cited = dict.fromkeys(number for number in map(sources.get, sentence.evidence) if number is not None)
        verdict = Label(sentence.verdict).words.in_(language) if sentence.verdict in set(Label) else sentence.verdict
        rows.append(
            [
                sentence.text,
                verdict,
                sentence.score,
                sentence.reason.in_(language) if sentence.reason else None,
                " ".join(f"[{number}]" for number in cited),
                " ".join(sentence.evidence),
            ]
        )
    return _sheet(_SENTENCES, _SENTENCE_HEADS, rows, language)


def _sheet(
    name: Bilingual, columns: Sequence[tuple[Bilingual, int]], rows: Sequence[Sequence[Cell]], language: Language
) -> Sheet:
    return Sheet(name.in_(language), [head.in_(language) for head, _ in columns], [width for _, width in columns], rows)
