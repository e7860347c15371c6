"""What stands around the text: the page, its header and footer, and what the file says about itself."""

from __future__ import annotations

from datetime import datetime, time
from typing import NamedTuple

from docx.document import Document as WordDocument
from docx.oxml.xmlchemy import BaseOxmlElement as Element
from docx.shared import Twips

from research.export.document import Paper, ReportDocument
from research.export.docx.contents import field
from research.export.docx.inlines import run
from research.export.docx.xml import styled, w
from research.export.office.cleaning import clipped, one_line
from research.export.office.words import tag


class _Size(NamedTuple):
    width: int
    height: int


_SIZES: dict[Paper, _Size] = {Paper.A4: _Size(11_906, 16_838), Paper.LETTER: _Size(12_240, 15_840)}
"""Twips."""
_SIDE = 1_304
_LONGEST_PROPERTY = 250
_HEADER = 90


def set_page(word: WordDocument, document: ReportDocument, paper: Paper) -> int:
    """Set paper, header and footer, and return the width of the text in twips."""
    size = _SIZES[paper]
    section = word.sections[0]
    section.page_width, section.page_height = Twips(size.width), Twips(size.height)
    width = size.width - 2 * _SIDE
    header = section.header
    header.is_linked_to_previous = False
    _fill(header._element, [run(clipped(document.title, _HEADER))], "Header", width)
    for footer in (section.footer, section.first_page_footer):
        footer.is_linked_to_previous = False
        day = run(document.researched.isoformat())
        pages = [run("\t"), field("PAGE", "1"), run(" / "), field("NUMPAGES", "1")]
        _fill(footer._element, [day, *pages], "Footer", width)
    section.first_page_header.is_linked_to_previous = False
    return width


def _fill(root: Element, content: list[Element], style: str, width: int) -> None:
    for child in list(root):
        root.remove(child)
    tabs = w("tabs", w("tab", val="clear", pos=9298), w("tab", val="right", pos=width))
    root.append(w("p", w("pPr", w("pStyle", val=style), tabs), *content))


def describe(word: WordDocument, document: ReportDocument) -> None:
    """Set the properties that a file manager shows."""
    properties = word.core_properties
    day = datetime.combine(document.researched, time())
    properties.title = clipped(document.title, _LONGEST_PROPERTY)
    properties.subject = clipped(document.question, _LONGEST_PROPERTY)
    properties.author = "Research Workbench"
    properties.last_modified_by = "Research Workbench"
    properties.comments = clipped(document.byline, _LONGEST_PROPERTY)
    properties.identifier = clipped(document.run, _LONGEST_PROPERTY)
    properties.language = tag(document.language)
    properties.created = properties.modified = day
    properties.revision = 1


def title_block(document: ReportDocument) -> list[Element]:
    """Return the title, the question where it differs, who wrote it and what was checked."""
    found = [styled("Title", run(one_line(document.title)))]
    if one_line(document.question) != one_line(document.title):
        found.append(styled("Subtitle", run(one_line(document.question))))
    found += [styled("Byline", run(one_line(line))) for line in (document.byline, document.checked) if line]
    found.append(styled("Rule"))
    return found
