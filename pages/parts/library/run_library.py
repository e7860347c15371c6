"""What the library of runs is asked for: words, state, tags, star, page."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine
from pages.parts.relabelled import say_anew
from pages.parts.report.header_nodes import state_label
from pages.parts.ui import Ui
from research.runs.labels import tags_in_use
from research.runs.model import RunState
from research.runs.search import Wanted

WORDS, _STATE, _TAGS, _STARRED = "runs_words", "runs_state", "runs_tags", "runs_starred"
PAGE = "runs_page"
_STATES = (RunState.COMPLETE, RunState.PARTIAL, RunState.FAILED, RunState.INTERRUPTED, RunState.RUNNING)


def ask(reader: Ui) -> Wanted:
    """Show the search field and the filters, and return what is wanted."""
    words = st.text_input(
        reader._("Search runs"),
        key=WORDS,
        type="search",
        live=True,
        icon=":material/search:",
        placeholder=reader._("Search questions, reports and sources"),
        label_visibility="collapsed",
        persist_state="session",
        on_change=_first_page,
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="runs_filters"):
        say_anew(_STATE, reader.language.value)
        state = st.selectbox(
            reader._("State"),
            _STATES,
            index=None,
            format_func=lambda one: state_label(one, reader),
            key=_STATE,
            placeholder=reader._("Any state"),
            label_visibility="collapsed",
            persist_state="session",
            on_change=_first_page,
            width=150,
        )
        tags = _tags(reader)
        starred = st.toggle(
            reader._("Starred only"), key=_STARRED, persist_state="session", on_change=_first_page, width="content"
        )
        wanted = Wanted(words=words or "", state=state, tags=tuple(tags), starred=starred)
        if not wanted.is_open:
            st.button(reader._("Show all"), type="tertiary", icon=":material/close:", on_click=clear, key="runs_all")
    return wanted


def _tags(reader: Ui) -> list[str]:
    """Ask for tags, if there are any."""
    known = tags_in_use(engine().store)
    held = [tag for tag in st.session_state.get(_TAGS, []) if tag in known]
    if _TAGS in st.session_state and held != st.session_state[_TAGS]:
        st.session_state[_TAGS] = held
    if not known:
        return []
    return st.multiselect(
        reader._("Tags"),
        known,
        key=_TAGS,
        placeholder=reader._("Any tag"),
        label_visibility="collapsed",
        persist_state="session",
        on_change=_first_page,
        width=190,
    )


def show_tag(tag: str) -> None:
    """Ask for the runs with a tag, whatever was asked for before."""
    clear()
    st.session_state[_TAGS] = [tag]


def clear() -> None:
    """Ask for all runs."""
    st.session_state[WORDS] = ""
    st.session_state[_STATE] = None
    st.session_state[_TAGS] = []
    st.session_state[_STARRED] = False
    _first_page()


def _first_page() -> None:
    st.session_state[PAGE] = 1
