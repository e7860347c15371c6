"""A report as a PowerPoint file: one message a slide, nothing overflows, and the notes hold all of the text."""

from __future__ import annotations

import io
from dataclasses import replace

import openpyxl
import pytest
from pptx import Presentation
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide
from pptx.util import Pt

from research.export.charts import charts_of_table
from research.export.composing import blocks_of
from research.export.document import (
    Align,
    Chart,
    Citation,
    DocumentPart,
    PartKind,
    ReportDocument,
    Series,
    Table,
    Text,
)
from research.export.office.fitting import BODY_HEIGHT, Slot
from research.export.office.pptx import to_pptx
from research.export.words import line_ends
from research.language import Language
from research.text import columns
from tests.support.office_samples import (
    PRICES,
    body,
    document,
    items,
    parts_of,
    source,
    table,
)
from tests.support.pdf_samples import heading, paragraph as para, squeezed


def _read(given: ReportDocument) -> Deck:
    return Presentation(io.BytesIO(to_pptx(given)))


def _titles(deck: Deck) -> list[str]:
    return [slide.shapes.title.text_frame.text for slide in deck.slides if slide.shapes.title is not None]


def test_slides_stand_in_the_order_of_the_report() -> None:
    deck = _read(document())
    assert _titles(deck) == [
        "What moves the price of electricity",
        "The price peaked at JPY 20.4 in 2022.\N{NO-BREAK SPACE}[1]†",
        "Regions",
        "Wholesale price of electricity (JPY/kWh)",
        "Population: 105M to 106.69M, depending on the source",
        "Contradictions · Limits · Sources",
    ]
    assert deck.slide_width == 16 * deck.slide_height / 9 if deck.slide_height else False
    opening = " ".join(shape.text_frame.text for shape in deck.slides[0].placeholders)
    assert "What moves the wholesale price of electricity?" in opening
    assert "Researched on November 22, 2026." in opening
    assert "2 of 2 sentences supported." in opening


def test_a_question_too_long_for_a_title_stands_whole_below_it() -> None:
    long = "Should the works build its first service centre in Vietnam, and " * 2 + "when?"
    (opening, *_) = _read(document(title=long, question=long)).slides
    assert _shown(opening)[Slot.TITLE].endswith("…")
    assert _shown(opening)[Slot.BODY].endswith("when?")
    (opening, *_) = _read(document(title="Pumps?", question="Pumps?")).slides
    assert Slot.BODY not in _shown(opening)


def test_one_line_before_the_sources_shares_their_slide() -> None:
    limits = DocumentPart(PartKind.LIMITS, (heading("Limits"), items("All rests on one site.")))
    deck = _read(document(parts=(DocumentPart(PartKind.BODY, (heading("A"), items("One.", "Two."))), limits)))
    assert _titles(deck)[1:] == ["A", "Limits · Sources"]
    shown = _shown(deck.slides[2])[Slot.BODY]
    assert shown.startswith("Limits\nAll rests on one site.\nSources\n[1]")


def test_on_a_slide_of_contradictions_what_each_source_says_stands_below_what_it_is_of() -> None:
    said = (heading("Contradictions"), para("Compared by rules."), para("Sales – They differ. No rule judges."))
    values = items("293 million yen: “a”", "320 million yen: “b”")
    told = DocumentPart(PartKind.BODY, (heading("A"), items("One.", "Two.")))
    deck = _read(document(parts=(told, DocumentPart(PartKind.CONTRADICTIONS, (*said, values)))))
    (slide,) = (one for one in deck.slides if "Contradictions" in _shown(one)[Slot.TITLE])
    (place,) = (one for one in slide.placeholders if one.placeholder_format.idx == Slot.BODY)
    levels = [(paragraph.text, paragraph.level) for paragraph in place.text_frame.paragraphs[1:4]]
    said_of = [("Sales – They differ. No rule judges.", 0), ("293 million yen: “a”", 1), ("320 million yen: “b”", 1)]
    assert levels == said_of


