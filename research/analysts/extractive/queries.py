"""Queries made by rule, from the question and from leads in what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from research.analysts.extractive.asked import (
    asked_of_all_countries,
    tells_an_order,
    tells_the_order_of,
    terms,
    things_asked,
)
from research.analysts.extractive.coverage import Gap
from research.analysts.extractive.lenses import LensSection
from research.analysts.extractive.plan import asked_aspect, is_second_try, names_in_topic, plan_for
from research.analysts.extractive.selection import standings_of
from research.analysts.protocol import ResearcherView
from research.core import Brief, NextQuery, SourceName
from research.gaps import region_words
from research.language import Language, Phrase
from research.text import Name, compared_in, folded, names_in, places_in, regions_in, tokens

_LEAD_WORDS = 3
"""Words that say what countries are ordered by; more would drown the order."""
_AT_ONCE = 2
"""Countries that one query asks for."""
_TOLD = 5
"""How much more a country counts that a source names in the breath in which it tells the order asked for."""
_WHY = Phrase("A source names them where it tells an order.")


def order_query(question: str, words: str) -> Iterator[str]:
    """Yield a query for sources that tell the order themselves, if one is asked for."""
    if asked := asked_of_all_countries(question):
        yield f"{'lowest' if asked.is_least else 'largest'} {' '.join(words.split(' ')[:_LEAD_WORDS])} in the world"


def lead_queries(view: ResearcherView, words: str) -> Iterator[NextQuery]:
    """Yield queries for the countries that sources name where they tell an order, and of which there is no figure."""
    question = view.brief.question
    if asked_of_all_countries(question) is None:
        return
    found = standings_of(view.evidence, view.pages, question)
    known = {place for cell in found.cells for place in places_in(cell.subject)} if found else set()
    leads = [place for place in _named_in_lead(view) if place not in known]
    what = found.label if found else " ".join(words.split(" ")[:_LEAD_WORDS])
    for at in range(0, len(leads), _AT_ONCE):
        who = " ".join(place.en for place in leads[at : at + _AT_ONCE])
        yield NextQuery(query=f"{who} {what}", reason=_WHY.in_(view.brief.language))


def _named_in_lead(view: ResearcherView) -> Sequence[Name]:
    """Return the countries named where an order is told, those first that come with the order asked for."""
    wanted = things_asked(view.brief.question)
    counted: Counter[Name] = Counter()
    for entry in view.evidence:
        if tells_an_order(entry.quote):
            weight = _TOLD if tells_the_order_of(entry.quote, wanted) else 1
            counted.update(dict.fromkeys(places_in(entry.quote), weight))
    return [place for place, _ in counted.most_common()]


_QUERY_WORDS = 4
"""Search words that a broad query takes from a section."""
_CITIES = 4
"""Cities that a query names, the largest of a country as far as they are known."""
_OWN = {SourceName.LIBRARY, SourceName.HOUSE}
"""Sources that hold documents of one's own."""


def first_queries(view: ResearcherView, section: LensSection) -> tuple[str, ...]:
    """Return the queries of the first search, as many as one search may hold.

    Where the topic is the whole question and compares nobody, there is one for each part of its lens that the question
    asks for most.
    """
    question = view.brief.question
    parts: Sequence[LensSection] = (section,)
    if view.section is None and view.topic == question and len(compared_in(question)) < 2:
        parts = plan_for(view.brief).most_asked(view.limits.queries, question)
    broad = [list(_broad(view, part)) for part in parts]
    firsts = [*order_query(question, _section_words(section, Language.EN, 0)), *(queries[0] for queries in broad)]
    rest = [query for queries in broad for query in queries[1:]]
    return tuple(one.query for one in _fresh((NextQuery(query=query) for query in (*firsts, *rest)), view))


def next_queries(view: ResearcherView, section: LensSection, gaps: Sequence[Gap]) -> tuple[NextQuery, ...]:
    """Return the queries of the next search, each with what it is to find: as many new ones as one search may hold.

    First those for a name of which there is no page yet (in documents of one's own also by its cities), then gap by
    gap, then what the first search left out.
    """
    broad = list(_broad(view, section))
    untouched = [one for query in broad if (one := _for_an_untouched_name(query, view))]
    untouched += _by_cities(view, section)
    why = Phrase("A broader search may bring what is missing.")
    broader = [NextQuery(query=query, reason=why.in_(view.brief.language)) for query in broad]
    return _fresh([*untouched, *_narrow(view.brief, gaps), *broader], view)


def queries_for_leads(view: ResearcherView, section: LensSection) -> tuple[NextQuery, ...]:
    """Return the queries that follow what sources say of an order, where one is asked for."""
    return _fresh(lead_queries(view, _section_words(section, Language.EN, 0)), view)


