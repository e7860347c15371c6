"""Outlined: a plan of sections, each searched to a depth that the analyst chose, with a reflection after each search.

The analyst plans, and its reflections say what to search next; the depth and a budget of steps say when it stops.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from research.events import DepthChosen, PlanSettled
from research.graph.context import RunContext
from research.graph.lanes import run_lanes
from research.language import Bilingual
from research.methods.ending import ending_of
from research.methods.method import Ending
from research.methods.planning import plan, plan_request, topic
from research.methods.reflecting import Budget, reflecting
from research.outline import Depth

_CHOSEN = Bilingual("Chosen in the brief.", "ブリーフでの指定です。")
_PARTLY = Bilingual(
    "Partly chosen in the brief; the analyst chose the rest.", "一部はブリーフでの指定、残りは分析役の判断です。"
)


async def research(context: RunContext) -> Ending:
    """Plan depth and sections, then search and reflect section by section."""
    depth, (outline, edited) = await asyncio.gather(_depth(context), plan(context))
    steps = context.limits.methods.step_budget(len(outline.sections), depth.queries_per_section, depth.iterations)
    if context.taken_up.plan is None:
        context.emit(PlanSettled(outline=outline, edited=edited, step_budget=steps))
    limits = replace(context.limits, searches=depth.iterations, queries=depth.queries_per_section)
    decide = reflecting(context, Budget(steps))
    lanes = [
        context.open_lane(topic(context, section), limits=limits, decide=decide, section=section)
        for section in outline.sections
    ]
    await run_lanes(context, lanes)
    return ending_of(lanes)


async def _depth(context: RunContext) -> Depth:
    """Return the depth that the brief sets; what it leaves open, the analyst chooses within the preset's limits."""
    if (taken_up := context.taken_up.depth) is not None:
        return taken_up.depth
    brief, limits = context.brief, context.limits
    queries, iterations = brief.queries_per_section, brief.iterations
    if queries and iterations:
        depth = Depth(queries_per_section=queries, iterations=iterations, reason=_CHOSEN.in_(brief.language))
        context.emit(DepthChosen(depth=depth, by="user"))
        return depth
    chosen = await context.world.analyst.depth(plan_request(context))
    depth = Depth.within(
        queries or min(chosen.queries_per_section, limits.queries),
        iterations or min(chosen.iterations, limits.methods.iterations),
        _PARTLY.in_(brief.language) if queries or iterations else chosen.reason,
    )
    context.emit(DepthChosen(depth=depth, by="user" if queries or iterations else "analyst"))
    return depth
