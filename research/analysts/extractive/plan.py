"""A plan made by rule: what is asked, point by point, and for an open question the sections of its scope."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from research.analysts.extractive.scopes import ScopeSection, scope_sections
from research.analysts.extractive.subjects import is_excluded
from research.analysts.protocol import PlanRequest, ResearcherView
from research.core import Brief, Depth, Outline, Scope, Section, bounds, topic_of
from research.language import Bilingual, Phrase
from research.text import Name, Operation, compared_in, folded, head_of, places_in, question_parts, sentences

DIRECT_TITLE = Phrase("Directly on the question")
_DIRECT_FOCUS = Phrase("what the sources say on the question itself")
_FEWEST = 3
"""Sections of an outline, at least."""
_CONTEXT = 2
"""Points of a section that nobody asked for."""
_POINTS = 8
"""Points of a question that are looked for."""
_COMMA = Bilingual(", ", "、")
_SPACE = Bilingual(" ", "")
_AND = Phrase(" and ")


@dataclass(frozen=True)
class RulePlan:
    """What a report made by rule is to hold."""

    sections: tuple[Section, ...]
    """What is asked; if the question is open and a scope is chosen, what the scope looks for besides."""
    topics: tuple[Section, ...]
    """What is handed out to researchers: of places, each thing that is asked by itself, since pages are on one each."""
    context: tuple[Section, ...]
    """Further sections of the scope, for whoever needs a longer outline."""

    def outlined(self, at_most: int) -> tuple[Section, ...]:
        """Return three sections or more: what is asked, a section for each point where there are many, then context."""
        asked = self.sections
        if len(asked) == 1 and len(asked[0].needs) >= _FEWEST:
            asked = _each(asked[0])
        short = max(0, min(_FEWEST, at_most) - len(asked))
        return (*asked[:at_most], *self.context[:short])


def _each(section: Section) -> tuple[Section, ...]:
    """Return a section for each point of one."""
    return tuple(
        Section(title=need, focus=need, questions=(question,), needs=(need,))
        for need, question in zip(section.needs, section.questions, strict=True)
    )


def plan_for(brief: Brief) -> RulePlan:
    """Return the plan for a brief."""
    asked = question_parts(brief.question)
    is_open = asked.operation is Operation.OPEN
    scope = brief.scope or (Scope.COUNTRY if places_in(brief.question) else Scope.OVERVIEW)
    around = tuple(_of_scope(one, brief) for one in scope_sections()[scope])
    direct = _section(DIRECT_TITLE.in_(brief.language), _DIRECT_FOCUS.in_(brief.language), asked.points, brief)
    if (is_open and brief.scope is not None) or (asked.is_wide_open and places_in(brief.question)):
        return RulePlan((direct, *around), (direct, *around), ())
    short = tuple(one.model_copy(update={"needs": one.needs[:_CONTEXT]}) for one in around)
    each = any(name.is_place for name in asked.names) and len(direct.needs) > 1
    return RulePlan((direct,), _each(direct) if each else (direct,), short)


def _of_scope(section: ScopeSection, brief: Brief) -> Section:
    labels = [point.in_(brief.language) for point in section.points]
    return _section(section.title.in_(brief.language), section.focus.in_(brief.language), labels, brief)


def _section(title: str, focus: str, points: Sequence[str], brief: Brief) -> Section:
    """Return a section with a key question for each point; points that the brief excludes are none."""
    kept = [point for point in points if not is_excluded(point, brief)][:_POINTS] or list(points[:1])
    names = compared_in(brief.question)
    questions = tuple(_question(point, names, brief) for point in kept)
    return Section(title=title, focus=focus, questions=questions, needs=tuple(kept))


def _question(label: str, names: Sequence[Name], brief: Brief) -> str:
    en, ja = _AND.en.join(name.en for name in names), _AND.ja.join(name.ja for name in names)
    return Bilingual(
        f"What is said of {label}" + (f" in {en}?" if en else "?"),
        (f"{ja}の" if ja else "") + f"{label}はどうなっているか。",
    ).in_(brief.language)


def outline_by_rule(request: PlanRequest) -> Outline:
    """Plan sections for what is asked; beside few ones, some context."""
    brief = request.brief
    plan = plan_for(brief)
    sections = plan.outlined(request.limits.methods.sections)
    added = [one.title for one in sections if one in plan.context]
    remarks = [basis(brief)]
    if added:
        remarks.append(Phrase(" Added as context: {titles}.").filled(titles=_COMMA.in_(brief.language).join(added)))
    return Outline(
        purpose=_purpose(brief).in_(brief.language),
        sections=sections,
        introduction=_INTRODUCTION.in_(brief.language),
        conclusion=_CONCLUSION.in_(brief.language),
        remark="".join(remark.in_(brief.language) for remark in remarks),
    )


_INTRODUCTION = Phrase("The answer, as far as the sources hold it: values, what follows from them, the nearest quotes.")
_CONCLUSION = Phrase("What was asked and not found; no conclusion of its own.")


def basis(brief: Brief) -> Bilingual:
    """Say how the plan was made: by rule, for which points and names."""
    asked = question_parts(brief.question)
    points = _COMMA.in_(brief.language).join(asked.points)
    named = compared_in(brief.question)
    who = Bilingual("", "")
    if named:
        en, ja = ", ".join(name.en for name in named), "、".join(name.ja for name in named)
        who = Bilingual(f" Searched for separately: {en}.", f"個別に検索する対象：{ja}。")
    return Phrase("Plan by rule, without a model. Asked for: {points}.{who}").filled(points=points, who=who)


def _purpose(brief: Brief) -> Bilingual:
    """Say what the report answers, and within which bounds."""
    question = head_of(brief.question)
    limits = [word.words for word in (brief.region, brief.period) if word is not None]
    within = Bilingual(_COMMA.en.join(word.en for word in limits), _COMMA.ja.join(word.ja for word in limits))
    without = _COMMA.in_(brief.language).join(brief.exclusions)
    return Bilingual(
        f"To show what the sources say on “{question}”."
        + (f" Scope: {within.en}." if limits else "")
        + (f" Left out: {without}." if without else ""),
        f"「{question}」について、情報源が述べていることを示します。"
        + (f"範囲：{within.ja}。" if limits else "")
        + (f"除外：{without}。" if without else ""),
    )


_MANY = 4
"""Things asked for, from which a question is wide."""
_RECENT_DAYS = 366
"""A period up to this asks for recent information, which takes one search more."""
_ITERATIONS = 2
"""A broad search and a narrow one."""


def depth_by_rule(request: PlanRequest) -> Depth:
    """Choose the depth.

    A search asks once for each name compared, and once more if four things or more are asked for. There are two
    searches, one more each for a comparison, for four things or more, and for a period of a year or less. Neither
    exceeds what the preset allows.
    """
    brief, limits = request.brief, request.limits
    names, things = len(compared_in(brief.question)), len(question_parts(brief.question).attributes)
    is_wide = things >= _MANY
    is_recent = brief.period is not None and brief.period.days <= _RECENT_DAYS
    queries = max(1, names) + is_wide
    iterations = _ITERATIONS + (names > 1) + is_wide + is_recent
    most = min(limits.methods.iterations, limits.searches)
    reason = _SPACE.in_(brief.language).join(
        part.in_(brief.language) for part in _reasons(request, names, things, most, is_recent=is_recent)
    )
    return Depth.within(min(queries, limits.queries), min(iterations, most), reason)


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
    yield Phrase("The preset allows at most {queries} queries a search and {most} searches a section.").filled(
        queries=queries, most=most
    )


# --- topics ----------------------------------------------------------------------------------------------------

_TITLE_LENGTH = 60
_STILL = Phrase("Still missing: ")


def topic_for(section: Section, brief: Brief, missing: Sequence[str] = ()) -> str:
    """Return a self-contained paragraph that hands `section` to a researcher; with `missing`, for that alone."""
    still = [_STILL.in_(brief.language) + _COMMA.in_(brief.language).join(missing)] if missing else []
    return topic_of(section, brief.question, brief.language, [*bounds(brief), *still])


def section_in(view: ResearcherView) -> Section:
    """Return what a researcher looks for: its section of the plan, else what its topic asks for."""
    return section_of(view.topic, view.brief, view.section)


def section_of(topic: str, brief: Brief, section: Section | None = None) -> Section:
    """Return what a topic asks for, point by point; a section that wants nothing in particular asks for its subject."""
    if section is not None and section.wanted:
        return section
    if section is None and topic.strip() == brief.question.strip():
        return plan_for(brief).sections[0]
    said = (section.focus or section.title) if section is not None else _first_sentence(topic)
    title = section.title if section is not None else title_of(topic)
    return _section(title, said, question_parts(said).attributes, brief)


def names_in_topic(topic: str, question: str) -> tuple[Name, ...]:
    """Return the names of the question that a topic is about: those that it says, or all if it says none."""
    names, low = compared_in(question), folded(topic)
    return tuple(name for name in names if name.stands_in(low)) or names


def title_of(topic: str) -> str:
    """Return a heading for a topic: its first sentence, cut at a word if it is long."""
    first = _first_sentence(topic).rstrip(".。:： ")
    if len(first) <= _TITLE_LENGTH:
        return first
    cut = first[: _TITLE_LENGTH - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > _TITLE_LENGTH // 2 else cut).rstrip(" ,、;；:：") + "…"


def _first_sentence(topic: str) -> str:
    span = next(iter(sentences(topic)), None)
    return " ".join(topic[span.start : span.end].split()) if span else ""
