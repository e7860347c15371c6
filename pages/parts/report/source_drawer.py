"""A drawer that shows a page as it was read, with the quotes taken from it."""

from __future__ import annotations

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.live.live_view import LiveState
from pages.parts.live.run_state import current
from pages.parts.nodes import el, link
from pages.parts.report.report_nodes import facts
from pages.parts.report.snapshot_nodes import AROUND, Marked, snapshot
from pages.parts.report.source_messages import ALL, SHOW_PAGE, SHOW_QUOTE, Place, passage_asked_for
from pages.parts.session import no_traceback
from pages.parts.ui import Ui
from research.errors import ResearchError
from research.events import PageRead

_OPEN = "open_source"


def open_source(message: str) -> None:
    """Ask for the page or quote that `message` names; the drawer opens when the whole page runs next."""
    if message.startswith(ALL):
        st.session_state[_OPEN] = (st.query_params.get("id"), message)
        st.rerun()


def show(run_id: str, reader: Ui) -> None:
    """Show the drawer if a source of this run was asked for."""
    run, message = st.session_state.get(_OPEN, ("", ""))
    found = _wanted(current(run_id), message) if run == run_id else None
    if found is None:
        return
    page, focus = found

    @st.dialog(reader._("The page as it was read"), position="right", width=640, on_dismiss=_close)
    def drawer() -> None:
        with no_traceback(reader):
            _draw(run_id, page, focus, reader)

    drawer()


def _wanted(state: LiveState, message: str) -> tuple[PageRead, Marked | None] | None:
    focus: Marked | None = passage_asked_for(message)
    name = message.removeprefix(SHOW_PAGE)
    if message.startswith(SHOW_QUOTE):
        quote = state.evidence.get(message.removeprefix(SHOW_QUOTE))
        focus, name = quote, quote.source if quote else ""
    elif isinstance(focus, Place):
        name = focus.page
    page = state.pages.get(name)
    return None if page is None else (page, focus)


def _close() -> None:
    st.session_state.pop(_OPEN, None)


def _draw(run_id: str, page: PageRead, focus: Marked | None, reader: Ui) -> None:
    head = [el("p", "snapshot-title", link(page.url, page.title, "title")), facts(page, reader)]
    component.show(head, key="snapshot_head", language=reader.language)
    try:
        text = engine().store.page_text(page.sha256)
    except ResearchError:
        st.warning(reader._("The text of this page is no longer stored."), icon=":material/inventory_2:")
        return
    whole = len(text) > 2 * AROUND and st.toggle(reader._("Show the whole page"), key="whole_page")
    quotes = [quote for quote in current(run_id).evidence.values() if quote.source == page.page]
    component.show(
        snapshot(text, quotes, focus, reader, whole=whole), key=f"snapshot_{page.page}", language=reader.language
    )
