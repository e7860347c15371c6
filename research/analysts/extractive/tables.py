"""Figures of a report side by side: what its quotes say as "label: value", as Markdown tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from research.core import Evidence, Page
from research.language import Language, Phrase
from research.text import YEARS, cells, data_line_in, escape_markdown, heading_of, without_subject

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
    subject = named or heading_of(page.text, entry.start) or page.title
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
