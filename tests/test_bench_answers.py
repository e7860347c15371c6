"""The questions by which answers are measured, and how they are judged."""

import pytest

from bench.answers.questions import Fact, Question, lines_of, questions


def test_there_are_questions_in_both_languages_and_two_even_halves() -> None:
    asked = questions()
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
