"""Every page ever read: found by words and filters, and shown a few at a time."""

from __future__ import annotations

from datetime import date, datetime

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.session import no_traceback
from pages.parts.sources import source_library_drawer, source_library_filters
from pages.parts.sources.source_library_nodes import pages as rows
from pages.parts.ui import Ui
from research.runs import pages_seen, seen_index
from research.runs.pages_seen import FoundPages, WantedPages

_PAGE = 25
_LEFT = "seen_left"
"""How many runs are left, if that was counted just now."""


def show(reader: Ui) -> None:
    """Show the pages and what to search them by."""
    left = seen_index.catch_up(engine().store)
    if left:
        st.session_state[_LEFT] = left
        _take_in(reader)
    if not pages_seen.find(engine().store, WantedPages(), today=_today(reader), limit=0).total:
        _empty(reader)
        return
    wanted, counted = source_library_filters.choose(reader)
    found = _found(wanted, reader)
    counted.caption(reader.n_("{count} page", "{count} pages", found.total))
    if not found.total:
        _nothing(reader)
        return
    component.show(
        rows(found.pages, reader), key="seen_pages", language=reader.language, on_message=source_library_drawer.hear
    )
    if found.total > _PAGE:
        st.pagination(_parts(found.total), key=source_library_filters.PLACE, persist_state="session")


@st.fragment(run_every=4.0)
def _take_in(reader: Ui) -> None:
    """Take in the pages of runs that are not listed yet, a little at a time, and say how many are left."""
    with no_traceback(reader):
        left = st.session_state.pop(_LEFT, None) or seen_index.catch_up(engine().store)
        if not left:
            st.rerun()
        words = reader.n_(
            "The pages of {count} run are not listed yet.", "The pages of {count} runs are not listed yet.", left
        )
        st.info(words, icon=":material/hourglass_top:")


def _found(wanted: WantedPages, reader: Ui) -> FoundPages:
    """Return the part that is asked for; the last one, if there are fewer by now."""
    place = st.session_state.get(source_library_filters.PLACE, 1)
    found = _part(wanted, place, reader)
    if found.total and not found.pages:
        place = st.session_state[source_library_filters.PLACE] = _parts(found.total)
        found = _part(wanted, place, reader)
    return found


def _part(wanted: WantedPages, place: int, reader: Ui) -> FoundPages:
    offset = (place - 1) * _PAGE
    return pages_seen.find(engine().store, wanted, today=_today(reader), limit=_PAGE, offset=offset)


def _parts(total: int) -> int:
    return -(-total // _PAGE)


def _today(reader: Ui) -> date:
    return datetime.now(reader.timezone).date()


def _empty(reader: Ui) -> None:
    with st.container(border=True, horizontal_alignment="center", gap="medium"):
        st.space("small")
        st.subheader(reader._("No page has been read yet"), anchor=False, text_alignment="center")
        st.caption(
            reader._("Every page that research reads is kept here as it was, with where it is used."),
            text_alignment="center",
        )
        if st.button(reader._("New research"), icon=":material/edit_note:", type="primary"):
            st.switch_page("pages/new_research.py")
        st.space("small")


def _nothing(reader: Ui) -> None:
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown(reader._("No page fits."), text_alignment="center")
        st.button(
            reader._("Clear the filters"), icon=":material/filter_alt_off:", on_click=source_library_filters.clear
        )
