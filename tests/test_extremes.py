"""The highest and the lowest: of all that a library holds, of the rows of a table, and what is said of the years."""

from __future__ import annotations

from pathlib import Path

import pytest

from research import Brief, run_sync
from research.core import SourceName
from research.language import Language
from research.library import Library
from research.settings import Settings
from research.sources import FoundPage
from tests.support.rule_made import parts, research
from tests.support.scripted import found_page

DEBTS = {"Japan": 215.9, "Greece": 190.6, "Kenya": 67.8, "Chile": 39.1, "Estonia": 19.2, "World": 301.0}
SALES = """# Annual report of Asanagi

The following table shows net sales by category for 2025 and 2024 (millions of yen):

| | 2025 | 2024 |
| --- | ---: | ---: |
| Pumps | 1,200 | 1,150 |
| Seals | 310 | 290 |
| Services | 640 | 500 |
| Total net sales | 2,150 | 1,940 |
"""


def library_of(tmp_path: Path, **files: str) -> Library:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in files.items():
        stem, _, ending = name.rpartition("_")
        (folder / f"{stem}.{ending}").write_text(text, encoding="utf-8")
    return Library(folder, tmp_path / "index")


def almanac_of(tmp_path: Path) -> Library:
    told = {
        f"{name}_md": f"# {name} — Economy\n\n{name} – Public debt 2022: 12% of GDP (2022 est.)\n\n"
        f"{name} – Public debt 2023: {debt}% of GDP (2023 est.)\n\n{name} – Exports: ${debt} billion (2023 est.)\n"
        for name, debt in DEBTS.items()
    }
    return library_of(tmp_path, **told)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Which country has the highest public debt?", ["Japan", "Greece"]),
        ("Which country has the lowest public debt in relation to its GDP?", ["Estonia", "Chile"]),
        ("輸出額が最も多い国はどこですか。", ["Japan", "Greece"]),
        ("Which European country has the highest public debt?", ["Greece", "Estonia"]),
        ("南米で公的債務が最も多い国はどこですか。", ["Chile"]),
    ],
)
def test_a_query_for_the_highest_finds_it_among_all_entries(tmp_path: Path, query: str, first: list[str]) -> None:
    hits = almanac_of(tmp_path).search(query, len(first))
    assert [hit.path.stem for hit in hits] == first
    assert all("2023" in hit.text for hit in hits), "the latest of each counts"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Which countries have a public debt of more than 50% of GDP?", ["Japan", "Greece", "Kenya"]),
        ("公的債務が190.6%以上の国はどこですか。", ["Japan", "Greece"]),
        ("公的債務が190.6%を超える国はどこですか。", ["Japan"]),
        ("Which countries export less than $60 billion?", ["Estonia", "Chile"]),
        ("Which European countries have a public debt below 20%?", ["Estonia"]),
        ("Which EU countries have a public debt above 10%?", ["Greece", "Estonia"]),
        ("EUで公的債務が50%を超える国は？", ["Greece"]),
        ("Which G7 countries have a public debt above 10%?", ["Japan"]),
        ("OECD加盟国で公的債務が最も多い3か国は？", ["Japan", "Greece", "Chile"]),
        ("Which two countries have the highest public debt?", ["Japan", "Greece"]),
        ("公的債務が少ない国トップ3", ["Estonia", "Chile", "Kenya"]),
        ("How many countries have a public debt of more than 50% of GDP?", ["Japan", "Greece", "Kenya"]),
    ],
)
def test_a_limit_finds_all_that_keep_to_it(tmp_path: Path, query: str, found: list[str]) -> None:
    hits = [hit for hit in almanac_of(tmp_path).search(query, 8) if hit.is_asked]
    assert [hit.path.stem for hit in hits] == found


@pytest.mark.parametrize(
    ("question", "told", "down_to"),
    [
        ("Where does Kenya rank in public debt?", "Kenya is number 3.", "Estonia"),
        ("Is Japan's public debt the highest?", "Japan is number 1.", "Estonia"),
        ("Where does Estonia rank among European countries in public debt?", "Estonia is number 2.", "Estonia"),
        ("ケニアの公的債務は世界で何番目に少ないですか。", "ケニアは3位です。", "ギリシャ"),
        ("チリの公的債務の順位は？", "チリは4位です。", "エストニア"),
    ],
)
def test_somebodys_place_in_the_order_of_all_is_told(tmp_path: Path, question: str, told: str, down_to: str) -> None:
    library = almanac_of(tmp_path)
    language = Language.JA if question.endswith(("。", "？")) else Language.EN
    brief = Brief(question=question, language=language, sources=(SourceName.LIBRARY,))
    home = Settings.from_environment({"RESEARCH_HOME": str(tmp_path / "home")})
    report = run_sync(brief, library=library.folder, analyst="extractive", settings=home)
    heading, *lines = [line for line in report.markdown.splitlines() if line.lstrip().startswith("- ")][:6]
    assert heading.endswith(told)
    assert report.status == "complete"
    assert any(down_to in line for line in lines), "those before it are listed, and a few behind"


