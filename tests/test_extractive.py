"""The extractive analyst in whole runs, over statistics in English and memos in Japanese."""

import re

import pytest

from research.analysts import Analyst
from research.analysts.extractive import ExtractiveAnalyst
from research.core import (
    Brief,
    Length,
    OutputForm,
    PresetName,
    Reflected,
    Scope,
    SearchStarted,
    SourceKind,
    SourceName,
    Status,
    Summary,
)
from research.language import Language
from research.sources import FoundPage, SearchRequest
from research.text import escape_markdown, language_of
from tests.support.rule_made import PROGRAMS_OWN, cited, document, parts, research, run
from tests.support.scripted import MemorySource, found_page

FIGURES = {
    "Vietnam": ("$429.383 billion", "$398.672 billion", "7.1%", "106,688,169"),
    "Indonesia": ("$300.868 billion", "$279.419 billion", "5%", "283,587,097"),
    "Laos": ("$9.694 billion", "$8.104 billion", "4.1%", "8,100,000"),
}


def country(name: str) -> FoundPage:
    exports, imports, growth, population = FIGURES[name]
    text = f"""# {name} — Economy

{name} – Real GDP growth rate 2024: {growth} (2024 est.)
{name} – Real GDP growth rate 2023: 4.9% (2023 est.)
{name} – Exports 2024: {exports} (2024 est.)
{name} – Exports, note: exports of goods and services in current dollars
{name} – Imports 2024: {imports} (2024 est.)
{name} – Imports - partners: China 29%, Singapore 8%, Japan 7% (2023)
{name} – Population, total: {population} (2025 est.)
{name} – Gini Index coefficient: 36.1 (2022 est.)
{name} – Birth rate: 14.58 births per 1,000 (2025 est.)
"""
    return found_page(name.lower(), text, title=f"{name} — Economy", kind=SourceKind.STATISTICS)


MEMO = found_page(
    "memo",
    """# 東南アジア事業戦略メモ

経営企画部 2025年6月10日 社外秘

東南アジアの売上目標は2027年度に20億円とする。
ベトナムの売上高は2025年度に3億9,100万円で、前年度から33%増加した。
「価格だけで競う入札には参加しない。」と社長は述べた。
昼食は社員食堂で用意する。
""",
    title="東南アジア事業戦略メモ",
    origin=SourceName.HOUSE,
    kind=SourceKind.DOCUMENT,
)


def test_it_is_an_analyst() -> None:
    analyst: Analyst = ExtractiveAnalyst()
    assert analyst.name == "extractive"


async def test_a_comparison_surfaces_the_same_figures_for_each_country() -> None:
    pages = (country("Laos"), country("Vietnam"), country("Indonesia"))
    result, _ = await research(
        "How do Vietnam and Indonesia compare in exports and imports?", pages, form=OutputForm.MIX, length=Length.MEDIUM
    )
    table = parts(result.markdown)["Answer"]
    assert re.search(r"\| Vietnam \| .*\\\$429\.383 billion .*\|\n\| Indonesia \| .*\\\$300\.868 billion ", table)
    assert "Laos" not in result.markdown.split("## Sources")[0]
    assert "Gini" not in result.markdown


async def test_a_japanese_question_surfaces_population_and_growth_of_english_pages() -> None:
    result, _ = await research(
        "ベトナムの人口と経済成長は？", (country("Vietnam"),), language=Language.JA, preset=PresetName.SPEED
    )
    facts = parts(result.markdown)["答え"]
    assert "106,688,169" in facts
    assert "7.1%" in facts
    assert "Gini" not in result.markdown


