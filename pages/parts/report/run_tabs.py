"""The tabs of a run that has ended: they stay as they are while the reader is on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from pages.parts.ui import Ui

_HELD, _OPEN = "run_tabs", "run_tabs_open"


class _Tabs(NamedTuple):
    run: str
    language: str
    names: tuple[str, ...]
    first: int
    """Place of the tab that is open at first."""

    @property
    def key(self) -> str:
        return f"tabs_{self.run}_{self.language}"


def tabs(run_id: str, names: Sequence[str], first: int, reader: Ui) -> Sequence[Any]:
    """Show tabs and return them; at first the one at the place `first` is open, in another language the same as before.

    Tabs are known by their names: with another name they would be new ones, and the reader lose the place in the text.
    So a count in a name that grows while the page is open shows when it is next opened.
    """
    held = st.session_state[_HELD] = _held(_Tabs(run_id, reader.language.value, tuple(names), first))
    shown = st.tabs(held.names, default=held.names[held.first], key=held.key, on_change="rerun")
    st.session_state[_OPEN] = next((place for place, tab in enumerate(shown) if tab.open), first)
    return shown


def _held(wanted: _Tabs) -> _Tabs:
    """Return the tabs as they stand on the page, or those that are wanted if there are none, or others."""
    held: _Tabs | None = st.session_state.get(_HELD)
    if held is None or held.run != wanted.run:
        return wanted
    if held.key != wanted.key:
        return wanted._replace(first=min(st.session_state[_OPEN], len(wanted.names) - 1))
    is_shown = wanted.key in st.session_state
    return held if is_shown and len(held.names) == len(wanted.names) else wanted
