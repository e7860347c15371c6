"""Questions that ask to judge, to decide, to count and to divide, as people put them, on documents of their own and the
almanac: whether it is a good place to build a factory, what was decided, how many there are, which share a part has."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.core import Status
from research.results import Report
from research.text import counted_in, question_parts
from tests.support.rule_made import asked, said_first

REPORT = """# Lumen Works Inc 10-K 2024

Lumen Works Inc annual report on form 10-K for the fiscal year ended September 30, 2024.

Indicate by check mark whether Lumen Works is a well-known seasoned issuer, as defined in Rule 405 of the Act.

Item 1. Business

Lumen Works designs and makes tablets for drawing, and lends them to schools together with lessons for a term.

## People

We believe that our employees are our greatest assets. Employees own shares under the 2012 Employee Share Plan.

Employees may work from locations of their choice, and most employees stay with us for long.

As of the end of fiscal year 2024, we had 3,196 employees in 12 countries.

## Net sales by category (in millions)

|  | 2024 | 2023 |
| --- | --- | --- |
| LumenPad | 1,240 | 1,100 |
| Services | 620 | 540 |
| Northern Europe | 434 | 410 |

## Consolidated statements of operations (in millions)

|  | 2024 | 2023 |
| --- | --- | --- |
| Total net sales | 3,100 | 2,900 |
| Net income | 310 | 280 |

## Consolidated statements of cash flows (in millions)

|  | 2024 | 2023 |
| --- | --- | --- |
| Repurchases of common stock | (95) | (72) |

## Summary

|  | 2024 |  | 2023 |  |
| --- | --- | --- | --- | --- |
| Gross margin | 56.9 | % | 64.9 | % |

Our home lamps and home sensors are sold in stores. We lease 14 stores at home and abroad.
"""
STUDY = """# Market study: Peru, Chile and Bolivia

## What decides demand

Demand in mines follows the price of copper, which decides how many drills are bought.

## Advice

We recommend Peru as the first market. Chile should follow in 2028.
"""
MINUTES = """# 取締役会議事録（2025年9月4日）

## 第1号議案　南米の販売

- ペルーの代理店は2社とする。
- チリについては2027年まで直販を行わず、代理店に任せる。

## 第2号議案　品質

