"""Tables of data files as models ask them: what they are shown, what is worked out, and how it is checked again."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from research import Brief, run_sync
from research.analysts.chat import tables
from research.analysts.extractive import rows_computed
from research.core import Page, Relation, RowQuery, SourceKind, SourceName, cited_ids
from research.export.composing import document_of
from research.export.document import Chart, PartKind
from research.language import Language
from research.quantities import answered
from research.settings import Settings
from research.verification import Label, checked_calculation
from tests.support.chat import Shelf, desk, page_request, written
from tests.support.openai_server import Answer, Body, Calls, Json, OpenAIServer, Text
from tests.support.services import access

SHOPS, KINDS = ("Kobe", "Nara"), ("Lamps", "Chairs & Stools", "Desks")
ROWS = tuple(
    f"Date: 2024-{month:02}-15; Shop: {shop}; Kind: {kind}; Sales: {100 * month + 10 * at + number}; "
    f"Budget: {100 * month + 40}; Pieces: {month + number}; Shipped: 2024-{month:02}-{15 + number + at}"
    for month in range(1, 13)
    for at, shop in enumerate(SHOPS)
    for number, kind in enumerate(KINDS)
)
NAMES = "Date: days, 2024-01-15 to 2024-12-15"


def orders(shelf: Shelf | None = None) -> Page:
    return (shelf or Shelf()).page(*ROWS, title="orders", kind=SourceKind.DOCUMENT)


def asked(measure: str, column: str = "", **fields: Any) -> dict[str, Any]:
    conditions = {name: _conditions(fields.pop(name, ())) for name in ("conditions", "compare_conditions")}
    return {"table": "T1", "measure": measure, "column": column, **conditions, **fields}


def _conditions(told: Any) -> list[dict[str, str]]:
    return [dict(zip(("column", "operator", "value"), one, strict=True)) for one in told]


KOBE, LATE = ("Shop", "is", "Kobe"), ("Date", "at least", "2024-07")
EARLY = [("Date", "at least", "2024-01"), ("Date", "at most", "2024-06")]

ANSWERED = [
    (asked("sum", "Sales", conditions=[KOBE, ("Kind", "is", "lamps")]),
     "Kobe, Lamps, Sales: 7,800 = sum of 12 rows (Shop: Kobe; Kind: Lamps)"),
    (asked("sum", "sales", group="Shop", most=1), "Nara, Sales: 23,796 = sum of 36 rows (Shop: Nara)"),
    (asked("sum", "Sales - Budget", conditions=[KOBE, ("Kind", "is", "Desks")]),
     "Kobe, Desks, Sales − Budget: -456 = sum of 12 rows (Shop: Kobe; Kind: Desks)"),
    (asked("count", conditions=[("Sales", "more than", "Budget")]), None),
    (asked("count", conditions=[("Sales", "at least", "1,200"), ("Sales", "less than", "1,211")]),
     "Sales: ≥ 1,200 & < 1,211: 4 = 4 rows (Sales: ≥ 1,200 & < 1,211)"),
    (asked("count", conditions=[("Kind", "is", "Lamps"), ("Kind", "is", "Desks"), LATE]),
     "Desks / Lamps, Date: ≥ 2024-07: 24 = 24 rows (Kind: Desks / Lamps; Date: ≥ 2024-07)"),
    (asked("count", conditions=[("Kind", "is", "Chairs & Stools")]),
     "Chairs & Stools: 24 = 24 rows (Kind: Chairs & Stools)"),
    (asked("count", conditions=[("Kind", "is not", "Chairs & Stools")]),
     "Kind: ≠ Chairs & Stools: 48 = 48 rows (Kind: ≠ Chairs & Stools)"),
    (asked("count", conditions=[("Kind", "is", "Chairs & Stools"), ("Kind", "is", "Desks")]),
     "Chairs & Stools / Desks: 48 = 48 rows (Kind: Chairs & Stools / Desks)"),
    (asked("count", conditions=[("Kind", "is not", "Lamps")]), "Kind: ≠ Lamps: 48 = 48 rows (Kind: ≠ Lamps)"),
    (asked("sum", "Sales", conditions=[KOBE], compare="share"),
     "Kobe, Sales: 49.6% = 23,436 (sum of 36 rows, Shop: Kobe) ÷ 47,232 (sum of 72 rows)"),
    (asked("sum", "Sales", conditions=[LATE], compare="change", compare_conditions=EARLY),
     "Sales: +21,600 (+168.5%) = 34,416 (sum of 36 rows, Date: ≥ 2024-07)"
     " − 12,816 (sum of 36 rows, Date: 2024-01 – 2024-06)"),
    (asked("sum", "Sales", group="Kind", compare="ratio", compare_column="Pieces", order="lowest", most=1),
     "Desks, Sales ÷ Pieces: 77.29 = 15,768 (sum of 24 rows, Sales; Kind: Desks)"
     " ÷ 204 (sum of 24 rows, Pieces; Kind: Desks)"),
    (asked("sum", "Sales", group="Date", by="quarter", most=1, order="highest"),
     "October 2024 – December 2024, Sales: 19,908 = sum of 18 rows (Date: 2024-10 – 2024-12)"),
    (asked("highest", "Shipped - Date"),
     "2024-01-15, Nara, Desks, Shipped − Date: 3 = highest of 72 rows"),
    (asked("count", group="Kind", having="> 30"), None),
    (asked("sum", "Sales", group="Shop", having="> 50%", compare="share"),
     "Nara, Sales: 50.4% = 23,796 (sum of 36 rows, Shop: Nara) ÷ 47,232 (sum of 72 rows)"),
    (asked("sum", "Sales", group="Kind", having="at least 15,744", order="lowest", most=1),
     "Chairs & Stools, Sales: 15,744 = sum of 24 rows (Kind: Chairs & Stools)"),
    (asked("median", "Pieces"), "Pieces: 7.5 = median of 72 rows"),
    (asked("different", "Kind"), "Kind: 3 = different values of 72 rows"),
]  # fmt: skip
"""What a model asks of the orders, and the line that it comes to; None where it comes to nothing."""


@pytest.mark.parametrize(("query", "line"), ANSWERED)
def test_what_is_asked_is_worked_out_and_holds_when_it_is_worked_out_again(
    query: dict[str, Any], line: str | None
) -> None:
    page = orders()
    read = tables.asked_of(
        page, [tables.TableQuery.model_validate(query)], "between 1,200 and 1,211, above 30, 50 or 15,744?"
    )
    told = [one for found in read for one in answered(page.text, page.title, found, Language.EN)]
    assert [f"{one.what}: {one.said}" for one in told][:1] == ([line] if line else [])
    for one in told:
        cited = [(page.text, page.text[row.start : row.end]) for row in one.rows]
        verdict = checked_calculation(f"{one.what}: {one.said}", cited)
        assert verdict is not None
        assert verdict.label is Label.SUPPORTED
        wrong = re.sub(r"\d(?=\D* = )", lambda digit: str((int(digit[0]) + 1) % 10), f"{one.what}: {one.said}", count=1)
        refuted = checked_calculation(wrong, cited)
        assert refuted is not None
        assert refuted.label is Label.UNSUPPORTED


def test_rows_themselves_are_told_with_what_they_were_chosen_by() -> None:
    page = orders()
    wanted = asked("rows", "Date", conditions=[("Sales", "more than", "800"), KOBE], order="lowest", most=1)
    [query] = tables.asked_of(page, [tables.TableQuery.model_validate(wanted)], "sales over 800?")
    [told] = answered(page.text, page.title, query, Language.EN)
    assert (told.what, told.said) == ("2024-08-15, Kobe, Chairs & Stools, 2024-08-16, Sales", "801")
    assert not told.is_computed


def test_rows_in_the_order_of_what_is_worked_out_are_told_as_they_stand() -> None:
    page = orders()
    query = tables.TableQuery.model_validate(asked("rows", "Sales - Budget", order="lowest", most=1))
    [told] = answered(page.text, page.title, tables.asked_of(page, [query], "")[0], Language.EN)
    assert (told.what, told.said) == ("2024-01-15, Kobe, Lamps, 2024-01-15", "Sales: 100, Budget: 140")


UNKNOWN = [
    asked("sum", "Profit"),
    asked("sum", "Kind"),
    asked("sum", "Sales", conditions=[("Shop", "is", "Osaka")]),
    asked("sum", "Sales", conditions=[("Town", "is", "Kobe")]),
    asked("sum", "Sales", conditions=[("Shop", "resembles", "Kobe")]),
    asked("sum", "Sales", group="Town"),
    asked("total", "Sales"),
    asked("sum", "Sales", compare="difference"),
    asked("sum", "Sales", conditions=[("Sales", "more than", "a lot")]),
    asked("sum", "Sales", conditions=[("Sales", "more than", "300")]),
    asked("sum", "Sales", group="Shop", having="> 300"),
    asked("sum", "Sales", compare="share"),
    {**asked("sum", "Sales"), "table": "T9"},
]


@pytest.mark.parametrize("query", UNKNOWN)
def test_what_names_anything_that_the_table_does_not_have_is_not_asked(query: dict[str, Any]) -> None:
    assert tables.asked_of(orders(), [tables.TableQuery.model_validate(query)], "How much?") == ()


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("orders over 300", True),
        ("300件を超える注文は？", True),
        ("over three hundred?", True),
        ("sales over 0.3k", True),
        ("orders over 400", False),
        ("which orders were large?", False),
    ],
)
def test_a_limit_of_which_the_question_says_nothing_is_made_up(question: str, is_asked: bool) -> None:
    query = tables.TableQuery.model_validate(asked("count", conditions=[("Sales", "more than", "300")]))
    assert bool(tables.asked_of(orders(), [query], question)) is is_asked


REGIONS = tuple(
    f"Region: {name}; People: {people}; Homes: {homes}"
    for name, people, homes in (("Whole country", 910, 350), *((f"R{at}", 10 * at, 4 * at) for at in range(1, 14)))
)


def test_who_holds_others_together_is_told_only_where_it_is_named() -> None:
    page = Shelf().page(*REGIONS, title="regions", kind=SourceKind.DOCUMENT)
    both = [("Region", "is", "R4"), ("Region", "is", "whole country")]
    ratio = asked("sum", "People", conditions=both, group="Region", compare="ratio", compare_column="Homes")
    wanted = [asked("rows", "People", order="highest", most=1), asked("sum", "People"), ratio]
    queries = tables.asked_of(page, [tables.TableQuery.model_validate(one) for one in wanted], "")
    told = [one for query in queries for one in answered(page.text, page.title, query, Language.EN)]
    assert [f"{one.what}: {one.said}" for one in told] == [
        "R13, People: 130",
        "People: 910 = sum of 13 rows",
        "Whole country, People ÷ Homes: 2.6 = 910 ÷ 350",
        "R4, People ÷ Homes: 2.5 = 40 ÷ 16",
    ]


def test_a_query_is_kept_as_plain_data() -> None:
    query = RowQuery(column="Sales", where=(("Shop", "Kobe"),), relation=Relation.SHARE, against=())
    assert RowQuery.model_validate_json(query.model_dump_json()) == query


async def test_a_model_is_shown_columns_between_marks_and_no_rows(server: OpenAIServer) -> None:
    page = orders()
    server.enqueue(Json({"queries": [asked("sum", "Sales", conditions=[KOBE])]}))
    summary = await desk(server).analyst.summarise(page_request(page, "Wie viel verkauft Kobe?"))
    [request] = server.requests
    system, user = (message["content"] for message in request.body["messages"])
    assert request.tools == []
    mark = re.search(r"<(page-\w+)>", user)
    assert mark is not None
    inside = user.split(f"<{mark[1]}>\n")[1].split(f"\n</{mark[1]}>")[0]
    assert inside.splitlines() == [
        "File: orders",
        "Table T1: 72 rows",
        f"- {NAMES}",
        "- Shop: Kobe; Nara",
        "- Kind: Lamps; Chairs & Stools; Desks",
        "- Sales: figures, 100 to 1,212",
        "- Budget: figures, 140 to 1,240",
        "- Pieces: figures, 1 to 14",
        "- Shipped: days, 2024-01-15 to 2024-12-18",
    ]
    assert "Kobe" not in system
    assert summary.summary == "What was asked of its tables is worked out from their rows (1).", "no words of a cell"
    assert summary.key_excerpts == (ROWS[0], ROWS[-4])
    assert not summary.by_rule


def test_what_cells_and_columns_say_cites_nothing_and_is_no_markup() -> None:
    shops = ("Kobe [E99]", "**Nara**", "[here](https://evil.example)")
    rows = [f"Shop: {shops[at % 3]}; <b>Sales</b>: {at}" for at in range(15)]
    shelf = Shelf()
    page = shelf.page(*rows, title="orders", kind=SourceKind.DOCUMENT)
    query = tables.TableQuery.model_validate(asked("sum", "<b>Sales</b>", group="Shop"))
    request = replace(shelf.report_request(), queries={page.id: tables.asked_of(page, [query], "")})
    lines = rows_computed(request)
    assert len(lines) == 3
    assert {name for line in lines for name in cited_ids(line)} <= {*shelf.ledger.evidence}
    assert not any(sign in line for line in lines for sign in ("[E99]", "**Nara", "[here](", "<b>"))


def test_what_words_and_a_model_ask_alike_is_told_once() -> None:
    shelf = Shelf()
    page, until_june = orders(shelf), [("Shop", "is", "Kobe"), ("Date", "at most", "2024-06-30")]
    queries = [
        tables.TableQuery.model_validate(asked("sum", column, conditions=until_june)) for column in ("Sales", "Pieces")
    ]
    request = shelf.report_request(question="What were the sales of Kobe in the first half of 2024?")
    (by_words,) = rows_computed(request)
    both = rows_computed(replace(request, queries={page.id: tables.asked_of(page, queries, "")}))
    assert "2024-01 – 2024-06" in by_words
    assert both[0] == by_words and ["Pieces" in line for line in both] == [False, True]


async def test_what_topics_need_of_a_table_is_asked_too(server: OpenAIServer) -> None:
    large = asked("count", conditions=[("Sales", "more than", "900")])
    server.enqueue(Json({"queries": [large]}))
    request = replace(page_request(orders(), "How do our shops do?"), topics=("Orders over 900",))
    summary = await desk(server).analyst.summarise(request)
    assert "<topic>\nOrders over 900\n</topic>" in server.requests[0].body["messages"][-1]["content"]
    assert len(summary.queries) == 1


async def test_todays_date_is_told_where_it_tells_the_time_and_only_there(server: OpenAIServer) -> None:
    server.handler = lambda _: Json({"queries": [asked("sum", "Sales")]})
    analyst = desk(server).analyst
    for question, told in (("What did we sell last month?", True), ("昨年の売上は？", True), ("Sales in May?", False)):
        request = page_request(orders(), question)
        await analyst.summarise(request)
        assert ("2026-11-21" in server.requests[-1].text) is told
        assert ("2026-11-21" in analyst.summary_key(request)) is told, "what was kept is asked anew another day"


async def test_notes_beside_the_tables_are_summarised_too(server: OpenAIServer) -> None:
    note = "Kobe was closed in March: the roof was repaired, and nothing was sold for nine days."
    notes = "\n".join(["# Notes", *(f"{note} {number}" for number in range(20))])
    page = Shelf().page(*ROWS, notes, kind=SourceKind.DOCUMENT)
    report = {"summary": "Kobe was closed.", "key_excerpts": [f"{note} 0"]}
    server.enqueue(Json({"queries": [asked("sum", "Sales", conditions=[KOBE])]}), Json(report))
    summary = await desk(server).analyst.summarise(page_request(page, "What did Kobe sell, and why so little?"))
    assert (summary.summary, summary.key_excerpts[0]) == ("Kobe was closed.", f"{note} 0")
    assert {ROWS[0], ROWS[-4]} <= {*summary.key_excerpts}
    assert len(summary.queries) == 1


@pytest.mark.parametrize("said", [{"queries": []}, {"queries": [asked("sum", "Profit")]}, {"nothing": 1}])
async def test_where_nothing_is_asked_the_page_is_summarised_as_any(server: OpenAIServer, said: Any) -> None:
    report = {"summary": "Orders of two shops.", "key_excerpts": [ROWS[3]]}
    server.handler = lambda body: Json(said if "TableQueries" in json.dumps(body) else report)
    summary = await desk(server).analyst.summarise(page_request(orders(), "Who leads the shops?"))
    assert (summary.summary, summary.queries) == ("Orders of two shops.", ())
    assert ROWS[3] in summary.key_excerpts


async def test_a_writer_is_told_what_a_model_asked_and_the_program_worked_out(server: OpenAIServer) -> None:
    shelf = Shelf()
    page = orders(shelf)
    server.enqueue(Json({"queries": [asked("sum", "Sales", conditions=[KOBE])]}), Text("# Kobe\n\nIt sells [E1]."))
    summary = await desk(server).analyst.summarise(page_request(page, "Takings of Kobe?"))
    request = replace(shelf.report_request(question="Takings of Kobe?"), queries={page.id: summary.queries})
    await written(desk(server).analyst, request)
    told = re.search(r"<computed>\n(.*?)\n</computed>", server.requests[-1].body["messages"][-1]["content"], re.DOTALL)
    assert told is not None
    assert told[1] == "- Computed: Kobe, Sales: 23,436 = sum of 36 rows (Shop: Kobe) [E1] [E69]"


def model(body: Body) -> Answer:
    """Answer as a model would that plans, searches once, asks the table and copies what it was told."""
    schema = (body.get("response_format") or {}).get("json_schema", {}).get("name")
    if body.get("stream"):
        told = re.findall(r"^- (?:Computed: |計算：).*", body["messages"][-1]["content"], re.MULTILINE)
        return Text("\n".join(["# Kobe", "", *told, ""]))
    if body.get("tools"):
        has_searched = any(message["role"] == "tool" for message in body["messages"])
        return (
            Calls(("ResearchComplete", {"reason": "Enough."}))
            if has_searched
            else Calls(("search", {"queries": ["orders Kobe"]}))
        )
    answers: dict[str, Any] = {
        "TableQueries": {
            "queries": [
                asked("sum", "Sales", conditions=[("Shop", "is", "Kobe"), *EARLY]),
                asked("sum", "Sales", group="Kind", compare="ratio", compare_column="Pieces"),
            ]
        },
        "PageReport": {"summary": "Orders.", "key_excerpts": []},
        "CompressionAnswer": {"keep": ["E1"], "notes": "Known [E1]."},
        "PlanAnswer": {"sections": [{"title": "Kobe", "needs": ["sales"]}]},
        "Queries": {"queries": ["orders Kobe"]},
        "Thoughts": {"insights": [], "gaps": [], "doubts": [], "queries": [], "summary": "Enough."},
        "DepthChoice": {"reason": "One figure.", "queries_per_section": 1, "iterations": 1},
        "Repairs": {"repairs": []},
        "Readings": {"readings": []},
        "ReportFrame": {"title": "Kobe", "opening": "", "conclusion": "", "disagreements": [], "repeated": []},
    }
    return Json(answers[schema])


@pytest.mark.parametrize("language", list(Language))
def test_a_run_with_models_answers_from_the_rows_and_checks_the_sum_again(
    server: OpenAIServer, tmp_path: Path, language: Language
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    columns = [cell.partition(": ")[0] for cell in ROWS[0].split("; ")]
    lines = [",".join(cell.partition(": ")[2] for cell in row.split("; ")) for row in ROWS]
    (folder / "orders.csv").write_text("\n".join([",".join(columns), *lines]) + "\n", "utf-8")
    server.handler = model
    settings = Settings(home=tmp_path / "home", services=access(server.base_url, "sk-test-0123456789"))
    question = "What did Kobe take in the first half of 2024, all in all?"
    brief = Brief(question=question, language=language, sources=(SourceName.LIBRARY,))
    report = run_sync(brief, library=folder, settings=settings)
    checked = [(one.verdict, one.reason_code) for one in report.record.sentences if " = " in one.text]
    assert len(checked) >= 4
    assert {*checked} == {("supported", "computed-rows")}
    part = document_of(report).part(PartKind.CHARTS)
    assert part is not None
    (chart,) = (block for block in part.blocks if isinstance(block, Chart))
    assert (chart.title, chart.labels) == ("Sales ÷ Pieces", ("Lamps", "Chairs & Stools", "Desks"))
    told = [dict(cell.split(": ") for cell in row.split("; ")) for row in ROWS]
    sold, pieces = (
        [sum(float(row[column]) for row in told if row["Kind"] == kind) for kind in KINDS]
        for column in ("Sales", "Pieces")
    )
    assert chart.series[0].values == tuple(round(one / other, 2) for one, other in zip(sold, pieces, strict=True))
    made = {
        Language.EN: "sum of 18 rows (Shop: Kobe; Date: 2024-01",
        Language.JA: "18行の合計（Shop: Kobe; Date: 2024-01",
    }
    assert made[language] in report.markdown
    asked_in_words = {
        Language.EN: "Asked of tables: sum of Sales (Shop: Kobe; Date: 2024-01 – 2024-06)",
        Language.JA: "表の集計：Salesの合計（Shop: Kobe; Date: 2024-01 – 2024-06）",
    }
    subjects = {f"{shop} {kind}" for shop in SHOPS for kind in KINDS}
    assert {*report.figures["subject"]} == subjects, "whom a row is about, not its file"
    assert asked_in_words[language] in report.markdown, "a reader sees which rows were taken, and in which words"
