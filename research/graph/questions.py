"""Questions that the user added while the research was under way, whatever its method."""

from __future__ import annotations

from research.analysts.protocol import ConductResearch
from research.graph.context import RunContext
from research.graph.lane import Lane
from research.graph.lanes import run_lanes
from research.graph.supervisor import open_topic
from research.outline import Section


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
    lane = open_topic(context, ConductResearch(text))
    if context.outline is not None:
        lane.section = Section(title=text, focus=text)
        sections = (*context.outline.sections, lane.section)
        context.outline = context.outline.model_copy(update={"sections": sections})
    return lane
