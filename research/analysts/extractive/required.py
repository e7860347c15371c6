"""What the gap identifier misses of a planned section, over and above what this analyst's own search words miss."""

from __future__ import annotations

from collections.abc import Sequence

from research.analysts.extractive.coverage import Gap
from research.analysts.extractive.exclusions import is_excluded, without_excluded
from research.analysts.extractive.topics import section_in
from research.analysts.protocol import ResearcherView
from research.gaps.queries import follow_up_queries
from research.language import Bilingual
from research.reflection import NextQuery
from research.text.words import folded


def required(view: ResearcherView, gaps: Sequence[Gap]) -> tuple[str, ...]:
    """Return what the plan requires, was counted as missing, and is none of `gaps`; nothing that the brief excludes.

    Empty where the plan requires nothing by name: the aspects of any good answer are no gaps of this one.
    """
    if view.assessment is None or view.section is None or not view.section.wanted:
        return ()
    whole = section_in(view)
    unwanted = set(whole.aspects).difference(without_excluded(whole, view.brief).aspects)
    named = {folded(gap.label(view.brief.language)) for gap in gaps}
    named.update(folded(label) for one in (*unwanted, *(gap.aspect for gap in gaps)) for label in one.label)
    missing = {folded(label): label for label in view.assessment.gaps.missing}
    return tuple(label for key, label in missing.items() if key not in named and not is_excluded(label, view.brief))


def with_required(view: ResearcherView, own: Sequence[NextQuery], missing: Sequence[str]) -> tuple[NextQuery, ...]:
    """Return the queries of the next search: `own`, and up to half of them, or more where there is room, for `missing`.

    Those for `missing` were not made before either.
    """
    if not missing or view.section is None:
        return tuple(own)
    at_most = view.limits.queries
    made = [*view.queries_made, *(one.query for one in own)]
    asked = follow_up_queries(view.brief, view.section, missing, made=made, at_most=at_most, today=view.today)
    why = Bilingual("Something that the plan requires is still missing.", "計画で求める情報がまだ不足しています。")
    added = [NextQuery(query=query, reason=why.in_(view.brief.language)) for query in asked]
    return (*own[: at_most - min(len(added), at_most // 2)], *added)[:at_most]
