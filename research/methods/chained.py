"""Chained: one query after the other, each for an aspect that is not covered yet.

Nobody plans; it stops at a computed score, which is the same whoever the analyst is.
"""

from __future__ import annotations

from dataclasses import replace

from research.analysts.protocol import ResearchComplete, ResearcherAction, ResearcherView, Search, Think
from research.gaps.queries import first_queries, follow_up_queries
from research.graph.context import RunContext
from research.graph.lanes import run_lanes
from research.language import Bilingual
from research.methods.ending import ending_of
from research.methods.method import Ending
from research.methods.stopping import StopReason
from research.outline import Section

_ENOUGH = Bilingual("That is enough.", "十分に達しました。")
_NEXT = Bilingual("Next: {query}", "次の検索：{query}")


async def research(context: RunContext) -> Ending:
    """Search until the score is high enough, no query is left, or the chain is as long as it may be."""
    limits = replace(context.limits, searches=context.limits.methods.chain, queries=1)
    lane = context.open_lane(context.brief.question, limits=limits, decide=decide)
    await run_lanes(context, [lane])
    return ending_of([lane])


async def decide(view: ResearcherView) -> list[ResearcherAction]:
    """Search for the question, then for the aspects that the score misses."""
    assessment = view.assessment
    if assessment is None:
        return [Search(_queries(view))]
    is_enough = assessment.sufficiency.score >= view.limits.methods.enough
    following = () if is_enough else _queries(view)
    if not view.has_reflected:
        following_words = _NEXT if following else Bilingual("", "")
        said = (_ENOUGH if is_enough else following_words).in_(view.brief.language).format(query=", ".join(following))
        return [Think(f"{assessment.in_words(view.brief.language)}\n{said}".strip())]
    if is_enough:
        return [ResearchComplete(code=StopReason.ENOUGH)]
    if view.searches_left <= 0:
        return [ResearchComplete(code=StopReason.LIMIT)]
    return [Search(following)] if following else [ResearchComplete(code=StopReason.REPEATED)]


def _queries(view: ResearcherView) -> tuple[str, ...]:
    language = view.brief.language
    section = Section(title=view.brief.question)
    if view.assessment is None:
        return first_queries(view.brief, section, at_most=1, today=view.today)
    missing = [aspect.label.in_(language) for aspect in view.assessment.sufficiency.missing]
    return follow_up_queries(view.brief, section, missing, made=view.queries_made, at_most=1, today=view.today)
