"""Whether evidence speaks of a question, and which of it comes nearest: counted by rule, whoever answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from research.brief import Brief
from research.evidence import Evidence, Page
from research.gaps.identifier import identify_gaps
from research.outline import Section
from research.text.passages import Passage, heading_at
from research.text.ranking import rate
from research.text.subject import query_within

SHOWN = 80
"""Quotes that an analyst is shown, at most."""


def nearest(question: str, evidence: Iterable[Evidence], pages: Mapping[str, Page], brief: Brief) -> list[Evidence]:
    """Return the evidence that comes nearest to `question`, which was asked about the report of `brief`.

    All of it where it is little: what shares no word with the question may still answer it.
    """
    entries = list(evidence)
    passages = [_passage(entry, pages[entry.source]) for entry in entries]
    query = query_within(question, brief.question)
    weights = [concept.weight for concept in query.concepts]
    scores = {entries[one.index].id: one.score(weights) for one in rate(passages, query)}
    return sorted(entries, key=lambda entry: -scores[entry.id])[:SHOWN]


def covers(
    question: str, evidence: Iterable[Evidence], pages: Mapping[str, Page], brief: Brief, *, at: datetime
) -> bool:
    """Whether `evidence` speaks of what `question` asks for (see `research.gaps.identifier`)."""
    section = Section(title=question, focus=question, questions=(question,))
    return identify_gaps(section, list(evidence), pages, language=brief.language, at=at).sufficient


def _passage(entry: Evidence, page: Page) -> Passage:
    return Passage(entry.quote, heading_at(page.text, entry.start), page.title)
