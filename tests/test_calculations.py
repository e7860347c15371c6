"""Calculations that a report prints are done again with figures that have to stand in the quotes."""

from __future__ import annotations

import pytest

from research.verification import Label, checked_calculation

_PAGE = """| Revenue | $2,000 | 1,600 |
| Loss | (50) | 30 |
| Stock | 480 | 320 | 1.2 trillion |
| 売上高 | 12億円 | 30億円 |
month: 2025-04; revenue: 32.0; cost: 29.7; stock: 4350"""
_QUOTES = [(_PAGE, row) for row in _PAGE.splitlines()]


@pytest.mark.parametrize(
    "text",
    [
        "Growth: 25.0% = (2,000 − 1,600) ÷ 1,600",
        "Margin (2023): -2.5% = (50) ÷ $2,000",
        "Turnover: 5.00 = 2,000 ÷ ((480 + 320) ÷ 2)",
        "Days: 87.6 = 365 × 480 ÷ 2,000",
        "Computed: 400 (+25.0%) = 2,000 − 1,600",
        "Computed: Revenue, 2022 to 2023: +400 (+25.0%) = 2,000 − 1,600",
        "計算：売上高、2022年から2023年：−18億円 = 12億円 − 30億円",
        "Computed: 2,080 = 2,000 + 30 − (50)",
        "割合: 40.0% = 12億円 ÷ 30億円",
        "Computed: 61.7 = 32 + 29.7",
        "Computed: 4,382 = 4,350 + 32.0",
        "Computed: 2.4 trillion = 1.2 trillion + 1.2 trillion",
    ],
)
def test_what_follows_from_figures_of_the_quotes_is_supported(text: str) -> None:
    verdict = checked_calculation(text, _QUOTES)
    assert verdict is not None
    assert (verdict.label, verdict.reason.code) == (Label.SUPPORTED, "computed")
    told = {_PAGE[slice(*number.where)] for number in verdict.numbers if number.where}
    assert told
    assert all(number.found for number in verdict.numbers)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Growth: 26.0% = (2,000 − 1,600) ÷ 1,600", "miscomputed"),
        ("Margin: 2.5% = (50) ÷ $2,000", "miscomputed"),
        ("Turnover: 5.00 = 2,000 ÷ ((480 + 330) ÷ 2)", "figure-missing"),
        ("Computed: Revenue, 400 days from 2022: +500 = 2,000 − 1,600", "miscomputed"),
        ("Computed: 467 = 435 + 32", "figure-missing"),
        ("Growth: 25.0% = (2,00 − 1,600) ÷ 1,600", "figure-missing"),
    ],
)
def test_what_does_not_is_not(text: str, code: str) -> None:
    verdict = checked_calculation(text, _QUOTES)
    assert verdict is not None
    assert (verdict.label, verdict.reason.code) == (Label.UNSUPPORTED, code)


@pytest.mark.parametrize(
    "text",
    [
        "Revenue was $2,000.",
        "x = y",
        "A: 5 = 2,000",
        "A: 5 = 2,000 ÷ 0 ÷ 1,600",
        "A: 5 = __import__('os') + 2,000 − 1,600",
        f"A: 5 = {'(' * 250}2,000{')' * 250} + 1,600",
        f"A: 5 = {'2,000 + ' * 9_000}1,600",
        "In 2023 = 2,000 pumps − 1,600 valves were (sold) [at last",
    ],
)
def test_what_prints_no_calculation_is_left_to_other_rules(text: str) -> None:
    verdict = checked_calculation(text, _QUOTES)
    assert verdict is None or verdict.label is not Label.SUPPORTED


_ROWS = [
    f"month: 2025-{month:02}; country: {country}; units: {units + month}; price: 2.5; %: {units + month}"
    for month in range(1, 4)
    for country, units in (("Vietnam", 10), ("Thailand", 100))
]
_THAILAND, _VIETNAM = "306 (sum of 3 rows, country: Thailand)", "36 (sum of 3 rows, country: Vietnam)"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Computed: units: 342 = sum of 6 rows", Label.SUPPORTED),
        ("計算：units：342 = 6行の合計", Label.SUPPORTED),
        (f"Computed: Thailand, units, share of all: 89.5% = {_THAILAND} ÷ 342 (sum of 6 rows)", Label.SUPPORTED),
        (f"Computed: Thailand, Vietnam, units: +270 (+750.0%) = {_THAILAND} − {_VIETNAM}", Label.SUPPORTED),
        (
            "Computed: Thailand, units: 203 = sum of 2 rows (country: Thailand; month: 2025-01 – 2025-02)",
            Label.SUPPORTED,
        ),
        ("計算：タイ、units：203 = 2行の合計（country: Thailand; month: 2025-01 – 2025-02）", Label.SUPPORTED),
        (f"Computed: Thailand, Vietnam, units: +270 (+75.0%) = {_THAILAND} − {_VIETNAM}", Label.UNSUPPORTED),
        (f"Computed: Thailand, Vietnam, units: +271 (+750.0%) = {_THAILAND} − {_VIETNAM}", Label.UNSUPPORTED),
        (
            "Computed: Vietnam, units: 203 = sum of 2 rows (country: Thailand; month: 2025-01 – 2025-02)",
            Label.UNSUPPORTED,
        ),
        ("Computed: units: 343 = sum of 6 rows", Label.UNSUPPORTED),
        ("Computed: stocks: 342 = sum of 6 rows", Label.UNSUPPORTED),
        ("Computed: units: 342 = sum of 5 rows", Label.UNSUPPORTED),
        ("Computed: units: 342 = sum of 60 rows", Label.UNSUPPORTED),
        ("Computed: units: 0 = sum of 0 rows", Label.UNSUPPORTED),
        (
            "Computed: share of units: 89.2% = 305 (sum of 3 rows, country: Thailand) ÷ 342 (sum of 6 rows)",
            Label.UNSUPPORTED,
        ),
        (f"Computed: share of units: 80.0% = {_THAILAND} ÷ 342 (sum of 6 rows)", Label.UNSUPPORTED),
    ],
)
def test_what_rows_of_a_file_come_to_is_added_up_again(text: str, label: Label) -> None:
    verdict = checked_calculation(text, [("\n".join(_ROWS), row) for row in _ROWS])
    assert verdict is not None
    assert verdict.label is label
