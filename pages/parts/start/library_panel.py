"""Adding documents to the user's library, and seeing what it holds, and which files could not join it."""

from __future__ import annotations

import streamlit as st

from pages.parts import component, documents
from pages.parts.engine import engine, own_documents
from pages.parts.start import oversized_files
from pages.parts.start.document_nodes import DISMISS, REMOVE, not_added, refused
from pages.parts.start.document_nodes import documents as rows
from pages.parts.ui import Ui
from research.errors import StoreError
from research.library.readers.reading import MAX_BYTES

_LARGEST_MB = MAX_BYTES // 2**20
_LONG = 1_000_000
"""Bytes that take a while to read."""
_REFUSED = "uploads_refused"
"""Those of the files dropped last that were not added."""
_FIELD = "uploads"
"""How often the field was begun anew."""


def show(reader: Ui) -> None:
    """Show the field that takes documents, what it refused, and the documents that are there."""
    field = _field()
    st.file_uploader(
        reader._("Add documents"),
        accept_multiple_files=True,
        key=field,
        on_change=_keep,
        args=(reader,),
        max_upload_size=_LARGEST_MB,
        help=reader._("They stay on this computer, in {folder}.").format(folder=documents.folder(engine().settings)),
    )
    st.caption(reader._("These can be read: PDF, Word (.docx), web pages (.html), Markdown, text, CSV and TSV."))
    if missed := [*st.session_state.get(_REFUSED, ()), *oversized_files.missed(_field(-1))]:
        component.show(refused(missed, reader), key="refused", language=reader.language, on_message=_heard)
    with st.spinner(reader._("Reading documents")):
        held = own_documents()
    if held:
        component.show(rows(held, reader), key="documents", language=reader.language, on_message=_heard)
    oversized_files.watch(field, MAX_BYTES, begin_anew=_begin_anew)  # Last, as it takes a line.


def _field(later: int = 0) -> str:
    """Return the name of the field, or of the one that it has been or will be."""
    return f"uploads_{st.session_state.setdefault(_FIELD, 0) + later}"


def _begin_anew() -> None:
    """Begin with an empty field, so that it does not list files that are dealt with."""
    st.session_state[_FIELD] += 1
    st.session_state.pop(_REFUSED, None)


def _keep(reader: Ui) -> None:
    """Keep what was dropped and can be read, and say what came of it."""
    dropped = st.session_state.get(_field()) or []
    if not dropped:
        return
    tell = st.toast
    if sum(file.size for file in dropped) > _LONG:
        tell = st.toast(reader._("Reading documents"), icon="spinner", duration="infinite").toast
    files = [(file.name, file.getvalue()) for file in dropped]
    _begin_anew()
    try:
        added, problems = documents.take_in(engine().settings, files)
    except StoreError as error:
        tell(reader.reason(error), icon=":material/error:")
        return
    st.session_state[_REFUSED] = problems
    if added:
        tell(reader.n_("{count} document added.", "{count} documents added.", added), icon=":material/check:")
    else:
        tell(not_added(len(problems), reader), icon=":material/warning:")


def _heard(message: str) -> None:
    if message == DISMISS:
        st.session_state.pop(_REFUSED, None)
        oversized_files.forget()
    elif message.startswith(REMOVE):
        documents.remove(documents.folder(engine().settings), message.removeprefix(REMOVE))
