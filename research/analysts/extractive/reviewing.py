"""What the rules say when they supervise: how the research is planned, what a round of topics brought."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from research.analysts.extractive.plan import Plan
from research.analysts.extractive.section import Section
from research.analysts.extractive.topics import title_of
from research.analysts.protocol import SupervisorView, TopicResult
from research.language import Bilingual, Language

_COMMA = Bilingual(", ", "、")
_MISSING = re.compile(r"^(?:Missing: (.+?)\.(?:\s|$)|不足：(.+?)。)", re.MULTILINE)


def planned(view: SupervisorView, plan: Plan, sections: Sequence[Section]) -> str:
    """Say how the research is planned: through which lens, in which sections, with which words."""
    language = view.brief.language
    comma = _COMMA.in_(language)
    lines = [
        f"{number}. {section.title.in_(language)} – {comma.join(_search_words(section, language))}"
        for number, section in enumerate(sections, 1)
    ]
    reserve = view.topics_left - len(sections)
    basis = plan.basis(view.brief)
    head = Bilingual(
        f"{basis.en} {len(sections)} topics go out now, {reserve} stay in reserve for gaps. Sections and search words:",
        f"{basis.ja}まず{len(sections)}件のトピックを調べ、{reserve}件分を不足の補充に残します。各節と検索語：",
    )
    return "\n".join([head.in_(language), *lines])


def _search_words(section: Section, language: Language) -> Iterable[str]:
    for aspect in section.aspects:
        en, ja = aspect.words
        yield ((ja or en) if language is Language.JA else (en or ja))[0]


def reviewed(view: SupervisorView, again: Sequence[Section]) -> str:
    """Say what the topics brought so far, and whether a further round follows."""
    language = view.brief.language
    found = {name for result in view.results for name in result.evidence}
    head = Bilingual(
        f"{len(view.results)} topics are back with {len(found)} quotes in all.",
        f"{len(view.results)}件のトピックから、合計で引用{len(found)}件を得ました。",
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
        Bilingual(f"{count} quotes", f"引用 {count}件").in_(language),
        Bilingual(f"sufficiency {score}/10", f"充足度 {score}/10").in_(language) if score is not None else "",
        Bilingual(f"missing: {missing}", f"不足：{missing}").in_(language) if missing else "",
        Bilingual("failed before it was done", "途中で失敗").in_(language) if result.failed else "",
    ]
    separator = Bilingual(": ", "：").in_(language)
    return f"- {title_of(result.topic)}{separator}{_COMMA.in_(language).join(part for part in parts if part)}"


def missing_in(notes: str) -> str:
    """Return what notes say is missing, as they say it."""
    match = _MISSING.search(notes)
    return (match[1] or match[2]) if match else ""
