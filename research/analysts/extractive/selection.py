"""What of the evidence answers: quotes, tables, standings."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest

from research.analysts.extractive.asked import (
    asked_of_all_countries,
    core,
    is_excluded,
    meant,
    tells_the_order_of,
    things_asked,
)
from research.analysts.extractive.coverage import subjects
from research.analysts.extractive.lenses import LensAspect, LensSection
from research.analysts.extractive.plan import (
    DIRECT_TITLE,
    asked_aspect,
    concepts_of,
    is_by_rule,
    nearness,
    sections_of,
    telling_words,
    wanted_of,
)
from research.analysts.extractive.quoting import (
    WORTH_SHOWING,
    chosen,
    is_by_chance,
    passage_of,
    to_the_point,
    weighed,
    worths,
)
from research.analysts.extractive.values import cells
from research.analysts.protocol import ReportRequest
from research.core import PRESETS, Brief, Evidence, Length, Page, SourceKind, Summary, length_of
from research.language import Bilingual, Language, Phrase
from research.quantities import figures
from research.text import (
    YEARS,
    Concept,
    Name,
    Query,
    compared_in,
    concept,
    data_line_in,
    escape_markdown,
    folded,
    heading_at,
    latest_year,
    places_in,
    query_of,
    regions_in,
    tokens,
    without_subject,
)

_SUBJECTS = 5
"""Columns for subjects, at most."""
_UNIT = re.compile(r"\s*\(([^()]{1,24})\)\Z")
"""A unit in brackets at the end of a label."""
_ITEM = Phrase("Item")
_VALUE = Phrase("Value")
_PAGE = Phrase("Page")


@dataclass(frozen=True)
class TableCell:
    """One figure of the report."""

    subject: str
    """What it is about: the name before the label, or the page."""
    label: str
    """Its label without subject and year."""
    value: str
    """Its value, with the year of the label where the value names none."""
    evidence: str
    full_label: str
    page: str


def figures_of(evidence: Sequence[Evidence], pages: Mapping[str, Page]) -> list[TableCell]:
    """Return the quotes that are "label: value" lines with a number, or rows of such, as cells."""
    return [cell for entry in evidence for cell in _cells(entry, pages[entry.source])]


def _cells(entry: Evidence, page: Page) -> Iterator[TableCell]:
    """Yield the figures of a quote; a row is about what stands in its first cell."""
    row = cells(entry.quote)
    if not row:
        yield from _of_line(entry, page)
        return
    (_, subject), *others = row
    for head, value in others:
        if _holds_figure(value):
            unit, label = _UNIT.search(head), _UNIT.sub("", head).strip()
            measured = f"{value} {unit[1]}" if unit else value
            yield TableCell(subject, label, measured, entry.id, f"{subject} – {label}", page.title)


def _holds_figure(value: str) -> bool:
    """Whether a value holds a digit and is no sentence."""
    return any(character.isdigit() for character in value) and not value.endswith((".", "。", "!", "！", "?", "？"))


def _of_line(entry: Evidence, page: Page) -> Iterator[TableCell]:
    line = data_line_in(entry.quote)
    if line is None or not line.is_short or not _holds_figure(line.value):
        return
    named, label = without_subject(line.label)
    subject = named or heading_at(page.text, entry.start) or page.title
    years = YEARS.findall(label)
    value = line.value
    if years and not any(year in value for year in years):
        value = f"{value} ({', '.join(years)})"
    yield TableCell(subject, " ".join(YEARS.sub(" ", label).split()) or label, value, entry.id, label, page.title)


def tables(shown: Sequence[TableCell], kept: Sequence[TableCell], language: Language) -> str:
    """Return the tables as Markdown, or an empty string if there are no figures.

    `shown` are the figures that the report quotes; those `kept` that fill a gap beside one of them are added.
    """
    labels = {cell.label for cell in shown}
    every = [*shown, *(cell for cell in kept if cell.label in labels and cell not in shown)]
    shared = _shared_labels(every)
    counted = Counter(cell.subject for cell in every if cell.label in shared)
    subjects = [subject for subject, count in counted.items() if count > 1][:_SUBJECTS]
    beside = [cell for cell in every if cell.label in shared and cell.subject in subjects] if len(subjects) > 1 else []
    rest = [cell for cell in shown if cell not in beside]
    parts = [_side_by_side(beside, subjects, language) if beside else "", _list(rest, language) if rest else ""]
    return "\n\n".join(part for part in parts if part)


def cited_table(item: Bilingual, label: str, cells: Sequence[TableCell], language: Language) -> str:
    """Return one figure of several subjects as a table, in their order."""
    rows = [[escape_markdown(cell.subject), _cited(cell)] for cell in cells]
    return _built_table([item.in_(language), escape_markdown(label)], rows)


def _shared_labels(every: Sequence[TableCell]) -> set[str]:
    subjects: dict[str, set[str]] = {}
    for cell in every:
        subjects.setdefault(cell.label, set()).add(cell.subject)
    return {label for label, found in subjects.items() if len(found) > 1}


def _side_by_side(beside: Sequence[TableCell], subjects: Sequence[str], language: Language) -> str:
    rows = []
    for label in dict.fromkeys(cell.label for cell in beside):
        values = [_values(beside, label, subject) for subject in subjects]
        rows.append([escape_markdown(label), *values])
    return _built_table([_ITEM.in_(language), *map(escape_markdown, subjects)], rows)


def _values(beside: Sequence[TableCell], label: str, subject: str) -> str:
    found = [cell for cell in beside if cell.label == label and cell.subject == subject]
    return "; ".join(_cited(cell) for cell in found) or "–"


def _list(rest: Sequence[TableCell], language: Language) -> str:
    head = [_ITEM.in_(language), _VALUE.in_(language), _PAGE.in_(language)]
    rows = [[escape_markdown(cell.full_label), _cited(cell), escape_markdown(cell.page)] for cell in rest]
    return _built_table(head, rows)


def _cited(cell: TableCell) -> str:
    return f"{escape_markdown(cell.value)} [{cell.evidence}]"


def _built_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_SHOWN = 10
_SAYS = 0.9
_FEWEST = 2
"""Countries from which there is an order."""
_MOST = 0.5
"""Share of what is asked that a label must say more than."""
_NARROWER = 0.2
"""What each further word of a label takes from what it says: urban population is less than population."""
_NEUTRAL = frozenset({"total", "real", "overall", "annual", "rate", "value", "計", "合計"})
_OTHER_MEASURES = frozenset({"growth", "change", "per", "capita", "成長", "増加"})
"""Words of a label that make it another measure: GDP growth is no GDP."""
_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
_COUNTRY = Phrase("Country", "column")
_HEADING = Phrase("In order, of the countries read")


@dataclass(frozen=True)
class Standings:
    """The figures of one label, one for each country, in the order asked for."""

    label: str
    cells: tuple[TableCell, ...]

    def table(self, request: ReportRequest) -> str:
        """Return heading and table as Markdown."""
        language = request.brief.language
        return f"## {_HEADING.in_(language)}\n\n{cited_table(_COUNTRY, self.label, self.cells[:_SHOWN], language)}\n\n"

    def note(self, question: str, *, is_told: bool) -> Bilingual:
        """Say before anything else what this order is not; `is_told`, sources also say themselves who comes first."""
        area = next(iter(regions_in(question)), None)
        where = Bilingual("", "")
        if area:
            where = Phrase(" Which of them lie in {area} was not checked.").filled(area=area)
        label, count = escape_markdown(self.label), len(self.cells)
        first = Phrase(", the first {shown} of which stand").filled(shown=_SHOWN)
        if count <= _SHOWN:
            first = Phrase(", which stand")
        untold = Bilingual("", "")
        if not is_told:
            untold = Phrase(" No source that was read says which come first.")
        return Phrase(
            "This is no ranking of all countries: rules read the pages that a search brings, not those on "
            "every country. “{label}” was found for {count} countries{first} below in order; countries that "
            "come before them may be missing.{where}{untold} To compare countries for sure, name them in "
            "the question."
        ).filled(label=label, count=count, first=first, where=where, untold=untold)


_NOTHING = Phrase(
    "Rules cannot answer which countries come first: they do not read every country's pages, and found no figure for "
    "several countries to put in order. Name the countries to compare in the question."
)


def order_parts(kept: Sequence[Evidence], request: ReportRequest) -> Iterator[str]:
    """Yield what a report begins with where all countries are to be put in order: a warning, and those read."""
    question = request.brief.question
    if asked_of_all_countries(question) is None:
        return
    found = standings_of(kept, request.pages, question)
    note = found.note(question, is_told=bool(telling(kept, question))) if found else _NOTHING
    yield f"**{note.in_(request.brief.language)}**\n\n"
    if found:
        yield found.table(request)


def standings_of(found: Sequence[Evidence], pages: Mapping[str, Page], question: str) -> Standings | None:
    """Return the figures of the countries read in the order that the question asks for, if there are several."""
    asked = asked_of_all_countries(question)
    if asked is None:
        return None
    by_label: dict[str, dict[Name, TableCell]] = defaultdict(dict)
    for cell in sorted(figures_of(found, pages), key=lambda one: -latest_year(one.value)):
        countries = [place for place in places_in(cell.subject) if place.en != "European Union"]
        if len(countries) == 1 and figures(cell.value):
            by_label[cell.label].setdefault(countries[0], cell)
    wanted = [one for one in things_asked(question) if not one.is_period]
    told = {label: _tells_standing(label, wanted) for label, row in by_label.items() if len(row) >= _FEWEST}
    best = max(told, key=lambda label: (told[label], len(by_label[label])), default="")
    if not best or told[best] <= 0:
        return None
    cells = _same_unit(by_label[best].values())
    ordered = sorted(cells, key=lambda cell: figures(cell.value)[0].value, reverse=not asked.is_least)
    return Standings(best, tuple(ordered)) if len(ordered) >= _FEWEST else None


def in_order(entries: Sequence[Evidence], request: ReportRequest) -> list[Evidence]:
    """Return what answers such a question: what sources say of the order themselves, then the figures in order."""
    query = query_of(core(request.brief.question))
    told = telling(entries, request.brief.question)
    worth = worths(told, request.pages, query)
    found = standings_of(entries, request.pages, request.brief.question)
    by_id = {entry.id: entry for entry in entries}
    rows = [by_id[cell.evidence] for cell in found.cells[:_SHOWN]] if found else []
    return list(dict.fromkeys([*sorted(told, key=lambda one: -worth[one.id]), *rows]))


def telling(entries: Sequence[Evidence], question: str) -> list[Evidence]:
    """Return the quotes in which a source says itself which countries come first."""
    return [one for one in entries if tells_the_order_of(one.quote, things_asked(question))]


def without_others(entries: Sequence[Evidence], request: ReportRequest) -> list[Evidence]:
    """Leave out what others' pages say of single countries, where there are figures in order; others ask for all."""
    found = standings_of(entries, request.pages, request.brief.question)
    if found is None:
        return list(entries)
    wanted = {*(one.id for one in in_order(entries, request)), *(cell.evidence for cell in found.cells)}
    return [one for one in entries if one.id in wanted or request.pages[one.source].kind is SourceKind.DOCUMENT]


