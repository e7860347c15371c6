"""The quotes that answer a question most directly: for each thing asked, of each name asked, the best one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from research.analysts.extractive.asked import core, meant
from research.analysts.extractive.coverage import subjects
from research.analysts.extractive.plan import DIRECT_TITLE, aspects_asked, concepts_of
from research.analysts.extractive.quoting import passage_of, worths
from research.analysts.extractive.section import Aspect, Section
from research.analysts.extractive.weighing import cells, is_by_chance, weighed
from research.analysts.protocol import ReportRequest
from research.evidence import Evidence
from research.text.concepts import Concept, concept, query_of
from research.text.data_lines import data_line_in, without_subject
from research.text.names import Name, compared_in

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
    things = _asked_of(sections, request.brief.question)
    rows = [entry for entry in entries if _tabulates(entry, things, request)]
    chosen = {entry.id: entry for entry in sorted(rows, key=lambda row: (row.source, row.start))}
    aside = _aside(sections, request)
    for aspect in things:
        for entry in _on(aspect, [one for one in entries if one.id not in chosen], aside, request):
            chosen[entry.id] = entry
    return list(chosen.values())


def _asked_of(sections: Sequence[Section], question: str) -> list[Aspect]:
    """Return what the question names of `sections`, in its own order."""
    found = {
        aspect: section.title == DIRECT_TITLE for section in sections for aspect in aspects_asked(section, question)
    }
    compares = bool(compared_in(question))
    said = core(question).casefold()

    def place(aspect: Aspect) -> tuple[bool, int]:
        places = [at for word in (*aspect.phrases, *aspect.label) if (at := said.find(word.casefold())) >= 0]
        return found[aspect] and not compares, min(places, default=len(said))

    return sorted(found, key=place)


def _tabulates(entry: Evidence, things: Sequence[Aspect], request: ReportRequest) -> bool:
    """Whether a quote is a row of a table with several of the things asked."""
    if not cells(entry.quote):
        return False
    return sum(_says(entry, one, concept(one.label.en, one.phrases), request) for one in things) >= _SEVERAL


def _aside(sections: Sequence[Section], request: ReportRequest) -> list[Concept]:
    """Return what `sections` look for as concepts that count little: they tell between quotes on the same thing."""
    found = (one for part in sections for one in concepts_of(part, request.brief.question, request.brief.language))
    return [replace(one, weight=one.weight * _ASIDE) for one in found]


def _on(
    aspect: Aspect, entries: Sequence[Evidence], aside: Sequence[Concept], request: ReportRequest
) -> Iterator[Evidence]:
    """Yield the best quote on one thing for each name, or for the question as a whole."""
    question = request.brief.question
    wanted = concept(aspect.label.en, aspect.phrases, 2.0)
    telling = [entry for entry in entries if _says(entry, aspect, wanted, request)]
    worth = worths(telling, request.pages, query_of(core(question), [wanted, *aside], _ASIDE))
    by_name: dict[Name | None, list[Evidence]] = defaultdict(list)
    names: Sequence[Name | None] = compared_in(question) or (None,)
    for entry in sorted(telling, key=lambda one: -worth[one.id]):
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
