"""The tabs of a run that has ended, without a browser: the same ones for as long as the reader is on the page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.support.without_browser import script


def some_tabs() -> None:
    """Draw the tabs that the session asks for."""
    import streamlit as st

    from pages.parts.report.finished import run_tabs as tabs
    from pages.parts.ui import Ui
    from research.language import Language

    session = st.session_state
    if session["names"]:
        shown = tabs(session["run"], session["names"], 0, Ui.of(Language(session["language"]), None))
        session["open"] = [tab.open for tab in shown].index(True)


@pytest.fixture
def at() -> AppTest:
    made = script(some_tabs)
    made.session_state["run"], made.session_state["language"] = "r1", "en"
    made.session_state["names"] = ["Report", "Sources (3)", "Notes (1)"]
    return made.run()


def labels(at: AppTest) -> list[str]:
    assert not at.exception
    return [tab.label for tab in at.tabs]


def test_names_stay_while_the_page_is_open(at: AppTest) -> None:
    """Other names would be other tabs: the reader's place in the text would be lost."""
    at.session_state["names"] = ["Report", "Sources (7)", "Notes (1)"]
    assert "Sources (3)" in labels(at.run())
    at.session_state["names"] = []
    at.run()
    at.session_state["names"] = ["Report", "Sources (7)", "Notes (1)"]
    assert "Sources (7)" in labels(at.run())


def test_a_tab_that_has_gone_is_gone_at_once(at: AppTest) -> None:
    at.session_state["names"] = ["Report", "Sources (3)"]
    assert labels(at.run()) == ["Report", "Sources (3)"]


def test_in_another_language_the_same_tab_is_open(at: AppTest) -> None:
    at.session_state["tabs_r1_en"] = "Notes (1)"
    at.run()
    at.session_state["language"], at.session_state["names"] = "ja", ["レポート", "情報源（3件）", "調査ノート（1件）"]
    at.run()
    assert at.session_state["open"] == 2
    at.session_state["run"] = "r2"
    at.run()
    assert at.session_state["open"] == 0
