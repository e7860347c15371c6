"""Periods: canonical forms, what lies in what, and which figure they belong to."""

import pytest

from research.quantities import agree, extent, figures, periods
from research.quantities.periods import contains

CANONICAL = [
    ("in 2024", "2024"),
    ("2024年", "2024"),
    ("二〇二四年", "2024"),
    ("令和6年", "2024"),
    ("令和六年", "2024"),
    ("令和元年", "2019"),
    ("平成31年", "2019"),
    ("昭和64年", "1989"),
    ("２０２４年", "2024"),
    ("FY2024", "FY2024"),
    ("FY 2024", "FY2024"),
    ("FY24", "FY2024"),
    ("fiscal 2024", "FY2024"),
    ("fiscal year 2024", "FY2024"),
    ("financial year 2024", "FY2024"),
    ("2024年度", "FY2024"),
    ("24年度", "FY2024"),
    ("令和6年度", "FY2024"),
    ("FY2024/25", "2024/25"),
    ("2024/25", "2024/25"),
    ("2024年3月期", "FY2024-03"),
    ("24年3月期", "FY2024-03"),
    ("令和6年3月期", "FY2024-03"),
    ("FY3/2024", "FY2024-03"),
    ("fiscal year ended March 31, 2024", "FY2024-03"),
    ("2024年3月期第1四半期", "FY2024-03-Q1"),
    ("Q3 2024", "2024-Q3"),
    ("3Q 2024", "2024-Q3"),
    ("3Q24", "2024-Q3"),
    ("2024 Q3", "2024-Q3"),
    ("third quarter of 2024", "2024-Q3"),
    ("third-quarter 2024", "2024-Q3"),
    ("2024年第3四半期", "2024-Q3"),
    ("2024年第三四半期", "2024-Q3"),
    ("2024年7〜9月期", "2024-Q3"),
    ("July–September 2024", "2024-Q3"),
    ("Q3 FY2024", "FY2024-Q3"),
    ("3QFY2024", "FY2024-Q3"),
    ("2024年度第3四半期", "FY2024-Q3"),
    ("first half of 2024", "2024-H1"),
    ("1H 2024", "2024-H1"),
    ("2024年上半期", "2024-H1"),
    ("2024年度下期", "FY2024-H2"),
    ("March 2025", "2025-03"),
    ("Mar. 2025", "2025-03"),
    ("Sept 2025", "2025-09"),
    ("2025年3月", "2025-03"),
    ("2025-03", "2025-03"),
    ("2025/03", "2025-03"),
    ("令和7年3月", "2025-03"),
    ("31 March 2025", "2025-03-31"),
    ("March 31, 2025", "2025-03-31"),
    ("31st of March 2025", "2025-03-31"),
    ("2025-03-31", "2025-03-31"),
    ("2025/3/31", "2025-03-31"),
    ("2025年3月31日", "2025-03-31"),
    ("3/31/2025", "2025-03-31"),
    ("31/3/2025", "2025-03-31"),
    ("3/4/2025", "2025"),
    ("2020–2024", "2020/2024"),
    ("2020-24", "2020/2024"),
    ("from 2020 to 2024", "2020/2024"),
    ("2020〜2024年", "2020/2024"),
    ("2020年から2024年", "2020/2024"),
    ("2020〜2024年度", "FY2020/FY2024"),
    ("2024年4〜12月", "2024-04/2024-12"),
    ("the 1990s", "1990s"),
    ("1990年代", "1990s"),
]


@pytest.mark.parametrize(("text", "value"), CANONICAL)
def test_canonical_value(text: str, value: str) -> None:
    assert [period.value for period in periods(text)] == [value]
    assert extent(value) is not None


@pytest.mark.parametrize(
    "text",
    ["March 31", "5 May", "3月31日", "1,950 items", "R6", "2024 units", "約2000人", "1000年の歴史", "Room 2019x"],
)
def test_what_names_no_period(text: str) -> None:
    assert periods(text) == []


def test_offsets() -> None:
    text = "売上は\u200b２０２４年度に増え、March 2025 also"
    assert [text[p.start : p.end] for p in periods(text)] == ["２０２４年度", "March 2025"]


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("2025", "2025-03"),
        ("2025-Q1", "2025-03-31"),
        ("2025-H1", "2025-Q2"),
        ("FY2024", "FY2024-Q3"),
        ("FY2024-03", "2023-05"),
        ("2020/2024", "2022"),
        ("1990s", "1995-06"),
    ],
)
def test_one_lies_within_the_other(outer: str, inner: str) -> None:
    assert contains(outer, inner)
    assert not contains(inner, outer)
    assert agree(outer, inner)
    assert agree(inner, outer)


