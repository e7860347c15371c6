"""The engine of this process: one store and one runner, shared by all sessions."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.parts import documents
from pages.parts.documents import Document
from research.runs.runner import Runner
from research.runs.store import RunStore
from research.settings import Settings


@dataclass(frozen=True)
class Engine:
    """What the pages need of the engine."""

    settings: Settings
    store: RunStore
    runner: Runner


@st.cache_resource(show_spinner=False)
def engine() -> Engine:
    """Return the engine; made once, so that runs live on when a page is refreshed or closed."""
    settings = Settings.from_environment()
    settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    store = RunStore(settings.home)
    return Engine(settings, store, Runner(store, settings))


def own_documents() -> list[Document]:
    """Return the user's documents as last read; they are read again only when the folder changed."""
    return _read(tuple(documents.present(documents.folder(engine().settings))))


@st.cache_data(show_spinner=False, max_entries=4)
def _read(present: tuple[tuple[str, int, int], ...]) -> list[Document]:
    return documents.read(engine().settings) if present else []
