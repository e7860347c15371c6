"""Noted: a few queries a cycle, and a research note on what each brought.

The analyst plans the queries and judges after each cycle what is still missing; it stops when nothing is, or after
three cycles.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import count

from research.analysts.protocol import Findings, Found, ResearcherAction, ResearcherView, Search
from research.errors import ModelError
from research.events import NoteTaken, Stage
from research.graph.context import RunContext
from research.graph.lane import Decide
from research.graph.lanes import run_lanes
from research.methods.ending import ending_of
from research.methods.method import Ending
from research.methods.reflecting import reflecting


async def research(context: RunContext) -> Ending:
    """Search and take notes, cycle by cycle."""
    methods = context.limits.methods
    limits = replace(context.limits, searches=methods.cycles, queries=methods.planned_queries)
    lane = context.open_lane(context.brief.question, limits=limits, decide=taking_notes(context, reflecting(context)))
    lane.seconds = methods.cycle_seconds * methods.cycles
    await run_lanes(context, [lane])
    return ending_of([lane])


def taking_notes(context: RunContext, decide: Decide) -> Decide:
    """Return `decide` with a note taken of each query as soon as it was searched, all at once."""
    steps = count(context.taken_up.notes + 1)

    async def note_and_decide(view: ResearcherView) -> list[ResearcherAction]:
        last = view.steps[-1] if view.steps else None
        if last is not None and isinstance(last.action, Search):
            # A query without hits is skipped: there is nothing to note.
            found = [one for one in last.found if set(one.evidence) & {entry.id for entry in view.evidence}]
            await asyncio.gather(*(_take_note(context, view, next(steps), one) for one in found))
        return await decide(view)

    return note_and_decide


async def _take_note(context: RunContext, view: ResearcherView, step: int, found: Found) -> None:
    brief, length = context.brief, context.limits.methods.note_tokens
    evidence = tuple(entry for entry in view.evidence if entry.id in found.evidence)
    findings = Findings(brief, found.query, evidence, view.pages, length, may_quote=True, among=view.evidence)
    try:
        note = await context.world.analyst.compress(findings)
    except ModelError as error:
        context.problem(Stage.RESEARCH, error.code, subject=found.query, detail=error.detail)
        return
    told = dict.fromkeys(entry.source for entry in evidence if entry.id in note.keep or f"[{entry.id}]" in note.notes)
    context.emit(NoteTaken(step=step, query=found.query, summary=note.notes, sources=tuple(told)))
