from datetime import UTC, datetime

from research.core import Brief, Criteria, Evidence, MethodLimits, Page, Section, SourceKind, SourceName
from research.gaps import Cells, Relevance, cells_of, sufficiency

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
