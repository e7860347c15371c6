"""A collection and its documents."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.engine import documents_folder, engine, present_documents
from pages.parts.nodes import Element, el, group, icon, lang_of, rows_of, show_nodes
from pages.parts.sources.library import jobs
from pages.parts.start.documents import show_library
from pages.parts.ui import Ui, confirm, no_traceback
from research.core import SourceName, StoreError, UsageError, explain
from research.library import LibraryState, display_name, forget, indexed_folders, library_state
from research.settings import prepared_home
from research.sources import collection_folder, collection_place, forget_collection

_SHOWN = 100


def documents_head(
    title: str, purpose: str, symbol: str, state: LibraryState | None, ui: Ui, *, missing: str = "", empty: str = ""
) -> list[Element]:
    """Return what a collection is and how it stands.

    `state` is None if it cannot be read now; `missing` says why it cannot be used, `empty` what it means that it holds
    no file.
    """
    sign, kind, words = ("do_not_disturb_on", "", missing) if missing else _standing(state, empty, ui)
    return [
        el(
            "div", "collection",
            icon(symbol),
            el("div", "", el("h2", "", title), el("p", "faint", purpose)),
            el("p", f"standing {kind}", icon(sign), el("span", "", words)),
        ),
        *_figures(state, ui),
    ]  # fmt: skip


def _standing(state: LibraryState | None, empty: str, ui: Ui) -> tuple[str, str, str]:
    """Return sign, class and words for how a collection stands."""
    if state is None:
        return "warning", "caution", ui._("Its index is in use and cannot be read now.")
    if not state.exists and state.indexed_at:
        return "folder_off", "caution", ui._("The folder is gone.")
    if not state.files:
        return "radio_button_unchecked", "", empty or ui._("Empty")
    if state.indexed_at is None:
        return "radio_button_unchecked", "", ui._("Not indexed yet")
    if state.waiting:
        words = ui.n_("{count} file has changed since", "{count} files have changed since", state.waiting)
        return "sync_problem", "caution", words
    return "check_circle", "good", ui._("Indexed, up to date")


def _figures(state: LibraryState | None, ui: Ui) -> list[Element]:
    if state is None or not state.files:
        return []
    rows = [(ui._("Files"), ui.number(state.files)), (ui._("Size"), ui.size(state.bytes))]
    if state.indexed_at:
        rows += [
            (ui._("Passages"), ui.number(state.passages)),
            (ui._("Left out"), ui.number(len(state.skipped))),
            (ui._("Indexed"), ui.moment(state.indexed_at)),
        ]
    return [rows_of("figures", rows, "figure")]


def skipped_nodes(state: LibraryState, ui: Ui) -> list[Element]:
    """Return the files without text, each with the reason."""
    named = [
        (one, _name(one.path.with_name(one.name), state.folder)) for one in [*state.skipped, *state.noted][:_SHOWN]
    ]
    rows = [
        el(
            "li", "broken", icon("warning"),
            el("div", "", el("span", "", name, lang=lang_of(name)), el("p", "reason", explain(one.code, ui.language))),
            key=str(one.path),
        )
        for one, name in named
    ]  # fmt: skip
    left = len(state.skipped) + len(state.noted) - len(rows)
    more = el("p", "faint", ui.n_("{count} more document", "{count} more documents", left)) if left > 0 else None
    return [part for part in (group("ul", "documents", rows), more) if part is not None]


def _name(path: Path, folder: Path) -> str:
    inside = path.relative_to(folder) if path.is_relative_to(folder) and path != folder else path
    return display_name(inside)


_log = logging.getLogger("workbench")

FOLDER_PLACE = "folder_"
"""Begin of the keys of folders that are not the workbench's own."""


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


def show_collection(one: Collection, reader: Ui) -> None:
    """Show a collection as a card."""
    with collection_frame(one):
        fill_collection(one, reader)


def collection_frame(one: Collection) -> DeltaGenerator:
    """Return the empty card of a collection, for one that holds more than `fill_collection` draws."""
    return st.container(border=True, key=f"collection_{one.key}")


