"""PDFs: rows of tables stay lines, pages have numbers, and a title is one that a reader would give."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfWriter

from research.library import Library, place_url
from tests.support.hostile_files import pdf_page, pdf_stream


def set_in(lines: list[tuple[int, int, int, str]]) -> bytes:
    """Lines of a page, each with its size, its place from the left and from below, and its words."""
    written = "".join(f"/F {size} Tf 1 0 0 1 {left} {up} Tm ({words}) Tj " for size, left, up, words in lines)
    return pdf_stream(f"BT {written}ET".encode("latin-1"))


def table(rows: list[tuple[str, ...]]) -> list[tuple[int, int, int, str]]:
    return [
        (9, 50 + 200 * column, 600 - 14 * number, cell)
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
    ]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    (tmp_path / "documents").mkdir()
    return Library(tmp_path / "documents", tmp_path / "index")


def text_of(library: Library, data: bytes) -> str:
    (library.folder / "a.pdf").write_bytes(data)
    library.refresh()
    return library.text("a.pdf")


def test_each_row_of_a_table_is_a_line_with_its_figures(library: Library) -> None:
    rows = [
        ("Product", "$ 15,535", "$ 15,741"),
        ("Service and other", "40,982", "34,381"),
        ("General and administrative", "1,474", "1,398"),
        ("Other comprehensive loss", "(594)", "(2,665)"),
        ("Growth", "5%", "7%"),
    ]
    assert text_of(library, pdf_page(set_in(table(rows)))).splitlines() == [" ".join(row) for row in rows]


def test_lines_that_the_width_of_a_page_broke_are_joined_and_a_row_that_follows_is_not(library: Library) -> None:
    said = [
        "The company sold more pumps than in any year before because",
        "water utilities replaced what they had bought long ago.",
        "Net income of the year and of the year before $ 3,172 $ 3,844",
        "Foreign currency translation adjustments, net of tax of $ 16 and",
        "$ 10 (333) 386",
    ]
    lines = [(9, 50, 700 - 14 * number, words) for number, words in enumerate(said)]
    assert text_of(library, pdf_page(set_in(lines))).splitlines() == [
        f"{said[0]} {said[1]}",
        said[2],
        f"{said[3]} {said[4]}",
    ]


def test_every_page_has_its_number(library: Library) -> None:
    page = pdf_page(set_in([(9, 50, 700, "Pumps sold well.")]), b"[3 0 R 3 0 R 3 0 R]", 3)
    text = text_of(library, page)
    places = [at for at in range(len(text)) if text.startswith("Pumps", at)]
    assert [place_url("file:///a.pdf", text, at, at + 5)[-1] for at in places] == ["1", "2", "3"]


def test_pages_lose_what_runs_at_their_heads_and_feet(library: Library) -> None:
    said = ["Pumps sell well in Hanoi.", "Seals wear out in sand.", "Services grow fast.", "Prices rose in May."]
    book, data = PdfWriter(), BytesIO()
    for number, body in enumerate(said, start=1):
        lines = [(9, 50, 760, "Handbook of pumps"), (9, 50, 600, body), (9, 300, 20, f"{number} / 4")]
        book.append(BytesIO(pdf_page(set_in(lines))))
    book.write(data)
    text = text_of(library, data.getvalue())
    assert [page.strip() for page in text.split("\f")] == said


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        (b"", "Apex Pumps Inc. Annual Report 2025"),
        (b"/Title(0000320193-23-000006)", "Apex Pumps Inc. Annual Report 2025"),
        (b"/Title(Microsoft Word - draft3.docx)", "Apex Pumps Inc. Annual Report 2025"),
        (b"/Title(EPA2022)", "Apex Pumps Inc. Annual Report 2025"),
        (b"/Title(Results of the fiscal year)", "Results of the fiscal year"),
    ],
)
def test_a_title_is_stated_or_else_what_the_first_page_shows_largest(
    library: Library, stated: bytes, title: str
) -> None:
    lines = [
        (9, 50, 760, "UNITED STATES"),
        (20, 50, 700, "Apex Pumps Inc."),
        (20, 50, 675, "Annual Report 2025"),
        *((9, 50, 640 - 14 * number, "Pumps sold well in all regions of the world.") for number in range(20)),
    ]
    text_of(library, pdf_page(set_in(lines), about=stated))
    assert library.document("a.pdf").title == title


def test_a_page_on_which_nothing_stands_out_leaves_the_name_of_the_file(library: Library) -> None:
    text_of(library, pdf_page(set_in([(9, 50, 700 - 14 * number, "Pumps sold well.") for number in range(9)])))
    assert library.document("a.pdf").title == "a"
