"""A run while it is under way: one fragment asks for new events every second; a full rerun ends it with the run."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from pages.parts import component, source_drawer
from pages.parts.engine import engine
from pages.parts.header_nodes import header, problems, skipped
from pages.parts.lane_nodes import SHOW_ALL, activity
from pages.parts.lane_view import Phase
from pages.parts.live_view import LiveState
from pages.parts.nodes import el
from pages.parts.report_nodes import CitedReport, report
from pages.parts.run_state import current
from pages.parts.session import no_traceback
from pages.parts.ui import Ui
from research.brief import Brief
from research.runs.model import RunState

_EVERY = 1.0
"""Seconds between two looks at the store."""


@st.fragment(run_every=_EVERY)
def show(run_id: str, reader: Ui) -> None:
    """Show where the run stands, and what it has found so far."""
    with no_traceback(reader):
        if engine().store.get(run_id).state is not RunState.RUNNING:
            st.rerun()
        state = current(run_id)
        _draw(run_id, state, reader)


def _draw(run_id: str, state: LiveState, reader: Ui) -> None:
    language = reader.language
    head = header(state, RunState.RUNNING, datetime.now(UTC), reader)
    component.show(head, key="run_head", language=language)
    _buttons(run_id, state, reader)
    component.show([*problems(state.problems, reader), *skipped(state, reader)], key="run_problems", language=language)
    with st.container(key="writing"):
        if state.phase is Phase.WRITING and state.brief is not None:
            _draft(state.brief, state, reader)
    st.subheader(reader._("Research"), anchor=False)
    component.show(activity(state, reader, unfolded()), key="activity", language=language, on_message=hear)


def _buttons(run_id: str, state: LiveState, reader: Ui) -> None:
    runner = engine().runner
    with st.container(horizontal=True):
        st.button(
            reader._("Finish now"),
            icon=":material/fast_forward:",
            help=reader._("Stop searching and write the report from what there is."),
            disabled=state.finish_requested or state.stop_requested or state.phase is Phase.WRITING,
            on_click=runner.finish_now,
            args=(run_id,),
            key="finish_now",
        )
        st.button(
            reader._("Stop"),
            icon=":material/stop_circle:",
            help=reader._("Stop at once. What was found is kept and arranged by rule."),
            disabled=state.stop_requested,
            on_click=runner.stop,
            args=(run_id,),
            key="stop",
        )


def _draft(brief: Brief, state: LiveState, reader: Ui) -> None:
    st.subheader(reader._("The report is being written"), anchor=False)
    body, cards = report(CitedReport.of_draft(brief, state), reader)
    tree = [*body, el("span", "writing", aria_hidden="true")]
    component.show(tree, key="draft", language=reader.language, cards=cards, on_message=source_drawer.open_source)


def unfolded() -> set[str]:
    """Return the lanes of which the reader asked for everything, in the run that the address names."""
    return set(st.session_state.setdefault(_unfolded_key(), []))


def _unfolded_key() -> str:
    return f"unfolded_{st.query_params.get('id', '')}"


def hear(message: str) -> None:
    """Unfold or fold a lane, or open a source."""
    if message.startswith(SHOW_ALL):
        st.session_state[_unfolded_key()] = sorted(unfolded() ^ {message.removeprefix(SHOW_ALL)})
    else:
        source_drawer.open_source(message)
