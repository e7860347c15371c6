"""A plan made by rule: topics, sections, depth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice

from research.analysts.extractive.asked import asked_of_all_countries, terms, things_asked
from research.analysts.extractive.lenses import LENSES, LensAspect, LensSection
from research.analysts.protocol import PlanRequest, ResearcherView, TopicResult
from research.core import Brief, Depth, Outline, Scope, Section, bounds, topic_of
from research.language import Bilingual, Language, Phrase
from research.text import (
    Concept,
    Name,
    asked_concepts,
    compared_in,
    concept,
    content_words,
    expand,
    folded,
    language_of,
    places_in,
    sentences,
    spelt,
    tokens,
)

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

DIRECT_TITLE = Phrase("Directly on the question")
"""Title of the section for what is asked in words that the lens does not know."""
DIRECT_FOCUS = Phrase("what the sources say on the question itself")
_MEASURES = frozenset({"rate", "total", "real", "annual", "number", "amount"})
_FEWEST = 3
"""Sections of an outline, at least."""
_CONTEXT = 2
"""Aspects of a section that nobody asked for."""


@dataclass(frozen=True)
class RulePlan:
    """The sections of a report, and how they were found."""

    scope: Scope
    is_chosen: bool
    """The brief names the scope; otherwise it was told from the words of the question."""
    sections: tuple[LensSection, ...]

    def most_asked(self, count: int, question: str) -> tuple[LensSection, ...]:
        """Return the `count` sections nearest to the question, in their own order."""
        by_nearness = sorted(self.sections, key=lambda section: -nearness(section, question))
        kept = {id(section) for section in by_nearness[:count]}
        return tuple(section for section in self.sections if id(section) in kept)

    def around(self, at_most: int) -> tuple[LensSection, ...]:
        """Return what an outline has besides, where less is asked for than the three sections of the shortest one.

        It is context: of each section only what comes first.
        """
        spare = (section for section in LENSES[self.scope] if section not in self.sections)
        short = min(_FEWEST, at_most) - len(self.sections)
        return tuple(replace(one, aspects=one.aspects[:_CONTEXT]) for one in islice(spare, max(0, short)))

    def basis(self, brief: Brief) -> Bilingual:
        """Say how the plan was made: by rule, through which lens and why, for which names."""
        why = Phrase("chosen in the brief") if self.is_chosen else Phrase("told from the words of the question")
        named = compared_in(brief.question)
        en, ja = ", ".join(name.en for name in named), "、".join(name.ja for name in named)
        return Bilingual(
            f"Plan by rule, without a model. Lens: {self.scope.label.en} ({why.en})."
            + (f" Searched for separately: {en}." if named else ""),
            f"規則による計画（モデルは使いません）。観点：{self.scope.label.ja}（{why.ja}）。"
            + (f"個別に検索する対象：{ja}。" if named else ""),
        )


def plan_for(brief: Brief) -> RulePlan:
    """Return the sections for a brief."""
    return plan_of(brief.question, brief.scope)


@lru_cache(maxsize=64)
def plan_of(question: str, chosen: Scope | None) -> RulePlan:
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
    return RulePlan(scope, chosen is not None, (direct, *sections) if direct else sections)


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


def _direct(question: str, sections: Sequence[LensSection]) -> LensSection | None:
    """Return a section for what is asked in words that no section knows, or None."""
    known = {token for section in sections for token in _tokens(section)}
    unknown = [one for one in things_asked(question) if not (one.is_period or known.issuperset(one.phrases[0]))]
    words = terms(unknown)
    return LensSection(DIRECT_TITLE, DIRECT_FOCUS, tuple(map(question_aspect, words))) if words else None


def asked_aspect(word: str) -> LensAspect:
    """Return a word of a question as something to look for, with its translations."""
    translated = expand(word).removeprefix(word).strip()
    own, other = (word,), (translated,) if translated else ()
    return LensAspect(Bilingual(word, word), (other, own) if language_of(word) is Language.JA else (own, other))


def question_aspect(term: str) -> LensAspect:
    """Return a term of a question as something to look for; of two English words the first tells most by itself."""
    aspect = asked_aspect(term)
    if " " not in term:
        return aspect
    return replace(aspect, words=((*aspect.words[0], term.partition(" ")[0]), aspect.words[1]))


def _tokens(section: LensSection) -> set[str]:
    phrases = [phrase for aspect in section.aspects for phrase in (*aspect.phrases, *aspect.label)]
    return {token for phrase in (*phrases, *section.title) for token in tokens(phrase)}


def aspects_asked(section: LensSection, question: str) -> tuple[LensAspect, ...]:
    """Return the aspects of `section` that the question names, by their labels or search words."""
    asked = set(tokens(question))
    return tuple(
        aspect
        for aspect in section.aspects
        if any(parts and asked.issuperset(parts) for parts in map(telling_words, (*aspect.phrases, *aspect.label)))
    )


def telling_words(phrase: str) -> set[str]:
    """Return the words of a phrase without those that only say that it is a measure: the unemployment rate."""
    parts = set(tokens(phrase))
    return parts - _MEASURES or parts


def nearness(section: LensSection, question: str) -> int:
    """Return how many aspects of `section` the question names, and words of its title."""
    asked = set(tokens(question))
    title = {tuple(tokens(word)) for words in section.title for word in content_words(words)}
    return len(aspects_asked(section, question)) + sum(asked.issuperset(word) for word in title)


def concepts_of(section: LensSection, question: str, language: Language) -> tuple[Concept, ...]:
    """Return the section's aspects as concepts to rank by; those that the question names count double."""
    asked = aspects_asked(section, question)
    return tuple(
        concept(aspect.label.in_(language), aspect.phrases, 2.0 if aspect in asked else 1.0)
        for aspect in section.aspects
    )


