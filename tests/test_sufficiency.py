from datetime import UTC, datetime

from research.core import Aspect, Criteria, Evidence, MethodLimits, Page, SourceKind, SourceName
from research.gaps import sufficiency

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
        text="",
        sha256="",
    )


def quotes(*texts: str, pages: int = 1) -> list[Evidence]:
    return [
        Evidence(id=f"E{n}", source=f"S{n % pages + 1}", quote=text, start=0, end=len(text))
        for n, text in enumerate(texts)
    ]


def test_nothing_found_scores_nothing() -> None:
    result = sufficiency(QUESTION, [], {})
    assert result.score == 0
    assert result.missing == tuple(Aspect)
    assert result.score < MethodLimits().enough


def test_the_score_is_the_sum_of_five_criteria() -> None:
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
    result = sufficiency(QUESTION, found, pages)
    assert result.criteria == Criteria(results=2, relevance=2, diversity=2, detail=2, coverage=2)
    assert result.score == 10
    assert result.score >= MethodLimits().enough
    assert result.missing == ()


def test_one_site_is_no_diversity_and_unrelated_quotes_are_not_relevant() -> None:
    pages = {"S1": page("S1", "one.example"), "S2": page("S2", "one.example")}
    criteria = sufficiency(QUESTION, quotes("Rice is grown in the south.", "It rains a lot.", pages=2), pages).criteria
    assert (criteria.results, criteria.diversity, criteria.relevance) == (0, 0, 0)


def test_japanese_counts_like_english() -> None:
    pages = {"S1": page("S1", "a.example", "ベトナム")}
    found = quotes("ベトナムのポンプ市場は74億円である。", "市場は2028年まで年9%の成長が見込まれる。")
    result = sufficiency("ベトナムのポンプ市場の規模は？", found, pages)
    assert set(result.covered) == {Aspect.MARKET, Aspect.OUTLOOK}
    assert result.criteria.relevance == 2
    assert result == sufficiency("ベトナムのポンプ市場の規模は？", found, pages)


def test_a_year_to_come_is_outlook_in_any_language() -> None:
    pages = {"S1": page("S1", "a.example")}
    assert Aspect.OUTLOOK in sufficiency(QUESTION, quotes("9,8 Mrd. 2031"), pages).covered
    assert Aspect.OUTLOOK not in sufficiency(QUESTION, quotes("9,8 Mrd. 2019"), pages).covered
