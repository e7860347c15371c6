"""Dialogs of the library of runs: title and tags, export, import, delete."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts.engine import engine
from pages.parts.library.run_library_actions import ASKED, Asked, not_saved, notify
from pages.parts.library.run_nodes import DELETE_RUN, EXPORT_RUN, LABEL_RUN, title
from pages.parts.session import no_traceback
from pages.parts.ui import Ui
from research.errors import StoreError, UsageError
from research.runs.labels import LONGEST_TAG, MOST_TAGS, label, tags_in_use
from research.runs.model import RunSummary
from research.runs.transfer import export_run, file_name, import_run
from research.runs.transfer_file import UnusableRunFile

_MEGABYTES = 200
_UPLOADS, _IMPORTED, _REFUSED, _FAILED = "runs_uploads", "runs_imported", "runs_refused", "runs_failed"


def show(reader: Ui) -> None:
    """Show the dialog that was asked for, if any."""
    asked = st.session_state.get(ASKED)
    if not isinstance(asked, Asked):
        return
    try:
        run = engine().store.get(asked.run)
    except UsageError:
        _close()
        return
    names: dict[str, tuple[str, Callable[[RunSummary, Ui], None]]] = {
        LABEL_RUN: (reader._("Title and tags"), _label),
        EXPORT_RUN: (reader._("Export as a file"), _export),
        DELETE_RUN: (reader._("Delete this run?"), _delete),
    }
    name, draw = names[asked.what]

    @st.dialog(name, on_dismiss=_close)
    def dialog() -> None:
        if ASKED not in st.session_state:  # done, or cancelled
            st.rerun()
        with no_traceback(reader):
            draw(run, reader)

    dialog()


def _close() -> None:
    st.session_state.pop(ASKED, None)
    st.session_state.pop(_FAILED, None)


def _label(run: RunSummary, reader: Ui) -> None:
    st.text_input(
        reader._("Run title"),
        run.title,
        placeholder=title(run.question),
        help=reader._("Your own name for it in lists. The question stays as it is."),
        key=f"runs_title_{run.id}",
    )
    st.multiselect(
        reader._("Tags"),
        sorted({*tags_in_use(engine().store), *run.tags}),
        run.tags,
        accept_new_options=True,
        max_selections=MOST_TAGS,
        placeholder=reader._("Choose a tag, or type a new one"),
        help=reader._("At most {count} characters each.").format(count=LONGEST_TAG),
        key=f"runs_tags_{run.id}",
    )

    def save() -> None:
        named, tags = (st.session_state[f"runs_{field}_{run.id}"] for field in ("title", "tags"))
        label(engine().store, run.id, title=named or "", tags=tags)

    _buttons(reader, reader._("Save"), ":material/check:", save)


def _delete(run: RunSummary, reader: Ui) -> None:
    st.text(title(run.name))
    st.caption(reader._("Its report, sources and quotes are deleted for good. Pages that other runs read stay there."))
    _buttons(reader, reader._("Delete"), ":material/delete:", lambda: engine().store.delete(run.id))


def _buttons(reader: Ui, confirm: str, icon: str, act: Callable[[], None]) -> None:
    """Show the buttons that end the dialog; what cannot be saved is said in it, and everything typed stays."""

    def confirmed() -> None:
        try:
            act()
        except StoreError:
            st.session_state[_FAILED] = not_saved(reader)
            return
        except UsageError:
            notify(reader._("The run is still under way, or was deleted already."))
        _close()

    if _FAILED in st.session_state:
        st.error(st.session_state.pop(_FAILED), icon=":material/error:")
    with st.container(horizontal=True, horizontal_alignment="right"):
        st.button(reader._("Cancel"), on_click=_close, key="runs_cancel")
        st.button(confirm, type="primary", icon=icon, on_click=confirmed, key="runs_confirm")


def _export(run: RunSummary, reader: Ui) -> None:
    st.text(title(run.name))
    st.caption(
        reader._(
            "One file with everything: report, quotes, pages, how it was done, title and tags. Another workbench can "
            "import it."
        )
    )
    data = export_run(engine().store, run.id)
    st.download_button(
        reader._("Download ({size})").format(size=reader.size(len(data))),
        data=data,
        file_name=file_name(run.id),
        mime="application/zip",
        icon=":material/download:",
        type="primary",
        on_click=_close,
    )


def importing(reader: Ui) -> None:
    """Show the button under which a run is imported from its file."""
    done = st.session_state.setdefault(_IMPORTED, 0)  # another key is another popover, which is closed
    with st.popover(reader._("Import"), icon=":material/upload:", width="content", key=f"runs_importing_{done}"):
        st.file_uploader(
            reader._("A run that was exported (.run.zip)"),
            type="zip",
            max_upload_size=_MEGABYTES,
            key=f"runs_import_{st.session_state.setdefault(_UPLOADS, 0)}",
            on_change=_import,
            args=(reader,),
        )
        if _REFUSED in st.session_state:
            st.error(st.session_state.pop(_REFUSED), icon=":material/error:")
        st.caption(reader._("Every part is checked. A run that is here already is never overwritten."))


def _import(reader: Ui) -> None:
    file = st.session_state.get(f"runs_import_{st.session_state[_UPLOADS]}")
    if file is None:
        return
    st.session_state[_UPLOADS] += 1
    try:
        run = engine().store.get(import_run(engine().store, file.getvalue()))
    except UnusableRunFile as error:
        st.session_state[_REFUSED] = reader.of_term(error.text)
    except StoreError:
        st.session_state[_REFUSED] = not_saved(reader)
    else:
        st.session_state[_IMPORTED] += 1
        st.toast(reader._("Imported: {title}").format(title=title(run.name)), icon=":material/check:")
