"""What the rules say when they think aloud: the plan, what a search brought, what a round of topics brought."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from research.analysts.extractive.coverage import Coverage
from research.analysts.extractive.naming import source_of
from research.analysts.extractive.plan import Plan, title_of
from research.analysts.extractive.section import Section
from research.analysts.protocol import ResearcherView, Step, SupervisorView, Think
from research.evidence import Evidence, Page
from research.language import Bilingual, Language
from research.sufficiency import Sufficiency
from research.text.names import compared_in

_COMMA = Bilingual(", ", "、")
_COUNTED = re.compile(r"(\d+) quotes from|引用 (\d+) 件")
_MISSING = re.compile(r"Missing: (.+?)\.(?:\s|$)|不足：(.+?)。")
_SCORE = re.compile(r"(?:sufficiency|充足度) (\d+)/10", re.IGNORECASE)
_SOURCES_NAMED = 5


def planned(view: SupervisorView, plan: Plan, sections: Sequence[Section]) -> str:
    """Say how the research is planned: through which lens, in which sections, with which words."""
    language = view.brief.language
    comma = _COMMA.in_(language)
    lens = plan.scope.label.in_(language)
    names = comma.join(name.ja if language is Language.JA else name.en for name in compared_in(view.brief.question))
    lines = [
        f"{number}. {section.title.in_(language)} – {comma.join(_search_words(section, language))}"
        for number, section in enumerate(sections, 1)
    ]
    reserve = view.topics_left - len(sections)
    why = (
        Bilingual("chosen in the brief", "ブリーフで指定")
        if plan.is_chosen
        else Bilingual("told from the words of the question", "問いの言葉から判断")
    )
    head = Bilingual(
        f"Plan by rule, without a model. Lens: {lens} ({why.en}). "
        + (f"Searched for separately: {names}. " if names else "")
        + f"{len(sections)} topics go out now, {reserve} stay in reserve for gaps. Sections and search words:",
        f"規則による計画（モデルは使いません）。観点：{lens}（{why.ja}）。"
        + (f"個別に検索する対象：{names}。" if names else "")
        + f"まず {len(sections)} 件のトピックを調べ、{reserve} 件分を不足の補充に残します。各節と検索語：",
    )
    return "\n".join([head.in_(language), *lines])


def _search_words(section: Section, language: Language) -> Iterable[str]:
    for aspect in section.aspects:
        en, ja = aspect.words
        yield ((ja or en) if language is Language.JA else (en or ja))[0]


def searched(view: ResearcherView, coverage: Coverage, next_queries: Sequence[str], stop: str) -> str:
    """Say what the searches of a topic brought, what is missing, and what comes next (`stop` if nothing does)."""
    language = view.brief.language
    rounds = view.limits.searches - view.searches_left
    found = len(view.evidence)
    new = found - counts(view.steps)[-1]
    head = Bilingual(
        f"After search {rounds}: {found} quotes from {len(view.pages)} pages ({new} new). "
        f"{_whence(view.pages, language)} {covered_and_missing(coverage, language)}",
        f"検索 {rounds} 回目まで：{len(view.pages)} ページから引用 {found} 件（新規 {new} 件）。"
        f"{_whence(view.pages, language)}{covered_and_missing(coverage, language)}",
    )
    if stop:
        return f"{head.in_(language)} {stop}".strip()
    queries = _COMMA.in_(language).join(
        f"“{query}”" if language is Language.EN else f"「{query}」" for query in next_queries
    )
    return head.in_(language) + Bilingual(f" Next, narrower: {queries}.", f" 次はより絞って検索：{queries}。").in_(
        language
    )


def _whence(pages: Mapping[str, Page], language: Language) -> str:
    """Name the sites and the dates of the pages."""
    if not pages:
        return ""
    sources = Counter(source_of(page, language) for page in pages.values())
    named = _COMMA.in_(language).join(f"{name} ({count})" for name, count in sources.most_common(_SOURCES_NAMED))
    dates = sorted(page.published[:7] for page in pages.values() if page.published)
    undated = len(pages) - len(dates)
    span = "" if not dates else dates[0] if dates[0] == dates[-1] else f"{dates[0]} – {dates[-1]}"
    dated = Bilingual(
        _COMMA.en.join(part for part in (span, f"{undated} undated" if undated else "") if part),
        _COMMA.ja.join(part for part in (span, f"日付不明 {undated} 件" if undated else "") if part),
    )
    return Bilingual(f"Sources: {named}. Dates: {dated.en}.", f"情報源：{named}。日付：{dated.ja}。").in_(language)


def covered_and_missing(coverage: Coverage, language: Language) -> str:
    """Say what is covered and missing, and the computed score with its criteria."""
    comma = _COMMA.in_(language)
    covered = comma.join(aspect.label.in_(language) for aspect in coverage.covered)
    missing = comma.join(coverage.missing(language))
    parts = [
        Bilingual(f"Covered: {covered}.", f"確認できた点：{covered}。").in_(language) if covered else "",
        Bilingual(f"Missing: {missing}.", f"不足：{missing}。").in_(language) if missing else "",
        _scored(coverage.sufficiency, language),
    ]
    return (" " if language is Language.EN else "").join(part for part in parts if part)


def _scored(sufficiency: Sufficiency, language: Language) -> str:
    points = sufficiency.criteria
    aspects = _COMMA.in_(language).join(aspect.label.in_(language) for aspect in sufficiency.missing)
    text = Bilingual(
        f"Sufficiency {sufficiency.score}/10 (results {points.results}, relevance {points.relevance}, "
        f"diversity of sites {points.diversity}, detail {points.detail}, breadth {points.coverage}"
        + (f"; nothing yet on {aspects})." if aspects else ")."),
        f"充足度 {sufficiency.score}/10（件数 {points.results}、関連性 {points.relevance}、"
        f"サイトの多様性 {points.diversity}、詳しさ {points.detail}、広がり {points.coverage}"
        + (f"。未確認：{aspects}）。" if aspects else "）。"),
    )
    return text.in_(language)


def reviewed(view: SupervisorView, again: Sequence[Section]) -> str:
    """Say what the topics brought so far, and whether a further round follows."""
    language = view.brief.language
    found = {name for result in view.results for name in result.evidence}
    lines = [
        _result_line(result.topic, len(result.evidence), result.notes, result.failed, language)
        for result in view.results
    ]
    head = Bilingual(
        f"{len(view.results)} topics are back with {len(found)} quotes in all.",
        f"{len(view.results)} 件のトピックから、合計で引用 {len(found)} 件を得ました。",
    )
    titles = _COMMA.in_(language).join(section.title.in_(language) for section in again)
    close = Bilingual(
        f"One further round on the gaps: {titles}." if again else "No further round: the report can be written.",
        f"不足を補う調査をもう一度行います：{titles}。" if again else "追加の調査は行わず、レポートの作成に移ります。",
    )
    return "\n".join([head.in_(language), *lines, close.in_(language)])


def _result_line(topic: str, count: int, notes: str, failed: bool, language: Language) -> str:
    score = score_in(notes)
    missing = missing_in(notes)
    parts = [
        Bilingual(f"{count} quotes", f"引用 {count} 件").in_(language),
        Bilingual(f"sufficiency {score}/10", f"充足度 {score}/10").in_(language) if score is not None else "",
        Bilingual(f"missing: {missing}", f"不足：{missing}").in_(language) if missing else "",
        Bilingual("failed before it was done", "途中で失敗").in_(language) if failed else "",
    ]
    separator = Bilingual(": ", "：").in_(language)
    return f"- {title_of(topic)}{separator}{_COMMA.in_(language).join(part for part in parts if part)}"


# --- reading back what was said --------------------------------------------------------------------------------


def counts(steps: Sequence[Step]) -> list[int]:
    """Return how many quotes there were at each reflection so far, beginning with none."""
    said = [step.action.reflection for step in steps if isinstance(step.action, Think)]
    numbers = [match[1] or match[2] for match in map(_COUNTED.search, said) if match]
    return [0, *map(int, numbers)]


def score_in(notes: str) -> int | None:
    """Return the score that notes name."""
    match = _SCORE.search(notes)
    return int(match[1]) if match else None


def missing_in(notes: str) -> str:
    """Return what notes say is missing, as they say it."""
    match = _MISSING.search(notes)
    return (match[1] or match[2]) if match else ""


def noted(coverage: Coverage, evidence: Sequence[Evidence], pages: Mapping[str, Page], language: Language) -> str:
    """Return notes on the evidence kept for one topic, for the supervisor."""
    kept_pages = {entry.source for entry in evidence}
    sites = len({pages[source].site for source in kept_pages})
    head = Bilingual(
        f"{len(evidence)} quotes from {len(kept_pages)} pages on {sites} sites kept.",
        f"{sites} サイト・{len(kept_pages)} ページから引用 {len(evidence)} 件を採用。",
    )
    blank = Bilingual(" ", "").in_(language)
    return head.in_(language) + blank + covered_and_missing(coverage, language)
