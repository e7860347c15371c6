"""From a brief to the sections of its report, and from a section to a researcher's topic and back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from research.analysts.extractive.lenses import LENSES
from research.analysts.extractive.section import Aspect, Section
from research.brief import Brief
from research.language import Bilingual, Language
from research.text.concepts import Concept, asked_concepts, concept
from research.text.language_of import language_of
from research.text.lexicon import expand
from research.text.names import places_in
from research.text.sentences import sentences
from research.text.words import content_words, tokens
from research.vocabulary import Region, Scope

_HINTS = {
    Scope.COMPETITORS: r"\bcompetitors?\b|\brivals?\b|競合|ライバル|他社",
    Scope.POLICY: r"\bregulat\w+|\bpolic(?:y|ies)\b|\blaws?\b|規制|政策|法律|法令|制度|改正",
    Scope.TECHNOLOGY: r"\btechnolog\w+|\bhow does .+ work|技術|仕組み|方式",
    Scope.LITERATURE: r"\bliterature\b|\bpapers\b|\bstudies\b|論文|文献|先行研究",
    Scope.RISK: r"\brisks?\b|\bhazards?\b|\bthreats?\b|リスク|危険|脅威|災害",
    Scope.MARKET: r"\bmarkets?\b|\bdemand\b|\bcustomers?\b|市場|需要|販路|進出|商圏",
    Scope.COMPANY: r"\bcompany\b|\b(?:inc|corp|ltd)\b|株式会社|当社|社の|企業",
}
_PATTERNS = {scope: re.compile(hints, re.IGNORECASE) for scope, hints in _HINTS.items()}

DIRECT_TITLE = Bilingual("Directly on the question", "問いに直接関わる内容")
"""Title of the section for what is asked in words that the lens does not know."""
_DIRECT_FOCUS = Bilingual("what the sources say on the question itself", "情報源が問いそのものについて述べていること")
_TITLE_LENGTH = 60
_WORDS = 6
"""Words that are taken from a topic which this analyst did not write."""


@dataclass(frozen=True)
class Plan:
    """The sections of a report, and how they were found."""

    scope: Scope
    is_chosen: bool
    """The brief names the scope; otherwise it was told from the words of the question."""
    sections: tuple[Section, ...]

    def most_asked(self, count: int, question: str) -> tuple[Section, ...]:
        """Return the `count` sections nearest to the question, in their own order."""
        by_nearness = sorted(self.sections, key=lambda section: -nearness(section, question))
        kept = {id(section) for section in by_nearness[:count]}
        return tuple(section for section in self.sections if id(section) in kept)


def plan_for(brief: Brief) -> Plan:
    """Return the sections for a brief.

    The lens is the brief's, else what the question's words suggest. Where only the name of a country suggests it, the
    report keeps to the sections that are asked for. What no section asks in its own words gets one to itself.
    """
    scope = brief.scope or _suggested(brief.question)
    sections = LENSES[scope]
    if brief.scope is None and scope is Scope.COUNTRY:
        asked = tuple(section for section in sections if nearness(section, brief.question))
        sections = asked or sections
    direct = _direct(brief.question, sections)
    return Plan(scope, brief.scope is not None, (direct, *sections) if direct else sections)


def _suggested(question: str) -> Scope:
    found = (scope for scope, pattern in _PATTERNS.items() if pattern.search(question))
    return next(found, Scope.COUNTRY if places_in(question) else Scope.OVERVIEW)


def _direct(question: str, sections: Sequence[Section]) -> Section | None:
    """Return a section for what is asked in words that no section knows, or None."""
    known = {token for section in sections for token in _tokens(section)}
    unknown = [asked for asked in asked_concepts(question) if not known.issuperset(asked.phrases[0])]
    words = [asked.label for asked in unknown if " " not in asked.label]
    return Section(DIRECT_TITLE, _DIRECT_FOCUS, tuple(map(asked_aspect, words))) if words else None


def asked_aspect(word: str) -> Aspect:
    """Return a word of a question as something to look for, with its translations."""
    translated = expand(word).removeprefix(word).strip()
    own, other = (word,), (translated,) if translated else ()
    return Aspect(Bilingual(word, word), (other, own) if language_of(word) is Language.JA else (own, other))


def _tokens(section: Section) -> set[str]:
    phrases = [phrase for aspect in section.aspects for phrase in (*aspect.phrases, *aspect.label)]
    return {token for phrase in (*phrases, *section.title) for token in tokens(phrase)}


def aspects_asked(section: Section, question: str) -> tuple[Aspect, ...]:
    """Return the aspects of `section` that the question names, by their labels or search words."""
    asked = set(tokens(question))
    return tuple(
        aspect
        for aspect in section.aspects
        if any(parts and asked.issuperset(parts) for parts in map(tokens, (*aspect.phrases, *aspect.label)))
    )


def nearness(section: Section, question: str) -> int:
    """Return how many aspects of `section` the question names, and words of its title."""
    asked = set(tokens(question))
    title = {tuple(tokens(word)) for words in section.title for word in content_words(words)}
    return len(aspects_asked(section, question)) + sum(asked.issuperset(word) for word in title)


def concepts_of(section: Section, question: str, language: Language) -> tuple[Concept, ...]:
    """Return the section's aspects as concepts to rank by; those that the question names count double."""
    asked = aspects_asked(section, question)
    return tuple(
        concept(aspect.label.in_(language), aspect.phrases, 2.0 if aspect in asked else 1.0)
        for aspect in section.aspects
    )


