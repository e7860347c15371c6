"""Answers of a given shape, from servers that can do it in different ways and from models that cannot do it well."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, Field

from research.analysts.chat.answers import fit, system
from research.core import ModelError, ModelRefused, Role, UnusableAnswer
from tests.support.chat import Desk, desk
from tests.support.openai_server import Answer, Body, Calls, Failure, Json, OpenAIServer, Reply, Text


class Tea(BaseModel):
    name: str
    places: list[str]


GOOD = {"name": "Sencha", "places": ["Shizuoka", "Kagoshima"]}
WANTED = Tea(name="Sencha", places=["Shizuoka", "Kagoshima"])


async def tea(at: Desk, seconds: float | None = None) -> Tea:
    return await at.analyst.ask(Role.SUMMARIZATION, system("You know tea."), "Which tea?", Tea, seconds=seconds)


async def test_a_server_that_knows_schemas_is_sent_one(server: OpenAIServer) -> None:
    server.enqueue(Json(GOOD))
    assert await tea(desk(server)) == WANTED
    [request] = server.requests
    schema = request.body["response_format"]["json_schema"]
    assert (request.schema, schema["strict"]) == ("Tea", True)
    assert schema["schema"]["required"] == ["name", "places"]
    assert schema["schema"]["additionalProperties"] is False


def without_schemas(body: Body) -> Reply:
    if "response_format" in body:
        return Failure(400, "response_format json_schema is not available", code="unsupported")
    return Calls(("Tea", GOOD)) if "tools" in body else Text("No tool was offered.")


async def test_a_server_without_schemas_is_asked_to_call_a_function_and_that_is_remembered(
    server: OpenAIServer,
) -> None:
    server.handler = without_schemas
    at = desk(server)
    assert await tea(at) == WANTED
    assert await tea(at) == WANTED
    assert [request.schema for request in server.requests] == ["Tea", None, None]
    assert server.requests[1].tools == server.requests[2].tools == ["Tea"]
    assert server.requests[1].body["tool_choice"] == "required"


async def test_a_server_with_neither_gets_the_schema_in_the_prompt(server: OpenAIServer) -> None:
    rejected = Failure(422, "unknown field")
    server.handler = lambda body: rejected if "response_format" in body or "tools" in body else Json(GOOD)
    at = desk(server)
    assert await tea(at) == WANTED
    assert await tea(at) == WANTED
    assert len(server.requests) == 4
    assert '"places"' in server.requests[-1].body["messages"][-1]["content"]


async def test_a_request_that_is_rejected_in_every_way_fails(server: OpenAIServer) -> None:
    server.handler = lambda _: Failure(400, "The temperature is wrong.")
    with pytest.raises(ModelError) as caught:
        await tea(desk(server))
    assert caught.value.code == "model_failed"
    assert len(server.requests) == 3


async def test_a_refused_key_is_not_tried_in_other_ways(server: OpenAIServer) -> None:
    server.handler = lambda _: Failure(401)
    with pytest.raises(ModelRefused):
        await tea(desk(server))
    assert len(server.requests) == 1


WHOLE = json.dumps(GOOD)


@pytest.mark.parametrize(
    "answer",
    [
        Text(f"```json\n{WHOLE}\n```"),
        Text(f"Certainly! Here it is:\n\n{WHOLE}\n\nDoes that help [1]?"),
        Text(f"<think>Which {{tea}}? {{}}</think>{WHOLE}"),
        Text(f"```\n{WHOLE[:-1]}"),
        Text(WHOLE[:-2]),
        Text(WHOLE.replace('"', "'")),
        Text(WHOLE.replace("]}", "],}")),
        Json(WHOLE),
        Json([GOOD]),
        Json({"answer": GOOD}),
        Json({"name": "Tea", "arguments": WHOLE}),
        Json({"Name": "Sencha", "Places": "- Shizuoka\n- Kagoshima", "colour": "green"}),
        Json({"name": ["Sencha"], "places": [{"text": "Shizuoka"}, {"id": 1, "quote": "Kagoshima"}]}),
        Json({"name": {"value": "Sencha"}, "places": {"1": "Shizuoka", "2": "Kagoshima"}}),
        Json({"name": " Sencha ", "places": '["Shizuoka", "Kagoshima", ""]'}),
        Calls(("Tea", GOOD)),
        Calls(("Tea", WHOLE[:-2])),
        Calls(("Tea", json.dumps(WHOLE))),
        Calls(("tea_answer", {"tea": GOOD})),
    ],
)
async def test_what_weak_models_make_of_json_is_understood(server: OpenAIServer, answer: Answer) -> None:
    server.enqueue(answer)
    assert await tea(desk(server)) == WANTED
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        Text(""),
        Text("I would say Sencha."),
        Json({"name": "Sencha"}),
        Json({}),
        Json([]),
        Text("{"),
        Text(WHOLE, finish="length"),
    ],
)
async def test_an_answer_that_cannot_be_used_is_asked_for_once_more(server: OpenAIServer, answer: Answer) -> None:
    server.enqueue(answer, Json(GOOD))
    at = desk(server)
    assert await tea(at) == WANTED
    assert len(at.calls) == 2
    again = server.requests[1].body["messages"]
    assert [message["role"] for message in again] == ["system", "user", "assistant", "user"]
    assert '"places"' in again[-1]["content"]


@pytest.mark.parametrize("answer", [Text("I would say Sencha."), Text(WHOLE[:20], finish="length"), Text("")])
async def test_after_two_useless_answers_it_is_given_up(server: OpenAIServer, answer: Answer) -> None:
    server.handler = lambda _: answer
    with pytest.raises(UnusableAnswer) as caught:
        await tea(desk(server))
    assert caught.value.code == "model_unusable"
    assert len(server.requests) == 2


@pytest.mark.parametrize("answer", [Answer(refusal="I cannot help with that."), Text(WHOLE, finish="content_filter")])
async def test_a_refusal_is_not_argued_with(server: OpenAIServer, answer: Answer) -> None:
    server.enqueue(answer)
    with pytest.raises(UnusableAnswer):
        await tea(desk(server))
    assert len(server.requests) == 1


async def test_the_time_limit_is_for_both_answers_together(server: OpenAIServer) -> None:
    server.handler = lambda _: Text("Hm.", seconds=1.5)
    at = desk(server)
    with pytest.raises(ModelError) as caught:
        await tea(at, seconds=2.5)
    assert caught.value.code == "model_timeout"
    assert [called.error for called in at.calls] == ["", "model_timeout"]


class Leaf(BaseModel):
    name: str
    grade: float = Field(default_factory=lambda: 5.0)
    places: list[str] = Field(default_factory=list)


class Shelf(BaseModel):
    boxes: int
    leaves: list[Leaf]
    remark: str = Field(default_factory=str)


@pytest.mark.parametrize(
    ("boxes", "read"),
    [(3, 3), ("3", 3), (3.0, 3), ("about 3", 3), ("３箱", 3), (["3"], 3), ({"value": 3}, 3), ("-2", -2), ("3 to 5", 3)],
)
def test_numbers_are_read_however_they_are_written(boxes: object, read: int) -> None:
    found = fit({"boxes": boxes, "leaves": []}, Shelf)
    assert found == Shelf(boxes=read, leaves=[])


@pytest.mark.parametrize("boxes", ["three", None, True, [], {}, float("inf"), float("nan"), "E"])
def test_what_is_no_number_is_none(boxes: object) -> None:
    assert fit({"boxes": boxes, "leaves": []}, Shelf) is None


def test_what_has_a_default_may_be_missing() -> None:
    found = fit(
        {"shelf": {"Boxes": 2, "leaves": [{"name": "Sencha"}, {"grade": 3}, {"name": "Bancha", "grade": "?"}]}}, Shelf
    )
    assert found == Shelf(boxes=2, leaves=[Leaf(name="Sencha"), Leaf(name="Bancha")])
    assert fit({"leaves": []}, Shelf) is None


def test_a_bare_text_stands_for_what_needs_nothing_but_a_text() -> None:
    found = fit({"boxes": 1, "leaves": ["Sencha", {"name": "Bancha"}, "", None, {"text": "Hojicha"}]}, Shelf)
    assert found is not None
    assert [leaf.name for leaf in found.leaves] == ["Sencha", "Bancha", "Hojicha"]


def test_halves_of_characters_do_not_get_in() -> None:
    assert fit({"name": "Sencha \ud800", "places": ["\udfff Uji"]}, Tea) == Tea(name="Sencha ?", places=["? Uji"])


async def test_what_may_be_missing_is_asked_for_without_a_default_in_the_schema(server: OpenAIServer) -> None:
    server.enqueue(Json({"boxes": 1, "leaves": []}))
    await desk(server).analyst.ask(Role.PLANNING, system("You count."), "How many?", Shelf)
    schema = server.requests[0].body["response_format"]["json_schema"]["schema"]
    assert "default" not in json.dumps(schema)
    assert schema["required"] == ["boxes", "leaves", "remark"]
    assert schema["properties"]["leaves"]["items"]["required"] == ["name", "grade", "places"]
