"""A report as a PDF: everything is in it, every link leads somewhere, and the same report gives the same file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from research.core import Length
from research.export.document import (
    Citation,
    Code,
    DocumentPart,
    Items,
    LineBreak,
    Paper,
    PartKind,
    Quotation,
    Text,
    ThematicBreak,
)
from research.export.pdf import to_pdf
from research.language import Language
from tests.support.pdf_samples import (
    chart,
    document,
    heading,
    line,
    links_of,
    paragraph,
    read,
    source,
    squeezed,
    structure,
    table,
    text_of,
)


def test_every_kind_of_block_is_set() -> None:
    inner = Items((((paragraph("inner item")),), (paragraph("second inner"),)))
    made = text_of(
        to_pdf(
            document(
                heading("Chapter"),
                heading("Section", 2),
                paragraph(
                    Text("bold", bold=True), Text(" italic", italic=True), LineBreak(), Text("struck", strike=True)
                ),
                paragraph(Text("code_inline()", code=True)),
                Items(((paragraph("outer item"), inner),), is_ordered=True, start=7),
                table(2, 3),
                Code("def f():\n    return 1"),
                Quotation((paragraph("what somebody says"),)),
                ThematicBreak(),
                chart(),
            )
        )
    )
    for words in (
        "Chapter", "Section", "bold italic", "struck", "code_inline()", "7.", "outer item", "inner item", "head 2",
        "cell 1/2", "def f():", "return 1", "what somebody says", "Exports of goods", "USD", "680B", "2024",
        "World Factbook", "統計年鑑",
    ):  # fmt: skip
        assert squeezed(words) in made, words


def test_every_part_is_set_in_its_order_with_the_sources_before_the_trail() -> None:
    kinds = [PartKind.LIMITS, PartKind.VERIFICATION, PartKind.TRAIL]
    parts = tuple(DocumentPart(kind, (heading(f"part {kind}"), paragraph(f"text of {kind}"))) for kind in kinds)
    text = text_of(to_pdf(document(paragraph("the body"), parts=parts)))
    wanted = ["the body", "text of limits", "text of verification", "Quote number 2", "part trail", "text of trail"]
    places = [text.index(squeezed(words)) for words in wanted]
    assert places == sorted(places)


def test_the_opening_says_when_by_whom_and_how_far_it_was_checked() -> None:
    text = text_of(to_pdf(document(paragraph("x"))))
    for words in (
        "Pumps in Asia",
        "How many?",
        "Researched on January 2, 2026",
        "3 of 4 sentences",
        "Partly supported 1",
    ):
        assert squeezed(words) in text, words
    assert "market" in text
    assert "Region" not in text  # the brief leaves it open


def test_a_source_shows_its_date_address_and_quotes() -> None:
    entry = source(1, quotes=("A quote.",))
    data = to_pdf(document(paragraph("x", Citation(1)), sources=(entry,)))
    for words in (
        "Yearbook 1",
        "example.org",
        "Statistics",
        "2025-05-01",
        "https://example.org/yearbook/1",
        "“A quote.”",
    ):
        assert squeezed(words) in text_of(data), words
    assert "https://example.org/yearbook/1" in links_of(data)


def test_citations_lead_to_their_source_and_back() -> None:
    inside = [
        link
        for link in links_of(to_pdf(document(paragraph("x", Citation(1), Citation(2), Citation(1)))))
        if link[0] == "#"
    ]
    assert inside == ["#True"] * 5  # three citations, and a way back from each of two sources


def test_a_citation_without_a_source_is_no_link() -> None:
    data = to_pdf(document(paragraph("x", Citation(9, is_recent=True))))
    assert "[9]†" in text_of(data)
    assert "#True" not in set(links_of(data))


def test_citations_in_headings_and_heads_of_tables_may_repeat() -> None:
    cited = replace(table(40, 2), head=(line("a", Citation(1)), line("b", Citation(2))))
    chapters = [replace(heading("Chapter"), line=line("Chapter", Citation(1))) for _ in range(3)]
    long_text = [paragraph("word " * 400) for _ in range(10)]
    data = to_pdf(document(*chapters, cited, *long_text))
    assert b"pdfuaid" in data
    assert list(links_of(data)).count("#True") >= 3 + 2


@pytest.mark.parametrize("language", list(Language))
def test_metadata(language: Language) -> None:
    given = document(heading("Chapter"), paragraph("x"), language=language)
    reader = read(to_pdf(given))
    assert reader.metadata is not None
    assert reader.metadata.title == given.title
    assert reader.metadata.author == ("Research Workbench" if language is Language.EN else "リサーチワークベンチ")
    assert "Chapter" in str(reader.metadata.keywords)


def test_what_no_typeface_has_costs_the_claim_but_not_the_document() -> None:
    data = to_pdf(document(paragraph("before \U00013000 after")))
    assert b"pdfuaid" not in data
    assert "before" in text_of(data)


def test_the_same_document_gives_the_same_bytes() -> None:
    given = document(heading("A"), paragraph("日本語 and English", Citation(1)), chart(), table(3, 3))
    assert to_pdf(given) == to_pdf(given)


@pytest.mark.parametrize(("paper", "size"), [(Paper.A4, (595, 842)), (Paper.LETTER, (612, 792))])
def test_paper(paper: Paper, size: tuple[int, int]) -> None:
    box = read(to_pdf(document(paragraph("x")), paper=paper)).pages[0].mediabox
    assert (round(box.width), round(box.height)) == size


def test_a_short_document_has_no_title_page() -> None:
    reader = read(to_pdf(document(paragraph("the only paragraph"))))
    assert len(reader.pages) == 1
    assert "1 / 1" in reader.pages[0].extract_text()


def test_a_long_document_has_a_title_page_and_contents_with_page_numbers() -> None:
    blocks = [block for at in range(12) for block in (heading(f"Chapter {at}"), paragraph("word " * 400))]
    pages = [page.extract_text() for page in read(to_pdf(document(*blocks))).pages]
    assert "Pumps in Asia" in pages[0]
    assert "word" not in pages[0]
    assert all(f"Chapter {at}" in pages[1] for at in range(12))
    assert f"3 / {len(pages)}" in pages[2]
    last = next(at for at, text in enumerate(pages[2:], start=3) if "Chapter 11" in text)
    assert pages[1].split("Chapter 11")[1].replace(".", " ").split()[0] == str(last)


def test_a_title_that_fills_its_line_is_set() -> None:
    """No narrower line would take it; as it is balanced, that is what is looked for first."""
    title = "海外売上高の目標と2025年度の実績はどうなっているか。"
    assert squeezed(title) in text_of(to_pdf(document(paragraph("the answer"), title=title, length=Length.PAGE)))


def test_one_page_stands_by_itself_with_what_is_behind_it_on_the_next() -> None:
    behind = DocumentPart(PartKind.LIMITS, (heading("Limits"), paragraph("what was not found")))
    given = document(heading("Answer"), paragraph("the answer"), parts=(behind,), length=Length.PAGE)
    first, second = [page.extract_text() for page in read(to_pdf(given)).pages]
    assert "the answer" in first and "Scope" not in first
    places = [second.index(words) for words in ("Limits", "Sources", "What was asked for", "market")]
    assert places == sorted(places)
    usual = [page.extract_text() for page in read(to_pdf(replace(given, length=Length.SHORT))).pages]
    assert len(usual) == 1
    assert usual[0].index("the answer") < usual[0].index("Limits") < usual[0].index("market")


def test_a_short_list_and_what_leads_to_it_stay_together() -> None:
    points = Items(tuple((paragraph(f"point {at}"),) for at in range(4)))
    for filling in range(14, 30):
        blocks = [paragraph(f"line {at}") for at in range(filling)]
        leading = [heading("Part", 2), paragraph("Of what is below."), paragraph("Leads in:")]
        pages = [page.extract_text() for page in read(to_pdf(document(*blocks, *leading, points))).pages]
        assert sum("point" in page for page in pages) == 1
        (page,) = (page for page in pages if "point 0" in page)
        assert "Leads in:" in page and "Of what is below." in page


def test_an_address_outside_ascii_is_written_as_pdf_files_write_it() -> None:
    entry = source(1, url="https://example.org/市場?q=é")
    links = list(links_of(to_pdf(document(paragraph("x"), sources=(entry,)))))
    assert "https://example.org/%E5%B8%82%E5%A0%B4?q=%C3%A9" in links


# --- what a screen reader is told of a PDF ---------------------------------------------------------------------------


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
    assert [tag for tag in found if tag in ("/H1", "/H2", "/H3")] == ["/H1", "/H2", "/H1", "/H1", "/H1"]
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
    assert titles == ["Chapter", "Section", "Verification", "Sources", "What was asked for"]


def test_a_japanese_heading_is_whole_in_bookmarks_and_contents() -> None:
    words = "サービス拠点の2025年の費用はいくらか、ベトナムの計画は順調か？"
    blocks = [block for at in range(30) for block in (heading(f"{words}{at}"), paragraph("市場" * 500))]
    made = read(to_pdf(document(*blocks, language=Language.JA)))
    assert [entry.title for entry in made.outline][:2] == [f"{words}0", f"{words}1"]  # type: ignore[union-attr]
    assert f"{words}7" in made.pages[1].extract_text().replace("\n", "")
