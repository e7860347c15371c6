"""A report as a PowerPoint file: one message a slide, nothing overflows, and the notes hold all of the text."""

from __future__ import annotations

import io
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import openpyxl
import pytest
from pptx import Presentation
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as Deck
from pptx.util import Pt

from research.export import ReportDocument
from research.export.document import Citation, Text, plain
from research.export.office import to_pptx
from research.export.office.common import line_count
from research.export.office.fitting import ROOMS, Layout, height_of
from research.export.office.slides import slides_of
from research.language import Language
from tests.support.office_checks import assert_holds_report
from tests.support.office_samples import (
    PRICES,
    assert_well_formed,
    body,
    document,
    heading,
    items,
    para,
    parts_of,
    source,
    squeezed,
    table,
)


def _read(given: ReportDocument) -> Deck:
    return Presentation(io.BytesIO(to_pptx(given)))


def _titles(deck: Deck) -> list[str]:
    return [slide.shapes.title.text_frame.text for slide in deck.slides if slide.shapes.title is not None]


@pytest.mark.parametrize("language", Language)
def test_slides_and_notes_hold_every_sentence_quote_and_link(language: Language) -> None:
    given = document(language)
    data = to_pptx(given)
    assert_well_formed(data)
    assert_holds_report(data, "ppt/(slides|notesSlides)/", given)


def test_slides_stand_in_the_order_of_the_report() -> None:
    deck = _read(document())
    assert _titles(deck) == [
        "What moves the price of electricity",
        "The price peaked at JPY 20.4 in 2022.\N{NO-BREAK SPACE}[1]†",
        "Regions (continued)",
        "Wholesale price of electricity (JPY/kWh)",
        "Population (people)",
        "Contradictions",
        "Limits · Verification",
        "Sources",
        "How it was researched",
    ]
    assert deck.slide_width == 16 * deck.slide_height / 9 if deck.slide_height else False
    opening = " ".join(shape.text_frame.text for shape in deck.slides[0].placeholders)
    assert "What moves the wholesale price of electricity?" in opening
    assert "Researched on November 22, 2026." in opening
    assert "2 of 2 sentences supported." in opening


def test_text_stands_in_placeholders_and_none_is_left_empty() -> None:
    for slide in _read(document()).slides:
        for shape in slide.shapes:
            assert shape.is_placeholder
            assert not shape.has_text_frame or shape.text_frame.text.strip()


def test_a_proven_first_sentence_is_the_message_and_the_heading_stands_above_it() -> None:
    proven = body(heading("Prices"), para("Prices fell by 30%. ", Citation(1), " Fuel became cheaper. ", Citation(2)))
    unproven = body(heading("Prices"), para("This chapter is about prices. It says why. ", Citation(2)))
    slide = slides_of(proven)[1]
    assert (plain(slide.title), slide.section) == ("Prices fell by 30%. [1]", "Prices")
    assert [plain(point.line) for point in slide.points] == ["Fuel became cheaper. [2]"]
    assert slide.cited == (1, 2)
    assert "Prices fell by 30%. [1] Fuel became cheaper. [2]" in "".join(map(plain, slide.notes))
    assert plain(slides_of(unproven)[1].title) == "Prices"


def test_long_prose_shows_what_begins_or_proves_and_the_notes_say_the_rest() -> None:
    plainly = "It matters to every buyer in the market. "
    blocks = [para(f"Claim {n} leads here. ", plainly, f"Prices rose by {n}%. ", Citation(1)) for n in range(4)]
    slides = slides_of(body(heading("Prices"), *blocks))[1:-1]
    shown = " ".join(plain(point.line) for slide in slides for point in slide.points)
    assert "every buyer" not in shown
    assert all(f"Claim {n}" in shown and f"rose by {n}%" in shown for n in range(4))
    assert " ".join(plain(line) for slide in slides for line in slide.notes).count(plainly.strip()) == 4


@pytest.mark.parametrize("word", ["word ", "長い文章です。"])
def test_no_slide_overflows(word: str) -> None:
    points = [f"{number} {word * (number * 9 % 80 + 1)}" for number in range(60)]
    given = body(
        heading("A"), items(*points), para(word * 4_000, Citation(1)), sources=tuple(map(source, range(1, 200)))
    )
    slides = slides_of(given)
    assert len(slides) > 10
    for slide in slides[1:]:
        room = ROOMS[slide.layout]
        assert sum(height_of(point, room) for point in slide.points) <= room.height
    shown = squeezed("".join(plain(point.line) for slide in slides for point in slide.points))
    assert all(squeezed(point) in shown for point in points)


def test_words_in_bold_that_lead_a_paragraph_stay_with_its_first_sentence() -> None:
    lead = Text("In short.", bold=True)
    slide = slides_of(body(heading("A"), para(lead, " Prices fell. ", Citation(1), " Fuel became cheaper.")))[1]
    assert plain(slide.title) == "In short. Prices fell. [1]"
    assert [plain(point.line) for point in slide.points] == ["Fuel became cheaper."]


def test_points_are_shared_out_alike_and_few_stand_in_larger_words() -> None:
    few, many = items(*("Short words." for _ in range(5))), items(*(f"{n} {'words ' * 40}" for n in range(8)))
    slides = slides_of(body(heading("Few"), few, heading("Many"), many))[1:-1]
    assert slides[0].layout is Layout.KEY
    lengths = [len(slide.points) for slide in slides[1:]]
    assert len(lengths) > 1
    assert sum(lengths) == 8
    assert max(lengths) - min(lengths) <= 1


