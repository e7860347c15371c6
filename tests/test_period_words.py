"""Periods in charts stand as readers write them."""

import pytest

from research.export.period_words import in_words, label_in_words
from research.language import Language


@pytest.mark.parametrize(
    ("period", "english", "japanese"),
    [
        ("2024", "2024", "2024"),
        ("2024-Q1", "2024 Q1", "2024年Q1"),
        ("2024-05", "May 2024", "2024年5月"),
        ("2024-05-12", "12 May 2024", "2024年5月12日"),
        ("FY2024", "FY2024", "2024年度"),
        ("FY2024-H1", "FY2024 H1", "2024年度上期"),
        ("FY2024-03", "FY to Mar 2024", "2024年3月期"),
        ("1990s", "1990s", "1990年代"),
        ("2024/25", "2024/25", "2024/25"),
        ("FY2019/FY2021", "FY2019 – FY2021", "2019年度〜2021年度"),
        ("2024-13", "2024-13", "2024-13"),
        ("Vietnam", "Vietnam", "Vietnam"),
        ("", "", ""),
    ],
)
def test_a_period_is_written_in_words(period: str, english: str, japanese: str) -> None:
    assert (in_words(period, Language.EN), in_words(period, Language.JA)) == (english, japanese)


@pytest.mark.parametrize(
    ("label", "english", "japanese"),
    [
        ("売上目標 (FY2027)", "売上目標 (FY2027)", "売上目標（2027年度）"),
        ("exports (2024-05)", "exports (May 2024)", "exports（2024年5月）"),
        ("市場 (billion yen)", "市場 (billion yen)", "市場 (billion yen)"),
        ("開設", "開設", "開設"),
        ("", "", ""),
    ],
)
def test_the_period_behind_a_label_is_written_in_words(label: str, english: str, japanese: str) -> None:
    assert label_in_words(label, Language.EN) in (label, english)
    assert label_in_words(label, Language.JA) in (label, japanese)
    assert label_in_words(label, Language.JA) == japanese
