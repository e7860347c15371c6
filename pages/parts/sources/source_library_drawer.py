"""A drawer that shows a page as it was read, what is known of it, and the runs that use it."""

from __future__ import annotations

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.nodes import el
from pages.parts.recent_runs import open_run
from pages.parts.report.snapshot_nodes import AROUND, snapshot
from pages.parts.session import no_traceback
from pages.parts.sources.source_library_nodes import SHOW_SEEN, details, uses
from pages.parts.ui import Ui
from research.errors import UsageError
from research.runs import citing_sentences, pages_seen
from research.runs.pages_seen import SeenPage

_OPEN = "open_seen"


def hear(message: str) -> None:
    """Ask for the page that `message` names; the drawer opens when the page runs next."""
    number = message.removeprefix(SHOW_SEEN)
    if message.startswith(SHOW_SEEN) and number.isdecimal():
        st.session_state[_OPEN] = int(number)


def show(reader: Ui) -> None:
    """Show the drawer if a page was asked for."""
    number = st.session_state.get(_OPEN)
    if number is None:
        return

    @st.dialog(reader._("The page as it was read"), position="right", width=640, on_dismiss=_close)
    def drawer() -> None:
        with no_traceback(reader):
            page = pages_seen.page(engine().store, number)
            if page is None:
                st.info(reader._("This page is no longer stored."), icon=":material/inventory_2:")
            else:
                _draw(page, reader)

    drawer()


def _close() -> None:
    st.session_state.pop(_OPEN, None)


def _follow(message: str) -> None:
    _close()
    open_run(message)


def _draw(page: SeenPage, reader: Ui) -> None:
    text = _text(page)
    known = details(page, None if text is None else len(text), reader)
    shown = pages_seen.uses(engine().store, page.id)
    used = uses(page, shown, citing_sentences.citing(engine().store, shown), reader)
    heading = el("h3", "seen-heading", reader._("Text, with the quotes marked"))
    head = [*known, *used, *([] if text is None else [heading])]
    component.show(head, key="seen_head", language=reader.language, on_message=_follow)
    if text is None:
        st.warning(reader._("The text of this page is no longer stored."), icon=":material/inventory_2:")
        return
    whole = len(text) > 2 * AROUND and st.toggle(reader._("Show the whole page"), key="seen_whole")
    quotes = pages_seen.quotes(engine().store, page.id)
    component.show(
        snapshot(text, quotes, None, reader, whole=whole), key=f"seen_text_{page.id}", language=reader.language
    )


def _text(page: SeenPage) -> str | None:
    try:
        return engine().store.page_text(page.sha256)
    except UsageError:
        return None
