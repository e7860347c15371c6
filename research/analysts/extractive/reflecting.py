"""What the rules think of what a search brought: counted, never worded after a page."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence

from research.analysts.extractive.coverage import Coverage, Told, coverage_of
from research.analysts.extractive.exclusions import without_excluded
from research.analysts.extractive.naming import source_of
from research.analysts.extractive.queries import next_queries, queries_for_leads
from research.analysts.extractive.required import required, with_required
from research.analysts.extractive.topics import names_in_topic, section_in
from research.analysts.protocol import ResearcherView
from research.contradictions import Contradiction, ContradictionKind, contradictions
from research.evidence import Page
from research.language import Bilingual, Language
from research.reflection import Doubt, Insight, NextQuery, Reflection
from research.text.words import folded

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
    ContradictionKind.FIGURES: Bilingual("different values for the same quantity", "同じ数量の値"),
    ContradictionKind.DATES: Bilingual("different dates for the same event", "同じ出来事の日付"),
}
_LEADS = Bilingual("figures of the countries that sources name", "情報源が挙げる国の数値")
_OPPOSITE = Bilingual("opposite statements", "記述の内容")


async def reflect(view: ResearcherView) -> Reflection:
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
        Bilingual(
            f"After search {rounds}: {found} quotes from {pages} pages.",
            f"検索{rounds}回目まで：{pages}ページから引用{found}件。",
        ),
        _whence(view.pages, language),
        Bilingual(f"Covered: {covered}.", f"確認できた点：{covered}。") if covered else None,
        Bilingual(f"Sufficiency {score}/10.", f"充足度 {score}/10。") if score is not None else None,
        _next_step(view, gaps, queries, is_stale=is_stale),
    ]
    return _SPACE.in_(language).join(part.in_(language) for part in parts if part)


def _next_step(view: ResearcherView, gaps: Sequence[str], queries: Sequence[NextQuery], *, is_stale: bool) -> Bilingual:
    if not gaps and view.evidence:
        return Bilingual("Nothing that was looked for is missing.", "調べる点はすべて確認できました。")
    if is_stale:
        return Bilingual("The last searches brought nothing new.", "直近の検索では新しい情報がありませんでした。")
    if view.searches_left <= 0:
        return Bilingual("No searches are left.", "検索回数の上限に達しました。")
    if not queries:
        return Bilingual("No further words are left to search for.", "試す検索語は残っていません。")
    return Bilingual("Next: search for what is missing.", "次は、不足している点を検索します。")


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
    return Bilingual(f"Sources: {named.en}. Dates: {dated.en}.", f"情報源：{named.ja}。日付：{dated.ja}。")


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
