"""The plan of a run: drafted by the analyst, mended by the program, edited by whoever watches."""

from __future__ import annotations

from datetime import datetime, timedelta

from research.analysts.protocol import PlanRequest
from research.brief_text import bounds
from research.events import PlanDrafted, PlanHeld, Stage
from research.graph.context import RunContext
from research.outline import Outline, Section, topic_of
from research.steering import HoldPlan


def plan_request(context: RunContext) -> PlanRequest:
    """Return what a planner is told."""
    return PlanRequest(context.brief, context.brief_text, context.today, context.limits)


async def plan(context: RunContext) -> tuple[Outline, bool]:
    """Return the plan to be carried out, and whether somebody edited it; it has at least one section."""
    if (settled := context.taken_up.plan) is not None:
        context.outline = settled.outline
        return settled.outline, settled.edited
    outline = _tidied(context, await context.world.analyst.outline(plan_request(context)))
    edited = None
    if context.control.attended:
        edited = await _edited(context, outline)
    else:
        context.emit(PlanDrafted(outline=outline))
    context.outline = outline if edited is None else _tidied(context, edited)
    return context.outline, edited is not None


async def _edited(context: RunContext, outline: Outline) -> Outline | None:
    """Show the plan and wait for whoever watches; return their plan, or None if research may begin with this one."""
    seconds = context.limits.methods.plan_seconds
    context.emit(PlanDrafted(outline=outline, begins_at=_in(context, seconds)))
    said = await context.control.of_plan(seconds)
    while isinstance(said, HoldPlan):
        seconds = context.limits.methods.editing_seconds
        context.emit(PlanHeld(begins_at=_in(context, seconds)))
        said = await context.control.of_plan(seconds)
    return said.outline if said is not None and said.outline != outline else None


def _in(context: RunContext, seconds: float) -> datetime:
    return context.world.now() + timedelta(seconds=seconds)


def _tidied(context: RunContext, outline: Outline) -> Outline:
    tidied = outline.tidied(context.brief.question, context.limits.methods.sections)
    if not outline.sections:
        context.problem(Stage.SCOPE, "plan_empty")
    elif tidied.sections != outline.sections:
        left_out = len(outline.sections) - len(tidied.sections)
        context.problem(Stage.SCOPE, "plan_shortened", subject=str(left_out))
    return tidied


def topic(context: RunContext, section: Section) -> str:
    """Return a section as the topic of a researcher."""
    return topic_of(section, context.brief.question, context.brief.language, bounds(context.brief))
