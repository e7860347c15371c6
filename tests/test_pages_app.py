"""The pages as the script draws them, without a browser."""

from __future__ import annotations

import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from research.core import FinishNow, Status, StopNow
from research.documents.readers import (
    READERS,
    read_filing,
    read_json,
    read_mail,
    read_markdown,
    read_pdf,
    read_picture,
    read_sheets,
    read_slides,
    read_table,
    read_text,
    read_transcript,
    read_webpage,
    read_word,
)
from research.language import Language
from research.store import RunState
from tests.support import sample_runs
from tests.support.without_browser import APP, script, shown


def test_the_first_page_asks_for_a_question(app: AppTest) -> None:
    app.run()
    assert app.title[0].value == "New research"
    assert [box.label for box in app.selectbox][:5] == ["Preset", "Scope", "Period", "Region", "Audience"]
    assert all(box.help for box in app.selectbox)
    app.button(key="start").click().run()
    assert app.error[0].value == "Please write a question first."


def test_what_was_typed_survives_another_page_and_another_language(app: AppTest) -> None:
    app.run()
    app.text_area(key="brief_question").set_value("Why tea?")
    app.selectbox(key="brief_scope").set_value("market")
    app.multiselect(key="brief_sources").set_value(["house"])
    app.text_area(key="brief_note").set_value("Be brief.")
    app.run()
    app.switch_page("pages/runs.py").run()
    assert app.title[0].value == "Runs"
    app.switch_page("pages/new_research.py").run()
    app.session_state["lang"] = "ja"
    app.run()
    assert app.title[0].value == "新しい調査"
    assert app.text_area(key="brief_question").value == "Why tea?"
    assert app.selectbox(key="brief_scope").value == "market"
    assert app.multiselect(key="brief_sources").value == ["house"]
    assert app.text_area(key="brief_note").value == "Be brief."


def test_the_language_of_the_report_follows_the_interface_until_it_is_chosen(app: AppTest) -> None:
    app.run()
    assert app.selectbox(key="brief_language").value == "en"
    app.session_state["lang"] = "ja"
    app.run()
    assert app.selectbox(key="brief_language").value == "ja"
    app.selectbox(key="brief_language").set_value("en").run()
    app.session_state["lang"] = "en"
    app.run()
    app.session_state["lang"] = "ja"
    app.run()
    assert app.selectbox(key="brief_language").value == "ja"


def test_a_run_starts_and_ends_with_a_report(app: AppTest) -> None:
    app.run()
    app.text_area(key="brief_question").set_value("What sales targets has Asanagi Pump Industries set?")
    app.multiselect(key="brief_sources").set_value(["house"])
    app.selectbox(key="brief_preset").set_value("speed")
    app.button(key="start").click().run()
    assert not app.error
    run = engine().store.list()[0]
    engine().runner.wait(run.id, 60)
    app.query_params["id"] = run.id
    app.run()
    assert next(tab.label for tab in app.tabs) == "Report"
    assert engine().store.get(run.id).state in (RunState.COMPLETE, RunState.PARTIAL)


@pytest.mark.parametrize("language", list(Language))
def test_a_run_under_way_can_be_told_to_finish_and_to_stop(app: AppTest, language: Language) -> None:
    app.session_state["lang"] = language.value
    app.run()
    run = sample_runs.researching(engine().store, language)
    app.query_params["id"] = run
    app.switch_page("pages/run.py").run()
    assert not app.exception
    app.button(key="finish_now").click().run()
    assert list(engine().store.steering(run).values()) == [FinishNow()]
    app.button(key="stop").click().run()
    assert list(engine().store.steering(run).values()) == [FinishNow(), StopNow()]


def test_the_page_turns_to_the_report_when_the_run_ends(app: AppTest) -> None:
    app.run()
    store = engine().store
    story = sample_runs.Story(store, Language.EN, "chat")
    story.research()
    app.query_params["id"] = story.run
    app.switch_page("pages/run.py").run()
    assert app.button(key="stop")
    story.conclude()
    story.write(len(story.draft))
    story.end(Status.COMPLETE)
    app.run()
    assert not app.exception
    assert [tab.label for tab in app.tabs] == [
        "Report", "Figures", "Contradictions (0)", "Sources (4)", "How it was done",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "said"),
    [("partial", "This report is incomplete"), ("broken", "This run broke off because the program ended.")],
)
def test_runs_that_did_not_end_well_say_so_and_stay_readable(
    app: AppTest, tmp_path: Path, kind: str, said: str
) -> None:
    app.run()
    if kind == "partial":
        run = sample_runs.ended(engine().store, Language.EN, status=Status.PARTIAL)
    else:
        run = sample_runs.broken_off(tmp_path, Language.EN)
    app.query_params["id"] = run
    app.switch_page("pages/run.py").run()
    assert said in shown(app)
    assert "Sources (4)" in [tab.label for tab in app.tabs]


