"""The queries for a topic: broad ones first, then narrow ones for what is still missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from research.analysts.extractive.coverage import Coverage, Gap
from research.analysts.extractive.plan import asked_aspect, is_second_try, region_words
from research.analysts.extractive.section import Section
from research.analysts.protocol import ResearcherView, Search
from research.brief import Brief
from research.language import Language
from research.text.concepts import asked_concepts
from research.text.names import Name, compared_in, names_in
from research.text.words import folded

_WORDS = 4
"""Search words that a broad query takes from a section."""


def next_queries(view: ResearcherView, section: Section, coverage: Coverage) -> tuple[str, ...]:
    """Return the queries of the next search: those not made yet, as many as one search may hold."""
    made = {folded(query) for query in queries_made(view)}
    candidates = list(_broad(view, section))
    if made:
        untouched = [query for query in candidates if _is_about_an_untouched_name(query, view)]
        candidates = [*untouched, *_narrow(view.brief, coverage.gaps), *candidates]
    fresh: dict[str, str] = {}
    for query in (" ".join(candidate.split()) for candidate in candidates):
        if query and folded(query) not in made:
            fresh.setdefault(folded(query), query)
    return tuple(fresh.values())[: view.limits.queries]


def queries_made(view: ResearcherView) -> list[str]:
    """Return every query of this topic so far."""
    return [query for step in view.steps if isinstance(step.action, Search) for query in step.action.queries]


def _broad(view: ResearcherView, section: Section) -> Iterator[str]:
    """Yield a query for each name (or for the subject) with the section's words, in each language that helps."""
    brief = view.brief
    year = f" {view.today.year}" if brief.period is not None else ""
    names: Sequence[Name | None] = compared_in(brief.question) or (None,)
    for language in _languages(brief):
        words = _section_words(section, language, 1 if is_second_try(view.topic) else 0)
        for name in names:
            who = _named(name, language) if name else _subject(brief, language)
            yield f"{who} {words}{year}"
    if not is_second_try(view.topic):
        yield brief.question


def _languages(brief: Brief) -> tuple[Language, ...]:
    """Return the languages to search in: Japanese questions also find what is written in English."""
    return (Language.JA, Language.EN) if brief.language is Language.JA else (Language.EN,)


def _section_words(section: Section, language: Language, place: int) -> str:
    """Return a word for each of the first aspects: the one at `place` among its words, so that a second try differs."""
    every = [aspect.words[0 if language is Language.EN else 1] for aspect in section.aspects[:_WORDS]]
    return " ".join(words[min(place, len(words) - 1)] for words in every if words)


def _subject(brief: Brief, language: Language) -> str:
    """Return what the question is about, for a question that names nobody."""
    asked = [asked_aspect(one.label).words for one in asked_concepts(brief.question)[:_WORDS]]
    words = [_named(name, language) for name in names_in(brief.question)]
    words += [(en or ja if language is Language.EN else ja or en)[0] for en, ja in asked]
    return " ".join([*words, region_words(brief, language)])


def _narrow(brief: Brief, gaps: Iterable[Gap]) -> Iterator[str]:
    """Yield a query for each gap: who, and all words for the aspect in one language."""
    ordered = list(gaps)
    for language in _languages(brief):
        for gap in ordered:
            words = " ".join(gap.aspect.words[0 if language is Language.EN else 1])
            yield f"{_named(gap.name, language) if gap.name else _subject(brief, language)} {words}" if words else ""


def _named(name: Name, language: Language) -> str:
    return name.ja if language is Language.JA else name.en


def _is_about_an_untouched_name(query: str, view: ResearcherView) -> bool:
    """Whether `query` asks for a name of which no page was found yet."""
    titles = folded("\n".join(page.title for page in view.pages.values()))
    low = folded(query)
    names = compared_in(view.brief.question)
    asked = [name for name in names if name.stands_in(low)]
    return len(asked) == 1 and not asked[0].stands_in(titles)
