"""Margins and ratios that no row says: computed from the rows of a filing, which are cited."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import research
from research.analysts.extractive import measures
from research.core import Brief, SourceName
from research.export.composing import document_of
from research.export.document import Chart
from research.language import Language
from research.text import question_parts

_FILING = """# Kitano Pumps, Inc. annual report

Kitano Pumps, Inc. makes pumps for waterworks. Operating income fell as steel became dearer.
{cover}

Pumps of the brand Marlin sold well in harbours.

## Revenue by segment

| (In millions) | 2023 | 2022 |
| --- | --- | --- |
| Marine pumps: total revenues | 9,000 | 8,000 |
| Net revenues | 310 | 290 |

Kitano Pumps, Inc.
Consolidated Statements of Income

| (In millions) | Years ended March 31, 2023 | Years ended March 31, 2022 |
| --- | --- | --- |
| Net revenues | $2,000 | $1,600 |
| Cost of sales | (1,300) | (1,000) |
| Operating income | 240 | 256 |
| Income before income taxes | 200 | 250 |
| Provision for income taxes | (50) | (50) |
| Net income | 150 | 200 |

Kitano Pumps, Inc.
Consolidated Balance Sheets

| (In millions) | March 31, 2023 | March 31, 2022 |
| --- | --- | --- |
| Inventories | 300 | 220 |
| Total current assets | 900 | 800 |
| Property, plant and equipment, net | 480 | 320 |
| Total current liabilities | 600 | 400 |

Kitano Pumps, Inc.
Consolidated Statements of Cash Flows

| (In millions) | Years ended March 31, 2023 | Years ended March 31, 2022 |
| --- | --- | --- |
| Net cash provided by operating activities | 330 | 310 |
| Purchases of property, plant and equipment | (90) | (64) |
"""
_FILING = _FILING.replace("{cover}", "Certain of these statements look forward; none of them is a promise.\n" * 60)
_TANSHIN = """# 北野ポンプ株式会社 決算短信

## 連結損益計算書（百万円）

| 項目 | 2024/3期 | 2023/3期 |
|---|---|---|
| 売上高 | 5,000 | 4,000 |
| 売上原価 | 3,500 | 2,600 |
| 営業利益 | 400 | 500 |

## 連結貸借対照表（百万円）