def test_figures_are_made_only_for_those_who_look_at_them(app: AppTest) -> None:
    app.run()
    run = sample_runs.sales(engine().store, Language.EN)
    app.query_params["id"] = run
    app.switch_page("pages/run.py").run()
    assert not app.dataframe
    app.session_state[f"tabs_{run}_en"] = "Figures"
    app.run()
    assert list(app.dataframe[0].value["value"]) == [293e6, 391e6, 455e6, 320e6, 391e6]


def test_no_module_is_imported_anew_while_a_run_is_under_way() -> None:
    config = tomllib.loads((APP.parent / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["server"]["fileWatcherType"] == "none"
    assert config["client"]["disableDataExport"] is True


def test_an_unknown_run_is_said_to_be_unknown(app: AppTest) -> None:
    app.run()
    app.query_params["id"] = "no-such-run"
    app.switch_page("pages/run.py").run()
    assert "There is no such run." in shown(app)


def test_a_damaged_store_shows_a_sentence_and_no_traceback(app: AppTest, tmp_path: Path) -> None:
    app.run()
    sample_runs.ended(engine().store, Language.EN)
    engine().store.close()
    for file in tmp_path.glob("runs.sqlite3*"):
        file.unlink()
    (tmp_path / "runs.sqlite3").write_bytes(b"this is no database " * 500)
    app.switch_page("pages/runs.py").run()
    assert not app.exception
    assert "The file of the stored runs (runs.sqlite3) is damaged." in app.error[0].value


def test_a_store_that_is_too_new_or_damaged_is_named_and_left_alone(app: AppTest, tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
    app.run()
    assert "The stored runs were written by a newer version of this program." in app.error[0].value
    file.write_bytes(b"no store at all " * 4_096)
    app.run()
    assert "The file of the stored runs (runs.sqlite3) is damaged." in app.error[0].value
    assert file.read_bytes().startswith(b"no store at all")
    file.unlink()
    app.run()
    assert not app.exception and not app.error


def test_dropped_documents_join_the_library(app: AppTest, tmp_path: Path) -> None:
    app.run()
    uploads = next(box for box in app.file_uploader if box.label == "Add documents")
    uploads.upload("minutes.md", b"# Minutes\n\nThe board wants 20 million yen in sales by 2027.")
    uploads.upload("broken.pdf", b"%PDF-1.7 nonsense")
    app.run()
    assert not app.exception
    assert {path.name for path in (tmp_path / "documents").iterdir()} == {"minutes.md"}
    assert "My documents (1)" in [box.label for box in app.expander]


def test_the_field_for_documents_names_what_can_be_read(app: AppTest) -> None:
    app.run()
    told = next(caption.value for caption in app.caption if caption.value.startswith("These can be read:"))
    words = {
        read_markdown: "Markdown",
        read_pdf: "PDF",
        read_table: "CSV and TSV",
        read_text: "text",
        read_webpage: "web pages",
        read_word: "Word",
        read_sheets: "Excel",
        read_slides: "PowerPoint",
        read_json: "JSON",
        read_mail: "mail",
        read_transcript: "transcripts",
        read_filing: "filings",
        read_picture: "pictures",
    }
    assert [words[reader] for reader in READERS.values() if words[reader] not in told] == []


def test_a_saved_brief_fills_the_form_and_a_bad_file_is_refused(app: AppTest) -> None:
    app.run()
    loading = next(box for box in app.file_uploader if box.label == "A saved brief (JSON)")
    loading.upload("brief.json", b'{"question": "Why tea?", "scope": "market", "exclusions": ["Coffee"]}')
    app.run()
    assert app.text_area(key="brief_question").value == "Why tea?"
    assert app.selectbox(key="brief_scope").value == "market"
    assert app.text_area(key="brief_exclusions").value == "Coffee"
    loading = next(box for box in app.file_uploader if box.label == "A saved brief (JSON)")
    loading.upload("brief.json", b"nonsense")
    app.run()
    assert "it is not JSON" in app.error[0].value
    assert app.text_area(key="brief_question").value == "Why tea?"


def test_the_form_is_cleared(app: AppTest) -> None:
    app.run()
    app.text_area(key="brief_question").set_value("Why tea?")
    app.selectbox(key="brief_scope").set_value("market").run()
    next(button for button in app.button if button.label == "Clear").click().run()
    assert app.text_area(key="brief_question").value == ""
    assert app.selectbox(key="brief_scope").value == ""


def _leaving() -> None:
    import streamlit as st
    from streamlit.errors import StreamlitAPIException
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from pages.parts.ui import go_to

    @st.fragment(run_every=60)
    def ask() -> None:
        """Ask for news."""

    ask()
    context = get_script_run_ctx()
    (asking,) = context.shared.new_fragment_ids.snapshot()
    st.text(f"Before: {context.fragment_storage.contains(asking)}")
    try:
        go_to("pages/runs.py")
    except StreamlitAPIException:  # a script alone has no pages
        st.text(f"After: {context.fragment_storage.contains(asking)}")


def test_what_a_page_asks_for_by_itself_is_forgotten_as_it_is_left() -> None:
    assert [said.value for said in script(_leaving).run().text] == ["Before: True", "After: False"]
