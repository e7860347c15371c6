"""From a brief to the sections of its report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from research.analysts.extractive.asked import terms, things_asked
from research.analysts.extractive.lenses import LENSES
from research.analysts.extractive.section import Aspect, Section
from research.analysts.extractive.superlative import asked_of_all_countries
from research.brief import Brief
from research.language import Bilingual, Language
from research.text.concepts import Concept, concept
from research.text.language_of import language_of
from research.text.lexicon import expand
from research.text.names import compared_in, places_in
from research.text.words import content_words, tokens
from research.vocabulary import Scope

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
DIRECT_FOCUS = Bilingual("what the sources say on the question itself", "情報源が問いそのものについて述べていること")
_MEASURES = frozenset({"rate", "total", "real", "annual", "number", "amount"})
_FEWEST = 3
"""Sections of an outline, at least."""
_CONTEXT = 2
"""Aspects of a section that nobody asked for."""


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

    def around(self, at_most: int) -> tuple[Section, ...]:
        """Return what an outline has besides, where less is asked for than the three sections of the shortest one.

        It is context: of each section only what comes first.
        """
        spare = (section for section in LENSES[self.scope] if section not in self.sections)
        short = min(_FEWEST, at_most) - len(self.sections)
        return tuple(replace(one, aspects=one.aspects[:_CONTEXT]) for one in islice(spare, max(0, short)))

    def basis(self, brief: Brief) -> Bilingual:
        """Say how the plan was made: by rule, through which lens and why, for which names."""
        why = (
            Bilingual("chosen in the brief", "ブリーフで指定")
            if self.is_chosen
            else Bilingual("told from the words of the question", "問いの言葉から判断")
        )
        named = compared_in(brief.question)
        en, ja = ", ".join(name.en for name in named), "、".join(name.ja for name in named)
        return Bilingual(
            f"Plan by rule, without a model. Lens: {self.scope.label.en} ({why.en})."
            + (f" Searched for separately: {en}." if named else ""),
            f"規則による計画（モデルは使いません）。観点：{self.scope.label.ja}（{why.ja}）。"
            + (f"個別に検索する対象：{ja}。" if named else ""),
        )


def plan_for(brief: Brief) -> Plan:
    """Return the sections for a brief."""
    return plan_of(brief.question, brief.scope)


@lru_cache(maxsize=64)
def plan_of(question: str, chosen: Scope | None) -> Plan:
    """Return the sections for a question.

    The lens is the one chosen, else what the question's words suggest. Where only the name of a country suggests it,
    the report keeps to the sections that are asked for. What no section asks in its own words gets one to itself.
    """
    scope = chosen or _suggested(question)
    sections = LENSES[scope]
    if chosen is None and scope is Scope.COUNTRY:
        asked = tuple(section for section in sections if nearness(section, question))
        sections = asked or sections
        if not asked and asked_of_all_countries(question):
            sections = ()
    direct = _direct(question, sections)
    return Plan(scope, chosen is not None, (direct, *sections) if direct else sections)


def asks_in_words(question: str, scope: Scope | None) -> bool:
    """Whether a question asks for anything in words that its lens does not know."""
    return plan_of(question, scope).sections[0].title == DIRECT_TITLE


def calls_for_a_lens(question: str, scope: Scope | None) -> bool:
    """Whether a lens was chosen, or the question calls for one by its words: all that it looks for is then wanted."""
    return scope is not None or _told(question) is not None


def _suggested(question: str) -> Scope:
    is_on_countries = bool(places_in(question)) or asked_of_all_countries(question) is not None
    return _told(question) or (Scope.COUNTRY if is_on_countries else Scope.OVERVIEW)


def _told(question: str) -> Scope | None:
    return next((scope for scope, pattern in _PATTERNS.items() if pattern.search(question)), None)


def _direct(question: str, sections: Sequence[Section]) -> Section | None:
    """Return a section for what is asked in words that no section knows, or None."""
    known = {token for section in sections for token in _tokens(section)}
    unknown = [one for one in things_asked(question) if not (one.is_period or known.issuperset(one.phrases[0]))]
    words = terms(unknown)
    return Section(DIRECT_TITLE, DIRECT_FOCUS, tuple(map(question_aspect, words))) if words else None


def asked_aspect(word: str) -> Aspect:
    """Return a word of a question as something to look for, with its translations."""
    translated = expand(word).removeprefix(word).strip()
    own, other = (word,), (translated,) if translated else ()
    return Aspect(Bilingual(word, word), (other, own) if language_of(word) is Language.JA else (own, other))


def question_aspect(term: str) -> Aspect:
    """Return a term of a question as something to look for; of two English words the first tells most by itself."""
    aspect = asked_aspect(term)
    if " " not in term:
        return aspect
    return replace(aspect, words=((*aspect.words[0], term.partition(" ")[0]), aspect.words[1]))


def _tokens(section: Section) -> set[str]:
    phrases = [phrase for aspect in section.aspects for phrase in (*aspect.phrases, *aspect.label)]
    return {token for phrase in (*phrases, *section.title) for token in tokens(phrase)}


def aspects_asked(section: Section, question: str) -> tuple[Aspect, ...]:
    """Return the aspects of `section` that the question names, by their labels or search words."""
    asked = set(tokens(question))
    return tuple(
        aspect
        for aspect in section.aspects
        if any(parts and asked.issuperset(parts) for parts in map(telling, (*aspect.phrases, *aspect.label)))
    )


def telling(phrase: str) -> set[str]:
    """Return the words of a phrase without those that only say that it is a measure: the unemployment rate."""
    parts = set(tokens(phrase))
    return parts - _MEASURES or parts


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
