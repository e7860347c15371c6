"""The research notes of a run as files of their own: Markdown for people, JSON for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from operator import itemgetter

from babel.dates import format_date

from research.core import cite
from research.export.citing import cited_ids, definitions, source_line, with_numbers
from research.language import Phrase
from research.results import ResearchNote, RunRecord, SourceEntry
from research.text import escape_markdown

_TITLE = Phrase("Research notes: {question}")
_BYLINE = Phrase("Researched on {date}. Run {run}.")

_HEADING = re.compile(r"^(#{1,6})(?=\s)", re.MULTILINE)


def clean_notes(notes: Sequence[ResearchNote], record: RunRecord) -> tuple[ResearchNote, ...]:
    """Return the notes with summaries in which every citation exists and no address is the analyst's own."""
    evidence = record.ledger
    return tuple(note.model_copy(update={"summary": cite(note.summary, evidence).draft.strip()}) for note in notes)


def note_numbers(notes: Sequence[ResearchNote], record: RunRecord) -> dict[str, int]:
    """Return the number of each page that the notes rest on: the report's, and further ones for what it does not cite.

    The notes are clean (see `clean_notes`). A number means the same source in the report and in the notes.
    """
    numbers = {source.id: source.number for source in record.sources if source.number is not None}
    last = max(numbers.values(), default=0)
    for note in notes:
        for page in _pages_of(note, record):
            if page not in numbers:
                numbers[page] = last = last + 1
    return numbers


def _pages_of(note: ResearchNote, record: RunRecord) -> list[str]:
    """Return the pages that a clean note cites, then those that it names."""
    evidence = record.ledger
    return list(dict.fromkeys([*(evidence[name].source for name in cited_ids(note.summary)), *note.sources]))


def notes_markdown(notes: Sequence[ResearchNote], record: RunRecord) -> str:
    """Return the notes as Markdown, in the language of the report, each with its sources and their dates."""
    notes, language = clean_notes(notes, record), record.brief.language
    numbers = note_numbers(notes, record)
    pages = {source.id: source for source in record.sources}
    question = escape_markdown(record.brief.question)
    day = format_date(record.day, "long", locale=language.value)

    parts = [
        f"# {_TITLE.in_(language).format(question=question)}",
        f"*{_BYLINE.in_(language).format(date=day, run=record.run)}*",
    ]
    for note in notes:
        parts.append(f"## {note.step}. {escape_markdown(note.query)}")
        parts.append(with_numbers(_lowered(note.summary), numbers, record.ledger))
        named = sorted(((numbers[page], pages[page]) for page in note.sources if page in pages), key=itemgetter(0))
        parts.append(source_line(Phrase("Sources").in_(language), named, record.day, language))
    shown = sorted({page for note in notes for page in _pages_of(note, record)}, key=lambda page: numbers[page])
    parts.append(definitions((numbers[page], pages[page]) for page in shown if page in pages))
    return "\n\n".join(part for part in parts if part) + "\n"


def notes_json(notes: Sequence[ResearchNote], record: RunRecord) -> str:
    """Return the notes as JSON: step, query, summary (Markdown, citing quotes as `[E12]`), sources and quotes."""
    pages = {source.id: source for source in record.sources}
    quotes = record.ledger
    listed = [
        {
            "step": note.step,
            "query": note.query,
            "summary": note.summary,
            "sources": [_source(pages[page]) for page in note.sources if page in pages],
            "quotes": [quotes[name].model_dump(include={"id", "source", "quote"}) for name in cited_ids(note.summary)],
        }
        for note in clean_notes(notes, record)
    ]
    head = {"run": record.run, "question": record.brief.question, "researched": record.started_at}
    return json.dumps(head | {"notes": listed}, ensure_ascii=False, indent=2) + "\n"


def _lowered(summary: str) -> str:
    """Return a summary whose headings are under that of its note."""
    return _HEADING.sub(lambda match: "#" * min(len(match[1]) + 2, 6), summary)


def _source(page: SourceEntry) -> dict[str, object]:
    return page.model_dump(include={"id", "url", "title", "site", "kind", "published"})
