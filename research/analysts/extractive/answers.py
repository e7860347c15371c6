"""The quotes that answer a question most directly: for each thing asked, of each name asked, the best one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from research.analysts.extractive.asked import core, meant
from research.analysts.extractive.coverage import subjects
from research.analysts.extractive.plan import DIRECT_TITLE, asked_aspect, concepts_of, telling
from research.analysts.extractive.quoting import worths
from research.analysts.extractive.section import Aspect, Section
from research.analysts.extractive.standings import in_order
from research.analysts.extractive.superlative import asked_of_all_countries
from research.analysts.extractive.topics import wanted_of
from research.analysts.extractive.weighing import cells, is_by_chance, passage_of, weighed
from research.analysts.protocol import ReportRequest
from research.evidence import Evidence
from research.text.concepts import Concept, concept, query_of
from research.text.data_lines import data_line_in, without_subject
from research.text.names import Name, compared_in
from research.text.words import tokens

_ASIDE = 0.3
"""Weight of everything else that the question asks, where the best quote on one thing is looked for."""
_SAYS = 0.9
_SEVERAL = 2


def answers(entries: Sequence[Evidence], sections: Sequence[Section], request: ReportRequest) -> list[Evidence]:
    """Return the quotes among `entries` that say most on what the question asks of `sections`.

    A table with several of the things asked comes first. Then one thing after the other, in the order of the question;
    for each, the names asked for in turn, each with the same figure if there is one. What only the words of the
    question stand for comes behind what the brief's lens knows: it is mostly the subject.
    """
    if asked_of_all_countries(request.brief.question):
        return in_order(entries, request)
    things = _asked_of(sections, request.brief.question)
    aside = _aside(sections, request)
    said = Counter(entry.id for entry in entries for one in things if _says(entry, one, _wanted(one), request))
    rows = [entry for entry in entries if cells(entry.quote) and said[entry.id] >= _SEVERAL]
    chosen = {entry.id: entry for entry in sorted(rows, key=lambda row: (row.source, row.start))}
    for aspect in things:
        for entry in _on(aspect, [one for one in entries if one.id not in chosen], aside, said, request):
            chosen |= {row.id: row for row in _table(entry, entries)}
    return list(chosen.values())


def _table(entry: Evidence, entries: Sequence[Evidence]) -> list[Evidence]:
    """Return the rows of a table of which `entry` is one, in their order; any other quote by itself."""
    labels = [label for label, _ in cells(entry.quote)]
    if not labels:
        return [entry]
    rows = [one for one in entries if one.source == entry.source and [name for name, _ in cells(one.quote)] == labels]
    return sorted(rows, key=lambda row: row.start)


def _asked_of(sections: Sequence[Section], question: str) -> list[Aspect]:
    """Return what the question names of `sections`, in its own order, each in the words in which it is asked for."""
    found = {
        _as_asked(aspect, question): section.title == DIRECT_TITLE
        for section in sections
        for aspect in wanted_of(section, question)
    }
    compares, said = bool(compared_in(question)), core(question).casefold()

    def place(aspect: Aspect) -> tuple[bool, int]:
        words = {word for phrase in (*aspect.phrases, *aspect.label) for word in telling(phrase)}
        return found[aspect] and not compares, min(
            (at for one in words if (at := said.find(one)) >= 0), default=len(said)
        )

    return sorted(found, key=place)


def _as_asked(aspect: Aspect, question: str) -> Aspect:
    """Return an aspect with those of its words that the question uses, in both languages where that can be told."""
    said = set(tokens(question))
    named = [asked_aspect(phrase) for phrase in aspect.phrases if telling(phrase) <= said]
    en, ja = (tuple(dict.fromkeys(word for one in named for word in one.words[place])) for place in (0, 1))
    return replace(aspect, words=(en, ja)) if en and ja else aspect


def _wanted(aspect: Aspect) -> Concept:
    return concept(aspect.label.en, aspect.phrases, 2.0)


def _aside(sections: Sequence[Section], request: ReportRequest) -> list[Concept]:
    """Return what `sections` look for as concepts that count little: they tell between quotes on the same thing."""
    found = (one for part in sections for one in concepts_of(part, request.brief.question, request.brief.language))
    return [replace(one, weight=one.weight * _ASIDE) for one in found]


def _on(
    aspect: Aspect,
    entries: Sequence[Evidence],
    aside: Sequence[Concept],
    said: Mapping[str, int],
    request: ReportRequest,
) -> Iterator[Evidence]:
    """Yield the best quote on one thing for each name, or for the question as a whole: what says several things first.

    `said` counts the things asked that each quote speaks of.
    """
    question = request.brief.question
    wanted = _wanted(aspect)
    telling = [entry for entry in entries if _says(entry, aspect, wanted, request)]
    worth = worths(telling, request.pages, query_of(core(question), [wanted, *aside], _ASIDE))
    by_name: dict[Name | None, list[Evidence]] = defaultdict(list)
    names: Sequence[Name | None] = compared_in(question) or (None,)
    for entry in sorted(telling, key=lambda one: (-said[one.id], -worth[one.id])):
        for name in subjects(entry, request.pages[entry.source], names):
            by_name[name].append(entry)
    series = _common(by_name, worth)
    for name in names:
        if found := by_name.get(name):
            yield next((entry for entry in found if series and series_of(entry) == series), found[0])


def _says(entry: Evidence, aspect: Aspect, wanted: Concept, request: ReportRequest) -> bool:
    """Whether a quote speaks of something, and not in passing: the label of a figure, or the sentence."""
    query = query_of(request.brief.question, [wanted])
    passage = weighed(passage_of(entry, request.pages[entry.source]), query)
    if is_by_chance(passage, query):
        return False
    said = passage.heading_tokens | (passage.label_tokens if passage.data_line else passage.tokens)
    means = meant(aspect.label.in_(request.brief.language))
    return wanted.match(said) >= _SAYS or (bool(means) and means <= meant(entry.quote))


def _common(by_name: Mapping[Name | None, Sequence[Evidence]], worth: Mapping[str, float]) -> str:
    """Return the label of the figure that is there for the most names, two at least, and says most; else nothing."""
    holders: dict[str, dict[Name | None, float]] = defaultdict(dict)
    for name, found in by_name.items():
        for entry in found:
            if series := series_of(entry):
                holders[series].setdefault(name, worth[entry.id])
    best = max(holders, key=lambda series: (len(holders[series]), sum(holders[series].values())), default="")
    return best if best and len(holders[best]) > 1 else ""


def series_of(entry: Evidence) -> str:
    """Return the label of a data line without year and without the name that may precede it."""
    line = data_line_in(entry.quote)
    return without_subject(line.series)[1] if line else ""


def aligned(ranked: Sequence[Sequence[Evidence]]) -> list[list[Evidence]]:
    """Reorder each list after the first such that a figure stands at the same place as its like in the first."""
    if len(ranked) < 2:
        return [list(entries) for entries in ranked]
    places = {series: place for place, entry in enumerate(ranked[0]) if (series := series_of(entry))}
    return [list(ranked[0]), *(_moved(entries, places) for entries in ranked[1:])]


def _moved(entries: Sequence[Evidence], places: Mapping[str, int]) -> list[Evidence]:
    rest = [entry for entry in entries if series_of(entry) not in places]
    for entry in sorted((one for one in entries if one not in rest), key=lambda one: places[series_of(one)]):
        rest.insert(places[series_of(entry)], entry)
    return rest
