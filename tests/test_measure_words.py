"""Currencies and units in words: as a reader of Japanese writes them, and untouched in English."""

from __future__ import annotations

import pytest

from research.export.measure_words import in_words
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
    assert in_words(measure, Language.JA) == words
    assert in_words(measure, Language.EN) == measure
