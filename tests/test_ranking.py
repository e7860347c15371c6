import pytest

from research.text import (
    Quotable,
    asked_concepts,
    choose,
    concept,
    heading_at,
    is_same,
    passages_of,
    query_of,
    rate,
    subject_of,
    tokens,
)

PAGE = """# Vietnam — Economy

Vietnam – Economic overview: lower middle-income economy; rapid growth since the reforms; tourism and manufacturing hub

Vietnam – Exports 2024: $429.383 billion (2024 est.)
Vietnam – Exports 2023: $374.986 billion (2023 est.)
Vietnam – Exports, note: balance of payments - exports of goods and services in current dollars
Vietnam – Exports - partners: USA 28%, China 20%, Japan 6% (2023)
Vietnam – GDP - composition, by end use, exports of goods and services: 86.5% (2023 est.)
Vietnam – Population below poverty line: 4.3% (2022 est.)
Vietnam – Real GDP growth rate 2024: 7.1% (2024 est.)

Subscribe to our newsletter on exports and exporters worldwide.
"""


def best(question: str, page: str = PAGE, title: str = "Vietnam — Economy", count: int = 5) -> list[str]:
    passages = passages_of(page, title)
    return [passages[index].text for index in choose(passages, query_of(question), count)]


def test_the_plain_label_comes_before_the_narrow_one_and_the_latest_year_alone() -> None:
    found = best("What does Vietnam export?")
    assert found[0] == "Vietnam – Exports 2024: $429.383 billion (2024 est.)"
    assert not any("2023:" in line for line in found)


def test_remarks_and_boilerplate_are_never_quoted() -> None:
    assert not any("note:" in line or "newsletter" in line for line in best("Vietnam exports", count=20))


def test_a_japanese_question_finds_english_lines() -> None:
    assert best("ベトナムの経済成長は？")[0].startswith("Vietnam – Real GDP growth rate 2024")


def test_what_does_not_answer_is_not_chosen() -> None:
    assert best("How many football clubs are there in Vietnam?") == []


def test_lines_about_another_country_do_not_answer() -> None:
    other = PAGE.replace("Vietnam", "Laos")
    assert best("What does Vietnam export?", other, "Laos — Economy") == []


def test_each_next_passage_prefers_what_was_not_said_yet() -> None:
    passages = [
        Quotable("Imports of pumps rose by 4% in the spring of the year."),
        Quotable("Imports of pumps and valves rose sharply during the year."),
        Quotable("Exports of pumps fell by 2% in the autumn of the year."),
    ]
    query = query_of("", [concept("imports", ["imports"]), concept("exports", ["exports"])])
    assert set(choose(passages, query, 2)) == {0, 2}


def test_the_heading_tells_what_a_bare_line_is_about() -> None:
    page = "# Facts\n\n## Population\n\ntotal: 106,688,169 (2025 est.)\n\n## Area\n\ntotal: 331,210 sq km\n"
    assert best("What is the population?", page, "Facts", 1) == ["total: 106,688,169 (2025 est.)"]
    assert heading_at(page, page.index("331,210")) == "Area"


def test_bylines_and_short_scraps_are_no_passages() -> None:
    page = "経営企画部 2025年6月10日 社外秘\n\nOK.\n\n東南アジアの売上目標は20億円とする。\n"
    assert [passage.text for passage in passages_of(page)] == ["東南アジアの売上目標は20億円とする。"]


def test_near_duplicates_say_the_same() -> None:
    one = Quotable("The service centre in Hai Phong costs 480 million yen.")
    assert is_same(one, Quotable("The service centre in Hai Phong costs about 480 million yen."))
    assert not is_same(one, Quotable("The plant in Riau makes most of its own power from biomass."))


def test_a_question_for_an_amount_prefers_figures() -> None:
    passages = [
        Quotable("The pump saves electricity in every plant."),
        Quotable("The pump saves 27% of the electricity."),
    ]
    how_much = [entry.quality for entry in rate(passages, query_of("How much electricity does the pump save?"))]
    what = [entry.quality for entry in rate(passages, query_of("Why does the pump save electricity?"))]
    assert how_much[1] / how_much[0] > what[1] / what[0]


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("weaknesses", "weakness"),
        ("processes", "process"),
        ("taxes", "tax"),
        ("indexes", "index"),
        ("axes", "axe"),
        ("branches", "branch"),
        ("sizes", "size"),
        ("houses", "house"),
        ("industries", "industry"),
        ("glass", "glass"),
        ("analysis", "analysis"),
    ],
)
def test_a_plural_is_compared_as_its_singular(many: str, one: str) -> None:
    assert tokens(many) == tokens(one) == [one]


# --- when, and what kind of thing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "periods"),
    [
        ("What were sales in fiscal 2025?", {"fiscal", "2025"}),
        ("海外売上高の2025年度の実績は？", {"2025", "年度"}),
    ],
)
def test_words_that_only_say_when_are_told_apart(question: str, periods: set[str]) -> None:
    asked = asked_concepts(question)
    assert {one.label for one in asked if one.is_period} == periods
    assert not any(one.is_period for one in subject_of(question).concepts)


def test_a_question_about_nothing_but_a_year_is_about_that_year() -> None:
    assert [one.label for one in subject_of("2025?").concepts] == ["2025"]
    assert best("2025?", "# Notes\n\nThe plant in Osaka opened in 2025.\n", "Notes") == [
        "The plant in Osaka opened in 2025."
    ]


def test_a_year_alone_answers_nothing_that_asks_for_more() -> None:
    page = "# 議事録\n\n次回の取締役会は2025年8月28日とする。\n\n2025年度の売上高は3億9,100万円だった。\n"
    assert best("2025年度の売上高は？", page, "議事録") == ["2025年度の売上高は3億9,100万円だった。"]


def test_the_end_of_a_japanese_compound_says_what_kind_of_thing_is_meant() -> None:
    abroad = next(one for one in asked_concepts("海外売上高は？") if one.label == "海外売上高")
    assert abroad.match(tokens("タイの売上高は5億600万円で、前年度から1%増加した。")) >= 0.9
    assert abroad.match(tokens("海外では採用を続ける。")) < 0.9
    assert abroad.match(tokens("海外売上高は24億円。")) == 1.0


@pytest.mark.parametrize(
    ("said", "aside"),
    [
        (
            "Sales of pumps abroad came to 391 million yen by the accounts of 2025.",
            "If sales reach 500 million yen, it pays.",
        ),
        ("営業利益は14億2,000万円、営業利益率は7.4%だった。", "前年度の営業利益は14億9,000万円である。"),
    ],
)
def test_what_is_said_comes_before_what_is_supposed_or_was_before(said: str, aside: str) -> None:
    query = query_of("How large are the sales?" if said.isascii() else "営業利益はいくらですか。")
    assert choose([Quotable(aside), Quotable(said)], query, 1) == [1]
