"""PDFs: rows of tables stay lines, pages have numbers, and a title is one that a reader would give."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfWriter

import research
from research.core import Brief, SourceName
from research.library import Library, place_url
from research.settings import Settings
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


def text_of(library: Library, data: bytes) -> str:
    (library.folder / "a.pdf").write_bytes(data)
    library.refresh()
    return library.text("a.pdf")


def rows_of(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if set(row) != {"---"}]


def test_a_table_keeps_its_rows_and_their_figures(library: Library) -> None:
    rows = [
        ("Product", "$ 15,535", "$ 15,741"),
        ("Service and other", "40,982", "34,381"),
        ("General and administrative", "1,474", "1,398"),
        ("Other comprehensive loss", "(594)", "(2,665)"),
        ("Growth", "5%", "7%"),
    ]
    told = rows_of(text_of(library, pdf_page(set_in(table(rows)))))
    assert told == [["", "", ""], *([cell.replace("$ ", "$") for cell in row] for row in rows)]


def test_what_stands_above_figures_is_the_head_of_their_column(library: Library) -> None:
    lines = [
        (9, 50, 700, "Revenue by market was as follows:"),
        (9, 215, 680, "Three Months Ended"),
        (9, 415, 680, "Nine Months Ended"),
        *((9, left, 668, "October 29,") for left in (205, 405)),
        *((9, left, 668, "October 30,") for left in (305, 505)),
        *((9, left, 656, year) for left, year in ((220, "2023"), (320, "2022"), (420, "2023"), (520, "2022"))),
        (9, 50, 644, "(In millions)"),
        (9, 50, 632, "Revenue:"),
        *((9, 50, 620 - 12 * row, name) for row, name in enumerate(("Data Center", "Gaming", "Total"))),
        *(
            (9, 220 + 100 * column, 620 - 12 * row, figure)
            for row, figures in enumerate(
                (("$ 145", "$ 38", "$ 291", "$ 113"), ("28", "15", "75", "72"), ("173", "53", "366", "185"))
            )
            for column, figure in enumerate(figures)
        ),
        (9, 50, 580, "Sales to one customer were 12% of the whole in 2023."),
    ]
    text = text_of(library, pdf_page(set_in(sorted(lines, key=lambda line: (-line[2], line[1])))))
    assert rows_of(text) == [
        [
            "(In millions)",
            "Three Months Ended October 29, 2023",
            "October 30, 2022",
            "Nine Months Ended October 29, 2023",
            "October 30, 2022",
        ],
        ["Revenue:", "", "", "", ""],
        ["Data Center", "$145", "$38", "$291", "$113"],
        ["Gaming", "28", "15", "75", "72"],
        ["Total", "173", "53", "366", "185"],
    ]
    assert text.startswith("Revenue by market was as follows:\n")
    assert text.endswith("Sales to one customer were 12% of the whole in 2023.")


def test_what_stands_above_the_second_of_two_years_is_the_head_of_both(library: Library) -> None:
    lines = [
        *((9, left, 680, f"{months} Months Ended") for left, months in ((255, "Three"), (455, "Six"))),
        *((9, left, 668, "December 31,") for left in (310, 510)),
        *((9, left, 656, year) for left, year in ((220, "2022"), (320, "2021"), (420, "2022"), (520, "2021"))),
        *(
            (9, left, 644 - 12 * row, told)
            for row, told_there in enumerate((("Revenue", "527", "517", "990", "970"), ("Tax", "21", "22", "41", "42")))
            for left, told in zip((50, 220, 320, 420, 520), told_there, strict=True)
        ),
    ]
    text = text_of(library, pdf_page(set_in(sorted(lines, key=lambda line: (-line[2], line[1])))))
    heads = [f"{months} Months Ended December 31, {year}" for months in ("Three", "Six") for year in (2022, 2021)]
    assert rows_of(text)[0] == ["", *heads]


def test_the_date_in_the_name_of_a_row_is_no_figure_and_a_name_of_two_lines_is_one(library: Library) -> None:
    rows = [
        ("Balance as of September 24, 2022", "201,501", "$ 109.48"),
        ("Adjustment for losses realized and", "", ""),
        ("included in net income", "(14)", "(1)"),
        ("Balance as of July 1, 2023", "184,716", "$ 135.08"),
    ]
    told = rows_of(text_of(library, pdf_page(set_in([line for line in table(rows) if line[3]]))))
    assert told[1:] == [
        ["Balance as of September 24, 2022", "201,501", "$109.48"],
        ["Adjustment for losses realized and included in net income", "(14)", "(1)"],
        ["Balance as of July 1, 2023", "184,716", "$135.08"],
    ]


def test_prose_that_ends_in_figures_is_no_table(library: Library) -> None:
    said = ["Sales of pumps were 3,172 3,844", "Sales of seals were 4,172 4,844", "Services were 5,172 5,844"]
    lines = [(9, 50, 700 - 14 * number, words) for number, words in enumerate(said)]
    assert text_of(library, pdf_page(set_in(lines))).splitlines() == said


def test_a_question_in_other_words_is_answered_from_a_table_of_a_pdf(tmp_path: Path) -> None:
    home = tmp_path / "documents"
    home.mkdir()
    rows = [
        ("iPhone", "39,669", "40,665"),
        ("Mac", "6,840", "7,382"),
        ("iPad", "5,791", "7,224"),
        ("Services", "21,213", "19,604"),
    ]
    lines = [
        (9, 50, 660, "Net sales by product of the quarter were as follows (in millions):"),
        (9, 240, 630, "July 1, 2023"),
        (9, 440, 630, "June 25, 2022"),
        *table(rows),
    ]
    (home / "Orchard.pdf").write_bytes(pdf_page(set_in(lines), about=b"/Title(Orchard Inc. quarterly report)"))
    brief = Brief(
        question="How did Orchard's tablet revenue in the quarter to July 2023 change against a year earlier?",
        sources=(SourceName.LIBRARY,),
    )
    settings = Settings.from_environment({"RESEARCH_HOME": str(tmp_path / "home")})
    draft = research.run_sync(brief, library=home, analyst="extractive", settings=settings).record.draft
    assert "5,791 (July 1, 2023); 7,224 (June 25, 2022)" in draft
    assert "−1,433 (−19.8%)" in draft


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
