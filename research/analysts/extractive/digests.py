"""What a page says as a whole of what it is titled by: the economy of a country, how it is governed, its history.

Who asks for the economy of Poland asks for no one value. The page “Poland — Economy” answers, in a line for each thing
that people ask of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from research.analysts.extractive.values import plainness, said_by
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page, SourceKind
from research.language import COLON, Bilingual, Phrase
from research.meaning import Meaning, is_everyday, judged_by, profile
from research.text import (
    Asked,
    Operation,
    Value,
    escape_markdown,
    folded,
    values_of,
    without_names,
    without_subject,
)

_SAID, _PLAINLY = 0.9, 0.5
"""Share of what is asked that a title has to say, and how little it may say besides."""
_LINES = 12
"""Lines on one thing asked: that on who leads a country is the eighth to tenth of its page."""
_CELL = 120
"""Characters of a value that stands in a table, where several places are compared."""
_OPERATIONS = (Operation.LOOK_UP, Operation.OPEN, Operation.COMPARE)
_AND = " and "
_NO_JUDGEMENT = Phrase("Data give no judgement. What they tell that bears on it:")


class Digest(NamedTuple):
    """What pages say as a whole of things that are asked."""

    parts: frozenset[int]
    """Which things these are."""
    lines: tuple[str, ...]
    """Markdown."""
    shown: tuple[Evidence, ...]
    """The quotes that it cites."""


def judging(page: Page, asked: Asked, meaning: Meaning | None) -> dict[int, tuple[Value, ...]]:
    """Return, for each thing asked by which places are judged, the lines of a page on one of them that bear on it.

    Of a place of which nothing in particular is asked, those that tell most of it.
    """
    is_on_one = any(name.is_place and name.stands_in(folded(page.title)) for name in asked.names)
    is_of_values = asked.wants_figure or asked.wants_amounts or asked.wants_date
    if not is_on_one or is_of_values or page.kind is SourceKind.DOCUMENT:
        return {}
    first = {line.label: line for line in reversed(values_of(page.text)) if not (line.is_row or line.is_note)}
    found = {}
    for part, attribute in enumerate(asked.attributes[:1] if asked.is_wide_open else asked.attributes):
        if not asked.is_wide_open and any(_is_titled(attribute, label) for label in first):
            continue  # Who asks for the labor force is told that alone.
        own = [label for begins in _bearing(part, asked, meaning) for label in _beginning(begins, first)]
        if own:
            found[part] = tuple(first[label] for label in dict.fromkeys(own))
    return found


def _bearing(part: int, asked: Asked, meaning: Meaning | None) -> tuple[str, ...]:
    """Return the beginnings of the labels that bear on one thing asked, in their order."""
    return profile() if asked.is_wide_open else judged_by(asked.wordings[part], meaning)


def _beginning(begins: str, labels: Iterable[str]) -> list[str]:
    return [begins] if begins in labels else [label for label in labels if label.startswith(begins)]


def digested(page: Page, asked: Asked) -> dict[int, tuple[Value, ...]]:
    """Return, for each thing asked that a page on a place is titled by, the lines that tell of it.

    These are the first of each kind that people ask for, in the order of the page: what matters most stands first. A
    page of one text, on the background of a country, say, is titled by that as well, and tells all.
    """
    places = [name for name in asked.names if name.stands_in(folded(page.title))]
    is_of_one = len(places) == 1 and all(name.is_place for name in asked.names)
    is_of_values = asked.wants_figure or asked.wants_amounts or asked.wants_date
    if not is_of_one or is_of_values or asked.is_wide_open or asked.operation not in _OPERATIONS:
        return {}
    told = [line for line in values_of(page.text) if line.subject and not (line.is_row or line.is_note)]
    first = {line.kind: line for line in reversed(told)}
    is_text = len(first) == 1 and all(len(line.text) > _CELL for line in told)
    titles = [*without_names(page.title, places).split(_AND), *(first if is_text else ())]
    parts = [part for part, one in enumerate(asked.attributes) if any(_is_titled(one, title) for title in titles)]
    kinds = [line for line in told if line is first[line.kind]]
    kinds = [line for line in kinds if is_everyday(line.label)] or kinds
    lines = (told if is_text else kinds)[:_LINES]
    return dict.fromkeys(parts, tuple(lines)) if lines else {}


def _is_titled(attribute: str, title: str) -> bool:
    return said_by(attribute, title) >= _SAID and plainness(attribute, title) >= _PLAINLY


_Lines: TypeAlias = Sequence[tuple[Value, Evidence]]
"""Lines of a page, each with its quote."""


def digest_of(
    pool: Sequence[Evidence], question: Asked, request: ReportRequest, meaning: Meaning | None = None
) -> Digest:
    """Return what the pages of some quotes say as a whole, as far as it is quoted; of several places side by side."""
    by_place = {(entry.source, entry.start, entry.end): entry for entry in pool}
    found: dict[int, dict[str, _Lines]] = {}
    judged, told = set[int](), set[tuple[str, str]]()
    for source in dict.fromkeys(entry.source for entry in pool):
        bearing = judging(request.pages[source], question, meaning)
        judged |= bearing.keys()
        for part, lines in (digested(request.pages[source], question) | bearing).items():
            quoted = [(line, entry) for line in lines if (entry := by_place.get((source, line.start, line.end)))]
            if part in judged:  # What bears on two things, or stands on two pages, is told once.
                quoted = [one for one in quoted if (one[0].subject, one[0].label) not in told]
                told |= {(line.subject, line.label) for line, _ in quoted}
            if quoted:
                found.setdefault(part, {})[source] = quoted
    for part in judged & found.keys():
        labels = _bearing(part, question, meaning)
        found[part] = dict(sorted(found[part].items(), key=lambda one: _place_among(labels, one[1])))
    written = {part: tuple(_told(told, question, request)) for part, told in sorted(found.items())}
    # Population and society may be of one page, which is told once.
    markdown = tuple(line for said in dict.fromkeys(written.values()) for line in said)
    markdown = (
        (_NO_JUDGEMENT.in_(request.brief.language), "", *markdown) if judged and not question.is_wide_open else markdown
    )
    cited = "\n".join(markdown)
    entries = dict.fromkeys(entry for told in found.values() for quoted in told.values() for _, entry in quoted)
    parts = frozenset(range(len(question.attributes)) if judged and question.is_wide_open else written)
    return Digest(parts, markdown, tuple(entry for entry in entries if f"[{entry.id}]" in cited))


def _place_among(labels: Sequence[str], told: _Lines) -> int:
    """Return the place of the first line of a page among labels that bear on what is asked."""
    label = told[0][0].label
    return next((place for place, begins in enumerate(labels) if label.startswith(begins)), len(labels))


def _told(told: Mapping[str, _Lines], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield what is told of one thing: in a table where several places are told of in short, else page by page."""
    rows = list(_rows(told, question, request)) if len(question.names) > 1 else []
    yield from rows or (line for source, quoted in told.items() for line in _list(source, quoted, request))


