"""Every sentence, quote and link of a report stands in each of its documents, and can be taken out again."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import lxml.html
import pytest
from lxml import etree

from research.export import FORMATS
from research.export.composing import document_of
from research.export.document import Block, Heading, Items, Paper, Paragraph, Quotation, ReportDocument, Table, Text
from research.language import Language
from research.results import Report
from tests.support.pdf_samples import links_of, text_of
from tests.support.reports import electricity_report, sales_report, with_page

ADDRESS = "https://example.org/a%20b/(1)?x=1&y=市場#part"
TITLE = "A *title* <b>with</b> [markup] & 日本語、그리고 中文"


class Taken(NamedTuple):
    """What can be taken out of a file."""

    text: str
    links: set[str]


def from_pdf(data: bytes) -> Taken:
    return Taken(text_of(data), {link for link in links_of(data) if not link.startswith("#")})


def from_html(data: bytes) -> Taken:
    root = lxml.html.document_fromstring(data, parser=lxml.html.HTMLParser(encoding="utf-8"))
    return Taken(root.text_content(), {str(link) for link in root.xpath("//a/@href")})


def from_docx(data: bytes) -> Taken:
    return from_office(data, r"word/(?:document|footnotes|endnotes)\.xml")


def from_pptx(data: bytes) -> Taken:
    return from_office(data, r"ppt/(?:slides|notesSlides)/\w+\.xml")


def from_office(data: bytes, parts: str) -> Taken:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        said = [etree.fromstring(packed.read(name)) for name in packed.namelist() if re.fullmatch(parts, name)]
        links = [packed.read(name).decode() for name in packed.namelist() if name.endswith(".rels")]
    words = [node.text or "" for root in said for node in root.iter("{*}t")]
    return Taken("".join(words), {html.unescape(link) for link in re.findall(r'Target="(http[^"]+)"', "".join(links))})


TAKE: dict[str, Callable[[bytes], Taken]] = {"pdf": from_pdf, "html": from_html, "docx": from_docx}


def letters(text: str) -> str:
    """Letters and digits alone, without citations: all that lines, lists and pages leave as it was."""
    return re.sub(r"[\W_]+", "", re.sub(r"\[\d+\]†?", "", html.unescape(text))).casefold()


def report_of(home: Path, language: Language, kind: str) -> Report:
    report = {"sales": sales_report, "electricity": electricity_report}[kind](home, language)
    page = next(source.id for source in report.record.sources if source.number == 1)
    return with_page(report, page, url=ADDRESS, title=TITLE)


def words_of(document: ReportDocument) -> list[str]:
    """The words of every block that stands in the document."""

    def said(block: Block) -> list[str]:
        match block:
            case Heading(line=line) | Paragraph(line):
                return ["".join(piece.text for piece in line if isinstance(piece, Text))]
            case Items(items):
                return [words for item in items for inner in item for words in said(inner)]
            case Table(head, rows):
                cells = [cell for row in (head, *rows) for cell in row]
                return ["".join(piece.text for piece in cell if isinstance(piece, Text)) for cell in cells]
            case Quotation(blocks):
                return [words for inner in blocks for words in said(inner)]
            case _:
                return []

    return [words for part in document.parts for block in part.blocks for words in said(block)]


def links_in(document: ReportDocument) -> set[str]:
    return {source.url for source in document.sources if source.url}


@pytest.mark.parametrize("kind", ["sales", "electricity"])
@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("name", list(TAKE))
def test_nothing_is_lost(tmp_path: Path, name: str, language: Language, kind: str) -> None:
    report = report_of(tmp_path, language, kind)
    document, taken = document_of(report), TAKE[name](FORMATS[name].make(report, Paper.A4))
    there = letters(taken.text)
    for sentence in report.record.sentences:
        assert letters(sentence.text) in there
    for words in words_of(document):
        assert letters(words) in there
    for source in document.sources:
        assert letters(source.title) in there
        assert all(letters(quote) in there for quote in source.quotes)
    found = {unquote(link) for link in taken.links}
    assert {unquote(link) for link in links_in(document)} <= found
    assert unquote(ADDRESS) in found


@pytest.mark.parametrize("language", list(Language))
def test_slides_name_every_source_with_its_link(tmp_path: Path, language: Language) -> None:
    report = report_of(tmp_path, language, "electricity")
    document, taken = document_of(report), from_pptx(FORMATS["pptx"].make(report, Paper.A4))
    there = letters(taken.text)
    assert all(letters(source.title)[:40] in there for source in document.sources)
    assert {unquote(source.url) for source in document.sources if source.url} <= set(map(unquote, taken.links))
