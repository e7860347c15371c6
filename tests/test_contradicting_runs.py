"""A run whose sources disagree says so, and takes no side."""

import json
from datetime import UTC, date, datetime

from research.analysts import PageSummary
from research.core import Brief
from research.language import Language
from research.results import Report
from research.store.recorder import salvage
from tests.support.scripted import MemorySource, ScriptedAnalyst, found_page, run_scripted

PAGES = (
    found_page(
        "memo", "The sales target of Kitahama Pumps for Vietnam in fiscal 2027 is 800 million yen.", title="Memo"
    ),
    found_page(
        "minutes", "The sales target of Kitahama Pumps for Vietnam in fiscal 2027 is 650 million yen.", title="Minutes"
    ),
)
QUOTING_ALL = ScriptedAnalyst(on_summarise=lambda request: PageSummary("s", (request.text,)))


async def test_a_contradiction_stands_in_record_report_and_frame() -> None:
    result, _ = await run_scripted(QUOTING_ALL, MemorySource(pages=PAGES))
    (found,) = result.record.contradictions
    assert {side.source for side in found.sides} == {"S1", "S2"}
    section = result.markdown.partition("## Contradictions")[2].partition("\n## ")[0]
    assert "800 million yen" in section and "650 million yen" in section and "[1]" in section and "[2]" in section
    assert "725" not in result.markdown, "sources are never averaged"
    frame = Report(record=result.record, markdown=result.markdown, pages=result.pages).contradictions
    assert list(frame["value"]) == [side.value for side in found.sides]


async def test_a_run_that_broke_off_says_so_too() -> None:
    result, journal = await run_scripted(QUOTING_ALL, MemorySource(pages=PAGES))
    began = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    record, markdown = salvage(
        "r1",
        result.record.brief,
        "chat",
        journal.events,
        journal.pages,
        started_at=began,
        seconds=1,
        code="interrupted",
    )
    assert record.contradictions == result.record.contradictions
    assert "## Contradictions" in markdown and "800 million yen" in markdown
    assert record.day == date(2026, 3, 1)


async def test_pages_that_were_not_kept_are_not_compared() -> None:
    result, journal = await run_scripted(QUOTING_ALL, MemorySource(pages=PAGES))
    began = datetime(2026, 3, 1, tzinfo=UTC)
    record, _ = salvage(
        "r1", result.record.brief, "chat", journal.events, {}, started_at=began, seconds=1, code="interrupted"
    )
    assert (record.contradictions, [problem.code for problem in record.problems]) == ((), ["interrupted"])


async def test_figures_of_a_run_are_a_frame() -> None:
    result, _ = await run_scripted(QUOTING_ALL, MemorySource(pages=PAGES))
    frame = Report(record=result.record, markdown=result.markdown, pages=result.pages).figures
    assert sorted(frame["value"]) == [650e6, 800e6]
    assert set(frame["currency"]) == {"JPY"} and set(frame["period"]) == {"FY2027"}


async def test_the_section_is_in_the_reports_language_and_absent_where_sources_agree() -> None:
    brief = Brief(question="目標は？", language=Language.JA)
    result, _ = await run_scripted(QUOTING_ALL, MemorySource(pages=PAGES), brief=brief)
    assert "## 情報源の食い違い" in result.markdown
    assert "情報源の食い違いが1件あります" in result.markdown.partition("\n## ")[0]
    agreeing, _ = await run_scripted(QUOTING_ALL, MemorySource(pages=PAGES[:1]), brief=brief)
    assert "情報源の食い違い" not in agreeing.markdown and agreeing.record.contradictions == ()


async def test_the_record_survives_being_written() -> None:
    result, _ = await run_scripted(QUOTING_ALL, MemorySource(pages=PAGES))
    written = json.loads(result.record.model_dump_json())
    assert type(result.record).model_validate(written) == result.record


async def test_what_does_not_touch_the_question_is_left_out() -> None:
    for question, count in (("How is the weather in Iceland?", 0), ("What does Kitahama Pumps plan?", 1)):
        result, _ = await run_scripted(QUOTING_ALL, MemorySource(pages=PAGES), brief=Brief(question=question))
        assert len(result.record.contradictions) == count, question


async def test_what_is_of_another_year_or_stands_where_the_report_cites_nothing_is_left_out() -> None:
    other = Brief(question="What was the sales target of Kitahama Pumps in fiscal 2025?")
    result, _ = await run_scripted(QUOTING_ALL, MemorySource(pages=PAGES), brief=other)
    assert result.record.contradictions == ()
    third = found_page("news", "Kitahama Pumps opened a plant in Da Nang.", title="News")
    silent = ScriptedAnalyst(
        on_summarise=lambda request: PageSummary("s", (request.text,)),
        on_write=lambda request: "# R\n\nKitahama Pumps opened a plant in Da Nang [E3].\n",
    )
    asked = Brief(question="Which plants has Kitahama Pumps?")
    result, _ = await run_scripted(silent, MemorySource(pages=(*PAGES, third)), brief=asked, in_order=True)
    assert result.record.contradictions == ()
