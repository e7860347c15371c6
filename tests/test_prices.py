"""Prices and orders as people ask for them: what it costs, which is the cheapest, how sales develop."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from research.core import SourceName
from tests.support.rule_made import asked, said_first

DRILLS = """# RT-50 hammer drill

The RT-50 is made for masonry. Its battery lasts for 90 minutes of work.

| Model | Motor power | Weight | List price |
| --- | --- | --- | --- |
| RT-50-A | 400 W | 2.1 kg | 89,000 yen |
| RT-50-B | 600 W | 1.8 kg | 64,000 yen |
| RT-50-C | 900 W | 3.4 kg | 112,000 yen |
"""
QUALITY = """# Quality review, May 2026

A sealed switch will be standard for the RT-50 from July. It adds 400 yen to the cost of each drill.

The average cost of a repair was 9,500 yen. Customers in Kyushu say that the cost of batteries decides.
"""
IN_ORDER = ["RT-50-A", "RT-50-B", "RT-50-C"]


@pytest.fixture
def library(documents: Path) -> Path:
    (documents / "rt-50.md").write_text(DRILLS, encoding="utf-8")
    (documents / "quality.md").write_text(QUALITY, encoding="utf-8")
    return documents


def answer(question: str, home: Path, library: Path | None = None) -> str:
    return said_first(asked(question, home, library, of=SourceName.HOUSE))


@pytest.mark.parametrize(
    "question",
    [
        "What does the RT-50 cost?",
        "How much does the RT-50 cost?",
        "How much is the RT-50?",
        "RT-50の価格",
        "RT-50はいくらですか",
    ],
)
def test_what_something_costs_is_its_price_each_model_in_the_order_of_its_table(
    question: str, tmp_path: Path, library: Path
) -> None:
    told = answer(question, tmp_path / "home", library)
    assert re.findall(r"RT-50-[ABC]", told) == IN_ORDER
    assert re.search("RT-50-B.*64,000 yen", told)


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("Which RT-50 model is the cheapest?", "BAC"),
        ("Which is the most expensive model of the RT-50?", "CAB"),
        ("RT-50で一番安い機種は", "BAC"),
        ("RT-50の機種を安い順に並べて", "BAC"),
        ("RT-50で最も価格の高い機種", "CAB"),
    ],
)
def test_an_order_by_price_has_every_row_in_either_language(
    question: str, order: str, tmp_path: Path, library: Path
) -> None:
    told = answer(question, tmp_path / "home", library)
    assert [one for one, _ in re.findall(r"RT-50-([ABC]).*?([\d,]+ yen)", told)] == list(order)
    assert " W" not in told


def test_what_something_did_cost_is_no_price(tmp_path: Path, library: Path) -> None:
    assert "9,500 yen" in answer("How much did a repair cost on average?", tmp_path / "home", library)


@pytest.mark.parametrize("question", ["How are sales in Vietnam developing?", "ベトナムの売上推移"])
def test_how_sales_develop_is_told_of_each_year_and_as_a_change(question: str, tmp_path: Path) -> None:
    told = answer(question, tmp_path)
    assert [one for one in ("293.3", "391.4", "+98.1 (+33.4%)") if one not in told] == []


def test_units_sold_are_no_engineers(tmp_path: Path) -> None:
    told = answer("How many engineers do we need in Vietnam?", tmp_path)
    assert "units" not in told
    assert "eight service engineers" in told
