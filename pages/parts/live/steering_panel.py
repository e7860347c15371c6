"""Steering a run while it is under way: one more question, finish now, stop; topics and sites are dropped in lanes.

The ways to ask stand apart from what updates by itself: where a connection is cut or slow, Streamlit may take out for a
moment what a fragment was about to draw again, and a line of text that was taken out comes back empty.
"""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st
from pydantic import ValidationError

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.live.lane_view import Phase
from pages.parts.live.live_view import LiveState
from pages.parts.live.steering_nodes import BLOCK_SITE, DROP_TOPIC, asked, is_taken
from pages.parts.session import no_traceback
from pages.parts.ui import Ui
from research.errors import ResearchError, UsageError
from research.steering import AddQuestion, BlockSite, BookSteer, DropTopic, FinishNow, Steer, StopNow

_LONGEST = 1_000
"""Characters of a question."""


class Standing(NamedTuple):
    """What can be asked of a run, and why the last thing could not be."""

    finish: bool
    stop: bool
    question: bool
    trouble: str

    @classmethod
    def of(cls, run_id: str, state: LiveState) -> Standing:
        """Return how things stand."""
        is_ending = state.finish_requested or state.stop_requested or state.phase is Phase.WRITING
        return cls(
            finish=not is_ending,
            stop=not state.stop_requested,
            question=state.phase is Phase.WAITING or state.is_steerable,
            trouble=st.session_state.get(_key("trouble", run_id), ""),
        )


@st.fragment
def show(run_id: str, state: LiveState, reader: Ui) -> None:
    """Show what can be asked of the run as `state` is now; see `is_overtaken`."""
    with no_traceback(reader):
        standing = Standing.of(run_id, state)
        st.session_state[_key("shown", run_id)] = standing
        _buttons(run_id, standing, reader)
        if standing.trouble:
            st.error(standing.trouble, icon=":material/error:")
        _question(run_id, standing, reader)


def is_overtaken(run_id: str, state: LiveState) -> bool:
    """Whether what can be asked is no longer what is shown."""
    return st.session_state.get(_key("shown", run_id)) != Standing.of(run_id, state)


def show_asked(run_id: str, state: LiveState, reader: Ui) -> None:
    """Show what was asked of the run, and what became of it."""
    waiting = [one for one in _waiting(run_id) if not is_taken(one, state)]
    st.session_state[_key("waiting", run_id)] = waiting
    with st.container(key="asked"):
        if tree := asked(state, waiting, reader):
            component.show(tree, key="asked_of", language=reader.language)


def _buttons(run_id: str, standing: Standing, reader: Ui) -> None:
    with st.container(horizontal=True):
        st.button(
            reader._("Finish now"),
            icon=":material/fast_forward:",
            help=reader._("Stop searching and write the report from what there is."),
            disabled=not standing.finish,
            on_click=_ask,
            args=(run_id, FinishNow(), reader),
            key="finish_now",
        )
        st.button(
            reader._("Stop"),
            icon=":material/stop_circle:",
            help=reader._("Stop at once. What was found is kept and arranged by rule."),
            disabled=not standing.stop,
            on_click=_ask,
            args=(run_id, StopNow(), reader),
            key="stop",
        )


def _question(run_id: str, standing: Standing, reader: Ui) -> None:
    """Show the line for one more question. It stays when research has ended, so that nothing typed is lost."""
    key = _key("question", run_id)
    with (
        st.form(_key("form", run_id), border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.text_input(
            reader._("Add a question"),
            max_chars=_LONGEST,
            placeholder=reader._("What else should be researched?") if standing.question else "",
            disabled=not standing.question,
            key=key,
        )
        st.form_submit_button(
            reader._("Add"),
            icon=":material/add_comment:",
            disabled=not standing.question,
            on_click=_add,
            args=(run_id, key, reader),
            key=_key("add", run_id),
        )
    if not standing.question:
        st.caption(reader._("Research has ended; ask about the report once it is written."))


def _ask(run_id: str, steer: Steer, reader: Ui) -> None:
    ask(run_id, steer, reader)


def _add(run_id: str, key: str, reader: Ui) -> None:
    text = str(st.session_state.get(key) or "").strip()
    if text and ask(run_id, AddQuestion(text=text), reader):
        st.session_state[key] = ""


def hear(run_id: str, message: str, reader: Ui) -> bool:
    """Ask the run for what a button in a lane was pressed for; return whether it was one of these."""
    name = message.partition(":")[2]
    if not message.startswith((DROP_TOPIC, BLOCK_SITE)):
        return False
    try:
        steer = DropTopic(lane=name) if message.startswith(DROP_TOPIC) else BlockSite(site=name)
    except ValidationError:
        return True  # a browser sent what no button sends
    ask(run_id, steer, reader)
    return True


def ask(run_id: str, steer: Steer, reader: Ui) -> bool:
    """Ask something of the run and return whether it could be; if not, the page says why until something else is."""
    trouble = ""
    try:
        engine().runner.steer(run_id, steer)
    except UsageError:
        trouble = reader._("This run does not exist any more, so nothing could be asked of it.")
    except ResearchError as error:
        trouble = reader.reason(error)
    else:
        waiting = _waiting(run_id)
        if isinstance(steer, BookSteer) and steer not in waiting:
            st.session_state[_key("waiting", run_id)] = [*waiting, steer]
    st.session_state[_key("trouble", run_id)] = trouble
    return not trouble


def _waiting(run_id: str) -> list[BookSteer]:
    """Return what this reader asked and the run has not answered yet."""
    return list(st.session_state.get(_key("waiting", run_id), []))


def _key(name: str, run_id: str) -> str:
    return f"steering_{name}_{run_id}"
