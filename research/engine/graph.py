"""The graph of the whole run."""

from __future__ import annotations

from typing import Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from research.analysts import Repair
from research.core import ResearchFinished, Stage, StopReason
from research.engine.ahead import searching_ahead
from research.engine.context import RunContext, unless
from research.engine.methods import METHODS, Ending, ending_of
from research.engine.proving import (
    ProvenReport,
    may_repair,
    proposed_repairs,
    read_open,
    reduce_report,
    repair_report,
    verify_report,
)
from research.engine.supervisor import research_questions
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
        ending = Ending(StopReason.FINISH)
    elif context.spending.reached.is_set():
        context.cap_reached(Stage.RESEARCH)
        ending = Ending(StopReason.CAP)
    elif ending is not None and ending.reason is StopReason.UNPLANNED:
        context.problem(Stage.SCOPE, "unplanned")
    elif not context.ledger.evidence:
        context.problem(Stage.SEARCH, "no_hits")
    elif not kept_evidence(context):
        context.problem(Stage.SCOPE, "nothing_left")
    if ending is not None:
        context.emit(ResearchFinished(reason=ending.reason, why=ending.why))
    return {}


async def _by_method(context: RunContext) -> Ending:
    """Research by the run's method, then whatever else the user asked meanwhile."""
    try:
        with searching_ahead(context):
            ending = await METHODS[context.method](context)
        further = await research_questions(context)
    finally:
        context.is_researched = True
    has_nothing = ending.reason in (StopReason.UNPLANNED, StopReason.NO_HITS, StopReason.DROPPED)
    return ending_of(further) if further and has_nothing else ending


async def final_report(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Write the report in one go."""
    return {"report": ProvenReport(*await write_report(runtime.context))}


async def verify_sentences(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Hold each sentence against the stored pages that it cites; what rules leave open is read by a model."""
    report = await verify_report(runtime.context, state["report"])
    return {"report": await read_open(runtime.context, report)}


async def propose_repairs(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Choose what to do with the sentences that are not borne out."""
    return {"repairs": await proposed_repairs(runtime.context, state["report"])}


async def repair_sentences(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Carry out what was chosen, as far as it makes the report better."""
    return {"report": await repair_report(runtime.context, state["report"], state["repairs"])}


async def keep_primary(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Reduce the report to what primary sources bear out."""
    return {"report": await reduce_report(runtime.context, state["report"])}


async def note_length(state: GraphState, runtime: Runtime[RunContext]) -> GraphState:
    """Say so if the report cites nothing, or is not as long as it was asked to be."""
    note_shortcomings(runtime.context, state["report"].cited)
    return {}


_Next = Literal["propose_repairs", "keep_primary", "note_length"]


def _after_verdicts(state: GraphState, runtime: Runtime[RunContext]) -> _Next:
    if may_repair(runtime.context, state["report"]):
        return "propose_repairs"
    return _after_repair(state, runtime)


def _after_repair(state: GraphState, runtime: Runtime[RunContext]) -> Literal["keep_primary", "note_length"]:
    return "keep_primary" if is_strict(runtime.context) else "note_length"


RunGraph = CompiledStateGraph[GraphState, RunContext, GraphState, GraphState]


def build_run(*, researches: bool = True) -> RunGraph:
    """Return the compiled graph; one that does not research writes from what its books hold."""
    graph = StateGraph(GraphState, context_schema=RunContext)
    for node in (research, final_report, verify_sentences, propose_repairs, repair_sentences, keep_primary):
        graph.add_node(node)
    graph.add_node(note_length)
    graph.add_edge(START, "research" if researches else "final_report")
    graph.add_edge("research", "final_report")
    graph.add_edge("final_report", "verify_sentences")
    graph.add_conditional_edges("verify_sentences", _after_verdicts)
    graph.add_edge("propose_repairs", "repair_sentences")
    graph.add_conditional_edges("repair_sentences", _after_repair)
    graph.add_edge("keep_primary", "note_length")
    graph.add_edge("note_length", END)
    return graph.compile(name="run")
