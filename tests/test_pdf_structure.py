"""What a screen reader is told of a PDF: headings, lists, tables, links and charts, in the order of reading."""

from __future__ import annotations

import pytest

from research.export.document import Citation, DocumentPart, Items, PartKind, Quotation, Text
from research.export.pdf import to_pdf
from research.language import Language
from tests.support.pdf_samples import chart, document, heading, paragraph, read, structure, table

ITEMS = Items(((paragraph("one"),), (paragraph("two"), Items(((paragraph("inner"),),)))))
BODY = (
    heading("Chapter"), paragraph("Said", Citation(1), Text(" and linked", url="https://example.org/x")), ITEMS,
    heading("Section", 2), table(2, 3), Quotation((paragraph("quoted"),)), chart(),
)  # fmt: skip
BEHIND = (DocumentPart(PartKind.VERIFICATION, (heading("Verification"), paragraph("Checked."))),)


@pytest.fixture(scope="module")
def data() -> bytes:
    return to_pdf(document(*BODY, parts=BEHIND))


def tags(data: bytes) -> list[str]:
    return [str(node["/S"]) for node in structure(data)]


def test_it_is_tagged_titled_and_in_a_language(data: bytes) -> None:
    root = read(data).root_object
    assert root["/MarkInfo"]["/Marked"] and root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert str(root["/Lang"]).startswith("en")
    assert all(page["/Tabs"] == "/S" for page in read(data).pages)
    assert str(read(to_pdf(document(paragraph("x"), language=Language.JA))).root_object["/Lang"]) == "ja-JP"


def test_headings_lists_tables_and_quotations_are_what_they_are(data: bytes) -> None:
    found = tags(data)
    assert found.count("/Title") == 1
    assert [tag for tag in found if tag in ("/H1", "/H2", "/H3")] == ["/H1", "/H2", "/H1", "/H1"]
    assert found.count("/L") == 3, "two lists, and that of the sources"
    assert found.count("/LI") == found.count("/Lbl") == found.count("/LBody") == 3 + 2
    assert (found.count("/Table"), found.count("/TR"), found.count("/TH"), found.count("/TD")) == (1, 3, 3, 6)
    assert "/BlockQuote" in found


def test_heads_of_tables_say_what_they_are_the_heads_of(data: bytes) -> None:
    heads = [node for node in structure(data) if node["/S"] == "/TH"]
    scopes = {str(attribute.get("/Scope")) for node in heads for attribute in attributes(node)}
    assert "/Column" in scopes


def attributes(node: dict) -> list[dict]:  # type: ignore[type-arg]
    given = node.get("/A", [])
    return [one.get_object() for one in (given if isinstance(given, list) else [given])]


def test_a_chart_is_told_in_words(data: bytes) -> None:
    (figure,) = [node for node in structure(data) if node["/S"] == "/Figure"]
    said = str(figure["/Alt"])
    for words in ("Exports of goods (USD)", "World Factbook", "2021 644,000,000,000"):
        assert words in said


def test_every_link_is_an_element_with_words(data: bytes) -> None:
    links = [node for node in structure(data) if node["/S"] == "/Link"]
    annotations = [note.get_object() for page in read(data).pages for note in page.get("/Annots", [])]
    assert len(links) >= len({str(note.get("/A", note.get("/Dest"))) for note in annotations}) > 4
    assert all(note["/Subtype"] == "/Link" and str(note["/Contents"]).strip() for note in annotations)
    assert all("/StructParent" in note for note in annotations)


def test_the_order_of_reading_is_that_of_the_page(data: bytes) -> None:
    found = tags(data)
    body = found[found.index("/H1") :]
    order = [body.index(tag) for tag in ("/H1", "/L", "/H2", "/Table", "/BlockQuote", "/Figure")]
    assert order == sorted(order)


def test_a_bookmark_stands_for_each_heading(data: bytes) -> None:
    titles = []

    def look(entries: list) -> None:  # type: ignore[type-arg]
        for entry in entries:
            look(entry) if isinstance(entry, list) else titles.append(entry.title)

    look(read(data).outline)
    assert titles == ["Chapter", "Section", "Verification", "Sources"]


def test_a_japanese_heading_is_whole_in_bookmarks_and_contents() -> None:
    words = "サービス拠点の2025年の費用はいくらか、ベトナムの計画は順調か？"
    blocks = [block for at in range(30) for block in (heading(f"{words}{at}"), paragraph("市場" * 500))]
    made = read(to_pdf(document(*blocks, language=Language.JA)))
    assert [entry.title for entry in made.outline][:2] == [f"{words}0", f"{words}1"]  # type: ignore[union-attr]
    assert f"{words}7" in made.pages[1].extract_text().replace("\n", "")
