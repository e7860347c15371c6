"""The decisions of supervisor and researcher by rule, derived from the view alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from research.analysts.extractive import reflection
from research.analysts.extractive.coverage import Coverage, coverage_of
from research.analysts.extractive.exclusions import without_excluded
from research.analysts.extractive.plan import plan_for, section_of, topic_for
from research.analysts.extractive.queries import next_queries
from research.analysts.extractive.section import Section
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
from research.language import Bilingual

_GOOD_SOURCES = 3
_STALE = 2
"""Searches in a row without anything new after which a topic ends."""


def supervise(view: SupervisorView) -> list[SupervisorAction]:
    """Think of a plan, hand out its sections, think of what came back, hand out what is missing once, end."""
    rounds = _rounds(view.steps)
    turns_left = view.limits.supervisor_turns - view.turn
    has_thought = bool(view.steps) and isinstance(view.steps[-1].action, Think)
    if rounds == 0:
        plan = plan_for(view.brief)
        sections = plan.most_asked(view.topics_left, view.brief.question)
        if not has_thought and turns_left > 1:
            return [Think(reflection.planned(view, plan, sections))]
        return [ConductResearch(topic_for(section, view.brief)) for section in sections]
    again = _gaps(view) if rounds == 1 and turns_left > 1 else []
    if not has_thought and turns_left > 1:
        return [Think(reflection.reviewed(view, [section for section, _ in again]))]
    if again:
        return [ConductResearch(topic_for(section, view.brief, missing)) for section, missing in again]
    return [ResearchComplete(_reason(view, rounds))]


def _rounds(steps: Sequence[Step]) -> int:
    """Return how many times topics were handed out, those handed out together counting once."""
    kinds = [isinstance(step.action, ConductResearch) for step in steps]
    return sum(is_research for is_research, _ in groupby(kinds))


def _gaps(view: SupervisorView) -> list[tuple[Section, list[str]]]:
    """Return the sections worth a second try, with what is missing: failed, empty, or short of half their aspects."""
    worth = []
    for result in view.results:
        section = section_of(result.topic, view.brief.question)
        missing = [
            label
            for aspect in section.aspects
            if (label := aspect.label.in_(view.brief.language)) in reflection.missing_in(result.notes)
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


def investigate(view: ResearcherView) -> list[ResearcherAction]:
    """Search broadly, think, search for what is missing, and stop when it is enough or nothing new comes."""
    section = without_excluded(section_of(view.topic, view.brief.question), view.brief)
    coverage = coverage_of(section, view.brief, view.evidence, view.pages)
    queries = next_queries(view, section, coverage)
    if not any(isinstance(step.action, Search) for step in view.steps):
        return [Search(queries)]
    stop = _stop(view, coverage, queries)
    turns_left = view.limits.researcher_turns - view.turn
    if not isinstance(view.steps[-1].action, Think) and turns_left > 1:
        return [Think(reflection.searched(view, coverage, queries, stop))]
    return [ResearchComplete(stop)] if stop else [Search(queries)]


def _has_looked_closer(view: ResearcherView) -> bool:
    """Whether a narrower search followed the broad one, or none can."""
    return view.searches_left <= 0 or sum(isinstance(step.action, Search) for step in view.steps) > 1


def _stop(view: ResearcherView, coverage: Coverage, queries: Sequence[str]) -> str:
    """Return why a topic ends, or an empty string if it goes on."""
    counts = reflection.counts(view.steps)
    if counts[-1] != len(view.evidence) or not isinstance(view.steps[-1].action, Think):
        counts.append(len(view.evidence))
    stale = len(counts) > _STALE and len(set(counts[-_STALE - 1 :])) == 1
    if coverage.is_complete and view.evidence:
        why = Bilingual("Everything that was looked for is covered.", "調べる点はすべて確認できました。")
    elif coverage.sufficiency.is_enough and len(view.pages) >= _GOOD_SOURCES and _has_looked_closer(view):
        why = Bilingual("The score is high enough to stop.", "充足度が十分に達したため終了します。")
    elif stale:
        why = Bilingual("Two searches in a row brought nothing new.", "2回続けて新しい情報がなかったため終了します。")
    elif view.searches_left <= 0:
        why = Bilingual("No searches are left.", "検索回数の上限に達したため終了します。")
    elif not queries:
        why = Bilingual("No further words are left to search for.", "試す検索語が残っていないため終了します。")
    else:
        return ""
    return why.in_(view.brief.language)
