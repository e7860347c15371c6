"""The page of the library, as the script draws it: what is shown, what is done, and what is said if it cannot be."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.library.actions import ASKED, AskedOfRun
from pages.parts.library.comparison import Compared, comparison, differences, side_names
from pages.parts.library.runs import COMPARE_RUN, DELETE_RUN, EXPORT_RUN, LABEL_RUN, STAR_RUN, menus, runs
from pages.parts.nodes import Element, el
from pages.parts.ui import Ui
from research.core import Brief, MethodName, PresetName
from research.engine import VariantOutcome
from research.language import Language
from research.results import FigureChange, FigureValue, Report, SourceEntry, difference
from research.results.difference import Figures
from research.store import Excerpt, MatchPlace, RunState, RunStore, RunSummary, export_run, label, load_report, star
from tests.support import sample_runs
from tests.support.reports import sales_report

EN, JA = Ui.of(Language.EN, "Europe/London"), Ui.of(Language.JA, "Asia/Tokyo")


@pytest.fixture
def library_app(app: AppTest) -> AppTest:
    """The app on the page of the library."""
    app.run()
    app.switch_page("pages/runs.py")
    return app


def said(at: AppTest) -> str:
    assert not at.exception
    parts = [*at.caption, *at.warning, *at.error, *at.text, *at.header]
    return "\n".join(str(part.value) for part in parts)


def test_what_was_searched_for_is_counted_and_can_be_taken_back(library_app: AppTest) -> None:
    sample_runs.sales(engine().store, Language.EN)
    sample_runs.sales(engine().store, Language.JA)
    library_app.run()
    assert "2 runs" in said(library_app)
    library_app.text_input(key="runs_words").set_value("ベトナム").run()
    assert "1 run" in said(library_app)
    library_app.text_input(key="runs_words").set_value("nothing of the kind").run()
    assert "No run is like that." in said(library_app)
    library_app.button(key="runs_all").click().run()
    assert "2 runs" in said(library_app)
    assert library_app.text_input(key="runs_words").value == ""


def test_tags_are_offered_once_there_are_any(library_app: AppTest) -> None:
    run = sample_runs.sales(engine().store, Language.EN)
    library_app.run()
    assert not library_app.multiselect
    label(engine().store, run, title="", tags=["board"])
    library_app.run()
    library_app.multiselect(key="runs_tags").set_value(["board"]).run()
    assert "1 run" in said(library_app)
    label(engine().store, run, title="", tags=[])
    library_app.run()
    assert not library_app.exception
    assert not library_app.multiselect


def test_title_and_tags_are_given_in_a_dialog(library_app: AppTest) -> None:
    run = sample_runs.sales(engine().store, Language.EN)
    library_app.session_state[ASKED] = AskedOfRun(LABEL_RUN, run)
    library_app.run()
    next(box for box in library_app.text_input if box.label == "Title").set_value("For the board")
    library_app.button(key="runs_check").click().run()
    assert not library_app.exception
    assert engine().store.get(run).name == "For the board"
    assert ASKED not in library_app.session_state


@pytest.mark.parametrize(("what", "button"), [(LABEL_RUN, "runs_check"), (DELETE_RUN, "runs_delete")])
def test_a_busy_store_is_said_in_the_dialog_and_nothing_is_lost(
    library_app: AppTest, tmp_path: Path, what: str, button: str
) -> None:
    run = sample_runs.sales(engine().store, Language.EN)
    st.cache_resource.clear()
    at_once = RunStore(tmp_path, wait_seconds=0.05)
    engine().store.database = at_once.database
    library_app.session_state[ASKED] = AskedOfRun(what, run)
    library_app.run()
    with sqlite3.connect(tmp_path / "runs.sqlite3", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        library_app.button(key=button).click().run()
        other.execute("ROLLBACK")
    other.close()
    assert "This could not be saved, and nothing was changed." in said(library_app)
    assert "SELECT" not in said(library_app)
    assert engine().store.get(run).id == run


def test_an_export_is_offered_and_comes_back(library_app: AppTest, tmp_path: Path) -> None:
    run = sample_runs.sales(engine().store, Language.EN)
    library_app.session_state[ASKED] = AskedOfRun(EXPORT_RUN, run)
    library_app.run()
    assert "One file with everything" in said(library_app)
    file = export_run(engine().store, run)
    del library_app.session_state[ASKED]
    engine().store.delete(run)
    library_app.run()
    assert "Nothing has been researched yet" in said(library_app)
    library_app.file_uploader[0].upload("a.run.zip", file)
    library_app.run()
    assert engine().store.get(run).id == run
    library_app.file_uploader[0].upload("a.run.zip", file)
    library_app.run()
    assert "is in the library already" in said(library_app)
    library_app.file_uploader[0].upload("b.zip", b"nonsense")
    library_app.run()
    assert "The file is not an exported run." in said(library_app)


def test_a_dialog_for_a_run_that_is_gone_does_not_open(library_app: AppTest) -> None:
    sample_runs.sales(engine().store, Language.EN)
    library_app.session_state[ASKED] = AskedOfRun(LABEL_RUN, "20260101-aaaaaa")
    library_app.run()
    assert not library_app.exception
    assert ASKED not in library_app.session_state


def find(tree: list[Element], kind: str) -> list[Element]:
    return el("div", "", *tree).find(kind)


def test_a_row_shows_name_question_tags_and_why_it_was_found(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    run = sample_runs.sales(store, Language.EN)
    label(store, run, title="For the board", tags=["asia"])
    star(store, run, True)
    kept = store.get(run)
    store.close()
    why = {run: Excerpt(MatchPlace.SOURCE, "An", "nual", " report")}
    tree = runs([replace(kept, follows="20260101-aaaaaa")], EN, excerpts=why)
    assert find(tree, "title")[0].text() == "For the board"
    assert find(tree, "question-line")[0].text() == kept.question
    assert [tag.text() for tag in find(tree, "tag")] == ["asia"]
    assert find(tree, "excerpt")[0].text() == "SourceAnnual report"
    assert find(tree, "star")[0].attributes["aria-pressed"] == "true"
    assert "What changed since last time" in find(tree, "labels")[0].text()
    assert find(runs([kept], EN), "star")[0].attributes["data-send"] != STAR_RUN + run
    assert not find(runs([kept], EN, comparing=kept), "offer")
    (offer,) = find(runs([kept], EN, comparing=replace(kept, id="20260101-aaaaaa")), "offer")
    assert offer.attributes["data-send"] == COMPARE_RUN + run
    for title, language in (("For the board", "en"), ("取締役会のための電力価格", "ja")):
        assert find(runs([replace(kept, title=title)], EN), "title")[0].attributes["lang"] == language
    chosen = [find(menus([kept], EN, comparing=kept)[run], "compare_arrows")[0].text()]
    assert chosen == ["compare_arrowsDo not compare"]


# --- runs side by side as elements -----------------------------------------------------------------------------------


def run(state: RunState, analyst: str = "extractive") -> RunSummary:
    at = datetime(2026, 6, 1, tzinfo=UTC)
    return RunSummary(
        id=f"20260601-{state[:6]}",
        question="What of sales?",
        brief=Brief(question="What of sales?"),
        analyst=analyst,
        state=state,
        created_at=at,
        finished_at=at,
        seconds=1.0,
        events=9,
        pages=2,
        evidence=3,
    )


def table(columns: list[Compared], ui: Ui = EN) -> Element:
    return el("div", "", *comparison(columns, ui))


def cells(element: Element) -> list[str]:
    inner = [child for child in element.children if isinstance(child, Element)]
    return [text for child in inner for text in ([child.text()] if child.tag == "td" else cells(child))]


def rows(element: Element) -> list[Element]:
    inner = [child for child in element.children if isinstance(child, Element)]
    found = [[child] if child.tag == "tr" and cells(child) else rows(child) for child in inner]
    return [row for part in found for row in part]


def test_a_run_that_broke_off_with_nothing_waits_for_nothing_and_one_under_way_shows_how_far_it_is() -> None:
    made = table([Compared(run(RunState.INTERRUPTED), None), Compared(run(RunState.RUNNING), None)])
    assert [remark.text() for remark in made.find("remark")] == ["It broke off before anything was found."]
    assert set(cells(made)[::2]) == {"–"}
    assert set(cells(made)[1::2]) == {"1 s …", "2 …", "…"}


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (RunState.INTERRUPTED, "It broke off. Counted is what it had found until then."),
        (RunState.PARTIAL, "Incomplete: its report says what is missing."),
        (RunState.FAILED, "No report: its page says what went wrong."),
    ],
)
def test_what_happened_stands_over_the_figures_of_a_run(tmp_path: Path, state: RunState, said: str) -> None:
    outcome = VariantOutcome.of(sales_report(tmp_path))
    made = table([Compared(run(state), outcome), Compared(run(RunState.COMPLETE), outcome)])
    assert [remark.text() for remark in made.find("remark")] == [said]
    assert "–" not in cells(made)


def test_models_are_measured_only_where_models_did_the_work(tmp_path: Path) -> None:
    outcome = VariantOutcome.of(sales_report(tmp_path))
    assert "Tokens" not in table([Compared(run(RunState.COMPLETE), outcome)]).text()
    assert "トークン" in table([Compared(run(RunState.COMPLETE, "chat"), outcome)], JA).text()


def test_two_runs_are_told_apart_by_name(tmp_path: Path) -> None:
    outcome = VariantOutcome.of(sales_report(tmp_path))
    names = side_names(JA, repeats=True)
    pair = [Compared(run(RunState.COMPLETE), outcome, name) for name in names]
    assert [name.text() for name in table(pair, JA).find("side-name")] == ["前回", "今回"]
    assert not table([Compared(run(RunState.COMPLETE), outcome)] * 3, JA).find("side-name")


def test_the_ways_that_were_chosen_stay_in_another_language(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/compare.py").run()
    methods = app.pills(key="compare_methods")
    assert methods.value == [MethodName.CHAINED, MethodName.SUPERVISED]
    methods.set_value([MethodName.NOTED]).run()
    app.pills(key="compare_presets").set_value([PresetName.SPEED]).run()
    app.session_state["lang"] = "ja"
    app.run()
    assert not app.exception
    assert app.pills(key="compare_methods").value == [MethodName.NOTED]
    assert app.pills(key="compare_presets").value == [PresetName.SPEED]
    assert app.pills(key="compare_methods").label == "調査方法"


def test_presets_that_are_chosen_are_the_runs_that_start(app: AppTest) -> None:
    app.run()
    app.switch_page("pages/compare.py").run()
    assert "2 runs start together." in _captions(app)
    presets = app.pills(key="compare_presets").set_value([PresetName.SPEED, PresetName.COST])
    presets.run()
    assert app.pills(key="compare_methods").value == []
    assert "2 runs start together." in _captions(app)
    assert "Speed · Chained and Low cost · Chained" in _captions(app)
    app.pills(key="compare_methods").set_value([MethodName.NOTED, MethodName.OUTLINED]).run()
    app.pills(key="compare_presets").set_value(list(PresetName)[:5]).run()
    assert app.pills(key="compare_methods").value == [MethodName.NOTED, MethodName.OUTLINED]
    assert "10 runs start together." in _captions(app)
    app.pills(key="compare_methods").set_value([]).run()
    app.pills(key="compare_presets").set_value([]).run()
    assert app.pills(key="compare_methods").value == [MethodName.CHAINED, MethodName.SUPERVISED]
    app.pills(key="compare_methods").set_value([MethodName.NOTED]).run()
    assert "two or more different methods or presets" in _captions(app)


def _captions(app: AppTest) -> str:
    return "\n".join(caption.value for caption in app.caption)


def _offered(app: AppTest) -> dict[str, str]:
    """The runs that are offered to be compared, by id."""
    boxes = [box for box in app.checkbox if str(box.key).startswith("compare_run_")]
    return {str(box.key).removeprefix("compare_run_"): box.label for box in boxes}


def test_runs_of_one_question_are_told_apart_and_stay_chosen_in_another_language(app: AppTest) -> None:
    app.run()
    made = [sample_runs.sales(engine().store, Language.EN) for _ in range(3)]
    app.switch_page("pages/compare.py").run()
    assert len(set(_offered(app).values())) == len(made)
    for run in made[:2]:
        app.checkbox(key=f"compare_run_{run}").check().run()
    app.session_state["lang"] = "ja"
    app.run()
    assert not app.exception
    assert [run for run in made if app.checkbox(key=f"compare_run_{run}").value] == made[:2]


def test_runs_that_are_chosen_stay_in_sight_while_others_are_searched_for(app: AppTest) -> None:
    app.run()
    store = engine().store
    oldest = sample_runs.ended(store, Language.EN)
    label(store, oldest, title="Zebra", tags=())
    for _ in range(12):
        sample_runs.sales(store, Language.EN)
    app.switch_page("pages/compare.py").run()
    assert len(_offered(app)) == 8 and oldest not in _offered(app)
    newest = next(iter(_offered(app)))
    app.checkbox(key=f"compare_run_{newest}").check().run()
    app.text_input(key="compare_words").set_value("zebra").run()
    assert list(_offered(app)) == [newest, oldest]
    app.checkbox(key=f"compare_run_{oldest}").check().run()
    assert not app.button(key="compare_past").disabled


# --- what differs between two runs, as elements ----------------------------------------------------------------------


@pytest.mark.parametrize("ui", [EN, JA], ids=str)
def test_the_difference_of_two_runs_is_counted_and_marked(tmp_path: Path, ui: Ui) -> None:
    store = RunStore(tmp_path)
    before = load_report(store, sample_runs.sales(store, ui.language))
    same = load_report(store, sample_runs.sales(store, ui.language))
    store.close()
    old, new = ("293", "391") if ui is EN else ("2億9,300万円", "3億9,100万円")
    sentences = [
        one.model_copy(update={"text": one.text.replace(old, new)}) for one in same.record.sentences
    ]  # fmt: skip
    after = same.model_copy(update={"record": same.record.model_copy(update={"sentences": tuple(sentences)})})
    tree = differences(difference(before, after), ui, since="yesterday")
    text = el("div", "", *tree).text()
    assert ui._("What changed since {moment}").format(moment="yesterday") in text
    assert ui._("{count} changed").format(count=1) in text
    (pair,) = find(tree, "pair")
    assert ui._("Last time") in pair.text()
    sides = [child for side in pair.children if isinstance(side, Element) for child in side.children]
    marks = [part for words in sides if isinstance(words, Element) for part in words.children]
    marked = [one.text() for one in marks if isinstance(one, Element) and one.tag == "mark"]
    assert "".join(marked).startswith(old[0])
    alike = el("div", "", *differences(difference(before, same), ui)).text()
    assert ui._("Time") not in alike
    longer = same.model_copy(update={"record": same.record.model_copy(update={"seconds": same.record.seconds + 60})})
    assert " → " in el("div", "", *differences(difference(before, longer), ui)).text()
    assert ui._("the same") in alike
    assert ui._("No figure, claim or source differs.") in alike
    assert ui._("No figure, claim or source differs.") not in text
    assert ui._("What differs") in alike


def read_again(before: Report) -> Report:
    """The same run when its first page had another text."""
    first, *rest = before.record.sources
    return with_sources(before, first.model_copy(update={"sha256": "0" * 64}), *rest)


def with_sources(report: Report, *sources: SourceEntry) -> Report:
    return report.model_copy(update={"record": report.record.model_copy(update={"sources": sources})})


@pytest.mark.parametrize(("ui", "said"), [(EN, "1 with another text"), (JA, "本文変更1件")], ids=str)
def test_a_page_that_says_something_else_now_is_counted(tmp_path: Path, ui: Ui, said: str) -> None:
    before = sales_report(tmp_path)
    (counted,) = find(differences(difference(before, read_again(before)), ui), "figures")
    assert said in counted.text()


@pytest.mark.parametrize(
    ("unit", "before", "after", "said"),
    [
        (None, 455.0, 470.0, ("+3.3%", "+3.3%")),
        (None, 470.0, 455.0, ("−3.2%", "−3.2%")),
        (None, 100_000.0, 100_020.0, ("+0.02%", "+0.02%")),
        (None, 2.0, 60.0, ("30 times as much", "30倍")),
        ("%", 12.5, 14.0, ("+1.5 points", "+1.5ポイント")),
        (None, 0.0, 5.0, ("", "")),
    ],
)
def test_a_figure_says_by_how_much_it_changed(
    unit: str | None, before: float, after: float, said: tuple[str, str], tmp_path: Path
) -> None:
    source = sales_report(tmp_path).record.sources[0]
    values = [(FigureValue(text=str(value), value=value, source=source),) for value in (before, after)]
    change = FigureChange(subject="", label="Sales", unit=unit, period=None, before=values[0], after=values[1])
    same = difference(sales_report(tmp_path), sales_report(tmp_path))
    found = same.model_copy(update={"figures": Figures(compared=1, changed=(change,))})
    assert tuple("".join(by.text() for by in find(differences(found, ui), "by")) for ui in (EN, JA)) == said
