"""The supervisor: chooses topics, hands them out, takes up the user's questions."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from research.analysts import ConductResearch, ResearchComplete, Step, SupervisorAction, SupervisorView, Think
from research.core import SUPERVISOR, Reflected, Section, StopReason
from research.engine.context import Lane, RunContext
from research.engine.researcher import run_lanes, stopping_early


class SupervisorState(TypedDict):
    """What the supervisor remembers between its decisions."""

    steps: Annotated[list[Step], operator.add]
    actions: list[SupervisorAction]
    turn: int
    done: bool
    reason: StopReason
    why: str


async def initial_supervisor(context: RunContext) -> SupervisorState:
    """Return the state of a supervisor that has not begun; in a run that broke off, after the topics that it had."""
    questions = set(context.questions)
    topics = [ConductResearch(topic) for topic in context.taken_up.lanes if topic not in questions]
    steps = await _research(context, topics)
    decided = 2 if topics else 0  # to plan, and to hand topics out
    return SupervisorState(steps=steps, actions=[], turn=decided, done=False, reason=StopReason.LIMIT, why="")


async def supervisor(state: SupervisorState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Choose the next actions."""
    context = runtime.context
    actions = await context.world.analyst.supervise(_view(state, context))
    may_still_think = state["turn"] == 0 and any(isinstance(action, Think) for action in actions)
    delegates = any(isinstance(action, ConductResearch) for action in actions)
    if not context.lanes and not may_still_think and not delegates:
        # Whoever ends without a topic has researched nothing: the question itself is the topic.
        actions = [ConductResearch(context.brief.question)]
    ended = {} if actions else {"reason": StopReason.COMPLETE}
    return {"actions": actions, "turn": state["turn"] + 1, **ended}


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
            context.emit(Reflected(lane=SUPERVISOR, reflection=action.reflection, parts=action.parts))
            steps.append(Step(action, "Reflection recorded."))
    topics = [action for action in state["actions"] if isinstance(action, ConductResearch)]
    steps += await _research(context, topics)
    ending = next((action for action in state["actions"] if isinstance(action, ResearchComplete)), None)
    if ending is None:
        return {"steps": steps}
    return {"steps": steps, "done": True, "reason": ending.code, "why": ending.reason}


async def _research(context: RunContext, topics: Sequence[ConductResearch]) -> list[Step]:
    """Run a researcher for each topic; those that exceed the run are refused, and the supervisor is told so."""
    left = max(0, context.limits.researchers - len(context.lanes))
    lanes = [open_topic(context, action) for action in topics[:left]]
    await run_lanes(context, lanes)
    done = [Step(action, _observation(lane, context)) for action, lane in zip(topics, lanes, strict=False)]
    refused = "Not researched: the limit of topics for this run is reached. Decide with what there is."
    return done + [Step(action, refused) for action in topics[left:]]


def open_topic(context: RunContext, action: ConductResearch) -> Lane:
    """Open a lane with the searches that a topic of this difficulty may have, and the rules that end it early."""
    methods = context.limits.methods
    at_most = methods.hard_searches if action.is_hard else methods.simple_searches
    limits = replace(context.limits, searches=min(context.limits.searches, at_most))
    decide = stopping_early(context.world.analyst.investigate)
    return context.open_lane(action.topic, limits=limits, decide=decide, section=action.section)


def _observation(lane: Lane, context: RunContext) -> str:
    if lane.dropped.is_set():
        return "The user dropped this topic: what was found is left out, and it is not to be taken up again."
    kept = f"{len(lane.evidence)} pieces of evidence: {', '.join(lane.evidence)}." if lane.evidence else "No evidence."
    failed = " The researcher failed before it was done." if lane.failed else ""
    facts = lane.assessment.in_words(context.brief.language) if lane.assessment else ""
    return " ".join(f"{kept}{failed} {lane.notes} {facts}".split())


def _after_choice(state: SupervisorState) -> Literal["supervisor_tools", "__end__"]:
    return "supervisor_tools" if state["actions"] else "__end__"


def _after_tools(state: SupervisorState, runtime: Runtime[RunContext]) -> Literal["supervisor", "__end__"]:
    over = state["done"] or state["turn"] >= runtime.context.limits.supervisor_turns
    return "__end__" if over else "supervisor"


def build_supervisor() -> CompiledStateGraph[SupervisorState, RunContext, SupervisorState, SupervisorState]:
    """Return the compiled graph."""
    graph = StateGraph(SupervisorState, context_schema=RunContext)
    graph.add_node(supervisor)
    graph.add_node(supervisor_tools)
    graph.add_edge(START, "supervisor")
    graph.add_conditional_edges("supervisor", _after_choice)
    graph.add_conditional_edges("supervisor_tools", _after_tools)
    return graph.compile(name="supervisor")


async def research_questions(context: RunContext) -> list[Lane]:
    """Research each question that was added, as a topic of its own, until there is none left; return their lanes."""
    done: list[Lane] = []
    while context.questions:
        lanes = [_open(context, text) for text in context.questions]
        context.questions.clear()
        await run_lanes(context, lanes)
        done += lanes
    return done


def _open(context: RunContext, text: str) -> Lane:
    """Open a lane; where there is a plan, the question becomes a further section of it."""
    lane = open_topic(context, ConductResearch(text))
    if context.outline is not None:
        lane.section = Section(title=text, focus=text)
        sections = (*context.outline.sections, lane.section)
        context.outline = context.outline.model_copy(update={"sections": sections})
    return lane
