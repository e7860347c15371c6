"""The state of a run, kept up to date from its stored events."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine
from pages.parts.live_view import LiveState

_KEY = "live_state"


def current(run_id: str) -> LiveState:
    """Return the state of a run as of now; only events that this session has not seen are read."""
    held = st.session_state.get(_KEY)
    state = held[1] if held is not None and held[0] == run_id else LiveState()
    state.extend(engine().store.events(run_id, after=state.seq))
    st.session_state[_KEY] = (run_id, state)
    return state
