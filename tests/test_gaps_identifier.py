"""The gap identifier: what a section wants is found in either language and in other words, and what is not is named."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from research.core import Brief, Evidence, GapReport, Page, Section, SourceKind, SourceName
from research.gaps import Relevance, cells_of, identify_gaps
from research.language import Bilingual, Language

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
