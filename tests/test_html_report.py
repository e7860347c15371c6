"""The report as one HTML file: everything is in it, nothing is loaded or executed, and text stays text."""

from __future__ import annotations

import base64
import hashlib
import re
import time
from dataclasses import replace

import lxml.html
import pytest

from research.core import Length
from research.export.charts import axis_ticks
from research.export.document import Chart, Citation, Paper, Series
from research.export.html import to_html
from research.language import Language
from tests.support.html_samples import OVER_TIME, UNPRINTABLE, document, everything, hostile, table
from tests.support.machine import slowness
from tests.support.pdf_samples import heading, line, paragraph

Element = lxml.html.HtmlElement


def tree_of(html: bytes) -> Element:
    return lxml.html.document_fromstring(html, parser=lxml.html.HTMLParser(encoding="utf-8"))


def texts(root: Element, path: str) -> list[str]:
    return [" ".join(found.text_content().split()) for found in root.xpath(path)]


# --- what stands in it -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", list(Language))
def test_every_part_stands_in_it_in_order(language: Language) -> None:
    root = tree_of(to_html(everything(language)))
    assert root.get("lang") == language
    sources = {"en": "Sources", "ja": "情報源"}[language]
    assert texts(root, "//main//h2") == ["First", "Charts", "Limits", sources, "How it was done"]
    assert texts(root, "//nav//li/a") == ["First", "Second", "Charts", "Limits", sources, "How it was done"]
    everywhere = root.text_content()
    for said in ("the deepest", "next line", "日本語の段落です。", "שלום 🎉", "said", "return 1", "quote of page 2"):
        assert said in everywhere
    assert "3 of 3 sentences supported." in everywhere
    assert root.xpath("string(//title)") == "What is known"


def test_links_lead_somewhere_and_ids_are_unique() -> None:
    root = tree_of(to_html(everything()))
    ids = root.xpath("//@id")
    assert len(ids) == len(set(ids))
    leads = [address[1:] for address in root.xpath("//a/@href") if address.startswith("#") and address != "#-"]
    assert leads
    assert set(leads) <= set(ids)
    labels = {name for value in root.xpath("//@aria-labelledby") for name in value.split()}
    assert labels <= set(ids)


def test_a_citation_leads_to_its_source_and_the_source_back() -> None:
    root = tree_of(to_html(everything()))
    first, second = root.xpath("//main//p[1]//a[contains(@class, 'cite')]")[:2]
    assert (first.text, first.get("href"), first.get("title")) == ("[1]", "#s1", "Source 1: A page")
    assert second.tail is None
    assert second.getnext().text == "†"
    (entry,) = root.xpath("//li[@id='s1']")
    assert texts(entry, ".//blockquote") == ["quote of page 1", "引用文です。"]
    assert entry.xpath(".//a[@href='https://example.com/1']")
    assert len(entry.xpath(".//p[@class='back']/a")) == 4  # two in the text, two under charts
    assert "[9]" in root.xpath("string(//main//p[1])")
    assert not root.xpath("//a[@href='#s9']")


def test_a_list_keeps_its_number_and_a_table_its_heads() -> None:
    root = tree_of(to_html(everything()))
    assert root.xpath("//ol[@start='3']")
    small = root.xpath("//table")[0]
    assert texts(small, ".//th[@scope='col']") == ["head 0", "head 1", "head 2", "head 3"]
    assert len(small.xpath(".//td[@class='right']")) == 9


def test_a_very_wide_table_becomes_several_and_loses_no_cell() -> None:
    root = tree_of(to_html(document(table(60))))
    tables = root.xpath("//section[contains(@class, 'part-body')]//table")
    assert len(tables) == 4
    assert texts(tables[0], "./caption") == ["Columns 1–17 of 60"]
    assert all(texts(part, ".//tbody/tr[1]/td[1]") == ["cell 0/0"] for part in tables)
    shown = {cell for part in tables for cell in texts(part, ".//tbody/tr[1]/td")}
    assert shown == {f"cell 0/{column}" for column in range(60)}