@pytest.mark.parametrize("asked", ["一人当たりGDP", "1人あたりのGDP"])
async def test_what_is_asked_per_head_is_no_other_figure_of_that_name(asked: str) -> None:
    text = "# Laos — Economy\n\n" + "\n".join(
        f"Laos – {label}"
        for label in (
            "GDP (official exchange rate): $16.5 billion (2024 est.)",
            "Real GDP growth rate: 4.1% (2024 est.)",
            "Real GDP per capita: $8,600 (2024 est.)",
            "Exports: $9.7 billion (2024 est.)",
        )
    )
    page = found_page("laos", text, title="Laos — Economy", kind=SourceKind.STATISTICS)
    result, _ = await research(f"ラオスの{asked}と輸出額は？", (page,), language=Language.JA)
    said = parts(result.markdown)["答え"]
    assert said.index("8,600") < said.index("9.7 billion")
    assert "16.5" not in said.split("9.7 billion")[0], "another figure that is called GDP is no answer"
    assert "見つかりません" not in said


async def test_a_page_about_others_does_not_answer_by_a_word() -> None:
    world = "World – Dependent areas: Greenland, Guam and Aruba; dependent on others: Laos, China and more"
    laos = "Laos – Background: landlocked, Laos has become dependent on China, its largest partner and lender."
    pages = (
        found_page("world", f"# World\n\n{world}", title="World", kind=SourceKind.GOVERNMENT),
        found_page("laos", f"# Laos\n\n{laos}\n\nLaos – Climate: warm", title="Laos", kind=SourceKind.GOVERNMENT),
    )
    result, _ = await research("Why is Laos dependent on China?", pages)
    assert parts(result.markdown)["Answer"].startswith("\n\n- “Laos – Background")


@pytest.mark.parametrize(
    ("question", "lines", "shown"),
    [
        (
            "ハノイの拠点の投資額は？",
            ("1. ハノイの拠点は2026年に開設する。", "2. ハノイの拠点の投資額は4億円とする。"),
            "「ハノイの拠点は2026年に開設する。ハノイの拠点の投資額は4億円とする。」",
        ),
        (
            "What is the investment in the base in Hanoi?",
            (
                "The board decided on the base in Hanoi:",
                "- opening of the base in Hanoi in April 2026",
                "- investment in the base in Hanoi of 400 million yen, at most",
            ),
            "opening of the base in Hanoi in April 2026 / investment in the base in Hanoi of 400 million yen, at most”",
        ),
    ],
)
async def test_items_of_a_list_follow_each_other_as_sentences_or_stay_apart(
    question: str, lines: tuple[str, ...], shown: str
) -> None:
    result, _ = await research(question, (document("plan", "拠点の方針", *lines),), language=language_of(question))
    assert shown in result.markdown
    assert {sentence.shown for sentence in result.record.sentences if sentence.evidence} == {"verbatim"}


async def test_an_open_question_on_a_country_begins_with_what_it_is() -> None:
    laos = country("Laos")
    opening = "Laos – Background: Modern-day Laos has its roots in the ancient Lao kingdom of Lan Xang."
    pages = (FoundPage(**{**laos.__dict__, "text": laos.text + opening + "\nLaos – Internet country code: .la\n"}),)
    result, _ = await research("Tell me about Laos", pages)
    answer = parts(result.markdown)["Answer"]
    assert "Lan Xang" in answer
    assert ".la" not in answer


async def test_an_english_question_finds_japanese_memos() -> None:
    result, _ = await research("Which sales target is set for South-East Asia?", (MEMO,))
    assert "東南アジアの売上目標は2027年度に20億円とする。" in result.markdown
    assert "昼食" not in result.markdown
    assert "社外秘" not in result.markdown


@pytest.mark.parametrize("form", list(OutputForm))
async def test_every_quote_stands_in_its_page_and_is_shown_with_its_citation(form: OutputForm) -> None:
    result, journal = await research(
        "What are the exports and imports of Vietnam?", (country("Vietnam"), country("Laos")), form=form
    )
    quotes = cited(result)
    assert len(quotes) >= 2
    for entry in quotes:
        assert journal.pages[entry.source].text[entry.start : entry.end] == entry.quote
        assert f"“{escape_markdown(entry.quote)}” [" in result.markdown