def told_of(tmp_path: Path) -> Library:
    exports = {
        "Peru": "copper ore, gold (2023)",
        "Chile": "refined copper, fish (2023)",
        "Brazil": "soybeans, crude petroleum (2023)",
        "Zambia": "copper, refined petroleum (2023)",
    }
    told = {
        f"{name}_md": f"# {name} — Economy\n\n{name} – Exports - commodities: {said}\n\n{name} – Exports: $1 billion\n"
        f"\n{name} – Languages: {'Portuguese (official), English' if name == 'Brazil' else 'Spanish (official)'}\n"
        for name, said in exports.items()
    }
    return library_of(tmp_path, **told)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Which countries in South America export copper?", ["Chile", "Peru"]),
        ("Which countries export copper?", ["Chile", "Peru", "Zambia"]),
        ("石油を輸出している国はどこですか。", ["Brazil", "Zambia"]),
        ("銅を輸出している国はどこですか。", ["Chile", "Peru", "Zambia"]),
        ("錫を輸出している国はどこですか。", []),
        ("Which countries have Spanish as an official language?", ["Chile", "Peru", "Zambia"]),
        ("Which countries export uranium?", []),
        ("Which countries does Peru export to?", []),
    ],
)
def test_whichever_places_are_asked_for_are_found_among_all(tmp_path: Path, query: str, found: list[str]) -> None:
    hits = [hit for hit in told_of(tmp_path).search(query, 8) if hit.is_asked]
    assert [hit.path.stem for hit in hits] == found


def test_of_a_part_of_the_world_its_own_places_come_first(tmp_path: Path) -> None:
    files = {
        f"{name}_md": f"# {name} — Trade\n\nThe south of {name} mines copper for America, copper that it ships.\n"
        for name in ("South Korea", "Chile")
    }
    hits = library_of(tmp_path, **files).search("copper mining in South America", 2)
    assert [hit.path.stem for hit in hits] == ["Chile", "South Korea"]


def test_years_that_are_asked_for_are_the_ones_compared(tmp_path: Path) -> None:
    hits = almanac_of(tmp_path).search("Which country had the highest public debt in 2022?", 3)
    assert all("Public debt 2022" in hit.text for hit in hits)


def test_what_no_label_says_is_searched_by_words(tmp_path: Path) -> None:
    library = library_of(tmp_path, a_md="# Teams\n\nBrazil has the most famous football team.\n", b_md=SALES)
    assert library.search("Which country has the best football team?", 1)[0].path.stem == "a"


def test_the_rows_of_one_subject_are_ordered_by_time(tmp_path: Path) -> None:
    rows = "month,country,revenue\n2025-01,Vietnam,20\n2025-02,Vietnam,53\n2025-03,Vietnam,31\n2025-02,India,90\n"
    hits = library_of(tmp_path, sales_csv=rows).search("In which month was the revenue in Vietnam highest?", 3)
    assert [hit.text.split(";")[0] for hit in hits] == ["month: 2025-02", "month: 2025-03", "month: 2025-01"]


def report_page(text: str = SALES) -> FoundPage:
    return found_page("https://asanagi.example/annual", text, title="Annual report of Asanagi")


async def answer(question: str, *pages: FoundPage, **fields: object) -> str:
    result, _ = await research(question, pages, **fields)
    shown = parts(result.markdown)
    return shown.get("Answer") or shown.get("答え") or ""


async def test_the_rows_of_a_table_are_put_in_order_without_their_total() -> None:
    said = await answer("Which category brought Asanagi the highest net sales in 2025?", report_page())
    assert said.index("Pumps: 1,200") < said.index("Services: 640") < said.index("Seals: 310")
    assert "Total" not in said
    assert "others were not compared" in said, "pages of the web are no whole"


