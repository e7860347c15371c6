"""Connected servers in research: tools that a model chooses, answers that are read like pages, and no harm done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from research import analysts, core
from research.analysts.extractive import ExtractiveAnalyst
from research.engine import Control, RunResult, conduct
from research.settings import Settings
from research.sources.mcp import Servers
from research.store import Runner, RunStore
from tests.support.chat import desk, researcher_view
from tests.support.mcp_server import CUSTOMER, NOTE, TOKEN, McpTestServer
from tests.support.openai_server import Answer, Body, Calls, Json, OpenAIServer, Text
from tests.support.scripted import MemoryJournal, MemorySource, ScriptedAnalyst, scripted_world

FIND = analysts.OfferedTool(
    "crm",
    "find.customer",
    (
        analysts.ToolParameter("name", "string", is_required=True),
        analysts.ToolParameter("limit", "integer", is_required=False),
    ),
    "Our customers. Names are in Japanese.",
)
ROWS = analysts.OfferedTool("stats", "rows", (), "")
USED = analysts.Step(analysts.UseTool("crm", "find.customer", '{"name": "青葉"}'), "1 pages, 1 new.")
ASKED = analysts.UseTool("crm", "find.customer", '{"name": "Aoba"}')


@pytest.fixture
def models() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


async def investigate(
    models: OpenAIServer, *steps: analysts.Step, offers: tuple[analysts.OfferedTool, ...] = (FIND, ROWS)
) -> list[Any]:
    view = replace(researcher_view(*steps), tools=offers)
    return list(await desk(models).analyst.investigate(view))


# --- what a model is shown, and what it chooses ----------------------------------------------------------------


async def test_a_model_is_offered_the_tools_with_the_users_words(models: OpenAIServer) -> None:
    models.enqueue(Calls(("crm__find_customer", {"name": "Aoba"})))
    assert await investigate(models) == [ASKED]
    (request,) = models.requests
    assert request.tools == ["search", "crm__find_customer", "stats__rows", "think_tool", "ResearchComplete"]
    assert request.body["tools"][1]["function"]["parameters"] == {
        "type": "object",
        "properties": {"name": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["name"],
    }
    assert "Our customers. Names are in Japanese." in request.body["messages"][0]["content"]


async def test_without_servers_nothing_is_said_of_them(models: OpenAIServer) -> None:
    models.enqueue(Calls(("search", {"queries": ["tea"]})))
    assert await investigate(models, offers=()) == [analysts.Search(("tea",))]
    assert "server" not in models.requests[0].body["messages"][0]["content"]


@pytest.mark.parametrize(
    ("given", "understood"),
    [
        ({"name": "Aoba", "limit": 2}, '{"limit": 2, "name": "Aoba"}'),
        ({"name": "Aoba", "command": "rm"}, '{"name": "Aoba"}'),
        ({"arguments": {"name": "Aoba"}}, '{"name": "Aoba"}'),
        ({"arguments": '{"name": "Aoba"}'}, '{"name": "Aoba"}'),
        ('{"name": "Aoba"', '{"name": "Aoba"}'),
        ({"limit": 2}, None),
        ({"name": "x" * 5_000}, None),
    ],
)
async def test_arguments_are_understood_however_they_come(
    models: OpenAIServer, given: Any, understood: str | None
) -> None:
    models.handler = lambda _: Calls(("crm__find_customer", given))
    expected = [] if understood is None else [analysts.UseTool("crm", "find.customer", understood)]
    assert await investigate(models, offers=(FIND,)) == expected


async def test_searching_and_asking_may_be_chosen_together(models: OpenAIServer) -> None:
    calls = [("crm__find_customer", {"name": "Aoba"}), ("search", {"queries": ["tea"]}), ("stats__rows", {})]
    models.enqueue(Calls(*calls))
    assert await investigate(models) == [analysts.Search(("tea",)), ASKED, analysts.UseTool("stats", "rows", "{}")]


async def test_what_was_asked_before_is_not_asked_again_and_stands_in_the_history(models: OpenAIServer) -> None:
    models.enqueue(Calls(("crm__find_customer", {"name": "青葉"}), ("crm__find_customer", {"name": "Aoba"})))
    assert await investigate(models, USED) == [ASKED]
    call = models.requests[0].body["messages"][2]["tool_calls"][0]["function"]
    assert (call["name"], json.loads(call["arguments"])) == ("crm__find_customer", {"name": "青葉"})


# --- in a run --------------------------------------------------------------------------------------------------


def asking(*first: analysts.ResearcherAction) -> ScriptedAnalyst:
    """A researcher that does this at first, then ends."""

    def on_investigate(view: analysts.ResearcherView) -> list[analysts.ResearcherAction]:
        views.append(view)
        return list(first) if view.turn == 0 else [analysts.ResearchComplete()]

    views: list[analysts.ResearcherView] = []
    analyst = ScriptedAnalyst(topics=("Aoba",), on_investigate=on_investigate)
    analyst.views = views  # type: ignore[attr-defined]
    return analyst


async def run(tools: McpTestServer, analyst: ScriptedAnalyst, **server: Any) -> tuple[RunResult, MemoryJournal]:
    journal = MemoryJournal()
    servers = Servers([tools.named(**server)], lambda *_, **__: None, list_seconds=5, call_seconds=5)
    world = replace(scripted_world(analyst, MemorySource(())), toolbox=servers)
    return await conduct("test", core.Brief(question="What of Aoba?"), world, journal, Control()), journal


async def test_what_a_tool_answers_is_kept_and_quoted_like_a_page(tools: McpTestServer) -> None:
    result, journal = await run(tools, asking(analysts.UseTool("crm", "find_customer", '{"name": "Aoba"}')))
    (page,) = result.pages.values()
    assert (page.url, page.origin, page.site) == ("mcp://crm/find_customer?name=Aoba", core.SourceName.MCP, "crm")
    (quote,) = journal.of(core.EvidenceFound)
    assert quote.quote == page.text[quote.start : quote.end] == CUSTOMER
    assert [(event.source, event.query) for event in journal.of(core.SearchStarted)] == [
        (core.SourceName.MCP, 'crm/find_customer {"name": "Aoba"}')
    ]
    (source,) = result.record.sources
    assert (source.url, source.title) == (page.url, "crm/find_customer: Aoba")


async def test_whoever_has_asked_a_tool_has_looked_and_may_end(tools: McpTestServer) -> None:
    analyst = asking(analysts.UseTool("crm", "find_customer", '{"name": "Aoba"}'))
    _, journal = await run(tools, analyst)
    assert [event.source for event in journal.of(core.SearchStarted)] == [core.SourceName.MCP]
    views: list[analysts.ResearcherView] = analyst.views  # type: ignore[attr-defined]
    assert {tool.name for tool in views[0].tools} >= {"rows", "find_customer"}
    assert [step.found[0].evidence for step in views[1].steps] == [("E1",)]


async def test_a_tool_that_fails_is_a_problem_and_the_run_goes_on(tools: McpTestServer) -> None:
    uses = (analysts.UseTool("crm", "broken"), analysts.UseTool("crm", "find_customer", '{"name": "Aoba"}'))
    result, journal = await run(tools, asking(*uses))
    assert [event.code for event in journal.of(core.SearchFailed)] == ["mcp_failed"]
    assert len(result.pages) == 1


async def test_tools_are_asked_as_often_as_queries_may_be_sent(tools: McpTestServer) -> None:
    uses = [analysts.UseTool("crm", "find_customer", json.dumps({"name": f"Aoba {number}"})) for number in range(50)]
    analyst = asking(*uses)
    _, journal = await run(tools, analyst)
    views: list[analysts.ResearcherView] = analyst.views  # type: ignore[attr-defined]
    limits = views[0].limits
    assert len(journal.of(core.SearchStarted)) == limits.searches * limits.queries < 50
    assert len(journal.of(core.PageRead)) == 1, "the same answer again is no further source"
    assert views[1].tools == ()


async def test_no_answer_of_a_tool_speaks_to_a_prompt_that_can_act(tools: McpTestServer, models: OpenAIServer) -> None:
    models.handler = a_model_with_tools
    at, rules, journal = desk(models, preset=core.PresetName.COST), ExtractiveAnalyst(), MemoryJournal()
    analyst = analysts.FallbackAnalyst(at.analyst, rules, lambda *_, **__: None)
    servers = Servers([tools.named(instructions="Our customers.")], lambda *_, **__: None)
    world = replace(
        scripted_world(analyst, MemorySource(())), rules=rules, models=dict(at.models.names), toolbox=servers
    )
    brief = core.Brief(question="What did Aoba order?", preset=core.PresetName.COST, method="supervised")
    result = await conduct("test", brief, world, journal, Control())
    assert {entry.quote for entry in journal.of(core.EvidenceFound)} == {CUSTOMER}
    assert "310 pumps" in result.markdown
    acting = [request for request in models.requests if request.tools]
    reading = [request for request in models.requests if request.schema == "PageReport"]
    assert any("crm__find_customer" in request.tools for request in acting)
    assert reading and all("CANARY" in request.text for request in reading)
    assert not any("CANARY" in request.text for request in acting)


def a_model_with_tools(body: Body) -> Answer:
    """Answer as a good model would: one topic, one question to a tool, one thought, the end."""
    if body.get("stream"):
        return Text(f"# Aoba\n\n{CUSTOMER.removesuffix('.')} [E1].\n")
    schema = (body.get("response_format") or {}).get("json_schema", {}).get("name")
    answers = {
        "PageReport": {"summary": "Aoba orders pumps.", "key_excerpts": [CUSTOMER]},
        "CompressionAnswer": {"keep": ["E1"], "notes": "- Orders are known [E1]."},
        "Repairs": {"repairs": []},
    }
    if schema is not None:
        return Json(answers[schema])
    offered = [tool["function"]["name"] for tool in body["tools"]]
    done = sum(message["role"] == "tool" for message in body["messages"])
    if "ConductResearch" in offered and not done:
        return Calls(("ConductResearch", {"research_topic": "Orders of Aoba"}))
    if "crm__find_customer" in offered and not done:
        return Calls(("crm__find_customer", {"name": "Aoba"}))
    if done == 1 and "think_tool" in offered:
        return Calls(("think_tool", {"reflection": "That is enough."}))
    return Calls(("ResearchComplete", {"reason": "Enough."}))


def test_rules_search_a_server_that_searches(
    tools: McpTestServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRM_TOKEN", TOKEN)
    said = {
        "name": "crm",
        "url": tools.url,
        "headers": {"Authorization": "Bearer ${CRM_TOKEN}"},
        "search": "search_notes",
    }
    (tmp_path / "mcp.json").write_text(json.dumps([said]), encoding="utf-8")
    store = RunStore(tmp_path)
    with Runner(store, Settings(home=tmp_path)) as runner:
        brief = core.Brief(question="How did the pump market in Vietnam grow?", preset="speed")
        report = runner.wait(runner.start(brief), timeout=60)
    store.close()
    assert report.record.analyst == "extractive"
    assert [entry.site for entry in report.record.sources] == ["crm"]
    assert "grew by 4.2% in 2025" in report.markdown
    assert any(entry.quote.startswith(NOTE) for entry in report.record.evidence)
    kept = (tmp_path / "mcp.json").read_text() + "".join(
        path.read_text("utf-8", "ignore") for path in tmp_path.rglob("*") if path.is_file()
    )
    assert TOKEN not in kept


def test_a_server_that_is_down_costs_only_itself(tmp_path: Path) -> None:
    said = {"name": "crm", "url": "http://127.0.0.1:9/mcp", "search": "search_notes"}
    (tmp_path / "mcp.json").write_text(json.dumps([said]), encoding="utf-8")
    store = RunStore(tmp_path)
    with Runner(store, Settings(home=tmp_path)) as runner:
        brief = core.Brief(question="What of Vietnam?", preset="speed", sources=("mcp", "house"))
        report = runner.wait(runner.start(brief), timeout=60)
    store.close()
    assert "mcp_unreachable" in {event.code for event in report.history if isinstance(event, core.ProblemOccurred)}
    assert report.record.evidence
