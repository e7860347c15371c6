"""The menu of a finished run on its own page: what the library offers for a run, without the way there."""

from __future__ import annotations

import streamlit as st

from pages.parts.library import run_library_actions as actions
from pages.parts.library import run_library_dialogs
from pages.parts.library.run_nodes import (
    COMPARE_RUN,
    DELETE_RUN,
    EXPORT_RUN,
    LABEL_RUN,
    REPEAT_RUN,
    STAR_RUN,
    UNSTAR_RUN,
)
from pages.parts.ui import Ui
from research.runs.model import RunSummary


def show(run: RunSummary, reader: Ui) -> None:
    """Show the button that opens the menu, and do what is chosen in it."""
    entries = _entries(run, reader)
    chosen = st.menu_button(
        reader._("More actions"),
        list(entries),
        format_func=lambda message: entries[message],
        icon=":material/more_horiz:",
        key=f"run_menu_{run.id}",
    )
    if chosen:
        actions.hear(chosen + run.id, reader)
        if chosen == COMPARE_RUN:
            st.switch_page("pages/runs.py")
        st.rerun()


def dialogs(reader: Ui) -> None:
    """Show what the menu has opened, and what could not be done."""
    if actions.NOTICE in st.session_state:
        st.warning(st.session_state.pop(actions.NOTICE), icon=":material/info:")
    run_library_dialogs.show(reader)


def _entries(run: RunSummary, reader: Ui) -> dict[str, str]:
    """Return the name of each entry, by the message that stands for it."""
    star = (UNSTAR_RUN, reader._("Remove the star")) if run.starred else (STAR_RUN, reader._("Star"))
    comparing = actions.comparing()
    is_other = comparing is not None and comparing.id != run.id
    compare = reader._("Compare with the run chosen") if is_other else reader._("Compare with another run")
    return dict(
        (
            star,
            (LABEL_RUN, reader._("Title and tags")),
            (REPEAT_RUN, reader._("Run again")),
            (COMPARE_RUN, compare),
            (EXPORT_RUN, reader._("Export as a file")),
            (DELETE_RUN, reader._("Delete")),
        )
    )
