"""Researchers, who decide, search and read until their topic is answered; the supervisor, who hands topics out."""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from research import analysts, core
from research.engine.context import Decide, Lane, RunContext, unless
from research.engine.reading import hand_over, in_hand, read_to_the_end, search_all, use_tool
from research.engine.writing import begin_section


class ResearcherState(TypedDict):
    """What a researcher remembers between its decisions; what it found stands in the books of its lane."""

    lane: Lane
    steps: Annotated[list[analysts.Step], operator.add]
    actions: list[analysts.ResearcherAction]
    turn: int
    searches: int
    ending: analysts.ResearchComplete | None
    """Why it is over, once somebody said so."""


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
        actions = [analysts.Search((lane.topic[:300],))]
    return {"actions": actions, "turn": state["turn"] + 1, "ending": None if actions else analysts.ResearchComplete()}


def _may_go_on(state: ResearcherState, actions: Sequence[analysts.ResearcherAction]) -> bool:
    """Whether a researcher that has not looked yet may do this: look, think first, or find nothing to research."""
    return any(
        isinstance(action, (analysts.Search, analysts.UseTool))
        or (isinstance(action, analysts.Think) and state["turn"] == 0)
        or (isinstance(action, analysts.ResearchComplete) and action.code is core.StopReason.UNPLANNED)
        for action in actions
    )


def _uses(steps: Sequence[analysts.Step]) -> int:
    return sum(isinstance(step.action, analysts.UseTool) for step in steps)


def _uses_left(state: ResearcherState) -> int:
    """Return how often tools may still be used: as often as queries may be sent."""
    limits = state["lane"].limits
    return limits.searches * limits.queries - _uses(state["steps"])


def _view(
    state: ResearcherState, context: RunContext, tools: tuple[analysts.OfferedTool, ...]
) -> analysts.ResearcherView:
    lane = state["lane"]
    evidence = context.usable(lane.evidence)
    return analysts.ResearcherView(
        brief=context.brief,
        topic=lane.topic,
        today=context.today,
        limits=lane.limits,
        turn=state["turn"],
        searches_left=lane.limits.searches - state["searches"],
        steps=tuple(state["steps"]),
        evidence=evidence,
        pages=context.pages_of(evidence),
        section=lane.section,
        assessment=lane.assessment,
        tools=tools,
    )


