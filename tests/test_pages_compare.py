"""Runs side by side as elements: what is measured, and what is said of a run that did not end as it should."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.library.comparison import Compared, comparison, side_names
from pages.parts.nodes import Element, el
from pages.parts.ui import Ui
from research.core import Brief, MethodName, PresetName
from research.engine import VariantOutcome
from research.language import Language
from research.store import RunState, RunSummary
from tests.support import sample_runs
from tests.support.reports import sales_report

EN, JA = Ui.of(Language.EN, "Europe/London"), Ui.of(Language.JA, "Asia/Tokyo")


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
    methods = app.multiselect(key="compare_methods")
    assert methods.value == [MethodName.CHAINED, MethodName.SUPERVISED]
    methods.set_value([MethodName.NOTED]).run()
    app.multiselect(key="compare_presets").set_value([PresetName.SPEED]).run()
    app.session_state["lang"] = "ja"
    app.run()
    assert not app.exception
    assert app.multiselect(key="compare_methods").value == [MethodName.NOTED]
    assert app.multiselect(key="compare_presets").value == [PresetName.SPEED]
    assert app.multiselect(key="compare_methods").label == "調査方法"


def test_runs_of_one_question_are_told_apart_and_stay_chosen_in_another_language(app: AppTest) -> None:
    app.run()
    made = [sample_runs.sales(engine().store, Language.EN) for _ in range(3)]
    app.switch_page("pages/compare.py").run()
    assert len(set(app.multiselect(key="compare_runs").options)) == len(made)
    app.multiselect(key="compare_runs").set_value(made[:2]).run()
    app.session_state["lang"] = "ja"
    app.run()
    assert not app.exception
    assert app.multiselect(key="compare_runs").value == made[:2]


def test_where_older_runs_are_chosen_is_said_once_there_are_more_than_are_offered(app: AppTest) -> None:
    app.run()
    store = engine().store
    for _ in range(98):
        store.create(Brief(question="What of sales?"), "extractive")
    for _ in range(2):
        sample_runs.sales(store, Language.EN)
    app.switch_page("pages/compare.py").run()
    assert app.multiselect(key="compare_runs")
    assert not any("Older ones" in one.value for one in app.caption)
    store.create(Brief(question="What of sales?"), "extractive")
    app.run()
    assert any("latest 100 runs. Older ones" in one.value for one in app.caption)
