"""The brief: what it accepts, how it is saved, and how it reads."""

import pytest
from pydantic import ValidationError

from research.core import (
    PRESETS,
    Audience,
    Brief,
    Length,
    OutputForm,
    PeriodChoice,
    PresetName,
    Region,
    Role,
    Scope,
    SourceKind,
    SourceName,
    Summary,
    Tone,
    Vocabulary,
    compose,
)
from research.language import Language

VOCABULARIES: list[type[Vocabulary]] = [
    Audience, Length, OutputForm, PeriodChoice, Region, Scope, SourceKind, SourceName, Summary, Tone,
]  # fmt: skip


@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda v: v.__name__)
def test_every_term_has_words_and_a_label_in_both_languages(vocabulary: type[Vocabulary]) -> None:
    for term in vocabulary:
        assert all(term.label) and all(term.words), term
        assert vocabulary(term.value) is term
    assert len({term.label.ja for term in vocabulary}) == len(vocabulary)


def test_only_the_question_is_required_and_the_rest_is_said_to_be_open() -> None:
    text = compose(Brief(question="  How large is the pump market? "))
    assert text.startswith("Question: How large is the pump market?\n")
    assert "Period: open" in text and "Region: open" in text
    assert "Not to be researched" not in text


def test_brief_reads_in_the_language_of_the_report() -> None:
    brief = Brief(
        question="ポンプ市場の規模は？",
        language=Language.JA,
        period=PeriodChoice.YEAR,
        exclusions=("家庭用", "中古"),
        glossary={"BU": "事業部"},
    )
    text = compose(brief)
    assert "期間：過去1年の情報" in text
    assert "地域：指定なし" in text
    assert "調査しないこと：家庭用、中古" in text
    assert "社内用語：BU＝事業部" in text


def test_what_the_analyst_sets_goes_before_the_preset() -> None:
    by_preset = compose(Brief(question="Q", preset=PresetName.SPEED))
    by_hand = compose(Brief(question="Q", preset=PresetName.SPEED, length=Length.LONG))
    assert Length.PAGE.words.en in by_preset
    assert Length.LONG.words.en in by_hand and Length.PAGE.words.en not in by_hand


@pytest.mark.parametrize("question", ["", "   ", "x" * 4_001])
def test_empty_and_endless_questions_are_refused(question: str) -> None:
    with pytest.raises(ValidationError):
        Brief(question=question)


def test_sites_are_reduced_to_their_domains() -> None:
    brief = Brief(question="Q", forbidden_sites=("https://www.Example.com/path", "example.com", "news.example.org"))
    assert brief.forbidden_sites == ("example.com", "news.example.org")


def test_every_preset_names_a_model_for_each_role_and_limits_each_loop() -> None:
    assert set(PRESETS) == set(PresetName)
    for preset in PRESETS.values():
        assert set(preset.models) == set(Role)
        limits = preset.limits
        assert limits.supervisor_turns >= 3 and limits.researcher_turns > limits.searches >= 1
        assert limits.concurrent_researchers <= limits.researchers
