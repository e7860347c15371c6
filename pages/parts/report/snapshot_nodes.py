"""A page as it was read, with the quotes taken from it marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pages.parts.nodes import Element, el, group
from pages.parts.ui import Ui
from research.text.language_of import language_of


class Marked(Protocol):
    """A part of a page that can be marked."""

    @property
    def start(self) -> int:
        """Offset of its first character."""

    @property
    def end(self) -> int:
        """Offset behind its last character."""


AROUND = 1_500
"""Characters shown on either side of a quote."""
MOST = 200_000
"""Characters shown at most."""


def window(text: str, focus: Marked | None, whole: bool) -> tuple[int, int]:
    """Return the part of `text` to show: around `focus`, or from the start, cut at line ends where they are near."""
    if whole or len(text) <= 2 * AROUND:
        return 0, min(len(text), MOST)
    start = max(0, focus.start - AROUND) if focus else 0
    end = min(len(text), (focus.end if focus else start + AROUND) + AROUND)
    line_start, line_end = text.rfind("\n", 0, start + 1) + 1, text.find("\n", end)
    if start - line_start <= AROUND // 4:
        start = line_start
    return start, line_end if 0 <= line_end - end <= AROUND // 4 else end


def snapshot(
    text: str, quotes: Sequence[Marked], focus: Marked | None, ui: Ui, *, whole: bool = False
) -> list[Element]:
    """Return `text` with `quotes` marked and `focus`, if any, brought into view."""
    start, end = window(text, focus, whole)
    parts: list[Element | str] = []
    at = start
    for quote_start, quote_end, focused in _spans(quotes, focus):
        if quote_end <= at or quote_start >= end:
            continue
        parts.append(text[at : max(at, quote_start)])
        marked = text[max(at, quote_start) : min(end, quote_end)]
        parts.append(el("mark", "focus" if focused else "", marked, data_scroll="" if focused else None))
        at = min(end, quote_end)
    parts.append(text[at:end])
    before = el("span", "cut", ui._("… earlier text left out")) if start else None
    after = el("span", "cut", ui._("… later text left out")) if end < len(text) else None
    language = language_of(text[start:end])
    return [group("div", "snapshot", [before, *(part for part in parts if part), after], lang=language)]


def _spans(quotes: Sequence[Marked], focus: Marked | None) -> list[tuple[int, int, bool]]:
    """Return the places to mark, in order and without overlap; the focus keeps all of its own."""
    spans = [(focus.start, focus.end, True)] if focus else []
    for quote in quotes:
        if all(quote.end <= start or quote.start >= end for start, end, _ in spans):
            spans.append((quote.start, quote.end, False))
    return sorted(spans)
