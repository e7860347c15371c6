"""The researcher's graph: one topic, searched and reflected on until it can be answered, then compressed.

`researcher` only chooses; `researcher_tools` carries out; `compress_research` keeps what is relevant.
"""

from __future__ import annotations

import operator
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from research.analysts.protocol import (
    Compression,
    Findings,
    ResearchComplete,
    ResearcherAction,
    ResearcherView,
    Search,
    Step,
    Think,
)
from research.errors import ModelError
from research.events import FindingsCompressed, Reflected, Stage
from research.graph.context import Lane, RunContext
from research.graph.reading import search_all


class ResearcherState(TypedDict):
    """What a researcher remembers between its decisions; what it found stands in the books of its lane."""

    lane: Lane
    steps: Annotated[list[Step], operator.add]
    actions: list[ResearcherAction]
    turn: int
    searches: int
    done: bool
    reason: str


def initial(lane: Lane) -> ResearcherState:
    """Return the state of a researcher that has not begun."""
    return ResearcherState(lane=lane, steps=[], actions=[], turn=0, searches=0, done=False, reason="limit")


async def researcher(state: ResearcherState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Choose the next actions."""
    context, lane = runtime.context, state["lane"]
    actions = await context.world.analyst.investigate(_view(state, context))
    may_still_think = state["turn"] == 0 and any(isinstance(action, Think) for action in actions)
    if not state["searches"] and not may_still_think and not any(isinstance(action, Search) for action in actions):
        # Whoever ends without a search has not looked: the topic itself is the query.
        actions = [Search((lane.topic[:300],))]
    return {"actions": actions, "turn": state["turn"] + 1}


def _view(state: ResearcherState, context: RunContext) -> ResearcherView:
    evidence = tuple(context.ledger.evidence[name] for name in state["lane"].evidence)
    return ResearcherView(
        brief=context.brief,
        topic=state["lane"].topic,
        today=context.today,
        limits=context.limits,
        turn=state["turn"],
        searches_left=context.limits.searches - state["searches"],
        steps=tuple(state["steps"]),
        evidence=evidence,
        pages={entry.source: context.ledger.page_of(entry) for entry in evidence},
    )


async def researcher_tools(state: ResearcherState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Carry out what was chosen."""
    context, lane = runtime.context, state["lane"]
    steps: list[Step] = []
    searches, done = state["searches"], False
    for action in state["actions"]:
        match action:
            case Think(reflection):
                context.emit(Reflected(lane=lane.name, reflection=reflection))
                steps.append(Step(action, "Reflection recorded."))
            case Search(queries):
                if searches >= context.limits.searches:
                    steps.append(Step(action, "The search limit is reached: nothing was searched."))
                    continue
                searches += 1
                steps.append(Step(action, await search_all(context, lane, queries[: context.limits.queries])))
            case ResearchComplete():
                done = True
                steps.append(Step(action, "Research on this topic ends."))
    reason = "complete" if done or not state["actions"] else "limit"
    return {"steps": steps, "searches": searches, "done": done, "reason": reason}


def _after_choice(state: ResearcherState) -> Literal["researcher_tools", "compress_research"]:
    return "researcher_tools" if state["actions"] else "compress_research"


def _after_tools(state: ResearcherState, runtime: Runtime[RunContext]) -> Literal["researcher", "compress_research"]:
    over = state["done"] or state["turn"] >= runtime.context.limits.researcher_turns
    return "compress_research" if over else "researcher"


async def compress_research(state: ResearcherState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Keep the relevant evidence. Quotes are never rewritten, every source survives, an unusable answer keeps all."""
    context, lane = runtime.context, state["lane"]
    if not lane.evidence:
        return {}
    evidence = tuple(context.ledger.evidence[name] for name in lane.evidence)
    pages = {entry.source: context.ledger.page_of(entry) for entry in evidence}
    try:
        compression = await context.world.analyst.compress(Findings(context.brief, lane.topic, evidence, pages))
    except ModelError as error:
        context.problem(Stage.RESEARCH, error.code, lane=lane.name, detail=error.detail)
        return {}
    found, lane.notes = list(lane.evidence), compression.notes
    lane.evidence = _kept(context, found, compression)
    dropped = tuple(name for name in found if name not in lane.evidence)
    context.emit(FindingsCompressed(lane=lane.name, kept=tuple(lane.evidence), dropped=dropped))
    return {}


def _kept(context: RunContext, found: list[str], compression: Compression) -> list[str]:
    wanted = set(compression.keep) & set(found)
    if not wanted:
        return found
    source_of = {name: context.ledger.evidence[name].source for name in found}
    surviving = {source_of[name] for name in wanted}
    for name in found:
        if source_of[name] not in surviving:
            surviving.add(source_of[name])
            wanted.add(name)
    return [name for name in found if name in wanted]


def build() -> CompiledStateGraph[ResearcherState, RunContext, ResearcherState, ResearcherState]:
    """Return the compiled graph."""
    graph = StateGraph(ResearcherState, context_schema=RunContext)
    graph.add_node(researcher)
    graph.add_node(researcher_tools)
    graph.add_node(compress_research)
    graph.add_edge(START, "researcher")
    graph.add_conditional_edges("researcher", _after_choice)
    graph.add_conditional_edges("researcher_tools", _after_tools)
    graph.add_edge("compress_research", END)
    return graph.compile(name="researcher")
