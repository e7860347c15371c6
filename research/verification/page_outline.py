"""What the sentences of a page stand under: its title, the headings, the heads of its tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from research.text.sentences import Span

_MARKER = 4
"""Characters before a sentence in which the marker of its line is looked for."""
_HEADING = re.compile(r"[■◆【][^。]{1,40}")


class Outline(NamedTuple):
    """For each sentence of a page, what says what it is about; all are indices of sentences."""

    above: list[tuple[int, ...]]
    """Title, heading and head of the table, as far as there are any."""
    heads: list[int | None]
    """The head of the table that it is a row of; None for prose and for heads."""


def outline(text: str, spans: Sequence[Span]) -> Outline:
    """Return the outline of a page with its sentences, in time linear in them."""
    found = Outline([], [])
    headings: tuple[int, ...] = ()
    head: int | None = None
    for index, span in enumerate(spans):
        mark = _mark(text, span)
        is_row = mark == "|"
        if not is_row or (head is not None and "\n\n" in text[spans[index - 1].end : span.start]):
            head = None
        found.above.append(headings if head is None else (*headings, head))
        found.heads.append(head)
        if is_row and head is None:
            head = index
        if mark == "#":
            headings = (*headings[:1], index)
    return found


def _mark(text: str, span: Span) -> str:
    """Return what a sentence is by its line: `#` a heading, `|` a table row, or nothing of both."""
    before = text[max(0, span.start - _MARKER) : span.start].rstrip(" \t")[-1:]
    if before in ("#", "|"):
        return before
    if text[span.start] in "■◆【" and _HEADING.fullmatch(text, span.start, span.end):
        return "#"
    return ""
