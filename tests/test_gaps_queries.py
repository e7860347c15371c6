"""The query generator: key words first, then what is missing, and never the same twice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from research.core import Brief, PeriodChoice, Region, Section
from research.gaps import first_queries, follow_up_queries
from research.language import Language

TODAY = date(2026, 11, 21)
PUMPS = Brief(question="How large is the pump market in Vietnam?")
PUMPS_JA = Brief(question="ベトナムのポンプ市場の規模と見通しはどうか", language=Language.JA)
PRICES = Section(title="Prices", focus="what pumps cost", needs=("price trends", "labor cost"))


def itself(brief: Brief) -> Section:
    return Section(title=brief.question)


def every(brief: Brief, section: Section, missing: Sequence[str], at_most: int = 3) -> list[str]:
    """All queries that follow, round after round, until there are none left."""
    made = list(first_queries(brief, section, at_most=at_most))
    for _ in range(200):
        new = follow_up_queries(brief, section, missing, made=made, at_most=at_most)
        assert len(new) <= at_most
        if not new:
            return made
        made += new
    raise AssertionError("The queries do not end.")


def words(query: str) -> list[str]:
    return sorted(query.casefold().split())


def test_japanese_questions_are_searched_in_english_as_well_and_english_ones_only_for_japanese_reports() -> None:
    asked = first_queries(PUMPS_JA, itself(PUMPS_JA), at_most=5)
    assert any(query.startswith("Vietnam pump market") for query in asked)
    assert all(query.isascii() for query in every(PUMPS, itself(PUMPS), ["outlook"]))
    reported_in_japanese = PUMPS.model_copy(update={"language": Language.JA})
    assert "ベトナム ポンプ 市場" in first_queries(reported_in_japanese, itself(PUMPS), at_most=5)


def test_each_name_that_a_question_compares_has_a_query_if_all_have_room() -> None:
    brief = Brief(question="Compare industrial growth in Vietnam, Thailand and Indonesia")
    section = Section(title="Energy")
    three = tuple(f"{name} industrial growth Energy" for name in ("Vietnam", "Thailand", "Indonesia"))
    assert first_queries(brief, section, at_most=3) == three
    assert first_queries(brief, section, at_most=2)[0] == "Vietnam Thailand Indonesia industrial growth Energy"


def test_one_part_of_a_question_that_is_missing_is_searched_for_without_the_others() -> None:
    brief = Brief(question="What are the population and the real GDP per capita of India?")
    made = ["India population real GDP capita"]
    assert follow_up_queries(brief, itself(brief), ["population"], made=made, at_most=1) == ("India population",)


@pytest.mark.parametrize(
    ("brief", "expected"),
    [
        (Brief(question="Pump prices", period=PeriodChoice.YEAR), "Pump prices 2026"),
        (Brief(question="Pump prices", period=PeriodChoice.WEEK), "Pump prices latest 2026"),
        (Brief(question="What are the latest pump prices?"), "pump prices latest 2026"),
        (Brief(question="Current account balance and pump prices"), "account balance pump prices"),
        (Brief(question="Pump prices in 2019", period=PeriodChoice.YEAR), "Pump prices 2019"),
        (Brief(question="ポンプの価格", language=Language.JA, period=PeriodChoice.YEAR), "ポンプ 価格 2026年"),
        (Brief(question="最新のEV動向", language=Language.JA), "EV 動向 最新 2026年"),
        (Brief(question="EVの普及", language=Language.JA), "EV 普及"),
    ],
)
def test_time_words_stand_where_freshness_matters(brief: Brief, expected: str) -> None:
    assert first_queries(brief, itself(brief), at_most=1, today=TODAY) == (expected,)


@pytest.mark.parametrize(
    ("question", "region", "expected"),
    [
        ("Pump prices", Region.EUROPE, "Pump prices Europe"),
        ("ポンプの価格", Region.EUROPE, "ポンプ 価格 欧州"),
        ("Pump prices", Region.WORLD, "Pump prices"),
        ("Pump prices in Vietnam", Region.EUROPE, "Vietnam Pump prices"),
        ("Pump prices in South-East Asia", Region.ASEAN, "Southeast Asia Pump prices"),
    ],
)
def test_the_region_stands_where_the_question_names_no_place(question: str, region: Region, expected: str) -> None:
    brief = Brief(question=question, region=region)
    assert first_queries(brief, itself(brief), at_most=1) == (expected,)


@pytest.mark.parametrize("brief", [PUMPS, PUMPS_JA])
def test_twenty_missing_items_are_each_asked_once_and_the_queries_run_dry(brief: Brief) -> None:
    missing = [f"topic{chr(97 + number)}" for number in range(20)]
    made = every(brief, Section(title="Details"), missing, at_most=3)
    assert len({tuple(words(query)) for query in made}) == len(made)
    opening = first_queries(brief, Section(title="Details"), at_most=3)
    singly = made[len(opening) : len(opening) + 20]
    assert [query.split()[-1] for query in singly] == missing


def test_a_query_counts_as_made_whatever_its_case_width_plural_and_order() -> None:
    made = ("ＭＡＲＫＥＴ, pumps vietnam definitions",)
    assert follow_up_queries(PUMPS, itself(PUMPS), ["definition"], made=made, at_most=3) == ()


def test_the_same_call_gives_the_same_queries_and_none_of_them_twice() -> None:
    missing = ["definition", "Definition", "definitions", "outlook"]
    once = follow_up_queries(PUMPS, PRICES, missing, made=(), at_most=50)
    assert once == follow_up_queries(PUMPS, PRICES, missing, made=(), at_most=50)
    assert follow_up_queries(PUMPS, PRICES, missing, made=once, at_most=50) == ()
    assert len({tuple(words(query)) for query in once}) == len(once)


@pytest.mark.parametrize(
    "item", ["overview", "概要", "その他", "???", "x" * 300, "site:evil.example \x00\n' OR 1=1 --"]
)
def test_items_that_tell_nothing_or_too_much_harm_nothing(item: str) -> None:
    for brief in (PUMPS, PUMPS_JA):
        for query in every(brief, itself(brief), [item]):
            assert 0 < len(query) <= 300
            assert not set(query) & set("\x00\n\"':=?")


@pytest.mark.parametrize("question", ["!!!", "概要は？", "x" * 4_000, "Overview", "🙂", "的な", " ".join(["a"] * 900)])
def test_a_question_without_telling_words_is_still_searched_for(question: str) -> None:
    brief = Brief(question=question)
    (query,) = first_queries(brief, itself(brief), at_most=1)
    assert 0 < len(query) <= 300


def test_no_room_means_no_query() -> None:
    assert first_queries(PUMPS, PRICES, at_most=0) == ()
    assert follow_up_queries(PUMPS, PRICES, ["a thing"], made=(), at_most=0) == ()
