"""Lists: one for all bullets, and a count of its own for each numbered list."""

from __future__ import annotations

from docx.document import Document as WordDocument
from docx.oxml.xmlchemy import BaseOxmlElement as Element

from research.export.docx.xml import w

DEEPEST = 8
"""Word has nine levels, from 0; what is deeper stands at the last."""
_BULLETS = 1
_NUMBERS = 2
_GREATEST_START = 32_767


class Numbering:
    """The lists of a file."""

    def __init__(self, word: WordDocument) -> None:
        self._root: Element = word.part.numbering_part.element
        self._last = _NUMBERS

    def new_list(self, *, is_ordered: bool, start: int, level: int) -> int:
        """Return the id of a list; a numbered one counts from `start` at `level`."""
        if not is_ordered:
            return _BULLETS
        self._last += 1
        first = w("startOverride", val=max(0, min(start, _GREATEST_START)))
        override = w("lvlOverride", first, ilvl=min(level, DEEPEST))
        self._root.append(w("num", w("abstractNumId", val=_NUMBERS), override, numId=self._last))
        return self._last


def list_properties(list_id: int, level: int) -> Element:
    """Return what makes a paragraph an item of a list."""
    return w("numPr", w("ilvl", val=min(level, DEEPEST)), w("numId", val=list_id))
