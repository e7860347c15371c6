"""Fields that say their value in other words than before: in another language, or after another preset."""

from __future__ import annotations

import streamlit as st


def say_anew(key: str, words: str) -> None:
    """Have the browser show the value of the field `key` anew if its words changed; called before the field is drawn.

    The framework's dropdowns keep the words in which they were first given a value.
    """
    held = f"{key}_said"
    if key in st.session_state and st.session_state.get(held, words) != words:
        st.session_state[key] = st.session_state[key]
    st.session_state[held] = words
