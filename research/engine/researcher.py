"""The researcher: decides, searches and reads until its topic is answered."""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from research.analysts import (
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
from research.core import (
    FindingsCompressed,
    ModelError,
    Reflected,
    Stage,
    StopReason,
    TopicFinished,
    TopicQueued,
    TopicStarted,
)
from research.engine.ahead import hand_over
from research.engine.context import Decide, Lane, RunContext, unless
from research.engine.reading import assess, in_hand, read_to_the_end, search_all, use_tool
from research.engine.sections import begin_section


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


async def researcher(state: ResearcherState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Choose the next actions."""
    context, lane = runtime.context, state["lane"]
    toolbox = context.world.toolbox
    tools = await toolbox.offered() if toolbox is not None and _uses_left(state) > 0 else ()
    if context.spending.is_out_of_searches:
        await asyncio.Event().wait()  # What others have in hand is finished, then the cap ends this one as well.
    actions = await in_hand(context, lane.decide(_view(state, context, tools)))
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
    await read_to_the_end(lane)
    evidence = context.usable(lane.evidence)
    if not evidence:
        return {}
    pages = {entry.source: context.ledger.page_of(entry) for entry in evidence}
    try:
        findings = Findings(context.brief, lane.topic, evidence, pages)
        compression = await in_hand(context, context.world.analyst.compress(findings))
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


def build_researcher() -> CompiledStateGraph[ResearcherState, RunContext, ResearcherState, ResearcherState]:
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


def stopping_early(decide: Decide) -> Decide:
    """Return `decide` with the two rules before it that need no judgement.

    The third, that the topic can be answered, is the analyst's own: it calls `ResearchComplete`.
    """

    async def decide_or_stop(view: ResearcherView) -> list[ResearcherAction]:
        reason = early_stop(view)
        return [ResearchComplete(code=reason)] if reason else await decide(view)

    return decide_or_stop


def early_stop(view: ResearcherView) -> StopReason | None:
    """Return why a topic should end now, or None.

    Two searches in a row that brought the same end any topic. Three good sources end a simple one, if the computed
    score says so too; of a hard one they are told to the analyst.
    """
    methods, assessment = view.limits.methods, view.assessment
    if assessment is None or not view.has_reflected:
        return None
    if assessment.stale >= methods.repeats:
        return StopReason.REPEATED
    is_simple = view.limits.searches <= methods.simple_searches
    is_answered = assessment.good_sources >= methods.good_sources and assessment.sufficiency.score >= methods.enough
    return StopReason.ANSWERED if is_simple and is_answered else None


_researcher = build_researcher()


async def run_lanes(context: RunContext, lanes: Sequence[Lane]) -> None:
    """Research every lane to its end; one that has ended already, before its run broke off, is left alone.

    Whatever happens to one costs the others nothing, and what it found is kept.
    """
    for lane in lanes:
        if lane.is_queued:
            continue
        title = lane.section.title if lane.section else ""
        context.emit(TopicQueued(lane=lane.name, topic=lane.topic, title=title))
    turn = asyncio.Semaphore(context.limits.concurrent_researchers)
    handing = asyncio.create_task(hand_over(context, lanes))
    try:
        await asyncio.gather(*(_until_dropped(context, lane, turn) for lane in lanes if lane.ended is None))
    finally:
        handing.cancel()


async def _until_dropped(context: RunContext, lane: Lane, turn: asyncio.Semaphore) -> None:
    """Research a lane in its turn; if the user drops its topic it ends at once, also while it waits."""
    await unless(lane.dropped, _in_turn(context, lane, turn))
    if lane.ended is None:
        _finish(context, lane, StopReason.DROPPED)


async def _in_turn(context: RunContext, lane: Lane, turn: asyncio.Semaphore) -> None:
    async with turn:
        context.emit(TopicStarted(lane=lane.name))
        why = ""
        try:
            async with asyncio.timeout(lane.seconds):
                reason, why = await _research(context, lane)
        except asyncio.CancelledError:
            if not lane.dropped.is_set():
                is_capped = context.spending.reached.is_set()
                _finish(context, lane, StopReason.CAP if is_capped else StopReason.FINISH)
            raise
        except TimeoutError:
            reason = StopReason.TIMEOUT
            context.problem(Stage.RESEARCH, "topic_timeout", subject=lane.topic[:80], lane=lane.name)
        except Exception as error:  # noqa: BLE001 - a researcher may fail in any way; the run goes on
            lane.failed = True
            reason = StopReason.FAILED
            detail = f"{type(error).__name__}: {error}"
            context.problem(Stage.RESEARCH, "topic_failed", subject=lane.topic[:80], lane=lane.name, detail=detail)
        finally:
            for task in lane.late.values():
                task.cancel()
        _finish(context, lane, reason, why)


async def _research(context: RunContext, lane: Lane) -> tuple[StopReason, str]:
    steps_at_most = lane.limits.researcher_turns * 2 + 5
    begin = ResearcherState(
        lane=lane, steps=[], actions=[], turn=0, searches=0, done=False, reason=StopReason.LIMIT, why=""
    )
    state = await _researcher.ainvoke(begin, {"recursion_limit": steps_at_most}, context=context)
    return state["reason"], state["why"]


def _finish(context: RunContext, lane: Lane, reason: StopReason, why: str = "") -> None:
    lane.ended, found = reason, tuple(lane.evidence)
    context.emit(TopicFinished(lane=lane.name, reason=reason, why=why, notes=lane.notes, evidence=found))
    if reason not in (StopReason.FINISH, StopReason.CAP):
        begin_section(context, lane)
