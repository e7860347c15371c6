"""The graph of the whole run, and the five methods of research: who plans, and when it stops."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from research import analysts, core
from research.engine import proving
from research.engine.context import Decide, Lane, RunContext, unless
from research.engine.reading import searching_ahead, tell_of_silence
from research.engine.researcher import research_questions, run_lanes, supervise
from research.engine.writing import kept_evidence, note_shortcomings, write_report
from research.gaps import accumulated, aspects, continuation, first_queries, follow_up_queries
from research.language import Phrase
from research.text import question_parts

# --- methods ---------------------------------------------------------------------------------------------------------

Research = Callable[[RunContext], Coroutine[Any, Any, analysts.ResearchComplete]]
"""Fills the books of a run: opens lanes, says who decides in each, runs them, and ends."""

_GRAVEST = (
    core.StopReason.BUDGET,
    core.StopReason.TIMEOUT,
    core.StopReason.LIMIT,
    core.StopReason.REPEATED,
    core.StopReason.FAILED,
)
"""What is worth saying first if sections ended in different ways."""


def ending_of(lanes: Sequence[Lane]) -> analysts.ResearchComplete:
    """Return the reason that all lanes share, else the gravest of theirs; those that the user dropped do not count."""
    kept = [lane for lane in lanes if not lane.dropped.is_set()]
    reasons = {lane.ended for lane in kept if lane.ended}
    if lanes and not kept:
        code = core.StopReason.DROPPED
    elif not any(lane.evidence for lane in kept) and reasons != {core.StopReason.UNPLANNED}:
        code = core.StopReason.NO_HITS
    elif len(reasons) == 1:
        code = reasons.pop()
    else:
        code = next((reason for reason in _GRAVEST if reason in reasons), core.StopReason.COMPLETE)
    return analysts.ResearchComplete(code=code)


async def research_chained(context: RunContext) -> analysts.ResearchComplete:
    """Search until the score is high enough, no query is left, or the chain is as long as it may be."""
    limits = replace(context.limits, searches=context.limits.methods.chain, queries=1)
    lane = context.open_lane(context.brief.question, limits=limits, decide=decide_chained)
    await run_lanes(context, [lane])
    return ending_of([lane])


async def decide_chained(view: analysts.ResearcherView) -> list[analysts.ResearcherAction]:
    """Search for the question, then for what is missing, and where no query is left for that, for each aspect."""
    assessment = view.assessment
    if assessment is None:
        return [analysts.Search(_queries(view))]
    is_enough, language = assessment.criteria.total >= view.limits.methods.enough, view.brief.language
    following = () if is_enough else _queries(view)
    if not view.has_reflected:
        said = Phrase("That is enough.").in_(language) if is_enough else ""
        said = Phrase("Next: {query}").in_(language).format(query=", ".join(following)) if following else said
        return [analysts.Think(f"{assessment.in_words(language)}\n{said}".strip())]
    if is_enough:
        return [analysts.ResearchComplete(code=core.StopReason.ENOUGH)]
    if view.searches_left <= 0:
        return [analysts.ResearchComplete(code=core.StopReason.LIMIT)]
    return [analysts.Search(following)] if following else [analysts.ResearchComplete(code=core.StopReason.REPEATED)]


def _queries(view: analysts.ResearcherView) -> tuple[str, ...]:
    section = core.Section(title=view.brief.question, needs=question_parts(view.brief.question).listed)
    if view.assessment is None:
        return first_queries(view.brief, section, at_most=1, today=view.today)
    for missing in (view.assessment.gaps.missing, aspects(view.brief.language)):
        queries = follow_up_queries(view.brief, section, missing, made=view.queries_made, at_most=1, today=view.today)
        if missing and queries:
            return queries
    return ()


def plan_request(context: RunContext) -> analysts.PlanRequest:
    """Return what a planner is told."""
    return analysts.PlanRequest(context.brief, context.today, context.limits)


async def plan(context: RunContext) -> tuple[core.Outline, bool]:
    """Return the plan to be carried out, and whether somebody edited it; it has at least one section."""
    if (settled := context.earlier.plan.settled) is not None:
        context.outline = settled.outline
        return settled.outline, settled.edited
    outline = _tidied(context, await context.world.analyst.outline(plan_request(context)))
    edited = None
    if context.control.attended:
        edited = await _edited(context, outline)
    else:
        context.emit(core.PlanDrafted(outline=outline))
    context.outline = outline if edited is None else _tidied(context, edited)
    return context.outline, edited is not None


async def _edited(context: RunContext, outline: core.Outline) -> core.Outline | None:
    """Show the plan and wait for whoever watches; return their plan, or None if research may begin with this one."""
    seconds = context.limits.methods.plan_seconds
    context.emit(core.PlanDrafted(outline=outline, begins_at=context.world.now() + timedelta(seconds=seconds)))
    said = await context.control.of_plan(seconds)
    while isinstance(said, core.HoldPlan):
        seconds = context.limits.methods.editing_seconds
        context.emit(core.PlanHeld(begins_at=context.world.now() + timedelta(seconds=seconds)))
        said = await context.control.of_plan(seconds)
    return said.outline if said is not None and said.outline != outline else None


def _tidied(context: RunContext, outline: core.Outline) -> core.Outline:
    tidied = outline.tidied(context.brief.question, context.limits.methods.sections)
    if not outline.sections:
        context.problem(core.Stage.SCOPE, "plan_empty")
    elif tidied.sections != outline.sections:
        left_out = len(outline.sections) - len(tidied.sections)
        context.problem(core.Stage.SCOPE, "plan_shortened", subject=str(left_out))
    return tidied


def _opened(context: RunContext, outline: core.Outline, limits: core.Limits, decide: Decide) -> list[Lane]:
    """Open the books of a researcher for each section."""
    question, language, within = context.brief.question, context.brief.language, core.bounds(context.brief)
    return [
        context.open_lane(
            core.topic_of(section, question, language, within), limits=limits, decide=decide, section=section
        )
        for section in outline.sections
    ]


async def research_gap_driven(context: RunContext) -> analysts.ResearchComplete:
    """Search each section until what it requires is there, or three iterations are over."""
    outline, edited = await plan(context)
    if context.earlier.plan.settled is None:
        context.emit(core.PlanSettled(outline=outline, edited=edited))
    limits = replace(context.limits, searches=context.limits.methods.gap_iterations)
    lanes = _opened(context, outline, limits, decide_by_gaps)
    await run_lanes(context, lanes)
    for lane, section in zip(lanes, outline.sections, strict=True):
        found = (context.ledger.evidence[name] for name in lane.evidence)
        lane.evidence = [entry.id for entry in accumulated(section, found, context.ledger.pages)]
    return ending_of(lanes)


async def decide_by_gaps(view: analysts.ResearcherView) -> list[analysts.ResearcherAction]:
    """Search for the section, then for what the gap identifier misses, as long as the iteration manager says."""
    section = view.section or core.Section(title=view.topic)
    at_most = view.limits.queries
    if view.assessment is None:
        return [analysts.Search(first_queries(view.brief, section, at_most=at_most, today=view.today))]
    gaps, limit = view.assessment.gaps, view.limits.searches
    verdict = continuation(limit - view.searches_left, limit, gaps.missing, gaps.confidence)
    if not view.has_reflected:
        words = verdict.in_words(view.brief.language)
        return [analysts.Think(f"{view.assessment.in_words(view.brief.language)}\n{words}")]
    if verdict.stops is not None:
        return [analysts.ResearchComplete(verdict.in_words(view.brief.language), verdict.stops)]
    queries = follow_up_queries(
        view.brief, section, gaps.missing, made=view.queries_made, at_most=at_most, today=view.today
    )
    return [analysts.Search(queries)] if queries else [analysts.ResearchComplete(code=core.StopReason.REPEATED)]


def reflecting(context: RunContext, steps: int | None = None) -> Decide:
    """Return a decision that searches, reflects, and goes on while a reflection names gaps and new queries.

    All topics together may take so many `steps`, if any number is given.
    """
    analyst, left = context.world.analyst, math.inf if steps is None else steps

    def search(queries: tuple[str, ...]) -> list[analysts.ResearcherAction]:
        nonlocal left
        needed = len(queries) * context.limits.methods.steps_per_query
        if needed > left:
            return [analysts.ResearchComplete(code=core.StopReason.BUDGET)]
        left -= needed
        return [analysts.Search(queries)]

    async def decide(view: analysts.ResearcherView) -> list[analysts.ResearcherAction]:
        if view.assessment is None:
            queries = tuple(dict.fromkeys(await analyst.queries(view)))[: view.limits.queries]
            return search(queries) if queries else [analysts.ResearchComplete(code=core.StopReason.UNPLANNED)]
        reflection = _last_reflection(view)
        if reflection is None:
            reflection = await analyst.reflect(view)
            return [analysts.Think(reflection.in_words(view.brief.language), reflection)]
        if view.evidence and not reflection.gaps:
            return [analysts.ResearchComplete(code=core.StopReason.COVERED)]
        if view.searches_left <= 0:
            return [analysts.ResearchComplete(code=core.StopReason.LIMIT)]
        queries = _new_queries(view, reflection)
        return search(queries) if queries else [analysts.ResearchComplete(code=core.StopReason.REPEATED)]

    return decide


def _last_reflection(view: analysts.ResearcherView) -> core.Reflection | None:
    """Return the reflection on the last search, or None if there is none yet."""
    last = view.steps[-1].action
    return last.parts if isinstance(last, analysts.Think) else None


def _new_queries(view: analysts.ResearcherView, reflection: core.Reflection) -> tuple[str, ...]:
    """Return the queries that a reflection proposes and that were not made before, as many as one search holds."""
    made = {query.casefold() for query in view.queries_made}
    proposed = dict.fromkeys(one.query for one in reflection.queries)
    new = (query for query in proposed if query and query.casefold() not in made)
    return tuple(new)[: view.limits.queries]


async def research_noted(context: RunContext) -> analysts.ResearchComplete:
    """Search and take notes, cycle by cycle."""
    methods = context.limits.methods
    limits = replace(context.limits, searches=methods.cycles, queries=methods.planned_queries)
    lane = context.open_lane(context.brief.question, limits=limits, decide=taking_notes(context, reflecting(context)))
    lane.seconds = methods.cycle_seconds * methods.cycles
    await run_lanes(context, [lane])
    return ending_of([lane])


def taking_notes(context: RunContext, decide: Decide) -> Decide:
    """Return `decide` with a note taken of each query as soon as it was searched, all at once."""
    steps = count(len(context.earlier.notes) + 1)

    async def note_and_decide(view: analysts.ResearcherView) -> list[analysts.ResearcherAction]:
        last = view.steps[-1] if view.steps else None
        if last is not None and isinstance(last.action, analysts.Search):
            # A query without hits is skipped: there is nothing to note.
            found = [one for one in last.found if set(one.evidence) & {entry.id for entry in view.evidence}]
            await context.each(_take_note(context, view, next(steps), one) for one in found)
        return await decide(view)

    return note_and_decide


async def _take_note(
    context: RunContext, view: analysts.ResearcherView, step: int, found: analysts.QueryOutcome
) -> None:
    brief, length = context.brief, context.limits.methods.note_tokens
    evidence = tuple(entry for entry in view.evidence if entry.id in found.evidence)
    findings = analysts.Findings(brief, found.query, evidence, view.pages, length, may_quote=True, among=view.evidence)
    try:
        note = await context.world.analyst.compress(findings)
    except core.ModelError as error:
        context.problem(core.Stage.RESEARCH, error.code, subject=found.query, detail=error.detail)
        return
    told = dict.fromkeys(entry.source for entry in evidence if entry.id in note.keep or f"[{entry.id}]" in note.notes)
    context.emit(core.NoteTaken(step=step, query=found.query, summary=note.notes, sources=tuple(told)))


_CHOSEN = Phrase("Chosen in the brief.")
_PARTLY = Phrase("Partly chosen in the brief; the analyst chose the rest.")


async def research_outlined(context: RunContext) -> analysts.ResearchComplete:
    """Plan depth and sections, then search and reflect section by section."""
    depth, (outline, edited) = await asyncio.gather(_depth(context), plan(context))
    steps = context.limits.methods.step_budget(len(outline.sections), depth.queries_per_section, depth.iterations)
    if context.earlier.plan.settled is None:
        context.emit(core.PlanSettled(outline=outline, edited=edited, step_budget=steps))
    limits = replace(context.limits, searches=depth.iterations, queries=depth.queries_per_section)
    lanes = _opened(context, outline, limits, reflecting(context, steps))
    await run_lanes(context, lanes)
    return ending_of(lanes)


async def _depth(context: RunContext) -> core.Depth:
    """Return the depth that the brief sets; what it leaves open, the analyst chooses within the preset's limits."""
    if (chosen_before := context.earlier.plan.depth) is not None:
        return chosen_before.depth
    brief, limits = context.brief, context.limits
    queries, iterations = brief.queries_per_section, brief.iterations
    if queries and iterations:
        depth = core.Depth(queries_per_section=queries, iterations=iterations, reason=_CHOSEN.in_(brief.language))
        context.emit(core.DepthChosen(depth=depth, by="user"))
        return depth
    chosen = await context.world.analyst.depth(plan_request(context))
    depth = core.Depth.within(
        queries or min(chosen.queries_per_section, limits.queries),
        iterations or min(chosen.iterations, limits.methods.iterations),
        _PARTLY.in_(brief.language) if queries or iterations else chosen.reason,
    )
    context.emit(core.DepthChosen(depth=depth, by="user" if queries or iterations else "analyst"))
    return depth


