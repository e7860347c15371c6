"""A run as a graph for LangGraph's own server and studio, which `langgraph.json` names.

Its state is plain data, a run's id above all: the run itself is carried out, stored and taken up again as ever. Where
the method plans, the graph is interrupted with the plan and resumed with it, or with an edited one. Whoever may ask is
said by the server that carries the graph out, so it has to stand behind one that does, or on this computer alone.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any, Literal, TypedDict

from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from research.core import BeginWithPlan, Brief, HoldPlan, Outline, PlanDrafted, PlanSettled, TopicStarted
from research.service.desks import Desk, Desks
from research.store import RunState


class RunAsked(TypedDict, total=False):
    """What is asked and what comes of it."""

    brief: dict[str, Any]
    """The fields of a brief; only `question` is required."""
    analyst: Literal["auto", "chat", "extractive"]
    run: str
    """The run's id, under which everything else asks for it."""
    status: str
    report: str
    """In Markdown, with its sources."""


@cache
def _desk() -> Desk:
    return Desks(os.environ, ()).of("")


def begin(state: RunAsked) -> RunAsked:
    """Start the run."""
    brief = Brief.model_validate(state["brief"])
    return {"run": _desk().runner.start(brief, analyst=state.get("analyst", "auto"), attended=True)}


def plan(state: RunAsked) -> RunAsked:
    """Show the plan, if the method makes one, and let research begin with what is answered: a plan, or `true`."""
    runner, drafted = _desk().runner, None
    for event in runner.follow(state["run"]):
        match event:
            case PlanDrafted():
                drafted = event.outline
                break
            case PlanSettled() | TopicStarted():
                break
    if drafted is not None:
        runner.steer(state["run"], HoldPlan())
        answer = interrupt(drafted.model_dump(mode="json"))
        outline = Outline.model_validate(answer) if isinstance(answer, dict) else drafted
        runner.steer(state["run"], BeginWithPlan(outline=outline))
    return {}


def research(state: RunAsked) -> RunAsked:
    """Follow the run to its end, each event a piece of the custom stream; one that broke off goes on."""
    desk, tell = _desk(), get_stream_writer()
    if desk.run(state["run"]).state is RunState.INTERRUPTED:
        desk.runner.resume(state["run"], attended=False)
    for event in desk.runner.follow(state["run"]):
        tell(event.model_dump(mode="json"))
    report = desk.report(state["run"])
    return {"status": report.status.value, "report": report.markdown}


def build() -> StateGraph[RunAsked, None, RunAsked, RunAsked]:
    """Return the graph, to be compiled with a checkpointer: a server brings its own."""
    asked = StateGraph(RunAsked)
    for node in (begin, plan, research):
        asked.add_node(node)
    asked.add_edge(START, "begin")
    asked.add_edge("begin", "plan")
    asked.add_edge("plan", "research")
    asked.add_edge("research", END)
    return asked


graph = build().compile(name="research")
