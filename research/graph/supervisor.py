"""The supervisor's graph: hands topics to researchers, reflects on what they bring, decides when it is enough.

`supervisor` only chooses; `supervisor_tools` carries out, and runs the researchers in parallel.
"""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from research.analysts.protocol import (
    ConductResearch,
    ResearchComplete,
    Step,
    SupervisorAction,
    SupervisorView,
    Think,
)
from research.events import SUPERVISOR, Reflected, Stage, TopicFinished, TopicQueued, TopicStarted
from research.graph import researcher
from research.graph.context import Lane, RunContext

_researcher = researcher.build()


class SupervisorState(TypedDict):
    """What the supervisor remembers between its decisions."""

    steps: Annotated[list[Step], operator.add]
    actions: list[SupervisorAction]
    turn: int
    done: bool


def initial() -> SupervisorState:
    """Return the state of a supervisor that has not begun."""
    return SupervisorState(steps=[], actions=[], turn=0, done=False)


async def supervisor(state: SupervisorState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Choose the next actions."""
    context = runtime.context
    actions = await context.world.analyst.supervise(_view(state, context))
    may_still_think = state["turn"] == 0 and any(isinstance(action, Think) for action in actions)
    delegates = any(isinstance(action, ConductResearch) for action in actions)
    if not context.lanes and not may_still_think and not delegates:
        # Whoever ends without a topic has researched nothing: the question itself is the topic.
        actions = [ConductResearch(context.brief.question)]
    return {"actions": actions, "turn": state["turn"] + 1}


def _view(state: SupervisorState, context: RunContext) -> SupervisorView:
    return SupervisorView(
        brief=context.brief,
        brief_text=context.brief_text,
        today=context.today,
        limits=context.limits,
        turn=state["turn"],
        topics_left=context.limits.researchers - len(context.lanes),
        steps=tuple(state["steps"]),
        results=context.results,
    )


async def supervisor_tools(state: SupervisorState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Carry out what was chosen."""
    context = runtime.context
    steps: list[Step] = []
    for action in state["actions"]:
        if isinstance(action, Think):
            context.emit(Reflected(lane=SUPERVISOR, reflection=action.reflection))
            steps.append(Step(action, "Reflection recorded."))
    topics = [action for action in state["actions"] if isinstance(action, ConductResearch)]
    steps += await _research(context, topics)
    done = any(isinstance(action, ResearchComplete) for action in state["actions"])
    return {"steps": steps, "done": done}


async def _research(context: RunContext, topics: Sequence[ConductResearch]) -> list[Step]:
    """Run a researcher for each topic, as many at once as the preset allows; what exceeds the run is told so."""
    left = max(0, context.limits.researchers - len(context.lanes))
    lanes = [context.open_lane(action.topic) for action in topics[:left]]
    for lane in lanes:
        context.emit(TopicQueued(lane=lane.name, topic=lane.topic))
    turn = asyncio.Semaphore(context.limits.concurrent_researchers)
    await asyncio.gather(*(_research_topic(context, lane, turn) for lane in lanes))
    done = [Step(action, _observation(lane)) for action, lane in zip(topics, lanes, strict=False)]
    refused = "Not researched: the limit of topics for this run is reached. Decide with what there is."
    return done + [Step(action, refused) for action in topics[left:]]


async def _research_topic(context: RunContext, lane: Lane, turn: asyncio.Semaphore) -> None:
    """Research one topic; whatever happens to it costs its siblings nothing, and what it found is kept."""
    async with turn:
        context.emit(TopicStarted(lane=lane.name))
        try:
            reason = await _run(context, lane)
        except asyncio.CancelledError:
            _finish(context, lane, "finish")
            raise
        except Exception as error:  # noqa: BLE001 - a researcher may fail in any way; the run goes on
            lane.failed = True
            reason = "failed"
            detail = f"{type(error).__name__}: {error}"
            context.problem(Stage.RESEARCH, "topic_failed", subject=lane.topic[:80], lane=lane.name, detail=detail)
        _finish(context, lane, reason)


async def _run(context: RunContext, lane: Lane) -> str:
    steps_at_most = context.limits.researcher_turns * 2 + 5
    state = await _researcher.ainvoke(researcher.initial(lane), {"recursion_limit": steps_at_most}, context=context)
    return str(state["reason"])


def _finish(context: RunContext, lane: Lane, reason: str) -> None:
    context.emit(TopicFinished(lane=lane.name, reason=reason, notes=lane.notes, evidence=tuple(lane.evidence)))


def _observation(lane: Lane) -> str:
    kept = f"{len(lane.evidence)} pieces of evidence: {', '.join(lane.evidence)}." if lane.evidence else "No evidence."
    failed = " The researcher failed before it was done." if lane.failed else ""
    return f"{kept}{failed} {lane.notes}".strip()


def _after_choice(state: SupervisorState) -> Literal["supervisor_tools", "__end__"]:
    return "supervisor_tools" if state["actions"] else "__end__"


def _after_tools(state: SupervisorState, runtime: Runtime[RunContext]) -> Literal["supervisor", "__end__"]:
    over = state["done"] or state["turn"] >= runtime.context.limits.supervisor_turns
    return "__end__" if over else "supervisor"


def build() -> CompiledStateGraph[SupervisorState, RunContext, SupervisorState, SupervisorState]:
    """Return the compiled graph."""
    graph = StateGraph(SupervisorState, context_schema=RunContext)
    graph.add_node(supervisor)
    graph.add_node(supervisor_tools)
    graph.add_edge(START, "supervisor")
    graph.add_conditional_edges("supervisor", _after_choice)
    graph.add_conditional_edges("supervisor_tools", _after_tools)
    return graph.compile(name="supervisor")
