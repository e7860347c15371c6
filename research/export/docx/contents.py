"""The table of contents: a field that Word can renew, filled with links so that it is never empty.

The links have no page numbers. Which page a heading falls on is known to the program alone that sets the pages, with
its own typefaces: a number from here would be wrong now and then, and a file that tells Word to find out when it is
opened makes Word ask its reader a question first. Renewed (F9 in Word, Update Index in LibreOffice) it has its numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from docx.oxml.xmlchemy import BaseOxmlElement as Element

from research.export.document import ReportDocument, plain
from research.export.docx.inlines import run
from research.export.docx.xml import styled, text_nodes, w
from research.export.office.lines import all_lines
from research.export.office.words import CONTENTS

_INSTRUCTION = r' TOC \o "1-2" \h \z \u '
_HEADINGS = 5
_CHARACTERS = 6_000
"""Of Latin text, from which a table of contents helps; Japanese says the same in half of that."""
_MOST_ENTRIES = 24


def helps(document: ReportDocument, headings: Sequence[tuple[int, str, str]]) -> bool:
    """Whether a document is long enough for a table of contents."""
    size = sum(_weight(plain(line)) for part in document.parts for line in all_lines(part.blocks))
    return len(headings) >= _HEADINGS and size >= _CHARACTERS


def _weight(text: str) -> int:
    return len(text) + sum(ord(sign) > 0x2FFF for sign in text)


def contents(document: ReportDocument, headings: Sequence[tuple[int, str, str]]) -> list[Element]:
    """Return the table for headings of two levels; of the first alone if they are many."""
    entries = [one for one in headings if one[0] <= 2]
    if len(entries) > _MOST_ENTRIES:
        entries = [one for one in entries if one[0] == 1]
    title = styled("TOCHeading", run(CONTENTS.in_(document.language)))
    lines = [_entry(level, words, name) for level, words, name in entries]
    begun = [_mark("begin"), w("r", _instruction()), _mark("separate")]
    for place, element in enumerate(begun, start=1):
        lines[0].insert(place, element)
    lines[-1].append(_mark("end"))
    gallery = w("docPartObj", w("docPartGallery", val="Table of Contents"), w("docPartUnique"))
    return [w("sdt", w("sdtPr", gallery), w("sdtContent", title, *lines))]


def _entry(level: int, words: str, bookmark: str) -> Element:
    link = w("hyperlink", run(words), anchor=bookmark, history=1)
    return styled(f"TOC{level}", link)


def _mark(kind: str) -> Element:
    return w("r", w("fldChar", fldCharType=kind))


def _instruction() -> Element:
    instruction = w("instrText")
    instruction.text = _INSTRUCTION
    instruction.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    return instruction


def field(instruction: str, shown: str) -> Element:
    """Return a field that Word fills while it sets the page, like the number of the page."""
    return w("fldSimple", w("r", *text_nodes(shown)), instr=f" {instruction} ")
