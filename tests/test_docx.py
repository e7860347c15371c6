"""A report as a Word file: real styles, lists, footnotes, fields and charts, and nothing of it lost."""

from __future__ import annotations

import io
import re

import docx
import openpyxl
import pytest
from docx.document import Document as WordDocument
from docx.oxml.ns import qn
from docx.shared import Pt

from research.export.document import Paper, ReportDocument
from research.export.office.docx import to_docx
from research.language import Language
from tests.support.office_samples import (
    body,
    document,
    items,
    nested,
    parts_of,
    source,
    table,
    words_of,
)
from tests.support.pdf_samples import heading, paragraph as para


def _read(given: ReportDocument) -> WordDocument:
    return docx.Document(io.BytesIO(to_docx(given)))


def _styles(word: WordDocument) -> list[str]:
    return [paragraph.style.name for paragraph in word.paragraphs if paragraph.style is not None]


def test_the_parts_have_real_styles_and_stand_in_order() -> None:
    word = _read(document())
    styles = _styles(word)
    for name in ("Title", "Subtitle", "Heading 1", "Heading 2", "List Bullet", "Quote", "Code", "Caption"):
        assert name in styles
    quiet = [p.text for p in word.paragraphs if p.style is not None and p.style.name == "Appendix Heading"]
    assert quiet == [
        "Contradictions",
        "Limits",
        "Verification",
        "Sources",
        "How it was researched",
        "What was asked for",
    ]
    assert word.tables[0].style is not None
    assert word.tables[0].style.name == "Report Table"
    assert word.tables[0].style.base_style.name == "Table Grid"  # type: ignore[union-attr]


def test_citations_lead_to_the_list_of_sources() -> None:
    root = _read(document()).element
    bookmarks = {node.get(qn("w:name")) for node in root.iter(qn("w:bookmarkStart"))}
    anchors = [node.get(qn("w:anchor")) for node in root.iter(qn("w:hyperlink")) if node.get(qn("w:anchor"))]
    assert {"source_1", "source_2", "source_3"} <= set(anchors)
    assert set(anchors) <= bookmarks
    ids = [node.get(qn("w:id")) for node in root.iter(qn("w:bookmarkStart"))]
    assert len(ids) == len(set(ids))


def test_a_source_has_one_footnote_that_keeps_its_number_when_others_go() -> None:
    given = body(heading("A"), para("One. "), *(para(f"Sentence {n}. ", *_cited(2, 1)) for n in range(3)))
    data = to_docx(given)
    root = docx.Document(io.BytesIO(data)).element
    marks = list(root.iter(qn("w:footnoteReference")))
    assert [mark.get(qn("w:customMarkFollows")) for mark in marks] == ["1", "1"]
    notes = words_of(data, "word/footnotes")
    assert "[2]Energyyearbook2—example.com·News·2026-09-01" in notes
    assert notes.index("[2]") < notes.index("[1]")


def _cited(*numbers: int) -> list[object]:
    from research.export.document import Citation

    return [Citation(number) for number in numbers]


def test_lists_are_nested_by_level_and_each_numbered_list_counts_for_itself() -> None:
    given = body(nested(8), items("a", "b", is_ordered=True, start=3), items("c", is_ordered=True))
    word = _read(given)
    levels = [
        (p.text, int(p._p.pPr.numPr.ilvl.val), int(p._p.pPr.numPr.numId.val))  # type: ignore[union-attr]
        for p in word.paragraphs
        if p._p.pPr is not None and p._p.pPr.numPr is not None
    ]
    assert [level for text, level, _ in levels if text.startswith("level")] == list(range(8))
    lists = {text: number for text, _, number in levels}
    assert lists["a"] == lists["b"] != lists["c"]
    starts = word.part.numbering_part.element.xpath(f"//w:num[@w:numId={lists['a']}]//w:startOverride/@w:val")
    assert starts == ["3"]


def test_contents_are_a_filled_field_in_long_reports_alone() -> None:
    chapters = [block for n in range(9) for block in (heading(f"Chapter {n}"), para("Words of this chapter. " * 60))]
    word = _read(body(*chapters))
    fields = [node.text for node in word.element.iter(qn("w:instrText"))]
    assert [text.split()[0] for text in fields] == ["TOC"]
    kinds = [node.get(qn("w:fldCharType")) for node in word.element.iter(qn("w:fldChar"))]
    assert kinds == ["begin", "separate", "end"]
    entries = [
        "".join(node.text or "" for node in entry.iter(qn("w:t")))
        for entry in word.element.iter(qn("w:p"))
        if entry.pPr is not None and entry.pPr.style == "TOC1"
    ]
    assert entries == [f"Chapter {n}" for n in range(9)] + ["Sources", "What was asked for"]
    assert not list(_read(document()).element.iter(qn("w:instrText")))


