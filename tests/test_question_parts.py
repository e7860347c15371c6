"""The parts of a question: taken apart by the program, or listed by the question, and what becomes of them in a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.start.parts import understood_nodes
from pages.parts.ui import Ui
from research.analysts.extractive.report import title_of_report
from research.cli import main
from research.core import Brief, MethodName, SourceName
from research.language import Language
from research.results import Report
from research.settings import Settings
from research.store import Runner, RunStore
from research.text import Operation, Part, head_of, parts_of, question_parts, with_parts
from tests.support.openai_server import OpenAIServer
from tests.support.pump_model import PAGE, Model
from tests.support.services import access
from tests.support.tavily_server import Results, TavilyServer, web_page

LISTED = "Compare Japan and France.\n- Japan: inflation\n- France: number of people unemployed\n* GDP"


def test_a_question_is_taken_apart_or_lists_its_parts_itself() -> None:
    assert parts_of("How has Japan's electricity mix changed since 2015?") == (Part("Japan", "electricity mix"),)
    assert [str(part) for part in parts_of("スイスの失業率と輸出額は？")] == ["スイス: 失業率", "スイス: 輸出額"]
    assert parts_of("比較してください。\n・日本：人口\n・フランス：面積") == (
        Part("日本", "人口"),
        Part("フランス", "面積"),
    )
    assert parts_of(LISTED)[1:] == (Part("France", "number of people unemployed"), Part("", "GDP"))


@pytest.mark.parametrize(
    ("question", "attributes"),
    [
        ("Which countries have more than 200 million people?", ("population",)),
        ("Who buys Kenya's exports?", ("export partners",)),
        ("How large is the population growth of Kenya?", ("population growth",)),
        ("What share of income goes to the top 10% in Peru?", ("income top 10",)),
        ("ペルーの総人口は？", ("人口",)),
        ("How did inflation in Turkey develop over recent years?", ("inflation",)),
        ("What is the combined GDP of Kenya and Uganda?", ("GDP",)),
        ("What are the price, size and growth of the market in India?", ("price", "market size", "market growth")),
        ("韓国の主な輸出相手国を、割合とともに挙げてください。", ("輸出相手国",)),
        ("How much of Peru's electricity comes from hydropower?", ("electricity hydropower",)),
        ("How old is the average person in Peru?", ("median age",)),
        ("How old are people in Peru on average?", ("median age",)),
        ("Who lives longer in Peru, men or women?", ("life expectancy",)),
        (
            "What is the gap between men's and women's life expectancy in Peru?",
            ("men's life expectancy", "women's life expectancy"),
        ),
        ("What share of men smoke in Peru?", ("men smoke",)),
        ("Is Peru richer than Chile?", ("GDP per capita",)),
        ("Which country has the larger economy, Peru or Chile?", ("GDP",)),
        ("Which economy is the smallest in Africa?", ("GDP",)),
        ("ペルーとチリ、経済が大きいのはどっち？", ("GDP",)),
        ("What does Peru export and who buys it?", ("export", "export partners")),
        ("ペルーの少子高齢化の現状は", ("出生率", "高齢化")),
        ("当社が抱える課題は何か", ("当社の課題",)),
        ("How many pumps were sold in Peru, and for how much?", ("pumps sold", "revenue")),
        ("How dependent is Peru on copper, and has the dependence grown?", ("dependent copper",)),
        ("How large was the trade deficit of Peru in 2023?", ("exports", "imports")),
        ("契約が終わった後、部品の保証は何年間ですか", ("部品の保証",)),
        ("ペルーの平均寿命の男女差は？", ("男性の平均寿命", "女性の平均寿命")),
        ("ペルーの貧しい人の割合は？", ("貧しい人の割合",)),
        ("ペルーに住む人の平均年齢は？", ("平均年齢",)),
        ("What does a drill cost?", ("drill price",)),
        ("What did the plant cost?", ("plant cost",)),
        ("How much is the RT-50?", ("price",)),
        ("RT-50はいくらですか", ("価格",)),
        ("ペルーの人口はいくらですか", ("人口",)),
        ("How fast is Zentra Steel growing?", ("revenue",)),
        ("How fast is Peru growing?", ("GDP growth rate",)),
        ("ペルーの売上推移", ("売上",)),
        ("直近の取締役会の要点", ("取締役会",)),
        ("売上の予算と実績を比較して", ("売上の予算", "実績")),
        ("How many people does Zentra Steel employ?", ("employees",)),
        ("How many mills does it have, and how many abroad?", ("mills", "mills abroad")),
    ],
)
def test_what_is_asked_is_the_thing_and_not_how_it_is_to_be_looked_at(question: str, attributes: tuple[str]) -> None:
    assert question_parts(question).attributes == attributes


def test_what_goes_on_since_a_year_is_asked_of_all_years_from_it() -> None:
    asked = question_parts("How has Peru's inflation changed since 2022?")
    assert [year for year in ("2021", "2022", "2024") if asked.is_in_years(year)] == ["2022", "2024"]
    asked = question_parts("How did Peru's inflation change in 2022?")
    assert [year for year in ("2021", "2022", "2024") if asked.is_in_years(year)] == ["2021", "2022"]


def test_places_that_stand_together_are_no_further_name() -> None:
    assert [name.en for name in question_parts("ペルー・チリ・ブラジルの人口").names] == ["Peru", "Chile", "Brazil"]


def test_a_group_of_countries_stands_for_its_members() -> None:
    named = [name.en for name in question_parts("Which ASEAN country has the largest population?").names]
    assert len(named) == 11
    assert {"Indonesia", "Vietnam", "Timor-Leste"} <= set(named)


def test_listed_parts_are_what_is_asked_and_of_whom() -> None:
    asked = question_parts(LISTED)
    assert asked.attributes == ("inflation", "number people unemployed", "GDP")
    assert asked.points == asked.listed == ("Japan inflation", "France number of people unemployed", "GDP")
    assert question_parts("Compare inflation of Japan and France.").listed == ()
    moved = question_parts("What of Japan?\n- Kosovo: inflation\n- Kosovo: exports")
    assert ([name.en for name in moved.names], moved.points) == (["Kosovo"], ("inflation", "exports"))
    kinds = question_parts("What of prices?\n- electric cars: price\n- Japan: price of petrol")
    assert kinds.points == ("electric cars price", "Japan price of petrol")
    same = question_parts("Compare.\n- Japan: inflation\n- France: inflation")
    assert ([name.en for name in same.names], same.points) == (["Japan", "France"], ("inflation",))


@pytest.mark.parametrize(
    "question", [LISTED, "What is asked?", "- inflation of Kosovo\n- exports", "When, in 3.5 hours?"]
)
def test_parts_written_into_a_question_are_read_from_it_again(question: str) -> None:
    written = with_parts(question, parts_of(question))
    assert parts_of(written) == parts_of(question) and with_parts(written, parts_of(written)) == written
    assert parts_of(with_parts(question, [Part("Kosovo", "exports")])) == (Part("Kosovo", "exports"),)


def test_a_title_is_the_question_without_its_list() -> None:
    assert head_of(LISTED) == "Compare Japan and France."
    assert head_of("- inflation of Kosovo") == "- inflation of Kosovo"
    asked = "日本の人口はどのように高齢化しているか。労働力と公的債務にどう影響するか。"
    assert title_of_report(asked) == asked, "so that no subtitle says it again"


def answered(home: Path, question: str, method: MethodName) -> Report:
    with Runner(RunStore(home), Settings(home=home)) as runner:
        brief = Brief(question=question, sources=(SourceName.HOUSE,), method=method)
        return runner.wait(runner.start(brief, analyst="extractive"), timeout=120)


HOUSE = "What was decided on the AN-300?\n- launch date of the AN-300\n- price of eggs in Peru"


def test_listed_parts_are_planned_counted_and_checked_one_by_one(tmp_path: Path) -> None:
    report = answered(tmp_path, HOUSE, MethodName.GAP_DRIVEN)
    assert report.record.outline is not None
    needs = [need for section in report.record.outline.sections for need in section.needs]
    assert any("launch date" in need for need in needs) and any("eggs" in need for need in needs)
    assert [part.asked for part in report.record.parts] == ["launch date of the AN-300", "price of eggs in Peru"]
    assert not report.record.parts[1].is_spoken_of
    assert report.markdown.splitlines()[0] == "# What was decided on the AN-300?"


def test_models_are_told_the_parts_and_what_they_left_open_is_named(tmp_path: Path) -> None:
    question = "How is the pump market?\n- growth of the pump market\n- salaries of nurses in Peru"
    with OpenAIServer() as models, TavilyServer() as web:
        models.handler = Model()
        web.handler = lambda _: Results(web_page("https://a.example/", PAGE), web_page("https://b.example/", PAGE * 2))
        settings = Settings(home=tmp_path, services=access(models.base_url) | access(web.base_url, to="service_tavily"))
        with Runner(RunStore(tmp_path), settings) as runner:
            brief = Brief(question=question, preset="speed", method=MethodName.SUPERVISED)
            report = runner.wait(runner.start(brief), timeout=60)
        told = [str(request.body["messages"]) for request in models.requests]
    assert sum("<asked>" in one and "2. salaries of nurses in Peru" in one for one in told) >= 2
    assert [part.is_spoken_of for part in report.record.parts] == [True, False]
    unanswered = [one.subject for one in report.record.problems if one.code == "part_unanswered"]
    assert unanswered == ["salaries of nurses in Peru"] and "salaries of nurses in Peru" in report.markdown


def test_the_command_line_prints_the_parts_and_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--plan", "How has Japan's electricity mix changed since 2015?"]) == 0
    assert capsys.readouterr().out == "- Japan: electricity mix\nPeriod: 2015\nTo be done: change over time\n"


def test_what_was_understood_stands_under_the_question() -> None:
    (shown,) = understood_nodes("How have inflation and exports of Japan changed since 2015?", Ui(Language.EN))
    assert (
        shown.text()
        == "person_searchAboutJapanhelpAskedinflationexportseventPeriod2015functionTo be donechange over time"
    )
    (shown,) = understood_nodes("How has the market for heat pumps in Germany developed?", Ui(Language.EN))
    assert "Askedmarket for heat pumps" in shown.text()
    (shown,) = understood_nodes("あさなぎポンプ工業の強みは何ですか。", Ui(Language.JA))
    assert shown.text() == "person_search対象あさなぎポンプ工業help知りたいこと強み"
    (shown,) = understood_nodes("あさなぎポンプ工業", Ui(Language.JA))
    assert shown.text() == "person_search対象あさなぎポンプ工業"
    (shown,) = understood_nodes(LISTED, Ui(Language.JA))
    assert "France: number of people unemployed" in shown.text() and "比較" in shown.text()


def test_parts_are_changed_moved_removed_added_and_undone(app: AppTest) -> None:
    app.run()
    question = "How high are inflation and exports of Japan?"
    app.text_area(key="brief_question").set_value(question).run()

    def field(label: str, place: int = 0) -> None:
        assert not app.exception
        found = [box for box in app.text_input if box.label == label]
        found[place].set_value(" public: debt ").run()

    def press(label: str, place: int = 0) -> None:
        [button for button in app.button if button.label == label][place].click().run()

    def lines() -> list[str]:
        assert not app.exception
        return str(app.session_state["brief_question"]).splitlines()[1:]

    field("What is asked", 1)
    assert lines() == ["- Japan: inflation", "- Japan: public debt"]
    press("Up", 1)
    assert lines() == ["- Japan: public debt", "- Japan: inflation"]
    press("Remove", 0)
    assert lines() == ["- Japan: inflation"]
    field("Add: what is asked")
    assert lines() == ["- Japan: inflation", "- public debt"]
    press("As the program understands it")
    assert app.session_state["brief_question"] == question


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("We're thinking of launching an app in Rwanda. How many people use the internet?", "internet"),
        ("キルギスへ出張することになりました。首都はどこですか。", "首都"),
        ("Our firm would like to sell to Mexico. Which countries does it buy most of its goods from?", "goods"),
    ],
)
def test_what_only_says_why_somebody_asks_is_not_asked(question: str, asked: str) -> None:
    parts = question_parts(question)
    assert len(parts.attributes) == 1
    assert asked in parts.attributes[0]
    assert len(parts.names) == 1


@pytest.mark.parametrize(
    "question",
    [
        "I would like to know the population of Kenya. And what is its capital?",
        "ケニアの人口についてお願いします。首都はどこですか。",
    ],
)
def test_a_request_is_asked_whatever_its_form(question: str) -> None:
    assert len(question_parts(question).attributes) == 2


@pytest.mark.parametrize(
    ("question", "attributes"),
    [
        ("Rank Acme, Bolt and Cord by annual sales.", ("sales",)),
        ("Put Kenya, Chad and Mali in order by how much gold they dig up.", ("gold dig",)),
        ("Three quick things on Rwanda - how fast is the population growing, and how many live in towns?", None),
        ("How many pumps did we sell in India, all months together?", ("pumps sell",)),
        ("We are looking at Fiji. What does it mine, and who buys most?", ("mine", "buys")),
        ("フィジーの物価は下がったのか。2022年以降の数字で教えて", ("物価",)),
        ("扇風機FX-20の静かさは実際にどの程度で、利用者は何と言いましたか。", ("扇風機の静かさ", "利用者")),
        ("チャドの物価の上がり方は近年どう変わった？", ("物価",)),
        ("ペルーは何を誰に売っている国？", ("輸出品目", "輸出相手国")),
        ("倉庫の屋根が壊れた。保険はいくらまで出る？", ("保険",)),
    ],
)
def test_what_only_says_how_to_answer_is_not_asked(question: str, attributes: tuple[str, ...] | None) -> None:
    told = question_parts(question).attributes
    assert told == attributes if attributes else ("things" not in " ".join(told) and "population growth rate" in told)


def test_things_are_asked_for_part_by_part() -> None:
    asked = question_parts("What are South Korea's biggest export goods? Also, how long do men have to serve?")
    assert [asked.wants_items_of(part) for part in range(2)] == [True, False]
    assert question_parts("Thailand or Vietnam - which of the two ships more abroad?").wants_amounts
    assert not question_parts("How do Thailand and Vietnam pick their rulers?").wants_amounts


def test_the_longest_that_something_may_take_is_no_order() -> None:
    assert question_parts("病欠は最長どのくらい認められる？").operation is Operation.LOOK_UP
    assert question_parts("最長の川は？").operation is Operation.RANK
