"""Answer a question about a report by quoting what comes nearest to it."""

from __future__ import annotations

from collections.abc import Sequence

from research.analysts.extractive.report import quoted
from research.analysts.extractive.weighing import chosen, passage_of
from research.analysts.protocol import Answer, AnswerRequest
from research.evidence import Evidence
from research.text.subject import query_within

QUOTES = 5
"""Quotes that an answer holds, at most; the rows of a table count as one."""
_WORTH_SHOWING = 0.45
"""Share of the best score from which a quote is shown."""


def answer(request: AnswerRequest) -> Answer:
    """Return the quotes that come nearest to the question, the nearest first; none if no quote speaks of it."""
    language = request.brief.language
    lines = [f"- {quoted(entry, request.pages[entry.source], language)}" for entry in _nearest(request)]
    return Answer("\n".join(lines), is_answered=bool(lines))


def _nearest(request: AnswerRequest) -> Sequence[Evidence]:
    entries = list(request.evidence.values())
    passages = [passage_of(entry, request.pages[entry.source]) for entry in entries]
    query = query_within(request.question, request.brief.question)
    return [entries[index] for index in chosen(passages, query, QUOTES, _WORTH_SHOWING)]
