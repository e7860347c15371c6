"""All runs: open or delete them."""

from __future__ import annotations

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.frame import enter
from pages.parts.recent_runs import open_run
from pages.parts.run_nodes import DELETE_RUN, runs, title
from pages.parts.session import no_traceback
from pages.parts.ui import Ui
from research.errors import UsageError

_PAGE = 25
_DELETING, _NOTICE = "deleting", "notice"


def main() -> None:
    """Show the page."""
    reader = enter()
    if _NOTICE in st.session_state:
        st.toast(st.session_state.pop(_NOTICE), icon=":material/info:")
    st.title(reader._("Runs"), anchor=False)
    place = st.session_state.get("runs_page", 1)
    shown = engine().store.list(limit=_PAGE + 1, offset=(place - 1) * _PAGE)
    if not shown and place == 1:
        _empty(reader)
        return
    component.show(runs(shown[:_PAGE], reader), key="runs", language=reader.language, on_message=_heard)
    if place > 1 or len(shown) > _PAGE:
        st.pagination(place + (len(shown) > _PAGE), key="runs_page")
    if _DELETING in st.session_state:
        _confirm(reader, st.session_state[_DELETING])


def _empty(reader: Ui) -> None:
    with st.container(border=True, horizontal_alignment="center", gap="medium"):
        st.space("small")
        st.subheader(reader._("Nothing has been researched yet"), anchor=False, text_alignment="center")
        st.caption(reader._("Each run is kept here with its sources, quotes and report."), text_alignment="center")
        if st.button(reader._("New research"), icon=":material/edit_note:", type="primary"):
            st.switch_page("pages/new_research.py")
        st.space("small")


def _heard(message: str) -> None:
    open_run(message)
    if message.startswith(DELETE_RUN):
        st.session_state[_DELETING] = message.removeprefix(DELETE_RUN)


def _forget() -> None:
    st.session_state.pop(_DELETING, None)


def _confirm(reader: Ui, run_id: str) -> None:
    @st.dialog(reader._("Delete this run?"), on_dismiss=_forget)
    def dialog() -> None:
        with no_traceback(reader):
            _ask(reader, run_id)

    dialog()


def _ask(reader: Ui, run_id: str) -> None:
    st.text(title(engine().store.get(run_id).question))
    st.caption(reader._("Its report, sources and quotes are deleted for good."))
    with st.container(horizontal=True, horizontal_alignment="right"):
        cancelled = st.button(reader._("Cancel"))
        confirmed = st.button(reader._("Delete"), type="primary", icon=":material/delete:")
    if confirmed:
        try:
            engine().store.delete(run_id)
        except UsageError:
            st.session_state[_NOTICE] = reader._("The run is still under way, or was deleted already.")
    if confirmed or cancelled:
        _forget()
        st.rerun()


main()