def _tells_standing(label: str, wanted: Sequence[Concept]) -> float:
    """Return how far a label speaks of what is asked and of nothing else; 0 if it does not."""
    said = set(tokens(label))
    matched = [one for one in wanted if one.match(said) >= _SAYS]
    narrower = set(tokens(_BRACKETS.sub(" ", label))) - _NEUTRAL - {token for one in matched for token in one.tokens}
    told = sum(one.weight for one in matched)
    if told <= _MOST * sum(one.weight for one in wanted):
        return 0.0
    is_other = not _OTHER_MEASURES.isdisjoint(narrower)
    return told * max(0.1, 1 - _NARROWER * len(narrower)) * (_NARROWER if is_other else 1)


def _same_unit(cells: Iterable[TableCell]) -> list[TableCell]:
    """Return the cells in the unit that most of them have: others cannot stand in one order."""
    groups: dict[tuple[str | None, str | None], list[TableCell]] = defaultdict(list)
    for cell in cells:
        first = figures(cell.value)[0]
        groups[first.unit, first.currency].append(cell)
    return max(groups.values(), key=len)


_BESIDE_ANSWER = 0.3
"""Weight of everything else that the question asks, where the best quote on one thing is looked for."""
_SEVERAL = 2


def answers(entries: Sequence[Evidence], sections: Sequence[LensSection], request: ReportRequest) -> list[Evidence]:
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
            chosen |= {row.id: row for row in _table_answer(entry, entries)}
    return list(chosen.values())


