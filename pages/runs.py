"""All runs: search, open, name, repeat, compare, take along or delete them."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from pages.parts.engine import engine
from pages.parts.frame import enter, nothing_yet
from pages.parts.library.actions import (
    comparing_runs,
    handle_run_action,
    importing,
    show_run_dialog,
    show_run_notice,
)
from pages.parts.library.runs import RUNS_PAGE, Left, ask_runs, choosing, menus, runs
from pages.parts.nodes import show_nodes
from pages.parts.ui import Ui, paged, show_pagination
from research.core import ResearchError
from research.store import Excerpt, RunsFound, Wanted, excerpt, find

_PAGE = 25


def main() -> None:
    """Show the page."""
    reader = enter()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="page_head"):
        st.title(reader._("Runs"), anchor=False, width="content")
        importing(reader)
    show_run_notice()
    if not engine().store.list(limit=1):
        nothing_yet(
            reader._("Nothing has been researched yet"),
            reader._("Each run is kept here with its sources, quotes and report."),
            reader,
        )
        return
    _found(ask_runs(reader), reader)
    show_run_dialog(reader)


def _found(wanted: Wanted, reader: Ui) -> None:
    store, comparing = engine().store, comparing_runs()
    found = paged(lambda offset: find(store, wanted, limit=_PAGE, offset=offset), _PAGE, RUNS_PAGE)
    if comparing is not None:
        show_nodes(
            choosing(comparing, reader),
            key="runs_comparing_bar",
            language=reader.language,
            on_message=lambda message: handle_run_action(message, reader),
        )
    if not found.total:
        _none_found(reader)
        return
    st.caption(reader.n_("{count} run", "{count} runs", found.total))
    show_nodes(
        runs(
            found.runs,
            reader,
            excerpts=_excerpts(found, wanted),
            left=_left_behind(found),
            comparing=comparing,
            page=st.session_state.get(RUNS_PAGE, 1),
        ),
        key="runs",
        language=reader.language,
        cards=menus(found.runs, reader, comparing=comparing),
        on_message=lambda message: handle_run_action(message, reader),
    )
    show_pagination(found.total, _PAGE, RUNS_PAGE)


def _left_behind(found: RunsFound) -> dict[str, Left]:
    """Return what each run that has ended left behind."""
    left = {run.id: _left(run.id, run.finished_at) for run in found.runs if not run.state.is_open}
    return {run: one for run, one in left.items() if one is not None}


@st.cache_data(show_spinner=False, max_entries=1_000)
def _left(run_id: str, ended: datetime | None) -> Left | None:
    """Return what a run left behind that has `ended` then; one that broke off may go on, and end again."""
    try:
        record = engine().store.record(run_id)
    except ResearchError:
        return None
    return Left.of(record) if record else None


def _excerpts(found: RunsFound, wanted: Wanted) -> dict[str, Excerpt]:
    """Return for each run why it was found, where its name does not show it."""
    if not wanted.words.strip():
        return {}
    shown = {run.id: excerpt(engine().store, run, wanted.words) for run in found.runs}
    return {run: one for run, one in shown.items() if one is not None}


def _none_found(reader: Ui) -> None:
    with st.container(border=True, horizontal_alignment="center", gap="small"):
        st.space("small")
        st.header(reader._("No run is like that."), anchor=False, text_alignment="center")
        st.caption(
            reader._("Search for fewer or other words, or take back a filter with “Show all”."), text_alignment="center"
        )
        st.space("small")


main()
