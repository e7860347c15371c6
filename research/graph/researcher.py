"""The researcher's graph: one topic, searched and reflected on until it can be answered, then compressed.

`researcher` only chooses; `researcher_tools` carries out; `compress_research` keeps what is relevant.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from research.analysts.protocol import (
    Compression,
    Findings,
    OfferedTool,
    ResearchComplete,
    ResearcherAction,
    ResearcherView,
    Search,
    Step,
    Think,
    UseTool,
)
from research.errors import ModelError
from research.events import FindingsCompressed, Reflected, Stage
from research.graph.assessing import assess
from research.graph.context import RunContext
from research.graph.lane import Lane
from research.graph.reading import search_all, use_tool
from research.methods.stopping import StopReason


class ResearcherState(TypedDict):
    """What a researcher remembers between its decisions; what it found stands in the books of its lane."""

    lane: Lane
    steps: Annotated[list[Step], operator.add]
    actions: list[ResearcherAction]
    turn: int
    searches: int
    done: bool
    reason: StopReason
    why: str


def initial(lane: Lane) -> ResearcherState:
    """Return the state of a researcher that has not begun."""
    return ResearcherState(
        lane=lane, steps=[], actions=[], turn=0, searches=0, done=False, reason=StopReason.LIMIT, why=""
    )


async def researcher(state: ResearcherState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Choose the next actions."""
    context, lane = runtime.context, state["lane"]
    toolbox = context.world.toolbox
    tools = await toolbox.offered() if toolbox is not None and _uses_left(state) > 0 else ()
    actions = await lane.decide(_view(state, context, tools))
    if not state["searches"] and not _uses(state["steps"]) and not _may_go_on(state, actions):
        # Whoever ends without a search has not looked: the topic itself is the query.
        actions = [Search((lane.topic[:300],))]
    ended = {} if actions else {"reason": StopReason.COMPLETE}
    return {"actions": actions, "turn": state["turn"] + 1, **ended}


def _may_go_on(state: ResearcherState, actions: Sequence[ResearcherAction]) -> bool:
    """Whether a researcher that has not looked yet may do this: look, think first, or find nothing to research."""
    return any(
        isinstance(action, (Search, UseTool))
        or (isinstance(action, Think) and state["turn"] == 0)
        or (isinstance(action, ResearchComplete) and action.code is StopReason.UNPLANNED)
        for action in actions
    )


def _uses(steps: Sequence[Step]) -> int:
    return sum(isinstance(step.action, UseTool) for step in steps)


def _uses_left(state: ResearcherState) -> int:
    """Return how often tools may still be used: as often as queries may be sent."""
    limits = state["lane"].limits
    return limits.searches * limits.queries - _uses(state["steps"])


def _view(state: ResearcherState, context: RunContext, tools: tuple[OfferedTool, ...]) -> ResearcherView:
    lane = state["lane"]
    evidence = context.usable(lane.evidence)
    return ResearcherView(
        brief=context.brief,
        topic=lane.topic,
        today=context.today,
        limits=lane.limits,
        turn=state["turn"],
        searches_left=lane.limits.searches - state["searches"],
        steps=tuple(state["steps"]),
        evidence=evidence,
        pages={entry.source: context.ledger.page_of(entry) for entry in evidence},
        section=lane.section,
        assessment=lane.assessment,
        tools=tools,
    )


async def researcher_tools(state: ResearcherState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Carry out what was chosen."""
    context, lane = runtime.context, state["lane"]
    steps: list[Step] = []
    searches, uses_left, ending = state["searches"], _uses_left(state), None
    for action in state["actions"]:
        match action:
            case Think(reflection, parts):
                context.emit(Reflected(lane=lane.name, reflection=reflection, parts=parts))
                steps.append(Step(action, "Reflection recorded."))
            case Search(queries):
                if searches >= lane.limits.searches:
                    steps.append(Step(action, "The search limit is reached: nothing was searched."))
                    continue
                searches += 1
                found_before = len(lane.evidence)
                observation, found = await search_all(context, lane, queries[: lane.limits.queries])
                steps.append(Step(action, observation, found))
                await assess(context, lane, iteration=searches, found_before=found_before)
            case UseTool():
                uses_left -= 1
                before = searches + _uses([*state["steps"], *steps])
                steps.append(await _used(context, lane, action, is_allowed=uses_left >= 0, before=before))
            case ResearchComplete():
                ending = action
                steps.append(Step(action, "Research on this topic ends."))
    if ending is None:
        return {"steps": steps, "searches": searches}
    return {"steps": steps, "searches": searches, "done": True, "reason": ending.code, "why": ending.reason}


async def _used(context: RunContext, lane: Lane, action: UseTool, *, is_allowed: bool, before: int) -> Step:
    if context.world.toolbox is None or not is_allowed:
        return Step(action, "No tool can be used any more: nothing was asked.")
    found_before = len(lane.evidence)
    observation, found = await use_tool(context, lane, context.world.toolbox, action)
    await assess(context, lane, iteration=before + 1, found_before=found_before)
    return Step(action, observation, found)


def _after_choice(state: ResearcherState) -> Literal["researcher_tools", "compress_research"]:
    return "researcher_tools" if state["actions"] else "compress_research"


def _after_tools(state: ResearcherState) -> Literal["researcher", "compress_research"]:
    over = state["done"] or state["turn"] >= state["lane"].limits.researcher_turns
    return "compress_research" if over else "researcher"


async def compress_research(state: ResearcherState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Keep the relevant evidence. Quotes are never rewritten, every source survives, an unusable answer keeps all."""
    context, lane = runtime.context, state["lane"]
    evidence = context.usable(lane.evidence)
    if not evidence:
        return {}
    pages = {entry.source: context.ledger.page_of(entry) for entry in evidence}
    try:
        findings = Findings(context.brief, lane.topic, evidence, pages)
        compression = await context.world.analyst.compress(findings)
    except ModelError as error:
        context.problem(Stage.RESEARCH, error.code, lane=lane.name, detail=error.detail)
        return {}
    found, lane.notes = list(lane.evidence), compression.notes
    lane.evidence = _kept(context, [entry.id for entry in evidence], compression)
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
