"""The download menu as the script draws it, and the books that it keeps of what is being made."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.report.downloads import Exports, make
from research.core import UsageError
from research.export import FORMATS, Paper
from research.language import Language
from research.store import RunStore
from tests.support import sample_runs


def test_the_menu_is_closed_at_first_and_draws_nothing(app: AppTest) -> None:
    app.run()
    run = sample_runs.sales(engine().store, Language.EN)
    app.switch_page("pages/run.py")
    app.query_params["id"] = run
    app.run()
    assert not app.exception
    assert not [button for button in app.get("download_button") if button.proto.label == "PDF"]


@pytest.mark.parametrize("name", ["html", "md", "csv", "bib"])
def test_a_format_is_made_on_any_thread(tmp_path: Path, name: str) -> None:
    store = RunStore(tmp_path)
    run = sample_runs.sales(store, Language.JA)
    exports, made = Exports(), list[bytes]()
    work = threading.Thread(target=lambda: made.append(make(store, run, name, Paper.A4, exports)))
    work.start()
    work.join(30)
    store.close()
    assert len(made[0]) > 100
    assert exports.state() == ({}, {})


def test_a_run_that_broke_off_is_exported_too(tmp_path: Path) -> None:
    run = sample_runs.broken_off(tmp_path, Language.EN)
    store = RunStore(tmp_path)
    assert make(store, run, "html", Paper.A4, Exports()).startswith(b"<!doctype html>")
    store.close()


def test_what_is_being_made_is_known_while_it_is_made() -> None:
    exports = Exports()
    with exports.making("pdf"):
        running, failed = exports.state()
        assert (list(running), failed) == (["pdf"], {})
    assert exports.state() == ({}, {})


def test_a_reason_is_kept_until_the_format_is_asked_for_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    exports, store = Exports(), RunStore(tmp_path)
    with caplog.at_level(logging.ERROR), pytest.raises(UsageError):
        make(store, "20200101-aaaaaa", "bib", Paper.A4, exports)
    store.close()
    assert exports.state() == ({}, {"bib": "There is no run 20200101-aaaaaa."})
    assert "could not be exported as bib" in caplog.text
    with exports.making("bib"):
        assert exports.failed == {}


def test_what_nobody_foresaw_is_logged_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    exports = Exports()
    with caplog.at_level(logging.ERROR), pytest.raises(ZeroDivisionError), exports.making("pdf"):
        _ = 1 / 0
    assert exports.failed == {"pdf": ""}
    assert "ZeroDivisionError" in caplog.text


def test_every_format_is_told_in_both_languages() -> None:
    for one in FORMATS.values():
        assert all(text.strip() for text in (*one.label, *one.hint))
    assert sum(one.has_text for one in FORMATS.values()) == 5
