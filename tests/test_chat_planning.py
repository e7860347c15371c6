"""Depth and plan of a report, from models that plan well, badly or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from research import core
from research.analysts import ResearcherView, Search, Step, Think
from research.language import Language
from tests.support.chat import ASSESSMENT, LIMITS, SECTION, Shelf, brief, desk, plan_request, researcher_view
from tests.support.openai_server import Answer, Json, OpenAIServer, Text

DEPTH: dict[str, Any] = {"reason": "Two things to compare.", "queries_per_section": 3, "iterations": 2}
PLANNED: dict[str, Any] = {
    "title": "Volumes",
    "focus": "Tea exports of Japan since 2020",
    "questions": ["How much in 2024?", "To whom?"],
    "needs": ["export volume", "destination"],
}
PLAN: dict[str, Any] = {
    "purpose": "Decide whether to export.",
    "sections": [PLANNED, PLANNED | {"title": "Prices"}, PLANNED | {"title": "Rules"}],
    "introduction": "Why tea.",
    "conclusion": "What follows.",
    "remark": "Prices may be hard to find.",
}
WANTED = core.Outline(
    purpose="Decide whether to export.",
    sections=tuple(
        core.Section(
            title=title,
            focus="Tea exports of Japan since 2020",
            questions=("How much in 2024?", "To whom?"),
            needs=("export volume", "destination"),
        )
        for title in ("Volumes", "Prices", "Rules")
    ),
    introduction="Why tea.",
    conclusion="What follows.",
    remark="Prices may be hard to find.",
)


async def test_a_depth_is_chosen_with_its_reason(server: OpenAIServer) -> None:
    server.enqueue(Json(DEPTH))
    at = desk(server)
    chosen = await at.analyst.depth(plan_request())
    assert chosen == core.Depth(queries_per_section=3, iterations=2, reason="Two things to compare.")
    assert at.calls[0].role is core.Role.PLANNING
    system, user = (message["content"] for message in server.requests[0].body["messages"])
    assert "2026-11-21" in system and "English" in system
    assert "How much tea does Japan export?" in user
    assert server.requests[0].tools == []


async def test_the_planner_is_told_how_deep_it_may_go(server: OpenAIServer) -> None:
    server.handler = lambda _: Json(DEPTH)
    analyst = desk(server).analyst
    await analyst.depth(plan_request())
    await analyst.depth(
        plan_request(replace(LIMITS, queries=9, methods=replace(LIMITS.methods, iterations=2)), language=Language.JA)
    )
    narrow, wide = (request.body["messages"][0]["content"] for request in server.requests)
    assert "one round, from 1 to 2." in narrow and "rounds of one section, from 1 to 5." in narrow
    assert "one round, from 1 to 5." in wide and "rounds of one section, from 1 to 2." in wide
    assert "Japanese" in wide


@pytest.mark.parametrize(
    ("queries", "iterations", "chosen"),
    [
        (9, 0, (5, 1)),
        (-3, 10**30, (1, 5)),
        ("4", "2 rounds", (4, 2)),
        (2.6, "３", (3, 3)),
        ("3-5", [2], (3, 2)),
    ],
)
async def test_a_depth_out_of_range_is_the_nearest_that_exists(
    server: OpenAIServer, queries: Any, iterations: Any, chosen: tuple[int, int]
) -> None:
    server.enqueue(Json({"queries_per_section": queries, "iterations": iterations}))
    depth = await desk(server).analyst.depth(plan_request())
    assert (depth.queries_per_section, depth.iterations) == chosen
    assert depth.reason == ""


@pytest.mark.parametrize(
    "answer",
    [
        Text("Quite deep."),
        Json({"queries_per_section": "many", "iterations": "some"}),
        Json({"reason": "wide"}),
        Json([]),
        Answer(refusal="I cannot help with that."),
    ],
)
async def test_what_names_no_depth_is_unusable(server: OpenAIServer, answer: Answer) -> None:
    server.handler = lambda _: answer
    with pytest.raises(core.UnusableAnswer):
        await desk(server).analyst.depth(plan_request())


async def test_a_report_is_planned(server: OpenAIServer) -> None:
    server.enqueue(Json(PLAN))
    at = desk(server)
    assert await at.analyst.outline(plan_request(language=Language.JA)) == WANTED
    assert at.calls[0].role is core.Role.PLANNING
    system, user = (message["content"] for message in server.requests[0].body["messages"])
    assert "2026-11-21" in system and "Japanese" in system and "from three to 5" in system
    assert "How much tea does Japan export?" in user


async def test_a_plan_of_bare_titles_is_a_plan(server: OpenAIServer) -> None:
    server.enqueue(Json({"sections": ["Volumes", {"title": "Prices"}, {"focus": "no title"}, 12, None]}))
    plan = await desk(server).analyst.outline(plan_request())
    assert plan == core.Outline(
        sections=(core.Section(title="Volumes"), core.Section(title="Prices"), core.Section(title="12"))
    )


async def test_a_section_without_measure_is_cut(server: OpenAIServer) -> None:
    endless = {"title": "tea " * 1_000, "questions": ["Why? " * 200], "needs": [f"kind {n}" for n in range(100)]}
    server.enqueue(Json({"sections": [endless]}))
    [section] = (await desk(server).analyst.outline(plan_request())).sections
    assert len(section.title) <= 500 and len(section.questions[0]) <= 300 and len(section.needs) == 12


async def test_a_planner_that_does_not_end_is_not_waited_for(server: OpenAIServer) -> None:
    server.handler = lambda _: Json(PLAN, seconds=0.8)
    at = desk(server, seconds=0.2)
    for plan in (at.analyst.depth, at.analyst.outline):
        with pytest.raises(core.ModelError) as caught:
            await plan(plan_request())
        assert caught.value.code == "model_timeout"
    assert len(server.requests) == 2, "each is asked once"


# --- first queries, and reflections in parts, from models that think well, badly or not at all -----------------------


SEARCHED = Step(
    Search(("tea export Japan",)),
    'Search "tea export Japan" in web: 2 pages, 2 new.\n- site1.example (2026-10-01): Exports grew. [E1, E2]',
)
THOUGHT = Step(Think("Values are missing."), "Reflection recorded.")
THOUGHTS = {
    "insights": [
        {"text": "Exports grew to 8,798 tonnes.", "confidence": 8, "evidence": ["E1", "E2"]},
        {"text": "Prices rose.", "confidence": 3, "evidence": []},
    ],
    "gaps": ["export value"],
    "doubts": [{"text": "One source says they fell.", "evidence": ["E2"]}],
    "queries": [{"query": "tea export value 2025", "reason": "The value is missing."}],
    "summary": "Volumes are known; next, values.",
}
WANTED_THOUGHTS = core.Reflection(
    summary="Volumes are known; next, values.",
    insights=(
        core.Insight(text="Exports grew to 8,798 tonnes.", confidence=8, evidence=("E1", "E2")),
        core.Insight(text="Prices rose.", confidence=3),
    ),
    gaps=("export value",),
    doubts=(core.Doubt(text="One source says they fell.", evidence=("E2",)),),
    queries=(core.NextQuery(query="tea export value 2025", reason="The value is missing."),),
)


def view(*steps: Step, **known: Any) -> ResearcherView:
    shelf = Shelf()
    shelf.page("Japan exported 8,798 tonnes of tea in 2024.", "Exports fell.", "It grows.")
    found: dict[str, Any] = {
        "evidence": shelf.evidence,
        "pages": shelf.ledger.pages,
        "assessment": ASSESSMENT,
        "section": SECTION,
    }
    return researcher_view(*(steps or (SEARCHED,)), **(found | known))


async def reflect(server: OpenAIServer, answer: object, *steps: Step) -> core.Reflection:
    server.enqueue(answer if isinstance(answer, Answer) else Json(answer))
    return await desk(server).analyst.reflect(view(*steps))


async def test_a_topic_begins_with_queries(server: OpenAIServer) -> None:
    server.enqueue(Json({"queries": ["tea export Japan 2025", "緑茶 輸出 最新"]}))
    at = desk(server)
    assert await at.analyst.queries(researcher_view()) == ("tea export Japan 2025", "緑茶 輸出 最新")
    assert at.calls[0].role is core.Role.RESEARCH
    [request] = server.requests
    system, user = (message["content"] for message in request.body["messages"])
    assert "2026-11-21" in system and "up to 2 queries" in system and '"latest"' in system
    assert "Tea exports of Japan" in user and request.tools == []


async def test_the_queries_of_a_section_rest_on_its_plan_and_the_briefs_limits(server: OpenAIServer) -> None:
    server.enqueue(Json({"queries": ["tea"]}))
    asked = replace(researcher_view(), section=SECTION, brief=brief(exclusions=("coffee",), language=Language.JA))
    await desk(server).analyst.queries(asked)
    system, user = (message["content"] for message in server.requests[0].body["messages"])
    assert "Title: Volumes\nFocus: How much tea leaves Japan\nKey questions: How much in 2024?\nRequired: " in user
    assert "Do not research: coffee" in user
    assert "Japanese" in system


@pytest.mark.parametrize("answer", [{"queries": []}, {"queries": None}, {"search": {"queries": []}}])
async def test_what_needs_no_research_has_no_query(server: OpenAIServer, answer: object) -> None:
    server.enqueue(Json(answer))
    assert await desk(server).analyst.queries(researcher_view()) == ()


@pytest.mark.parametrize(
    "answer", [Text("I know this."), Json({}), Json({"queries": ["…", "?"]}), Answer(refusal="I cannot help.")]
)
async def test_nonsense_is_not_taken_for_no_need_of_research(server: OpenAIServer, answer: Answer) -> None:
    server.handler = lambda _: answer
    with pytest.raises(core.UnusableAnswer):
        await desk(server).analyst.queries(researcher_view())


async def test_a_reflection_has_parts(server: OpenAIServer) -> None:
    server.enqueue(Json(THOUGHTS))
    at = desk(server)
    assert await at.analyst.reflect(view()) == WANTED_THOUGHTS
    assert at.calls[0].role is core.Role.RESEARCH


async def test_a_reflection_rests_on_what_was_observed_and_counted(server: OpenAIServer) -> None:
    await reflect(server, THOUGHTS, SEARCHED, THOUGHT, SEARCHED)
    system, user = (message["content"] for message in server.requests[0].body["messages"])
    assert "2026-11-21" in system and "up to 2 better queries" in system
    assert user.count("site1.example (2026-10-01): Exports grew. [E1, E2]") == 2
    assert "Reflection: Values are missing." in user
    assert "Computed score 7/10" in user and "Not found yet: export value" in user
    assert "Required: export volume; export value" in user
    assert "Search rounds left: 3." in user
    assert "8,798" not in user, "quotes are not shown"


async def test_the_language_of_the_report_is_that_of_reflections_and_facts(server: OpenAIServer) -> None:
    server.enqueue(Json(THOUGHTS))
    await desk(server).analyst.reflect(replace(view(), brief=brief(language=Language.JA)))
    system, user = (message["content"] for message in server.requests[0].body["messages"])
    assert "Everything in Japanese" in system
    assert "計算した充足度 7/10" in user


async def test_bare_texts_are_understood_and_what_may_be_missing_is(server: OpenAIServer) -> None:
    bare = {"insights": ["Exports grew."], "gaps": ["value"], "queries": ["tea value"], "summary": "Thin."}
    assert await reflect(server, bare) == core.Reflection(
        summary="Thin.",
        insights=(core.Insight(text="Exports grew.", confidence=5),),
        gaps=("value",),
        queries=(core.NextQuery(query="tea value"),),
    )


@pytest.mark.parametrize(
    ("given", "confidence"),
    [(15, 10), (0, 1), (-4, 1), ("8/10", 8), (0.8, 8), (1, 1), ("high", 5), (None, 5), (7.4, 7), (10**30, 10)],
)
async def test_confidence_is_from_one_to_ten(server: OpenAIServer, given: object, confidence: int) -> None:
    insight = {"text": "Exports grew.", "confidence": given, "evidence": ["E1"]}
    assert (await reflect(server, THOUGHTS | {"insights": [insight]})).insights[0].confidence == confidence


@pytest.mark.parametrize(
    ("given", "known"),
    [
        (["E1", "E99", "S1", "nothing"], ("E1",)),
        (["https://site1.example/tea"], ()),
        (None, ()),
    ],
)
async def test_evidence_that_does_not_exist_is_left_out(
    server: OpenAIServer, given: object, known: tuple[str, ...]
) -> None:
    parts = {
        "insights": [{"text": "Exports grew.", "confidence": 8, "evidence": given}],
        "doubts": [{"text": "Did they?", "evidence": given}],
    }
    reflection = await reflect(server, THOUGHTS | parts)
    assert reflection.insights[0].evidence == reflection.doubts[0].evidence == known


async def test_queries_that_were_made_are_left_out(server: OpenAIServer) -> None:
    proposed = ["Tea Export JAPAN", "tea  export\nJapan", "tea value", "Tea value", "…", "tea buyers", "tea prices"]
    reflection = await reflect(server, THOUGHTS | {"queries": [{"query": query, "reason": "!"} for query in proposed]})
    assert [one.query for one in reflection.queries] == ["tea value", "tea buyers"]


@pytest.mark.parametrize("nothing", [[], ["None"], ["none."], ["なし"], ["特になし。"], ["N/A", ""], None, "No gaps"])
async def test_no_gap_is_no_gap_however_it_is_said(server: OpenAIServer, nothing: object) -> None:
    assert (await reflect(server, THOUGHTS | {"gaps": nothing, "doubts": nothing})).gaps == ()


async def test_parts_without_measure_are_cut(server: OpenAIServer) -> None:
    endless = {
        "insights": [{"text": "tea " * 2_000, "confidence": 5, "evidence": []}] * 50,
        "gaps": [f"gap {number}" for number in range(50)],
        "doubts": [{"text": "doubt " * 2_000, "evidence": []}] * 50,
        "queries": [{"query": f"query {number}", "reason": "r " * 2_000} for number in range(50)],
        "summary": "s " * 5_000,
    }
    assert len((await reflect(server, endless)).model_dump_json()) < 40_000


@pytest.mark.parametrize(
    "answer",
    [
        Text("I think we are fine."),
        Json({"summary": "", "gaps": [], "queries": []}),
        Json({"summary": "Fine."}),
        Json([1, 2]),
        Answer(refusal="I cannot help with that."),
        Text(json.dumps(THOUGHTS)[:40], finish="length"),
    ],
)
async def test_nonsense_is_no_reflection(server: OpenAIServer, answer: Answer) -> None:
    server.handler = lambda _: answer
    with pytest.raises(core.UnusableAnswer):
        await desk(server).analyst.reflect(view())
