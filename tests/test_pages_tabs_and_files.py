"""The tabs of a run that has ended, without a browser: the same ones for as long as the reader is on the page."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.report.downloads import Exports, MadeAhead, Wish, make
from research.core import UsageError
from research.export.document import Paper
from research.language import Language
from research.results import Report
from research.store import RunStore
from tests.support import sample_runs
from tests.support.reports import sales_report
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


# --- the download menu as the script draws it, and the books that it keeps of what is being made ---------------------


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
    work = threading.Thread(target=lambda: made.append(make(store, run, name, Wish(), exports)))
    work.start()
    work.join(30)
    store.close()
    assert len(made[0]) > 100
    assert exports.state() == ({}, {})


def test_a_run_that_broke_off_is_exported_too(tmp_path: Path) -> None:
    run = sample_runs.broken_off(tmp_path, Language.EN)
    store = RunStore(tmp_path)
    assert make(store, run, "html", Wish(), Exports()).startswith(b"<!doctype html>")
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
        make(store, "20200101-aaaaaa", "bib", Wish(), exports)
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


# --- files that are made ahead ---------------------------------------------------------------------------------------


@pytest.fixture
def report(tmp_path: Path) -> Report:
    return sales_report(tmp_path)


class Press:
    """Makes a file when it is let go, and remembers of what."""

    def __init__(self) -> None:
        self.made: list[tuple[str, Wish]] = []
        self.go = threading.Event()
        self.fails = False

    def __call__(self, report: Report, wish: Wish) -> bytes:
        assert self.go.wait(10)
        self.made.append((report.record.run, wish))
        if self.fails:
            raise ValueError("no ink")
        return f"{wish.paper} {report.markdown}".encode()


def test_a_file_that_is_being_made_is_waited_for_and_not_made_twice(report: Report) -> None:
    press = Press()
    ahead = MadeAhead(press)
    ahead.begin(lambda: report, Wish())
    with ThreadPoolExecutor() as readers:
        asked = [readers.submit(ahead.file, report, Wish()) for _ in range(3)]
        press.go.set()
        assert {one.result(10) for one in asked} == {f"a4 {report.markdown}".encode()}
    assert ahead.file(report, Wish()).startswith(b"a4")
    assert press.made == [(report.record.run, Wish())]


@pytest.mark.parametrize(
    "other",
    [
        lambda report: report.model_copy(update={"markdown": report.markdown + "\n## More"}),
        lambda report: report.model_copy(update={"history": (*report.history, report.history[0])}),
    ],
    ids=["text", "events"],
)
def test_a_report_that_has_grown_is_made_anew(report: Report, other: Callable[[Report], Report]) -> None:
    press = Press()
    press.go.set()
    ahead = MadeAhead(press)
    ahead.file(report, Wish())
    ahead.file(other(report), Wish())
    ahead.file(report, Wish(Paper.LETTER))
    ahead.file(report, Wish(with_trail=False))
    assert len(press.made) == 4


def test_what_could_not_be_made_is_told_to_who_asks_and_tried_again(report: Report) -> None:
    press = Press()
    press.go.set()
    press.fails = True
    ahead = MadeAhead(press)
    with pytest.raises(ValueError, match="no ink"):
        ahead.file(report, Wish())
    press.fails = False
    assert ahead.file(report, Wish())


# --- the tab of figures of a run that has ended, as the script draws it, without a browser ---------------------------


SALES = "sales in Vietnam (JPY) · 5 values"


@pytest.fixture
def figures(app: AppTest) -> AppTest:
    """The figures of a run whose two sources give one quantity."""
    app.run()
    run = sample_runs.sales(engine().store, Language.EN)
    app.query_params["id"] = run
    app.session_state[f"tabs_{run}_en"] = "Figures"
    return app.switch_page("pages/run.py").run()


def first_row(figures: AppTest) -> tuple[str, str]:
    """Period and unit of the first row of the table."""
    table = figures.dataframe[0].value
    return table["period"][0], table["unit"][0]


def test_the_table_says_periods_and_units_in_the_words_of_the_reader(figures: AppTest) -> None:
    assert list(figures.dataframe[0].value.columns)[:5] == ["label", "text", "period", "value", "unit"]
    assert first_row(figures) == ("FY2024", "JPY")
    figures.session_state["lang"] = "ja"
    figures.run()
    assert first_row(figures) == ("2024年度", "円")


def test_another_language_leaves_the_tab_open_and_what_was_typed(figures: AppTest) -> None:
    figures.text_input(key="figure_measure").set_value("sales")
    figures.run()
    assert [option.lower() for option in figures.selectbox(key="quantity").options] == [SALES.lower()]
    chosen = figures.selectbox(key="quantity").value
    figures.session_state["lang"] = "ja"
    figures.run()
    assert figures.text_input(key="figure_measure").value == "sales"
    assert figures.selectbox(key="quantity").value == chosen
    (said,) = figures.selectbox(key="quantity").options
    assert "（円）" in said and "値 5件" in said
    assert figures.session_state["quantity_said"] == said


def test_nothing_is_drawn_of_what_the_filter_leaves_out(figures: AppTest) -> None:
    figures.text_input(key="figure_measure").set_value("nothing of the kind")
    figures.run()
    assert not figures.exception
    assert not figures.selectbox


def two_quantities(cited: str = "E3") -> None:
    """Draw the chart of two quantities, of which the second is cited, or none."""
    from pages.parts.report.figures import show_figures_chart
    from pages.parts.ui import Ui
    from research.core import RunView
    from research.language import Language
    from research.quantities import FigureRow
    from research.verification import Point, Quantity

    found, rows = [], []
    for label, quotes in (("Imports", ("E1", "E2")), ("Exports", ("E3", "E4"))):
        points = [
            Point(period, 1.0, "1 t", "S1", quote, None) for period, quote in zip(("2024", "2025"), quotes, strict=True)
        ]
        found.append(Quantity("Japan", label, "t", None, tuple(points)))
        rows += [FigureRow("Japan", label, 1.0, "t", None, None, "1 t", "1 t", quote, "S1", None) for quote in quotes]
    show_figures_chart(found, rows, {cited}, RunView(), Ui.of(Language.EN, None))


def test_what_the_report_cites_comes_first() -> None:
    at = script(two_quantities).run()
    assert not at.exception
    assert [name.split(" · ")[0] for name in at.selectbox(key="quantity").options] == ["Exports (t)", "Imports (t)"]


def test_what_the_report_has_nothing_of_is_drawn_once_it_is_chosen() -> None:
    at = script(two_quantities, cited="E9").run()
    assert not at.exception
    assert at.selectbox(key="quantity").value is None and not at.get("plotly_chart")
    at.selectbox(key="quantity").select_index(0).run()
    assert at.get("plotly_chart")


def test_a_choice_that_is_no_longer_on_offer_gives_way_to_the_first() -> None:
    at = script(two_quantities)
    at.session_state["quantity"] = "gone"
    at.run()
    assert not at.exception
    assert str(at.selectbox(key="quantity").value).startswith("Japan\nExports")
