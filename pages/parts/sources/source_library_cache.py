"""The cache of summaries and the stored pages: what they hold, what was saved, and clearing them."""

from __future__ import annotations

import logging
from collections.abc import Callable

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.recent_runs import open_run
from pages.parts.session import no_traceback
from pages.parts.sources import source_library_cache_nodes as nodes
from pages.parts.ui import Ui
from research.cache import CacheContent
from research.errors import StoreError
from research.runs import pages_kept, savings, seen_index

_log = logging.getLogger("workbench")

_PAGE = 10
_PLACE = "saved_place"
_NOTICE = "cache_notice"


def show(reader: Ui) -> None:
    """Show the three: the cache, what it saved, the stored pages."""
    if _NOTICE in st.session_state:
        st.toast(st.session_state.pop(_NOTICE), icon=":material/info:")
    seen_index.catch_up(engine().store)
    left, right = st.columns(2)
    with left, st.container(border=True, height="stretch", key="cache_held"):
        _cache(reader)
    with right, st.container(border=True, height="stretch", key="cache_pages"):
        _pages(reader)
    with st.container(border=True, key="cache_saved"):
        _saved(reader)


def _cache(reader: Ui) -> None:
    st.subheader(reader._("Summaries"), anchor=False)
    st.caption(
        reader._(
            "What a model has said of a page is kept. The same question to the same page and model is never paid for "
            "twice, whichever run asks."
        )
    )
    held = _held()
    component.show(nodes.content(held, reader), key="cache_content", language=reader.language)
    if held is None:
        st.warning(
            reader._("The cache cannot be read now. Research goes on without it, and pays for each summary."),
            icon=":material/warning:",
        )
    elif st.button(reader._("Clear the cache"), icon=":material/mop:", disabled=not held.summaries, key="cache_clear"):
        _confirm(
            reader._("Clear the cache?"),
            reader._("The next runs pay for their summaries again. Runs, reports and stored pages stay as they are."),
            reader._("Clear the cache"),
            lambda: _clear(reader),
            reader,
        )


def _held() -> CacheContent | None:
    try:
        return engine().runner.summaries.content()
    except StoreError as error:
        _log.warning("%s", error)
        return None


def _pages(reader: Ui) -> None:
    st.subheader(reader._("Stored pages"), anchor=False)
    st.caption(
        reader._(
            "Each page is stored as it was read, once for all runs, so that every quote can be checked. With the last "
            "run that has read it, it is deleted."
        )
    )
    kept = pages_kept.kept(engine().store)
    component.show(nodes.stored(kept, reader), key="pages_kept", language=reader.language)
    unused = pages_kept.unused(engine().store)
    words = reader.n_("{count} page that no run uses any more", "{count} pages that no run uses any more", unused.pages)
    label = reader._("Remove unused pages")
    if kept.pages and not unused.pages:
        used = reader._("Every stored page is used by a run.")
        st.caption(f":material/check: {used}")
    elif unused.pages and st.button(label, icon=":material/delete_sweep:", key="pages_remove", help=words):
        _confirm(label, f"{words} · {reader.size(unused.bytes)}", reader._("Remove"), lambda: _remove(reader), reader)


def _saved(reader: Ui) -> None:
    st.subheader(reader._("What the cache saved"), anchor=False)
    total = savings.savings(engine().store)
    if not total.calls:
        st.caption(reader._("Nothing yet. As soon as a run meets a page that was summarised before, it shows here."))
        return
    component.show(nodes.saved(total, reader), key="saved_total", language=reader.language)
    st.caption(
        reader._(
            "Counted over all runs that have ended. A call that was not made counts what the summaries of the same run "
            "cost on average, or what they cost with the same model."
        )
    )
    parts = -(-total.runs // _PAGE)
    place = min(st.session_state.get(_PLACE, 1), parts)
    runs = savings.savings_by_run(engine().store, limit=_PAGE, offset=(place - 1) * _PAGE)
    component.show(nodes.by_run(runs, reader), key="saved_runs", language=reader.language, on_message=open_run)
    if parts > 1:
        st.session_state[_PLACE] = place
        st.pagination(parts, key=_PLACE, persist_state="session")


def _confirm(title: str, words: str, label: str, act: Callable[[], str], reader: Ui) -> None:
    """Ask before something is thrown away; `act` does it and returns what to say of it, `label` is its button."""

    @st.dialog(title)
    def dialog() -> None:
        with no_traceback(reader):
            st.write(words)
            with st.container(horizontal=True, horizontal_alignment="right"):
                cancelled = st.button(reader._("Cancel"), key="cache_cancel")
                confirmed = st.button(label, type="primary", icon=":material/delete:", key="cache_confirm")
            if confirmed:
                st.session_state[_NOTICE] = act()
            if confirmed or cancelled:
                st.rerun()

    dialog()


def _clear(reader: Ui) -> str:
    try:
        count = engine().runner.summaries.clear()
    except StoreError as error:
        _log.warning("%s", error)
        return reader._("The cache is in use and could not be cleared, or not all of it. Try again in a moment.")
    return reader.n_("{count} summary removed.", "{count} summaries removed.", count)


def _remove(reader: Ui) -> str:
    try:
        count = pages_kept.remove_unused(engine().store)
    except StoreError as error:
        _log.warning("%s", error)
        return reader._("The store is in use and nothing was removed. Try again in a moment.")
    return reader.n_("{count} page removed.", "{count} pages removed.", count)
