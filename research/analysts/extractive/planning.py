"""The plan of a report by rule: how deep to go, from what is asked; which sections, from the lens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from research.analysts.extractive.plan import aspects_asked, plan_for
from research.analysts.extractive.planned_sections import planned
from research.analysts.extractive.section import Section
from research.analysts.protocol import PlanRequest
from research.brief import Brief
from research.language import Bilingual
from research.outline import Depth, Outline
from research.text.names import compared_in

_MANY = 4
"""Things asked for, from which a question is wide."""
_RECENT_DAYS = 366
"""A period up to this asks for recent information, which takes one search more."""
_ITERATIONS = 2
"""A broad search and a narrow one."""
_COMMA = Bilingual(", ", "、")
_SPACE = Bilingual(" ", "")


def depth(request: PlanRequest) -> Depth:
    """Choose the depth.

    A search asks once for each name compared, and once more if four things or more are asked for. There are two
    searches, one more each for a comparison, for four things or more, and for a period of a year or less. Neither
    exceeds what the preset allows.
    """
    brief, limits = request.brief, request.limits
    names, things = len(compared_in(brief.question)), _things(brief)
    is_wide = things >= _MANY
    is_recent = brief.period is not None and brief.period.days <= _RECENT_DAYS
    queries = max(1, names) + is_wide
    iterations = _ITERATIONS + (names > 1) + is_wide + is_recent
    most = min(limits.methods.iterations, limits.searches)
    reason = _SPACE.in_(brief.language).join(
        part.in_(brief.language) for part in _reasons(request, names, things, most, is_recent=is_recent)
    )
    return Depth.within(min(queries, limits.queries), min(iterations, most), reason)


def _things(brief: Brief) -> int:
    """Return how many things the question asks for: aspects of its lens that it names, and words that no lens knows."""
    return len({aspect for part in plan_for(brief).sections for aspect in aspects_asked(part, brief.question)})


def _reasons(request: PlanRequest, names: int, things: int, most: int, *, is_recent: bool) -> Iterator[Bilingual]:
    yield Bilingual(
        f"Chosen by rule: {things} {'thing is' if things == 1 else 'things are'} asked for"
        + (f", of {names} {'name' if names == 1 else 'names'}." if names else "."),
        f"規則による判断：問われている点は{things}件" + (f"、対象は{names}件です。" if names else "です。"),
    )
    if is_recent and request.brief.period is not None:
        label = request.brief.period.label
        yield Bilingual(f"The period is short ({label.en.lower()}).", f"期間が短い（{label.ja}）指定です。")
    queries = request.limits.queries
    yield Bilingual(
        f"The preset allows at most {queries} queries a search and {most} searches a section.",
        f"この進め方の上限は、1回の検索につき検索語{queries}件、1章につき検索{most}回です。",
    )


def outline(request: PlanRequest) -> Outline:
    """Plan the sections of the brief's lens, the most asked of too many; beside few ones, some context."""
    brief, language, most = request.brief, request.brief.language, request.limits.methods.sections
    plan = plan_for(brief)
    asked, around = plan.most_asked(most, brief.question), plan.around(most)
    left_out = [section for section in plan.sections if section not in asked]
    remarks = [
        plan.basis(brief),
        *_naming(left_out, Bilingual(" Left out to keep the plan short: {}.", "章数の上限により省いた章：{}。")),
        *_naming(around, Bilingual(" Added as context: {}.", "背景として加えた章：{}。")),
    ]
    return Outline(
        purpose=_purpose(brief).in_(language),
        sections=tuple(planned(section, brief) for section in (*asked, *around)),
        introduction=_INTRODUCTION.in_(language),
        conclusion=_CONCLUSION.in_(language),
        remark="".join(remark.in_(language) for remark in remarks),
    )


def _naming(sections: Sequence[Section], words: Bilingual) -> Iterator[Bilingual]:
    """Yield `words` with the titles of `sections`, if there are any."""
    titles = [section.title for section in sections]
    if titles:
        yield Bilingual(
            words.en.format(_COMMA.en.join(title.en for title in titles)),
            words.ja.format(_COMMA.ja.join(title.ja for title in titles)),
        )


_INTRODUCTION = Bilingual(
    "What was found in how many sources, and the quotes nearest to the question.",
    "何件の情報源から何が得られたかと、問いに最も近い記述。",
)
_CONCLUSION = Bilingual(
    "The figures side by side, what was found for each section, and what is missing; no conclusion of its own.",
    "数値の一覧、章ごとに得られた件数、不足している情報。情報源にない結論は加えません。",
)


def _purpose(brief: Brief) -> Bilingual:
    """Say what the report answers, and within which bounds."""
    question = " ".join(brief.question.split())
    bounds = [word.words for word in (brief.region, brief.period) if word is not None]
    within = Bilingual(_COMMA.en.join(word.en for word in bounds), _COMMA.ja.join(word.ja for word in bounds))
    without = _COMMA.in_(brief.language).join(brief.exclusions)
    return Bilingual(
        f"To show what the sources say on “{question}”."
        + (f" Scope: {within.en}." if bounds else "")
        + (f" Left out: {without}." if without else ""),
        f"「{question}」について、情報源が述べていることを示します。"
        + (f"範囲：{within.ja}。" if bounds else "")
        + (f"除外：{without}。" if without else ""),
    )
