"""Rules that end a topic early, whoever decides: they rest on counts, so that no model can search for ever."""

from __future__ import annotations

from research.analysts.protocol import ResearchComplete, ResearcherAction, ResearcherView
from research.graph.lane import Decide
from research.methods.stopping import StopReason


def stopping_early(decide: Decide) -> Decide:
    """Return `decide` with the two rules before it that need no judgement.

    The third, that the topic can be answered, is the analyst's own: it calls `ResearchComplete`.
    """

    async def decide_or_stop(view: ResearcherView) -> list[ResearcherAction]:
        reason = early_stop(view)
        return [ResearchComplete(code=reason)] if reason else await decide(view)

    return decide_or_stop


def early_stop(view: ResearcherView) -> StopReason | None:
    """Return why a topic should end now, or None.

    Two searches in a row that brought the same end any topic. Three good sources end a simple one, if the computed
    score says so too; of a hard one they are told to the analyst.
    """
    methods, assessment = view.limits.methods, view.assessment
    if assessment is None or not view.has_reflected:
        return None
    if assessment.stale >= methods.repeats:
        return StopReason.REPEATED
    is_simple = view.limits.searches <= methods.simple_searches
    is_answered = assessment.good_sources >= methods.good_sources and assessment.sufficiency.score >= methods.enough
    return StopReason.ANSWERED if is_simple and is_answered else None