async def test_the_same_brief_gives_the_same_report() -> None:
    pages = (country("Vietnam"), MEMO)
    first, _ = await research("What does Vietnam import and export?", pages)
    second, _ = await research("What does Vietnam import and export?", pages)
    told, again = (
        re.sub(r"(?:, )?\b\d+ s\b", "", one.markdown) for one in (first, second)
    )  # How long it took may differ.
    assert told == again


async def test_it_thinks_aloud_in_the_language_of_the_report() -> None:
    _, journal = await research("ベトナムの輸出は？", (country("Vietnam"),), language=Language.JA)
    said = [event.reflection for event in journal.of(Reflected)]
    assert said[0].startswith("規則による計画（モデルは使いません）")
    assert any(re.search(r"充足度 \d+/10", text) for text in said[1:])
    assert all(re.search(r"[ぁ-ん]", text) for text in said)


async def test_no_query_is_made_twice_for_one_topic() -> None:
    _, journal = await research("How do Vietnam and Laos compare?", (country("Vietnam"),), preset=PresetName.QUALITY)
    asked = [(event.lane, event.query.lower()) for event in journal.of(SearchStarted)]
    assert len(asked) == len(set(asked))


async def test_pages_on_something_else_are_not_passed_off_as_an_answer() -> None:
    result, _ = await research("Zorblax quantum feelings", (country("Vietnam"), MEMO), scope=Scope.OVERVIEW)
    assert "## Nothing was found" in result.markdown
    assert not cited(result)
    assert "What to try:" in result.markdown
    assert result.record.status is Status.PARTIAL, "a report that misses its subject is not complete"


async def test_nothing_found_is_said_in_japanese_too() -> None:
    result, _ = await research("ベトナムの人口は？", (), language=Language.JA)
    assert "## 該当する情報は見つかりませんでした" in result.markdown
    assert "ページを1件も読めていません。" in result.markdown, "of a page that was not read nothing is said"


async def test_what_is_excluded_is_left_out_and_that_is_said() -> None:
    result, journal = await research(
        "What are the exports and the population of Vietnam?", (country("Vietnam"),), exclusions=("population",)
    )
    assert "106,688,169" not in result.markdown
    assert "Left out, as the brief excludes it: population." in parts(result.markdown)["Answer"]
    assert not any("population" in event.query.lower().split("?")[0].split() for event in journal.of(SearchStarted)[:1])


async def test_in_which_language_quotes_stand_is_said_of_them_and_is_nothing_that_is_missing() -> None:
    result, _ = await research("ベトナムの人口、輸出は？", (country("Vietnam"),), language=Language.JA)
    said = parts(result.markdown)
    assert "不足している情報" not in said
    assert "英語の情報源からの引用は、原文のまま掲載しています。" in said["引用について"]


@pytest.mark.parametrize("place", list(Summary))
async def test_the_answer_comes_first_and_is_summed_up_at_the_end_where_the_brief_wants_it(place: Summary) -> None:
    result, _ = await research("What do Vietnam and Laos export?", (country("Vietnam"), country("Laos")), summary=place)
    titles = [title for title in parts(result.markdown) if title not in PROGRAMS_OWN]
    assert titles[0] == "Answer"
    assert (titles[-1] == "Executive summary") == (place is Summary.LAST)


async def test_a_short_report_shows_fewer_quotes_than_a_long_one() -> None:
    pages = tuple(country(name) for name in FIGURES)
    given = {"scope": Scope.COUNTRY, "form": OutputForm.POINTS}
    question = "Tell me about the trade, growth and population of Vietnam, Indonesia and Laos"
    short, _ = await research(question, pages, length=Length.PAGE, **given)
    long, _ = await research(question, pages, length=Length.LONG, **given)
    assert len(cited(short)) < len(cited(long))


