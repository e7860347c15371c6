"""What to do next, decided by rule: searches, reflections, reviews."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from research.analysts.extractive.asked import source_of, without_excluded
from research.analysts.extractive.coverage import Coverage, Told, coverage_of, required, with_required
from research.analysts.extractive.lenses import LensSection
from research.analysts.extractive.plan import (
    RulePlan,
    names_in_topic,
    plan_for,
    section_in,
    section_of,
    title_of,
    topic_for,
)
from research.analysts.extractive.queries import first_queries, next_queries, queries_for_leads
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
from research.core import Brief, Doubt, Insight, NextQuery, Page, Reflection, StopReason
from research.language import Bilingual, Language, Phrase
from research.text import compared_in, folded
from research.verification import Contradiction, ContradictionKind, contradictions

_INSIGHTS = 6
_DOUBTS = 5
_IDS = 8
"""Ids that an insight names; more tell nothing more."""
_SOURCES_NAMED = 5
_COMMA = Bilingual(", ", "、")
_SPACE = Bilingual(" ", "")
_CONFIDENCE = (4, 7, 9)
"""For one site, for two, for three or more."""
_DISPUTED = 3
"""Taken from the confidence where the sources contradict each other."""
_DIFFERENT = {
    ContradictionKind.FIGURES: Phrase("different values for the same quantity"),
    ContradictionKind.DATES: Phrase("different dates for the same event"),
}
_LEADS = Phrase("figures of the countries that sources name")
_OPPOSITE = Phrase("opposite statements")


async def reflect_by_rule(view: ResearcherView) -> Reflection:
    """Say what is covered, missing and contradictory so far, and what to search next; off the event loop."""
    return await asyncio.to_thread(_reflect, view)


def _reflect(view: ResearcherView) -> Reflection:
    language = view.brief.language
    section = without_excluded(section_in(view), view.brief)
    names = names_in_topic(view.topic, view.brief.question)
    coverage = coverage_of(section, view.brief, view.evidence, view.pages, names)
    disputes = contradictions(view.evidence, view.pages)[:_DOUBTS]
    is_stale = view.assessment is not None and view.assessment.stale >= view.limits.methods.repeats
    also = required(view, coverage.gaps)
    leads = queries_for_leads(view, section)
    gaps = (*coverage.missing(language), *also, *([_LEADS.in_(language)] if leads else []))
    own = (*leads, *(next_queries(view, section, coverage.gaps) if coverage.gaps else ()))[: view.limits.queries]
    queries = () if is_stale else with_required(view, own, also)
    return Reflection(
        summary=_summary(view, coverage, gaps, queries, is_stale=is_stale),
        insights=_insights(coverage, disputes, view),
        gaps=gaps,
        doubts=tuple(_doubt(dispute, coverage, language) for dispute in disputes),
        queries=queries,
    )


# --- the summary -----------------------------------------------------------------------------------------------


def _summary(
    view: ResearcherView, coverage: Coverage, gaps: Sequence[str], queries: Sequence[NextQuery], *, is_stale: bool
) -> str:
    language = view.brief.language
    rounds, found, pages = view.limits.searches - view.searches_left, len(view.evidence), len(view.pages)
    missing = set(map(folded, gaps))
    labels = (told.aspect.label.in_(language) for told in coverage.told)
    covered = _COMMA.in_(language).join(label for label in labels if folded(label) not in missing)
    score = view.assessment.sufficiency.score if view.assessment else None
    parts = [
        Phrase("After search {rounds}: {found} quotes from {pages} pages.").filled(
            rounds=rounds, found=found, pages=pages
        ),
        _whence(view.pages, language),
        Phrase("Covered: {covered}.").filled(covered=covered) if covered else None,
        Phrase("Sufficiency {score}/10.").filled(score=score) if score is not None else None,
        _next_step(view, gaps, queries, is_stale=is_stale),
    ]
    return _SPACE.in_(language).join(part.in_(language) for part in parts if part)


def _next_step(view: ResearcherView, gaps: Sequence[str], queries: Sequence[NextQuery], *, is_stale: bool) -> Bilingual:
    if not gaps and view.evidence:
        return Phrase("Nothing that was looked for is missing.")
    if is_stale:
        return Phrase("The last searches brought nothing new.")
    if view.searches_left <= 0:
        return Phrase("No searches are left.")
    if not queries:
        return Phrase("No further words are left to search for.")
    return Phrase("Next: search for what is missing.")


def _whence(pages: Mapping[str, Page], language: Language) -> Bilingual | None:
    """Name the sites and the dates of the pages."""
    if not pages:
        return None
    sources = Counter(source_of(page, language) for page in pages.values())
    counted = sources.most_common(_SOURCES_NAMED)
    named = Bilingual(
        _COMMA.en.join(f"{name} ({count})" for name, count in counted),
        _COMMA.ja.join(f"{name} {count}件" for name, count in counted),
    )
    dates = sorted(page.published[:7] for page in pages.values() if page.published)
    undated = len(pages) - len(dates)
    span = "" if not dates else dates[0] if dates[0] == dates[-1] else f"{dates[0]} – {dates[-1]}"
    dated = Bilingual(
        _COMMA.en.join(part for part in (span, f"{undated} undated" if undated else "") if part),
        _COMMA.ja.join(part for part in (span, f"日付不明 {undated}件" if undated else "") if part),
    )
    return Phrase("Sources: {named}. Dates: {dated}.").filled(named=named, dated=dated)


# --- insights and doubts ---------------------------------------------------------------------------------------


def _insights(coverage: Coverage, disputes: Sequence[Contradiction], view: ResearcherView) -> tuple[Insight, ...]:
    """Return what is best supported, said as how much there is of it."""
    disputed = {side.evidence for dispute in disputes for side in dispute.sides}
    insights = [_insight(told, disputed, view) for told in coverage.told]
    return tuple(sorted(insights, key=lambda one: (-one.confidence, -len(one.evidence)))[:_INSIGHTS])


def _insight(told: Told, disputed: set[str], view: ResearcherView) -> Insight:
    language = view.brief.language
    ids = [entry.id for entry in told.evidence]
    sites = len({view.pages[entry.source].site for entry in told.evidence})
    names = _COMMA.in_(language).join(name.ja if language is Language.JA else name.en for name in told.names)
    label = told.aspect.label.in_(language)
    text = Bilingual(
        f"{_counted(len(ids), 'quote')} from {_counted(sites, 'source')} on {label}"
        + (f" ({names})." if names else "."),
        f"{label}" + (f"（{names}）" if names else "") + f"：{sites}件の情報源から引用{len(ids)}件。",
    )
    return Insight(
        text=text.in_(language),
        confidence=confidence(sites, is_disputed=not disputed.isdisjoint(ids)),
        evidence=tuple(ids[:_IDS]),
    )


def confidence(sites: int, *, is_disputed: bool) -> int:
    """Return how sure something is that `sites` different sites speak of: 4 for one, 7 for two, 9 for three or more.

    Where quotes on it contradict each other it is 3 less.
    """
    return _CONFIDENCE[min(sites, len(_CONFIDENCE)) - 1] - (_DISPUTED if is_disputed else 0)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _doubt(dispute: Contradiction, coverage: Coverage, language: Language) -> Doubt:
    """Say that pieces of evidence contradict each other, and on which aspect; not what they say."""
    ids = tuple(dict.fromkeys(side.evidence for side in dispute.sides))
    on = [told.aspect.label for told in coverage.told if {entry.id for entry in told.evidence}.issuperset(ids)]
    what = _DIFFERENT.get(dispute.kind, _OPPOSITE)
    text = Bilingual(
        f"{_COMMA.en.join(ids)} give {what.en}" + (f" ({on[0].en})" if on else ""),
        f"{_COMMA.ja.join(ids)} で{what.ja}が異なる" + (f"（{on[0].ja}）" if on else ""),
    )
    return Doubt(text=text.in_(language), evidence=ids)


_MISSING = re.compile(r"^(?:Missing: (.+?)\.(?:\s|$)|不足：(.+?)。)", re.MULTILINE)


def planned_points(view: SupervisorView, plan: RulePlan, sections: Sequence[LensSection]) -> str:
    """Say how the research is planned: through which lens, in which sections, with which words."""
    language = view.brief.language
    comma = _COMMA.in_(language)
    lines = [
        f"{number}. {section.title.in_(language)} – {comma.join(_search_words(section, language))}"
        for number, section in enumerate(sections, 1)
    ]
    reserve = view.topics_left - len(sections)
    basis = plan.basis(view.brief)
    head = Phrase(
        "{basis} {sections} topics go out now, {reserve} stay in reserve for gaps. Sections and search words:"
    ).filled(basis=basis, sections=len(sections), reserve=reserve)
    return "\n".join([head.in_(language), *lines])


def _search_words(section: LensSection, language: Language) -> Iterable[str]:
    for aspect in section.aspects:
        en, ja = aspect.words
        yield ((ja or en) if language is Language.JA else (en or ja))[0]


def reviewed_points(view: SupervisorView, again: Sequence[LensSection]) -> str:
    """Say what the topics brought so far, and whether a further round follows."""
    language = view.brief.language
    found = {name for result in view.results for name in result.evidence}
    head = Phrase("{results} topics are back with {found} quotes in all.").filled(
        results=len(view.results), found=len(found)
    )
    titles = _COMMA.in_(language).join(section.title.in_(language) for section in again)
    close = Bilingual(
        f"One further round on the gaps: {titles}." if again else "No further round: the report can be written.",
        f"不足を補う調査をもう一度行います：{titles}。" if again else "追加の調査は行わず、レポートの作成に移ります。",
    )
    return "\n".join([head.in_(language), *(_line(result, language) for result in view.results), close.in_(language)])


def _line(result: TopicResult, language: Language) -> str:
    count, missing = len(result.evidence), missing_in(result.notes)
    score = result.assessment.sufficiency.score if result.assessment else None
    parts = [
        Phrase("{count} quotes").in_(language).format(count=count),
        Phrase("sufficiency {score}/10").in_(language).format(score=score) if score is not None else "",
        Phrase("missing: {missing}").in_(language).format(missing=missing) if missing else "",
        Phrase("failed before it was done").in_(language) if result.failed else "",
    ]
    separator = Bilingual(": ", "：").in_(language)
    return f"- {title_of(result.topic)}{separator}{_COMMA.in_(language).join(part for part in parts if part)}"


def missing_in(notes: str) -> str:
    """Return what notes say is missing, as they say it."""
    match = _MISSING.search(notes)
    return (match[1] or match[2]) if match else ""


_SIMPLE = 4
"""Things to find, counted for each name, up to which a topic is simple."""


def supervise_by_rule(view: SupervisorView) -> list[SupervisorAction]:
    """Think of a plan, hand out its sections, think of what came back, hand out what is missing once, end."""
    rounds = _rounds(view.steps)
    turns_left = view.limits.supervisor_turns - view.turn
    has_thought = bool(view.steps) and isinstance(view.steps[-1].action, Think)
    if rounds == 0:
        plan = plan_for(view.brief)
        sections = plan.most_asked(view.topics_left, view.brief.question)
        if not has_thought and turns_left > 1:
            return [Think(planned_points(view, plan, sections))]
        return [_topic(section, view.brief) for section in sections]
    again = _gaps(view) if rounds == 1 and turns_left > 1 else []
    if not has_thought and turns_left > 1:
        return [Think(reviewed_points(view, [section for section, _ in again]))]
    if again:
        return [_topic(section, view.brief, missing) for section, missing in again]
    return [ResearchComplete(_reason(view, rounds))]


def _topic(section: LensSection, brief: Brief, missing: Sequence[str] = ()) -> ConductResearch:
    things = len(missing or section.aspects) * max(1, len(compared_in(brief.question)))
    return ConductResearch(topic_for(section, brief, missing), is_hard=things > _SIMPLE)


def _rounds(steps: Sequence[Step]) -> int:
    """Return how many times topics were handed out, those handed out together counting once."""
    kinds = [isinstance(step.action, ConductResearch) for step in steps]
    return sum(is_research for is_research, _ in groupby(kinds))


def _gaps(view: SupervisorView) -> list[tuple[LensSection, list[str]]]:
    """Return the sections worth a second try, with what is missing: failed, empty, or short of half their aspects."""
    worth = []
    for result in view.results:
        section = section_of(result.topic, view.brief.question, view.brief.scope)
        missing = [
            label
            for aspect in section.aspects
            if (label := aspect.label.in_(view.brief.language)) in missing_in(result.notes)
        ]
        if _is_worth_another(result, section, missing):
            worth.append((section, missing))
    return worth[: max(0, view.topics_left)]


def _is_worth_another(result: TopicResult, section: LensSection, missing: Sequence[str]) -> bool:
    if result.failed or not result.evidence:
        return True
    return 2 * len(missing) >= len(section.aspects) and bool(missing)


def _reason(view: SupervisorView, rounds: int) -> str:
    if not any(result.evidence for result in view.results):
        return Phrase("Nothing was found.").in_(view.brief.language)
    if rounds > 1:
        return Phrase("The gaps were searched for once more.").in_(view.brief.language)
    return Phrase("The sections are covered as far as the sources allow.").in_(view.brief.language)


async def investigate_by_rule(view: ResearcherView) -> list[ResearcherAction]:
    """Search broadly, reflect, search for what is missing, and stop when it is enough or nothing new comes."""
    if not view.queries_made:
        return [Search(first_queries(view, without_excluded(section_in(view), view.brief)))]
    reflection = await reflect_by_rule(view)
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
