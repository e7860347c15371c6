"""What is told of all whom a question asks of, whichever there are: a line each, under one label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from research.analysts.extractive.answered_values import NO_MORE
from research.analysts.protocol import ReportRequest
from research.core import Evidence, SourceName
from research.language import Bilingual, Phrase
from research.text import (
    MOST_WITHIN,
    Asked,
    best_told,
    data_line_in,
    escape_markdown,
    lies_elsewhere,
    meets,
    places_in,
    regions_in,
    things_of_all,
    without_subject,
)

_FEWEST = 2
"""Places from which what is told of them is a list."""
_HEAD = Bilingual("{label}:", "{label}：")
_READ_ONLY = Phrase("Those on pages that were read; there may be others.")


class ToldOfAll(NamedTuple):
    """A list, and the quotes that it cites."""

    lines: tuple[str, ...]
    """Markdown."""
    shown: tuple[Evidence, ...]


class _Line(NamedTuple):
    subject: str
    label: str
    said: str
    entry: Evidence


def inside(pool: list[Evidence], question: Asked, request: ReportRequest) -> list[Evidence]:
    """Return the quotes of pages on places in the part of the world that is asked for, where no place is named."""
    parts = () if question.names else regions_in(question.question)
    elsewhere = {source: lies_elsewhere(request.pages[source].title, parts) for source in {one.source for one in pool}}
    return [entry for entry in pool if not elsewhere[entry.source]] or pool


def told_of_all(pool: Sequence[Evidence], question: Asked, request: ReportRequest) -> ToldOfAll | None:
    """Return of each place what quotes tell of it under the label of which most tell what is asked; None without one.

    A library brings the lines of all that it holds; of the web only what was read is known, which is said.
    """
    asked = things_of_all(question)
    found: dict[str, dict[str, _Line]] = {}
    for line in (line for entry in pool if asked and (line := _line(entry, request)) is not None):
        if meets(asked, line.label, line.said):
            found.setdefault(line.label, {}).setdefault(line.subject, line)
    told_under = {label: [line.said for line in own.values()] for label, own in found.items()}
    best = found.get(best_told(told_under, asked), {})
    if len(best) < _FEWEST:
        return None
    told = sorted(best.values())
    language = request.brief.language
    lines = [f"- {_HEAD.in_(language).format(label=escape_markdown(told[0].label))}"]
    lines += [f"  - {escape_markdown(one.subject)}: {escape_markdown(one.said)} [{one.entry.id}]" for one in told]
    if any(request.pages[one.entry.source].origin is SourceName.WEB for one in told):
        lines.append(f"- {_READ_ONLY.in_(language)}")
    elif len(told) >= MOST_WITHIN:
        lines.append(f"- {NO_MORE.filled(count=str(len(told))).in_(language)}")
    return ToldOfAll(tuple(lines), tuple(one.entry for one in told))


def _line(entry: Evidence, request: ReportRequest) -> _Line | None:
    """Return what a quote tells of a place under a label; None if it is no such line."""
    line = data_line_in(entry.quote)
    if line is None:
        return None
    subject, label = without_subject(line.label)
    subject = subject or request.pages[entry.source].title
    return _Line(subject, label, line.value, entry) if places_in(subject) else None
