"""The plan of a run while it waits: read it, let it begin, or edit it first. Without anybody it begins by itself."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.live import countdown, plan_form
from pages.parts.live.lane_view import Phase
from pages.parts.live.live_view import LiveState
from pages.parts.live.plan_card import plan_card
from pages.parts.live.plan_form import Draft
from pages.parts.live.run_state import current
from pages.parts.session import no_traceback
from pages.parts.ui import Ui
from research.brief import Brief
from research.methods.names import MethodName
from research.presets import PRESETS
from research.runs.model import RunSummary
from research.steering import BeginWithPlan, HoldPlan

_EVERY = 1.0
"""Seconds between two looks at the store."""
_PLANNED = (MethodName.OUTLINED, MethodName.GAP_DRIVEN)


def show(run: RunSummary, reader: Ui) -> None:
    """Show the plan of a run that is under way, from when it is drafted until research begins."""
    if _method(run.brief) not in _PLANNED:
        return
    draft = _draft(run.id)
    if _is_over(current(run.id)):
        if draft is not None:
            _close(run.id)
            said = reader._("Research began before your changes were saved; they were not used.")
            st.warning(said, icon=":material/schedule:")
    elif draft is None:
        _proposal(run, reader)
    else:
        with st.container(key="plan_editor"):
            st.subheader(reader._("Edit the plan"), anchor=False)
            _watch(run, reader)
            _editor(draft, reader)
            st.space("small")


@st.fragment(run_every=_EVERY)
def _proposal(run: RunSummary, reader: Ui) -> None:
    with no_traceback(reader):
        state = current(run.id)
        if _is_over(state):
            st.rerun()
        if state.plan.begins_at is not None:
            with st.container(border=True, key="plan"):
                _draw(run, state, reader)
            st.space("small")


def _draw(run: RunSummary, state: LiveState, reader: Ui) -> None:
    plan, begun = state.plan, _key("begun", run.id) in st.session_state
    st.subheader(reader._("The plan"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center", key="plan_actions"):
        _clock(None if begun else plan.begins_at, reader._("Research begins by itself in {time}"), reader)
        st.button(
            reader._("Start now"),
            type="primary",
            icon=":material/play_arrow:",
            disabled=begun,
            on_click=_begin,
            args=(run.id,),
            key="plan_begin",
        )
        if st.button(
            reader._("Edit"),
            icon=":material/edit:",
            help=reader._("Change, move, add or remove sections. Research waits for you."),
            disabled=begun,
            on_click=_edit,
            args=(run,),
            key="plan_edit",
        ):
            st.rerun()
    if plan.outline is not None:
        tree = plan_card(plan.outline, plan.depth, run.brief.language, reader)
        component.show(tree, key="plan_card", language=reader.language)


@st.fragment(run_every=_EVERY)
def _watch(run: RunSummary, reader: Ui) -> None:
    """Show how long the plan still waits; close the form when research begins without it."""
    with no_traceback(reader):
        state = current(run.id)
        if _is_over(state):
            st.rerun()
        text = reader._("Research waits for you. In {time} it begins with the plan as it was.")
        _clock(state.plan.begins_at, text, reader)


@st.fragment
def _editor(draft: Draft, reader: Ui) -> None:
    with no_traceback(reader):
        if draft is not _draft(draft.run):
            st.rerun()
        plan_form.show(draft, reader, begin=lambda: _save(draft), cancel=lambda: _close(draft.run))


def _clock(until: datetime | None, text: str, reader: Ui) -> None:
    """Show how long the plan waits; None stands for one that waits no longer."""
    seconds = (until - datetime.now(UTC)).total_seconds() if until else 0.0
    over = reader._("Research begins…")
    countdown.show(seconds, text, over, key="plan_clock", language=reader.language)


# --- what the buttons do


def _begin(run_id: str) -> None:
    engine().runner.steer(run_id, BeginWithPlan())
    st.session_state[_key("begun", run_id)] = True


def _edit(run: RunSummary) -> None:
    outline, brief = current(run.id).plan.outline, run.brief
    if outline is None:
        return
    engine().runner.steer(run.id, HoldPlan())
    at_most = max(PRESETS[brief.preset].limits.methods.sections, len(outline.sections))
    has_needs = _method(brief) is MethodName.GAP_DRIVEN
    st.session_state[_key("draft", run.id)] = Draft.of(run.id, outline, at_most=at_most, has_needs=has_needs)


def _save(draft: Draft) -> None:
    engine().runner.steer(draft.run, BeginWithPlan(outline=draft.edited()))
    st.session_state[_key("begun", draft.run)] = True
    _close(draft.run)


def _close(run_id: str) -> None:
    st.session_state.pop(_key("draft", run_id), None)


# --- what is known


def _draft(run_id: str) -> Draft | None:
    """Return the plan that this session is editing."""
    return st.session_state.get(_key("draft", run_id))


def _is_over(state: LiveState) -> bool:
    """Whether no plan waits any more, nor will."""
    has_ended = state.phase in (Phase.WRITING, Phase.ENDED)
    return state.plan.is_settled or has_ended or state.finish_requested or state.stop_requested


def _method(brief: Brief) -> MethodName:
    return brief.method or PRESETS[brief.preset].method


def _key(name: str, run_id: str) -> str:
    return f"plan_{name}_{run_id}"
