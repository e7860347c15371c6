"""The graph of a whole run: research under a supervisor, then one report."""

from __future__ import annotations

from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from research.citations import Cited
from research.events import Stage
from research.graph import supervisor, writing
from research.graph.context import RunContext

_supervisor = supervisor.build()


class RunState(TypedDict, total=False):
    """What the run ends with; all that is found on the way stands in its books."""

    writer: str
    cited: Cited


async def supervise(state: RunState, runtime: Runtime[RunContext]) -> RunState:
    """Research until the supervisor has enough, a limit is met, or the user wants to finish."""
    context = runtime.context
    if not context.world.sources:
        context.problem(Stage.SCOPE, "no_sources")
        return {}
    config: Any = {"recursion_limit": context.limits.supervisor_turns * 2 + 5}
    await context.control.unless_finishing(_supervisor.ainvoke(supervisor.initial(), config, context=context))
    if context.control.finish.is_set():
        context.problem(Stage.RESEARCH, "finished_early")
    elif not context.ledger.evidence:
        context.problem(Stage.SEARCH, "no_hits")
    return {}


async def final_report(state: RunState, runtime: Runtime[RunContext]) -> RunState:
    """Write the report in one go."""
    writer, cited = await writing.write(runtime.context)
    return {"writer": writer, "cited": cited}


def build() -> CompiledStateGraph[RunState, RunContext, RunState, RunState]:
    """Return the compiled graph."""
    graph = StateGraph(RunState, context_schema=RunContext)
    graph.add_node(supervise)
    graph.add_node(final_report)
    graph.add_edge(START, "supervise")
    graph.add_edge("supervise", "final_report")
    graph.add_edge("final_report", END)
    return graph.compile(name="run")
