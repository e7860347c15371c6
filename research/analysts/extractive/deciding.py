"""The decisions of supervisor and researcher by rule, derived from the view alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from research.analysts.extractive import reviewing
from research.analysts.extractive.exclusions import without_excluded
from research.analysts.extractive.plan import plan_for
from research.analysts.extractive.queries import first_queries
from research.analysts.extractive.reflecting import reflect
from research.analysts.extractive.section import Section
from research.analysts.extractive.topics import section_in, section_of, topic_for
from research.analysts.protocol import (
    ConductResearch,
    ResearchComplete,
    ResearcherAction,
    ResearcherView,
    Search,
    Step,
    SupervisorAction,
    SupervisorView,
    Think,
    TopicResult,
)
from research.brief import Brief
from research.language import Bilingual
from research.methods.stopping import StopReason
from research.reflection import Reflection
from research.text.names import compared_in

_SIMPLE = 4
"""Things to find, counted for each name, up to which a topic is simple."""


def supervise(view: SupervisorView) -> list[SupervisorAction]:
    """Think of a plan, hand out its sections, think of what came back, hand out what is missing once, end."""
    rounds = _rounds(view.steps)
    turns_left = view.limits.supervisor_turns - view.turn
    has_thought = bool(view.steps) and isinstance(view.steps[-1].action, Think)
    if rounds == 0:
        plan = plan_for(view.brief)
        sections = plan.most_asked(view.topics_left, view.brief.question)
        if not has_thought and turns_left > 1:
            return [Think(reviewing.planned(view, plan, sections))]
        return [_topic(section, view.brief) for section in sections]
    again = _gaps(view) if rounds == 1 and turns_left > 1 else []
    if not has_thought and turns_left > 1:
        return [Think(reviewing.reviewed(view, [section for section, _ in again]))]
    if again:
        return [_topic(section, view.brief, missing) for section, missing in again]
    return [ResearchComplete(_reason(view, rounds))]


def _topic(section: Section, brief: Brief, missing: Sequence[str] = ()) -> ConductResearch:
    things = len(missing or section.aspects) * max(1, len(compared_in(brief.question)))
    return ConductResearch(topic_for(section, brief, missing), is_hard=things > _SIMPLE)


def _rounds(steps: Sequence[Step]) -> int:
    """Return how many times topics were handed out, those handed out together counting once."""
    kinds = [isinstance(step.action, ConductResearch) for step in steps]
    return sum(is_research for is_research, _ in groupby(kinds))


def _gaps(view: SupervisorView) -> list[tuple[Section, list[str]]]:
    """Return the sections worth a second try, with what is missing: failed, empty, or short of half their aspects."""
    worth = []
    for result in view.results:
        section = section_of(result.topic, view.brief.question, view.brief.scope)
        missing = [
            label
            for aspect in section.aspects
            if (label := aspect.label.in_(view.brief.language)) in reviewing.missing_in(result.notes)
        ]
        if _is_worth_another(result, section, missing):
            worth.append((section, missing))
    return worth[: max(0, view.topics_left)]


def _is_worth_another(result: TopicResult, section: Section, missing: Sequence[str]) -> bool:
    if result.failed or not result.evidence:
        return True
    return 2 * len(missing) >= len(section.aspects) and bool(missing)


def _reason(view: SupervisorView, rounds: int) -> str:
    if not any(result.evidence for result in view.results):
        return Bilingual("Nothing was found.", "該当する情報が見つかりませんでした。").in_(view.brief.language)
    if rounds > 1:
        return Bilingual("The gaps were searched for once more.", "不足分の追加調査まで終えました。").in_(
            view.brief.language
        )
    return Bilingual(
        "The sections are covered as far as the sources allow.", "情報源の範囲で各節を調べ終えました。"
    ).in_(view.brief.language)


async def investigate(view: ResearcherView) -> list[ResearcherAction]:
    """Search broadly, reflect, search for what is missing, and stop when it is enough or nothing new comes."""
    if not view.queries_made:
        return [Search(first_queries(view, without_excluded(section_in(view), view.brief)))]
    reflection = await reflect(view)
    turns_left = view.limits.researcher_turns - view.turn
    if not view.has_reflected and turns_left > 1:
        return [Think(reflection.in_words(view.brief.language), reflection)]
    stop = _stop(view, reflection)
    return [ResearchComplete(code=stop)] if stop else [Search(tuple(one.query for one in reflection.queries))]


def _stop(view: ResearcherView, reflection: Reflection) -> StopReason | None:
    """Return why a topic ends, or None if it goes on."""
    if view.evidence and not reflection.gaps:
        return StopReason.COVERED
    if _is_answered(view) and _has_looked_closer(view):
        return StopReason.ANSWERED
    if view.searches_left <= 0:
        return StopReason.LIMIT
    return None if reflection.queries else StopReason.REPEATED


def _is_answered(view: ResearcherView) -> bool:
    methods, assessment = view.limits.methods, view.assessment
    if assessment is None:
        return False
    return assessment.good_sources >= methods.good_sources and assessment.sufficiency.score >= methods.enough


def _has_looked_closer(view: ResearcherView) -> bool:
    """Whether a narrower search followed the broad one, or none can."""
    return view.searches_left <= 0 or sum(isinstance(step.action, Search) for step in view.steps) > 1