def test_a_table_with_too_few_cells_keeps_its_columns() -> None:
    ragged = replace(table(2), rows=((line("alone"),),), aligned=())
    root = tree_of(to_html(document(ragged)))
    assert texts(root.xpath("//table")[0], ".//td") == ["alone", ""]


def test_a_short_report_needs_no_contents() -> None:
    whole = document(paragraph("All."))
    short_one = replace(whole, parts=whole.parts[:1])
    assert not tree_of(to_html(short_one)).xpath("//nav")


@pytest.mark.parametrize(("paper", "size"), [(Paper.A4, "A4"), (Paper.LETTER, "letter")])
def test_the_paper_is_that_asked_for(paper: Paper, size: str) -> None:
    assert f"@page {{ size: {size}; }}".encode() in to_html(document(), paper=paper)


# --- safety ----------------------------------------------------------------------------------------------------


def test_no_text_becomes_markup() -> None:
    html = to_html(hostile())
    root = tree_of(html)
    assert not root.xpath("//script | //img | //iframe | //object | //embed | //link | //form | //base")
    assert not [name for element in root.iter() for name in element.attrib if name.lower().startswith(("on", "style"))]
    schemes = {address.partition(":")[0] for address in root.xpath("//@href") if not address.startswith("#")}
    assert schemes == {"https"}
    assert not root.xpath("//@src")
    assert "<script>alert(1)</script>" in root.text_content()


def test_what_cannot_be_printed_is_not_in_it() -> None:
    text = to_html(hostile()).decode("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]", text)
    assert "ab" + "c\ufffdde" in text
    assert UNPRINTABLE not in text


def test_the_policy_in_it_forbids_all_but_its_own_style() -> None:
    root = tree_of(to_html(everything()))
    (policy,) = root.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    style = root.xpath("string(//style)")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; ")
    assert f"style-src 'sha256-{digest}'" in policy
    assert "url(" not in style
    assert "@import" not in style


# --- charts ----------------------------------------------------------------------------------------------------


def test_a_chart_is_drawn_told_and_tabled() -> None:
    root = tree_of(to_html(everything()))
    over_time, beside = root.xpath("//figure")
    (drawing,) = over_time.xpath("./div[@class='plot']/svg")
    assert drawing.get("role") == "img"
    assert texts(drawing, "./title") == ["Japan – GDP"]
    assert texts(drawing, "./desc") == [
        "Line chart, 2021 to 2024. Factbook: $5.1T to $5.3T. 世界銀行: $4.9T to $5T.",
    ]
    assert len(drawing.xpath(".//path[@class='marker']")) == 5
    assert len(drawing.xpath(".//path[@class='line']")) == 2, "a line is broken where a value is missing"
    assert texts(over_time, ".//tbody/tr[2]/*") == ["2022", "–", "5,000,000,000,000"]
    assert texts(over_time, "./p") == ["Source of the figures: [1] [2] · Another page"]
    widths = [float(bar.get("width")) for bar in beside.xpath(".//rect")]
    assert widths[0] / widths[1] == pytest.approx(1357.5 / 210, rel=0.01)


def test_a_chart_of_nothing_says_so() -> None:
    nothing = Chart("Empty", "", ("2024",), (Series("none", (None,)),), ())
    root = tree_of(to_html(document(nothing, language=Language.JA)))
    figure = root.xpath("//figure")[0]
    assert not figure.xpath(".//svg")
    assert "グラフにできる値がありません。" in figure.text_content()


@pytest.mark.parametrize(
    ("language", "caption", "said"),
    [
        (Language.EN, "Sales (JPY)", {"House, FY2024: 5", "House, FY2025: 6", "House: 5"}),
        (Language.JA, "Sales（JPY）", {"House、2024年度：5", "House、2025年度：6", "House：5"}),
    ],
)
def test_a_chart_is_told_in_the_signs_of_the_language(language: Language, caption: str, said: set[str]) -> None:
    sales = Chart("Sales", "JPY", ("FY2024", "FY2025"), (Series("House", (5.0, 6.0)),), ())
    once = Chart("Sales", "JPY", ("FY2024",), (Series("House", (5.0,)),), (), is_over_time=False)
    root = tree_of(to_html(document(sales, once, language=language)))
    assert [one.text_content() for one in root.xpath("//figcaption[starts-with(., 'Sales')]")] == [caption] * 2
    assert set(texts(root, "//*[@class='marker' or @class='bar']/title[starts-with(., 'House')]")) == said


