"""A report as a Word file."""

from __future__ import annotations

import io
from collections.abc import Iterator

import docx
from docx.document import Document as WordDocument
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement as Element

from research.export.document import DocumentPart, Heading, Items, Paper, Paragraph, PartKind, ReportDocument, Text
from research.export.docx.body import Body, Place
from research.export.docx.contents import contents, helps
from research.export.docx.frame import describe, set_page, title_block
from research.export.docx.sources import source_entries
from research.export.office.template import packed, resource, theme
from research.export.office.words import BRIEF, SOURCES
from research.language import Bilingual, Language

_FILES = {
    "[Content_Types].xml": "content_types.xml",
    "_rels/.rels": "package_rels.xml",
    "word/_rels/document.xml.rels": "document_rels.xml",
    "word/document.xml": "document.xml",
    "word/styles.xml": "styles.xml",
    "word/settings.xml": "settings.xml",
    "word/numbering.xml": "numbering.xml",
    "word/fontTable.xml": "fonts.xml",
}
_TALLER_LETTERS = 0.91
"""Japanese typefaces have blank above and below their letters: the same distance of lines is a smaller multiple."""
_SINGLE = 240
_LOUD = (PartKind.BODY, PartKind.CHARTS, PartKind.FOLLOW_UPS)
_BEFORE_SOURCES = tuple(kind for kind in PartKind if kind not in (PartKind.SOURCES, PartKind.TRAIL))


def to_docx(document: ReportDocument, *, paper: Paper = Paper.A4) -> bytes:
    """Return the report as a `.docx` file.

    Raises:
        UsageError: there are charts, and the extra `documents` is not installed.
    """
    word = _template(document.language)
    width = set_page(word, document, paper)
    describe(word, document)
    body = Body(word, document, width)
    text = list(_parts(document, body))
    lead = title_block(document)
    if helps(document, body.headings):
        lead += contents(document, body.headings)
    end = word.element.body[-1]
    for element in (*lead, *text):
        end.addprevious(element)
    file = io.BytesIO()
    word.save(file)
    return file.getvalue()


def _template(language: Language) -> WordDocument:
    parts = {name: resource("research.export.docx", f"template/{file}") for name, file in _FILES.items()}
    word = docx.Document(packed({**parts, "word/theme/theme1.xml": theme()}))
    if language is Language.EN:
        return word
    for spacing in word.styles.element.iter(qn("w:spacing")):
        line = spacing.get(qn("w:line"))
        if line is not None:
            spacing.set(qn("w:line"), str(max(_SINGLE, round(int(line) * _TALLER_LETTERS))))
    return word


def _parts(document: ReportDocument, body: Body) -> Iterator[Element]:
    """Yield all parts, with the sources before the trail, and the brief at the end."""
    before = [part for part in document.parts if part.kind in _BEFORE_SOURCES]
    after = [part for part in document.parts if part.kind is PartKind.TRAIL]
    for part in before:
        yield from _part(part, body)
    if document.sources:
        yield body.heading(_heading(SOURCES, document.language), is_quiet=True)
        yield from source_entries(document, body)
    for part in after:
        yield from _part(part, body)
    if document.brief:
        yield body.heading(_heading(BRIEF, document.language), is_quiet=True)
        yield from body.blocks([_brief(document)], Place(is_quiet=True))


def _part(part: DocumentPart, body: Body) -> list[Element]:
    return body.blocks(part.blocks, Place(is_quiet=part.kind not in _LOUD))


def _heading(words: Bilingual, language: Language) -> Heading:
    return Heading(1, (Text(words.in_(language)),))


def _brief(document: ReportDocument) -> Items:
    """Return the brief as a list: the name of each field, and its value."""
    between = Bilingual(": ", "：").in_(document.language)
    return Items(
        tuple((Paragraph((Text(f"{name}{between}", bold=True), Text(value))),) for name, value in document.brief)
    )
