from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pages.parts.ui import Ui, preferred
from research.language import Language

EN, JA = Ui.of(Language.EN, "Europe/London"), Ui.of(Language.JA, "Asia/Tokyo")


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("ja", "ja"),
        ("ja-JP", "ja"),
        ("JA_jp", "ja"),
        ("en-GB,en;q=0.9,ja;q=0.8", "en"),
        ("fr", "en"),
        ("", "en"),
        (None, "en"),
    ],
)
def test_the_browser_decides_the_language(asked: str | None, language: str) -> None:
    assert preferred(asked) == language


def test_moments_are_told_in_the_readers_time_zone_and_language() -> None:
    moment = datetime(2026, 11, 21, 22, 7, tzinfo=UTC)
    assert EN.moment(moment) == "21 Nov 2026, 22:07"
    assert JA.moment(moment) == "2026年11月22日 7:07"


def test_an_unknown_time_zone_counts_as_utc() -> None:
    assert Ui.of(Language.EN, "Mars/Base").timezone is UTC
    assert Ui.of(Language.EN, None).timezone is UTC


@pytest.mark.parametrize(
    ("known", "en", "ja"),
    [
        ("2025", "2025", "2025年"),
        ("2025-06", "Jun 2025", "2025年6月"),
        ("2025-06-03", "3 Jun 2025", "2025年6月3日"),
        ("last year", "last year", "last year"),
        ("2025-13", "2025-13", "2025-13"),
    ],
)
def test_dates_are_as_precise_as_known(known: str, en: str, ja: str) -> None:
    assert EN.partial_date(known) == en
    assert JA.partial_date(known) == ja


@pytest.mark.parametrize(
    ("seconds", "en", "ja"),
    [(0.4, "0 s", "0秒"), (59.4, "59 s", "59秒"), (148.2, "2 min 28 s", "2分28秒"), (7_320, "2 h 2 min", "2時間2分")],
)
def test_durations(seconds: float, en: str, ja: str) -> None:
    assert EN.duration(seconds) == en
    assert JA.duration(seconds) == ja


def test_numbers_sizes_and_money() -> None:
    assert EN.number(12345) == "12,345"
    assert EN.percent(0.456) == "46%"
    assert (EN.dollars(0), EN.dollars(0.0039), EN.dollars(1234.5)) == ("$0.00", "$0.0039", "$1,234.50")
    assert [EN.size(count) for count in (0, 12, 43_210, 52_400_000)] == ["0 kB", "1 kB", "43 kB", "52.4 MB"]
    assert EN.listed(["MD", "PDF", "CSV"]) == "MD, PDF, and CSV"
    assert JA.n_("{count} quote", "{count} quotes", 1_200) == "引用 1,200件"
