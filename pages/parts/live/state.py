"""The live page's state, folded from a run's events."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine
from research.core import RunView
from research.store import RunState

_KEY = "live_state"


def current(run_id: str) -> RunView:
    """Return the state of a run as of now; only events that this session has not seen are read."""
    held = st.session_state.get(_KEY)
    state = held[1] if held is not None and held[0] == run_id else RunView()
    state.extend(engine().runner.events(run_id, after=state.seq))
    st.session_state[_KEY] = (run_id, state)
    return state


def forget_state() -> None:
    """Take the run in from its first event the next time: one that was over goes on."""
    st.session_state.pop(_KEY, None)


def is_running(run_id: str) -> bool:
    """Whether a run is under way; of those of this process the store need not have heard for a while."""
    return engine().runner.is_under_way(run_id) or engine().store.get(run_id).state is RunState.RUNNING