| 項目 | 2024/3期 | 2023/3期 |
|---|---|---|
| 流動資産合計 | 3,000 | 2,800 |
| 流動負債合計 | 2,000 | 1,400 |
| 自己資本比率（%） | 48.5 | 50.1 |
| 純資産合計 | 2,700 | 2,600 |
| 資産合計 | 5,400 | 5,000 |
"""


@pytest.fixture(scope="module")
def filings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filings")
    (folder / "Kitano Pumps annual report.md").write_text(_FILING, encoding="utf-8")
    (folder / "北野ポンプ 決算短信.md").write_text(_TANSHIN, encoding="utf-8")
    return folder


def answered(question: str, folder: Path, language: Language = Language.EN) -> str:
    """Return the first section of the report, with marks of citations as they stand."""
    brief = Brief(question=question, sources=[SourceName.LIBRARY], language=language)
    report = research.run_sync(brief, library=folder, analyst="extractive")
    computed = [one for one in report.record.sentences if " = " in one.text and one.evidence]
    assert all((one.verdict, one.reason_code) == ("supported", "computed") for one in computed)
    return report.record.draft.replace("\\$", "$")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "What was the gross margin of Kitano Pumps in FY2023?",
            r"Gross margin \(2023\): 35\.0% = \(\$2,000 \[E\d+\] − 1,300",
        ),
        (
            "What is the FY2023 capital expenditure (in USD millions) for Kitano Pumps?",
            r"Purchases of property, .*: 90 \(2023\) \[E",
        ),
        ("What were the total current assets of Kitano Pumps in 2023?", r"Total current assets .*: 900 \(2023\) \[E"),
        (
            "How did the effective tax rate of Kitano Pumps compare between FY22 and FY23?",
            r"25\.0% = 50 \[E\d+\] ÷ 200",
        ),
        ("What was the free cash flow of Kitano Pumps in 2023?", r"240 = 330 \[E\d+\] − 90 \["),
        (
            "What is the average capex as a % of revenue of Kitano Pumps for FY2022 and FY2023?",
            r"4\.5% = 90 \[E\d+\] ÷ \$2,000",
        ),
    ],
)
def test_a_measure_is_computed_from_the_rows_that_it_cites(question: str, said: str, filings: Path) -> None:
    assert re.search(said, answered(question, filings))


def test_a_question_may_define_what_it_asks_for_and_say_how_to_answer(filings: Path) -> None:
    question = (
        "You are an investment banker with only the balance sheet and the income statement. Here's the question: what "
        "is the FY2023 fixed asset turnover of Kitano Pumps? Fixed asset turnover is defined as: FY2023 revenue / "
        "(average PP&E between FY2022 and FY2023). Round your answer to two decimal places."
    )
    said = answered(question, filings)
    assert re.search(
        r"Fixed asset turnover \(2023\): 5\.00 = \$2,000 \[E\d+\] ÷ \(\(480 \[E\d+\] \+ 320 \[E\d+\]\) ÷ 2\)", said
    )
    assert "Net revenues ÷ ((Property, plant and equipment, net (2023)" in said
    assert "decimal" not in said
    assert "balance sheet" not in said


def test_a_definition_may_rest_on_others_and_growth_is_told_by_the_year(filings: Path) -> None:
    question = (
        "What was the net cycle of Kitano Pumps in 2023? Net cycle is defined as: DIO - turn. DIO is defined as: 365 * "
        "inventory / COGS. turn is defined as: revenue / inventory."
    )
    assert "77.56 = 365 × 300 " in answered(question, filings)
    assert "25.0% = (2,000 ÷ 1,600) ^ (1 ÷ 1) − 1" in answered(
        "What was Kitano Pumps' revenue CAGR, FY22 to FY23?", filings
    )


def test_a_share_is_that_of_the_one_line_in_the_other_however_it_is_asked_for(filings: Path) -> None:
    said = answered("What share of its revenue did Kitano Pumps pay for capital expenditure in 2023?", filings)
    assert re.search(r"4\.5% = 90 \[E\d+\] ÷ \$2,000", said)
    for question in (
        "北野ポンプの2024年の売上高に占める売上原価の割合は？",
        "北野ポンプの2024年の売上原価は売上高の何％？",
    ):
        assert re.search(r"70\.0% = 3,500百万円 \[E\d+\] ÷ 5,000百万円", answered(question, filings, Language.JA))


def test_how_a_line_moved_is_worked_out_from_what_its_row_prints(filings: Path) -> None:
    said = answered("How did the revenue of Kitano Pumps grow from 2022 to 2023?", filings)
    assert re.search(
        r"Computed: Net revenues, 2022 to 2023: \+400 \(\+25\.0%\) = \$2,000 \[E\d+\] − \$?1,600 \[E\d+\]", said
    )


def test_how_a_measure_moved_is_told_in_points_with_the_reason(filings: Path) -> None:
    said = answered("Why did the operating margin of Kitano Pumps decline in 2023?", filings)
    assert re.search(r"12\.0% = 240 .*\n.*16\.0% = 256", said)
    assert "Computed: Operating margin, 2022 to 2023: −4.0 percentage points = 12.0% − 16.0%" in said
    assert "steel became dearer" in said


def test_charts_show_what_was_computed_and_not_what_it_was_computed_from(filings: Path) -> None:
    question = "What were the gross margin and the operating margin of Kitano Pumps in FY2022 and FY2023?"
    brief = Brief(question=question, sources=[SourceName.LIBRARY], language=Language.EN)
    document = document_of(research.run_sync(brief, library=filings, analyst="extractive"))
    charts = [block for part in document.parts for block in part.blocks if isinstance(block, Chart)]
    told = {(one.name, *zip(chart.labels, one.values, strict=True)) for chart in charts for one in chart.series}
    margins = {
        ("Gross margin", ("2022", 37.5), ("2023", 35.0)),
        ("Operating margin", ("2022", 16.0), ("2023", 12.0)),
    }
    assert margins <= told
    assert not any("income" in chart.title.lower() for chart in charts)
    quotes = [quote for source in document.sources for quote in source.quotes]
    assert "Operating income | 240 | 256" in quotes


def test_a_japanese_filing_is_computed_alike_and_what_it_prints_itself_is_taken(filings: Path) -> None:
    said = answered("北野ポンプの2024年の営業利益率と流動比率は？", filings, Language.JA)
    assert re.search(r"営業利益率.*8\.0% = 400百万円 \[E\d+\] ÷ 5,000百万円", said)
    assert re.search(r"流動比率.*1\.50 = 3,000百万円", said)
    printed = answered("北野ポンプの2024年の自己資本比率は？", filings, Language.JA)
    assert "48.5%" in printed
    assert "50.0%" not in printed


@pytest.mark.parametrize(
    "question",
    [
        "What was the interest coverage ratio of Kitano Pumps in 2023?",
        "What was the gross margin of Marlin at Kitano Pumps in 2023?",
        "What was the gross margin of Kitano Pumps in 2023? Gross margin is defined as: ((( / % + .",
        f"What is X of Kitano Pumps in 2023? X is defined as: {'(' * 1500}revenue{')' * 1500} / revenue.",
        "What is X of Kitano Pumps in 2023? X is defined as: revenue / (total current assets - total current assets).",
        "What is X of Kitano Pumps in 2023? X is defined as: __import__('os').getcwd() / revenue.",
    ],
)
def test_what_cannot_be_computed_is_not(question: str, filings: Path) -> None:
    assert "computed as" not in answered(question, filings)


def test_every_name_that_is_known_is_understood_in_a_question() -> None:
    words = Path(measures.__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    entries = (line.partition("=")[0].rstrip(" ~:") for line in words if line and not line.startswith("#"))
    unknown = []
    for name in (name.strip() for entry in entries for name in entry.split(",")):
        question = f"What was the {name} of Kitano Pumps in 2023?" if name.isascii() else f"2024年の{name}は？"
        if not measures.measures_in(question_parts(question)):
            unknown.append(name)
    assert unknown == []


_SEGMENTS = """# HARBOR & VALE CO annual report

