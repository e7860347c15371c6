"""The page of schedules, as the script draws it: what is kept, what is shown of it, and what is done with it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.schedules import GO_ON, PAUSE, RUN_NOW, heard, rhythm_in_words, schedule_rows
from pages.parts.ui import Ui
from research.core import Brief, SourceName
from research.language import Language
from research.store import RunState, Task, add_schedule, run_schedule, schedules
from tests.support.machine import wait_until
from tests.support.stored_runs import record
from tests.support.without_browser import script, shown

EN, JA = Ui.of(Language.EN, "Europe/London"), Ui.of(Language.JA, "Asia/Tokyo")
BRIEF = Brief(question="What of pumps?")


@pytest.fixture
def page(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The app on the page of schedules; workers, of which there are none here, carry them out."""
    monkeypatch.setenv("RESEARCH_WORKERS", "1")
    app.run()
    return app.switch_page("pages/schedules.py").run()


def scheduled(question: str = "What of pumps?") -> str:
    brief = BRIEF.model_copy(update={"question": question, "sources": (SourceName.HOUSE,)})
    return add_schedule(engine().store, "every monday 08:00", brief, Task(), zone="UTC", analyst="extractive").id


def field(page: AppTest, kind: str, name: str) -> object:
    return next(one for one in page.get(kind) if (one.key or "").startswith(f"schedule_{name}_"))


def test_the_first_schedule_is_made_of_a_template(page: AppTest) -> None:
    assert "Nothing is scheduled yet" in shown(page)
    assert "No worker is running" in shown(page)
    page.button(key="schedule_new").click().run()
    field(page, "button", "save").click().run()  # type: ignore[attr-defined]
    assert "Say what is to be asked first." in shown(page)
    field(page, "text_input", "subject").set_value("Asanagi").run()  # type: ignore[attr-defined]
    field(page, "selectbox", "often").set_value("weekday").run()  # type: ignore[attr-defined]
    field(page, "text_input", "tell").set_value("ann@example.com").run()  # type: ignore[attr-defined]
    field(page, "button", "save").click().run()  # type: ignore[attr-defined]
    assert "No e-mail can be sent" in shown(page)
    field(page, "text_input", "tell").set_value("https://hooks.example/T0/secret").run()  # type: ignore[attr-defined]
    field(page, "button", "save").click().run()  # type: ignore[attr-defined]
    (made,) = schedules(engine().store)
    assert made.tell == "https://hooks.example/T0/secret"
    (row,) = schedule_rows([made], EN)
    assert "Tells hooks.example" in row.text() and "secret" not in row.text()
    assert (made.rhythm, made.zone, made.analyst) == ("every weekday 08:00", "Europe/London", "extractive")
    assert "Asanagi" in made.brief.question
    assert "Nothing is scheduled yet" not in shown(page.run())


@pytest.mark.parametrize("analyst", ["extractive", "chat"])
def test_a_run_is_asked_again_with_its_own_brief_by_whoever_did_it(page: AppTest, analyst: str) -> None:
    run = engine().store.create(BRIEF, analyst)
    engine().store.finish(run, record(run), "# Pumps")
    page.query_params["run"] = run
    page.run()
    assert field(page, "selectbox", "run").value == run  # type: ignore[attr-defined]
    field(page, "button", "save").click().run()  # type: ignore[attr-defined]
    if analyst == "extractive":
        assert [one.brief for one in schedules(engine().store)] == [BRIEF]
    else:
        assert "The chat analyst needs a model" in shown(page)


def test_each_shows_its_times_and_the_runs_that_came_of_it(page: AppTest) -> None:
    store, schedule = engine().store, scheduled()
    (before,) = schedule_rows(schedules(store), EN)
    assert "Every Monday at 08:00 (UTC)" in before.text()
    assert "No run came of it yet." in before.text()
    run = run_schedule(store, schedule)
    (after,) = schedule_rows(schedules(store), EN)
    assert [link.attributes["href"] for link in after.find("came")[0].find("textual")] == [f"./run?id={run}"]
    heard(f"{PAUSE}{schedule}", EN)
    assert "Paused" in schedule_rows(schedules(store), EN)[0].text()
    heard(f"{GO_ON}{schedule}", EN)
    assert schedules(store)[0].due > datetime.now(UTC)  # type: ignore[operator]


def test_before_it_is_forgotten_that_is_asked(page: AppTest) -> None:
    schedule = scheduled()
    page.session_state["schedule_asked"] = schedule
    page.run()
    assert page.button(key="confirm_act").label == "Delete"
    assert [one.id for one in schedules(engine().store)] == [schedule]


def _runs_now() -> None:
    import streamlit as st

    from pages.parts.schedules import heard
    from pages.parts.ui import ui

    heard(st.session_state["message"], ui())


@pytest.mark.usefixtures("app_home")
def test_what_is_gone_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for act in (RUN_NOW, PAUSE, GO_ON):
        at = script(_runs_now)
        at.session_state["message"] = f"{act}none"
        at.run()
        assert at.session_state["runs_notice"] == "This schedule is not there any more."


def test_without_workers_the_page_itself_carries_out_what_is_due(app: AppTest) -> None:
    app.run()
    store = engine().store
    scheduled("How long is the warranty of the AN-300?")
    with store.database.writing() as connection:
        connection.execute("UPDATE schedules SET due = 0")
    app.switch_page("pages/schedules.py").run()
    assert not app.exception
    wait_until(lambda: [run.state for run in store.list()] == [RunState.COMPLETE])


@pytest.mark.parametrize(
    ("rhythm", "en", "ja"),
    [
        ("every day 8:00", "Every day at 08:00", "毎日 8:00"),
        ("every weekday 23:59", "Monday to Friday at 23:59", "平日（月〜金） 23:59"),
        ("every sunday 0:30", "Every Sunday at 00:30", "毎週日曜日 0:30"),
        ("every month on 2 7:30", "On day 2 of every month at 07:30", "毎月2日 7:30"),
        ("every month on 31 7:30", "On the last day of every month at 07:30", "毎月末日 7:30"),
    ],
)
def test_a_rhythm_is_said_in_words(rhythm: str, en: str, ja: str) -> None:
    assert rhythm_in_words(rhythm, "Europe/London", EN) == en
    assert rhythm_in_words(rhythm, "Asia/Tokyo", JA) == ja
    assert rhythm_in_words(rhythm, "Asia/Tokyo", EN) == f"{en} (Asia/Tokyo)"
