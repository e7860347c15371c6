"""The start page: templates, readers, the estimate, caps, and what is remembered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import streamlit as st
from pydantic import ValidationError
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.nodes import Element, el
from pages.parts.start.brief import (
    Unusable,
    brief_nodes as in_words,
    complaints_about,
    empty_values,
    estimate_nodes as shown,
    hint_nodes,
    load_brief,
    load_remembered,
    mode_nodes,
    remembered_place,
    save_remembered,
    sources_lacking,
    sources_searched,
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
from research.engine import PastRun, estimate
from research.language import Language
from research.settings import Settings, templates
from research.settings.templates import JOBS
from research.sources import provider
from tests.support.services import access
from tests.support.without_browser import whole_app

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)


def choose(app: AppTest, key: str) -> None:
    app.button_group(key="template_chosen").set_value(key).run()
    assert not app.exception


def type_subject(app: AppTest, text: str) -> None:
    app.text_input(key="template_subject").set_value(text).run()
    assert not app.exception


def load(app: AppTest, name: str, data: bytes) -> None:
    next(box for box in app.file_uploader if box.label == "A saved brief (JSON)").upload(name, data)
    app.run()
    assert not app.exception


def test_before_a_meeting_only_the_name_of_the_company_is_typed(app: AppTest) -> None:
    app.run()
    app.selectbox(key="brief_language").set_value("ja")
    app.multiselect(key="brief_sources").set_value(["house"])
    choose(app, "job:company")
    assert app.text_area(key="brief_question").value == "", "nothing is filled before something is typed"
    type_subject(app, "朝凪ポンプ工業")
    app.button(key="start").click().run()
    assert not app.error
    run = engine().store.list()[0]
    engine().runner.wait(run.id, 60)
    expected = JOBS[0].brief("朝凪ポンプ工業", Language.JA)
    assert run.brief == expected.model_copy(update={"sources": run.brief.sources})
    assert run.brief.sources == ("house",), "where to look is not the template's to say"


def test_another_template_takes_over_what_was_typed(app: AppTest) -> None:
    app.run()
    choose(app, "job:market")
    type_subject(app, "tea")
    choose(app, "job:technology")
    assert app.text_area(key="brief_question").value == JOBS[3].brief("tea", Language.EN).question
    assert app.selectbox(key="brief_scope").value == Scope.TECHNOLOGY


def test_who_reads_decides_length_tone_and_summary_at_once(app: AppTest) -> None:
    app.run()
    app.selectbox(key="brief_audience").set_value("executives").run()
    held = {name: app.selectbox(key=f"brief_{name}").value for name in ("length", "tone", "summary")}
    assert held == {"length": "short", "tone": "formal", "summary": "first"}
    app.selectbox(key="brief_length").set_value("page").run()
    assert app.selectbox(key="brief_length").value == "page", "it can be changed all the same"
    app.selectbox(key="brief_audience").set_value("").run()
    assert {app.selectbox(key=f"brief_{name}").value for name in held} == {""}


def test_every_dropdown_says_what_its_terms_change(app: AppTest) -> None:
    app.run()
    helps = {box.key: box.help for box in app.selectbox}
    assert "- **Market**: Look at the market" in helps["brief_scope"]
    assert "- **Executives**: for executives" in helps["brief_audience"]
    assert PRESETS[PresetName.SPEED].hint.en in helps["brief_preset"]
    assert all(helps.values())


def test_the_form_is_kept_as_a_template_and_asks_for_what_differs(app: AppTest, tmp_path: Path) -> None:
    app.run()
    choose(app, "job:company")
    type_subject(app, "Asanagi")
    app.selectbox(key="brief_length").set_value("long")
    app.text_input(key="template_name").set_value("Big *companies*")
    app.run()
    app.button(key="template_keep").click().run()
    assert [one.name for one in templates.load(tmp_path)] == ["Big *companies*"]
    next(button for button in app.button if button.label == "Clear").click().run()
    choose(app, "own:Big *companies*")
    type_subject(app, "Ebara")
    assert "about Ebara before" in app.text_area(key="brief_question").value
    assert app.selectbox(key="brief_length").value == Length.LONG
    app.button(key="template_delete_0").click().run()
    assert templates.load(tmp_path) == ()
    assert app.session_state["template_chosen"] is None


def test_a_template_needs_a_name(app: AppTest, tmp_path: Path) -> None:
    app.run()
    app.button(key="template_keep").click().run()
    assert app.error[0].value == "A template needs a name."
    assert templates.load(tmp_path) == ()


def test_a_template_comes_in_as_a_file(app: AppTest, tmp_path: Path) -> None:
    template = templates.make("Shared", Brief(question="Why tea?", scope=Scope.MARKET))
    app.run()
    load(app, "shared.json", template.to_json().encode())
    assert templates.load(tmp_path) == (template,)
    choose(app, "own:Shared")
    assert app.text_area(key="brief_question").value == "Why tea?"
    fields = json.loads(template.to_json())
    load(app, "newer.json", json.dumps(fields | {"version": 9}).encode())
    assert "newer version of the program" in app.error[0].value


def test_templates_that_cannot_be_read_are_said_and_the_rest_works(app: AppTest, tmp_path: Path) -> None:
    templates.kept.path(tmp_path).parent.mkdir(parents=True)
    templates.kept.path(tmp_path).write_bytes(b"nonsense")
    app.run()
    assert "cannot be read" in app.error[0].value
    assert len(app.error) == 1
    choose(app, "job:country")
    type_subject(app, "Vietnam")
    assert "Vietnam" in app.text_area(key="brief_question").value


def test_a_cap_joins_the_brief_and_nothing_is_none(app: AppTest) -> None:
    app.run()
    app.text_area(key="brief_question").set_value("What sales targets has Asanagi set?")
    app.multiselect(key="brief_sources").set_value(["house"])
    app.number_input(key="brief_max_cost_usd").set_value(0.75)
    app.number_input(key="brief_max_minutes").set_value(0.0)
    app.run()
    app.button(key="start").click().run()
    run = engine().store.list()[0]
    engine().runner.wait(run.id, 60)
    assert (run.brief.max_cost_usd, run.brief.max_minutes) == (0.75, None)


def test_the_form_keeps_caps_through_files() -> None:
    brief = Brief(question="Why?", max_cost_usd=0.25, max_minutes=12)
    assert to_brief(values_of_brief(brief)) == brief


def test_what_was_chosen_last_is_remembered_but_for_the_question(tmp_path: Path) -> None:
    path = remembered_place(tmp_path, "0" * 32)
    held = values_of_brief(
        Brief(
            question="Why tea?",
            note="Only this once.",
            exclusions=("Coffee",),
            preset=PresetName.SPEED,
            audience=Audience.EXECUTIVES,
            max_cost_usd=0.5,
            glossary={"SPU": "unit"},
        )
    )
    save_remembered(path, held)
    again = load_remembered(path, Language.JA)
    assert (again["question"], again["note"], again["exclusions"]) == ("", "", "")
    assert (again["preset"], again["audience"], again["max_cost_usd"]) == ("speed", "executives", 0.5)
    assert again["language"] == "en"
    assert again["glossary"] == "SPU = unit"
    assert "tea" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "kept", [b"", b"nonsense", b"[]", b'{"scope": "moon"}', b'{"exclusions": 3, "glossary": 7}', b'{"preset": null}']
)
def test_what_is_damaged_is_not_remembered(kept: bytes, tmp_path: Path) -> None:
    path = remembered_place(tmp_path, "0" * 32)
    path.parent.mkdir(parents=True)
    path.write_bytes(kept)
    assert load_remembered(path, Language.JA) in (
        empty_values(Language.JA),
        empty_values(Language.JA) | {"preset": "quality"},
    )


def test_the_estimate_is_said_in_a_line(tmp_path: Path) -> None:
    brief = Brief(question="Why?", preset=PresetName.SPEED)
    told = el("div", "", *shown(estimate(brief, PRESETS[PresetName.SPEED].models), 0, EN)).text()
    assert "about $0.0" in told
    assert told.count("about") == 2, "one figure for the time, one for the money"
    assert "At most" in told and "limits" in told
    free = el("div", "", *shown(estimate(brief, {}), 0, JA)).text()
    assert "無料" in free
    assert "秒" in free
    past = [PastRun(seconds, {}) for seconds in (40.0, 42.0, 44.0)]
    learned = el("div", "", *shown(estimate(brief, {}, past), len(past), EN)).text()
    assert "about 42 s" in learned and "last 3 runs" in learned
    minute = brief.model_copy(update={"max_minutes": 0.5})
    assert "ends early" in el("div", "", *shown(estimate(minute, {}, past), len(past), EN)).text()
    assert "ends early" not in learned
    unknown = el("div", "", *shown(estimate(brief, dict.fromkeys(Role, "mine")), 0, EN)).text()
    assert "price not known" in unknown
    assert "The price of mine is not known" in unknown


def test_whoever_has_sources_of_their_own_is_offered_no_samples(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    app.run()
    assert "samples" in app.session_state
    monkeypatch.setenv("TAVILY_BASE_URL", "http://127.0.0.1:9")
    st.cache_resource.clear()
    other = whole_app().run()
    assert not other.exception
    assert "samples" not in other.session_state


def options(app: AppTest) -> list[str]:
    return list(app.multiselect(key="brief_sources").options)


def test_servers_are_offered_once_they_are_connected(app: AppTest, tmp_path: Path) -> None:
    app.run()
    assert not any("MCP" in option for option in options(app))
    assert (
        "Web" in options(app)
        and "arXiv" in options(app)
        and "e-Stat (statistics of Japan) · not set up" in options(app)
    )
    (tmp_path / "mcp.json").write_text('[{"name": "crm", "url": "http://127.0.0.1:1/mcp", "search": "find"}]')
    app.run()
    assert "Connected servers (MCP)" in options(app)
    app.multiselect(key="brief_sources").set_value(["mcp"]).run()
    (tmp_path / "mcp.json").unlink()
    app.run()
    assert not app.exception and "Connected servers (MCP) · none connected" in options(app)
    assert any("No servers are connected" in caption.value for caption in app.caption)


@pytest.mark.parametrize(
    ("source", "said"),
    [("estat", "set ESTAT_KEY"), ("library", "add files on the start page"), ("mcp", "No servers are connected")],
)
def test_a_source_that_cannot_be_searched_says_what_to_do_and_nothing_starts(
    app: AppTest, source: str, said: str
) -> None:
    app.session_state["brief_sources"] = [source, "house"]
    app.run()
    app.text_area(key="brief_question").set_value("What of pumps?").run()
    app.button(key="start").click().run()
    assert [said in error.value for error in app.error] == [True]
    assert not engine().store.list()


def test_a_brief_searches_what_is_chosen_else_ones_own_else_the_samples(app: AppTest) -> None:
    app.run()
    lacks = sources_lacking(EN)
    assert {SourceName.LIBRARY, SourceName.MCP} <= set(lacks) and SourceName.WEB not in lacks
    samples = sources_searched((), lacks, EN)
    assert samples and all(provider(name).is_sample for name in samples), "the web is asked of who chooses it alone"
    assert sources_searched((SourceName.WEB,), lacks, EN) == (SourceName.WEB,)
    everything = sources_searched((), {}, EN)
    assert set(everything) >= {SourceName.LIBRARY, SourceName.MCP} and SourceName.FACTBOOK not in everything


# --- what the form holds, and the brief it makes ---------------------------------------------------------------------


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
    assert "Not specifiedScope, Period, Region, Sources, Audience" in english


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
    assert "Searches House documents (sample company) and The World Factbook (sample)." in told.text()
    assert "Rules write, in quotes alone. Nothing leaves this computer." in told.text()
    assert [button.attributes["data-send"] for button in told.find("textual")] == ["settings"]
    assert "Only search words leave" in el("div", "", *mode_nodes(keyless, FULL, (SourceName.WEB,), EN)).text()
    keyed = Settings(
        home="/nowhere",  # type: ignore[arg-type]
        services=access("http://127.0.0.1:1") | access("http://127.0.0.1:1", to="service_tavily"),
        models={Role.RESEARCH: "my-model"},
    )
    told = el("div", "", *mode_nodes(keyed, FULL, (SourceName.WEB,), EN))
    assert "my-model" in told.text()
    assert not told.find("textual"), "nothing is left to be entered"
