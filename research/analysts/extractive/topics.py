"""From a section to the words in which it is handed out, and back: a section of the plan, a researcher's topic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from research import outline
from research.analysts.extractive.lenses import LENSES
from research.analysts.extractive.plan import (
    DIRECT_FOCUS,
    DIRECT_TITLE,
    asked_aspect,
    aspects_asked,
    nearness,
    plan_for,
    plan_of,
)
from research.analysts.extractive.section import Aspect, Section
from research.analysts.protocol import ResearcherView, TopicResult
from research.brief import Brief
from research.language import Bilingual, Language
from research.outline import topic_of
from research.text.concepts import asked_concepts
from research.text.names import Name, compared_in
from research.text.sentences import sentences
from research.text.words import content_words, folded, tokens
from research.vocabulary import Scope

_TITLE_LENGTH = 60
_WORDS = 6
"""Words that are taken from a topic which this analyst did not write."""
_TERM = 2
"""Words up to which what somebody wants found is one thing; of more, each is."""
_AND = Bilingual(" and ", "と")
_COMMA = Bilingual(", ", "、")
_STILL = Bilingual("Still missing: ", "まだ足りない点：")
_STILL_MISSING = re.compile(rf"(?:{_STILL.en}|{_STILL.ja})(.+?)(?:\. |\.$|。)")


# --- a section of the plan -------------------------------------------------------------------------------------


def planned(section: Section, brief: Brief) -> outline.Section:
    """Return a section as the plan holds it: in the brief's language, with a key question for each aspect."""
    language = brief.language
    labels = [aspect.label.in_(language) for aspect in section.aspects]
    return outline.Section(
        title=section.title.in_(language),
        focus=section.focus.in_(language),
        questions=tuple(_question(label, compared_in(brief.question), language) for label in labels),
        needs=tuple(labels),
    )


def _question(label: str, names: Sequence[Name], language: Language) -> str:
    who = _AND.in_(language).join(name.ja if language is Language.JA else name.en for name in names)
    return Bilingual(
        f"What is said of {label}" + (f" in {who}?" if who else "?"),
        (f"{who}の" if who else "") + f"{label}はどうなっているか。",
    ).in_(language)


def section_for(section: outline.Section, question: str) -> Section:
    """Return a section of the plan, whoever wrote it, as what this analyst looks for.

    What it wants found is looked up among the aspects of all lenses, those of the section with its title first. What
    no lens knows is looked for by its own words.
    """
    known = _titled(section, question)
    by_label = _aspects_by_label([*([known] if known else []), *chain.from_iterable(LENSES.values())])
    wanted = section.wanted or (section.focus or section.title,)
    aspects = chain.from_iterable([by_label[line]] if line in by_label else _in_words(line) for line in wanted)
    focus = section.focus or section.title
    return Section(
        known.title if known else Bilingual(section.title, section.title),
        known.focus if known else Bilingual(focus, focus),
        tuple(dict.fromkeys(aspects)),
    )


def _titled(section: outline.Section, question: str) -> Section | None:
    """Return the section of a lens with this title; of several, the one with this focus, or most of what is wanted."""
    if section.title in DIRECT_TITLE:
        words = dict.fromkeys(asked.label for asked in asked_concepts(question))
        return Section(DIRECT_TITLE, DIRECT_FOCUS, tuple(map(asked_aspect, words)))
    titled = (known for known in chain.from_iterable(LENSES.values()) if section.title in known.title)
    wanted = set(section.wanted)
    return max(
        titled,
        key=lambda known: (section.focus in known.focus, len(wanted.intersection(_aspects_by_label([known])))),
        default=None,
    )


def _aspects_by_label(sections: Iterable[Section]) -> dict[str, Aspect]:
    """Return the aspects of `sections` by their labels in both languages; the first with a label has it."""
    known: dict[str, Aspect] = {}
    for aspect in chain.from_iterable(section.aspects for section in sections):
        for label in aspect.label:
            known.setdefault(label, aspect)
    return known


def _in_words(line: str) -> Iterator[Aspect]:
    """Yield what a line wants found: one thing if it is a term, else each of its words."""
    words = [word for word in content_words(line) if not word[0].isdigit()]
    yield from map(asked_aspect, [line] if len(words) <= _TERM else words[:_WORDS])


# --- a topic ---------------------------------------------------------------------------------------------------


def topic_for(section: Section, brief: Brief, missing: Sequence[str] = ()) -> str:
    """Return a self-contained paragraph that hands `section` to a researcher.

    With `missing` (labels of aspects) it asks for those alone.
    """
    still = [_STILL.in_(brief.language) + _COMMA.in_(brief.language).join(missing)] if missing else []
    return topic_of(planned(section, brief), brief.question, brief.language, [*_limits(brief), *still])


def _limits(brief: Brief) -> Iterator[str]:
    language = brief.language
    if brief.region is not None:
        yield Bilingual("Region: ", "地域：").in_(language) + brief.region.words.in_(language)
    if brief.period is not None:
        yield Bilingual("Period: ", "期間：").in_(language) + brief.period.words.in_(language)
    if brief.exclusions:
        yield Bilingual("Leave out: ", "除外：").in_(language) + _COMMA.in_(language).join(brief.exclusions)


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
    known = {token for aspect in asked for phrase in (*aspect.phrases, *aspect.label) for token in tokens(phrase)}
    words = (
        one.label for one in asked_concepts(first) if " " not in one.label and not known.issuperset(one.phrases[0])
    )
    title = title_of(topic)
    others = map(asked_aspect, islice(words, max(0, _WORDS - len(asked))))
    return Section(Bilingual(title, title), DIRECT_FOCUS, tuple(dict.fromkeys((*asked, *others))))


def question_section(question: str, scope: Scope | None) -> Section:
    """Return a whole question as one section.

    It wants what the question names of its lens, and all of a section that it names by its title; if it names nothing
    of the lens, the first of each section.
    """
    asked = [(section, aspects_asked(section, question)) for section in plan_of(question, scope).sections]
    names_none = all(section.title == DIRECT_TITLE or not aspects for section, aspects in asked)
    wanted: list[Aspect] = []
    for section, aspects in asked:
        is_titled = nearness(section, question) > len(aspects)
        wanted += section.aspects if is_titled else aspects or section.aspects[: int(names_none)]
    title = title_of(question)
    return Section(Bilingual(title, title), DIRECT_FOCUS, tuple(dict.fromkeys(wanted)))


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
        return plan_for(brief).sections
    return (section_of(result.topic, brief.question, brief.scope, whole=True),)


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