def fill_collection(one: Collection, reader: Ui, *, lists_files: bool = False) -> None:
    """Draw in a card how a collection stands, and what can be done with it.

    Where the card `lists_files` of the folder, with what is wrong with each, those of folders within are left to say.
    """
    state = _state(one)
    tree = documents_head(one.title, one.purpose, one.symbol, state, reader, missing=one.missing, empty=one.empty)
    show_nodes(tree, key=f"collection_head_{one.key}", language=reader.language)
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
    if state is not None and lists_files:
        state = state._replace(skipped=tuple(left for left in state.skipped if left.path.parent != state.folder))
    if state is not None and state.skipped:
        _left_out(one, state, reader)


def _left_out(one: Collection, state: LibraryState, reader: Ui) -> None:
    with st.expander(
        reader.n_("{count} file left out", "{count} files left out", len(state.skipped)),
        icon=":material/warning:",
        key=f"collection_skipped_{one.key}",
    ):
        rows = skipped_nodes(state, reader)
        show_nodes(rows, key=f"collection_rows_{one.key}", language=reader.language)


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
    confirm(
        reader._("Remove this collection?"),
        _consequence(one, reader),
        reader._("Remove"),
        lambda: _removed(one, reader),
        reader,
        subject=one.title,
        meanwhile=reader._("Removing"),
    )


def _consequence(one: Collection, reader: Ui) -> str:
    if one.key.startswith(FOLDER_PLACE):
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


_MOST_FOLDERS = 50
_AT_FIRST = "own_files_at_first"


def show_documents_of(reader: Ui) -> None:
    """Show the collections."""
    _own(reader)
    st.header(reader._("Samples"), anchor=False)
    _sample(
        SourceName.FACTBOOK,
        "menu_book",
        reader._("Facts and figures on every country, published by a government. To try questions on."),
        reader,
    )
    _sample(
        SourceName.HOUSE,
        "apartment",
        reader._("Papers of a company that does not exist, in both languages. Some contradict each other."),
        reader,
    )
    _others(reader)


def _own(reader: Ui) -> None:
    place = documents_folder(engine().settings)
    purpose = reader._("Files that you add here or on the start page. They stay on this computer, in {folder}.")
    own = Collection(
        "own", reader._("My documents"), purpose.format(folder=place), "folder_open", place, lambda: place, None
    )
    # Decided once in a session, as the field would fold away when the first file is there.
    is_open_at_first = st.session_state.setdefault(_AT_FIRST, not present_documents(place))
    with collection_frame(own):
        standing = st.container()
        files = st.expander(
            reader._("Add or remove files"),
            icon=":material/upload_file:",
            key="own_files",
            on_change="rerun",
            expanded=is_open_at_first,
        )
        if files.open:
            with files:
                show_library(reader)
        with standing:  # drawn last, as showing the files has read them
            fill_collection(own, reader, lists_files=True)


def _sample(name: SourceName, symbol: str, purpose: str, reader: Ui) -> None:
    home = engine().settings.home
    title = reader.of_term(name.label)
    try:
        place = collection_place(name, home)
    except UsageError:
        words = reader._("Not installed: pip install 'research-workbench[samples]'")
        show_collection(Collection(name, title, purpose, symbol, None, None, None, missing=words), reader)
        return
    prepare = partial(collection_folder, name, home)
    empty = reader._("Prepared when it is first used")
    one = Collection(name, title, purpose, symbol, place, prepare, partial(forget_collection, place, home), empty=empty)
    show_collection(one, reader)


def _others(reader: Ui) -> None:
    ours = [place.resolve() for place in (engine().settings.home, prepared_home())]
    folders = [one for one in indexed_folders(index_home()) if not any(map(one.is_relative_to, ours))]
    if not folders:
        return
    st.header(reader._("Other folders"), anchor=False)
    st.caption(reader._("Runs from the command line or a notebook have searched them."))
    for folder in folders[:_MOST_FOLDERS]:
        forgotten = partial(forget, folder, index_home())
        name = f"{FOLDER_PLACE}{folder}"
        show_collection(
            Collection(
                name, folder.name or str(folder), str(folder), "folder", folder, partial(Path, folder), forgotten
            ),
            reader,
        )