async def test_text_of_a_page_cannot_become_markup_or_a_citation() -> None:
    text = "Exports of <b>pumps</b> rose by 4% | see [E1] and [here](https://evil.example) *now* in $5 and $6.\n"
    page = found_page("evil", text, title="Exports [E2] <img src=x> of pumps")
    result, _ = await research("How did exports of pumps change?", (page,))
    body = result.markdown.split("## Sources")[0]
    assert "<b>" not in body
    assert "<img" not in body
    assert not re.search(r"(?<!\\)\[here\]\(", body)
    assert result.record.evidence[0].quote == text.strip()


class OneRequest(MemorySource):
    """Answers each query with the page that names what it asks for."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        return [page for page in await super().search(request) if page.title.split(" ")[0] in request.query]


async def test_each_country_is_searched_for_by_name() -> None:
    brief = Brief(question="How do Vietnam, Indonesia and Laos compare in exports?", preset=PresetName.QUALITY)
    source = OneRequest(tuple(country(name) for name in FIGURES))
    result, _ = await run(brief, source)
    assert {name for name in FIGURES if f"{name} – Exports 2024" in result.markdown} == set(FIGURES)


SHOP = found_page(
    "shop",
    "# 有価証券報告書\n\n株式会社アオバ靴店\n\n2024年度の売上高は2,723億円であった。従業員数は5,859名である。\n",
    title="有価証券報告書",
    origin=SourceName.LIBRARY,
    kind=SourceKind.DOCUMENT,
)


@pytest.mark.parametrize("question", ["トヨタの売上高はいくらですか。", "マツダとトヨタの従業員数は何人ですか。"])
async def test_no_other_firm_answers_for_one_that_is_not_there(question: str) -> None:
    result, _ = await research(question, (SHOP,), language=Language.JA)
    assert result.record.status is Status.PARTIAL
    assert "2,723" not in result.markdown and "5,859" not in result.markdown and "トヨタ" in result.markdown


async def test_a_name_of_two_words_in_katakana_is_found_as_filings_spell_it() -> None:
    filings = [
        found_page(
            name.lower(),
            f"# {name.upper()}, INC. 10-K 2023\n\nSales of {name} fell 3.0% in fiscal 2023 as lumber got cheaper.\n",
            title=f"{name.upper()}, INC. 10-K 2023",
            origin=SourceName.LIBRARY,
            kind=SourceKind.DOCUMENT,
        )
        for name in ("Home Depot", "Cord Market")
    ]
    question = "ホーム・デポの2023年度は売上が落ちたそうだけど、何が原因で？"
    result, _ = await research(question, tuple(filings), language=Language.JA)
    assert "Sales of Home Depot fell" in result.markdown and "Sales of Cord Market" not in result.markdown


async def test_a_name_in_katakana_is_found_as_it_is_spelt_elsewhere() -> None:
    own = found_page(
        "own",
        "# Apple Inc. annual report\n\nApple Inc. had 164,000 employees in 2024.\n",
        title="Apple Inc. annual report",
        origin=SourceName.LIBRARY,
        kind=SourceKind.DOCUMENT,
    )
    result, _ = await research("アップルの従業員数は何人ですか。", (own, SHOP), language=Language.JA)
    assert "164,000" in result.markdown and "5,859" not in result.markdown


FILE = found_page(
    "people",
    "\n".join(
        f"pref: {name}; year: {year}; value: {count}"
        for name, counts in {"東京都": (13515271, 13845936, 13606683), "大阪府": (8839469, 8526202, 7335352)}.items()
        for year, count in zip((2015, 2025, 2045), counts, strict=True)
    )
    + "\n",
    title="人口の推計",
    origin=SourceName.LIBRARY,
    kind=SourceKind.DOCUMENT,
)


async def test_prefectures_stand_side_by_side_as_of_now_and_are_subtracted() -> None:
    result, _ = await research("東京都と大阪府の人口の差はいくらですか。", (FILE,), language=Language.JA)
    answer = parts(result.markdown)["答え"]
    assert "13845936 (2025)" in answer and "8526202 (2025)" in answer and "5,319,734" in answer
    assert "2045" not in answer


async def test_a_figure_of_a_file_is_nothing_that_no_page_has_a_word_of() -> None:
    result, _ = await research("大阪府の平均寿命を教えてください。", (FILE,), language=Language.JA)
    assert result.record.status is Status.PARTIAL and "8526202" not in result.markdown


FILING = found_page(
    "filing",
    """# Kestrel Ltd. Annual report 2024

