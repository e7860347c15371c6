"""What is missing of what is asked, whether the search goes on for it, with which queries, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from research.analysts import ReportRequest
from research.core import (
    Assessed,
    Brief,
    Criteria,
    Evidence,
    GapReport,
    MethodLimits,
    MethodName,
    Outline,
    Page,
    PeriodChoice,
    Region,
    Section,
    SourceKind,
    SourceName,
    StopReason,
)
from research.gaps import (
    Cells,
    Relevance,
    cells_of,
    continuation,
    first_queries,
    follow_up_queries,
    identify_gaps,
    sufficiency,
)
from research.gaps.coverage import CONFIDENT
from research.language import Bilingual, Language
from tests.support.scripted import MemorySource, ScriptedAnalyst, found_page, run_scripted

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def report(
    section: Section, *quotes: str, sites: int = 1, title: str = "Page", language: Language = Language.EN
) -> GapReport:
    """The gaps after `quotes`, which stand in turn on pages of `sites` sites."""
    pages = {
        f"S{number}": Page(
            id=f"S{number}",
            url=f"https://site{number}.example/",
            title=title,
            site=f"site{number}.example",
            origin=SourceName.WEB,
            kind=SourceKind.OTHER,
            published=None,
            fetched_at=NOW,
            text="\n".join(quotes),
            sha256="",
        )
        for number in range(sites)
    }
    evidence = [
        Evidence(id=f"E{number}", source=f"S{number % sites}", quote=quote, start=0, end=len(quote))
        for number, quote in enumerate(quotes)
    ]
    cells = cells_of(Brief(question="Pumps", language=language), section, evidence, pages, Relevance())
    return identify_gaps(cells, pages, at=NOW)


def is_found(need: str, quote: str, *, title: str = "Page") -> bool:
    return not report(Section(title="Section", needs=(need,)), quote, title=title).missing


@pytest.mark.parametrize(
    ("need", "quote"),
    [
        ("exports", "Exports rose by 9% in 2025."),
        ("exports", "輸出は前年比9%増えた。"),
        ("輸出", "Exports rose by 9% in 2025."),
        ("market size", "The pump market was worth 7.4 billion yen."),
        ("market size", "ポンプの市場は74億円だった。"),
        ("price trends", "Prices fell by 4% within a year."),
        ("価格の推移", "Prices fell by 4% within a year."),
        ("人件費", "The labor cost in Hanoi is low."),
        ("weaknesses", "One weakness is the short warranty."),
        ("How large is the market?", "The market is 31 million dollars."),
        ("sales of electric vehicles in Thailand 2020–2025", "In Thailand electric vehicle sales reached 76,000."),
    ],
)
def test_a_need_is_found_in_either_language_and_in_other_words(need: str, quote: str) -> None:
    assert is_found(need, quote)


@pytest.mark.parametrize(
    ("need", "quote"),
    [
        ("exports", "Imports rose by 9% in 2025."),
        ("輸出", "Imports rose by 9% in 2025."),
        ("market size", "The market is promising."),
        ("market size", "The factory made 7,400 pumps."),
        ("industrial growth", "The industrial zone lies by the sea."),
        ("labor cost", "The cost of steel is low."),
        ("strengths and weaknesses", "Its strength is quality."),
        ("強みと弱み", "強みは品質だ。"),
        ("人件費", "費用は高い。"),
        ("導入事例", "この事例は古い。"),
        ("tariffs", "Pump prices rose by 4%."),
        ("補助金", "The policy dates from 2019."),
    ],
)
def test_what_only_sounds_like_a_need_leaves_it_missing(need: str, quote: str) -> None:
    assert not is_found(need, quote)


def test_a_name_in_a_need_must_be_named_by_title_heading_or_quote() -> None:
    assert not is_found("GDP of Thailand", "GDP was 526 billion dollars.", title="Vietnam — Economy")
    assert is_found("GDP of Thailand", "GDP was 526 billion dollars.", title="Thailand — Economy")
    assert is_found("GDP of Thailand", "タイのGDPは5260億ドル。")
    assert is_found("タイのGDP", "GDP was 526 billion dollars.", title="Thailand — Economy")


def test_a_share_counts_quotes_and_sites() -> None:
    section = Section(title="Trade", needs=("exports", "imports"))

    def shares(*quotes: str, sites: int = 1) -> list[float]:
        return [entry.share for entry in report(section, *quotes, sites=sites).coverage]

    assert shares() == [0.0, 0.0]
    assert shares("Exports rose.") == [0.5, 0.0]
    assert shares("Exports rose.", "Exports fell.") == [0.75, 0.0]
    assert shares("Exports rose.", "Exports fell.", sites=2) == [1.0, 0.0]
    assert shares("Exports and imports rose.") == [0.5, 0.5]


def test_a_report_names_kinds_evidence_missing_confidence_and_time() -> None:
    section = Section(title="Trade", needs=("exports", "imports"), questions=("not asked, for there are needs",))
    found = report(section, "Exports rose.", "It rained.", "輸出が減った。", sites=3)
    assert [(entry.kind, entry.share, entry.evidence) for entry in found.coverage] == [
        ("exports", 1.0, ("E0", "E2")),
        ("imports", 0.0, ()),
    ]
    assert found.missing == ("imports",)
    assert not found.sufficient
    assert found.confidence == 0.5
    assert found.at == NOW


def test_a_need_of_several_parts_is_missing_until_more_than_half_are_there() -> None:
    section = Section(title="Trade", needs=("exports, imports and tariffs",))
    one, two = report(section, "Exports rose."), report(section, "Exports rose.", "Imports fell.")
    assert one.missing == ("exports, imports and tariffs",)
    assert two.sufficient
    assert two.coverage[0].share == pytest.approx(1 / 3)


def test_questions_take_the_place_of_needs() -> None:
    section = Section(title="Trade", questions=("How high are exports?", "輸入はどれくらいか"))
    found = report(section, "Exports were 12 billion dollars.", "Imports were 9 billion dollars.")
    assert [entry.kind for entry in found.coverage] == ["How high are exports?", "輸入はどれくらいか"]
    assert found.sufficient


@pytest.mark.parametrize("language", Language)
def test_a_section_that_wants_nothing_in_particular_is_measured_by_the_five_aspects(language: Language) -> None:
    for section in (Section(title="Pumps"), Section(title="Pumps", needs=("???", "—"))):
        found = report(section, "A pump is a machine.", "ポンプとは機械である。", sites=2, language=language)
        assert found.coverage[0].kind == Bilingual("definition", "定義").in_(language)
        assert found.coverage[0].share == 1.0
        assert len(found.missing) == 4


@pytest.mark.parametrize("section", [Section(title="Pumps"), Section(title="Pumps", needs=("prices", "価格帯"))])
def test_without_evidence_everything_is_missing(section: Section) -> None:
    found = report(section)
    assert found.missing == tuple(entry.kind for entry in found.coverage)
    assert (found.sufficient, found.confidence) == (False, 0.0)


@pytest.mark.parametrize(
    "need", ["quux frobnication", "量子もつれ蒸留", "🙂 𠮷野家", "of the", "(.*)+$ [[a", "ガ" * 200, "and and と、"]
)
def test_needs_that_nobody_knows_stay_missing_and_harm_nothing(need: str) -> None:
    found = report(Section(title="の", needs=(need,)), "(.*)+$ b nothing \x00 here", "何もない。")
    assert found.missing == (need,)


# --- the iteration manager, and the method that it drives ------------------------------------------------------------


@pytest.mark.parametrize(
    ("iteration", "limit", "missing", "confidence", "stops"),
    [
        (1, 3, (), CONFIDENT, StopReason.COVERED),
        (3, 3, (), 1.0, StopReason.COVERED),
        (1, 3, (), CONFIDENT - 0.01, None),
        (3, 3, (), CONFIDENT - 0.01, StopReason.LIMIT),
        (2, 3, ("prices",), 1.0, None),
        (3, 3, ("prices",), 1.0, StopReason.LIMIT),
        (4, 3, ("prices",), 0.0, StopReason.LIMIT),
        (0, 0, ("prices",), 0.0, StopReason.LIMIT),
        (0, 3, ("prices",), 0.0, None),
    ],
)
def test_it_goes_on_while_something_is_missing_or_thin_and_iterations_are_left(
    iteration: int, limit: int, missing: tuple[str, ...], confidence: float, stops: StopReason | None
) -> None:
    assert continuation(iteration, limit, missing, confidence).stops is stops


TRADE = Section(title="Trade", needs=("pump prices", "tariffs"))
PAGES = (
    found_page("weather", "It rained on many days of the year. The rivers were high."),
    found_page("prices", "Pump prices rose by 4% in 2026. Dealers complained."),
    found_page("tariffs", "The tariff on pumps is 12%. It has been so since 2020."),
)


async def test_a_gap_driven_section_ends_when_covered_with_its_evidence_in_order_of_relevance() -> None:
    told: dict[str, list[str]] = {}

    def write(request: ReportRequest) -> str:
        told.setdefault("quotes", [])  # A report that cites nothing is asked for again, in parts.
        told["quotes"] = told["quotes"] or [request.evidence[name].quote for name in request.results[0].evidence]
        return "# Report\n\nAll is said.\n"

    analyst = ScriptedAnalyst(on_outline=lambda _: Outline(sections=(TRADE,)), on_write=write)
    brief = Brief(question="What of pumps?", method=MethodName.GAP_DRIVEN)
    _, journal = await run_scripted(analyst, MemorySource(PAGES), brief=brief)
    assert told["quotes"][-1].startswith("It rained")
    assert len(told["quotes"]) == 3
    assert {entry.coverage["tariffs"] for entry in journal.of(Assessed)} == {0.5}


# --- the query generator ---------------------------------------------------------------------------------------------

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


# --- the score -------------------------------------------------------------------------------------------------------

QUESTION = "How large is the pump market in Vietnam?"


def page(name: str, site: str, title: str = "Vietnam") -> Page:
    return Page(
        id=name,
        url=f"https://{site}/{name}",
        title=title,
        site=site,
        origin=SourceName.WEB,
        kind=SourceKind.OTHER,
        published=None,
        fetched_at=datetime(2026, 1, 5, tzinfo=UTC),
        text="On Vietnam.",
        sha256="",
    )


def quotes(*texts: str, pages: int = 1) -> list[Evidence]:
    return [
        Evidence(id=f"E{n}", source=f"S{n % pages + 1}", quote=text, start=0, end=len(text))
        for n, text in enumerate(texts)
    ]


def counted(question: str, found: list[Evidence], pages: dict[str, Page], *needs: str) -> tuple[Criteria, Cells]:
    """The score of what was found of these needs; of the five aspects without any."""
    cells = cells_of(Brief(question=question), Section(title=question, needs=needs), found, pages, Relevance())
    return sufficiency(question, found, pages, cells), cells


def test_nothing_found_scores_nothing() -> None:
    criteria, cells = counted(QUESTION, [], {})
    assert criteria.total == 0 < MethodLimits().enough
    assert cells.missing == tuple(cells.told) and not cells.covered


def test_an_open_question_is_scored_by_five_criteria_on_five_aspects() -> None:
    pages = {f"S{n}": page(f"S{n}", f"site{n}.example") for n in (1, 2, 3)}
    found = quotes(
        "A pump is a machine that moves water.",
        "The pump market in Vietnam was worth 7.4 billion yen in 2024.",
        "For example, two pump plants near Hai Phong were extended in 2023.",
        "Pump systems of 45 kW need a stable supply of electricity.",
        "The market for pumps is expected to grow by 9% a year to 2028.",
        "Sales of pumps rose by 31% in 2024.",
        "Imports of pumps were 310 units in March 2025.",
        pages=3,
    )
    criteria, cells = counted("Tell me about pumps in Vietnam.", found, pages)
    assert criteria == Criteria(results=2, relevance=2, diversity=2, detail=1, coverage=2)
    assert criteria.total == 9
    assert cells.missing == ()


def test_what_is_asked_is_what_is_counted() -> None:
    pages = {"S1": page("S1", "one.example")}
    found = quotes("Exports of pumps were 310 units in 2025.", "Exports rose by 9% to 12 million dollars.")
    all_, cells = counted(QUESTION, found, pages, "exports")
    assert (all_.detail, all_.coverage, cells.covered) == (2, 2, ("exports",))
    half, cells = counted(QUESTION, found, pages, "exports", "tariffs")
    assert (half.detail, half.coverage, cells.missing) == (1, 1, ("tariffs",))


def test_whom_the_quotes_of_a_report_are_about_is_told_by_all_that_was_read() -> None:
    told = {"S1": "The sales targets of the house were cut.", "S2": "A customer of Asanagi Pump Industries spoke."}
    pages = {
        name: page(name, f"{name}.example", "Notes").model_copy(update={"text": text, "kind": SourceKind.DOCUMENT})
        for name, text in told.items()
    }
    read = quotes(told["S1"], told["S2"], pages=2)
    cited, brief = read[:1], Brief(question="What are the sales targets of Asanagi Pump Industries?")
    section = Section(title="Targets", needs=("sales targets",))
    found = [cells_of(brief, section, cited, pages, Relevance(), among=among) for among in ((), read)]
    assert [one.covered for one in found] == [(), ("sales targets",)]


def test_a_value_that_rules_found_to_answer_counts_whatever_its_words() -> None:
    pages = {"S1": page("S1", "one.example")}
    told = quotes("Product lines: 5,791")
    assert not counted(QUESTION, told, pages, "exports")[1].covered
    known = [told[0].model_copy(update={"answers": ("exports",)})]
    assert counted(QUESTION, known, pages, "exports")[1].covered == ("exports",)


def test_nothing_on_somebody_else_counts() -> None:
    pages = {"S1": page("S1", "one.example", "Thailand — Trade")}
    criteria, cells = counted(QUESTION, quotes("Exports of pumps were 310 units in 2025."), pages, "exports")
    assert criteria.total == 0 and not cells.covered


def test_one_site_is_no_diversity_and_unrelated_quotes_are_not_relevant() -> None:
    pages = {"S1": page("S1", "one.example"), "S2": page("S2", "one.example")}
    criteria, _ = counted(QUESTION, quotes("Rice is grown in the south.", "It rains a lot.", pages=2), pages, "pumps")
    assert (criteria.results, criteria.diversity, criteria.relevance) == (0, 0, 0)


def test_japanese_counts_like_english() -> None:
    pages = {"S1": page("S1", "a.example", "ベトナム")}
    found = quotes("ベトナムのポンプ市場は74億円である。", "市場は2028年まで年9%の成長が見込まれる。")
    criteria, cells = counted("ベトナムのポンプ市場の規模は？", found, pages, "ポンプ市場")
    assert cells.covered == ("ポンプ市場",)
    assert criteria.relevance == 2


def test_a_year_to_come_is_outlook_in_any_language() -> None:
    pages = {"S1": page("S1", "a.example")}
    assert "outlook" in counted(QUESTION, quotes("9,8 Mrd. 2031"), pages)[1].covered
    assert "outlook" not in counted(QUESTION, quotes("9,8 Mrd. 2019"), pages)[1].covered