def test_fiscal_and_calendar_years_agree_by_name_only() -> None:
    assert agree("FY2024", "2024")
    assert not contains("2024", "FY2024")
    assert not contains("FY2024", "2024")
    assert agree("FY2024-03", "FY2023")
    assert agree("FY2024-03", "FY2024")
    assert not agree("FY2024-03", "FY2025")
    assert agree("2024/25", "FY2025")
    assert not agree("FY2024", "FY2025")
    assert not agree("2024-Q1", "2024-Q2")
    assert not agree("2024", "2025")


ATTACHED: list[tuple[str, list[str | None]]] = [
    ("Real GDP growth rate 2024: 0.1% (2024 est.)", ["2024"]),
    ("Nuclear reactors: 14 (2025)", ["2025"]),
    ("fossil fuels: 65.8% of total installed capacity (2023 est.)", ["2023"]),
    ("month: 2025-04; units: 120", ["2025-04"]),
    ("In 2024, sales rose 3% to $4m.", ["2024", "2024"]),
    ("sales of $3m in 2023 and $4m in 2024", ["2023", "2024"]),
    ("Sales rose from $3m in 2023 to $4m in 2024.", ["2023", "2024"]),
    ("Sales grew 5% in 2024 from $3m in 2023.", ["2024", "2023"]),
    ("In 2024 sales rose 5% compared with 2023.", ["2024"]),
    ("Up 5% from 2023.", [None]),
    ("USA 19%, China 18%, Hong Kong 4% (2023)", ["2023", "2023", "2023"]),
    ("Sales reached $3m, up 5%, in fiscal 2024.", ["FY2024", "FY2024"]),
    ("Sales were $3m in 2023. Profit was $1m.", ["2023", None]),
    ("2024年の売上高は3%増の100億円。", ["2024", "2024"]),
    ("売上高は2023年の100億円から2024年は120億円に増えた", ["2023", "2024"]),
    ("売上高は100億円（2024年度）", ["FY2024"]),
    ("2024年度は2023年度比3%増", ["FY2024"]),
    ("2024年は3%。利益は5億円。", ["2024", None]),
    ("Growth was 3.\nIn 2024 it fell.", [None]),
    ("Sales fell 3%\nin 2024 as a whole, the company said on Friday.", ["2024"]),
    ("Profit was ¥5.4 trillion, up from ¥2.7 trillion a year earlier.", [None, None]),
    ("In 2024 it lost €14m, compared with a profit of €9m a year earlier.", ["2024", "2023"]),
    ("In Q3 2024 it sold 900 cars, against 850 cars in the previous year.", ["2024-Q3", "2023-Q3"]),
    ("Profit grew to £19m in 2023 from £14m.", ["2023", None]),
    ("2024年の待機児童は12人で、前年の47人から減った", ["2024", "2023"]),
    ("2024年は前年の1.2倍だった", ["2024"]),
    ("Founded in 1937, it employs 380,000 people.", [None]),
    ("1937年創業の同社は38万人を雇用する", [None]),
    ("2025年5月のCPI（2020年=100）は111.4で3.7%上昇", ["2020", "2025-05", "2025-05"]),
    ("It grew 2.1% in the second quarter, after 1.6% in the first quarter of 2024.", [None, "2024-Q1"]),
    ("A 25% increase over 2023 to 5 units in 2024.", [None, "2024"]),
    ("imports of 45 bcm in 2024 (2023: 56 bcm)", ["2024", "2023"]),
    ("Growth (2024): 3%", ["2024"]),
    ("In FY2024, revenue was $12m (FY2023: $11m).", ["FY2024", "FY2023"]),
    ("It employs 1,700; a second plant will open by 2027.", [None]),
    ("On 31 March 2025, it had 500 people.", ["2025-03-31"]),
    ("units: 12\nmonth: 2024-05; units: 13", [None, "2024-05"]),
]


@pytest.mark.parametrize(("text", "expected"), ATTACHED)
def test_period_of_a_figure(text: str, expected: list[str | None]) -> None:
    assert [figure.period for figure in figures(text)] == expected


def test_periods_of_two_figures_are_compared_apart_from_their_values() -> None:
    first, second, third = (figures(text)[0] for text in ("3% (2023)", "3% (2024)", "3%"))
    assert first.agrees(second)
    assert not first.period_agrees(second)
    assert first.period_agrees(third)
