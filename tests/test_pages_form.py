"""What the form holds, and the brief it makes."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from pages.parts.nodes import Element, el
from pages.parts.start.brief import (
    Unusable,
    brief_nodes as in_words,
    complaints_about,
    empty_values,
    hint_nodes,
    load_brief,
    mode_nodes,
    to_brief,
    values_of_brief,
)
from pages.parts.ui import Ui
from research.core import (
    PRESETS,
    Audience,
    Brief,
    Length,
    MethodName,
    OutputForm,
    PeriodChoice,
    PresetName,
    Region,
    Role,
    Scope,
    SourceName,
    Summary,
    Tone,
    compose,
)
from research.language import Language
from research.settings import Settings

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)

FULL = Brief(
    question="How large is the market?",
    scope=Scope.MARKET,
    period=PeriodChoice.YEAR,
    region=Region.ASEAN,
    sources=(SourceName.WEB, SourceName.HOUSE),
    preset=PresetName.FACT_STRICT,
    method=MethodName.OUTLINED,
    queries_per_section=2,
    iterations=5,
    language=Language.JA,
    audience=Audience.EXECUTIVES,
    form=OutputForm.MIX,
    length=Length.SHORT,
    summary=Summary.LAST,
    tone=Tone.PLAIN,
    exclusions=("History", "Patents"),
    preferred_sites=("stat.go.jp",),
    forbidden_sites=("example.com", "example.net"),
    glossary={"SPU": "Strategic Planning Unit", "KPI": "goal"},
    note="Be brief.",
)


def filled(**fields: object) -> dict[str, object]:
    return empty_values(Language.EN) | {"question": "Why?"} | fields


def test_a_brief_survives_the_form() -> None:
    assert to_brief(values_of_brief(FULL)) == FULL


def test_an_empty_form_with_a_question_leaves_everything_open() -> None:
    assert to_brief(filled()) == Brief(question="Why?")


def test_terms_may_be_written_in_japanese_manner() -> None:
    made = to_brief(filled(glossary="経企＝経営企画部\n\nSPU：Strategic Planning Unit\nQ1 = a = b"))
    assert made.glossary == {"経企": "経営企画部", "SPU": "Strategic Planning Unit", "Q1": "a = b"}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"question": "  \n "}, "Please write a question first."),
        ({"question": "x" * 4_812}, "The question is too long: 4,812 of 4,000 characters."),
        ({"glossary": "no sign here"}, "“House terms” needs one term a line"),
        ({"exclusions": "x" * 501}, "“Not to be researched” holds an entry that is too long."),
        ({"note": "x" * 8_001}, "“Your own words” holds an entry that is too long."),
        ({"scope": "nonsense"}, "“Scope” holds a value that cannot be used."),
        ({"method": "nonsense"}, "“Method” holds a value that cannot be used."),
        ({"iterations": 6}, "“Iterations” holds a value that cannot be used."),
    ],
)
def test_what_is_wrong_is_said_in_words(fields: dict[str, object], said: str) -> None:
    held = filled(**fields)
    with pytest.raises(ValidationError) as caught:
        to_brief(held)
    told = complaints_about(caught.value, held, EN)
    assert len(told) == 1
    assert said in told[0]
    assert complaints_about(caught.value, held, JA) != told


def test_a_saved_brief_is_loaded() -> None:
    assert load_brief(FULL.model_dump_json(exclude_defaults=True).encode(), EN) == FULL


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"%PDF-1.7 nonsense", "it is not JSON"),
        (b"\xff\xfe\x00", "it is not JSON"),
        (b"[1, 2]", "not a saved brief"),
        (json.dumps({"question": "Why?", "scope": "moon"}).encode(), "look at “Scope”"),
        (json.dumps({"question": "Why?", "method": "guess"}).encode(), "look at “Method”"),
        (json.dumps({"question": "Why?", "queries_per_section": 0}).encode(), "look at “Queries per section”"),
        (json.dumps({"question": "Why?", "color": "red"}).encode(), "look at “color”"),
        (json.dumps({"scope": "market"}).encode(), "look at “Question”"),
    ],
)
def test_a_file_that_holds_no_brief_is_refused_with_the_reason(data: bytes, said: str) -> None:
    loaded = load_brief(data, EN)
    assert isinstance(loaded, Unusable)
    assert said in loaded.reason


def test_the_brief_is_shown_in_the_language_of_the_report_and_names_what_is_open() -> None:
    japanese = el("div", "", *in_words(FULL)).text()
    assert "市場を見る" in japanese
    english = el("div", "", *in_words(Brief(question="Why?"))).text()
    assert "OpenScope, Period, Region, Sources, Audience" in english


def test_the_brief_is_followed_by_how_the_research_is_organised() -> None:
    chosen = el("div", "", *in_words(FULL)).text()
    assert "調査方法章立て型" in chosen
    assert "章ごとのクエリ数：2、反復回数：5" in chosen
    open_ = Brief(question="Why?", method=MethodName.OUTLINED, iterations=3)
    assert "queries per section: analyst decides; iterations: 3" in el("div", "", *in_words(open_)).text()
    by_preset = el("div", "", *in_words(Brief(question="Why?", preset=PresetName.SPEED, iterations=3))).text()
    assert f"Method{PRESETS[PresetName.SPEED].method.label.en}" in by_preset


def test_no_analyst_is_told_the_method() -> None:
    for method in MethodName:
        assert compose(Brief(question="Why?", method=method)) == compose(Brief(question="Why?"))


@pytest.mark.parametrize("method", list(MethodName))
def test_preset_and_method_are_explained_beside_their_fields(method: MethodName) -> None:
    preset = PRESETS[PresetName.INSIGHT]
    chosen = [(preset.label, preset.hint), (method.label, method.hint)]
    told = [line.text() for line in hint_nodes(chosen, JA)[0].children if isinstance(line, Element)]
    assert told == [f"{label.ja} {hint.ja}" for label, hint in chosen]


def test_what_does_the_work_is_said_plainly(tmp_path: object) -> None:
    keyless = Settings(home="/nowhere")  # type: ignore[arg-type]
    told = el("div", "", *mode_nodes(keyless, FULL, (SourceName.HOUSE, SourceName.FACTBOOK), EN))
    assert "No model is set up" in told.text()
    assert "House documents (sample company) and The World Factbook (sample). Nothing leaves" in told.text()
    assert [button.attributes["data-send"] for button in told.find("textual")] == ["settings"]
    assert "Only search words leave" in el("div", "", *mode_nodes(keyless, FULL, (SourceName.WEB,), EN)).text()
    keyed = Settings(
        home="/nowhere",  # type: ignore[arg-type]
        openai_base_url="http://127.0.0.1:1",
        tavily_base_url="http://127.0.0.1:1",
        models={Role.RESEARCH: "my-model"},
    )
    told = el("div", "", *mode_nodes(keyed, FULL, (SourceName.WEB,), EN))
    assert "my-model" in told.text()
    assert not told.find("textual"), "nothing is left to be entered"