async def test_a_report_lists_all_that_keep_to_a_limit_and_says_which() -> None:
    pages = [
        found_page(f"https://almanac.example/{name}", f"# {name}\n\n{name} – Unemployment rate: {rate}%\n", title=name)
        for name, rate in {"Spain": 11.4, "Italy": 6.8, "Greece": 10.2}.items()
    ]
    said = await answer("Which European countries have an unemployment rate of over 10%?", *pages)
    assert "Unemployment rate, more than 10%:" in said
    assert said.index("Spain: 11.4%") < said.index("Greece: 10.2%")
    assert "Italy" not in said


async def test_as_many_are_told_as_are_asked_for_and_how_many_keep_to_a_limit() -> None:
    rates = {"Spain": 11.4, "Italy": 6.8, "Greece": 10.2, "Norway": 4.0, "France": 7.4, "Latvia": 6.9, "Malta": 2.8}
    pages = told_by({name: f"{rate}%" for name, rate in rates.items()}, "Unemployment rate")
    said = await answer("Top 6 countries by unemployment rate", *pages)
    assert said.index("Spain: 11.4%") < said.index("Norway: 4.0%")
    assert "Malta" not in said
    result, _ = await research("失業率が最も高い2か国はどこですか。", pages, language=Language.JA)
    said = parts(result.markdown)["答え"]
    checked = {one.text.partition(": ")[0]: one.verdict for one in result.record.sentences if one.evidence}
    assert checked == {"スペイン": "supported", "ギリシャ": "supported"}
    assert "ギリシャ" in said
    assert "フランス" not in said
    said = await answer("How many EU countries have an unemployment rate of over 7%?", *pages)
    assert "3 – Unemployment rate, more than 7%:" in said


async def test_of_the_labels_of_several_years_the_last_one_tells_of_all() -> None:
    pages = [
        found_page(
            f"https://almanac.example/{name}",
            f"# {name}\n\n{name} – Unemployment rate 2022: 1{rate}%\n\n{name} – Unemployment rate 2024: {rate}%\n",
            title=name,
        )
        for name, rate in {"Spain": 11.4, "Italy": 6.8}.items()
    ]
    said = await answer("Compare the unemployment rate of the EU countries", *pages)
    assert "Spain: 11.4%" in said
    assert "2022" not in said


async def test_of_two_data_files_one_is_put_in_order_by_what_tells_its_rows_apart() -> None:
    told = "topic: population; area: {}; year: 2020; count: {}\n"
    rows = "".join(told.format(*row) for row in (("Tokyo", 14_047_594), ("Osaka", 8_837_685), ("Tottori", 553_407)))
    other = "area: Tokyo; year: 2020; count: 13732951\narea: Osaka; year: 2020; count: 8732289\n"
    pages = [
        found_page("https://stat.example/census", rows, title="Census"),
        found_page("https://stat.example/forecast", other, title="Forecast"),
    ]
    said = await answer("Which areas had a population of more than 5 million in 2020?", *pages)
    assert "Count (population), more than 5 million:" in said
    assert "Tokyo: 14047594" in said
    assert "Osaka: 8837685" in said
    assert "Tottori" not in said
    assert "13732951" not in said, "each file counts in a way of its own"


def told_by(values: dict[str, str], label: str) -> list[FoundPage]:
    return [
        found_page(f"https://almanac.example/{name}", f"# {name}\n\n{name} – {label}: {said}\n", title=name)
        for name, said in values.items()
    ]


async def test_a_sum_is_told_in_the_unit_of_its_operands() -> None:
    pages = told_by({"France": "$3.732 trillion (2024 est.)", "Germany": "$5.247 trillion (2024 est.)"}, "Exports")
    said = await answer("What are the exports of France and Germany together?", *pages)
    assert r"\$8.979 trillion = \$3.732 trillion" in said


async def test_by_how_much_two_differ_is_computed() -> None:
    pages = told_by({"Spain": "11.4%", "Italy": "6.8%"}, "Unemployment rate")
    said = await answer("How much higher is unemployment in Spain than in Italy?", *pages)
    assert "4.6 percentage points = 11.4%" in said
    said = await answer("スペインとイタリアの失業率の差は？", *pages, language=Language.JA)
    assert "4.6ポイント = 11.4%" in said


async def test_gdp_is_no_growth_of_it() -> None:
    told = "{0} – Real GDP growth rate: 1.2%\n\n{0} – Real GDP (purchasing power parity): ${1} trillion\n"
    pages = [
        found_page(f"https://almanac.example/{name}", f"# {name}\n\n{told.format(name, gdp)}", title=name)
        for name, gdp in {"France": 3.7, "Germany": 5.2}.items()
    ]
    said = await answer("What is the GDP of France and Germany together?", *pages)
    assert "8.9 trillion" in said
    assert "growth" not in said