async def researcher_tools(state: ResearcherState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Carry out what was chosen."""
    context, lane = runtime.context, state["lane"]
    steps: list[analysts.Step] = []
    searches, uses_left, ending = state["searches"], _uses_left(state), None
    for action in state["actions"]:
        match action:
            case analysts.Think(reflection, parts):
                context.emit(core.Reflected(lane=lane.name, reflection=reflection, parts=parts))
                steps.append(analysts.Step(action, "Reflection recorded."))
            case analysts.Search():
                if searches >= lane.limits.searches:
                    steps.append(analysts.Step(action, "The search limit is reached: nothing was searched."))
                    continue
                searches += 1
                steps.append(await search_all(context, lane, action, searches))
            case analysts.UseTool():
                if uses_left <= 0 or context.world.toolbox is None:
                    steps.append(analysts.Step(action, "No tool can be used any more: nothing was asked."))
                    continue
                uses_left -= 1
                iteration = searches + _uses([*state["steps"], *steps]) + 1
                steps.append(await use_tool(context, lane, action, context.world.toolbox, iteration))
            case analysts.ResearchComplete():
                ending = action
                steps.append(analysts.Step(action, "Research on this topic ends."))
    return {"steps": steps, "searches": searches, "ending": ending}


def _after_choice(state: ResearcherState) -> Literal["researcher_tools", "compress_research"]:
    return "researcher_tools" if state["actions"] else "compress_research"


def _after_tools(state: ResearcherState) -> Literal["researcher", "compress_research"]:
    over = state["ending"] is not None or state["turn"] >= state["lane"].limits.researcher_turns
    return "compress_research" if over else "researcher"


async def compress_research(state: ResearcherState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Keep the relevant evidence. Quotes are never rewritten, every source survives, an unusable answer keeps all."""
    context, lane = runtime.context, state["lane"]
    await read_to_the_end(lane)
    evidence = context.usable(lane.evidence)
    if not evidence:
        return {}
    try:
        pages = context.pages_of(evidence)
        findings = analysts.Findings(context.brief, lane.topic, evidence, pages, queries=context.row_queries)
        compression = await in_hand(context, context.world.analyst.compress(findings))
    except core.ModelError as error:
        context.problem(core.Stage.RESEARCH, error.code, lane=lane.name, detail=error.detail)
        return {}
    found, lane.notes = list(lane.evidence), compression.notes
    lane.evidence = _kept(context, [entry.id for entry in evidence], compression)
    dropped = tuple(name for name in found if name not in lane.evidence)
    context.emit(core.FindingsCompressed(lane=lane.name, kept=tuple(lane.evidence), dropped=dropped))
    return {}


_FEWEST = 0.1
"""The share of the quotes up to which a choice is none: weak models name the first one or two and stop."""


def _kept(context: RunContext, found: list[str], compression: analysts.Compression) -> list[str]:
    wanted = set(compression.keep) & set(found)
    if len(wanted) <= len(found) * _FEWEST:
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

    Two searches in a row that brought the same end any topic. Three good sources end a simple one, if the computed
    score says so too; of a hard one they are told to the analyst. The third, that the topic can be answered, is the
    analyst's own: it calls `ResearchComplete`.
    """

    async def decide_or_stop(view: analysts.ResearcherView) -> list[analysts.ResearcherAction]:
        methods, assessment = view.limits.methods, view.assessment
        if assessment is not None and view.has_reflected:
            if assessment.stale >= methods.repeats:
                return [analysts.ResearchComplete(code=core.StopReason.REPEATED)]
            is_good = assessment.good_sources >= methods.good_sources
            is_simple = view.limits.searches <= methods.simple_searches
            if is_simple and is_good and assessment.criteria.total >= methods.enough:
                return [analysts.ResearchComplete(code=core.StopReason.ANSWERED)]
        return await decide(view)

    return decide_or_stop


_researcher = build_researcher()


async def run_lanes(context: RunContext, lanes: Sequence[Lane]) -> None:
    """Research every lane to its end; one that has ended already, before its run broke off, is left alone.

    Whatever happens to one costs the others nothing, and what it found is kept.
    """
    for lane in lanes:
        if not lane.is_queued:
            title = lane.section.title if lane.section else ""
            context.emit(core.TopicQueued(lane=lane.name, topic=lane.topic, title=title))
    turn = asyncio.Semaphore(1 if context.world.is_repeatable else context.limits.concurrent_researchers)
    handing = asyncio.create_task(hand_over(context, lanes))
    try:
        await asyncio.gather(*(_until_dropped(context, lane, turn) for lane in lanes if lane.ended is None))
    finally:
        handing.cancel()


async def _until_dropped(context: RunContext, lane: Lane, turn: asyncio.Semaphore) -> None:
    """Research a lane in its turn; if the user drops its topic it ends at once, also while it waits."""
    await unless(lane.dropped, _in_turn(context, lane, turn))
    if lane.ended is None:
        _finish(context, lane, core.StopReason.DROPPED)


async def _in_turn(context: RunContext, lane: Lane, turn: asyncio.Semaphore) -> None:
    async with turn:
        context.emit(core.TopicStarted(lane=lane.name))
        try:
            async with asyncio.timeout(lane.seconds):
                ending = await _research(context, lane)
        except asyncio.CancelledError:
            if not lane.dropped.is_set():
                is_capped = context.spending.reached.is_set()
                _finish(context, lane, core.StopReason.CAP if is_capped else core.StopReason.FINISH)
            raise
        except TimeoutError:
            ending = analysts.ResearchComplete(code=core.StopReason.TIMEOUT)
            context.problem(core.Stage.RESEARCH, "topic_timeout", subject=lane.topic[:80], lane=lane.name)
        except Exception as error:  # noqa: BLE001 - a researcher may fail in any way; the run goes on
            ending = analysts.ResearchComplete(code=core.StopReason.FAILED)
            detail = f"{type(error).__name__}: {error}"
            context.problem(core.Stage.RESEARCH, "topic_failed", subject=lane.topic[:80], lane=lane.name, detail=detail)
        finally:
            for task in lane.late.values():
                task.cancel()
        _finish(context, lane, ending.code, ending.reason)


async def _research(context: RunContext, lane: Lane) -> analysts.ResearchComplete:
    begin = ResearcherState(lane=lane, steps=[], actions=[], turn=0, searches=0, ending=None)
    steps_at_most = lane.limits.researcher_turns * 2 + 5
    state = await _researcher.ainvoke(begin, {"recursion_limit": steps_at_most}, context=context)
    return state["ending"] or analysts.ResearchComplete(code=core.StopReason.LIMIT)


def _finish(context: RunContext, lane: Lane, reason: core.StopReason, why: str = "") -> None:
    lane.ended, found = reason, tuple(lane.evidence)
    context.emit(core.TopicFinished(lane=lane.name, reason=reason, why=why, notes=lane.notes, evidence=found))
    if reason not in (core.StopReason.FINISH, core.StopReason.CAP):
        begin_section(context, lane)


class SupervisorState(TypedDict):
    """What the supervisor remembers between its decisions."""

    steps: Annotated[list[analysts.Step], operator.add]
    actions: list[analysts.SupervisorAction]
    turn: int
    ending: analysts.ResearchComplete | None
    """Why research is over, once somebody said so."""


async def supervisor(state: SupervisorState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Choose the next actions."""
    context = runtime.context
    actions = await context.world.analyst.supervise(_supervisor_view(state, context))
    may_still_think = state["turn"] == 0 and any(isinstance(action, analysts.Think) for action in actions)
    delegates = any(isinstance(action, analysts.ConductResearch) for action in actions)
    if not context.lanes and not may_still_think and not delegates:
        # Whoever ends without a topic has researched nothing: the question itself is the topic.
        actions = [analysts.ConductResearch(context.brief.question)]
    return {"actions": actions, "turn": state["turn"] + 1, "ending": None if actions else analysts.ResearchComplete()}


def _supervisor_view(state: SupervisorState, context: RunContext) -> analysts.SupervisorView:
    return analysts.SupervisorView(
        brief=context.brief,
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
    steps: list[analysts.Step] = []
    for action in state["actions"]:
        if isinstance(action, analysts.Think):
            context.emit(core.Reflected(lane=core.SUPERVISOR, reflection=action.reflection, parts=action.parts))
            steps.append(analysts.Step(action, "Reflection recorded."))
    topics = [action for action in state["actions"] if isinstance(action, analysts.ConductResearch)]
    steps += await _research_topics(context, topics)
    ending = next((action for action in state["actions"] if isinstance(action, analysts.ResearchComplete)), None)
    return {"steps": steps, "ending": ending}


async def _research_topics(context: RunContext, topics: Sequence[analysts.ConductResearch]) -> list[analysts.Step]:
    """Run a researcher for each topic; those that exceed the run are refused, and the supervisor is told so."""
    left = max(0, context.limits.researchers - len(context.lanes))
    lanes = [open_topic(context, action) for action in topics[:left]]
    await run_lanes(context, lanes)
    done = [analysts.Step(action, _observation(lane, context)) for action, lane in zip(topics, lanes, strict=False)]
    refused = "Not researched: the limit of topics for this run is reached. Decide with what there is."
    return done + [analysts.Step(action, refused) for action in topics[left:]]


def open_topic(context: RunContext, action: analysts.ConductResearch) -> Lane:
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
    failed = " The researcher failed before it was done." if lane.has_failed else ""
    facts = lane.assessment.in_words(context.brief.language) if lane.assessment else ""
    return " ".join(f"{kept}{failed} {lane.notes} {facts}".split())


def _supervisor_after_choice(state: SupervisorState) -> Literal["supervisor_tools", "__end__"]:
    return "supervisor_tools" if state["actions"] else "__end__"


def _supervisor_after_tools(state: SupervisorState, runtime: Runtime[RunContext]) -> Literal["supervisor", "__end__"]:
    over = state["ending"] is not None or state["turn"] >= runtime.context.limits.supervisor_turns
    return "__end__" if over else "supervisor"


def build_supervisor() -> CompiledStateGraph[SupervisorState, RunContext, SupervisorState, SupervisorState]:
    """Return the compiled graph."""
    graph = StateGraph(SupervisorState, context_schema=RunContext)
    graph.add_node(supervisor)
    graph.add_node(supervisor_tools)
    graph.add_edge(START, "supervisor")
    graph.add_conditional_edges("supervisor", _supervisor_after_choice)
    graph.add_conditional_edges("supervisor_tools", _supervisor_after_tools)
    return graph.compile(name="supervisor")


_supervisor = build_supervisor()


async def supervise(context: RunContext) -> analysts.ResearchComplete:
    """Research under a supervisor; in a run that broke off, it begins after the topics that it had."""
    questions = set(context.questions)
    topics = [analysts.ConductResearch(topic) for topic in context.waiting if topic not in questions]
    steps = await _research_topics(context, topics)
    decided = 2 if topics else 0  # to plan, and to hand topics out
    begin = SupervisorState(steps=steps, actions=[], turn=decided, ending=None)
    steps_at_most = context.limits.supervisor_turns * 2 + 5
    state = await _supervisor.ainvoke(begin, {"recursion_limit": steps_at_most}, context=context)
    return state["ending"] or analysts.ResearchComplete(code=core.StopReason.LIMIT)


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
    lane = open_topic(context, analysts.ConductResearch(text))
    if context.outline is not None:
        lane.section = core.Section(title=text, focus=text)
        sections = (*context.outline.sections, lane.section)
        context.outline = context.outline.model_copy(update={"sections": sections})
    return lane
