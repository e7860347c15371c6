"""Collections of documents: the reader's own, the samples, and folders that runs have indexed."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import streamlit as st

from pages.parts import documents
from pages.parts.engine import engine
from pages.parts.sources import source_library_collection as card
from pages.parts.sources.source_library_collection import Collection
from pages.parts.start import library_panel
from pages.parts.ui import Ui
from research import collections
from research.errors import StoreError, UsageError
from research.library.state import forget, indexed_folders
from research.vocabulary import SourceName

_MOST_FOLDERS = 50
_AT_FIRST = "own_files_at_first"


def show(reader: Ui) -> None:
    """Show the collections."""
    card.notice()
    _own(reader)
    st.subheader(reader._("Samples"), anchor=False)
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
    place = documents.folder(engine().settings)
    purpose = reader._("Files that you add here or on the start page. They stay on this computer, in {folder}.")
    own = Collection(
        "own", reader._("My documents"), purpose.format(folder=place), "folder_open", place, lambda: place, None
    )
    # Decided once in a session, as the field would fold away when the first file is there.
    is_open_at_first = st.session_state.setdefault(_AT_FIRST, not documents.present(place))
    with card.frame(own):
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
                library_panel.show(reader)
        with standing:  # drawn last, as showing the files has read them
            card.fill(own, reader)


def _sample(name: SourceName, symbol: str, purpose: str, reader: Ui) -> None:
    home = engine().settings.home
    title = reader.of_term(name.label)
    try:
        place = collections.place_of(name, home)
    except UsageError:
        words = reader._("Not installed: pip install 'research-workbench[samples]'")
        card.show(Collection(name.value, title, purpose, symbol, None, None, None, missing=words), reader)
        return
    prepare = partial(collections.folder, name, home)
    empty = reader._("Prepared when it is first used")
    one = Collection(name.value, title, purpose, symbol, place, prepare, partial(_remove, place), empty=empty)
    card.show(one, reader)


def _others(reader: Ui) -> None:
    home = engine().settings.home.resolve()
    folders = [folder for folder in indexed_folders(card.index_home()) if not folder.is_relative_to(home)]
    if not folders:
        return
    st.subheader(reader._("Other folders"), anchor=False)
    st.caption(reader._("Runs from the command line or a notebook have searched them."))
    for folder in folders[:_MOST_FOLDERS]:
        forgotten = partial(forget, folder, card.index_home())
        name = f"{card.FOLDER}{folder}"
        card.show(
            Collection(
                name, folder.name or str(folder), str(folder), "folder", folder, partial(Path, folder), forgotten
            ),
            reader,
        )


def _remove(place: Path) -> None:
    """Remove the files of a sample and their index; the next run that needs them writes them again.

    Raises:
        StoreError: they cannot be removed.
    """
    forget(place, card.index_home())
    try:
        if place.is_dir():
            shutil.rmtree(place)
    except OSError as error:
        raise StoreError(f"{place}: {error.strerror}") from error
