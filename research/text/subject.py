"""What a question asks for that was asked about something else: the names that it leaves out are understood."""

from __future__ import annotations

from dataclasses import replace

from research.text.concepts import Query, query_of
from research.text.names import compared_in


def query_within(question: str, before: str) -> Query:
    """Return what `question` asks for; if it names nothing, of what the question asked `before` names."""
    query = query_of(question)
    return query if query.names else replace(query, names=compared_in(before))
