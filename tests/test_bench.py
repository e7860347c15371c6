"""The questions by which answers are measured, how they are judged, and how the public sets of questions are read."""

import json
from pathlib import Path

import pytest

from bench.answers.__main__ import HERE
from bench.passages import by_words, squad
from research.experiments import Fact, Passage, Question, hotpot, lines_of, musique, questions


def test_there_are_questions_in_both_languages_and_two_even_halves() -> None:
    asked = questions(HERE / "questions")
    assert len({question.id for question in asked}) == len(asked) >= 60
    assert min(sum(question.language == language for question in asked) for language in ("en", "ja")) >= 25
    assert 0.4 < sum(question.half == "tune" for question in asked) / len(asked) < 0.6
    assert all(question.wanted for question in asked)


@pytest.mark.parametrize(
    ("written", "report", "stands"),
    [
        ("8.2%", "- Vietnam: 8.2% (2024)", True),
        ("8.2%", "- Vietnam: 18.2% (2024)", False),
        ("123,456", "| Japan | 123456 |", True),
        ("2億1,000万円", "累計で２億１，０００万円を支出した", True),
        ("Japan && 215.9%", "## Japan\n\n- Public debt: 215.9% of GDP", True),
        ("Japan && 215.9%", "- Japan: 10%\n- Greece: 215.9%", False),
        ("Japan && 215.9%", "| | Japan |\n| Public debt | 215.9% |", True),
        (["silicon carbide", "炭化ケイ素"], "炭化ケイ素のシール", True),
        ({"absent": "youth unemployment"}, "- Nothing on youth unemployment in Kosovo.", True),
        ({"absent": "youth unemployment"}, "- very high unemployment, especially youth unemployment", False),
    ],
)
def test_a_fact_stands_in_a_report_or_not(written: object, report: str, stands: bool) -> None:
    assert Fact.of(written).stands_in(lines_of(report)) is stands


def test_a_computed_figure_stood_on_the_pages_if_its_operands_did() -> None:
    fact = Fact.of({"computed": "22.8%", "from": ["55,751,717", "244,344,065"]})
    assert fact.stands_on(["population: 55751717", "population: 244344065"])
    assert not fact.stands_on(["population: 55751717", "22.8%"])


def test_a_quote_bears_on_the_question_by_a_fact_or_by_what_is_asked_of_whom() -> None:
    question = Question(
        id="x", language="en", question="?", operation="look up", of=("Norway",), asked=("hydro",), facts=("89.1%",)
    )
    assert question.is_borne_on("Norway — Energy", "Electricity generation sources, hydroelectricity: 80%")
    assert not question.is_borne_on("Sweden — Energy", "Electricity generation sources, hydroelectricity: 80%")
    assert not question.is_borne_on("Norway — Energy", "Electricity, consumption: 127.335 billion kWh")


# --- how the public sets of questions are read, and what BM25 finds in them ------------------------------------------


RIVER, TOWN = Passage("Vell", "The Vell is a river."), Passage("Orden", "Orden is a town on the Vell.")


def written(place: Path, content: object) -> Path:
    place.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return place


def test_hotpot_is_read_in_both_of_its_forms(tmp_path: Path) -> None:
    common: dict[str, object] = {"question": "Which town is on the river Vell?", "answer": "Orden"}
    listed: dict[str, object] = {
        "context": [[*RIVER[:1], [RIVER.text]], [*TOWN[:1], [TOWN.text]]],
        "supporting_facts": [["Orden", 0]],
    }
    keyed: dict[str, object] = {
        "context": {"title": ["Vell", "Orden"], "sentences": [[RIVER.text], [TOWN.text]]},
        "supporting_facts": {"title": ["Orden"], "sent_id": [0]},
    }
    for number, form in enumerate((listed, keyed)):
        (one,) = hotpot([written(tmp_path / f"{number}.json", [common | form])])
        assert one.passages == (RIVER, TOWN)
        assert one.gold == {TOWN}
        assert one.answers == ("Orden",)


def test_musique_says_which_paragraphs_support(tmp_path: Path) -> None:
    paragraphs = [
        {"title": passage.title, "paragraph_text": passage.text, "is_supporting": passage is TOWN}
        for passage in (RIVER, TOWN)
    ]
    entry: dict[str, object] = {
        "id": "2hop__1",
        "question": "Which?",
        "answer": "Orden",
        "answer_aliases": ["the town of Orden"],
    }
    (one,) = musique([written(tmp_path / "dev.jsonl", entry | {"paragraphs": paragraphs})])
    assert one.gold == {TOWN}
    assert one.answers == ("Orden", "the town of Orden")


def test_questions_in_the_form_of_squad_share_all_passages(tmp_path: Path) -> None:
    def paragraph(context: str, *questions: str) -> dict[str, object]:
        return {
            "context": context,
            "qas": [{"id": one, "question": one, "answers": [{"text": "9"}]} for one in questions],
        }

    articles = [
        {"title": "梅雨", "paragraphs": [paragraph("梅雨 [SEP] 雨の多い時期。", "a", "b")]},
        {"title": "石油", "paragraphs": [paragraph("油田がある。", "c")]},
    ]
    found = list(squad([written(tmp_path / "dev.json", {"data": articles})]))
    rain, oil = Passage("梅雨", "雨の多い時期。"), Passage("石油", "油田がある。")
    assert [set(one.gold) for one in found] == [{rain}, {rain}, {oil}]
    assert all(one.passages == (rain, oil) for one in found)


def test_bm25_takes_as_many_as_it_is_told() -> None:
    assert by_words("Which town is there?", (RIVER, TOWN), 1) == [TOWN]
    assert by_words("Which town is there?", (RIVER, TOWN), 0) == []
