"""Depth and plan of a report, from models that plan well, badly or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from research.core import Depth, ModelError, Outline, Role, Section, UnusableAnswer
from research.language import Language
from tests.support.chat import LIMITS, desk, plan_request
from tests.support.openai_server import Answer, Calls, Failure, Json, OpenAIServer, Text

DEPTH: dict[str, Any] = {"reason": "Two things to compare.", "queries_per_section": 3, "iterations": 2}
SECTION: dict[str, Any] = {
    "title": "Volumes",
    "focus": "Tea exports of Japan since 2020",
    "questions": ["How much in 2024?", "To whom?"],
    "needs": ["export volume", "destination"],
}
PLAN: dict[str, Any] = {
    "purpose": "Decide whether to export.",
    "sections": [SECTION, SECTION | {"title": "Prices"}, SECTION | {"title": "Rules"}],
    "introduction": "Why tea.",
    "conclusion": "What follows.",
    "remark": "Prices may be hard to find.",
}
WANTED = Outline(
    purpose="Decide whether to export.",
    sections=tuple(
        Section(
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
    assert chosen == Depth(queries_per_section=3, iterations=2, reason="Two things to compare.")
    assert at.calls[0].role is Role.PLANNING
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
    with pytest.raises(UnusableAnswer):
        await desk(server).analyst.depth(plan_request())


async def test_a_useless_depth_is_asked_for_once_more(server: OpenAIServer) -> None:
    server.enqueue(Json({"queries_per_section": "many", "iterations": "some"}), Json(DEPTH))
    assert (await desk(server).analyst.depth(plan_request())).iterations == 2


async def test_a_report_is_planned(server: OpenAIServer) -> None:
    server.enqueue(Json(PLAN))
    at = desk(server)
    assert await at.analyst.outline(plan_request(language=Language.JA)) == WANTED
    assert at.calls[0].role is Role.PLANNING
    system, user = (message["content"] for message in server.requests[0].body["messages"])
    assert "2026-11-21" in system and "Japanese" in system and "from three to 5" in system
    assert "How much tea does Japan export?" in user


@pytest.mark.parametrize(
    "answer",
    [
        Text(f"Here is my plan:\n```json\n{json.dumps(PLAN)}\n```\nShall I begin?"),
        Text(json.dumps(PLAN)[:-2]),
        Json({"plan": PLAN}),
        Json({"Purpose": PLAN["purpose"], **PLAN}),
        Json(PLAN | {"sections": json.dumps(PLAN["sections"])}),
        Json(PLAN | {"sections": [part | {"needs": "export volume\n- destination"} for part in PLAN["sections"]]}),
        Calls(("PlanAnswer", PLAN)),
    ],
)
async def test_what_weak_models_make_of_a_plan_is_understood(server: OpenAIServer, answer: Answer) -> None:
    server.enqueue(answer)
    assert await desk(server).analyst.outline(plan_request()) == WANTED


async def test_a_plan_of_bare_titles_is_a_plan(server: OpenAIServer) -> None:
    server.enqueue(Json({"sections": ["Volumes", {"title": "Prices"}, {"focus": "no title"}, 12, None]}))
    plan = await desk(server).analyst.outline(plan_request())
    assert plan == Outline(sections=(Section(title="Volumes"), Section(title="Prices"), Section(title="12")))


@pytest.mark.parametrize(
    ("titles", "planned"),
    [
        ([], 0),
        ([f"Section {number}" for number in range(20)], 20),
        (["Volumes", "Volumes", "volumes"], 3),
        ([""], 1),
    ],
)
async def test_bad_plans_are_passed_on_for_the_program_to_mend(
    server: OpenAIServer, titles: list[str], planned: int
) -> None:
    server.enqueue(Json(PLAN | {"sections": [SECTION | {"title": title} for title in titles]}))
    plan = await desk(server).analyst.outline(plan_request())
    assert len(plan.sections) == planned
    assert [section.title for section in plan.sections] == titles


async def test_a_section_without_measure_is_cut(server: OpenAIServer) -> None:
    endless = {"title": "tea " * 1_000, "questions": ["Why? " * 200], "needs": [f"kind {n}" for n in range(100)]}
    server.enqueue(Json({"sections": [endless]}))
    [section] = (await desk(server).analyst.outline(plan_request())).sections
    assert len(section.title) <= 500 and len(section.questions[0]) <= 300 and len(section.needs) == 12


@pytest.mark.parametrize(
    "answer", [Text("No plan."), Json({"purpose": "None."}), Json({}), Answer(refusal="I cannot help with that.")]
)
async def test_what_is_no_plan_is_unusable(server: OpenAIServer, answer: Answer) -> None:
    server.handler = lambda _: answer
    with pytest.raises(UnusableAnswer):
        await desk(server).analyst.outline(plan_request())


async def test_a_planner_that_does_not_end_is_not_waited_for(server: OpenAIServer) -> None:
    server.handler = lambda _: Json(PLAN, seconds=0.8)
    at = desk(server, seconds=0.2)
    for plan in (at.analyst.depth, at.analyst.outline):
        with pytest.raises(ModelError) as caught:
            await plan(plan_request())
        assert caught.value.code == "model_timeout"
    assert len(server.requests) == 2, "each is asked once"


async def test_a_failure_is_reported_as_one(server: OpenAIServer) -> None:
    server.handler = lambda _: Failure(500, headers={"x-should-retry": "false"})
    analyst = desk(server).analyst
    for plan in (analyst.depth, analyst.outline):
        with pytest.raises(ModelError) as caught:
            await plan(plan_request())
        assert caught.value.code == "model_failed"