苦情は4件あり、うち3件は電池の不良だった。
"""
SALES = "month,country,revenue_million_yen\n" + "".join(
    f"{year}-{month:02},{country},{base + step * (year - 2023)}\n"
    for year in (2023, 2024)
    for month in range(1, 13)
    for country, base, step in (("Peru", 10, 6), ("Chile", 30, 3), ("Bolivia", 5, 1))
)


@pytest.fixture
def library(documents: Path) -> Path:
    for name, text in (("study.md", STUDY), ("gijiroku.md", MINUTES), ("sales.csv", SALES)):
        (documents / name).write_text(text, encoding="utf-8")
    return documents


@pytest.fixture
def filing(tmp_path: Path) -> Path:
    folder = tmp_path / "filings"
    folder.mkdir()
    (folder / "lumen.md").write_text(REPORT, encoding="utf-8")
    return folder


def answer(report: Report) -> str:
    return said_first(report).strip()


# --- a country is judged by what is told of it ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Is Vietnam a good place to build a factory?", ("Labor force: 57.133 million", "Ports, key ports: Da Nang")),
        ("ナイジェリアで事業をするリスクは？", ("Inflation rate (consumer prices) 2024: 33.2%", "Natural hazards:")),
        ("How attractive is Chile as a market?", ("Population, total:", "Real GDP per capita")),
        ("Is Thailand safe?", ("low-level insurgency", "Natural hazards:")),
        ("ナイジェリアって治安悪いの？", ("Boko Haram", "Military - note:")),
    ],
)
def test_a_country_is_judged_by_lines_that_bear_on_it_and_it_is_said_that_none_does(
    question: str, told: tuple[str, ...], home: Path
) -> None:
    report = asked(question, home)
    assert report.markdown.startswith(f"# {question}\n")
    said = answer(report)
    assert said.startswith(("Data give no judgement.", "データそのものは良し悪しを判断しません。"))
    assert all(one in said for one in told), said
    assert said.count("Urbanization, urban population") < 2


@pytest.mark.parametrize("question", ["how's vietnam going", "ベトナムってどう？"])
def test_how_somebody_is_doing_asks_what_they_are_in_all(question: str, home: Path) -> None:
    assert "Real GDP growth rate" in answer(asked(question, home))


def test_what_bears_on_each_of_two_things_stands_under_it_once(home: Path) -> None:
    said = answer(asked("インドの市場の魅力とリスクは何か", home))
    market, risk = said.partition("**リスク**")[::2]
    assert "**市場の魅力**" in market and "Population, total:" in market and "Inflation rate" in market
    assert "Natural hazards:" in risk and "Inflation rate" not in risk


def test_countries_are_held_against_each_other_line_by_line(home: Path) -> None:
    said = answer(asked("How do Thailand and Vietnam compare as production sites?", home))
    rows = [line for line in said.splitlines() if line.startswith("| ")]
    assert rows[0].startswith("|  | Thailand | Vietnam |") or "Thailand | Vietnam" in rows[0]
    assert any(row.startswith("| Labor force | 40.623 million") for row in rows)
    assert any(row.startswith("| Railways, total |") for row in rows)


@pytest.mark.parametrize("question", ["Tell me about Rwanda", "ルワンダについて教えて"])
def test_a_country_of_which_nothing_in_particular_is_asked_is_told_by_what_matters_most(
    question: str, home: Path
) -> None:
    report = asked(question, home)
    said = answer(report)
    lines = said.splitlines()
    assert "Geography" in lines[0] and "Location: Central Africa" in lines[1]
    told = ("Capital, name: Kigali", "Population, total:", "Real GDP per capita 2024:", "Exports - partners:")
    assert all(one in said for one in told), said
    assert said.count("Background:") == 1 and "no judgement" not in said
    assert "GDP per capita, note" not in report.markdown


@pytest.mark.parametrize("question", ["What is Germany's labor force?", "What are Vietnam's main industries?"])
def test_what_a_line_answers_is_not_judged(question: str, home: Path) -> None:
    assert "no judgement" not in asked(question, home).markdown


# --- decisions and advice ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", ["What did we decide about Chile?", "チリについて何が決まったか"])
def test_what_was_decided_about_somebody_is_told_by_minutes_that_name_it(
    question: str, home: Path, library: Path
) -> None:
    said = asked(question, home, library).markdown.partition("## Sources")[0].partition("## 情報源")[0]
    assert "直販を行わず" in said
    assert "price of copper" not in said.partition("## Further")[0]


def test_advice_is_found_where_it_is_asked_whether_one_should(home: Path, library: Path) -> None:
    assert "We recommend Peru" in answer(asked("Should we go to Peru first?", home, library))


def test_what_is_no_figure_asks_for_none() -> None:
    assert not question_parts("顧客の不満は何か").wants_figure
    assert question_parts("拠点は何か国にあるか").wants_figure


# --- how many, which share, who grew ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question", ["How many employees does Lumen Works have?", "What is the number of employees of Lumen Works?"]
)
def test_a_number_of_things_is_told_by_what_counts_them(question: str, home: Path, filing: Path) -> None:
    first = answer(asked(question, home, filing)).splitlines()[0]
    assert "3,196 employees" in first


def test_a_year_counts_nothing() -> None:
    counts = counted_in("How many employees does it have?")
    assert counts is not None
    assert counts.search("we had 3,196 employees") and not counts.search("the 2012 Employee Share Plan")
    people = counted_in("社員は何人ですか")
    assert people is not None and people.search("社員は約120名です") and not people.search("2012年の計画")


def test_how_long_something_lasts_is_told_in_either_language_and_by_no_date() -> None:
    lasts = counted_in("この装置の保証は何年？")
    assert lasts is not None
    assert all(lasts.search(said) for said in ("保証は2年とする。", "The warranty is 24 months.", "納入から18か月まで"))
    assert not any(lasts.search(said) for said in ("2024年度の故障率は0.8%", "2024年5月に開いた", "In 2024 it fell."))
    when = counted_in("本社は何年にできた？")
    assert when is not None and when.search("本社は1921年にできた。")


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("What share of Lumen Works' revenue comes from the LumenPad?", "40.0% = 1,240"),
        ("What percentage of Lumen Works' net sales does Northern Europe account for?", "14.0% = 434"),
        ("How much of Lumen Works' revenue is from services?", "20.0% = 620"),
        ("Lumen Worksの売上高に占めるLumenPadの割合は？", "40.0% = 1,240"),
    ],
)
def test_a_part_that_has_a_row_is_divided_by_the_whole(question: str, share: str, home: Path, filing: Path) -> None:
    report = asked(question, home, filing)
    assert share in answer(report)
    assert "Nothing was found" not in report.markdown and report.status is Status.COMPLETE


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is Lumen Works profitable?", "Net income (in millions): 310 (2024)"),
        ("Did Lumen Works make a profit in 2023?", "280 (2023)"),
        ("How much did Lumen Works spend on share buybacks?", "Repurchases of common stock (in millions): 95 (2024)"),
        ("Did Lumen Works' gross margin improve?", "Gross margin: 56.9% (2024); 64.9% (2023)"),
    ],
)
def test_what_a_firm_earned_and_bought_back_is_told_by_its_statements(
    question: str, said: str, home: Path, filing: Path
) -> None:
    assert said in answer(asked(question, home, filing))


def test_what_a_firm_does_is_told_where_its_business_begins_and_not_on_its_cover(home: Path, filing: Path) -> None:
    report = asked("What does Lumen Works do?", home, filing)
    assert "tablets for drawing" in answer(report)
    assert "check mark" not in report.markdown.partition("## Sources")[0]


def test_nobody_is_known_by_a_plain_word_that_a_name_begins_with(home: Path, filing: Path) -> None:
    report = asked("How many stores does Home Depot have?", home, filing)
    assert report.status is Status.PARTIAL
    assert "Nothing was found on Home Depot" in answer(report)
    assert "14 stores" not in report.markdown


def test_a_comparison_that_lacks_somebody_is_not_complete(home: Path, filing: Path) -> None:
    report = asked("Compare the revenue of Lumen Works and Volta Lamps", home, filing)
    assert report.status is Status.PARTIAL
    assert [problem.subject for problem in report.record.problems if problem.code == "name_missing"] == ["Volta Lamps"]
    assert "3,100" in answer(report)


@pytest.mark.parametrize(
    "question", ["Which country grew fastest?", "Which market had the highest sales growth?", "一番伸びている国は？"]
)
def test_who_grew_fastest_is_told_of_sales_by_growth_and_not_by_size(question: str, home: Path, library: Path) -> None:
    lines = answer(asked(question, home, library)).splitlines()
    assert "+60.0%" in lines[0] and ("Peru" in lines[0] or "ペルー" in lines[0])
    assert "+20.0%" in lines[1] or "+10.0%" in lines[1]


def test_a_breakdown_that_a_file_does_not_have_is_named(home: Path, library: Path) -> None:
    said = answer(asked("Sales by product in 2024", home, library))
    assert "No breakdown “by product”" in said
    assert "Peru" not in said.splitlines()[0]
    assert "country: Peru" in answer(asked("Sales by country in 2024", home, library))