WORDS = 6
"""Words that are taken from a text which this analyst did not write."""
_TERM = 2
"""Words up to which what somebody wants found is one thing; of more, each is."""
_AND = Phrase(" and ")


def planned(section: LensSection, brief: Brief) -> Section:
    """Return a section as the plan holds it: in the brief's language, with a key question for each aspect."""
    language = brief.language
    labels = [aspect.label.in_(language) for aspect in section.aspects]
    return Section(
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


def section_for(section: Section, question: str) -> LensSection:
    """Return a section of the plan, whoever wrote it, as what this analyst looks for.

    What it wants found is looked up among the aspects of all lenses, those of the section with its title first. What
    no lens knows is looked for by its own words.
    """
    known = _titled(section, question)
    by_label = _aspects_by_label([*([known] if known else []), *chain.from_iterable(LENSES.values())])
    wanted = section.wanted or (section.focus or section.title,)
    aspects = chain.from_iterable([by_label[line]] if line in by_label else _in_words(line) for line in wanted)
    focus = section.focus or section.title
    return LensSection(
        known.title if known else Bilingual(section.title, section.title),
        known.focus if known else Bilingual(focus, focus),
        tuple(dict.fromkeys(aspects)),
    )


def _titled(section: Section, question: str) -> LensSection | None:
    """Return the section of a lens with this title; of several, the one with this focus, or most of what is wanted."""
    if section.title in DIRECT_TITLE:
        words = dict.fromkeys(one.label for one in things_asked(question))
        return LensSection(DIRECT_TITLE, DIRECT_FOCUS, tuple(map(question_aspect, words)))
    titled = (known for known in chain.from_iterable(LENSES.values()) if section.title in known.title)
    wanted = set(section.wanted)
    return max(
        titled,
        key=lambda known: (section.focus in known.focus, len(wanted.intersection(_aspects_by_label([known])))),
        default=None,
    )


def _aspects_by_label(sections: Iterable[LensSection]) -> dict[str, LensAspect]:
    """Return the aspects of `sections` by their labels in both languages; the first with a label has it."""
    known: dict[str, LensAspect] = {}
    for aspect in chain.from_iterable(section.aspects for section in sections):
        for label in aspect.label:
            known.setdefault(label, aspect)
    return known


def _in_words(line: str) -> Iterator[LensAspect]:
    """Yield what a line wants found: one thing if it is a term, else each of its words."""
    words = [spelt(word, folded(line)) for word in content_words(line) if not word[0].isdigit()]
    yield from map(asked_aspect, [line] if len(words) <= _TERM else words[:WORDS])


_MANY = 4
"""Things asked for, from which a question is wide."""
_RECENT_DAYS = 366
"""A period up to this asks for recent information, which takes one search more."""
_ITERATIONS = 2
"""A broad search and a narrow one."""
_COMMA = Bilingual(", ", "、")
_SPACE = Bilingual(" ", "")


def depth_by_rule(request: PlanRequest) -> Depth:
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
    yield Phrase("The preset allows at most {queries} queries a search and {most} searches a section.").filled(
        queries=queries, most=most
    )


def outline_by_rule(request: PlanRequest) -> Outline:
    """Plan the sections of the brief's lens, the most asked of too many; beside few ones, some context."""
    brief, language, most = request.brief, request.brief.language, request.limits.methods.sections
    plan = plan_for(brief)
    asked, around = plan.most_asked(most, brief.question), plan.around(most)
    left_out = [section for section in plan.sections if section not in asked]
    remarks = [
        plan.basis(brief),
        *_naming(left_out, Phrase(" Left out to keep the plan short: {}.")),
        *_naming(around, Phrase(" Added as context: {}.")),
    ]
    return Outline(
        purpose=_purpose(brief).in_(language),
        sections=tuple(planned(section, brief) for section in (*asked, *around)),
        introduction=_INTRODUCTION.in_(language),
        conclusion=_CONCLUSION.in_(language),
        remark="".join(remark.in_(language) for remark in remarks),
    )


def _naming(sections: Sequence[LensSection], words: Bilingual) -> Iterator[Bilingual]:
    """Yield `words` with the titles of `sections`, if there are any."""
    titles = [section.title for section in sections]
    if titles:
        yield Bilingual(
            words.en.format(_COMMA.en.join(title.en for title in titles)),
            words.ja.format(_COMMA.ja.join(title.ja for title in titles)),
        )


_INTRODUCTION = Phrase("What was found in how many sources, and the quotes nearest to the question.")
_CONCLUSION = Phrase(
    "The figures side by side, what was found for each section, and what is missing; no conclusion of its own."
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


_TITLE_LENGTH = 60
_STILL = Phrase("Still missing: ")
_STILL_MISSING = re.compile(rf"(?:{_STILL.en}|{_STILL.ja})(.+?)(?:\. |\.$|。)")


def topic_for(section: LensSection, brief: Brief, missing: Sequence[str] = ()) -> str:
    """Return a self-contained paragraph that hands `section` to a researcher.

    With `missing` (labels of aspects) it asks for those alone.
    """
    still = [_STILL.in_(brief.language) + _COMMA.in_(brief.language).join(missing)] if missing else []
    return topic_of(planned(section, brief), brief.question, brief.language, [*bounds(brief), *still])


def section_of(topic: str, question: str, scope: Scope | None = None, *, whole: bool = False) -> LensSection:
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


def _section_in_words(topic: str, question: str, scope: Scope | None) -> LensSection:
    """Return a section for what the first sentence of a topic names of the question's lens, and its other words."""
    first = _first_sentence(topic)
    asked = [aspect for section in plan_of(question, scope).sections for aspect in aspects_asked(section, first)]
    known = _tokens_of(asked)
    words = (
        one.label for one in asked_concepts(first) if " " not in one.label and not known.issuperset(one.phrases[0])
    )
    title = title_of(topic)
    others = map(asked_aspect, islice(words, max(0, WORDS - len(asked))))
    return LensSection(Bilingual(title, title), DIRECT_FOCUS, tuple(dict.fromkeys((*asked, *others))))


def question_section(question: str, scope: Scope | None) -> LensSection:
    """Return a whole question as one section: all that its parts want."""
    wanted = dict.fromkeys(aspect for part in question_parts(question, scope) for aspect in part.aspects)
    title = title_of(question)
    return LensSection(Bilingual(title, title), DIRECT_FOCUS, tuple(wanted))


def question_parts(question: str, scope: Scope | None) -> tuple[LensSection, ...]:
    """Return the sections of a question's lens, each with what the question wants of it.

    That is what it names; all, if it names the section by its title; the first, if it does not name anything.
    """
    sections = plan_of(question, scope).sections
    return tuple(replace(one, aspects=wanted_of(one, question) or one.aspects[:1]) for one in sections)


def wanted_of(section: LensSection, question: str) -> tuple[LensAspect, ...]:
    """Return the aspects of `section` that the question names; all, if it names the section by its title."""
    asked = aspects_asked(section, question)
    return section.aspects if _is_titled(section, asked, question) else asked


def _is_titled(section: LensSection, asked: Sequence[LensAspect], question: str) -> bool:
    """Whether a question names a section by a word of its title that says more than the aspects that it asks for."""
    known, said = _tokens_of(asked), set(tokens(question))
    words = [tokens(word) for title in section.title for word in content_words(title)]
    return any(said.issuperset(word) and not known.issuperset(word) for word in words)


def _tokens_of(aspects: Iterable[LensAspect]) -> set[str]:
    return {token for one in aspects for phrase in (*one.phrases, *one.label) for token in tokens(phrase)}


def section_in(view: ResearcherView) -> LensSection:
    """Return what a researcher looks for: its section of the plan, else what its topic asks for."""
    if view.section is not None:
        return section_for(view.section, view.brief.question)
    return section_of(view.topic, view.brief.question, view.brief.scope)


def sections_of(result: TopicResult, brief: Brief) -> tuple[LensSection, ...]:
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


def _written(topic: str, question: str) -> Section | None:
    """Read back what `research.core.outline.topic_of` wrote, or return None if it did not write `topic`."""
    asked = " ".join(question.split())
    for opening, colon, comma, stop in (
        (f". For the question “{asked}”, find ", ": ", ", ", "."),
        (f"。問い「{asked}」のために、", "を調べる：", "、", "。"),
    ):
        title, found, rest = topic.partition(opening)
        if found:
            focus, _, wanted = rest.partition(colon)
            labels = wanted.removesuffix(stop).partition(stop.ljust(2) if stop == "." else stop)[0]
            return Section(title=title, focus=focus, needs=tuple(labels.split(comma)))
    return None


def _restricted(section: LensSection, labels: str) -> LensSection:
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
