"""A run while it is under way: two fragments ask for new events twice a second; a full rerun ends them with the run.

Both stand within the fragment whose buttons lead to another page. Who presses one leaves before they are drawn, and so
Streamlit forgets them; else what a browser still asks for them is answered after the other page is drawn, and takes it
away again.
"""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from pages.parts.engine import current, engine, is_running, state_of
from pages.parts.library.actions import handle_run_action
from pages.parts.library.runs import CHANGE_RUN
from pages.parts.live.lanes import FOLD, SHOW_ALL, activity
from pages.parts.live.parts import show_parts_plan
from pages.parts.live.plan import PLAN_EDIT, plans_sections, show_plan_panel
from pages.parts.live.steering import (
    STOP_AND_EDIT,
    confirmations,
    handle_steering,
    is_overtaken,
    show_asked,
    show_steering,
    stop_and_edit,
    was_steerable,
    with_caret,
)
from pages.parts.live.timeline import show_timeline
from pages.parts.nodes import el, show_nodes
from pages.parts.report.head import header, problems, skipped, writing
from pages.parts.report.sources import open_source
from pages.parts.report.text import CitedReport, report
from pages.parts.ui import Ui, no_traceback, verbatim
from research.core import Brief, Phase, RunView
from research.store import RunState, RunSummary, waiting_before

_EVERY = 0.5
"""Seconds between two looks at the store."""
_OPEN_AT_ONCE = 3
"""Lanes that show everything at the same time while the page updates; another one folds the first."""


@st.fragment
def show_live_run(run: RunSummary, reader: Ui, *, has_ended: bool = False) -> None:
    """Show where the run stands, its plan, what can be asked of it, what it has found, and its calls over time.

    Of a run that `has_ended` the plan alone is shown, where somebody has it open as a form, or opens it in the instant
    in which the run ends. What led to a form is there as well, out of sight: it hears who presses it in that instant.
    """
    with no_traceback(reader):
        if has_ended:
            show_parts_plan(run, reader)
            if was_steerable(run.id):
                _hear_late_presses(run, reader)
            return
        stop_and_edit(run.id, reader)
        _head(run.id, reader)
        # Below the head, which stays where it is when a plan comes and goes; each has one place, however much it shows:
        # Streamlit never clears what a fragment within this one has drawn in a place that it then leaves.
        with st.container():
            show_parts_plan(run, reader)
        with st.container():
            show_plan_panel(run, reader)
        with st.container():
            show_steering(run.id, current(run.id), reader)
        show_timeline(run.id, reader, live=True)
        _watch(run.id, reader)


def _hear_late_presses(run: RunSummary, reader: Ui) -> None:
    with st.container(key="pressed_late"):  # not to be seen
        for key in (STOP_AND_EDIT, PLAN_EDIT)[: 1 + plans_sections(run.brief)]:
            st.button(verbatim(key), on_click=handle_run_action, args=(CHANGE_RUN + run.id, reader), key=key)


@st.fragment(run_every=_EVERY)
def _head(run_id: str, reader: Ui) -> None:
    with no_traceback(reader):
        waits = state_of(run_id) is RunState.WAITING
        head = header(current(run_id), RunState.WAITING if waits else RunState.RUNNING, datetime.now(UTC), reader)
        if waits:
            before = waiting_before(engine().store, run_id)
            said = reader.n_("{count} run waits before this one.", "{count} runs wait before this one.", before)
            soon = reader._("It begins as soon as a worker is free.")
            head.append(el("p", "faint", said if before else soon, key="before"))
        show_nodes(head, key="run_head", language=reader.language)


@st.fragment(run_every=_EVERY)
def _watch(run_id: str, reader: Ui) -> None:
    with no_traceback(reader):
        state = current(run_id)
        if not is_running(run_id) or is_overtaken(run_id, state):
            st.rerun()
        _draw(run_id, state, reader)


def _draw(run_id: str, state: RunView, reader: Ui) -> None:
    language = reader.language
    show_asked(run_id, state, reader)
    with st.container(key="trouble"):
        if trouble := [*problems(state.problems, reader), *skipped(state, reader)]:
            show_nodes(trouble, key="run_problems", language=language)
    is_writing = state.phase is Phase.WRITING
    with st.container(key="writing"):
        if is_writing and state.brief is not None:
            _draft(state.brief, state, reader)
    st.header(reader._("Research"), anchor=False)
    tree = activity(state, reader, unfolded())

    def heard(message: str) -> None:
        if not handle_steering(run_id, message, reader):
            handle_live_message(message)

    cards = confirmations(tree, state, reader)
    show_nodes(tree, key="activity", language=language, cards=cards, on_message=heard)
    with st.container(key="sections"):  # Below what goes on, which stays where it is while sections grow.
        if not is_writing and state.draft and state.brief is not None:
            _draft(state.brief, state, reader)


def _draft(brief: Brief, state: RunView, reader: Ui) -> None:
    st.header(verbatim(writing(state, reader)), anchor=False)
    body, cards = report(CitedReport.of_draft(brief, state), reader)
    show_nodes(with_caret(body), key="draft", language=reader.language, cards=cards, on_message=open_source)


def unfolded() -> list[str]:
    """Return the lanes of which the reader asked for everything, in the run that the address names, in that order."""
    return list(st.session_state.setdefault(_unfolded_key(), []))


def _unfolded_key() -> str:
    return f"unfolded_{st.query_params.get('id', '')}"


def handle_live_message(message: str) -> None:
    """Unfold or fold a lane, or open a source."""
    if not message.startswith((SHOW_ALL, FOLD)):
        open_source(message)
        return
    name = message.partition(":")[2]
    others = [one for one in unfolded() if one != name]
    st.session_state[_unfolded_key()] = [*others, name][-_OPEN_AT_ONCE:] if message.startswith(SHOW_ALL) else others
