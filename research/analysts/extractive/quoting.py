"""Quote pages verbatim, and keep of the quotes what is relevant and said once."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterator, Mapping, Sequence

from research.analysts.extractive.antecedent import quote_of, without_repeats
from research.analysts.extractive.aside import is_aside
from research.analysts.extractive.asked import core, things_asked
from research.analysts.extractive.coverage import Told, coverage_of
from research.analysts.extractive.exclusions import is_excluded
from research.analysts.extractive.noting import noted
from research.analysts.extractive.plan import concepts_of
from research.analysts.extractive.relevance import to_the_point
from research.analysts.extractive.section import Section
from research.analysts.extractive.topics import names_in_topic, section_of
from research.analysts.extractive.weighing import WORTH_SHOWING, cells, chosen, passage_of, weighed
from research.analysts.protocol import Compression, Findings, PageRequest, PageSummary
from research.brief import Brief
from research.evidence import Evidence, Page
from research.language import Bilingual, Language
from research.text.concepts import Query, query_of
from research.text.language_of import language_of
from research.text.names import compared_in, names_in
from research.text.passages import Passage, passages_of
from research.text.ranking import is_same, rate
from research.text.words import folded, tokens

QUOTES = 5
"""Quotes taken from one page."""
_LARGE = 50_000
"""Characters from which ranking leaves the event loop."""
_IRRELEVANT = 0.25
"""Share of the best score of a topic below which a quote is dropped."""


async def summarise(request: PageRequest) -> PageSummary:
    """Quote what the page says on question and topic; the summary only names what the quotes are about."""
    if len(request.text) > _LARGE:
        return await asyncio.to_thread(_summarise, request)
    return _summarise(request)


def _summarise(request: PageRequest) -> PageSummary:
    language = language_of(request.topic)
    section = section_of(request.topic, request.question)
    query = query_of(core(request.question), concepts_of(section, request.question, language))
    passages = passages_of(request.text, request.page.title)
    found = chosen(passages, query, QUOTES) if _is_on_subject(request, passages) else []
    if not found and _is_titled(request.page.title, query):
        found = list(range(min(2, len(passages))))
    excerpts = [passages[index] for index in found]
    quotes = without_repeats([quote_of(passage.text, request.text) for passage in excerpts])
    return PageSummary(_summary(excerpts, query, language), quotes, by_rule=True)


def _is_on_subject(request: PageRequest, passages: Sequence[Passage]) -> bool:
    """Whether the page holds anything that the question asks for by its own words, wherever it stands."""
    if is_aside(request.page, request.question):
        return False
    things = things_asked(request.question)
    if not things or compared_in(request.question):
        return True
    said = set(tokens(request.page.title)).union(*(passage.tokens | passage.heading_tokens for passage in passages))
    names = names_in(request.question)
    return any(one.match(said) >= 0.9 for one in things) or any(name.stands_in(folded(request.text)) for name in names)


def _is_titled(title: str, query: Query) -> bool:
    """Whether a page is on the subject by its title, so that its beginning is worth quoting whatever it says."""
    low = folded(title)
    on_subject = bool(query.concepts) and query.concepts[0].match(set(tokens(title))) == 1.0
    return on_subject or (not query.concepts and any(name.stands_in(low) for name in query.names))


def _summary(excerpts: Sequence[Passage], query: Query, language: Language) -> str:
    if not excerpts:
        return Bilingual("Nothing on the question.", "問いに関する記述はありません。").in_(language)
    said = [
        concept.label
        for concept in query.concepts
        if any(concept.match(passage.tokens | passage.heading_tokens) > 0.5 for passage in excerpts)
    ]
    about = Bilingual(", ", "、").in_(language).join(dict.fromkeys(said))
    count = len(excerpts)
    if not about:
        passages = "passage" if count == 1 else "passages"
        return Bilingual(f"{count} {passages} from its beginning.", f"冒頭から{count}か所を引用。").in_(language)
    passages = "passage" if count == 1 else "passages"
    return Bilingual(f"{count} {passages} on {about}.", f"{about}に関する{count}か所を引用。").in_(language)


def compress(findings: Findings) -> Compression:
    """Keep what is relevant and said once, at least one quote of each source; the notes say what is missing.

    Where it is known what else was found, what is beside the point is left out, as the report leaves it out.
    """
    brief, pages = findings.brief, findings.pages
    section = section_of(findings.topic, brief.question, brief.scope)
    if findings.among:
        near = {entry.id for entry in to_the_point(findings.among, pages, brief)}
        telling = _telling([one for one in findings.evidence if one.id in near], pages, section, brief)
        kept = keep_relevant(telling, pages, section, brief)
    else:
        kept = keep_relevant(findings.evidence, pages, section, brief)
    coverage = coverage_of(section, brief, kept, pages, names_in_topic(findings.topic, brief.question))
    notes = noted(coverage, kept, brief.language, findings.note_tokens, is_quoting=findings.may_quote)
    excluded = len(findings.evidence) - len(_allowed(findings.evidence, brief))
    if excluded:
        words = Bilingual(f"{excluded} left out as excluded.", f"除外指定により{excluded}件を省きました。")
        notes += "\n" + words.in_(brief.language)
    return Compression(tuple(entry.id for entry in kept), notes)


def keep_relevant(
    evidence: Sequence[Evidence], pages: Mapping[str, Page], section: Section, brief: Brief
) -> list[Evidence]:
    """Return the evidence worth keeping, in its order."""
    query = _query(section, brief)
    worth = worths(evidence, pages, query)
    best = max(worth.values(), default=0.0)
    allowed = sorted(_allowed(evidence, brief), key=lambda one: -worth[one.id])
    kept: dict[str, Passage] = {}
    for entry in allowed:
        passage = weighed(passage_of(entry, pages[entry.source]), query)
        is_lonely = all(other.source != entry.source for other in evidence if other.id in kept)
        is_double = not cells(entry.quote) and any(is_same(passage, other) for other in kept.values())
        if is_lonely or (worth[entry.id] >= _IRRELEVANT * best and not is_double):
            kept[entry.id] = passage
    needed = {told.evidence[0].id for told in _lost(section, brief, allowed, kept, pages)}
    return [entry for entry in evidence if entry.id in kept or entry.id in needed]


def _telling(evidence: Sequence[Evidence], pages: Mapping[str, Page], section: Section, brief: Brief) -> list[Evidence]:
    """Return the evidence of the pages of which a quote says enough to be shown."""
    worth = worths(evidence, pages, _query(section, brief))
    least = WORTH_SHOWING * max(worth.values(), default=0.0)
    near = {entry.source for entry in evidence if worth[entry.id] >= least}
    return [entry for entry in evidence if entry.source in near]


def _query(section: Section, brief: Brief) -> Query:
    return query_of(core(brief.question), concepts_of(section, brief.question, brief.language))


def _lost(
    section: Section, brief: Brief, found: Sequence[Evidence], kept: Container[str], pages: Mapping[str, Page]
) -> Iterator[Told]:
    """Yield what is covered by what was `found`, for each name by itself, and not by what is `kept` of it."""
    for name in compared_in(brief.question) or (None,):
        told = coverage_of(section, brief, found, pages, [name] if name else []).told
        yield from (one for one in told if not any(entry.id in kept for entry in one.evidence))


def worths(evidence: Sequence[Evidence], pages: Mapping[str, Page], query: Query) -> dict[str, float]:
    """Return how much each quote says on `query`, by evidence id."""
    weights = [concept.weight for concept in query.concepts]
    passages = {entry.id: weighed(passage_of(entry, pages[entry.source]), query) for entry in evidence}
    return {name: rate([passage], query)[0].score(weights) for name, passage in passages.items()}


def _allowed(evidence: Sequence[Evidence], brief: Brief) -> list[Evidence]:
    return [entry for entry in evidence if not is_excluded(entry.quote, brief)]
