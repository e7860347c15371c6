"""Questions on files of figures: which column is meant, whose row, when, and what follows from several."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from research import Brief, run_sync
from research.core import Evidence, Page, Sentence, SourceKind, SourceName
from research.export.composing import document_of
from research.export.document import Chart, PartKind
from research.language import Language
from research.results import ProofBasis
from research.settings import Settings
from research.text import names_in, passages, question_parts
from tests.support.rule_made import asked, parts

SALES = "month,country,units,revenue_million_yen\n" + "".join(
    f"{2024 + (at + 3) // 12}-{(at + 3) % 12 + 1:02},{country},{at + start},{10 * (at + start)}.5\n"
    for at in range(24)
    for country, start in (("Vietnam", 20), ("Thailand", 50))
)
DEATHS = "entity,year,deaths per TWh of electricity\n" + "".join(
    f"{entity},2021,{deaths}\n"
    for entity, deaths in {
        "Brown coal": 32.72,
        "Coal": 24.62,
        "Oil": 18.43,
        "Biomass": 4.63,
        "Gas": 2.82,
        "Hydropower": 1.3,
        "Wind": 0.035,
        "Nuclear": 0.03,
        "Solar": 0.019,
    }.items()
)
COST = "entity,year,installed capacity,unit cost\n" + "".join(
    f"World,{year},{capacity},{cost}\n"
    for year, capacity, cost in ((2010, 40, 2.0), (2012, 100, 1.1), (2015, 230, 0.7), (2019, 620, 0.4))
)
STAFF = "name,age\n" + "".join(f"Person {number},{number}\n" for number in range(20, 40))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("figures") / "data"
    folder.mkdir()
    for name, text in {
        "overseas-sales": SALES,
        "deaths-from-electricity": DEATHS,
        "solar-module-costs": COST,
        "staff": STAFF,
    }.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


def report(folder: Path, question: str, language: Language = Language.EN) -> str:
    return asked(question, folder.parent / "home", folder, language=language).markdown


def answer(folder: Path, question: str, language: Language = Language.EN) -> str:
    shown = parts(report(folder, question, language))
    return shown.get("Answer") or shown["答え"]


def test_both_ends_of_an_order_are_shown_where_both_are_asked_for(folder: Path) -> None:
    said = answer(folder, "Which source of electricity costs the most deaths per TWh, and which the fewest?")
    assert said.index("Brown coal: 32.72") < said.index("lowest first") < said.index("Solar: 0.019")


def test_what_else_is_asked_of_the_highest_stands_in_its_row(folder: Path) -> None:
    said = answer(folder, "Which month brought the highest revenue in Vietnam, and how many units were sold then?")
    assert "Revenue (million yen), Vietnam, highest first:" in said
    assert "2026-03: 430.5; units: 43" in said


def test_each_fiscal_year_that_is_asked_for_is_a_sum_of_its_own(folder: Path) -> None:
    said = answer(folder, "How many units were sold in Vietnam in fiscal 2024 and fiscal 2025?")
    first, second = sum(range(20, 32)), sum(range(32, 44))
    assert f": {first} =" in said
    assert f": {second} =" in said
    assert "Thailand" not in said


FISCAL_2024, FISCAL_2025 = sum(range(20, 32)), sum(range(32, 44))
"""Units sold in Vietnam."""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many units did we sell in Vietnam?", f"April 2025 – March 2026, units: {FISCAL_2025} = sum of 12 rows"),
        (
            "What share of our overseas sales comes from Thailand?",
            "all in the file: 64.3% = 8,106 (sum of 12 rows, country",
        ),
        ("What are our total overseas sales?", "April 2025 – March 2026, revenue (million yen): 12,612"),
        ("How have units sold in Vietnam developed?", f"+144 (+47.1%) = {FISCAL_2025} (sum of 12 rows, country"),
        ("How have units sold in Vietnam developed since 2020?", f"+144 (+47.1%) = {FISCAL_2025} (sum of 12 rows"),
        ("How have units sold in Vietnam developed since 2025?", f"April 2025 – March 2026, units: {FISCAL_2025}"),
        ("In which country did we sell the most units?", "Thailand, April 2025 – March 2026, units: 810"),
        ("In which country did units sold grow most?", "Vietnam, units, April 2024 – March 2025 to April 2025 – March"),
        ("Where did we sell most units in fiscal 2025, and where did they grow most?", "+144 (+47.1%)"),
        ("Show units sold by country.", "Vietnam, April 2025 – March 2026, units: 450"),
        (
            "How many units more were sold in Vietnam in May 2025 than in May 2024?",
            "May 2025: +12 (+57.1%)",
        ),
        (
            "What was the average monthly revenue in Vietnam in fiscal 2025?",
            "average: 375.5 = average of 12 rows (country",
        ),
        ("How many units were sold in Vietnam from April to June 2025?", "April 2025 – June 2025, units: 99"),
    ],
)
def test_months_are_added_up_where_nobody_asks_for_them(folder: Path, question: str, told: str) -> None:
    shown = report(folder, question)
    first = next(line for line in parts(shown)["Answer"].splitlines() if told in line)
    assert first.startswith("- Computed: ")
    assert "Not supported" not in shown
    assert f"{FISCAL_2024}" in shown or "develop" not in question or "2025" in question


BY_YEAR_AND_MONTH = "year,month,country,units\n" + "".join(
    f"{year},{month},{country},{units + 12 * (year - 2024) + month}\n"
    for year in (2024, 2025)
    for month in range(1, 13)
    for country, units in (("Vietnam", 20), ("Thailand", 120))
)


def test_months_beside_their_year_are_added_up_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "sales.csv").write_text(BY_YEAR_AND_MONTH, encoding="utf-8")
    shown = report(folder, "How did units sold in Vietnam change from fiscal 2023 to fiscal 2024?")
    assert "+36 (+54.5%) = 102 (sum of 3 rows, country: Vietnam; year: 2025-01 – 2025-03)" in shown
    assert "Not supported" not in shown


SHIPPED = "month,country,product,units,price\n" + "".join(
    f"2025-{month:02},{country},{product},{units + month},{price + month}\n"
    for month in range(1, 13)
    for country, product, units, price in (
        ("Vietnam", "AN-200", 10, 100),
        ("Vietnam", "AN-300", 20, 200),
        ("Thailand", "AN-200", 30, 100),
    )
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many units were shipped to Vietnam?", ["Vietnam, January 2025 – December 2025, units: 516"]),
        ("How many AN-200 units were shipped?", ["AN-200, January 2025 – December 2025, units: 636"]),
        (
            "How many AN-200 units were shipped to Vietnam?",
            ["Vietnam; AN-200, January 2025 – December 2025, units: 198"],
        ),
        ("Show units shipped by product.", ["AN-200, January", "units: 636", "AN-300, January", "units: 318"]),
        ("Which country got the most units?", ["Vietnam, January", "units: 516", "Thailand; AN-200, January", "438"]),
        ("What is the price in Thailand?", ["Thailand, AN-200, 2025-12: price: 112"]),
        ("How did the price in Vietnam develop?", ["AN-200, price, January 2025 to December 2025: +11", "+11 (+5.5%)"]),
    ],
)
def test_of_whom_a_file_tells_in_several_columns_those_that_are_asked_for_are_added_up(
    tmp_path: Path, question: str, told: list[str]
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "shipments.csv").write_text(SHIPPED)
    said = answer(folder, question)
    assert [one for one in told if one not in said] == []


def test_documents_draw_what_was_added_up_and_list_the_first_rows_alone(folder: Path) -> None:
    document = document_of(asked("Show units sold by country.", folder.parent / "home", folder))
    part = document.part(PartKind.CHARTS)
    assert part is not None
    (chart,) = (block for block in part.blocks if isinstance(block, Chart))
    assert (chart.labels, chart.series[0].values) == (("Thailand", "Vietnam"), (810, 450))
    (source,) = document.sources
    assert (len(source.quotes), source.more) == (3, "And 21 more rows of this file.")


def test_rows_on_others_are_no_share_of_a_market_and_overseas_sales_are_not_all_sales(folder: Path) -> None:
    assert "Computed" not in report(folder, "What is our market share in Thailand?")
    assert "Computed" not in report(folder, "What is our sales target?")
    assert "Computed" not in report(folder, "What is the sales target for Vietnam?")
    assert "Computed" not in report(folder, "What were our sales?")
    assert "Computed" not in report(folder, "How much revenue per unit do we make in Vietnam?")


def test_a_series_of_one_subject_answers_without_being_named(folder: Path) -> None:
    said = answer(folder, "How did the unit cost of solar modules change from 2010 to 2019?")
    assert "2010 to 2019: −1.6 (−80.0%)" in said


def test_a_row_is_told_by_whom_and_when_and_checked_word_by_word(folder: Path) -> None:
    question = "How do sales in Vietnam develop, and how safe is solar power?"
    record = asked(question, folder.parent / "home", folder).record
    row = "Solar, 2021: deaths per TWh of electricity: 0.019"
    (told,) = (one for one in record.sentences if row in one.text)
    assert (told.text.removeprefix("deaths-from-electricity: "), told.shown) == (row, "verbatim")
    assert record.ledger[told.evidence[0]].quote == "entity: Solar; year: 2021; deaths per TWh of electricity: 0.019"


def test_a_figure_of_another_kind_is_not_passed_off_as_what_is_asked(folder: Path) -> None:
    said = report(folder, "ベトナムの営業利益は？", Language.JA)
    assert "見つかりませんでした" in next(iter(parts(said)))
    assert "revenue" not in said


def test_what_exceeds_what_is_asked_of_both() -> None:
    asked = question_parts("シンガポールの2024年の輸出は輸入をいくら上回っていますか。")
    assert (asked.attributes, asked.wants_difference) == (("輸出", "輸入"), True)


@pytest.mark.parametrize("question", ["Compare the GDP of the Baltic states", "バルト三国のGDPを比較"])
def test_a_group_of_countries_is_asked_about_country_by_country(question: str) -> None:
    assert [name.en for name in names_in(question)] == ["Estonia", "Latvia", "Lithuania"]
    assert question_parts(question).attributes == ("GDP",)


def test_a_table_of_contents_is_no_passage() -> None:
    text = "# Rules\n\n- [Why it costs money](#why)\n- [What it costs](#what)\n\nA bag costs 20 yen for ten liters.\n"
    assert [one.text for one in passages(text)] == ["A bag costs 20 yen for ten liters."]


def test_a_wide_row_of_a_file_is_one_passage() -> None:
    row = "; ".join(f"measure number {number}: {number}.25" for number in range(30))
    assert [one.text for one in passages(f"{row}\n{row}\n")] == [row, row]


def test_a_figure_under_another_head_is_no_verbatim_cell() -> None:
    head = "|  | June 30, 2025 | June 30, 2024 |\n| --- | --- | --- |\n"
    text = f"Stock (In millions)\n\n{head}| Inventories | 25 | 37 |\n"
    start = text.index("| Inventories")
    page = Page(
        id="S1", url="file:a.md", title="A", site="a", origin=SourceName.LIBRARY, kind=SourceKind.DOCUMENT,
        published=None, fetched_at=datetime(2026, 1, 5, tzinfo=UTC), text=text, sha256="",
    )  # fmt: skip
    row = Evidence(id="E1", source="S1", quote=text[start:].strip(), start=start, end=len(text.rstrip()))
    books = ProofBasis({"S1": page}, {"E1": row})
    said = [
        Sentence(text=told, evidence=("E1",), verdict=None) for told in ("June 30, 2025 | 25", "June 30, 2024 | 25")
    ]
    assert [books.prove(one).verbatim for one in said] == [True, False]


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("Coal, 2021: deaths: 24.6; cost: 3", True),
        ("A: Coal, 2021: cost: 3", True),
        ("Coal: deaths: 3", False),
        ("Wind, 2021: cost: 3", False),
        ("B: Coal, 2021: cost: 3", False),
    ],
)
def test_a_row_is_told_by_its_own_cells_alone(said: str, holds: bool) -> None:
    text = "entity: Coal; year: 2021; deaths: 24.6; cost: 3"
    page = Page(
        id="S1", url="file:a.csv", title="A", site="a", origin=SourceName.LIBRARY, kind=SourceKind.DOCUMENT,
        published=None, fetched_at=datetime(2026, 1, 5, tzinfo=UTC), text=text, sha256="",
    )  # fmt: skip
    books = ProofBasis({"S1": page}, {"E1": Evidence(id="E1", source="S1", quote=text, start=0, end=len(text))})
    assert books.tells_row(Sentence(text=said, evidence=("E1",), verdict=None)) is holds


@pytest.mark.parametrize(
    ("said", "is_verbatim"),
    [
        ("Vietnam | $476.388 billion (2024 est.) | USA 28%, Japan 6%", True),
        ("ベトナム | Exports - partners: USA 28%, Japan 6%", True),
        ("Vietnam | $476.388 billion (2024 est.) | Japan 6%", False),
        ("Vietnam | $476.388 billion | USA 28%, Japan 6%", False),
        ("Kenya | $476.388 billion (2024 est.)", False),
    ],
)
def test_a_row_of_values_is_verbatim_where_each_stands_as_a_whole_in_a_quote_about_the_same(
    said: str, is_verbatim: bool
) -> None:
    quotes = ("Vietnam – GDP: $476.388 billion (2024 est.)", "Vietnam – Exports - partners: USA 28%, Japan 6%")
    text = "\n".join(("Vietnam grows.", *quotes))
    page = Page(
        id="S1", url="file:a.md", title="A", site="a", origin=SourceName.LIBRARY, kind=SourceKind.DOCUMENT,
        published=None, fetched_at=datetime(2026, 1, 5, tzinfo=UTC), text=text, sha256="",
    )  # fmt: skip
    found = {
        f"E{number}": Evidence(
            id=f"E{number}", source="S1", quote=quote, start=text.index(quote), end=text.index(quote) + len(quote)
        )
        for number, quote in enumerate(quotes, 1)
    }
    proved = ProofBasis({"S1": page}, found).prove(Sentence(text=said, evidence=tuple(found), verdict=None))
    assert proved.verbatim is is_verbatim


def _quarterly(folder: Path) -> Path:
    """Write the reports of two firms: Kestrel's business year ends in September, so its first quarter is of 2024."""
    folder.mkdir()
    firms = {
        "Kestrel": (("Q1", "December 28, 2024", 310), ("Q2", "March 29, 2025", 320), ("Q3", "June 28, 2025", 330)),
        "Osprey": (("Q1", "March 31, 2025", 710), ("Q2", "June 30, 2025", 720)),
    }
    for firm, reports in firms.items():
        for quarter, ended, earned in reports:
            head = f"(In millions)\n\n| | Three Months Ended {ended} | Other |\n| --- | --- | --- |\n"
            (folder / f"2025 {quarter} {firm[:3].upper()}.md").write_text(
                f"# {firm} Corporation\n\nForm 10-Q for the quarterly period ended {ended}\n\n"
                f"Statements of income {head}"
                f"| Revenue | {earned} | 1 |\n| Research and development | {earned // 10} | 2 |\n\n"
                f"Statements of cash flows {head}| Depreciation | {earned // 5} | 3 |\n"
                f"| Net cash provided by operating activities | {earned + 5} | 4 |\n"
            )
    return folder


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was Kestrel's operating cash flow as reported in the Q1 2025 10-Q?", ["315"]),
        ("How much did Kestrel spend on R&D in the second quarter of 2025?", ["32"]),
        ("What was Kestrel's operating cash flow in its most recent 10-Q?", ["335"]),
        ("How did Osprey's research and development compare to its revenue in the latest quarter?", ["72", "720"]),
        ("Kestrelの直近の四半期の売上高は", ["330"]),
    ],
)
def test_the_quarter_that_is_asked_for_is_that_of_the_document_which_is_called_so(
    tmp_path: Path, question: str, told: list[str]
) -> None:
    report = run_sync(
        Brief(question=question, sources=(SourceName.LIBRARY,)),
        library=_quarterly(tmp_path / "reports"),
        analyst="extractive",
        settings=Settings(home=tmp_path / "home"),
    )
    answer = next(iter(parts(report.record.draft).values()))
    rows = [one.quote for name, one in report.record.ledger.items() if f"[{name}]" in answer]
    assert sorted({row.split("|")[2].strip() for row in rows if "|" in row}) == told
