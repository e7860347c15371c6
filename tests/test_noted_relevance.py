"""Research notes leave out what the report leaves out."""

from __future__ import annotations

import pytest

from research.analysts import Findings
from research.analysts.extractive import ExtractiveAnalyst
from research.core import Brief, MethodName, NoteTaken, Scope
from research.language import Language
from research.sources import FoundPage
from tests.support.rule_made import almanac, cited, document, ledger, research

TARGETS = document(
    "targets",
    "Sales plan",
    "The sales target for South-East Asia in fiscal 2027 is 2.0 billion yen.",
    "Sales of pumps in South-East Asia came to 1.4 billion yen in fiscal 2025.",
)
ISLANDS = almanac("Spratly Islands", "Geography", "Map references: Southeast Asia")
TARIFFS = document("tariffs", "電気料金とポンプ", "電気料金の上昇により、省エネ型ポンプの販売は2025年度に31%増えた。")
SPACE = almanac("Bolivia", "Space", "Space agency: a state company for sales of satellite services (2014)")


@pytest.mark.parametrize(
    ("question", "language", "pages"),
    [
        ("What targets are set for sales of pumps in South-East Asia?", Language.EN, (TARGETS, ISLANDS)),
        ("電気料金の上昇は当社のポンプ販売にどう影響しますか。", Language.JA, (TARIFFS, SPACE)),
    ],
)
async def test_a_note_rests_on_pages_that_the_report_cites(
    question: str, language: Language, pages: tuple[FoundPage, ...]
) -> None:
    result, journal = await research(question, pages, language=language, method=MethodName.NOTED, scope=Scope.COMPANY)
    notes = journal.of(NoteTaken)
    shown = {entry.source for entry in cited(result)}
    assert shown and notes
    for note in notes:
        assert set(note.sources) <= shown
        assert not [word for word in ("Spratly", "Map references", "satellite") if word in note.summary]


async def test_a_query_that_brought_nothing_to_the_point_says_so() -> None:
    target = ("Sales plan", "The sales target for fiscal 2027 is 2.0 billion yen.")
    evidence, pages = ledger(target, ("Bolivia — Space", "Space agency: a state company for satellite services"))
    brief = Brief(question="How many pumps must be sold to reach the target of fiscal 2027?")
    findings = Findings(brief, "company", evidence[1:], pages, 512, may_quote=True, among=evidence)
    compression = await ExtractiveAnalyst().compress(findings)
    assert compression.keep == ()
    assert compression.notes.startswith("Nothing to the point was found.")