Harbor & Vale Co sells soap. Net sales increased 2% to $84.0 billion in fiscal 2024.

## Beauty

| (In millions) | 2024 | 2023 |
| --- | --- | --- |
| Net sales | 15,220 | 15,008 |

## Grooming

| (In millions) | 2024 | 2023 |
| --- | --- | --- |
| Net sales | 6,654 | 6,419 |

## Health care

| (In millions) | 2024 | 2023 |
| --- | --- | --- |
| Net sales | 11,793 | 11,226 |

## Home care

| (In millions) | 2024 | 2023 |
| --- | --- | --- |
| Net sales | 29,495 | 28,371 |
"""
_HEADED = """# NORRLAND, Inc. annual report

NORRLAND, Inc. makes shoes.

## Inventories

Inventories are stated at the lower of cost and net realizable value. A weaker krona reduces what inventory costs.

NORRLAND, Inc.
Consolidated Balance Sheets

| (In millions) | March 31, 2024 | March 31, 2023 |
| --- | --- | --- |
| Inventories | 7,519 | 8,454 |

NORRLAND, Inc.
Consolidated Statements of Income

| (In millions, except per share data) | Years ended March 31, 2024 | Years ended March 31, 2023 |
| --- | --- | --- |
| Revenues | 51,362 | 51,217 |
| Research and development | 812 | 790 |
| Diluted earnings per common share | 3.73 | 3.23 |
"""


@pytest.fixture(scope="module")
def soap_and_shoes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("soap")
    (folder / "hv.md").write_text(_SEGMENTS, encoding="utf-8")
    (folder / "norrland.md").write_text(_HEADED, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What are Norrland's inventories?", "7,519 (2024)"),
        ("Norrland inventory", "7,519 (2024)"),
        ("What is Norrland's EPS?", "3.73 (2024)"),
        ("Norrland R&D expenses", "812 (2024)"),
        ("What was Norrland's revenue?", "51,362 (2024)"),
    ],
)
def test_a_line_is_told_however_short_the_question_and_whatever_a_section_is_headed(
    question: str, said: str, soap_and_shoes: Path
) -> None:
    told = answered(question, soap_and_shoes)
    assert said in told.partition("## Answer")[2].strip().splitlines()[0]
    assert "lower of cost" not in told


def test_what_each_segment_sold_is_not_what_the_firm_did(soap_and_shoes: Path) -> None:
    told = answered("What was the revenue of H&V?", soap_and_shoes)
    assert "51,362" not in told, "another firm's figure"
    assert not re.search(r"^- Net sales.*: \d", told, re.MULTILINE), "of whom it is not said"
