"""What answers questions about reports, and writes reports anew: one for all sessions of this process."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine
from research.runs.asking import Asking


@st.cache_resource(show_spinner=False)
def asking() -> Asking:
    """Return it; made once, so that an answer arrives when the page that asked is refreshed or closed."""
    return Asking(engine().store, engine().runner)
