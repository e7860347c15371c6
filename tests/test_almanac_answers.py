"""Questions of a newcomer on the almanac and the samples: by the labels that mean them, for the places they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from research import Brief, run_sync
from research.core import SourceName, Status
from research.language import Language
from research.meaning import NOBODY, everyday_questions
from research.settings import Settings
from research.sources import collection_folder
from research.text import Operation, language_of, passages, question_parts, values_of
from tests.support.rule_made import asked, said_first


def first_lines(home: Path, question: str, *sources: SourceName) -> str:
    """What a report says first, whether it answers or says that nothing does."""
    return said_first(asked(question, home, sources=sources or (SourceName.FACTBOOK,)))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does Germany export, and to whom?", "commodities: cars"),
        ("ブラジルの大統領は誰ですか", "chief of state: President"),
        ("エジプトの軍隊の規模は", "strengths: estimated 450,000"),
        ("Top five countries by oil reserves", "Venezuela: 303.806 billion barrels"),
        ("アフリカで人口が最も多い国はどこで、2位の国は？", "ナイジェリア: 244,344,065"),
        ("How many people would we reach in Belgium and Luxembourg put together?", "Computed: Population, total"),
        ("How has the Irish economy developed over the last three years?", "Real GDP growth rate 2023: -5.5%"),
        ("What part of Poland's carbon dioxide comes from burning coal?", "50.0%"),
        ("How does Vietnam compare with Thailand?", "| Vietnam | 106,688,169"),
        ("How have prices in Egypt risen, and has inflation calmed down since?", "percentage points"),
        ("ブラジルの首都はどこで、いつからですか。", "1960"),
        ("What is the gap between men's and women's life expectancy in Japan?", "5.9 = 82.3"),
        ("How big is the population of Kenya and how fast does it grow?", "Population growth rate: 2.15%"),
        ("アイスランドの電気は何で作られているのか、内訳を知りたい", "hydroelectricity: 70.1%"),
    ],
)
def test_what_is_asked_in_other_words_is_found_by_what_it_means(home: Path, question: str, said: str) -> None:
    assert said in first_lines(home, question)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is Vietnam a democracy?", "Government type: communist"),
        ("What is the tallest mountain in Kenya?", "Mount Kenya 5,199 m"),
        ("How many soldiers does Thailand have?", "strengths: estimated 350,000"),
        ("Do people live longer in Switzerland or the United States?", "Life expectancy at birth, total population"),
        ("チリの海岸はどのくらい長いですか", "Coastline: 6,435 km"),
        ("フランスの女性は子どもを何人産みますか", "Total fertility rate: 1.9"),
        ("Which country is the most unequal?", "Namibia: 59.1"),
        ("医者が一番少ない国は？", "0.02 physicians"),
        ("Tell me about Kenya", "Background"),
        ("Compare Japan and Germany", "GDP (official exchange rate)"),
        ("トルコはEUに入っている？", "EU (candidate country)"),
        ("Who has more soldiers, Japan or South Korea?", "| South Korea | approximately 500,000 active"),
        ("Who sells to Germany?", "Imports - partners"),
        ("南米で一番貧しい国はどこですか。", "低い順"),
        ("スイスって何語しゃべってるの", "Languages: German"),
        ("南アの失業率ってやばいの？", "33.2%"),
        ("トルコのリラ安どうなってる？", "Exchange rates 2024: 32.806"),
        ("ノルウェーって何で儲けてる国？", "Exports - commodities: natural gas"),
        ("ラオスって海ある？", "0 km (landlocked)"),
        ("ポーランドの景気どう？", "Real GDP growth rate"),
        ("who really runs oman?", "head of government: Sultan"),
        ("how fat are americans", "Obesity"),
        ("is russia losing people", "Population growth rate: -0.49%"),
        ("whats the capital of brazil again", "Brasília"),
        ("how much does america spend on its army", "Military Expenditures"),
        ("Which country in Asia has the weakest economy?", "Timor-Leste: \\$1.881 billion"),
    ],
)
def test_everyday_questions_are_answered_by_the_line_that_answers_them(home: Path, question: str, said: str) -> None:
    told = first_lines(home, question, SourceName.FACTBOOK, SourceName.HOUSE)
    assert said in told and "Computed" not in told and "算出" not in told


@pytest.mark.parametrize(
    "question",
    [
        "What is the minimum wage in Vietnam?",
        "ノルウェーの電気自動車の普及率は？",
        "一番おいしい料理の国はどこですか",
    ],
)
def test_an_everyday_question_that_no_line_answers_is_not_called_answered(home: Path, question: str) -> None:
    brief = Brief(question=question, sources=(SourceName.FACTBOOK, SourceName.HOUSE), language=language_of(question))
    report = run_sync(brief, analyst="extractive", settings=Settings(home=home))
    assert report.status is Status.PARTIAL


def test_each_everyday_question_leads_to_a_label_that_the_almanac_has(home: Path) -> None:
    folder = collection_folder(SourceName.FACTBOOK, home)
    labels = {value.label for file in folder.rglob("*.md") for value in values_of(file.read_text(encoding="utf-8"))}
    for language in Language:
        for kind, worded in everyday_questions(language).items():
            begins = kind.removeprefix("@ ").split("; ") if kind.startswith("@ ") else [kind]
            for own in begins:
                assert kind == NOBODY or any(f"{label}$".startswith(own) for label in labels), own
            assert worded and all(language_of(one) is language for one in worded), kind


@pytest.mark.parametrize(
    ("question", "beside"),
    [
        ("How large is the GDP of Japan?", "growth"),
        ("How large is Vietnam's economy, and what does it export?", "composition"),
        ("What is life expectancy in Italy?", "female"),
        ("What is the capital of Australia?", "etymology"),
    ],
)
def test_a_label_that_says_just_what_is_asked_stands_alone(home: Path, question: str, beside: str) -> None:
    assert beside not in first_lines(home, question)


@pytest.mark.parametrize(
    ("question", "told", "beside"),
    [
        ("A brief history of Chile, please.", ("Background: Indigenous groups inhabited", "Inca"), "anthem"),
        (
            "モロッコはどんな歴史をたどってきた国ですか？",
            ("Background: In 788", "MOHAMMED VI"),
            "Constitution, history",
        ),
        (
            "ケニアの政治と経済の概要を教えて",
            ("chief of state: President", "Real GDP growth rate 2024: 4.5%"),
            "rate 2023",
        ),
        ("How is Thailand governed?", ("Government type: constitutional monarchy", "chief of state: King"), "GDP"),
        ("Tell me about Poland's military.", ("Expenditures 2025: 4.5%", "approximately 235,000"), "Deployments, note"),
    ],
)
def test_who_asks_for_a_subject_is_told_what_its_page_says_of_it(
    home: Path, question: str, told: tuple[str, ...], beside: str
) -> None:
    said = first_lines(home, question)
    assert all(one in said for one in told)
    assert beside not in said


def test_what_pages_say_of_several_places_stands_side_by_side(home: Path) -> None:
    said = first_lines(home, "ベトナムとタイの経済を比べて")
    assert "| | ベトナム | タイ |" in said.replace("|  |", "| |")
    assert "| Real GDP growth rate | 7.1% (2024 est.)" in said
    assert "Economic overview" not in said
    assert "Background: Ancient Peru" in first_lines(home, "Compare the history of Chile and Peru")


def test_who_asks_for_one_thing_is_told_of_no_other(home: Path) -> None:
    said = first_lines(home, "What is the inflation rate in Kenya?")
    assert "4.5% (2024 est.)" in said
    assert "Agricultural products" not in said


@pytest.mark.parametrize(
    ("question", "never"),
    [
        ("How corrupt is Somalia?", "Maritime claims"),
        ("2022年のサッカーのワールドカップで優勝した国はどこですか。", "Japan"),
        ("How many tourists visit Spain?", "Land boundaries"),
    ],
)
def test_what_is_not_there_is_not_answered_by_what_only_shares_a_place(home: Path, question: str, never: str) -> None:
    assert never not in first_lines(home, question)


def test_a_firm_whose_own_documents_seldom_name_it_is_asked_about_and_no_other(home: Path) -> None:
    question = "朝凪ポンプ工業は東南アジアでどのような売上目標を立て、達成の見通しはどうですか。"
    assert "20億円" in first_lines(home, question, SourceName.HOUSE)
    assert "20億円" not in first_lines(home, question.replace("朝凪ポンプ工業", "トヨタ自動車"), SourceName.HOUSE)


def test_a_line_of_data_with_a_remark_is_no_row_of_a_file() -> None:
    line = "Peru – Maritime claims, territorial sea: 200 nm; note: the US does not recognize this claim"
    (value,) = values_of(f"# Peru — Geography\n\n{line}\n")
    assert (value.subject, value.label, value.is_row) == ("Peru", "Maritime claims, territorial sea", False)


def test_a_long_line_is_cut_between_its_clauses() -> None:
    clause = "\xa0".join(["plants"] * 40)
    found = passages(f"# Plants\n\n{'; '.join([clause] * 6)}\n")
    assert len(found) > 1
    assert all(one.text.startswith("plants") and one.text.rstrip(";").endswith("plants") for one in found)


@pytest.mark.parametrize(
    ("question", "operation", "is_of_things"),
    [
        ("What crops does Kenya grow?", Operation.LOOK_UP, True),
        ("How did sales grow?", Operation.CHANGE, False),
        ("What did it cost?", Operation.LOOK_UP, False),
        ("What is behind the delay?", Operation.REASON, False),
        ("Who owns the firm behind the brand?", Operation.LOOK_UP, False),
        ("Who leads Japan?", Operation.LOOK_UP, True),
        ("How long has the oldest pump run?", Operation.LOOK_UP, False),
        ("Which pump is the oldest?", Operation.RANK, False),
    ],
)
def test_things_are_asked_for_by_name(question: str, operation: Operation, is_of_things: bool) -> None:
    asked = question_parts(question)
    assert (asked.operation, asked.wants_items) == (operation, is_of_things)


def test_of_each_country_of_a_group_the_line_that_is_asked_for_is_found(home: Path) -> None:
    said = first_lines(home, "北欧諸国の人口は")
    assert all(one in said for one in ("6,051,491", "5,550,449", "364,036", "5,509,733", "10,643,745"))


def test_of_a_country_no_document_tells_that_does_not_name_it_and_no_line_of_something_else(home: Path) -> None:
    brief = Brief(
        question="How many people work in agriculture in Kenya?", sources=(SourceName.FACTBOOK, SourceName.HOUSE)
    )
    report = run_sync(brief, analyst="extractive", settings=Settings(home=home))
    assert report.status is Status.PARTIAL
    assert "AN-300" not in report.markdown
    assert "Land use" not in report.markdown.partition("## What")[0]


def test_two_things_asked_of_one_are_asked_of_it_both() -> None:
    assert question_parts("size and growth of the market").attributes == ("market size", "market growth")
    assert question_parts("市場の規模と成長").attributes == ("市場の規模", "市場の成長")
    assert language_of("市場") is Language.JA


def test_rows_are_called_as_the_reader_calls_them_and_held_against_pages_that_do_not(home: Path) -> None:
    brief = Brief(
        question="ベトナムとタイの人口を比べてください。", sources=(SourceName.FACTBOOK,), language=Language.JA
    )
    report = run_sync(brief, analyst="extractive", settings=Settings(home=home))
    rows = [one for one in report.record.sentences if " | " in one.text]
    assert [row.text.partition(" | ")[0] for row in rows] == ["ベトナム", "タイ"]
    assert {row.verdict for row in rows} == {"supported"}
