"""One collection of documents: how it stands, indexing it with visible progress, and removing it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.session import no_traceback
from pages.parts.sources import source_library_documents_nodes as nodes
from pages.parts.sources.source_library_jobs import jobs
from pages.parts.ui import Ui
from research.errors import StoreError
from research.library.state import LibraryState, forget, library_state

_log = logging.getLogger("workbench")

FOLDER = "folder_"
"""Begin of the keys of folders that are not the workbench's own."""

_NOTICE = "collection_notice"


@dataclass(frozen=True)
class Collection:
    """A collection of documents."""

    key: str
    title: str
    purpose: str
    symbol: str
    folder: Path | None
    prepare: Callable[[], Path] | None
    """Returns the folder, written if need be."""
    remove: Callable[[], None] | None
    """Removes what can be made again; may raise `StoreError`."""
    missing: str = ""
    """Why it cannot be used, if it cannot."""
    empty: str = ""
    """What it means that it holds no file, if there is more to say."""


def index_home() -> Path:
    """Return where indexes are kept."""
    return engine().settings.home / "library"


def notice() -> None:
    """Say what was done to a collection just now."""
    if _NOTICE in st.session_state:
        st.toast(st.session_state.pop(_NOTICE), icon=":material/info:")


def show(one: Collection, reader: Ui) -> None:
    """Show a collection as a card."""
    with frame(one):
        fill(one, reader)


def frame(one: Collection) -> DeltaGenerator:
    """Return the empty card of a collection, for one that holds more than `fill` draws."""
    return st.container(border=True, key=f"collection_{one.key}")


def fill(one: Collection, reader: Ui) -> None:
    """Draw in a card how a collection stands, and what can be done with it."""
    state = _state(one)
    tree = nodes.head(one.title, one.purpose, one.symbol, state, reader, missing=one.missing, empty=one.empty)
    component.show(tree, key=f"collection_head_{one.key}", language=reader.language)
    if jobs().is_running(one.key):
        _progress(one, reader)
    else:
        _buttons(one, state, reader)
    job = jobs().get(one.key)
    if job is not None and job.failed:
        st.error(
            reader._("It could not be indexed. Check that the folder can be read; the reason is in the log."),
            icon=":material/error:",
        )
    if state is not None and state.skipped:
        _left_out(one, state, reader)


def _left_out(one: Collection, state: LibraryState, reader: Ui) -> None:
    with st.expander(
        reader.n_("{count} file left out", "{count} files left out", len(state.skipped)),
        icon=":material/warning:",
        key=f"collection_skipped_{one.key}",
    ):
        rows = nodes.skipped(state, reader)
        component.show(rows, key=f"collection_rows_{one.key}", language=reader.language)


def _state(one: Collection) -> LibraryState | None:
    if one.folder is None:
        return None
    try:
        return library_state(one.folder, index_home())
    except StoreError as error:
        _log.warning("%s", error)
        return None


@st.fragment(run_every=0.5)
def _progress(one: Collection, reader: Ui) -> None:
    """Show how far the indexing is; when it is over, the whole page is drawn anew."""
    with no_traceback(reader):
        job = jobs().get(one.key)
        if job is None or job.is_over:
            st.rerun()
        elif job.total:
            words = reader._("Indexing: {done} of {total} files")
            words = words.format(done=reader.number(job.done), total=reader.number(job.total))
            st.progress(min(job.done / job.total, 1.0), words)
        else:
            st.progress(0.0, reader._("Preparing"))


def _buttons(one: Collection, state: LibraryState | None, reader: Ui) -> None:
    if state is None or one.prepare is None or not (state.files or one.remove):
        return
    is_fresh = state.indexed_at is not None and not state.waiting
    can_index = state.exists or state.indexed_at is None
    with st.container(horizontal=True):
        st.button(
            reader._("Index anew") if is_fresh else reader._("Index now"),
            icon=":material/sync:",
            key=f"collection_index_{one.key}",
            disabled=not can_index,
            on_click=_start,
            args=(one, is_fresh),
            help=reader._("Reads all files again.") if is_fresh else reader._("Reads new and changed files."),
        )
        removable = one.remove is not None and state.indexed_at is not None
        if removable and st.button(
            reader._("Remove"), icon=":material/delete:", key=f"collection_remove_{one.key}", type="tertiary"
        ):
            _confirm(one, reader)


def _start(one: Collection, is_fresh: bool) -> None:
    if one.prepare is None or one.folder is None:
        return
    if is_fresh:
        try:
            forget(one.folder, index_home())
        except StoreError as error:
            _log.warning("%s", error)
    jobs().start(one.key, one.prepare, index_home())


def _confirm(one: Collection, reader: Ui) -> None:
    """Ask before a collection is removed."""

    @st.dialog(reader._("Remove this collection?"))
    def dialog() -> None:
        with no_traceback(reader):
            st.text(one.title)
            st.caption(_consequence(one, reader))
            with st.container(horizontal=True, horizontal_alignment="right"):
                cancelled = st.button(reader._("Cancel"), key="collection_keep")
                confirmed = st.button(
                    reader._("Remove"), type="primary", icon=":material/delete:", key="collection_gone"
                )
            if confirmed:
                with st.spinner(reader._("Removing")):
                    st.session_state[_NOTICE] = _removed(one, reader)
            if confirmed or cancelled:
                st.rerun()

    dialog()


def _consequence(one: Collection, reader: Ui) -> str:
    if one.key.startswith(FOLDER):
        return reader._("Only its index is removed. The documents stay where they are.")
    return reader._("Its files and its index are removed. The next run that needs them prepares them again.")


def _removed(one: Collection, reader: Ui) -> str:
    try:
        if one.remove is not None:
            one.remove()
    except StoreError as error:
        _log.warning("%s", error)
        return reader._("It could not be removed: a file is in use, or may not be deleted.")
    return reader._("Removed.")
