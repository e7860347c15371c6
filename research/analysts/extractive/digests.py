"""What a page says as a whole of what it is titled by: the economy of a country, how it is governed, its history.

Who asks for the economy of Poland asks for no one value. The page “Poland — Economy” answers, in a line for each thing
that people ask of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from research.analysts.extractive.values import plainness, said_by
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page
from research.language import COLON, Bilingual
from research.meaning import is_everyday
from research.text import (
    YEARS,
    Asked,
    Operation,
    data_line_in,
    escape_markdown,
    folded,
    is_note,
    without_names,
    without_subject,
)

_SAID, _PLAINLY = 0.9, 0.5
"""Share of what is asked that a title has to say, and how little it may say besides."""
_LINES = 12
"""Lines on one thing asked: that on who leads a country is the eighth to tenth of its page."""
_LINE = re.compile(r".+")
_AND = " and "


class Line(NamedTuple):
    """A line of a page that says whom it is about, as `Poland – Capital, name: Warsaw`."""

    label: str
    said: str
    """Label and value as they stand, without whom they are about."""
    start: int
    end: int

    @property
    def kind(self) -> str:
        """What its label says before it says which."""
        return " ".join(YEARS.sub(" ", self.label.partition(",")[0]).split())


class Digest(NamedTuple):
    """What pages say as a whole of things that are asked."""

    parts: frozenset[int]
    """Which things these are."""
    lines: tuple[str, ...]
    """Markdown."""
    shown: tuple[Evidence, ...]
    """The quotes that it cites."""


def digested(page: Page, asked: Asked) -> dict[int, tuple[Line, ...]]:
    """Return, for each thing asked that a page on a place is titled by, the lines that tell of it.

    These are the first of each kind that people ask for, in the order of the page: what matters most stands first. A
    page of one kind, on the background of a country, say, is titled by that as well, and tells all.
    """
    is_of_one = len(asked.names) == 1 and asked.operation in (Operation.LOOK_UP, Operation.OPEN)
    if not is_of_one or asked.is_wide_open:
        return {}
    place = asked.names[0]
    if not (place.is_place and place.stands_in(folded(page.title))):
        return {}
    told = [line for line in _lines_in(page.text) if not is_note(line.label)]
    first = {line.kind: line for line in reversed(told)}
    titles = [*without_names(page.title, [place]).split(_AND), *(first if len(first) == 1 else ())]
    parts = [part for part, one in enumerate(asked.attributes) if any(_is_titled(one, title) for title in titles)]
    kinds = [line for line in told if line is first[line.kind]]
    kinds = [line for line in kinds if is_everyday(line.label)] or kinds
    lines = (kinds if len(first) > 1 else told)[:_LINES]
    return dict.fromkeys(parts, tuple(lines)) if lines else {}


def _lines_in(text: str) -> Iterator[Line]:
    for match in _LINE.finditer(text):
        line = data_line_in(match[0])
        subject, label = without_subject(line.label) if line else ("", "")
        if line and subject:
            yield Line(label, match[0][match[0].index(label) :], match.start(), match.end())


def _is_titled(attribute: str, title: str) -> bool:
    return said_by(attribute, title) >= _SAID and plainness(attribute, title) >= _PLAINLY


def digest_of(pool: Sequence[Evidence], question: Asked, request: ReportRequest) -> Digest:
    """Return what the pages of some quotes say as a whole, as far as it is quoted."""
    by_place = {(entry.source, entry.start, entry.end): entry for entry in pool}
    found: dict[int, str] = {}
    told: dict[str, list[tuple[Line, Evidence]]] = {}
    for source in dict.fromkeys(entry.source for entry in pool):
        for part, lines in digested(request.pages[source], question).items():
            quoted = [(line, entry) for line in lines if (entry := by_place.get((source, line.start, line.end)))]
            if quoted and part not in found:
                found[part], told[source] = source, quoted
    sources = list(dict.fromkeys(found[part] for part in sorted(found)))
    shown = [entry for source in sources for _, entry in told[source]]
    written = [line for source in sources for line in _told(request.pages[source], told[source], request)]
    return Digest(frozenset(found), tuple(written), tuple(shown))


def _told(page: Page, told: Sequence[tuple[Line, Evidence]], request: ReportRequest) -> Iterator[str]:
    language = request.brief.language
    yield f"- {escape_markdown(page.title)}{COLON.in_(language).rstrip()}"
    for line, entry in told:
        said = escape_markdown(line.said)
        yield Bilingual(f"  - “{said}” [{entry.id}]", f"  - 「{said}」[{entry.id}]").in_(language)
