"""Runs that wait for a worker, as they are seen: in the list, on their page, and once they were stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.library.runs import runs
from pages.parts.nodes import el
from pages.parts.report.head import header
from pages.parts.ui import Ui
from research.core import Brief, RunView
from research.language import Language
from research.store import RunState, RunStore, Task, utc_now
from research.store.queue import claim, enter
from tests.support.without_browser import shown

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)
BRIEF = Brief(question="What of pumps?")


@pytest.mark.parametrize(("ui", "said"), [(EN, "Waiting for a worker"), (JA, "ワーカーを待っています")])
def test_head_and_list_say_that_a_run_waits(tmp_path: Path, ui: Ui, said: str) -> None:
    store = RunStore(tmp_path)
    enter(store, BRIEF, "extractive", Task())
    row = el("div", "", *runs(store.list(), ui))
    assert said in row.text()
    assert not row.find("spin")
    head = el("div", "", *header(RunView(), RunState.WAITING, utc_now(), ui))
    assert said in head.text()
    assert not head.find("bar"), "nothing is under way"
    store.close()


@pytest.fixture
def leaving(monkeypatch: pytest.MonkeyPatch, app: AppTest) -> AppTest:
    """The app where workers carry runs out."""
    monkeypatch.setenv("RESEARCH_WORKERS", "1")
    return app.run()


def test_a_run_started_on_the_page_waits_and_can_be_stopped(leaving: AppTest) -> None:
    leaving.text_area(key="brief_question").set_value(BRIEF.question)
    leaving.multiselect(key="brief_sources").set_value(["house"])
    leaving.button(key="start").click().run()
    (run,) = engine().store.list()
    assert (run.state, run.analyst) == (RunState.WAITING, "extractive")
    leaving.query_params["id"] = run.id
    leaving.switch_page("pages/run.py").run()
    assert not leaving.exception
    leaving.button(key="stop").click().run()
    assert engine().store.get(run.id).state is RunState.FAILED
    leaving.run()
    assert "This run brought no report." in shown(leaving)


def test_a_run_that_broke_off_too_often_says_so_and_can_be_asked_for_again(leaving: AppTest) -> None:
    store = engine().store
    run = enter(store, BRIEF, "extractive", Task())
    for _ in range(4):
        owner = store.owners.enter()
        claim(store, owner.name)
        owner.leave()
        store.settle()
    leaving.query_params["id"] = run
    leaving.switch_page("pages/run.py").run()
    assert "It broke off 4 times: no worker goes on with it by itself." in shown(leaving)
    leaving.button(key="resume").click().run()
    assert not leaving.exception
    assert store.get(run).state is RunState.WAITING
