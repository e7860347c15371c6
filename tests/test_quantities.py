"""Figures gathered into quantities, for charts over time and side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from research.quantities import FigureRow
from research.verification import beside, quantities_in, subject_named
from research.verification.statements import series


def row(
    label: str, value: float, period: str | None, *, subject: str = "Japan", unit: str | None = "%", source: str = "S1"
) -> FigureRow:
    return FigureRow(
        subject, label, value, unit, None, period, f"{value}", f"{label}: {value}", f"E{value}", source, "2025"
    )


def test_one_quantity_over_time_from_several_sources() -> None:
    rows = [
        row("Unemployment rate", 2.6, "2024"),
        row("Unemployment rate", 2.8, "2021", source="S2"),
        row("unemployment rate of Japan", 2.5, "2023", subject="Annual report", source="S3"),
        row("失業率", 2.7, "2022", subject="日本", source="S4"),
        row("Youth unemployment rate", 4.1, "2024"),
        row("Unemployment rate", 3.5, "2024", subject="Germany"),
        row("Unemployment rate", 1.7, "2024", unit="people"),
    ]
    (found,) = quantities_in(rows)
    assert [(point.period, point.value) for point in found.points] == [
        ("2021", 2.8), ("2022", 2.7), ("2023", 2.5), ("2024", 2.6),
    ]  # fmt: skip
    assert found.sources == ("S2", "S4", "S3", "S1")
    assert (found.subject, found.label, found.unit) == ("Japan", "Unemployment rate", "%")
    assert found.is_series


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Demand, High case", "Demand, Low case"),
        ("Demand in the high growth case", "Demand in the low growth case"),
        ("Demand, high", "Demand, low"),
        ("Upper estimate of demand", "Lower estimate of demand"),
        ("需要、高位ケース", "需要、低位ケース"),
    ],
)
def test_the_high_case_and_the_low_one_are_two_quantities(one: str, other: str) -> None:
    assert not quantities_in([row(one, 5.0, "2030"), row(other, 3.0, "2030", source="S2")])
    (found,) = quantities_in([row(one, 5.0, "2030"), row(one, 6.0, "2030", source="S2")])
    assert [point.value for point in found.points] == [5.0, 6.0]


@pytest.mark.parametrize(
    ("title", "label", "named"),
    [
        ("2025年度業績の概要（2026年3月期）", "ベトナムの売上高", "ベトナム"),
        ("インドネシアの電力", "発電量", "インドネシア"),
        ("Japan's power market", "price", "Japan"),
        ("Energy white paper 2025", "renewables", ""),
        (
            "Market entry study: Vietnam, Indonesia and India",
            "size",
            "Market entry study: Vietnam, Indonesia and India",
        ),
        ("2025年度業績の概要（2026年3月期）", "東南アジア（ベトナム、インドネシア、タイ）の合計", "東南アジア"),
        ("overseas-sales-2024-2026", "sales", ""),
        ("2025年度業績の概要（2026年3月期）", "連結売上高", ""),
    ],
)
def test_a_figure_is_said_of_whom_its_label_names_or_the_one_place_in_its_title(
    title: str, label: str, named: str
) -> None:
    assert subject_named(row(label, 2.6, "2024", subject=title)) == named


def test_a_figure_of_a_record_is_said_of_whom_the_record_names_in_its_order() -> None:
    record = row("sales", 391, "2025", subject="overseas-sales-2024-2026")
    assert subject_named(replace(record, quote="country: Vietnam; product: P-200; sales: 391")) == "Vietnam P-200"


def test_two_sources_on_one_period_are_both_kept() -> None:
    (found,) = quantities_in(
        [row("Unemployment rate", 2.6, "2024"), row("Unemployment rate", 2.7, "2024", source="S2")]
    )
    assert [point.value for point in found.points] == [2.6, 2.7]
    assert not found.is_series
    assert series([row("Unemployment rate", 2.6, "2024"), row("Unemployment rate", 2.7, "2024", source="S2")]) == []


def test_what_one_page_says_twice_counts_once() -> None:
    assert quantities_in([row("Unemployment rate", 2.6, "2024"), row("Unemployment rate", 2.6, "2024")]) == []


def test_targets_are_not_joined_to_results() -> None:
    assert quantities_in([row("ベトナムの売上高", 2.9, "FY2024"), row("ベトナムの売上目標", 8.0, "FY2027")]) == []


def test_what_is_planned_or_only_assumed_is_not_joined_to_what_was() -> None:
    said = {
        "391 million yen": ("FY2025", "Sales in Vietnam were 391 million yen in fiscal 2025."),
        "455 million yen": ("FY2026", "Sales in Vietnam were 455 million yen in fiscal 2026."),
        "800 million yen": ("FY2027", "It pays off if sales in Vietnam reach 800 million yen in fiscal 2027."),
        "600 million yen": (
            "FY2028",
            "Staff grows. Sales in Vietnam are expected to be 600 million yen in fiscal 2028.",
        ),
    }
    rows = [
        FigureRow("Memo", "Sales in Vietnam", float(text[:3]), None, "JPY", period, text, quote, text, "S1", None)
        for text, (period, quote) in said.items()
    ]
    (found,) = quantities_in(rows)
    assert [point.value for point in found.points] == [391.0, 455.0]


def test_months_and_years_make_no_line() -> None:
    assert series([row("Unemployment rate", 2.6, "2024"), row("Unemployment rate", 2.7, "2025-03")]) == []


def test_undated_figures_come_last() -> None:
    (found,) = quantities_in([row("Unemployment rate", 2.6, None), row("Unemployment rate", 2.7, "2024")])
    assert [point.period for point in found.points] == ["2024", None]


def test_nothing_to_measure_is_no_quantity() -> None:
    assert quantities_in([row("", 1.0, "2024"), row("", 2.0, "2025")]) == []


def test_records_of_a_file_are_told_apart_by_the_names_in_them() -> None:
    records = [
        FigureRow("sales", "units", value, None, None, month, f"{value}", quote, f"E{value}", "S1", None)
        for month, country, value in [
            ("2025-01", "Vietnam", 21.0),
            ("2025-01", "India", 9.0),
            ("2025-02", "Vietnam", 23.0),
        ]
        for quote in [f"month: {month}; country: {country}; units: {value}"]
    ]
    (found,) = quantities_in(records)
    assert (found.subject, found.is_series) == ("Vietnam", True)


def test_what_a_line_divides_into_is_told_apart_by_its_subject() -> None:
    rows = [
        row("Export partners, China", 20.0, "2023", subject="Vietnam"),
        row("Export partners, China", 24.0, "2023", subject="Indonesia", source="S2"),
        row("Export partners, China", 13.0, "2022", subject="Indonesia", source="S3"),
        row("Real GDP growth rate", 7.1, "2024", subject="Vietnam"),
        row("Real GDP growth rate", 5.0, "2023", subject="Indonesia"),
    ]
    (found,) = quantities_in(rows)
    assert (found.subject, found.label) == ("Indonesia", "Export partners, China")
    assert [point.value for point in found.points] == [13.0, 24.0]


def test_a_label_that_names_a_place_is_of_that_place_whatever_the_page() -> None:
    rows = [
        row("ベトナムの売上目標", 8.0, "FY2027", subject="東南アジア事業戦略メモ"),
        row("ベトナムの売上目標", 6.5, "FY2027", subject="取締役会議事録", source="S2"),
    ]
    (found,) = quantities_in(rows)
    assert found.subject == "ベトナム"
    assert found.sources == ("S1", "S2")


def test_labels_that_tell_too_little_join_nothing() -> None:
    assert quantities_in([row("Unemployment rate", 2.6, "2024"), row("Unemployment rate", 9.9, "2024")]) == []


@pytest.mark.parametrize(
    ("subject", "label", "shown"),
    [
        ("ベトナム", "ベトナムの売上目標", ""),
        ("Vietnam", "sales in Vietnam", ""),
        ("Japan", "日本の失業率", ""),
        ("AN-300", "AN-300の初期故障率", ""),
        ("Japan", "Unemployment rate", "Japan"),
        ("Vietnam Laos", "sales in Vietnam", "Vietnam Laos"),
        ("東南アジア事業戦略メモ", "売上高", "東南アジア事業戦略メモ"),
        ("sales", "units", "sales"),
    ],
)
def test_no_subject_stands_beside_a_label_that_names_it(subject: str, label: str, shown: str) -> None:
    assert beside(subject, label) == shown