def _table_answer(entry: Evidence, entries: Sequence[Evidence]) -> list[Evidence]:
    """Return the rows of a table of which `entry` is one, in their order; any other quote by itself."""
    labels = [label for label, _ in cells(entry.quote)]
    if not labels:
        return [entry]
    rows = [one for one in entries if one.source == entry.source and [name for name, _ in cells(one.quote)] == labels]
    return sorted(rows, key=lambda row: row.start)


def _asked_of(sections: Sequence[LensSection], question: str) -> list[LensAspect]:
    """Return what the question names of `sections`, in its own order, each in the words in which it is asked for."""
    found = {
        _as_asked(aspect, question): section.title == DIRECT_TITLE
        for section in sections
        for aspect in wanted_of(section, question)
    }
    compares, said = bool(compared_in(question)), core(question).casefold()

    def place(aspect: LensAspect) -> tuple[bool, int]:
        words = {word for phrase in (*aspect.phrases, *aspect.label) for word in telling_words(phrase)}
        return found[aspect] and not compares, min(
            (at for one in words if (at := said.find(one)) >= 0), default=len(said)
        )

    return sorted(found, key=place)


def _as_asked(aspect: LensAspect, question: str) -> LensAspect:
    """Return an aspect with those of its words that the question uses, in both languages where that can be told."""
    said = set(tokens(question))
    named = [asked_aspect(phrase) for phrase in aspect.phrases if telling_words(phrase) <= said]
    en, ja = (tuple(dict.fromkeys(word for one in named for word in one.words[place])) for place in (0, 1))
    return replace(aspect, words=(en, ja)) if en and ja else aspect


