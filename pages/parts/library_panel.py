"""Adding documents to the user's library, and seeing what it holds."""

from __future__ import annotations

import streamlit as st

from pages.parts import component, documents
from pages.parts.document_nodes import REMOVE
from pages.parts.document_nodes import documents as rows
from pages.parts.engine import engine, own_documents
from pages.parts.ui import Ui
from research.library.readers.reading import MAX_BYTES, READERS

_LARGEST_MB = MAX_BYTES // 2**20
_ADDED = "uploads_added"
"""How many documents were added just now: the field says nothing more of those that it did not take."""


def show(reader: Ui) -> None:
    """Show the field that takes documents, and those that are there."""
    if count := st.session_state.pop(_ADDED, 0):
        st.toast(reader.n_("{count} document added.", "{count} documents added.", count), icon=":material/check:")
    st.file_uploader(
        reader._("Add documents"),
        accept_multiple_files=True,
        key=f"uploads_{st.session_state.setdefault('uploads', 0)}",
        on_change=_keep,
        max_upload_size=_LARGEST_MB,
        help=reader._("They stay on this computer, in {folder}.").format(folder=documents.folder(engine().settings)),
    )
    kinds = reader.listed(sorted({ending.lstrip(".").upper() for ending in READERS}))
    st.caption(reader._("These can be read: {kinds}.").format(kinds=kinds))
    with st.spinner(reader._("Reading documents")):
        held = own_documents()
    if held:
        component.show(rows(held, reader), key="documents", language=reader.language, on_message=_heard)


def _keep() -> None:
    """Keep what was dropped, and start the field anew so that it does not list the same files twice."""
    dropped = st.session_state.get(f"uploads_{st.session_state['uploads']}") or []
    place = documents.folder(engine().settings)
    for file in dropped:
        documents.add(place, file.name, file.getvalue())
    if dropped:
        st.session_state["uploads"] += 1
        st.session_state[_ADDED] = len(dropped)


def _heard(message: str) -> None:
    if message.startswith(REMOVE):
        documents.remove(documents.folder(engine().settings), message.removeprefix(REMOVE))