def test_a_slide_that_goes_on_is_named_after_the_last_heading() -> None:
    quotes = [block for n in range(6) for block in (heading(f"Page {n}", 2), items(*("long words " * 18,) * 3))]
    titles = [plain(slide.title) for slide in slides_of(body(heading("A"), *quotes))[1:-1]]
    for before, after in pairwise(titles):
        assert after.removesuffix(" (continued)") >= before.removesuffix(" (continued)") or before == "A"
    assert titles[-1].startswith("Page 5")


def test_measuring_counts_lines_as_they_break() -> None:
    assert line_count("", 10) == 1
    assert line_count("日本語" * 10, 10) == 3
    assert line_count("one two three", 100) == 1
    assert line_count("字" * 300, 20) == 15
    assert line_count("a\nb\nc", 20) == 3


def test_charts_are_native_with_their_figures_and_sources() -> None:
    data = to_pptx(document())
    deck = Presentation(io.BytesIO(data))
    charts = [shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart]
    assert [series.name for series in charts[0].plots[0].series] == ["Yearbook", "Exchange"]
    assert list(charts[0].plots[0].categories) == list(PRICES.labels)
    assert list(charts[0].plots[0].series[0].values) == [13.5, 20.4, None]
    assert charts[1].value_axis.minimum_scale == 0
    slide = next(slide for slide in deck.slides for shape in slide.shapes if shape.has_chart)
    foot = " ".join(shape.text_frame.text for shape in slide.placeholders if shape.has_text_frame)
    assert "[1] Energy yearbook 1 · [2] Energy yearbook 2" in foot
    assert "Own document: board minutes" in foot
    assert slide.has_notes_slide
    assert "Exchange: 2021 13, 2022 21, 2023 12.1" in slide.notes_slide.notes_text_frame.text  # type: ignore[union-attr]
    books = [content for name, content in parts_of(data).items() if name.endswith(".xlsx")]
    cells = [cell for book in books for row in openpyxl.load_workbook(io.BytesIO(book)).active for cell in row]  # type: ignore[union-attr]
    assert cells
    assert not [cell for cell in cells if cell.data_type == "f"]


def test_numbers_jump_to_the_slide_with_the_source() -> None:
    deck = _read(document())
    slide = deck.slides[1]
    links = list(slide.shapes._spTree.iter(qn("a:hlinkClick")))
    jumps = [link for link in links if link.get("action") == "ppaction://hlinksldjump"]
    assert jumps
    for link in jumps:
        target = slide.part.related_part(link.get(qn("r:id"))).slide
        assert target.shapes.title.text_frame.text == "Sources"


def test_tables_are_native_and_go_on_over_slides_with_the_rest_in_the_notes() -> None:
    given = body(heading("A"), table(60, 2), heading("B"), table(2, 200))
    deck = _read(given)
    tables = [shape.table for slide in deck.slides for shape in slide.shapes if shape.has_table]
    cells = {cell.text for found in tables for row in found.rows for cell in row.cells}
    assert {f"Head {n}" for n in range(60)} <= cells
    assert {f"r{r}c{n}" for r in range(2) for n in range(60)} <= cells
    sizes = {run.font.size for run in tables[0].cell(1, 1).text_frame.paragraphs[0].runs}
    assert sizes == {Pt(12)}
    notes = "\n".join(slide.notes_slide.notes_text_frame.text for slide in deck.slides if slide.has_notes_slide)  # type: ignore[union-attr]
    assert "r199c0 | r199c1" in notes
    feet = [shape.text_frame.text for slide in deck.slides for shape in slide.placeholders if shape.has_text_frame]
    assert "Columns 1–7 of 60" in feet
    assert "140 more rows: in the notes of this slide" in feet
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.has_table:
                assert shape.top + sum(row.height for row in shape.table.rows) <= deck.slide_height  # type: ignore[operator]


@pytest.mark.parametrize(("language", "tag"), [(Language.EN, "en-US"), (Language.JA, "ja-JP")])
def test_the_deck_says_what_it_is_and_has_japanese_type(language: Language, tag: str) -> None:
    data = to_pptx(document(language))
    deck = Presentation(io.BytesIO(data))
    assert deck.core_properties.title == "What moves the price of electricity"
    assert deck.core_properties.language == tag
    assert b'<a:ea typeface="Yu Gothic"/>' in parts_of(data)["ppt/theme/theme1.xml"]
    languages = {node.get("lang") for slide in deck.slides for node in slide.shapes._spTree.iter(qn("a:rPr"))}
    assert tag in languages
    names = [layout.name for layout in deck.slide_layouts]
    assert names[0] == ("Title slide" if language is Language.EN else "表紙")


def test_shapes_of_a_slide_have_ids_of_their_own() -> None:
    for slide in _read(document()).slides:
        ids = [shape.shape_id for shape in slide.shapes]
        assert len(ids) == len(set(ids))


def test_without_python_pptx_it_says_which_command_installs_it() -> None:
    script = """
import sys
sys.modules["pptx"] = None
from research.core.errors import UsageError
from research.export.office import to_pptx
from tests.support.office_samples import document
try:
    to_pptx(document())
except UsageError as error:
    print(error)
"""
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    assert "pip install 'research-workbench[documents]'" in done.stdout
