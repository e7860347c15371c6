"""The latest runs, at the side of every page."""

from __future__ import annotations

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.library.run_nodes import OPEN_RUN, recent
from pages.parts.ui import Ui

_SHOWN = 5
_LOOKED_AT = 15
"""Searches for questions about a report stand with that report, not here."""


def show(reader: Ui) -> None:
    """Show the latest runs; nothing if there are none yet."""
    latest = [run for run in engine().store.list(limit=_LOOKED_AT) if not run.searches_for]
    if latest:
        component.show(recent(latest[:_SHOWN], reader), key="recent", language=reader.language, on_message=open_run)


def open_run(message: str) -> None:
    """Go to the run that `message` asks for; other messages do nothing."""
    if message.startswith(OPEN_RUN):
        st.switch_page("pages/run.py", query_params={"id": message.removeprefix(OPEN_RUN)})