def test_a_report_that_found_nothing_says_so_and_what_would_help_on_one_slide() -> None:
    said = (
        heading("Nothing was found"),
        para("Nothing on wages."),
        para("What to try:"),
        items("Wait.", "Ask."),
    )
    trail = DocumentPart(PartKind.TRAIL, (heading("How it was researched"), items("Method: Supervised")))
    limits = DocumentPart(PartKind.LIMITS, (heading("Limits"), items("No page answered.")))
    deck = _read(replace(document(parts=(DocumentPart(PartKind.BODY, said), limits, trail)), sources=()))
    assert _titles(deck)[1:] == ["Nothing was found"]
    assert "No page answered." in _notes(deck) and "Method: Supervised" in _notes(deck)
    assert _shown(deck.slides[1])[Slot.BODY] == "Nothing on wages.\nWhat to try:\nWait.\nAsk."
    places = deck.slides[1].placeholders
    (body_place,) = (place for place in places if place.placeholder_format.idx == Slot.BODY)
    assert body_place.text_frame.paragraphs[1].runs[0].font.bold, "it leads what would help"


def test_a_report_of_one_figure_becomes_one_full_slide_with_its_source() -> None:
    told = DocumentPart(PartKind.BODY, (heading("Answer"), para("“Population: 106.7 million.” ", Citation(1))))
    checked = DocumentPart(PartKind.VERIFICATION, (heading("Verification"), para("Checked: 1. A rule can err.")))
    trail = DocumentPart(PartKind.TRAIL, (heading("How it was researched"), items("Method: Supervised")))
    deck = _read(replace(document(parts=(told, checked, trail)), sources=(source(1),)))
    assert len(deck.slides) == 2
    shown = _shown(deck.slides[1])
    assert (shown[Slot.SECTION], shown[Slot.TITLE]) == ("Answer", "What moves the price of electricity")
    figure, said, entry = deck.slides[1].placeholders[Slot.BODY].text_frame.paragraphs
    assert (figure.text, {run.font.size for run in figure.runs}) == ("106.7 million", {Pt(96)})
    assert entry.text.startswith("[1] ") and said.text.startswith("“Population")
    assert all(word in _notes(deck) for word in ("Checked: 1.", "Method: Supervised", source(1).quotes[0]))


def test_a_table_of_one_measure_is_shown_as_its_chart_with_its_cells_in_the_notes() -> None:
    cells = "| | Rate |\n|---|---|\n| Laos | 2.6% (est.) [1] |\n| Italy | 3.5% [1] |"
    answer = body(heading("Answer"), *blocks_of(cells, frozenset({1})))
    (table_of,) = (block for part in answer.parts for block in part.blocks if isinstance(block, Table))
    charts = DocumentPart(PartKind.CHARTS, (heading("Charts"), *charts_of_table(table_of, Language.EN)))
    deck = _read(replace(answer, parts=(*answer.parts, charts)))
    assert _titles(deck)[1:] == ["Rate: Italy highest at 3.5%, Laos lowest at 2.6%", "Sources"]
    (drawn,) = (shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart)
    assert drawn.plots[0].data_labels.number_format == '#,##0.0"%"'
    assert _shown(deck.slides[1])[Slot.SECTION] == "Answer"
    assert "Laos | 2.6% (est.) [1]" in _notes(deck)


def test_a_list_below_what_it_is_of_has_that_in_its_title() -> None:
    deck = _read(body(heading("Answer"), *blocks_of("- Most people:\n  - India: 1.4 [1]\n  - Chad: 1 [1]", {1})))
    shown = _shown(deck.slides[1])
    assert (shown[Slot.SECTION], shown[Slot.TITLE]) == ("Answer", "Most people")
    (place,) = (one for one in deck.slides[1].placeholders if one.placeholder_format.idx == Slot.BODY)
    assert {paragraph.level for paragraph in place.text_frame.paragraphs} == {0}


