"""The tables of a run as files hold them: its figures, its sources, and its sentences with their verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date

from research.core.ledger import Page, Sentence
from research.export.columns import Column, Kind, web_address
from research.export.figure_columns import cells, columns
from research.export.follow_ups import all_numbers
from research.language import Bilingual, Language
from research.quantities.table import Cell, FigureRow, figure_rows
from research.results.record import added_on
from research.results.report import Report
from research.verification.labels import Label

_FIGURES = Bilingual("Figures", "数値一覧")
_SOURCES = Bilingual("Sources", "情報源")
_SENTENCES = Bilingual("Sentences", "文と検証")
_SOURCE_COLUMNS = (
    Column(Bilingual("Number", "番号"), 10),
    Column(Bilingual("Title", "タイトル"), 48),
    Column(Bilingual("Address", "アドレス"), 48, Kind.ADDRESS),
    Column(Bilingual("Site", "サイト"), 24),
    Column(Bilingual("Kind", "種類"), 18),
    Column(Bilingual("Date of source", "情報源の日付"), 15, Kind.DAY),
    Column(Bilingual("Read at (UTC)", "取得日時（UTC）"), 19, Kind.MOMENT),
    Column(Bilingual("Quotes", "引用数"), 10),
    Column(Bilingual("SHA-256 of the text", "本文の SHA-256"), 70),
    Column(Bilingual("Page", "ページ ID"), 11),
)
_SENTENCE_COLUMNS = (
    Column(Bilingual("Sentence", "文"), 80),
    Column(Bilingual("Verdict", "判定"), 18),
    Column(Bilingual("Score", "スコア"), 10),
    Column(Bilingual("Reason", "理由"), 48),
    Column(Bilingual("Sources", "情報源"), 12),
    Column(Bilingual("Evidence", "証拠 ID"), 16),
)
_ASKED = Column(Bilingual("Asked", "追加の質問"), 48)
"""The last column, where a sentence answers a further question."""


@dataclass(frozen=True)
class Sheet:
    """A table with one row of heads."""

    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    language: Language

    @property
    def heads(self) -> list[str]:
        """The names of the columns."""
        return [column.head.in_(self.language) for column in self.columns]


def figures_sheet(
    rows: Iterable[FigureRow], pages: Mapping[str, Page], language: Language, added: Mapping[str, date] | None = None
) -> Sheet:
    """Return the table of figures; `pages` by id, and the days on which quotes joined the run by that of the quote."""
    filled = [cells(row, pages) + ([_day(added.get(row.evidence))] if added else []) for row in rows]
    return Sheet(_FIGURES.in_(language), columns(with_added=bool(added)), filled, language)


def _day(added: date | None) -> str | None:
    return added.isoformat() if added else None


def report_figures(report: Report) -> Sheet:
    """Return the table of every figure in the quotes of a run, with those that joined it since."""
    rows = figure_rows(report.evidence_now, report.pages)
    return figures_sheet(rows, report.pages, report.record.brief.language, added_on(report.history))


def sources_sheet(report: Report) -> Sheet:
    """Return the table of all pages that were read: those that the report cites first, by number."""
    language, numbers = report.record.brief.language, all_numbers(report)
    quotes = Counter(entry.source for entry in report.evidence_now)
    pages = sorted(report.pages.values(), key=lambda page: numbers.get(page.id, len(report.pages) + 1))
    rows = [
        [
            numbers.get(page.id),
            page.title,
            web_address(page),
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
    return Sheet(_SOURCES.in_(language), _SOURCE_COLUMNS, rows, language)


def sentences_sheet(report: Report) -> Sheet:
    """Return the table of the sentences of the report and of the answers to further questions, with their verdicts."""
    language, numbers = report.record.brief.language, all_numbers(report)
    sources = {entry.id: numbers.get(entry.source) for entry in report.evidence_now}
    rows = [_sentence(sentence, sources, language) for sentence in report.record.sentences]
    if not report.follow_ups:
        return Sheet(_SENTENCES.in_(language), _SENTENCE_COLUMNS, rows, language)
    rows = [[*row, None] for row in rows]
    for one in report.follow_ups:
        rows += [[*_sentence(said, sources, language), one.answer.question] for said in one.answer.sentences]
    return Sheet(_SENTENCES.in_(language), (*_SENTENCE_COLUMNS, _ASKED), rows, language)


def _sentence(sentence: Sentence, sources: Mapping[str, int | None], language: Language) -> list[Cell]:
    cited = dict.fromkeys(number for number in map(sources.get, sentence.evidence) if number is not None)
    verdict = Label(sentence.verdict).words.in_(language) if sentence.verdict in set(Label) else sentence.verdict
    return [
        sentence.text,
        verdict,
        sentence.score,
        sentence.reason.in_(language) if sentence.reason else None,
        " ".join(f"[{number}]" for number in cited),
        " ".join(sentence.evidence),
    ]
