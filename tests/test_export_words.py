"""Currencies, units and periods as readers write them: in Japanese words, in English with the signs they have."""

from __future__ import annotations

import pytest

from research.export import measure_in_words, period_in_words
from research.language import Language


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("JPY", "円"),
        ("JPY/kWh", "円/kWh"),
        ("USD", "米ドル"),
        ("days", "日"),
        ("JPY/people", "円/人"),
        ("kWh", "kWh"),
        ("XXQ", "XXQ"),
        ("", ""),
    ],
)
def test_a_measure_in_japanese(measure: str, words: str) -> None:
    assert measure_in_words(measure, Language.JA) == words
    assert measure_in_words(measure, Language.EN) == measure


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
    assert (period_in_words(period, Language.EN), period_in_words(period, Language.JA)) == (english, japanese)
