"""Between the sections of a plan, whoever wrote it, and what this analyst looks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from research import outline
from research.analysts.extractive.asked import things_asked
from research.analysts.extractive.lenses import LENSES
from research.analysts.extractive.plan import DIRECT_FOCUS, DIRECT_TITLE, asked_aspect, question_aspect
from research.analysts.extractive.section import Aspect, Section
from research.brief import Brief
from research.language import Bilingual, Language
from research.text.names import Name, compared_in
from research.text.words import content_words, folded, spelt

WORDS = 6
"""Words that are taken from a text which this analyst did not write."""
_TERM = 2
"""Words up to which what somebody wants found is one thing; of more, each is."""
_AND = Bilingual(" and ", "と")


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
        words = dict.fromkeys(one.label for one in things_asked(question))
        return Section(DIRECT_TITLE, DIRECT_FOCUS, tuple(map(question_aspect, words)))
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
    words = [spelt(word, folded(line)) for word in content_words(line) if not word[0].isdigit()]
    yield from map(asked_aspect, [line] if len(words) <= _TERM else words[:WORDS])
