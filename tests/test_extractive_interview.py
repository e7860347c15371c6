"""Before a meeting with a company: the questions that the template asks for, by rule."""

from __future__ import annotations

import re

import pytest

from research.core import FRAMING, Brief, Length, OutputForm, PresetName, Scope
from research.language import Language
from research.settings.templates import JOBS
from tests.support.rule_made import document, parts, run
from tests.support.scripted import MemorySource

COMPANY = next(job for job in JOBS if job.name == "company")
NEWS = (
    document("plan", "Zentra Steel plan", "The strategy of Zentra Steel is to open two mills in Vietnam by 2028."),
    document("risks", "Zentra Steel risks", "The main risk of Zentra Steel is the price of coal, which rose by 12%."),
    document("results", "Zentra Steel results", "Sales of Zentra Steel came to 3.4 billion yen in fiscal 2025."),
    document("business", "Zentra Steel", "The business of Zentra Steel is the sale of steel plates to shipyards."),
)
NEWS_JA = (
    document(
        "plan", "ゼントラ製鉄工業の戦略", "ゼントラ製鉄工業の戦略は、2028年までにベトナムに工場を2つ開くことである。"
    ),
    document("results", "ゼントラ製鉄工業の業績", "ゼントラ製鉄工業の売上高は2025年度に34億円だった。"),
    document("risks", "ゼントラ製鉄工業のリスク", "ゼントラ製鉄工業の主なリスクは、12%上昇した石炭の価格である。"),
)


@pytest.mark.parametrize(
    ("subject", "language", "pages", "heading"),
    [
        ("Zentra Steel", Language.EN, NEWS, "Questions to ask"),
        ("ゼントラ製鉄工業", Language.JA, NEWS_JA, "質問の候補"),
    ],
)
async def test_a_report_before_a_meeting_ends_with_three_questions_that_rest_on_quotes(
    subject: str, language: Language, pages: tuple[object, ...], heading: str
) -> None:
    result, _ = await run(COMPANY.brief(subject, language), MemorySource(pages))  # type: ignore[arg-type]
    body = parts(result.markdown)[heading].split("\n## ")[0]
    lines = [line for line in body.splitlines() if line.startswith("- ")]
    assert len(lines) == 3
    assert all(re.search(r"(?:か。|\?) ?\[\d+\]$", line) for line in lines)
    assert len({re.search(r"\[(\d+)\]", line)[1] for line in lines}) == 3, "each rests on another page"  # type: ignore[index]
    asked = [one for one in result.record.sentences if one.text.endswith(("?", "か。"))]
    assert len(asked) == 3 and {one.reason_code for one in asked} == {FRAMING}, "a question claims nothing"


async def test_longer_reports_ask_with_the_quote_at_hand() -> None:
    brief = COMPANY.brief("Zentra Steel", Language.EN).model_copy(update={"length": Length.MEDIUM})
    result, _ = await run(brief, MemorySource(NEWS))
    asked = parts(result.markdown)["Questions to ask"]
    assert "“The strategy of Zentra Steel is to open two mills in Vietnam by 2028.” [" in asked


async def test_what_nothing_was_found_on_is_asked_too() -> None:
    result, _ = await run(COMPANY.brief("Zentra Steel", Language.EN), MemorySource(NEWS[:1]))
    lines = [line for line in parts(result.markdown)["Questions to ask"].splitlines() if line.startswith("- ")]
    assert len(lines) == 3
    assert lines[0].endswith("[1]") and lines[1].endswith("(Nothing was found.)")


@pytest.mark.parametrize(
    ("note", "scope", "count"),
    [
        ("End with two questions to ask.", Scope.COMPANY, 2),
        ("最後に質問を2つ挙げる。", Scope.COMPANY, 2),
        ("Two people asked many questions.", Scope.COMPANY, 0),
        ("End with two questions to ask.", Scope.MARKET, 0),
        ("", Scope.COMPANY, 0),
    ],
)
async def test_questions_are_asked_where_the_note_wants_them(note: str, scope: Scope, count: int) -> None:
    question = "What is the strategy of Zentra Steel, and what are its risks and sales?"
    brief = Brief(question=question, scope=scope, note=note, preset=PresetName.COST, form=OutputForm.POINTS)
    result, _ = await run(brief, MemorySource(NEWS))
    asked = parts(result.markdown).get("Questions to ask", "")
    assert asked.count("\n- ") == count
