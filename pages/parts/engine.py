"""The engine of this process: one store and one runner, shared by all sessions."""

from __future__ import annotations

from concurrent.futures import Future, wait
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import streamlit as st

from pages.parts.own_documents import (
    OwnDocument,
    documents_folder,
    documents_so_far,
    present_documents,
    read_documents,
)
from research.settings import Settings, home_of, kept_settings
from research.store import Runner, RunStore


class CurrentSettings:
    """The settings as they are now: read anew when those that are kept have changed."""

    def __init__(self) -> None:
        self._held = self._read()

    def __call__(self) -> Settings:
        """Return the settings."""
        stamp, settings = self._held
        if stamp != kept_settings.stamp(settings.home):
            self._held = stamp, settings = self._read()
        return settings

    @staticmethod
    def _read() -> tuple[tuple[int, ...], Settings]:
        stamp = kept_settings.stamp(home_of())  # Taken first: what changes meanwhile is seen the next time.
        return stamp, Settings.from_environment()


@dataclass(frozen=True)
class Engine:
    """What the pages need of the engine."""

    current: CurrentSettings
    store: RunStore
    runner: Runner

    @property
    def settings(self) -> Settings:
        """The settings that a run started now would have."""
        return self.current()


@st.cache_resource(show_spinner=False)
def engine() -> Engine:
    """Return the engine; made once, so that runs live on when a page is refreshed or closed."""
    current = CurrentSettings()
    home = current().home
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    store = RunStore(home)
    return Engine(current, store, Runner(store, current(), current=current))


@st.cache_resource(show_spinner=False)
def make_ready() -> None:
    """Load what a run needs, once the first page stands: while it is read, and a question written."""
    engine().runner.make_ready()


def own_library() -> Path | None:
    """Return the folder of the reader's own documents, or None while there are none."""
    return documents_folder(engine().settings) if own_documents() else None


def own_documents() -> list[OwnDocument]:
    """Return the user's documents as last read; they are read again only when the folder changed.

    If that takes long, it goes on while the page is shown, and what is known so far is returned.
    """
    reading = _reading(tuple(present_documents(documents_folder(engine().settings))))
    if not wait([reading], _PATIENCE).done:
        return documents_so_far(engine().settings)
    if reading.exception() or any(one.problem == "file_unfinished" for one in reading.result()):
        _reading.clear()  # the next look may find more: the folder is readable again, another program has read the file
    return reading.result()


_PATIENCE = 3.0
"""Seconds that a page waits for the documents to be read."""


@st.cache_resource(show_spinner=False, max_entries=4)
def _reading(present: tuple[tuple[str, int, int], ...]) -> Future[list[OwnDocument]]:
    """Read the documents of the folder, whose files are `present`, in a thread of its own."""
    settings, reading = engine().settings, Future[list[OwnDocument]]()

    def read() -> None:
        try:
            reading.set_result(read_documents(settings) if present else [])
        except Exception as error:  # noqa: BLE001 - the page is to hear of it
            reading.set_exception(error)

    Thread(target=read, name="documents", daemon=True).start()
    return reading