def _fresh(candidates: Iterable[NextQuery], view: ResearcherView) -> tuple[NextQuery, ...]:
    """Return the candidates that were not made yet, each once."""
    made = set(map(folded, view.queries_made))
    fresh: dict[str, NextQuery] = {}
    for one in candidates:
        query = " ".join(one.query.split())
        if query and folded(query) not in made:
            fresh.setdefault(folded(query), NextQuery(query=query, reason=one.reason))
    return tuple(fresh.values())[: view.limits.queries]


def _broad(view: ResearcherView, section: LensSection) -> Iterator[str]:
    """Yield a query for each name (or for the subject) with the section's words, in each language that helps."""
    brief = view.brief
    year = f" {view.today.year}" if brief.period is not None else ""
    names: Sequence[Name | None] = names_in_topic(view.topic, brief.question) or (None,)
    for language in _languages(brief):
        words = _section_words(section, language, 1 if is_second_try(view.topic) else 0)
        for name in names:
            who = _named(name, language) if name else _subject(brief, language)
            yield _once_each(f"{who} {words}{year}")
    if not is_second_try(view.topic):
        yield brief.question


def _languages(brief: Brief) -> tuple[Language, ...]:
    """Return the languages to search in: Japanese questions also find what is written in English."""
    return (Language.JA, Language.EN) if brief.language is Language.JA else (Language.EN,)


def _section_words(section: LensSection, language: Language, place: int) -> str:
    """Return a word for each of the first aspects: the one at `place` among its words, so that a second try differs."""
    every = [aspect.words[0 if language is Language.EN else 1] for aspect in section.aspects[:_QUERY_WORDS]]
    return " ".join(words[min(place, len(words) - 1)] for words in every if words)


def _subject(brief: Brief, language: Language) -> str:
    """Return what the question is about, for a question that names nobody."""
    words = [_named(name, language) for name in (*names_in(brief.question), *regions_in(brief.question))]
    for en, ja in (asked_aspect(word).words for word in terms(things_asked(brief.question))[:_QUERY_WORDS]):
        words.append((en or ja if language is Language.EN else ja or en)[0])
    return " ".join([*words, region_words(brief, language)])


def _once_each(query: str) -> str:
    """Return a query with each of its words once."""
    words: dict[str, str] = {}
    for word in query.split():
        words.setdefault(" ".join(tokens(word)) or folded(word), word)
    return " ".join(words.values())


def _narrow(brief: Brief, gaps: Iterable[Gap]) -> Iterator[NextQuery]:
    """Yield a query for each gap: who, and all words for the aspect in one language."""
    ordered = list(gaps)
    for language in _languages(brief):
        for gap in ordered:
            words = " ".join(gap.aspect.words[0 if language is Language.EN else 1])
            who = _named(gap.name, language) if gap.name else _subject(brief, language)
            label = gap.label(brief.language)
            why = Phrase("Nothing found yet on {label}.").filled(label=label)
            yield NextQuery(query=_once_each(f"{who} {words}") if words else "", reason=why.in_(brief.language))


def _named(name: Name, language: Language) -> str:
    return name.ja if language is Language.JA else name.en


def _for_an_untouched_name(query: str, view: ResearcherView) -> NextQuery | None:
    """Return a query that asks for a name of which no page was found yet, with that as its reason."""
    titles = folded("\n".join(page.title for page in view.pages.values()))
    low = folded(query)
    asked = [name for name in compared_in(view.brief.question) if name.stands_in(low)]
    if len(asked) != 1 or asked[0].stands_in(titles):
        return None
    why = Phrase("No page yet on {asked}.").filled(asked=asked[0])
    return NextQuery(query=query, reason=why.in_(view.brief.language))


def _by_cities(view: ResearcherView, section: LensSection) -> Iterator[NextQuery]:
    """Yield a query by cities for each country of which there is no page yet: notes of a visit may name no country."""
    if _OWN.isdisjoint(view.brief.sources):
        return
    titles = folded("\n".join(page.title for page in view.pages.values()))
    for name in names_in_topic(view.topic, view.brief.question):
        if not name.cities or name.stands_in(titles):
            continue
        why = Phrase("Documents on {name} may name only a city.").filled(name=name)
        for language in _languages(view.brief):
            cities = [city for city in name.cities if city.isascii() is (language is Language.EN)][:_CITIES]
            query = f"{' '.join(cities)} {_section_words(section, language, 0)}"
            yield NextQuery(query=query if cities else "", reason=why.in_(view.brief.language))
