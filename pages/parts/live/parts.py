"""The plan of a run that plans no sections: the parts of its question, read and changed while it is researched.

Nothing waits for it: who changes it begins anew, and what is under way is stopped only then.
"""

from __future__ import annotations

import streamlit as st
from pydantic import ValidationError

from pages.parts.engine import current, engine, is_running, own_library
from pages.parts.live.plan import PLAN_EDIT, plans_sections
from pages.parts.nodes import show_nodes
from pages.parts.start.brief import complaints_about
from pages.parts.start.parts import part_fields, plan_nodes, understood_nodes
from pages.parts.ui import Ui, go_to, no_traceback, verbatim
from research.core import Brief, Phase, ResearchError, StopNow
from research.store import RunSummary


def show_parts_plan(run: RunSummary, reader: Ui) -> None:
    """Show the parts of the question: as the plan of a run or its form, and briefly where that is over or another.

    A run may end, or its report be begun, while its plan is about to be opened. A press that comes after that still
    finds its button, out of sight, and opens the form: a changed plan begins anew either way.
    """
    if is_changing_parts(run.id):
        with st.container(key="plan_editor"):
            st.header(reader._("Edit the plan"), anchor=False)
            _editor(run, reader)
            st.space("small")
        return
    runs = is_running(run.id)
    if runs and not plans_sections(run.brief) and current(run.id).phase is not Phase.WRITING:
        st.session_state[_seen(run.id)] = True
        with st.container(border=True, key="plan", gap="small"):
            _plan(run, reader)
        return
    if runs:
        show_nodes(understood_nodes(run.question, reader), key="understood", language=reader.language)
    if _seen(run.id) in st.session_state:
        with st.container(key="parts_pressed_late"):  # not to be seen
            _edit_button(run, reader)


def is_changing_parts(run_id: str) -> bool:
    """Whether this session has the plan open as a form; it stays so when the run ends meanwhile."""
    return _held(run_id) in st.session_state


def _plan(run: RunSummary, reader: Ui) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="plan_head"):
        st.header(reader._("The plan"), anchor=False, width="content")
        _edit_button(run, reader)
    show_nodes(plan_nodes(run.question, reader, run.brief.language), key="plan_card", language=reader.language)


def _edit_button(run: RunSummary, reader: Ui) -> None:
    st.button(
        reader._("Edit"),
        icon=":material/edit:",
        help=reader._("Change, move, add or remove parts of the question. Research goes on meanwhile."),
        on_click=_open,
        args=(run,),
        key=PLAN_EDIT,
    )


@st.fragment
def _editor(run: RunSummary, reader: Ui) -> None:
    with no_traceback(reader):
        if not is_changing_parts(run.id):
            st.rerun()
        st.caption(
            reader._(
                "Each part is searched, counted and answered by itself. Research goes on meanwhile; with another plan "
                "it begins anew, and this run is stopped."
            )
        )
        part_fields(_held(run.id), reader)
        with st.container(horizontal=True):
            wants = st.button(
                reader._("Save and start"), type="primary", icon=":material/play_arrow:", key="parts_begin"
            )
            st.button(reader._("Cancel"), on_click=_close, args=(run.id,), key="parts_cancel")
        if wants:
            _begin(run, reader)


def _begin(run: RunSummary, reader: Ui) -> None:
    """Start a run with the changed question, stop the one under way, and go to the new one; else say why not."""
    question = str(st.session_state[_held(run.id)])
    if question == run.question:
        _close(run.id)
        st.rerun()
    try:
        brief = Brief.model_validate(run.brief.model_dump() | {"question": question})
        begun = engine().runner.start(brief, library=own_library(), attended=True)
        if is_running(run.id):
            engine().runner.steer(run.id, StopNow())
    except ValidationError as error:
        for complaint in complaints_about(error, {"question": question}, reader):
            st.error(verbatim(complaint), icon=":material/error:")
    except ResearchError as error:
        said = reader._("The run could not be started: {reason}").format(reason=reader.reason(error))
        st.error(verbatim(said), icon=":material/error:")
    else:
        _close(run.id)
        go_to("pages/run.py", query_params={"id": begun})


def _open(run: RunSummary) -> None:
    st.session_state[_held(run.id)] = run.question


def _close(run_id: str) -> None:
    st.session_state.pop(_held(run_id), None)


def _seen(run_id: str) -> str:
    """Return the name under which the session holds that the plan was shown with a button that opens it."""
    return f"plan_parts_seen_{run_id}"


def _held(run_id: str) -> str:
    """Return the name under which the session holds the question as it is being changed."""
    return f"plan_parts_{run_id}"
