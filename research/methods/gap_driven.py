"""Gap-driven: every section of a plan is searched again for exactly what is still missing.

The analyst plans; the four functions of `research.gaps` decide, and stop a section when nothing required is missing.
"""

from __future__ import annotations

from dataclasses import replace

from research.analysts.protocol import ResearchComplete, ResearcherAction, ResearcherView, Search, Think
from research.events import PlanSettled
from research.gaps.accumulator import accumulate
from research.gaps.iterations import continuation
from research.gaps.queries import first_queries, follow_up_queries
from research.graph.context import RunContext
from research.graph.lanes import run_lanes
from research.methods.ending import ending_of
from research.methods.method import Ending
from research.methods.planning import plan, topic
from research.methods.stopping import StopReason
from research.outline import Section


async def research(context: RunContext) -> Ending:
    """Search each section until what it requires is there, or three iterations are over."""
    outline, edited = await plan(context)
    if context.taken_up.plan is None:
        context.emit(PlanSettled(outline=outline, edited=edited))
    limits = replace(context.limits, searches=context.limits.methods.gap_iterations)
    lanes = [
        context.open_lane(topic(context, section), limits=limits, decide=decide, section=section)
        for section in outline.sections
    ]
    await run_lanes(context, lanes)
    for lane, section in zip(lanes, outline.sections, strict=True):
        found = (context.ledger.evidence[name] for name in lane.evidence)
        lane.evidence = [entry.id for entry in accumulate(section, found, context.ledger.pages).evidence]
    return ending_of(lanes)


async def decide(view: ResearcherView) -> list[ResearcherAction]:
    """Search for the section, then for what the gap identifier misses, as long as the iteration manager says."""
    section = view.section or Section(title=view.topic)
    at_most = view.limits.queries
    if view.assessment is None:
        return [Search(first_queries(view.brief, section, at_most=at_most, today=view.today))]
    gaps, limit = view.assessment.gaps, view.limits.searches
    verdict = continuation(limit - view.searches_left, limit, gaps.missing, gaps.confidence)
    if not view.has_reflected:
        words = verdict.in_words(view.brief.language)
        return [Think(f"{view.assessment.in_words(view.brief.language)}\n{words}")]
    if verdict.stops is not None:
        return [ResearchComplete(verdict.in_words(view.brief.language), verdict.stops)]
    queries = follow_up_queries(
        view.brief, section, gaps.missing, made=view.queries_made, at_most=at_most, today=view.today
    )
    return [Search(queries)] if queries else [ResearchComplete(code=StopReason.REPEATED)]