async def test_a_report_lists_all_of_whom_a_thing_is_told() -> None:
    pages = [
        found_page(f"https://almanac.example/{name}", f"# {name}\n\n{name} – Government type: {kind}\n", title=name)
        for name, kind in {"Oman": "absolute monarchy", "Japan": "constitutional monarchy", "India": "republic"}.items()
    ]
    said = await answer("Which Asian countries are monarchies?", *pages)
    assert "Government type:" in said
    assert said.index("Japan: constitutional monarchy") < said.index("Oman: absolute monarchy")
    assert "India" not in said
    assert "there may be others" in said, "pages of the web are no whole"


async def test_rows_that_are_named_are_found_by_what_leads_to_their_table() -> None:
    said = await answer("What were the net sales of Asanagi for pumps and seals in 2025?", report_page())
    assert "Pumps: 1,200 (2025)" in said
    assert "Seals: 310 (2025)" in said
    assert "Services" not in said


async def test_a_change_is_that_of_one_row() -> None:
    said = await answer("How did the total net sales of Asanagi change from 2024 to 2025?", report_page())
    assert "210 (+10.8%)" in said


async def test_what_the_quotes_say_in_another_form_is_not_called_missing() -> None:
    page = found_page(
        "https://tea.example/1", "# Tea\n\nThe tea market of Japan grew by 4 per cent in 2025.\n", title="Tea"
    )
    said = await answer("How does the tea market of Japan grow?", page)
    assert "grew by 4 per cent" in said
    assert "Nothing was found" not in said


async def test_the_years_beside_one_that_lacks_are_shown_and_said() -> None:
    rows = "pref: 東京都; year: 2020; value: 14047594\npref: 東京都; year: 2025; value: 13845936\n" * 1
    page = found_page("https://stat.example/population", rows, title="都道府県の人口")
    said = await answer("2023年の東京都の人口は何人ですか。", page, language=Language.JA)
    assert "14047594" in said
    assert "2023年のものは見つかりませんでした" in said


async def test_a_city_is_one_name_in_both_languages() -> None:
    english = found_page("https://a.example/1", "# Notes\n\nChinese makers keep stock in Hai Phong.\n", title="Notes")
    told = "# 会議\n\nハイフォンのサービス拠点の開設は、消防検査の遅れのため十月に延期する。\n"
    said = await answer(
        "Why was the opening of the service centre in Hai Phong postponed?",
        english,
        found_page("https://a.example/2", told, title="会議"),
    )
    assert "消防検査の遅れ" in said


# --- how files are read ----------------------------------------------------------------------------------------

FILING = """<html><head><title>asng-20250331</title></head><body><ix:header><ix:hidden>
<ix:nonNumeric name="dei:DocumentType">hidden twice</ix:nonNumeric></ix:hidden></ix:header>
<p><ix:nonNumeric contextRef="c" name="dei:DocumentType">10-K</ix:nonNumeric></p>
<p><ix:nonNumeric contextRef="c" name="dei:EntityRegistrantName">Asanagi Corp</ix:nonNumeric></p>
<p>(Exact name of registrant as specified in its charter)</p>
<p>Net sales were <ix:nonFraction name="us-gaap:Revenues">2,150</ix:nonFraction> million yen in the year, which is what
the company had expected when it closed the books of the year before this one.</p></body></html>"""


def test_a_filing_keeps_its_figures_and_is_titled_by_who_filed_it(tmp_path: Path) -> None:
    library = library_of(tmp_path, filing_html=FILING)
    document = library.document(library.search("net sales")[0].path)
    assert document.title.startswith("Asanagi Corp")
    assert "Net sales were 2,150 million yen" in document.text
    assert "Asanagi Corp" in document.text
    assert "hidden twice" not in document.text


async def test_what_names_the_part_of_the_world_that_is_asked_of_comes_first() -> None:
    text = (
        "# Plan\n\nThe sales target of the pump division is 9 million dollars in 2027.\n\n"
        "The board met on Tuesday.\n\nIn South-East Asia the sales target is 4 million dollars in 2027.\n"
    )
    said = await answer("What is the sales target in South-East Asia?", found_page("https://a.example/1", text))
    assert said.index("4 million") < said.find("9 million") or "9 million" not in said


async def test_a_passage_with_another_figure_repeats_nothing() -> None:
    text = (
        "# Minutes\n\nThe sales target of Asanagi for pumps in 2027 is 8 million dollars.\n\n"
        "The board resolved that the sales target of Asanagi for pumps in 2027 is 6 million dollars.\n"
    )
    said = await answer("What is the sales target of Asanagi for pumps?", found_page("https://a.example/1", text))
    assert "8 million" in said
    assert "6 million" in said


