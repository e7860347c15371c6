"""After each search, what was found on the topic is counted: for the screen, and for whoever decides what is next."""

from __future__ import annotations

import asyncio

from research.assessment import Assessment
from research.events import Assessed
from research.gaps.identifier import concepts_wanted, identify_gaps
from research.graph.context import RunContext
from research.graph.lane import Lane
from research.outline import Section
from research.sufficiency import good_sites, sufficiency


async def assess(context: RunContext, lane: Lane, *, iteration: int, found_before: int) -> None:
    """Count what `lane` has found after its search number `iteration`, enter it into the lane's books and report it.

    `found_before` is how many quotes there were before that search.
    """
    before = lane.assessment.stale if lane.assessment else 0
    stale = before + 1 if len(lane.evidence) == found_before else 0
    lane.assessment = await asyncio.to_thread(_counted, context, lane, stale)
    score, gaps = lane.assessment.sufficiency, lane.assessment.gaps
    context.emit(
        Assessed(
            lane=lane.name,
            iteration=iteration,
            criteria=score.criteria.by_name(),
            score=score.score,
            covered=score.covered,
            missing=score.missing,
            coverage={entry.kind: entry.share for entry in gaps.coverage},
            confidence=gaps.confidence,
            good_sources=lane.assessment.good_sources,
        )
    )


def _counted(context: RunContext, lane: Lane, stale: int) -> Assessment:
    brief = context.brief
    evidence = context.usable(lane.evidence)
    pages = {entry.source: context.ledger.page_of(entry) for entry in evidence}
    section = lane.section or Section(title=brief.question, focus=lane.topic)
    wanted = concepts_wanted(section)
    return Assessment(
        sufficiency=sufficiency(brief.question, evidence, pages, wanted),
        gaps=identify_gaps(section, evidence, pages, language=brief.language, at=context.world.now()),
        good_sources=good_sites(brief.question, evidence, pages, wanted),
        stale=stale,
    )
