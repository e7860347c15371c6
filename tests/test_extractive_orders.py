"""Questions which of all countries has the most: a rule reads no 200 pages, so what it says is no ranking."""

from __future__ import annotations

import re

import pytest

from research.analysts.extractive.asked import asked_of_all_countries, core, terms, things_asked
from research.core import Brief, Length, OutputForm, SearchStarted
from research.language import Language
from research.sources import FoundPage, SearchRequest
from tests.scripted import MemorySource
from tests.test_extractive import parts, research, run
from tests.test_extractive_answers import almanac, document


@pytest.mark.parametrize(
    ("question", "is_least", "things"),
    [
        ("Which countries have the largest population?", False, ["population"]),
        ("Which ten countries have the lowest unemployment rate?", True, ["unemployment rate"]),
        ("Rank the largest countries by area", False, ["area"]),
        ("人口が最も多い国はどこですか。", False, ["人口"]),
        ("世界で失業率が低い国トップ10は？", True, ["失業率"]),
        ("輸出額の上位国を教えてください。", False, ["輸出額"]),
    ],
)
def test_an_order_of_all_countries_is_asked_for(question: str, things: list[str], *, is_least: bool) -> None:
    asked = asked_of_all_countries(question)
    assert asked is not None and asked.is_least is is_least
    assert [word.lower() for word in terms(things_asked(question))] == things


@pytest.mark.parametrize(
    "question",
    [
        "Which of Vietnam, Indonesia and India has the largest population?",
        "What does the country's most important industry export?",
        "Which risks are most serious in the country?",
        "What are our biggest problems with quality?",
        "日本で最も人口が多い都市は？",
        "国内で最大の市場は？",
        "最大の課題は国の規制ですか。",
    ],
)
def test_no_order_of_all_countries_is_asked_for(question: str) -> None:
    assert asked_of_all_countries(question) is None
    assert core(question) == question


FIGURES = {"Albania": "2,551,837", "India": "1,419,316,933", "China": "1,407,181,209", "Japan": "123,201,945"}
PEOPLE = {
    name: almanac(
        name, "People", f"Population, total: {count} (2025 est.)", "Ethnic groups: several", "Median age: 33 years"
    )
    for name, count in FIGURES.items()
}
TOLD = almanac(
    "Nigeria", "Geography", "Geography - note: sixth-largest population in the world, behind China and India"
)


def column(markdown: str) -> list[str]:
    return re.findall(r"^\| (\w+) \| [\d.,%]+ ", markdown, re.MULTILINE)


@pytest.mark.parametrize(
    ("question", "language", "heading", "warning"),
    [
        ("Which countries have the largest population?", Language.EN, "In order, of the countries read", "no ranking"),
        ("人口が最も多い国はどこですか。", Language.JA, "読んだ国の中での順", "全世界の順位ではありません"),
    ],
)
async def test_figures_stand_in_order_below_a_word_of_warning(
    question: str, language: Language, heading: str, warning: str
) -> None:
    form = {"length": Length.MEDIUM, "form": OutputForm.MIX}
    result, _ = await research(question, tuple(PEOPLE.values()), language=language, **form)
    assert column(parts(result.markdown)[heading]) == ["India", "China", "Japan", "Albania"]
    assert warning in result.markdown.partition("\n## ")[0]
    assert "Median age" not in result.markdown
    assert not [one for one in result.record.sentences if one.verdict is not None and one.verdict != "supported"]


async def test_the_lowest_come_first_where_they_are_asked_for() -> None:
    result, _ = await research("Which countries have the smallest population?", tuple(PEOPLE.values()))
    assert column(result.markdown) == ["Albania", "Japan", "China", "India"]


async def test_an_order_of_one_part_of_the_world_says_that_this_was_not_checked() -> None:
    result, _ = await research("Which countries in Europe have the largest population?", tuple(PEOPLE.values()))
    assert "Which of them lie in Europe was not checked." in result.markdown.partition("\n## ")[0]


async def test_a_figure_of_another_measure_is_not_put_in_order() -> None:
    pages = [
        almanac(
            name, "Economy", f"Real GDP growth rate 2024: {rate}", f"Real GDP (purchasing power parity) 2024: {size}"
        )
        for name, rate, size in (("Albania", "4%", "$51 billion"), ("India", "6%", "$14 trillion"))
    ]
    result, _ = await research("GDPが大きい国は？", tuple(pages), language=Language.JA)
    assert "| India | \\$14 trillion" in result.markdown and "| 国 | Real GDP growth" not in result.markdown


async def test_what_a_source_says_of_the_order_itself_comes_before_the_figures() -> None:
    pages = (PEOPLE["Albania"], PEOPLE["Japan"], TOLD)
    result, _ = await research("Which countries have the largest population?", pages)
    quotes = re.findall("“(.+?)”", result.markdown.partition("\n## ")[2])
    assert quotes[0].startswith("Nigeria – Geography - note: sixth-largest")
    assert "No source that was read says" not in result.markdown
    alone, _ = await research("Which countries have the largest population?", pages[:2])
    assert "No source that was read says which come first." in alone.markdown


class Asked(MemorySource):
    """A large collection: a page on a country is found by its name alone."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        return [page for page in await super().search(request) if page.title.split(" ")[0] in request.query] or [TOLD]


async def test_countries_that_a_source_names_where_it_tells_the_order_are_looked_up() -> None:
    source = Asked((PEOPLE["China"], PEOPLE["India"], PEOPLE["Albania"]))
    result, journal = await run(Brief(question="Which countries have the largest population?"), source)
    assert column(result.markdown) == ["India", "China"]
    assert any("India" in event.query for event in journal.of(SearchStarted))


async def test_without_figures_of_several_countries_it_is_said_that_rules_cannot_tell() -> None:
    sales = document("sales", "Sales", "Sales of pumps in Vietnam came to 391 million yen in fiscal 2025.")
    result, _ = await research("In which country are our sales of pumps largest?", (sales,))
    assert "**Rules cannot answer which countries come first" in result.markdown
    assert "391 million yen" in result.markdown