async def test_a_label_that_is_narrower_before_its_words_is_another_thing() -> None:
    told = (
        "{0} – School life expectancy (primary to tertiary education), total: 16 years\n\n"
        "{0} – Life expectancy at birth, total population: {1} years\n"
    )
    pages = [
        found_page(f"https://almanac.example/{name}", f"# {name}\n\n{told.format(name, years)}", title=name)
        for name, years in {"Japan": 85.2, "Kenya": 70.4}.items()
    ]
    said = await answer("What is the life expectancy in Japan compared to Kenya?", *pages)
    assert "85.2" in said
    assert "16 years" not in said


async def test_a_label_that_begins_with_something_else_does_not_stand_beside_what_is_asked() -> None:
    text = (
        "# Peru — People\n\nPeru – Population, total: 32,600,249 (2024 est.)\n\nPeru – Population, male: 15,952,556\n\n"
        "Peru – Literacy, total population: 94% (2023 est.)\n\nPeru – Net migration rate: -0.7 (2024 est.)\n"
    )
    page = found_page("https://almanac.example/peru", text, title="Peru — People")
    said = await answer("What is the population of Peru?", page)
    assert "32,600,249" in said
    assert "Literacy" not in said
    assert "migration" not in await answer("What is the net income of Peru?", page)


async def test_shares_of_gdp_differ_by_points() -> None:
    pages = [
        found_page(
            f"https://a.example/{name}", f"# {name}\n\n{name} – Military expenditures: {share}% of GDP (2024 est.)\n"
        )
        for name, share in {"India": 2, "Pakistan": 2.5}.items()
    ]
    said = await answer("What is the difference between the military expenditures of India and Pakistan?", *pages)
    assert "−0.5 percentage points = 2%" in said


def test_what_was_not_found_is_said_first_and_the_report_is_not_complete(tmp_path: Path) -> None:
    brief = Brief(question="インドでの販売目標は？", language=Language.JA, sources=(SourceName.HOUSE,))
    settings = Settings.from_environment({"RESEARCH_HOME": str(tmp_path)})
    report = run_sync(brief, analyst="extractive", settings=settings)
    said = parts(report.markdown)
    assert "見つかりませんでした" in said["答え"].strip().splitlines()[0]
    assert "「" in said["内容が近い記述"], "what comes nearest is quoted below"
    assert report.status == "partial"


async def test_a_group_is_added_up_or_averaged_each_figure_cited_and_the_line_checked() -> None:
    pages = told_by(
        {"Denmark": "82.1", "Finland": "82.2", "Iceland": "84", "Norway": "82.9", "Sweden": "82.9"}, "Life expectancy"
    )
    result, _ = await research("What is the average life expectancy in the Nordic countries?", pages)
    line = next(one for one in result.record.sentences if one.text.startswith("Computed"))
    assert "82.82 = (82.1 + 82.2 + 84 + 82.9 + 82.9) ÷ 5" in line.text
    assert line.verdict == "supported"
    assert "Computed" not in await answer("What is the average life expectancy in Norway and Sweden?", *pages)
    pages = told_by({"Brazil": "$2.5 trillion", "Russia": "$2 trillion", "India": "$4 trillion"}, "GDP")
    pages += told_by({"China": "$18 trillion", "South Africa": "$400 billion"}, "GDP")
    said = await answer("What is the total GDP of the BRICS countries?", *pages)
    assert r"\$26.9 trillion = " in said
    assert r"\$0.4 trillion" in said
    pages = told_by({"Estonia": "12%", "Latvia": "10%", "Lithuania": "11%"}, "Poverty rate")
    said = await answer("What is the total poverty rate of the Baltic states?", *pages)
    assert "33" not in said, "shares of different wholes add up to nothing"


@pytest.mark.parametrize(
    "question",
    [
        "Which countries have a shrinking population?",
        "Which countries have negative population growth?",
        "人口が減っている国はどこですか。",
        "人口増加率がマイナスの国は？",
    ],
)
async def test_whoever_loses_people_has_less_growth_than_none(question: str) -> None:
    rates = {"Japan": "-0.45%", "Kenya": "2.1%", "Latvia": "-1.27%", "Oman": "1.7%"}
    said = await answer(question, *told_by(rates, "Population growth rate"))
    assert ("Japan" in said or "日本" in said) and ("Latvia" in said or "ラトビア" in said)
    assert not any(name in said for name in ("Kenya", "ケニア", "Oman", "オマーン"))
