"""The accumulator: one entry for each page, the most relevant first."""

from __future__ import annotations

from datetime import UTC, datetime

from research.core import Evidence, Page, Section, SourceKind, SourceName
from research.gaps import accumulate
from research.gaps.coverage import Accumulated

SECTION = Section(title="Pump market", focus="how large it is", needs=("market size", "prices"))


def page(name: str, url: str, title: str = "Page") -> Page:
    return Page(
        id=name,
        url=url,
        title=title,
        site="site.example",
        origin=SourceName.WEB,
        kind=SourceKind.OTHER,
        published=None,
        fetched_at=datetime(2026, 11, 21, tzinfo=UTC),
        text="",
        sha256="",
    )


PAGES = {
    "S1": page("S1", "https://one.example/a"),
    "S2": page("S2", "https://two.example/b"),
    "S3": page("S3", "https://TWO.example:443/b?utm_source=mail#part"),
    "S4": page("S4", "file:handbook.pdf"),
}


def quote(name: str, source: str, text: str) -> Evidence:
    return Evidence(id=name, source=source, quote=text, start=0, end=len(text))


RAIN = quote("E1", "S1", "It rained on many days of the year.")
MARKET = quote("E2", "S2", "The pump market was worth 7.4 billion yen in 2025.")
SNOW = quote("E3", "S2", "It snowed on few days of the year.")
PRICES = quote("E4", "S4", "ポンプの価格は2025年に4%上がった。")


def names(accumulated: Accumulated) -> list[str]:
    return [entry.id for entry in accumulated.evidence]


def test_results_are_ordered_by_relevance_in_either_language() -> None:
    joined = accumulate(SECTION, [RAIN, SNOW, PRICES, MARKET], PAGES)
    assert [result.page.id for result in joined.results][-1] == "S1"
    assert {result.page.id for result in joined.results[:2]} == {"S2", "S4"}
    assert next(result.evidence for result in joined.results if result.page.id == "S2") == (MARKET, SNOW)
    relevance = [result.relevance for result in joined.results]
    assert relevance == sorted(relevance, reverse=True)
    assert relevance[-1] == 0.0


def test_new_results_join_what_is_there_in_their_place() -> None:
    there = accumulate(SECTION, [RAIN], PAGES)
    joined = accumulate(SECTION, [MARKET], PAGES, there)
    assert names(joined) == ["E2", "E1"]
    assert names(there) == ["E1"]
    assert joined == accumulate(SECTION, [RAIN, MARKET], PAGES)


def test_no_address_and_no_quote_stands_twice() -> None:
    again = quote("E9", "S3", "The pump market was worth  7.4 billion yen in 2025.")
    other = quote("E10", "S3", "Prices of pumps fell by 2% in 2026.")
    joined = accumulate(SECTION, [again, other, MARKET], PAGES, accumulate(SECTION, [MARKET], PAGES))
    assert [result.page.id for result in joined.results] == ["S2"]
    assert sorted(names(joined)) == ["E10", "E2"]
    assert joined.repeated == 2


def test_what_is_of_no_relevance_is_kept_and_keeps_its_order() -> None:
    joined = accumulate(SECTION, [SNOW, RAIN], PAGES)
    assert names(joined) == ["E3", "E1"]


def test_nothing_joined_with_nothing_is_nothing() -> None:
    assert accumulate(SECTION, [], {}) == Accumulated()
    assert accumulate(Section(title="!!!"), [RAIN, MARKET], PAGES).repeated == 0