METHODS: Mapping[core.MethodName, Research] = {
    core.MethodName.OUTLINED: research_outlined,
    core.MethodName.CHAINED: research_chained,
    core.MethodName.GAP_DRIVEN: research_gap_driven,
    core.MethodName.SUPERVISED: supervise,
    core.MethodName.NOTED: research_noted,
}


class GraphState(TypedDict, total=False):
    """What the run ends with; all that is found on the way stands in its books."""

    report: proving.ProvenReport
    repairs: tuple[analysts.Repair, ...]


async def research(method: Research, state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Research by a method until it has enough, a limit or the cap is met, or the user finishes or stops it."""
    context, control = runtime.context, runtime.context.control
    if not context.world.sources and context.world.toolbox is None:
        context.problem(core.Stage.SCOPE, "no_sources")
        return {}
    work = unless(context.spending.reached, _by(method, context))
    ending = await unless(control.stop, unless(control.finish, work))
    if control.stop.is_set():
        return {}
    tell_of_silence(context)
    if control.finish.is_set():
        context.problem(core.Stage.RESEARCH, "finished_early")
        ending = analysts.ResearchComplete(code=core.StopReason.FINISH)
    elif context.spending.reached.is_set():
        context.cap_reached(core.Stage.RESEARCH)
        ending = analysts.ResearchComplete(code=core.StopReason.CAP)
    elif ending is not None and ending.code is core.StopReason.UNPLANNED:
        context.problem(core.Stage.SCOPE, "unplanned")
    elif not context.ledger.evidence:
        context.problem(core.Stage.SEARCH, "no_hits")
    elif not kept_evidence(context):
        context.problem(core.Stage.SCOPE, "nothing_left")
    if ending is not None:
        context.emit(core.ResearchFinished(reason=ending.code, why=ending.reason))
    return {}


async def _by(method: Research, context: RunContext) -> analysts.ResearchComplete:
    """Research by a method, then whatever else the user asked meanwhile."""
    try:
        with searching_ahead(context):
            ending = await method(context)
        further = await research_questions(context)
    finally:
        context.is_researched = True
    has_nothing = ending.code in (core.StopReason.UNPLANNED, core.StopReason.NO_HITS, core.StopReason.DROPPED)
    return ending_of(further) if further and has_nothing else ending


async def write(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Write the report, in one go or section by section."""
    return {"report": proving.ProvenReport(*await write_report(runtime.context))}


async def check(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Hold each sentence against the stored pages that it cites; what rules leave open is read by a model."""
    report = await proving.verify_report(runtime.context, state["report"])
    return {"report": await proving.read_open(runtime.context, report)}


async def propose_repairs(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Choose what to do with the sentences that are not borne out."""
    return {"repairs": await proving.proposed_repairs(runtime.context, state["report"])}


async def repair(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Carry out what was chosen, as far as it makes the report better."""
    return {"report": await proving.repair_report(runtime.context, state["report"], state["repairs"])}


async def hand_out(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Hand out nothing that no page bears out, and say what the report falls short of."""
    report = await proving.borne_out(runtime.context, state["report"])
    note_shortcomings(runtime.context, report.cited)
    return {"report": report}


def _after_check(state: GraphState, runtime: Runtime[RunContext]) -> Literal["propose_repairs", "hand_out"]:
    return "propose_repairs" if proving.may_repair(runtime.context, state["report"]) else "hand_out"


RunGraph = CompiledStateGraph[GraphState, RunContext, GraphState, GraphState]


def _begin(state: GraphState, runtime: Runtime[RunContext]) -> str:
    return "write" if runtime.context.is_researched else runtime.context.method.value


def build_run() -> RunGraph:
    """Return the compiled graph, of which each method is a node.

    Where the books of a run are full already, it writes from what they hold.
    """
    graph = StateGraph(GraphState, context_schema=RunContext)
    for name, method in METHODS.items():
        graph.add_node(name.value, partial(research, method))
        graph.add_edge(name.value, "write")
    for node in (write, check, propose_repairs, repair, hand_out):
        graph.add_node(node)
    graph.add_conditional_edges(START, _begin, [*(name.value for name in METHODS), "write"])
    graph.add_edge("write", "check")
    graph.add_conditional_edges("check", _after_check)
    graph.add_edge("propose_repairs", "repair")
    graph.add_edge("repair", "hand_out")
    graph.add_edge("hand_out", END)
    return graph.compile(name="run")
