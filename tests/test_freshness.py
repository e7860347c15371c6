"""How recent information is, from dates of any precision."""

from __future__ import annotations

from datetime import date

import pytest

from research.core import Age, freshness
from research.language import Bilingual

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("published", "age"),
    [
        ("2026-11-21", Age.RECENT),
        ("2026-08-21", Age.RECENT),
        ("2026-08-20", Age.DATED),
        ("2026-11", Age.RECENT),
        ("2026-09", Age.RECENT),
        ("2026-08", Age.DATED),
        ("2026", Age.DATED),
        ("2019", Age.DATED),
        ("2026-11-20T23:30:00+00:00", Age.RECENT),
        (None, Age.UNKNOWN),
        ("", Age.UNKNOWN),
        ("2026-12-01", Age.UNKNOWN),
        ("last week", Age.UNKNOWN),
        ("2026-13", Age.UNKNOWN),
        ("2026-02-31", Age.UNKNOWN),
    ],
)
def test_age(published: str | None, age: Age) -> None:
    assert freshness(published, TODAY).age is age


def test_early_in_a_year_the_year_itself_is_recent() -> None:
    assert freshness("2026", date(2026, 2, 1)).age is Age.RECENT


def test_what_a_reader_is_told() -> None:
    assert freshness("2026-11", TODAY).label == Bilingual("2026-11 · last three months", "2026-11 · 直近3か月")
    assert freshness("2020", TODAY).label == Bilingual("2020", "2020")
    assert freshness(None, TODAY).label == Bilingual("date unknown", "日付不明")