def test_a_table_a_little_too_long_stands_in_halves() -> None:
    deck = _read(body(heading("A"), table(3, 22)))
    first, second = [shape.table for slide in deck.slides for shape in slide.shapes if shape.has_table]
    assert (len(first.rows), len(second.rows)) == (12, 12)
    assert not any("more rows" in word for slide in deck.slides for word in _shown(slide).values())


def test_what_says_that_nothing_was_found_leads_what_comes_near() -> None:
    found = "Nothing was found that surely answers when the new pump is delivered. These come near."
    near = [f"“The lead time of part {number} is fourteen weeks{' and more' * 30}.” [1]" for number in range(4)]
    markdown = f"## Answer\n\n{found}\n\n## What comes near\n\n" + "\n".join(f"- {one}" for one in near)
    shown = _shown(_read(body(*blocks_of(markdown, frozenset({1})))).slides[1])
    assert " ".join(shown[Slot.TITLE].split()).startswith("Nothing was found that surely answers")
    assert shown[Slot.BODY].startswith("These come near.\nWhat comes near\n“The lead time of part 0")


def test_a_chart_that_says_the_same_as_its_table_says_what_it_shows() -> None:
    rows = tuple((((Text(year),), (Text(value),))) for year, value in (("2023", "5"), ("2024", "7.5")))
    told = Table(((Text("Year"),), (Text("Sales"),)), rows, (Align.LEFT,) * 2)
    drawn = Chart("Sales", "", ("2023", "2024"), (Series("Sales", (5.0, 7.5)),), (1,))
    titles = _titles(_read(body(heading("Sales by year"), told, drawn)))
    assert titles[1:3] == ["Sales up from 5 (2023) to 7.5 (2024)", "Sales"]


def test_a_table_keeps_to_its_place_as_high_as_it_is() -> None:
    for rows in (3, 8, 9, 12):
        deck = _read(body(heading("A"), table(5, rows)))
        (shape,) = (shape for slide in deck.slides for shape in slide.shapes if shape.has_table)
        assert sum(row.height for row in shape.table.rows) == shape.height <= Pt(BODY_HEIGHT)


def test_text_stands_in_placeholders_and_none_is_left_empty() -> None:
    for slide in _read(document()).slides:
        for shape in slide.shapes:
            assert shape.is_placeholder
            assert not shape.has_text_frame or shape.text_frame.text.strip()


def _shown(slide: Slide) -> dict[int, str]:
    """The words in each place of a slide."""
    return {one.placeholder_format.idx: one.text_frame.text for one in slide.placeholders if one.has_text_frame}


def _notes(deck: Deck) -> str:
    return "\n".join(slide.notes_slide.notes_text_frame.text for slide in deck.slides if slide.has_notes_slide)  # type: ignore[union-attr]


def test_a_proven_first_sentence_is_the_message_and_the_heading_stands_above_it() -> None:
    proven = body(heading("Prices"), para("Prices fell by 30%. ", Citation(1), " Fuel became cheaper. ", Citation(2)))
    unproven = body(heading("Prices"), para("This chapter is about prices. It says why. ", Citation(2)))
    deck = _read(proven)
    shown = _shown(deck.slides[1])
    assert (shown[Slot.TITLE], shown[Slot.SECTION]) == ("Prices fell by 30%.\N{NO-BREAK SPACE}[1]", "Prices")
    assert shown[Slot.BODY] == "Fuel became cheaper.\N{NO-BREAK SPACE}[2]"
    assert "[1]" in shown[Slot.FOOT] and "[2]" in shown[Slot.FOOT]
    assert "Prices fell by 30%. [1] Fuel became cheaper. [2]" in _notes(deck)
    assert _titles(_read(unproven))[1] == "Prices"