The following table shows net sales by segment (in millions):

| | 2024 | 2023 |
| --- | ---: | ---: |
| Europe: | | |
| Net sales | 410 | 380 |
| Cost of sales | 300 | 290 |
| Total net sales | 955 | 902 |

What customers paid before they were served is carried over:

| | 2024 | 2023 |
| --- | ---: | ---: |
| Deferred revenue | 31 | 28 |
| Percentage of total net sales | 3% | 3% |
""",
    title="Kestrel Ltd. Annual report 2024",
    origin=SourceName.LIBRARY,
    kind=SourceKind.DOCUMENT,
)


@pytest.mark.parametrize(
    ("question", "figures"),
    [
        ("What was Kestrel's revenue in 2024?", ["955"]),
        ("How did Kestrel's revenue change from 2023 to 2024?", ["902", "955"]),
        ("Kestrelの2024年の売上高は？", ["955"]),
    ],
)
async def test_a_total_that_a_table_calls_by_another_word_is_what_is_asked(question: str, figures: list[str]) -> None:
    language = Language.EN if question.isascii() else Language.JA
    result, _ = await research(question, (FILING,), language=language)
    first = next(line for line in result.markdown.splitlines() if line.startswith("- "))
    assert first.startswith("- Total net sales")
    assert all(figure in first for figure in figures)
    assert not any(other in first for other in ("410", "31", "300", "3%"))


OTHER_FILING = found_page(
    "other-filing",
    """# Merlin Pumps Annual report 2024

| | 2024 | 2023 |
| --- | ---: | ---: |
| Revenue | 48 | 44 |
| Research and development expenses | 6 | 5 |

What was paid in stock, by where it is told:

| | 2024 | 2023 |
| --- | ---: | ---: |
| Research and development expenses | 2 | 1 |
""",
    title="Merlin Pumps Annual report 2024",
    origin=SourceName.LIBRARY,
    kind=SourceKind.DOCUMENT,
)


@pytest.mark.parametrize(
    "question", ["Compare the revenue of Kestrel and Merlin Pumps", "KestrelとMerlin Pumpsの売上高を比較して"]
)
async def test_two_firms_stand_side_by_side_each_by_what_it_calls_it(question: str) -> None:
    language = Language.EN if question.isascii() else Language.JA
    result, _ = await research(question, (FILING, OTHER_FILING), language=language)
    rows = [line for line in result.markdown.splitlines() if line.startswith("| ")]
    assert any("Kestrel" in row and "Total net sales (in millions): 902 (2023); 955 (2024)" in row for row in rows)
    assert any("Merlin Pumps" in row and "Revenue: 44 (2023); 48 (2024)" in row for row in rows)


async def test_of_rows_with_one_name_the_larger_is_the_whole() -> None:
    asked = "Compare the revenue and the research and development expenses of Kestrel and Merlin Pumps"
    result, _ = await research(asked, (FILING, OTHER_FILING))
    row = next(line for line in result.markdown.splitlines() if line.startswith("| Merlin Pumps |"))
    assert "5 (2023); 6 (2024)" in row


async def test_a_year_that_a_filing_does_not_have_is_said_to_be_missing() -> None:
    result, _ = await research("What was Kestrel's revenue in 2025?", (FILING,))
    answer = parts(result.markdown)["Answer"]
    assert "Total net sales (2024): 955" in answer and "Nothing was found for 2025" in answer
