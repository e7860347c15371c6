"""Which of the quotes found are to the point: the report and the research notes leave out the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from research.analysts.extractive.aside import is_aside
from research.analysts.extractive.asked import core, things_asked
from research.analysts.extractive.plan import asks_in_words, calls_for_a_lens, plan_of
from research.analysts.extractive.topics import wanted_of
from research.analysts.extractive.weighing import passage_of, weighed
from research.brief import Brief
from research.evidence import Evidence, Page
from research.text.concepts import Concept, concept, subject_of
from research.text.names import compared_in, countries_in, regions_in
from research.text.passages import Passage
from research.text.ranking import scores
from research.vocabulary import SourceKind

_ON_SUBJECT, _ELSEWHERE = 0.25, 0.75
"""Share of the best score on the question's subject that a page's best quote must reach; likewise of others' pages on
a country that nobody asked about."""
_TOUCHED = 0.5


def to_the_point(
    entries: Sequence[Evidence], pages: Mapping[str, Page], brief: Brief, *, is_planned: bool = False
) -> list[Evidence]:
    """Leave out what is about other things: what only a section's own words or a year called for.

    Pages are judged as a whole; then each quote must say something of what is asked, unless it `is_planned` what else
    the report holds. Where the question names countries, `research.text.ranking` tells what is about them.
    """
    question = brief.question
    near = [entry for entry in entries if not is_aside(pages[entry.source], question)]
    on_subject = _on_subject(near, pages, brief)
    return on_subject if is_planned else _touching(on_subject, pages, brief)


def _on_subject(near: list[Evidence], pages: Mapping[str, Page], brief: Brief) -> list[Evidence]:
    question = brief.question
    if compared_in(question) or not asks_in_words(question, brief.scope):
        return near
    subject = subject_of(core(question))
    worth = scores([weighed(passage_of(entry, pages[entry.source]), subject) for entry in near], subject)
    of_page: dict[str, float] = {}
    for entry, own in zip(near, worth, strict=True):
        of_page[entry.source] = max(own, of_page.get(entry.source, 0.0))
    best = max(worth, default=0.0)
    return [entry for entry in near if of_page[entry.source] >= _least(pages[entry.source]) * best]


def _touching(near: list[Evidence], pages: Mapping[str, Page], brief: Brief) -> list[Evidence]:
    """Leave out quotes that say nothing of what is asked, unless the lens is what is asked about a country."""
    question = brief.question
    if calls_for_a_lens(question, brief.scope) and (compared_in(question) or not asks_in_words(question, brief.scope)):
        return near
    areas = {area.en for area in regions_in(question)}
    asked = [one for one in things_asked(question) if not one.is_period and one.label not in areas]
    for section in plan_of(question, brief.scope).sections:
        asked += [concept(one.label.en, one.phrases) for one in wanted_of(section, question)]
    if not asked:
        return near
    return [entry for entry in near if _touches(passage_of(entry, pages[entry.source]), asked)]


def _touches(passage: Passage, asked: Sequence[Concept]) -> bool:
    said = passage.tokens | passage.heading_tokens | passage.title_tokens
    return any(one.match(said) >= _TOUCHED for one in asked)


def _least(page: Page) -> float:
    """Return the share of the best score that a page must reach where the question names no country."""
    return _ELSEWHERE if page.kind is not SourceKind.DOCUMENT and countries_in(page.title) else _ON_SUBJECT
