"""A run as a graph of LangGraph: plain state under a checkpointer, the plan as an interruption, events as a stream."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from research.service import studio
from tests.support.vectors import with_shared_vectors


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with_shared_vectors(tmp_path / "home")
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path / "home"))
    studio._desk.cache_clear()
    yield tmp_path / "home"
    studio._desk().runner.close()
    studio._desk.cache_clear()


def asked(method: str) -> studio.RunAsked:
    question = "What is the overseas sales target of the house, and what did the service centres cost?"
    return {"brief": {"question": question, "method": method, "sources": ["house"]}, "analyst": "extractive"}


def test_a_plan_interrupts_the_graph_and_is_resumed_with_another(home: Path) -> None:
    graph, thread = studio.build().compile(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "1"}}
    waiting = graph.invoke(asked("outlined"), thread)
    plan = waiting["__interrupt__"][0].value
    plan["sections"][0]["title"] = "Only what it sells abroad"
    told = list(graph.stream(Command(resume=plan), thread, stream_mode="custom"))
    ended = graph.get_state(thread).values
    assert ended["status"] == "complete"
    assert "## Only what it sells abroad" in ended["report"]
    assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
    assert [event["edited"] for event in told if event["type"] == "plan_settled"] == [True]
    assert json.loads(json.dumps(ended)) == ended, "plain data, which any checkpointer keeps"


def test_a_method_without_a_plan_goes_through(home: Path) -> None:
    ended = studio.graph.invoke(asked("chained"))
    assert ended["status"] == "complete"
    assert ended["report"].startswith("# ")


def test_the_file_of_langgraph_names_the_graph_and_it_can_be_drawn() -> None:
    root = Path(__file__).parents[1]
    where, _, name = json.loads((root / "langgraph.json").read_text())["graphs"]["research"].partition(":")
    assert root / where == Path(studio.__file__)
    assert "begin --> plan" in getattr(studio, name).get_graph().draw_mermaid()
