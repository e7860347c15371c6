"""From a section to the words in which it is handed out, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from research import outline
from research.analysts.extractive.plan import (
    DIRECT_FOCUS,
    asked_aspect,
    aspects_asked,
    plan_of,
)
from research.analysts.extractive.planned_sections import WORDS, planned, section_for
from research.analysts.extractive.section import Aspect, Section
from research.analysts.protocol import ResearcherView, TopicResult
from research.brief import Brief
from research.brief_text import bounds
from research.language import Bilingual
from research.outline import topic_of
from research.text.concepts import asked_concepts
from research.text.names import Name, compared_in
from research.text.sentences import sentences
from research.text.words import content_words, folded, tokens
from research.vocabulary import Scope

_TITLE_LENGTH = 60
_COMMA = Bilingual(", ", "、")
_STILL = Bilingual("Still missing: ", "まだ足りない点：")
_STILL_MISSING = re.compile(rf"(?:{_STILL.en}|{_STILL.ja})(.+?)(?:\. |\.$|。)")


def topic_for(section: Section, brief: Brief, missing: Sequence[str] = ()) -> str:
    """Return a self-contained paragraph that hands `section` to a researcher.

    With `missing` (labels of aspects) it asks for those alone.
    """
    still = [_STILL.in_(brief.language) + _COMMA.in_(brief.language).join(missing)] if missing else []
    return topic_of(planned(section, brief), brief.question, brief.language, [*bounds(brief), *still])


def section_of(topic: str, question: str, scope: Scope | None = None, *, whole: bool = False) -> Section:
    """Return the section that `topic` asks for; not `whole`, with only the aspects still missing if it names them.

    The question itself asks for what it names of its lens, which is that of `scope` or the one that its words suggest.
    A topic in other words than this program's, such as a query, becomes a section of its own.
    """
    if topic.strip() == question.strip():
        return question_section(question, scope)
    written = _written(topic, question)
    if written is None:
        return _section_in_words(topic, question, scope)
    section = section_for(written, question)
    still = _STILL_MISSING.search(topic)
    return _restricted(section, still[1]) if still and not whole else section


def _section_in_words(topic: str, question: str, scope: Scope | None) -> Section:
    """Return a section for what the first sentence of a topic names of the question's lens, and its other words."""
    first = _first_sentence(topic)
    asked = [aspect for section in plan_of(question, scope).sections for aspect in aspects_asked(section, first)]
    known = _tokens_of(asked)
    words = (
        one.label for one in asked_concepts(first) if " " not in one.label and not known.issuperset(one.phrases[0])
    )
    title = title_of(topic)
    others = map(asked_aspect, islice(words, max(0, WORDS - len(asked))))
    return Section(Bilingual(title, title), DIRECT_FOCUS, tuple(dict.fromkeys((*asked, *others))))


def question_section(question: str, scope: Scope | None) -> Section:
    """Return a whole question as one section: all that its parts want."""
    wanted = dict.fromkeys(aspect for part in question_parts(question, scope) for aspect in part.aspects)
    title = title_of(question)
    return Section(Bilingual(title, title), DIRECT_FOCUS, tuple(wanted))


def question_parts(question: str, scope: Scope | None) -> tuple[Section, ...]:
    """Return the sections of a question's lens, each with what the question wants of it.

    That is what it names; all, if it names the section by its title; the first, if it does not name anything.
    """
    sections = plan_of(question, scope).sections
    return tuple(replace(one, aspects=wanted_of(one, question) or one.aspects[:1]) for one in sections)


def wanted_of(section: Section, question: str) -> tuple[Aspect, ...]:
    """Return the aspects of `section` that the question names; all, if it names the section by its title."""
    asked = aspects_asked(section, question)
    return section.aspects if _is_titled(section, asked, question) else asked


def _is_titled(section: Section, asked: Sequence[Aspect], question: str) -> bool:
    """Whether a question names a section by a word of its title that says more than the aspects that it asks for."""
    known, said = _tokens_of(asked), set(tokens(question))
    words = [tokens(word) for title in section.title for word in content_words(title)]
    return any(said.issuperset(word) and not known.issuperset(word) for word in words)


def _tokens_of(aspects: Iterable[Aspect]) -> set[str]:
    return {token for one in aspects for phrase in (*one.phrases, *one.label) for token in tokens(phrase)}


def section_in(view: ResearcherView) -> Section:
    """Return what a researcher looks for: its section of the plan, else what its topic asks for."""
    if view.section is not None:
        return section_for(view.section, view.brief.question)
    return section_of(view.topic, view.brief.question, view.brief.scope)


def sections_of(result: TopicResult, brief: Brief) -> tuple[Section, ...]:
    """Return the sections of the report to which a researcher's evidence belongs."""
    if result.section is not None:
        return (section_for(result.section, brief.question),)
    if result.topic == brief.question:
        return question_parts(brief.question, brief.scope)
    return (section_of(result.topic, brief.question, brief.scope, whole=True),)


def is_by_rule(topic: str, question: str) -> bool:
    """Whether `topic` is the question itself or was handed out by this analyst; others somebody thought of."""
    return topic.strip() == question.strip() or _written(topic, question) is not None


def names_in_topic(topic: str, question: str) -> tuple[Name, ...]:
    """Return the names of the question that a topic is about: those that it says, or all if it says none."""
    names, low = compared_in(question), folded(topic)
    return tuple(name for name in names if name.stands_in(low)) or names


def is_second_try(topic: str) -> bool:
    """Whether `topic` asks only for what an earlier one did not find."""
    return _STILL_MISSING.search(topic) is not None


def _written(topic: str, question: str) -> outline.Section | None:
    """Read back what `research.outline.topic_of` wrote, or return None if it did not write `topic`."""
    asked = " ".join(question.split())
    for opening, colon, comma, stop in (
        (f". For the question “{asked}”, find ", ": ", ", ", "."),
        (f"。問い「{asked}」のために、", "を調べる：", "、", "。"),
    ):
        title, found, rest = topic.partition(opening)
        if found:
            focus, _, wanted = rest.partition(colon)
            labels = wanted.removesuffix(stop).partition(stop.ljust(2) if stop == "." else stop)[0]
            return outline.Section(title=title, focus=focus, needs=tuple(labels.split(comma)))
    return None


def _restricted(section: Section, labels: str) -> Section:
    """Keep the aspects whose label stands in `labels`; all of them if none does."""
    kept = tuple(aspect for aspect in section.aspects if any(label in labels for label in aspect.label))
    return replace(section, aspects=kept or section.aspects)


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