def _list(source: str, told: _Lines, request: ReportRequest) -> Iterator[str]:
    language = request.brief.language
    yield f"- {escape_markdown(request.pages[source].title)}{COLON.in_(language).rstrip()}"
    for _, entry in told:
        said = escape_markdown(without_subject(entry.quote)[1])
        yield Bilingual(f"  - “{said}” [{entry.id}]", f"  - 「{said}」[{entry.id}]").in_(language)


def _rows(told: Mapping[str, _Lines], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield a table with a row for each label of which several places tell something short, a column for each place."""
    columns: dict[str, dict[str, str]] = {}
    for name in question.names:
        own = (quoted for source, quoted in told.items() if name.stands_in(folded(request.pages[source].title)))
        columns[getattr(name, request.brief.language.value)] = {
            line.label: f"{escape_markdown(line.text)} [{entry.id}]"
            for line, entry in chain.from_iterable(own)
            if len(line.text) <= _CELL
        }
    labels = dict.fromkeys(label for cells in columns.values() for label in cells)
    rows = [label for label in labels if sum(label in cells for cells in columns.values()) > 1]
    if rows:
        yield f"| | {' | '.join(map(escape_markdown, columns))} |"
        yield f"| --- |{' --- |' * len(columns)}"
        for label in rows:
            cells = " | ".join(own.get(label, "–") for own in columns.values())
            yield f"| {escape_markdown(label)} | {cells} |"
        yield ""
