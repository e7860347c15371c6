"""The query generator: key words first, then what is missing, and never the same twice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from research.core import Aspect, Brief, PeriodChoice, Region, Section
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


def test_a_question_is_reduced_to_what_is_telling() -> None:
    assert first_queries(PUMPS, itself(PUMPS), at_most=1) == ("Vietnam pump market",)
    assert first_queries(PUMPS_JA, itself(PUMPS_JA), at_most=1) == ("ベトナム ポンプ 市場 規模 見通し",)


def test_first_queries_come_from_question_title_focus_and_wanted_points() -> None:
    assert first_queries(PUMPS, PRICES, at_most=5) == (
        "Vietnam pump market Prices",
        "Vietnam pump market cost",
        "Vietnam pump market price trends",
        "Vietnam pump market labor cost",
    )
    section = Section(title="競合", focus="主要企業の強みと弱み", needs=("シェア", "取り組み"))
    assert first_queries(PUMPS_JA, section, at_most=4) == (
        "ベトナム ポンプ 市場 規模 見通し 競合",
        "ベトナム ポンプ 市場 規模 見通し 主要企業 強み 弱み",
        "ベトナム ポンプ 市場 規模 見通し シェア",
        "ベトナム ポンプ 市場 規模 見通し 取り組み",
    )


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


def test_without_the_day_a_period_asks_for_the_latest() -> None:
    brief = Brief(question="Pump prices", period=PeriodChoice.YEAR)
    assert first_queries(brief, itself(brief), at_most=1) == ("Pump prices latest",)
    assert follow_up_queries(brief, itself(brief), ["costs"], made=(), at_most=1) == ("Pump prices costs latest",)


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


def test_each_missing_item_has_a_query_before_combinations() -> None:
    made = ("Vietnam pump market",)
    missing = ["definition", "outlook"]
    assert follow_up_queries(PUMPS, itself(PUMPS), missing, made=made, at_most=3) == (
        "Vietnam pump market definition",
        "Vietnam pump market outlook",
        "Vietnam pump market definition outlook",
    )


def test_missing_items_in_the_language_of_the_report_are_asked_in_that_of_the_question() -> None:
    labels = [aspect.label.ja for aspect in Aspect]
    queries = follow_up_queries(PUMPS, itself(PUMPS), labels, made=(), at_most=5)
    assert queries[0] == "Vietnam pump market definition"
    assert all(query.isascii() for query in queries)


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


def test_what_is_found_but_thin_is_confirmed_with_the_queries_not_made_yet() -> None:
    made = first_queries(PUMPS, PRICES, at_most=2)
    assert follow_up_queries(PUMPS, PRICES, (), made=made, at_most=2) == first_queries(PUMPS, PRICES, at_most=4)[2:]
    assert follow_up_queries(PUMPS, PRICES, (), made=first_queries(PUMPS, PRICES, at_most=9), at_most=2) == ()


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


def test_what_a_long_question_asks_of_somebody_is_searched_for_before_what_any_answer_has() -> None:
    question = "Zentra Steel: which products, prices, factories, owners, patents, lawsuits and subsidies does it have?"
    brief = Brief(question=question)
    made = first_queries(brief, itself(brief), at_most=1)
    assert "subsidies" not in made[0]
    (query,) = follow_up_queries(brief, itself(brief), ["definition"], made=made, at_most=1)
    assert words(query)[-1] == "zentra" and "subsidies" in words(query) and "products" not in words(query)
    (last,) = follow_up_queries(brief, itself(brief), ["definition"], made=[*made, query], at_most=1)
    assert "definition" in words(last)
