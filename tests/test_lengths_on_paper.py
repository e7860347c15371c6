"""Reports composed by rule keep to their length, counted and on paper: one page is one page."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from research.analysts.extractive import ExtractiveAnalyst
from research.core import PAGES, Brief, Length, OutputForm, SourceName, Summary, pages_of
from research.engine import Control, rewrite, rewritten
from research.export import FORMATS, Paper, document_of
from research.export.document import PartKind
from research.language import Language
from research.results import Report
from research.settings import Settings
from research.store import run_sync
from tests.support.pdf_samples import read, squeezed
from tests.support.scripted import MemoryJournal, MemorySource, scripted_world

QUESTION = {
    Language.EN: "What did the service centres cost in 2025, and is the strategy on track?",
    Language.JA: "サービス拠点の2025年の費用はいくらか、戦略は順調か？",
}


@pytest.fixture(scope="module")
def researched(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A run on what the product brings along: its report is written anew by each test."""
    brief = Brief(question=QUESTION[Language.EN], sources=(SourceName.HOUSE,))
    settings = Settings(home=tmp_path_factory.mktemp("home"))
    return run_sync(brief, analyst="extractive", settings=settings)


async def composed(first: Report, length: Length, **changes: object) -> Report:
    """The report of a run, written by rule at another length."""
    rules, journal = ExtractiveAnalyst(), MemoryJournal()
    world = replace(scripted_world(rules, MemorySource()), rules=rules)
    brief = rewritten(first.record.brief, length=length, **changes)
    result = await rewrite("again", brief, world, journal, Control(), first=first)
    return Report(record=result.record, markdown=result.markdown, history=tuple(journal.events), pages=result.pages)


@pytest.mark.parametrize("form", [OutputForm.TEXT, OutputForm.POINTS, OutputForm.MIX])
@pytest.mark.parametrize("language", list(Language))
async def test_one_page_is_one_page_of_paper(researched: Report, language: Language, form: OutputForm) -> None:
    report = await composed(researched, Length.PAGE, language=language, form=form, summary=Summary.FIRST)
    assert 0.2 < pages_of(report.record.draft) <= 1
    for paper in Paper:
        first, second, *_ = [page.extract_text() for page in read(FORMATS["pdf"].make(report, paper)).pages]
        for sentence in report.record.sentences:
            assert squeezed(sentence.text) in squeezed(re.sub(r"\[\d+\]", "", first)), (paper, sentence.text)
        behind = document_of(report).part(PartKind.VERIFICATION)
        assert behind is not None
        assert "Verification" in second or "検証" in second
        assert not re.search(r"^(Verification|検証|Sources|情報源)$", first, re.MULTILINE)


async def test_no_length_is_filled_up_beyond_what_there_is(researched: Report) -> None:
    reports = {length: await composed(researched, length, form=OutputForm.MIX) for length in Length}
    pages = {length: report.record.pages or 0 for length, report in reports.items()}
    assert list(pages.values()) == sorted(pages.values())
    assert all(pages[length] <= PAGES[length].most for length in Length)
    shown = {length: len(set(re.findall(r"E\d+", report.record.draft))) for length, report in reports.items()}
    assert shown[Length.PAGE] <= shown[Length.SHORT] <= shown[Length.LONG]
    limits = reports[Length.LONG].markdown.partition("## Limits")[2].partition("\n## ")[0]
    assert "shorter than was asked for; it is not filled up" in limits
    assert "asked for: 10–30 pages; it has about" in limits
