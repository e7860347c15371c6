"""What the rows of a table say: about whom, what each cell is called, when it held, and what it is counted in."""

from __future__ import annotations

from research.text import values_of

_SERIES = """
### 連結経営指標

| 項目 | 第51期(2023/12) | 2024/12期実績 |
|---|---|---|
| 売上高（千円） | 12,872,437 | **12,383,109** |
| 自己資本比率（%） | 90.0 | 91.5 |
"""


def _told(text: str) -> list[tuple[str, str, str]]:
    return [(value.label, value.text, value.year) for value in values_of(text)]


def test_figures_have_their_unit_and_year() -> None:
    assert _told(_SERIES) == [
        ("売上高", "12,872,437千円", "2023"),
        ("売上高", "12,383,109千円", "2024"),
        ("自己資本比率", "90.0%", "2023"),
        ("自己資本比率", "91.5%", "2024"),
    ]


def test_a_row_is_where_its_value_says() -> None:
    value = values_of(_SERIES)[0]
    assert _SERIES[value.start : value.end] == "| 売上高（千円） | 12,872,437 | **12,383,109** |"


def test_what_leads_to_a_table_tells_its_unit() -> None:
    table = "### 損益計算書（百万円）\n\n| 項目 | 2024/12 |\n|---|---|\n| 経常利益 | 1,448 |\n| 利益率 | 11.7% |\n"
    assert _told(table) == [("経常利益", "1,448百万円", "2024"), ("利益率", "11.7%", "2024")]


def test_rows_of_words_and_figures_are_each_called_by_their_name() -> None:
    table = "| 項目 | 内容 |\n|---|---|\n| 本社 | 東京都 |\n| 従業員数 | 連結260名 |\n| 海外売上比率 | **51%** |\n"
    assert _told(table) == [("本社", "東京都", ""), ("従業員数", "連結260名", ""), ("海外売上比率", "51%", "")]


def test_two_columns_of_names_and_figures_keep_the_name_of_the_column() -> None:
    assert _told("| Country | Staff |\n|---|---|\n| Japan | 30 |\n| Peru | 12 |\n") == [
        ("Japan: Staff", "30", ""),
        ("Peru: Staff", "12", ""),
    ]


def test_a_column_that_begins_with_a_digit_still_names_its_cells() -> None:
    table = "| 項目 | 3Q累計 | 進捗率 |\n|---|---|---|\n| 経常利益 | 7,622百万円 | 91.8% |\n"
    assert _told(table) == [("経常利益: 3Q累計", "7,622百万円", ""), ("経常利益: 進捗率", "91.8%", "")]


def test_periods_below_the_rule_head_the_columns() -> None:
    table = "|  |  |  |\n|---|---|---|\n|  | 2024 | 2023 |\n| Revenue | 130 | 60 |\n"
    assert _told(table) == [("Revenue", "130", "2024"), ("Revenue", "60", "2023")]


def test_an_amount_before_the_name_belongs_to_it_and_a_bare_number_counts_rows() -> None:
    table = "| Total | Who | At the start |\n|---|---|---|\n| £500 | Apprentices | £250 |\n| £1500 | Others | £750 |\n"
    told = _told(table)
    assert ("Others: Total", "£1500", "") in told and ("Apprentices: At the start", "£250", "") in told
    table = "| No. | Item | Sales |\n|---|---|---|\n| 1 | Pumps | 30 |\n| 2 | Valves | 12 |\n"
    assert _told(table) == [("Pumps: Sales", "30", ""), ("Valves: Sales", "12", "")]


def test_a_rounded_figure_is_an_amount_whatever_it_is_made_up_of() -> None:
    said = "approximately 230-240,000 active people (150,000 of them on land; 45,000 at sea; 47,000 in the air)"
    (value,) = values_of(f"Japan – Strength: {said}\n")
    assert value.is_amount and value.number == 230_000