def test_what_begins_without_a_heading_stands_apart_from_the_contents() -> None:
    chapters = [block for n in range(9) for block in (heading(f"Chapter {n}"), para("Words of this chapter. " * 60))]
    (first,) = [one for one in _read(body(para("In short, it grew."), *chapters)).paragraphs if "In short" in one.text]
    assert first.paragraph_format.space_before == Pt(24)
    (head,) = [one for one in _read(body(*chapters)).paragraphs if one.text == "Chapter 0"]
    assert head.paragraph_format.space_before is None, "a heading keeps its own distance"


def test_a_citation_never_begins_a_line_where_a_blank_stands_before_it() -> None:
    words = _read(body(heading("A"), para("One fact ", *_cited(1, 2), " and another.", *_cited(1)))).paragraphs
    assert "One fact\N{NO-BREAK SPACE}[1]" in "\n".join(paragraph.text for paragraph in words)


def test_the_sources_of_a_section_stand_below_it_in_small_print() -> None:
    word = _read(body(heading("A"), para("x"), para("Sources of this section: ", *_cited(1))))
    assert "Section Sources" in _styles(word)


def test_the_axes_of_charts_have_ids_that_the_format_allows() -> None:
    for name, content in parts_of(to_docx(document())).items():
        if name.startswith("word/charts/chart"):
            ids = re.findall(rb'<c:(?:axId|crossAx) val="([^"]+)"', content)
            assert len(set(ids)) == 2
            assert all(number.isdigit() for number in ids)


def test_charts_are_drawn_from_workbooks_that_can_be_edited() -> None:
    data = to_docx(document())
    files = parts_of(data)
    assert b"lineChart" in files["word/charts/chart1.xml"]
    assert b"barChart" in files["word/charts/chart2.xml"]
    book = openpyxl.load_workbook(io.BytesIO(files["word/embeddings/Microsoft_Excel_Sheet1.xlsx"]))
    rows = list(book.active.values)  # type: ignore[union-attr]
    assert rows == [(None, "Yearbook", "Exchange"), ("2021", 13.5, 13), ("2022", 20.4, 21), ("2023", None, 12.1)]
    words = words_of(data, "word/document")
    assert "Sources:[1]Energyyearbook1·[2]Energyyearbook2·Owndocument:boardminutes" in words
    assert not [name for name in files if name.endswith((".png", ".jpeg", ".emf"))]


@pytest.mark.parametrize(("paper", "inches"), [(Paper.A4, (8.27, 11.69)), (Paper.LETTER, (8.5, 11.0))])
def test_the_page_has_its_paper_header_and_numbers(paper: Paper, inches: tuple[float, float]) -> None:
    word = docx.Document(io.BytesIO(to_docx(document(), paper=paper)))
    section = word.sections[0]
    assert section.page_width is not None
    assert section.page_height is not None
    assert (round(section.page_width.inches, 2), round(section.page_height.inches, 2)) == inches
    assert section.header.paragraphs[0].text == "What moves the price of electricity"
    fields = [node.get(qn("w:instr")) for node in section.footer._element.iter(qn("w:fldSimple"))]
    assert fields == [" PAGE ", " NUMPAGES "]


@pytest.mark.parametrize(("language", "tag"), [(Language.EN, "en-US"), (Language.JA, "ja-JP")])
def test_the_file_says_what_it_is_and_has_japanese_type(language: Language, tag: str) -> None:
    word = _read(document(language))
    properties = word.core_properties
    assert (properties.title, properties.language) == ("What moves the price of electricity", tag)
    assert properties.created is not None
    assert properties.created.date().isoformat() == "2026-11-22"
    defaults = word.styles.element.find(qn("w:docDefaults"))
    fonts = next(defaults.iter(qn("w:rFonts")))
    assert fonts.get(qn("w:eastAsia")) == "Yu Gothic"
    assert next(defaults.iter(qn("w:lang"))).get(qn("w:eastAsia")) == "ja-JP"


def test_wide_tables_are_set_in_parts_that_repeat_head_and_first_column() -> None:
    word = _read(body(heading("A"), table(60, 2)))
    assert len(word.tables) == 9
    cells = {cell.text for found in word.tables for row in found.rows for cell in row.cells}
    assert cells == {f"Head {n}" for n in range(60)} | {f"r{r}c{n}" for r in range(2) for n in range(60)}
    assert all(found.cell(1, 0).text == "r0c0" for found in word.tables)
    captions = [p.text for p in word.paragraphs if p.style is not None and p.style.name == "Caption"]
    assert captions[:2] == ["Columns 1–8 of 60", "Columns 9–15 of 60"]
    assert all(found.rows[0]._tr.trPr is not None for found in word.tables)


def test_five_hundred_sources_stand_in_the_order_of_their_numbers() -> None:
    sources = tuple(source(number) for number in range(500, 0, -1))
    word = _read(body(heading("A"), para("x"), sources=sources))
    paragraphs = [paragraph for paragraph in word.paragraphs if paragraph._p.style == "SourceEntry"]
    entries = [paragraph.text for paragraph in paragraphs]
    assert [entry.partition("\t")[0] for entry in entries] == [f"[{number}]" for number in range(1, 501)]
