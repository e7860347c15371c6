"""Figures of tables: which column and row a sentence may give them of."""

from __future__ import annotations

import pytest

from research.verification import Label, verify, with_names_of

TRADE = """# Regional trade 2024

Values in million euros.

| Region | Exports | Imports | Balance |
|---|---|---|---|
| Norden | 340 | 210 | 130 |
| Suden | 95 | 180 | -85 |
| Total | 435 | 390 | 45 |
"""
RECORD = """# Halden plc, five-year record

| Year | Revenue (£m) | Operating profit (£m) | Employees |
|---|---|---|---|
| 2022 | 120 | 14 | 800 |
| 2023 | 150 | 19 | 910 |
| 2024 | 171 | 23 | 1,020 |
"""
SEGMENTS = """# 部門別業績（単位：億円）

| 部門 | 売上高 | 営業利益 | 従業員数（人） |
|---|---|---|---|
| 化学 | 820 | 64 | 2,100 |
| 食品 | 410 | 38 | 1,350 |
| 物流 | 230 | 51 | 980 |
"""
PORTS = """| Indicator | Marlow | Castine | Dunmoor |
|---|---|---|---|
| Cargo (Mt) | 55.9 | 27.8 | 9.6 |
| Ship calls | 4,120 | 1,980 | 640 |
"""
WRITTEN_OUT = """month: 2025-04; region: East; units sold: 120; units returned: 14
month: 2025-04; region: West; units sold: 95; units returned: 21
"""
YEARS = """| Country | Sales 2023 | Sales 2024 | Profit 2023 | Profit 2024 |
|---|---|---|---|---|
| Japan | 50 | 55 | 12 | 15 |
| Korea | 40 | 38 | 11 | 9 |
"""

STATED = [
    (TRADE, "Exports from Norden were €340 million and imports €210 million."),
    (TRADE, "Norden's exports and imports were 340 and 210 million euros."),
    (TRADE, "Total exports and total imports were 435 and 390 million euros."),
    (TRADE, "In total, exports of 435 million euros exceeded imports of 390 million."),
    (RECORD, "Revenue was £150 million in 2023."),
    (RECORD, "Operating profit reached £23 million on revenue of £171 million in 2024."),
    (RECORD, "Operating profit grew to £19 million in 2023 from £14 million."),
    (SEGMENTS, "化学部門の売上高は820億円、営業利益は64億円だった。"),
    (SEGMENTS, "営業利益は、売上高820億円に対して64億円となった化学部門が最大だった。"),
    (SEGMENTS, "営業利益は化学が64億円、物流が51億円である。"),
    (PORTS, "Dunmoor had 640 ship calls."),
    (WRITTEN_OUT, "The West region sold 95 units and had 21 returned."),
    (YEARS, "Japan made a profit of 15 in 2024, after 12 in 2023."),
]
OF_ANOTHER_CELL = [
    (TRADE, "Exports from Norden were €210 million and imports €340 million."),
    (TRADE, "Norden's imports were 340 million euros."),
    (TRADE, "Total imports were 435 million euros."),
    (RECORD, "Revenue in 2023 was £120 million."),
    (RECORD, "Operating profit was £150 million in 2023."),
    (SEGMENTS, "化学部門の売上高は64億円、営業利益は820億円だった。"),
    (SEGMENTS, "食品部門の営業利益は410億円だった。"),
    (SEGMENTS, "営業利益は化学が51億円、物流が64億円である。"),
    (PORTS, "Dunmoor had 1,980 ship calls."),
    (WRITTEN_OUT, "The West region had 95 units returned."),
    (YEARS, "Sales in Japan were 50 in 2024."),
    (YEARS, "Sales in Japan were 15 in 2024."),
]


@pytest.mark.parametrize(("page", "sentence"), STATED)
def test_a_figure_of_the_named_cell_is_supported(page: str, sentence: str) -> None:
    verdict = verify(sentence, page)
    assert verdict.label is Label.SUPPORTED, verdict.reason


@pytest.mark.parametrize(("page", "sentence"), OF_ANOTHER_CELL)
def test_a_figure_of_another_column_or_row_is_not(page: str, sentence: str) -> None:
    verdict = verify(sentence, page)
    assert verdict.label is Label.UNSUPPORTED, verdict.reason


def test_a_paraphrased_head_names_no_column() -> None:
    verdict = verify("Shipments abroad from Norden were worth 340 million euros, above imports.", TRADE)
    assert verdict.label is not Label.UNSUPPORTED


def test_tables_that_a_blank_line_parts_have_their_own_heads() -> None:
    page = "| Port | Cargo |\n|---|---|\n| Orla | 12 |\n\n| Port | Ships |\n|---|---|\n| Orla | 80 |\n"
    assert verify("Orla had 80 ships.", page).label is Label.SUPPORTED


@pytest.mark.parametrize(
    ("row", "texts", "held"),
    [
        ("ベトナム | 4.2%", ["| Vietnam | 4.2% |"], "Vietnam | 4.2%"),
        ("Thailand | 1.2%", ["| タイ | 1.2% |"], "タイ | 1.2%"),
        ("タイ | 4.2%", ["| Vietnam | 4.2% |"], "タイ | 4.2%"),
        ("ベトナム | 4.2%", ["Vietnam and ベトナム"], "ベトナム | 4.2%"),
        ("ベトナムの売上高", ["Sales in Vietnam"], "ベトナムの売上高"),
    ],
)
def test_a_row_is_held_against_a_table_that_calls_its_country_in_another_language(
    row: str, texts: list[str], held: str
) -> None:
    assert with_names_of(row, texts) == held
