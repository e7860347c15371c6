"""The tables of a run as files hold them: its figures, its sources, and its sentences with their verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from research.evidence import Evidence, Page
from research.export.figure_columns import WIDTHS, cells, heads
from research.export.follow_ups import all_numbers, cited_in_answers
from research.language import Bilingual, Language
from research.report import Report
from research.verification.figure_table import Cell, FigureRow, figure_rows
from research.verification.labels import Label

_FIGURES = Bilingual("Figures", "数値一覧")
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


def figures_sheet(rows: Iterable[FigureRow], pages: Mapping[str, Page], language: Language) -> Sheet:
    """Return the table of figures; `pages` by id."""
    return Sheet(_FIGURES.in_(language), heads(language), WIDTHS, [cells(row, pages) for row in rows])


def report_figures(report: Report) -> list[FigureRow]:
    """Return every figure in the quotes of a run."""
    quotes = [Evidence(**entry.model_dump()) for entry in report.record.evidence if entry.source in report.pages]
    return figure_rows(quotes, report.pages)


def sources_sheet(report: Report) -> Sheet:
    """Return the table of all pages that were read: those that the report cites first, by number."""
    language, numbers = report.record.brief.language, all_numbers(report)
    evidence = {entry.id: entry.source for entry in report.record.evidence}
    quotes = Counter((evidence | {name: entry.source for name, entry in cited_in_answers(report).items()}).values())
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