def test_one_sentence_stands_large_above_who_said_it_when() -> None:
    deck = _read(body(heading("Answer"), para("“Prices fell by 30%.” ", Citation(1))))
    figure, said, by = deck.slides[1].placeholders[Slot.BODY].text_frame.paragraphs
    assert (figure.text, {run.font.size for run in figure.runs}) == ("30%", {Pt(96)})
    assert said.text.startswith("“Prices fell by 30%.”")
    assert {run.font.size for run in said.runs} == {Pt(28)}
    assert by.text.startswith("[1] ")
    assert by.text.endswith(source(1).dated)
    assert Slot.FOOT not in _shown(deck.slides[1]), "the source stands below the sentence"
    words = "Prices fell by a third of what they were before, and nobody knows why " * 4
    long = _read(body(heading("Answer"), para(words, Citation(1)))).slides[1]
    assert {run.font.size for run in long.placeholders[Slot.BODY].text_frame.paragraphs[0].runs} == {Pt(24)}


def test_long_prose_shows_what_begins_or_proves_and_the_notes_say_the_rest() -> None:
    plainly = "It matters to every buyer in the market. "
    blocks = [para(f"Claim {n} leads here. ", plainly, f"Prices rose by {n}%. ", Citation(1)) for n in range(4)]
    deck = _read(body(heading("Prices"), *blocks))
    shown = " ".join(_shown(deck.slides[1]).values())
    assert "every buyer" not in shown
    assert all(f"Claim {n}" in shown and f"rose by {n}%" in shown for n in range(4))
    assert _notes(deck).count(plainly.strip()) == 4


