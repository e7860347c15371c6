"""Which quotes a report shows, in which section, and which of them first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from research.analysts.extractive.answers import aligned, answers
from research.analysts.extractive.asked import core
from research.analysts.extractive.coverage import subjects
from research.analysts.extractive.exclusions import is_excluded
from research.analysts.extractive.plan import DIRECT_TITLE, concepts_of, nearness
from research.analysts.extractive.quoting import worths
from research.analysts.extractive.relevance import to_the_point
from research.analysts.extractive.section import Section
from research.analysts.extractive.standings import without_others
from research.analysts.extractive.topics import is_by_rule, sections_of
from research.analysts.extractive.weighing import WORTH_SHOWING, chosen, passage_of
from research.analysts.protocol import ReportRequest
from research.brief import Brief
from research.evidence import Evidence
from research.length import length_of
from research.presets import PRESETS
from research.text.concepts import Query, query_of
from research.text.names import compared_in
from research.text.words import folded
from research.vocabulary import Length, Summary

_SUMMARISED = 3
_FINDINGS = range(3, 7)
_ASIDE = 0.5
"""Weight, within a section, of what the question asks in other sections."""
_TELLING = 0.5
"""Share of the best score from which a quote may stand at the top."""


@dataclass(frozen=True)
class Part:
    """A section of the report with the quotes that belong to it, the most telling first."""

    section: Section
    shown: tuple[Evidence, ...]


@dataclass(frozen=True)
class Selection:
    """What a report is made of. Each quote stands in one section."""

    summary: tuple[Evidence, ...]
    findings: tuple[Evidence, ...]
    parts: tuple[Part, ...]
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

    sections: dict[Section, list[Evidence]]
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


def select(request: ReportRequest, found: Ranked, budget: int) -> Selection:
    """Choose `budget` quotes of those that were found: of each section, those nearest to the question."""
    draws = [2 if nearness(section, request.brief.question) else 1 for section in found.sections]
    shown = _shared_out(list(found.sections.values()), draws, budget)
    parts = tuple(Part(section, tuple(group)) for section, group in zip(found.sections, shown, strict=True))
    best, answering = _best([entry for part in parts for entry in part.shown], request)
    first = _summarised(len(best), request) if summary_place(request.brief) is not Summary.NONE else 0
    # What answers comes first even where little else is left; a single quote needs no heading of its own.
    room = (max(len(best) // 2, answering) if len(best) > 1 else 0) - first
    findings = min(max(_FINDINGS.start, budget // 5), _FINDINGS.stop - 1, max(0, room))
    if request.outline is not None:
        findings = 0  # Each section of a plan opens with its own.
    return Selection(
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


def _assigned(kept: Sequence[Evidence], request: ReportRequest) -> dict[Section, list[Evidence]]:
    """Give each quote to the section that it says most about, among those whose researcher found it."""
    question, language = request.brief.question, request.brief.language
    found: dict[Section, set[str]] = {}
    for result in request.results:
        for section in sections_of(result, request.brief):
            found.setdefault(section, set()).update(result.evidence)
    worth = {
        section: worths(kept, request.pages, Query(concepts_of(section, question, language), compared_in(question)))
        for section in found
    }
    groups: dict[Section, list[Evidence]] = {section: [] for section in found}
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


def _ordered(group: Sequence[Evidence], section: Section, request: ReportRequest) -> list[Evidence]:
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