# --- topics ----------------------------------------------------------------------------------------------------

_STILL = Bilingual("Still missing: ", "まだ足りない点：")
_STILL_MISSING = re.compile(rf"(?:{_STILL.en}|{_STILL.ja})(.+?)(?:\. |\.$|。)")
_STOP = Bilingual(". ", "。")
_COMMA = Bilingual(", ", "、")


def topic_for(section: Section, brief: Brief, missing: Sequence[str] = ()) -> str:
    """Return a self-contained paragraph that hands `section` to a researcher.

    With `missing` (labels of aspects) it asks for those alone.
    """
    language = brief.language
    labels = _COMMA.in_(language).join(aspect.label.in_(language) for aspect in section.aspects)
    wanted = Bilingual(
        f"For the question “{brief.question}”, find {section.focus.en}: {labels}",
        f"問い「{brief.question}」のために、{section.focus.ja}を調べる：{labels}",
    ).in_(language)
    parts = [section.title.in_(language), " ".join(wanted.split()), *_limits(brief)]
    if missing:
        parts.append(_STILL.in_(language) + _COMMA.in_(language).join(missing))
    return "".join(part + _STOP.in_(language) for part in parts).strip()


def _limits(brief: Brief) -> list[str]:
    parts = []
    if brief.region is not None:
        parts.append(Bilingual("Region: ", "地域：").in_(brief.language) + brief.region.words.in_(brief.language))
    if brief.period is not None:
        parts.append(Bilingual("Period: ", "期間：").in_(brief.language) + brief.period.words.in_(brief.language))
    if brief.exclusions:
        words = _COMMA.in_(brief.language).join(brief.exclusions)
        parts.append(Bilingual("Leave out: ", "除外：").in_(brief.language) + words)
    return parts


def section_of(topic: str, question: str, *, whole: bool = False) -> Section:
    """Return the section that `topic` asks for; not `whole`, with only the aspects still missing if it names them.

    A topic that this analyst did not write becomes a section of its own.
    """
    section = _known_section(topic, question)
    if section is None:
        aspects = tuple(asked_aspect(asked.label) for asked in asked_concepts(_first_sentence(topic))[:_WORDS])
        return Section(Bilingual(title_of(topic), title_of(topic)), _DIRECT_FOCUS, aspects)
    still = _STILL_MISSING.search(topic)
    return _restricted(section, still[1]) if still and not whole else section


def is_second_try(topic: str) -> bool:
    """Whether `topic` asks only for what an earlier one did not find."""
    return _STILL_MISSING.search(topic) is not None


def _known_section(topic: str, question: str) -> Section | None:
    every = (section for sections in LENSES.values() for section in sections)
    known = next((section for section in every if _is_headed(topic, section.title) and _in(topic, section.focus)), None)
    if known is not None or not _is_headed(topic, DIRECT_TITLE):
        return known
    labels = "".join(topic.partition(focus)[2] for focus in _DIRECT_FOCUS)
    aspects = tuple(asked_aspect(asked.label) for asked in asked_concepts(question))
    return _restricted(Section(DIRECT_TITLE, _DIRECT_FOCUS, aspects), labels)


def _restricted(section: Section, labels: str) -> Section:
    """Keep the aspects whose label stands in `labels`; all of them if none does."""
    kept = tuple(aspect for aspect in section.aspects if any(label in labels for label in aspect.label))
    return replace(section, aspects=kept or section.aspects)


def _is_headed(topic: str, title: Bilingual) -> bool:
    return topic.startswith((title.en + _STOP.en, title.ja + _STOP.ja))


def _in(topic: str, words: Bilingual) -> bool:
    return any(word in topic for word in words)


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


def region_words(brief: Brief, language: Language) -> str:
    """Return the region to put in a query, or an empty string if the question names places or no region is set."""
    if brief.region is None or brief.region is Region.WORLD or places_in(brief.question):
        return ""
    return brief.region.label.in_(language)
