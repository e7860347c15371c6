"""The graph of the whole run."""

from __future__ import annotations

from typing import Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from research.analysts import Repair, ResearchComplete
from research.core import ResearchFinished, Stage, StopReason
from research.engine.context import RunContext, unless
from research.engine.methods import METHODS, ending_of
from research.engine.proving import (
    ProvenReport,
    may_repair,
    proposed_repairs,
    read_open,
    reduce_report,
    repair_report,
    verify_report,
)
from research.engine.reading import searching_ahead
from research.engine.researcher import research_questions
from research.engine.writing import is_strict, kept_evidence, note_shortcomings, write_report


class GraphState(TypedDict, total=False):
    """What the run ends with; all that is found on the way stands in its books."""

    report: ProvenReport
    repairs: tuple[Repair, ...]


async def research(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Research by the run's method until it has enough, a limit or the cap is met, or the user finishes or stops it."""
    context, control = runtime.context, runtime.context.control
    if not context.world.sources and context.world.toolbox is None:
        context.problem(Stage.SCOPE, "no_sources")
        return {}
    work = unless(context.spending.reached, _by_method(context))
    ending = await unless(control.stop, unless(control.finish, work))
    if control.stop.is_set():
        return {}
    if control.finish.is_set():
        context.problem(Stage.RESEARCH, "finished_early")
        ending = ResearchComplete(code=StopReason.FINISH)
    elif context.spending.reached.is_set():
        context.cap_reached(Stage.RESEARCH)
        ending = ResearchComplete(code=StopReason.CAP)
    elif ending is not None and ending.code is StopReason.UNPLANNED:
        context.problem(Stage.SCOPE, "unplanned")
    elif not context.ledger.evidence:
        context.problem(Stage.SEARCH, "no_hits")
    elif not kept_evidence(context):
        context.problem(Stage.SCOPE, "nothing_left")
    if ending is not None:
        context.emit(ResearchFinished(reason=ending.code, why=ending.reason))
    return {}


async def _by_method(context: RunContext) -> ResearchComplete:
    """Research by the run's method, then whatever else the user asked meanwhile."""
    try:
        with searching_ahead(context):
            ending = await METHODS[context.method](context)
        further = await research_questions(context)
    finally:
        context.is_researched = True
    has_nothing = ending.code in (StopReason.UNPLANNED, StopReason.NO_HITS, StopReason.DROPPED)
    return ending_of(further) if further and has_nothing else ending


async def write(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Write the report, in one go or section by section."""
    return {"report": ProvenReport(*await write_report(runtime.context))}


async def check(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Hold each sentence against the stored pages that it cites; what rules leave open is read by a model."""
    report = await verify_report(runtime.context, state["report"])
    return {"report": await read_open(runtime.context, report)}


async def propose_repairs(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Choose what to do with the sentences that are not borne out."""
    return {"repairs": await proposed_repairs(runtime.context, state["report"])}


async def repair(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Carry out what was chosen, as far as it makes the report better."""
    return {"report": await repair_report(runtime.context, state["report"], state["repairs"])}


async def hand_out(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Reduce a fact-strict report to what primary sources bear out, and say what a report falls short of."""
    context, report = runtime.context, state["report"]
    if is_strict(context):
        report = await reduce_report(context, report)
    note_shortcomings(context, report.cited)
    return {"report": report}


def _after_check(state: GraphState, runtime: Runtime[RunContext]) -> Literal["propose_repairs", "hand_out"]:
    return "propose_repairs" if may_repair(runtime.context, state["report"]) else "hand_out"


RunGraph = CompiledStateGraph[GraphState, RunContext, GraphState, GraphState]


def _begin(state: GraphState, runtime: Runtime[RunContext]) -> Literal["research", "write"]:
    return "write" if runtime.context.is_researched else "research"


def build_run() -> RunGraph:
    """Return the compiled graph; where the books of a run are full already, it writes from what they hold."""
    graph = StateGraph(GraphState, context_schema=RunContext)
    for node in (research, write, check, propose_repairs, repair, hand_out):
        graph.add_node(node)
    graph.add_conditional_edges(START, _begin)
    graph.add_edge("research", "write")
    graph.add_edge("write", "check")
    graph.add_conditional_edges("check", _after_check)
    graph.add_edge("propose_repairs", "repair")
    graph.add_edge("repair", "hand_out")
    graph.add_edge("hand_out", END)
    return graph.compile(name="run")