@pytest.mark.parametrize("word", ["word ", "長い文章です。"])
def test_no_slide_holds_more_than_there_is_room_for(word: str) -> None:
    points = [f"{number} {word * (number * 9 % 80 + 1)}" for number in range(60)]
    given = body(
        heading("A"), items(*points), para(word * 4_000, Citation(1)), sources=tuple(map(source, range(1, 200)))
    )
    deck = _read(given)
    assert len(deck.slides) == 4
    assert "more sources: in the notes of this slide" in _shown(deck.slides[3])[Slot.FOOT]
    assert all(f"Energy yearbook {number}" in _notes(deck) for number in range(1, 200))
    for slide in deck.slides:
        lines = [line for line in _shown(slide).get(Slot.BODY, "").split("\n") if line]
        letters = 80 if slide.slide_layout.name == "Message and points" else 115
        assert sum(-(-columns(line) // letters) for line in lines) <= 20
    assert all(squeezed(point) in squeezed(_notes(deck)) for point in points)


def test_a_report_becomes_a_deck_that_can_be_presented() -> None:
    chapters = [
        block
        for n in range(40)
        for block in (heading(f"Chapter {n}"), para(f"Sales rose by {n}%. ", Citation(1), " Costs fell. "))
    ]
    deck = _read(body(*chapters, heading("Short"), para("One line.")))
    assert 6 <= len(deck.slides) <= 14
    for slide in deck.slides:
        assert len("\n".join(_shown(slide).values()).split("\n")) > 2
    assert all(f"Chapter {n}" in _notes(deck) for n in range(40))


def test_words_in_bold_that_lead_a_paragraph_stay_with_its_first_sentence() -> None:
    lead = Text("In short.", bold=True)
    given = body(heading("A"), para(lead, " Prices fell. ", Citation(1), " Fuel became cheaper."))
    shown = _shown(_read(given).slides[1])
    assert shown[Slot.TITLE] == "In short. Prices fell.\N{NO-BREAK SPACE}[1]"
    assert shown[Slot.BODY] == "Fuel became cheaper."


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
        assert target.shapes.title.text_frame.text.endswith("Sources")


def test_a_short_table_is_set_large_and_with_room() -> None:
    deck = _read(body(heading("Short"), table(3, 3), heading("Long"), table(2, 200)))
    short, long = [shape.table for slide in deck.slides for shape in slide.shapes if shape.has_table]
    runs = [one.cell(1, 1).text_frame.paragraphs[0].runs for one in (short, long)]
    (large,), (small,) = ({run.font.size for run in found} for found in runs)
    assert large > small
    assert short.rows[1].height / large > long.rows[1].height / small


def test_tables_are_native_with_the_rest_in_the_notes() -> None:
    deck = _read(body(heading("A"), table(60, 2), heading("B"), table(2, 200)))
    wide, long = [shape.table for slide in deck.slides for shape in slide.shapes if shape.has_table]
    assert [cell.text for cell in wide.rows[1].cells][:3] == ["r0c0", "r0c1", "r0c2"]
    assert {run.font.size for run in long.cell(1, 1).text_frame.paragraphs[0].runs} == {Pt(12)}
    shown = len(long.rows) - 1
    assert 8 <= shown <= 16
    assert all(f"Head {n}" in _notes(deck) and f"r1c{n}" in _notes(deck) for n in range(60))
    assert "r199c0 | r199c1" in _notes(deck)
    feet = [_shown(slide).get(Slot.FOOT) for slide in deck.slides]
    assert "Columns 1–8 of 60" in feet
    assert f"{200 - shown} more rows: in the notes of this slide" in feet


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


def test_a_section_without_a_quote_has_no_slide_and_what_is_missing_stands_at_the_end() -> None:
    blocks = [heading("Answer"), para("Prices fell by 30%. ", Citation(1)), para("Costs fell by 2%. ", Citation(2))]
    blocks += [heading("Background"), para("Nothing was found on this.")]
    asides = [heading("What is missing"), items("Looked for as well, and not found: tariffs.")]
    asides += [heading("About the quotes"), items("Pages without a date: 2.")]
    parts = {PartKind.BODY: blocks, PartKind.ASIDES: asides}
    deck = _read(document(parts=tuple(DocumentPart(kind, tuple(held)) for kind, held in parts.items())))
    assert _titles(deck)[1:] == [
        "Prices fell by 30%.\N{NO-BREAK SPACE}[1]",
        "What is missing · About the quotes · Sources",
    ]
    assert "Nothing was found" not in "".join(text for slide in deck.slides for text in _shown(slide).values())
    assert "Nothing was found on this." in _notes(deck)


def test_each_section_of_a_shared_slide_says_something_and_a_cut_point_keeps_its_citation() -> None:
    long = "Sales rose because the firm opened new plants and hired more people in the north. " * 12
    blocks = [block for n in range(3) for block in (heading(f"Part {n}"), para(Text(long.strip()), Citation(1)))]
    shown = _shown(_read(body(*blocks)).slides[1])
    points = shown[Slot.BODY].split("\n")
    assert [points[n : n + 2][0] for n in (0, 2, 4)] == ["Part 0", "Part 1", "Part 2"]
    assert all(point.startswith("Sales rose") for point in points[1::2])


def test_what_leads_to_points_without_room_is_left_to_the_notes() -> None:
    blocks = [heading("Verification"), *(para(f"Sentence {number} was checked.") for number in range(9))]
    blocks += [para("Sentences that need checking:"), items(*("Sales rose fast, it says. " * 20 for _ in range(3)))]
    deck = _read(body(*blocks))
    assert not any(words.rstrip().endswith(":") for slide in deck.slides for words in _shown(slide).values())
    assert "need checking:" in _notes(deck)


def test_a_chart_says_in_its_title_what_it_shows() -> None:
    rates = Chart("Inflation", "%", ("Japan", "Italy"), (Series("Inflation", (2.7, 1.0)),), (1,), is_over_time=False)
    sales = Chart("Sales", "JPY", ("2023", "2024"), (Series("Sales", (5.0, 7.5)),), (1,))
    titles = _titles(_read(body(heading("Charts"), rates, sales)))
    assert titles[1:3] == [
        "Inflation: Japan highest at 2.7%, Italy lowest at 1%",
        "Sales up from ¥5 (2023) to ¥7.5 (2024)",
    ]


@pytest.mark.parametrize(
    ("language", "markdown", "message"),
    [
        (
            Language.EN,
            "| | GDP growth (real) | Population |\n|---|---|---|\n| Vietnam | 7.1% [1] | 101 million [1] |\n"
            "| Thailand | 2.5% [1] | 66 million [1] |\n| Laos | 4.1% [1] | – |\n| Total | 9.9% [1] | – |",
            "Highest: Vietnam (GDP growth; Population)",
        ),
        (
            Language.JA,
            "| | 人口 | 成長率 | 輸出（Exports） |\n|---|---|---|---|\n| ベトナム | 1億人 [1] | 7.1% [1] "
            "| 5億ドル [1] |\n| インド | 14億人 [1] | 5.6% [1] | 8億ドル [1] |",
            "最高：インド（人口、輸出）、ベトナム（成長率）",
        ),
        (
            Language.EN,
            "| | GDP growth (real) | Rank |\n|---|---|---|\n| Vietnam | 7.1% [1] | 1 [1] |\n"
            "| Laos | 4.1% [1] | 1 [1] |",
            "GDP growth: Vietnam highest at 7.1%, Laos lowest at 4.1%",
        ),
        (
            Language.JA,
            "| | 実質GDP成長率（Real GDP growth） |\n|---|---|\n| ベトナム | 7.1% [1] |\n| タイ | 2.5% [1] |",
            "実質GDP成長率：最高はベトナムの7.1%、最低はタイの2.5%",
        ),
        (
            Language.EN,
            "| Period | Net sales |\n|---|---|\n| 2024 | $391 billion [1] |\n| 2023 | $383 billion [1] |",
            "Net sales up from $383B (2023) to $391B (2024)",
        ),
        (
            Language.JA,
            "| 売上高 | 2023年度 | 2024年度 |\n|---|---|---|\n| ポンプ | 5億円 [1] | 7億円 [1] |\n"
            "| 弁 | 3億円 [1] | 2億円 [1] |",
            "ポンプ 5億円 → 7億円、弁 3億円 → 2億円",
        ),
        (
            Language.EN,
            "| | Strength |\n|---|---|\n| Hai Phong | port [1] |\n| Da Nang | airport [1] |",
            "Hai Phong and Da Nang side by side",
        ),
        (Language.EN, "| Risk | Answer |\n|---|---|\n| Sand | seals [1] |\n| Steel | stock [1] |", "Answer"),
    ],
)
def test_the_slide_of_a_table_says_in_its_title_what_the_figures_say(
    language: Language, markdown: str, message: str
) -> None:
    told = body(heading("Answer"), *blocks_of(markdown, frozenset({1})), language=language)
    assert _titles(_read(told))[1].split() == message.split()


def test_a_chart_of_several_measures_says_how_each_moved() -> None:
    margins = (Series("Gross margin", (37.5, 35.0)), Series("Operating margin", (16.0, 12.0)))
    chart = Chart("Gross margin, Operating margin", "%", ("2022", "2023"), margins, (1,))
    title = _titles(_read(body(heading("Charts"), chart)))[1]
    assert title == "Gross margin 37.5% → 35%, Operating margin 16% → 12%"


def test_a_chart_of_several_years_says_each_in_one_bracket() -> None:
    bars = Series("名目GDP", (4.03e12, 1.5e10))
    gdp = Chart("名目GDP（兆）", "USD", ("日本（2024）", "ラオス（2023）"), (bars,), (1,), is_over_time=False)
    shown = _shown(_read(body(heading("図"), gdp, language=Language.JA)).slides[1])
    assert shown[Slot.TITLE].replace("\v", "") == "名目GDP：最高は日本（2024）の$4.03兆、最低はラオス（2023）の$150億"
    assert "名目GDP（兆、USD）" in shown.values()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "利益率が下がった理由と、経営陣が決めた対策は何ですか",
            ["利益率が下がった理由と、", "経営陣が決めた対策は何ですか"],
        ),
        ("Why did the margin fall so much [1]", ["Why did the margin", "fall so much [1]"]),
        ("Short", ["Short"]),
    ],
)
def test_a_title_is_broken_between_phrases_into_lines_of_one_length(text: str, lines: list[str]) -> None:
    ends = line_ends(text, 30)
    assert [text[start:end].strip() for start, end in zip([0, *ends], [*ends, None], strict=True)] == lines