@pytest.mark.parametrize("values", [(0.0,), (5.0, 5.0), (-3.0, -1.0), (1e-9, 2e-9), (-1e190, 1e190), (99.0, 101.0)])
def test_an_axis_holds_its_values(values: tuple[float, ...]) -> None:
    ticks = axis_ticks(values)
    assert ticks[0] <= min(values) <= max(values) <= ticks[-1]
    assert 2 <= len(ticks) <= 8


@pytest.mark.parametrize(
    ("value", "language", "axis", "cell"),
    [
        (1.2345e12, Language.EN, "1.23T", "1,234,500,000,000"),
        (1.2345e12, Language.JA, "1.23兆", "1,234,500,000,000"),
        (1472.5, Language.EN, "1,472.5", "1,472.5"),
        (0.1 + 0.2, Language.EN, "0.3", "0.3"),
    ],
)
def test_numbers_are_written_as_readers_write_them(value: float, language: Language, axis: str, cell: str) -> None:
    once = Chart("Sales", "", ("FY2024",), (Series("House", (value,)),), (), is_over_time=False)
    (figure, *_) = tree_of(to_html(document(once, language=language))).xpath("//figure")
    assert texts(figure, ".//text[@class='value']") == [axis]
    assert texts(figure, ".//tbody/tr/td") == [cell]


# --- size ------------------------------------------------------------------------------------------------------


def test_a_hundred_pages_take_a_moment() -> None:
    pages = [
        (heading(f"Section {number}", 2), *[paragraph("words " * 90, Citation(number * 5 + 1))] * 5)
        for number in range(100)
    ]
    blocks = [block for page in pages for block in page]
    begun = time.perf_counter()
    html = to_html(document(*blocks, OVER_TIME, sources=500))
    assert time.perf_counter() - begun < 5 * slowness()
    assert len(tree_of(html).xpath("//ol[@class='sources']/li")) == 500


def test_long_names_and_many_periods_do_not_run_into_each_other() -> None:
    years = tuple(f"2025-{day:03d}-long" for day in range(400))
    many = Chart("Many", "", years, (Series("one", tuple(float(day) for day in range(400))),), ())
    named = Chart("Named", "", ("FY2024",), (Series("長い名前" * 40, (1.0,)),), (), is_over_time=False)
    root = tree_of(to_html(document(many, named)))
    first, second = root.xpath("//figure")[:2]
    shown = texts(first, ".//text[@text-anchor='middle']")
    assert 2 <= len(shown) <= 5
    assert shown[-1] == "2025-399-lo…"
    (name,) = texts(second, ".//text[@class='name']")
    assert name.endswith("…")
    assert len(name) <= 30


# --- lengths and keyboards -------------------------------------------------------------------------------------


def test_one_page_has_no_table_of_contents_and_its_brief_says_only_what_was_asked() -> None:
    asked = replace(everything(), length=Length.PAGE, brief=(("Scope", "Market"), ("Region", "any"), ("Tone", "")))
    root = tree_of(to_html(asked))
    assert not root.xpath("//nav")
    assert texts(root, "//dl/*") == ["Scope", "Market"]
    assert tree_of(to_html(everything())).xpath("//nav")


def test_an_entry_that_a_citation_leads_to_takes_the_focus() -> None:
    root = tree_of(to_html(everything()))
    assert root.xpath("//ol[@class='sources']/li/@tabindex") == ["-1", "-1"]
    assert all(frame.get("tabindex") == "0" for frame in root.xpath("//div[@role='region']"))
    assert all(link.text_content().strip() or link.get("aria-label") for link in root.xpath("//a"))
