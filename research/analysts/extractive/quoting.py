"""What is quoted from a page, and what a note says of it."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Sequence

from research.analysts.extractive.digests import digested, judging
from research.analysts.extractive.documents import may_be_told, opening_of
from research.analysts.extractive.measures import points_measured
from research.analysts.extractive.queries import row_quotes
from research.analysts.extractive.statements import operand_quotes
from research.analysts.extractive.values import ValueMatch, matches
from research.analysts.protocol import PageRequest, PageSummary
from research.gaps import Relevance, Subjects, as_documents_know, word_shares
from research.language import Bilingual, Language, Phrase
from research.meaning import Meaning
from research.text import (
    Asked,
    Passage,
    are_data,
    counted_in,
    folded,
    in_context,
    language_of,
    passages,
    question_parts,
    unlinked,
    values_of,
)

_QUOTES = 8
"""Passages that are taken from a page for the question: those that words, and a quick look at their meaning, put
first."""
_OF_WHOLE = 16
"""The same where the page may be told as a whole."""
_BY_WORDS = 4
"""Those of them that words alone put first: what singles somebody out is not lost to what only sounds alike."""
_FOR_TOPIC = 4
"""Further ones for what else the topic wants."""
_SHORT = 12
"""Passages up to which all of a page are taken: what answers may share no word with the question."""
_OPENING = 2
"""Passages of the beginning of a page that is titled by what is asked."""
_COMMA = Bilingual(", ", "、")


async def summarise_by_rule(request: PageRequest, meaning: Meaning | None) -> PageSummary:
    """Quote what the page says on question and topic; the summary only names what the quotes are about."""
    return await asyncio.to_thread(_summarise, request, meaning)


def _summarise(request: PageRequest, meaning: Meaning | None) -> PageSummary:
    asked = as_documents_know(question_parts(request.question), [request.page])
    if rows := row_quotes(request.page, asked, meaning):
        # What rows come to is told by these; other rows that say a word of the question would only stand beside them.
        return PageSummary("", tuple(rows), by_rule=True, answers=dict.fromkeys(rows, asked.points))
    found = _chosen(request, asked, meaning)
    is_of_others = Subjects(asked, [request.page]).is_of_others(request.page)
    values = [] if is_of_others else _once_unless_near(matches(request.page, asked, meaning))
    text, rows = request.page.text, operand_quotes(request.page, asked)
    told = {text[start:end]: asked.points[:1] for start, end in _answering(request, asked)}
    for part, whole in (digested(request.page, asked) | judging(request.page, asked, meaning)).items():
        told |= {text[one.start : one.end]: (asked.points[part],) for one in whole}
    if may_be_told(request.page, asked):
        told |= {one.text: asked.points[:1] for one in opening_of(request.page, asked)}
    quotes = dict.fromkeys([*(text[one.value.start : one.value.end] for one in values), *rows, *told])
    quotes |= dict.fromkeys([*_dated_beside(values, text, asked), *(passage.text for passage in found)])
    # Whose line is the highest of all, whoever searched all knows better than who reads one page.
    is_told = asked.is_rank_of_all and request.answering is not None
    own = [one for one in values if one.value.is_row or not is_told]
    told |= _answers(own, asked, text) | dict.fromkeys(rows, points_measured(asked))
    said = _said(found, asked.attributes, language_of(request.topic))
    return PageSummary(said, tuple(quotes), by_rule=True, answers=told)


def _once_unless_near(values: Sequence[ValueMatch]) -> list[ValueMatch]:
    """Return the values without those of other years under labels that do not come near: one tells what it is about."""
    first: dict[tuple[int, str, bool], ValueMatch] = {}
    for one in values:
        first.setdefault((one.attribute, one.value.label, one.value.is_row), one)
    return [one for one in values if one.is_near or one.value.is_row or one in first.values()]


def _answering(request: PageRequest, asked: Asked) -> Sequence[tuple[int, int]]:
    """Return the places that were found to answer; lines on a place that name things only if things are asked for."""
    found = request.answering or ()
    if asked.wants_items or not any(name.is_place for name in asked.names):
        return found
    amounts = {(one.start, one.end) for one in values_of(request.page.text) if one.is_amount} if found else set()
    return [span for span in found if span in amounts]


def _dated_beside(values: Sequence[ValueMatch], text: str, asked: Asked) -> list[str]:
    """Return the lines beside those of values that may say since when, where that is asked."""
    kinds = {one.value.kind for one in values if one.is_near and not one.value.is_row} if asked.wants_since else set()
    return [
        text[one.start : one.end]
        for one in (values_of(text) if kinds else ())
        if one.kind in kinds and not one.is_row and one.tells_year
    ]


def _answers(values: Sequence[ValueMatch], asked: Asked, text: str) -> dict[str, tuple[str, ...]]:
    """Return the quotes that hold a value which surely answers, with what is asked that they answer."""
    told: dict[str, dict[str, None]] = {}
    for one in values:
        if one.is_said and one.is_meant:
            told.setdefault(text[one.value.start : one.value.end], {})[asked.points[one.attribute]] = None
    return {quote: tuple(points) for quote, points in told.items()}


def _chosen(request: PageRequest, asked: Asked, meaning: Meaning | None) -> list[Passage]:
    """Return the passages of a page that may say something of what is asked, in the order of the page."""
    every = passages(request.text)
    if len(every) <= _SHORT:
        return list(every)
    said = [unlinked(f"{one.heading} {one.text}") for one in every]
    words, topic = " ".join(asked.attributes), request.topic.replace(request.question, " ")
    title = folded(request.page.title)
    untitled = [name for name in asked.names if not name.stands_in(title)]  # Whom a page is about tells nothing in it.
    shares = word_shares(words, said, untitled or asked.names)
    # What the lines of a page of data say is told by their labels, which are compared anyway.
    relevance = Relevance(meaning if asked.wants_prose or not are_data(one.text for one in every) else None)
    if counts := counted_in(request.question):
        shares = [share * (1 + (counts.search(one.text) is not None)) for share, one in zip(shares, every, strict=True)]
    best = {*_most(shares, _BY_WORDS), *_most(word_shares(topic, said), _FOR_TOPIC)}
    at_most = _OF_WHOLE if may_be_told(request.page, asked) else _QUOTES
    foremost = relevance.foremost(request.question, said, shares, at_most)
    best |= {index for index in foremost if shares[index] > 0 or relevance.is_by_meaning}
    if not best and max(word_shares(request.question, [request.page.title])) > 0:
        best = set(range(_OPENING))
    return list(in_context(request.text, every, sorted(best)))


def _most(shares: Sequence[float], count: int) -> list[int]:
    """Return the places of the largest shares, at most so many, and none of nothing."""
    return [index for index in heapq.nlargest(count, range(len(shares)), shares.__getitem__) if shares[index] > 0]


def _said(found: Sequence[Passage], points: Sequence[str], language: Language) -> str:
    if not found:
        return Phrase("Nothing on the question.").in_(language)
    texts = [f"{one.heading} {one.text}" for one in found]
    about = _COMMA.in_(language).join(point for point in points if max(word_shares(point, texts)) >= 0.5)
    count, passages_ = len(found), "passage" if len(found) == 1 else "passages"
    if not about:
        return Bilingual(f"{count} {passages_}.", f"{count}か所を引用。").in_(language)
    return Bilingual(f"{count} {passages_} on {about}.", f"{about}に関する{count}か所を引用。").in_(language)
