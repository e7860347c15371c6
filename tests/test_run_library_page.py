"""The page of the library, as the script draws it: what is shown, what is done, and what is said if it cannot be."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.library.actions import ASKED, AskedOfRun
from pages.parts.library.runs import COMPARE_RUN, DELETE_RUN, EXPORT_RUN, LABEL_RUN, STAR_RUN, menus, runs
from pages.parts.nodes import Element, el
from pages.parts.ui import Ui
from research.language import Language
from research.store import Excerpt, MatchPlace, RunStore, export_run, label, star
from tests.support import sample_runs

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)


@pytest.fixture
def app(app: AppTest) -> AppTest:
    """The app on the page of the library."""
    app.run()
    app.switch_page("pages/runs.py")
    return app


def said(at: AppTest) -> str:
    assert not at.exception
    parts = [*at.caption, *at.warning, *at.error, *at.text, *at.subheader]
    return "\n".join(str(part.value) for part in parts)


def test_what_was_searched_for_is_counted_and_can_be_taken_back(app: AppTest) -> None:
    sample_runs.sales(engine().store, Language.EN)
    sample_runs.sales(engine().store, Language.JA)
    app.run()
    assert "2 runs" in said(app)
    app.text_input(key="runs_words").set_value("ベトナム").run()
    assert "1 run" in said(app)
    app.text_input(key="runs_words").set_value("nothing of the kind").run()
    assert "No run is like that." in said(app)
    app.button(key="runs_all").click().run()
    assert "2 runs" in said(app)
    assert app.text_input(key="runs_words").value == ""


def test_tags_are_offered_once_there_are_any(app: AppTest) -> None:
    run = sample_runs.sales(engine().store, Language.EN)
    app.run()
    assert not app.multiselect
    label(engine().store, run, title="", tags=["board"])
    app.run()
    app.multiselect(key="runs_tags").set_value(["board"]).run()
    assert "1 run" in said(app)
    label(engine().store, run, title="", tags=[])
    app.run()
    assert not app.exception
    assert not app.multiselect


def test_title_and_tags_are_given_in_a_dialog(app: AppTest) -> None:
    run = sample_runs.sales(engine().store, Language.EN)
    app.session_state[ASKED] = AskedOfRun(LABEL_RUN, run)
    app.run()
    next(box for box in app.text_input if box.label == "Title").set_value("For the board")
    app.button(key="runs_confirm").click().run()
    assert not app.exception
    assert engine().store.get(run).name == "For the board"
    assert ASKED not in app.session_state


@pytest.mark.parametrize("what", [LABEL_RUN, DELETE_RUN])
def test_a_busy_store_is_said_in_the_dialog_and_nothing_is_lost(app: AppTest, tmp_path: Path, what: str) -> None:
    run = sample_runs.sales(engine().store, Language.EN)
    st.cache_resource.clear()
    at_once = RunStore(tmp_path, wait_seconds=0.05)
    engine().store.database = at_once.database
    app.session_state[ASKED] = AskedOfRun(what, run)
    app.run()
    with sqlite3.connect(tmp_path / "runs.sqlite3", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        app.button(key="runs_confirm").click().run()
        other.execute("ROLLBACK")
    other.close()
    assert "This could not be saved, and nothing was changed." in said(app)
    assert "SELECT" not in said(app)
    assert engine().store.get(run).id == run


def test_an_export_is_offered_and_comes_back(app: AppTest, tmp_path: Path) -> None:
    run = sample_runs.sales(engine().store, Language.EN)
    app.session_state[ASKED] = AskedOfRun(EXPORT_RUN, run)
    app.run()
    assert "One file with everything" in said(app)
    file = export_run(engine().store, run)
    del app.session_state[ASKED]
    engine().store.delete(run)
    app.run()
    assert "Nothing has been researched yet" in said(app)
    app.file_uploader[0].upload("a.run.zip", file)
    app.run()
    assert engine().store.get(run).id == run
    app.file_uploader[0].upload("a.run.zip", file)
    app.run()
    assert "is in the library already" in said(app)
    app.file_uploader[0].upload("b.zip", b"nonsense")
    app.run()
    assert "The file is not an exported run." in said(app)


def test_a_dialog_for_a_run_that_is_gone_does_not_open(app: AppTest) -> None:
    sample_runs.sales(engine().store, Language.EN)
    app.session_state[ASKED] = AskedOfRun(LABEL_RUN, "20260101-aaaaaa")
    app.run()
    assert not app.exception
    assert ASKED not in app.session_state


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
    chosen = [find(menus([kept], EN, comparing=kept)[run], "compare_arrows")[0].text()]
    assert chosen == ["compare_arrowsDo not compare"]
