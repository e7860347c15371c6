"""Plans, depths, reflections and models that are no good: each run ends by its limit, with a report and a reason."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from research import core
from research.analysts import PlanRequest
from research.engine import RunResult
from tests.support.scripted import MemoryJournal, MemorySource, ScriptedAnalyst, run_scripted

PLANNED = [core.MethodName.OUTLINED, core.MethodName.GAP_DRIVEN]
REFLECTING = [core.MethodName.OUTLINED, core.MethodName.NOTED]


async def run(analyst: ScriptedAnalyst, method: core.MethodName, **fields: object) -> tuple[RunResult, MemoryJournal]:
    source = fields.pop("source", MemorySource())
    brief = core.Brief.model_validate({"question": "What of pumps?", "method": method, **fields})
    assert isinstance(source, MemorySource)
    return await run_scripted(analyst, source, brief=brief)


def ended(journal: MemoryJournal) -> str:
    (finished,) = journal.of(core.ResearchFinished)
    return finished.reason


def codes(result: RunResult) -> set[str]:
    return {problem.code for problem in result.record.problems}


def planning(*titles: str) -> ScriptedAnalyst:
    return ScriptedAnalyst(
        on_outline=lambda request: core.Outline(sections=tuple(core.Section(title=title) for title in titles))
    )


# --- plans -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", PLANNED)
@pytest.mark.parametrize(
    ("titles", "kept", "code"),
    [
        ((), ["What of pumps?"], "plan_empty"),
        (("", "  "), ["What of pumps?"], "plan_shortened"),
        (tuple(f"Section {number}" for number in range(20)), [f"Section {n}" for n in range(5)], "plan_shortened"),
        (("Prices", "prices", " PRICES "), ["Prices"], "plan_shortened"),
    ],
)
async def test_a_plan_is_mended_and_carried_out(
    method: core.MethodName, titles: tuple[str, ...], kept: list[str], code: str
) -> None:
    result, journal = await run(planning(*titles), method)
    (settled,) = journal.of(core.PlanSettled)
    assert [section.title for section in settled.outline.sections] == kept
    assert len(journal.of(core.TopicFinished)) == len(kept)
    assert code in codes(result) and result.record.status is core.Status.COMPLETE
    assert result.record.sentences and ended(journal)


async def test_a_plan_that_the_program_wrote_itself_is_told_apart_from_a_good_one() -> None:
    result, _ = await run(planning("One", "Two", "Three"), core.MethodName.OUTLINED)
    assert not codes(result)


# --- depth -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["queries_per_section", "iterations"])
@pytest.mark.parametrize("value", [0, 6, -1, 100])
def test_a_depth_outside_its_range_is_refused_in_a_brief(field: str, value: int) -> None:
    with pytest.raises(ValidationError, match=field):
        core.Brief.model_validate({"question": "Q", field: value})


async def test_a_depth_beyond_the_preset_is_cut_to_it() -> None:
    analyst = ScriptedAnalyst(on_depth=lambda request: core.Depth(queries_per_section=5, iterations=5))
    _, journal = await run(analyst, core.MethodName.OUTLINED, preset=core.PresetName.SPEED)
    (chosen,) = journal.of(core.DepthChosen)
    assert chosen.depth.queries_per_section == 2
    assert len(journal.of(core.SearchStarted)) <= 2 * 2 * chosen.depth.iterations


# --- reflections -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", REFLECTING)
@pytest.mark.parametrize("query", ["the same", "THE SAME", ""])
async def test_reflections_that_repeat_the_same_query_end_the_topic(method: core.MethodName, query: str) -> None:
    again = core.Reflection(
        summary="Hmm.", gaps=("prices",), queries=(core.NextQuery(query=query), core.NextQuery(query=query))
    )
    analyst = ScriptedAnalyst(on_queries=lambda view: ("the same",), on_reflect=lambda view: again)
    result, journal = await run(analyst, method)
    assert {event.query for event in journal.of(core.SearchStarted)} == {"the same"}
    assert all(event.reason == "repeated" for event in journal.of(core.TopicFinished))
    assert ended(journal) == "repeated" and result.record.sentences


@pytest.mark.parametrize("method", REFLECTING)
async def test_a_reflection_without_anything_ends_the_topic(method: core.MethodName) -> None:
    result, journal = await run(ScriptedAnalyst(on_reflect=lambda view: core.Reflection(summary="")), method)
    assert ended(journal) == "covered" and result.record.sentences


@pytest.mark.parametrize("method", REFLECTING)
async def test_a_hundred_proposed_queries_are_cut_to_one_search(method: core.MethodName) -> None:
    many = tuple(core.NextQuery(query=f"q{number}") for number in range(100))
    analyst = ScriptedAnalyst(
        topics=["T"], on_reflect=lambda view: core.Reflection(summary="More.", gaps=("all",), queries=many)
    )
    _, journal = await run(analyst, method)
    assert len(journal.of(core.SearchStarted)) <= 1 + 3 * 3


# --- never done ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", list(core.MethodName))
async def test_gaps_that_no_source_fills_end_by_a_limit(method: core.MethodName) -> None:
    def outline(request: PlanRequest) -> core.Outline:
        return core.Outline(
            sections=(core.Section(title="Unobtainium", needs=("melting point", "smelters", "auctions")),)
        )

    result, journal = await run(ScriptedAnalyst(on_outline=outline), method)
    assert ended(journal) in {"limit", "repeated", "complete", "enough"}
    assert len(journal.of(core.Assessed)) <= 10 and result.record.sentences
    if method is core.MethodName.GAP_DRIVEN:
        assert len(journal.of(core.Assessed)) == 3
        assert "melting point, smelters, auctions" in journal.of(core.TopicFinished)[0].why


@pytest.mark.parametrize("method", list(core.MethodName))
async def test_sources_without_a_page_end_every_method(method: core.MethodName) -> None:
    result, journal = await run(ScriptedAnalyst(), method, source=MemorySource(pages=()))
    assert ended(journal) in {"no_hits", "complete"}
    assert "no_hits" in codes(result) and result.record.status is core.Status.PARTIAL
    assert "Nothing was found" in result.markdown


# --- calls that fail -------------------------------------------------------------------------------------------


def _fail(_: object) -> object:
    raise core.ModelError("model_failed", "scripted")


@pytest.mark.parametrize("method", list(core.MethodName))
@pytest.mark.parametrize("hook", ["on_depth", "on_outline", "on_queries", "on_reflect", "on_compress"])
async def test_a_call_that_fails_never_leaves_a_run_without_a_report(method: core.MethodName, hook: str) -> None:
    result, journal = await run(ScriptedAnalyst(**{hook: _fail}), method)  # type: ignore[arg-type]
    assert result.markdown.startswith("# ")
    failed = [event for event in journal.of(core.TopicFinished) if event.reason == "failed"]
    assert not failed or result.record.status is core.Status.PARTIAL


# --- what acts is told no page text ----------------------------------------------------------------------------


@pytest.mark.parametrize("method", [core.MethodName.CHAINED, core.MethodName.GAP_DRIVEN])
async def test_what_the_program_thinks_aloud_holds_no_words_of_a_page(method: core.MethodName) -> None:
    _, journal = await run(ScriptedAnalyst(), method)
    said = " ".join(event.reflection for event in journal.of(core.Reflected))
    assert "score" in said and "Da Nang" not in said and "utilities" not in said