def _wanted(aspect: LensAspect) -> Concept:
    return concept(aspect.label.en, aspect.phrases, 2.0)


def _aside(sections: Sequence[LensSection], request: ReportRequest) -> list[Concept]:
    """Return what `sections` look for as concepts that count little: they tell between quotes on the same thing."""
    found = (one for part in sections for one in concepts_of(part, request.brief.question, request.brief.language))
    return [replace(one, weight=one.weight * _BESIDE_ANSWER) for one in found]


def _on(
    aspect: LensAspect,
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
    worth = worths(telling, request.pages, query_of(core(question), [wanted, *aside], _BESIDE_ANSWER))
    by_name: dict[Name | None, list[Evidence]] = defaultdict(list)
    names: Sequence[Name | None] = compared_in(question) or (None,)
    for entry in sorted(telling, key=lambda one: (-said[one.id], -worth[one.id])):
        for name in subjects(entry, request.pages[entry.source], names):
            by_name[name].append(entry)
    series = _common(by_name, worth)
    for name in names:
        if found := by_name.get(name):
            yield next((entry for entry in found if series and series_of(entry) == series), found[0])


def _says(entry: Evidence, aspect: LensAspect, wanted: Concept, request: ReportRequest) -> bool:
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


_SUMMARISED = 3
_FINDINGS = range(3, 7)
_ASIDE = 0.5
"""Weight, within a section, of what the question asks in other sections."""
_TELLING = 0.5
"""Share of the best score from which a quote may stand at the top."""


@dataclass(frozen=True)
class ReportSection:
    """A section of the report with the quotes that belong to it, the most telling first."""

    section: LensSection
    shown: tuple[Evidence, ...]


@dataclass(frozen=True)
class QuoteSelection:
    """What a report is made of. Each quote stands in one section."""

    summary: tuple[Evidence, ...]
    findings: tuple[Evidence, ...]
    parts: tuple[ReportSection, ...]
    kept: tuple[Evidence, ...]
    """Everything that may be shown, also what the length left out."""
    excluded: int
    """Quotes left out because the brief excludes what they speak of."""

    @property
    def above(self) -> tuple[Evidence, ...]:
        """Quotes that stand before the sections."""
        return self.summary + self.findings

    @cached_property
    def quotes(self) -> tuple[Evidence, ...]:
        """What the report shows."""
        return tuple({entry.id: entry for part in self.parts for entry in part.shown}.values())

    @property
    def shown(self) -> int:
        """How many quotes the report shows."""
        return len(self.quotes)


@dataclass(frozen=True)
class Ranked:
    """All quotes that a report may show, before its length has chosen among them."""

    sections: dict[LensSection, list[Evidence]]
    """The quotes of each section, the most telling first."""
    kept: tuple[Evidence, ...]
    """Everything that may be shown, also what says the same as another or too little."""
    excluded: int
    """Quotes left out because the brief excludes what they speak of."""

    @property
    def count(self) -> int:
        """How many quotes are worth showing."""
        return sum(map(len, self.sections.values()))


def ranked(request: ReportRequest) -> Ranked:
    """Give each quote to its section, in the order in which they are shown."""
    allowed = [entry for entry in request.evidence.values() if not is_excluded(entry.quote, request.brief)]
    near = to_the_point(allowed, request.pages, request.brief, is_planned=_is_planned(request))
    kept = without_others(list({folded(entry.quote): entry for entry in reversed(near)}.values())[::-1], request)
    sections = {section: _ordered(group, section, request) for section, group in _assigned(kept, request).items()}
    return Ranked(sections, tuple(kept), len(request.evidence) - len(allowed))


def select(request: ReportRequest, found: Ranked, budget: int) -> QuoteSelection:
    """Choose `budget` quotes of those that were found: of each section, those nearest to the question."""
    draws = [2 if nearness(section, request.brief.question) else 1 for section in found.sections]
    shown = _shared_out(list(found.sections.values()), draws, budget)
    parts = tuple(ReportSection(section, tuple(group)) for section, group in zip(found.sections, shown, strict=True))
    best, answering = _best([entry for part in parts for entry in part.shown], request)
    first = _summarised(len(best), request) if summary_place(request.brief) is not Summary.NONE else 0
    # What answers comes first even where little else is left; a single quote needs no heading of its own.
    room = (max(len(best) // 2, answering) if len(best) > 1 else 0) - first
    findings = min(max(_FINDINGS.start, budget // 5), _FINDINGS.stop - 1, max(0, room))
    if request.outline is not None:
        findings = 0  # Each section of a plan opens with its own.
    return QuoteSelection(
        summary=tuple(best[:first]),
        findings=tuple(best[first : first + findings]),
        parts=parts,
        kept=found.kept,
        excluded=found.excluded,
    )


def _summarised(shown: int, request: ReportRequest) -> int:
    """Return how many of the quotes `shown` a summary has: a third, but not many; of a comparison all names alike."""
    names = max(1, len(compared_in(request.brief.question)))
    most = names * math.ceil(_SUMMARISED / names)
    fair = max(shown // 3, names if names <= shown else 0) if names > 1 else shown // 3
    return min(most, fair - fair % names)


def summary_place(brief: Brief) -> Summary:
    """Return where the summary stands: as the brief says, else as its preset does; one page is a summary by itself."""
    if brief.summary is None and length_of(brief) is Length.PAGE:
        return Summary.NONE
    return brief.summary or PRESETS[brief.preset].summary


def _assigned(kept: Sequence[Evidence], request: ReportRequest) -> dict[LensSection, list[Evidence]]:
    """Give each quote to the section that it says most about, among those whose researcher found it."""
    question, language = request.brief.question, request.brief.language
    found: dict[LensSection, set[str]] = {}
    for result in request.results:
        for section in sections_of(result, request.brief):
            found.setdefault(section, set()).update(result.evidence)
    worth = {
        section: worths(kept, request.pages, Query(concepts_of(section, question, language), compared_in(question)))
        for section in found
    }
    groups: dict[LensSection, list[Evidence]] = {section: [] for section in found}
    for entry in kept:
        fitting = [section for section, ids in found.items() if entry.id in ids] or list(found)
        best = max(fitting, key=lambda section: worth[section][entry.id], default=None)
        if best and worth[best][entry.id] == 0 and not _is_planned(request) and not _is_about(entry, request):
            # What speaks of no section may still be near to the question itself; else it only shares a word with it.
            best = next((section for section in found if section.title == DIRECT_TITLE), None)
        if best:
            groups[best].append(entry)
    return groups


def _is_about(entry: Evidence, request: ReportRequest) -> bool:
    """Whether a quote is about one of the names that are compared, and mentions it not only."""
    names = compared_in(request.brief.question)
    return bool(names) and bool(subjects(entry, request.pages[entry.source], names))


def _is_planned(request: ReportRequest) -> bool:
    """Whether somebody else said what the report is to hold: a plan that was agreed on, or a model's topics."""
    question = request.brief.question
    return request.outline is not None or not all(is_by_rule(one.topic, question) for one in request.results)


def _ordered(group: Sequence[Evidence], section: LensSection, request: ReportRequest) -> list[Evidence]:
    """Order the quotes of a section without what says the same: first what the question asks of it."""
    question = request.brief.question
    query = query_of(core(question), concepts_of(section, question, request.brief.language), _ASIDE)
    worth = _TELLING if section.title == DIRECT_TITLE else WORTH_SHOWING
    first = answers(group, [section], request)
    return first + [entry for entry in _by_worth(group, query, request, worth) if entry not in first]


def _by_worth(
    entries: Sequence[Evidence], query: Query, request: ReportRequest, worth: float = WORTH_SHOWING
) -> list[Evidence]:
    """Order quotes by what they say on `query`: each name asked for in turn, and each with the same figure.

    What has less than `worth` of the best score is left out.
    """
    groups = _by_subject(entries, request)
    rest = groups.pop("", [])
    others = [entry for entry in _ranked(entries, query, request, worth) if entry in rest]
    ranked = [_ranked(own, query, request, worth) for own in groups.values()]
    return [entry for row in zip_longest(*aligned(ranked)) for entry in row if entry is not None] + others


def _ranked(entries: Sequence[Evidence], query: Query, request: ReportRequest, worth: float) -> list[Evidence]:
    passages = [passage_of(entry, request.pages[entry.source]) for entry in entries]
    return [entries[index] for index in chosen(passages, query, len(passages), worth)]


def _by_subject(entries: Iterable[Evidence], request: ReportRequest) -> dict[str, list[Evidence]]:
    """Group quotes by the name asked for that they are about, in the order of the question; the others last."""
    names = compared_in(request.brief.question)
    groups: dict[str, list[Evidence]] = {subject: [] for subject in (*(name.en for name in names), "")}
    for entry in entries:
        about = next((name for name in subjects(entry, request.pages[entry.source], names) if name), None)
        groups[about.en if about else ""].append(entry)
    return {subject: group for subject, group in groups.items() if group}


def _shared_out(groups: Sequence[Sequence[Evidence]], draws: Sequence[int], budget: int) -> list[list[Evidence]]:
    """Take from each group in turn, as many at once as it has draws, until the budget is used."""
    shares: list[list[Evidence]] = [[] for _ in groups]
    left = sum(map(len, groups))
    while budget > 0 and left > 0:
        for group, share, draw in zip(groups, shares, draws, strict=True):
            taken = group[len(share) : len(share) + min(draw, budget)]
            share.extend(taken)
            budget, left = budget - len(taken), left - len(taken)
    return shares


def _best(shown: Sequence[Evidence], request: ReportRequest) -> tuple[list[Evidence], int]:
    """Order all shown quotes: first what answers the question (so many), then what is near to it, then the others."""
    question, language = request.brief.question, request.brief.language
    sections = dict.fromkeys(one for result in request.results for one in sections_of(result, request.brief))
    concepts = [one for section in sections for one in concepts_of(section, question, language)]
    asked = [one for one in concepts if one.weight > 1]
    first = answers(shown, list(sections), request)
    rest = [entry for entry in shown if entry not in first]
    nearest = _by_worth(rest, query_of(core(question), asked), request, _TELLING)
    rest = [entry for entry in rest if entry not in nearest]
    return first + nearest + _by_worth(rest, query_of(core(question), concepts), request), len(first)
