"""A finished run as a document: everything of its Markdown, in typed parts."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from research.core import Brief, Length, OutputForm, PresetName
from research.export.charts import charts_of_table
from research.export.composing import blocks_of, document_of
from research.export.document import (
    Block,
    Chart,
    Citation,
    Code,
    Heading,
    Items,
    Line,
    LineBreak,
    Paragraph,
    PartKind,
    Quotation,
    Table,
    Text,
    plain,
)
from research.language import Language
from research.results import Report
from research.settings import Settings
from research.store import RunStore, load_report
from research.store.api import run
from tests.support import sample_runs

NONE: frozenset[int] = frozenset()


def words(block: Block) -> str:  # noqa: PLR0911 - one way for each kind of block
    """All text of a block."""
    match block:
        case Heading(_, line) | Paragraph(line):
            return plain(line)
        case Items(items):
            return "\n".join(words(inner) for item in items for inner in item)
        case Table(head, rows):
            return "\n".join(plain(cell) for row in (head, *rows) for cell in row)
        case Code(text):
            return text
        case Quotation(blocks):
            return "\n".join(map(words, blocks))
        case Chart():
            return block.title
        case _:
            return ""


def line_of(markdown: str, *numbers: int) -> Line:
    (block,) = blocks_of(markdown, frozenset(numbers))
    assert isinstance(block, Paragraph)
    return block.line


def test_styles_nest_and_neighbours_of_one_style_are_one() -> None:
    assert line_of("a **b *c*** `d` ~~e~~") == (
        Text("a "), Text("b ", bold=True), Text("c", bold=True, italic=True), Text(" "), Text("d", code=True),
        Text(" "), Text("e", strike=True),
    )  # fmt: skip


def test_only_numbers_of_sources_are_citations() -> None:
    assert line_of("Sales rose [1] [7], in [2024].", 1, 2) == (
        Text("Sales rose "), Citation(1), Text(" [7], in [2024]."),
    )  # fmt: skip
    assert line_of("New [2]† fact", 2) == (Text("New "), Citation(2, is_recent=True), Text(" fact"))


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "//x.example"])
def test_only_addresses_of_the_web_become_links(address: str) -> None:
    assert line_of(f"[here](<{address}>)") == (Text("here"),)
    assert line_of("[here](https://x.example/)") == (Text("here"),), "of a draft no link is left at all"


def test_html_stays_text_and_an_image_is_its_description() -> None:
    assert plain(line_of("<script>alert(1)</script>")) == "<script>alert(1)</script>"
    assert plain(line_of("![a chart](https://x.example/y.png)")) == "a chart"


def test_lists_tables_code_and_quotations_keep_their_shape() -> None:
    items, table, code, quotation = blocks_of(
        "3. one\n   - two\n     - three\n\n| a | b |\n| :-- | --: |\n| 1 | 2 |\n\n```\nx < y\n```\n\n> said\n", NONE
    )
    assert isinstance(items, Items) and (items.is_ordered, items.start) == (True, 3)
    assert words(items) == "one\ntwo\nthree"
    assert isinstance(table, Table) and [align.value for align in table.aligned] == ["left", "right"]
    assert [plain(cell) for cell in table.rows[0]] == ["1", "2"]
    assert code == Code("x < y")
    assert isinstance(quotation, Quotation) and words(quotation) == "said"


def test_a_line_end_is_a_blank_in_english_and_none_in_japanese() -> None:
    (english,) = blocks_of("one\ntwo", NONE)
    (japanese,) = blocks_of("市場\n規模", NONE, language_joins_lines=True)
    assert (words(english), words(japanese)) == ("one two", "市場規模")
    assert blocks_of("one  \ntwo", NONE) == (Paragraph((Text("one"), LineBreak(), Text("two"))),)


async def researched(tmp_path: Path, brief: Brief) -> Report:
    folder = tmp_path / "documents"
    folder.mkdir()
    for year, value in SALES.items():
        text = f"# Asanagi results\n\nPump sales were {value} million yen in fiscal {year}.\n"
        (folder / f"{year}.md").write_text(text, encoding="utf-8")
    (folder / "market.md").write_text("# Market\n\nThe pump market grew by 4.2% in 2025.\n", encoding="utf-8")
    return await run(brief, library=folder, analyst="extractive", settings=Settings(home=tmp_path / "home"))


SALES = {2022: 410, 2023: 455, 2024: 520}


@pytest.mark.parametrize("method", ["chained", "outlined"])
@pytest.mark.parametrize("language", list(Language))
async def test_everything_of_the_markdown_stands_in_the_document(
    tmp_path: Path, language: Language, method: str
) -> None:
    question = {Language.EN: "How did pump sales develop?", Language.JA: "ポンプの売上はどう推移したか？"}[language]
    report = await researched(tmp_path, Brief(question=question, language=language, method=method))
    document = document_of(report)
    said = "\n".join(
        [document.title, document.byline, *(words(block) for part in document.parts for block in part.blocks)]
        + [f"{source.title} {source.site} {source.dated}" for source in document.sources]
        + [quote for source in document.sources for quote in source.quotes]
    )
    kept = re.sub(r"[\W_]+", "", said)
    for sentence in report.record.sentences:
        assert re.sub(r"[\W_]+|\[E\d+\]", "", sentence.text) in kept
    assert [source.number for source in document.sources] == list(range(1, len(document.sources) + 1))
    assert document.verdicts.get("verbatim")
    assert document.part(PartKind.TRAIL) is not None
    assert document_of(report, with_trail=False).part(PartKind.TRAIL) is None
    assert document.researched == datetime.now(UTC).date()


async def test_charts_are_drawn_from_the_evidence_as_the_form_wants(tmp_path: Path) -> None:
    brief = Brief(question="How did pump sales develop?", form=OutputForm.CHARTS)
    report = await researched(tmp_path, brief)
    part = document_of(report).part(PartKind.CHARTS)
    assert part is not None
    (chart,) = [block for block in part.blocks if isinstance(block, Chart)]
    assert [series.values for series in chart.series] == [tuple(value * 1_000_000.0 for value in SALES.values())]
    assert (chart.is_over_time, chart.unit, len(chart.labels)) == (True, "JPY", 3)
    draft = f"{report.record.draft}\n## Executive summary\n\nSales rose.\n"
    noted = document_of(report.model_copy(update={"record": report.record.model_copy(update={"draft": draft})}))
    kinds = [part.kind for part in noted.parts]
    assert kinds.index(PartKind.CHARTS) < kinds.index(PartKind.ASIDES), "what is said of quotes follows all of them"
    asides = noted.part(PartKind.ASIDES)
    assert asides is not None and [*map(words, asides.blocks)] == ["About the quotes", "Pages without a date: 3."]
    ranked = f"{report.record.draft}\n- Sales, highest first:\n  - Laos: 5 million yen\n  - Chad: 2 million yen\n"
    listed = document_of(report.model_copy(update={"record": report.record.model_copy(update={"draft": ranked})}))
    charts = [block for part in listed.parts for block in part.blocks if isinstance(block, Chart)]
    assert (charts[0].title, charts[0].labels) == ("Sales", ("Laos", "Chad")), "a ranking by list is drawn"
    page = report.record.model_copy(update={"brief": brief.model_copy(update={"length": Length.PAGE})})
    shorter = document_of(report.model_copy(update={"record": page}))
    assert shorter.length is Length.PAGE and shorter.part(PartKind.CHARTS) is not None
    text_only = brief.model_copy(update={"form": OutputForm.TEXT})
    record = report.record.model_copy(update={"brief": text_only})
    assert document_of(report.model_copy(update={"record": record})).part(PartKind.CHARTS) is None


async def test_a_run_without_anything_is_a_document_too(tmp_path: Path) -> None:
    brief = Brief(question="Quantum gravity?", preset=PresetName.SPEED)
    document = document_of(await researched(tmp_path, brief))
    assert document.title
    assert document.sources == ()
    assert "so the report cites nothing" in document.byline
    assert document.part(PartKind.LIMITS) is None, "which the line under the title says, and it alone"


async def test_sources_stand_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    report = await researched(tmp_path, Brief(question="How did pump sales develop?"))
    turned = report.record.model_copy(update={"sources": report.record.sources[::-1]})
    numbers = [source.number for source in document_of(report.model_copy(update={"record": turned})).sources]
    assert numbers == sorted(numbers) and len(numbers) > 1


async def test_a_chart_in_a_japanese_report_names_its_currency_and_no_single_year(tmp_path: Path) -> None:
    brief = Brief(question="How did pump sales develop?", form=OutputForm.CHARTS, language=Language.JA)
    part = document_of(await researched(tmp_path, brief)).part(PartKind.CHARTS)
    assert part is not None
    (chart,) = [block for block in part.blocks if isinstance(block, Chart)]
    assert chart.unit == "円"
    assert not re.search(r"\d{4}", chart.title)


@pytest.mark.parametrize(("language", "title"), [(Language.EN, "Sales in Vietnam"), (Language.JA, "ベトナムの売上高")])
def test_the_title_of_a_chart_names_its_subject_once(tmp_path: Path, language: Language, title: str) -> None:
    store = RunStore(tmp_path)
    report = load_report(store, sample_runs.sales(store, language))
    store.close()
    brief = report.record.brief.model_copy(update={"form": OutputForm.CHARTS})
    document = document_of(report.model_copy(update={"record": report.record.model_copy(update={"brief": brief})}))
    part = document.part(PartKind.CHARTS)
    assert part is not None
    assert [block.title for block in part.blocks if isinstance(block, Chart)] == [title]


_COMPARED = """
| | Inflation | Sales |
| --- | --- | --- |
| Japan | 2.7% (2024 est.) [1] | JPY 5 million [1] |
| Italy | 1% (2024 est.) [2] | – |
| Canada | 2.4% (2024 est.) [2] | JPY 5 million [2] |
"""
_BY_YEAR = """
| Sales | 2023 | 2024 |
| --- | --- | --- |
| Pumps | 5 units [1] | 7 units [1] |
| Valves | 3 units [2] | 2 units [2] |
"""


@pytest.mark.parametrize(
    ("language", "title", "labels"),
    [
        (Language.EN, "Inflation, 2024", ("Japan", "Canada", "Italy")),
        (Language.JA, "Inflation、2024年", ("日本", "カナダ", "イタリア")),
    ],
)
def test_a_table_of_names_is_drawn_a_column_at_a_time_in_the_words_of_the_reader(
    language: Language, title: str, labels: tuple[str, ...]
) -> None:
    brief = Brief(question="Compare inflation in Japan, Canada and Italy", language=language)
    (chart,) = _charts_of(_COMPARED, brief)
    assert (chart.title, chart.labels, chart.unit, chart.sources) == (title, labels, "%", (1, 2))
    assert [series.values for series in chart.series] == [(2.7, 2.4, 1.0)]
    assert not chart.is_over_time


def test_a_table_of_years_is_drawn_as_lines() -> None:
    (chart,) = _charts_of(_BY_YEAR, Brief(question="Pumps?"))
    assert (chart.title, chart.labels, chart.is_over_time) == ("Pumps, Valves", ("2023", "2024"), True)
    assert [(series.name, series.values) for series in chart.series] == [("Pumps", (5.0, 7.0)), ("Valves", (3.0, 2.0))]


def _charts_of(markdown: str, brief: Brief) -> list[Chart]:
    (table,) = blocks_of(markdown, frozenset({1, 2}))
    assert isinstance(table, Table)
    return list(charts_of_table(table, brief.language))
