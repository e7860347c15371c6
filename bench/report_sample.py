"""A made-up report of any length: prose that cites quotes, a table every few sections, figures to draw."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from research.core import Brief, Ledger, Length, OutputForm, Sentence, SourceKind, SourceName, Status, numbered
from research.export.markdown import report_markdown
from research.language import Bilingual, Language
from research.results import Report, RunRecord, SourceEntry
from research.text import Span

_PARAGRAPHS, _SENTENCES, _PAGES = 3, 4, 3
"""Of a section; the only one of the shortest report has one paragraph."""
_FEW = 3
"""Sections of a report of two or three pages."""
_DAY = datetime(2026, 1, 2, tzinfo=UTC)
_YEARS = range(2018, 2026)
_QUESTION = Bilingual("How many pumps do the plants make?", "各工場のポンプの生産台数は？")
_TITLE = Bilingual("Annual report of plant {n}", "第{n}工場の年次報告")
_HEADING = Bilingual("Plant {n}", "第{n}工場")
_SENTENCE = Bilingual(
    "In {year} plant {n} made {value:,} pumps, which is {share}% more than in the year before",
    "{year}年の第{n}工場の生産台数は{value:,}台で、前年を{share}％上回り、計画を達成した",
)
_END = Bilingual(".", "。")
_HEAD = Bilingual("| Year | Made | Sold | Returned | Repaired |", "| 年 | 生産 | 販売 | 返品 | 修理 |")


def sample(language: Language, sections: int, variant: int = 0) -> Report:
    """Return a report with so many sections; its variants differ in every figure, so that nothing is made twice."""
    ledger = Ledger()
    length = Length.LONG if sections > _FEW else Length.SHORT
    brief = Brief(question=_QUESTION.in_(language), language=language, form=OutputForm.MIX, length=length)
    parts = [f"# {_QUESTION.in_(language)} ({variant})"]
    sentences: list[Sentence] = []
    for section in range(sections):
        parts += _section(section, language, variant, ledger, sentences, paragraphs=_PARAGRAPHS if sections > 1 else 1)
    cited = numbered("\n\n".join(parts), ledger.evidence)
    record = RunRecord(
        run=f"20260102-{variant:06}", status=Status.COMPLETE, analyst="chat", writer="chat", brief=brief,
        started_at=_DAY.isoformat(), seconds=1.0, usage={}, evidence=tuple(ledger.evidence.values()),
        sources=tuple(SourceEntry.of(page, cited.numbers.get(page.id)) for page in ledger.pages.values()),
        sentences=tuple(sentences), draft=cited.draft,
    )  # fmt: skip
    markdown = report_markdown(record, ledger.pages, {})
    return Report(record=record, markdown=markdown, pages=ledger.pages)


def _section(
    section: int, language: Language, variant: int, ledger: Ledger, sentences: list[Sentence], *, paragraphs: int
) -> Iterator[str]:
    yield f"## {_HEADING.in_(language).format(n=section)}"
    said = [_said(section, place, language, variant) for place in range(paragraphs * _SENTENCES)]
    quoted = [_quoted(section, page, said[page::_PAGES], language, ledger) for page in range(_PAGES)]
    for first in range(0, len(said), _SENTENCES):
        told = []
        for place in range(first, first + _SENTENCES):
            evidence = quoted[place % _PAGES][place // _PAGES]
            sentences.append(Sentence(text=said[place], evidence=(evidence,), verdict="supported", score=1.0))
            told.append(f"{said[place]} [{evidence}]{_END.in_(language)}")
        yield " ".join(told)
    if section % 3 == 1:
        yield _table(section, language)


def _said(section: int, place: int, language: Language, variant: int) -> str:
    n = section * _PARAGRAPHS * _SENTENCES + place
    words = _SENTENCE.in_(language)
    value = 1_000 + 7 * n + 13 * variant
    return words.format(year=_YEARS[place % len(_YEARS)], n=section, value=value, share=round(1 + n % 90 / 10, 1))


def _quoted(section: int, number: int, said: list[str], language: Language, ledger: Ledger) -> list[str]:
    """Add a page that says some sentences, and return the ids of its quotes."""
    end = _END.in_(language)
    text = "\n".join(f"{sentence}{end}" for sentence in said)
    page = ledger.add_page(
        url=f"https://example.org/plants/{section}/{number}", title=_TITLE.in_(language).format(n=section),
        site="example.org", origin=SourceName.WEB, kind=SourceKind.COMPANY, published="2025-03-01", fetched_at=_DAY,
        text=text,
    )  # fmt: skip
    found = []
    for sentence in said:
        start = text.index(sentence)
        found.append(ledger.quote_at(page, Span(start, start + len(sentence))).id)
    return found


def _table(section: int, language: Language) -> str:
    rows = ["| --- | ---: | ---: | ---: | ---: |"]
    rows += [
        f"| {year} | " + " | ".join(f"{(section + 3) * place * 37:,}" for place in range(1, 5)) + " |"
        for year in _YEARS
    ]
    return "\n".join([_HEAD.in_(language), *rows])
