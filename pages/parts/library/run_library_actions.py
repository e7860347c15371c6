"""What is done with a run of the library, once its row or menu has asked for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.parts.engine import engine, own_library
from pages.parts.library import run_library
from pages.parts.library.run_nodes import (
    CHANGE_RUN,
    COMPARE_RUN,
    DELETE_RUN,
    EXPORT_RUN,
    LABEL_RUN,
    OPEN_RUN,
    REPEAT_RUN,
    SHOW_CHANGES,
    SHOW_TAG,
    STAR_RUN,
    UNSTAR_RUN,
)
from pages.parts.live import run_state
from pages.parts.start import form, form_values
from pages.parts.ui import Ui
from research.errors import ResearchError, StoreError, UsageError
from research.runs.labels import follow, star
from research.runs.model import RunState, RunSummary

ASKED, COMPARING, NOTICE = "runs_asked", "runs_comparing", "runs_notice"


@dataclass(frozen=True)
class Asked:
    """A dialog that a menu has asked for."""

    what: str
    """The message that asked for it."""
    run: str


def hear(message: str, reader: Ui) -> None:
    """Do what a row or menu asks for; what cannot be done is said on the page, which stays as it is."""
    kind, _, subject = message.partition(":")
    act = _ACTS.get(f"{kind}:")
    if act is None:
        return
    try:
        act(subject, reader)
    except StoreError:
        notify(not_saved(reader))
    except UsageError:
        notify(reader._("This run is not there any more."))


def notify(sentence: str) -> None:
    """Say something above the list the next time that the page is drawn."""
    st.session_state[NOTICE] = sentence


def not_saved(reader: Ui) -> str:
    """Return what to say if the store cannot be written."""
    return reader._(
        "This could not be saved, and nothing was changed. Another program may be using the store, or the disk may be "
        "full. Try again in a moment."
    )


def repeat(run: RunSummary, reader: Ui) -> None:
    """Start a run with the same brief, linked to this one, and go there; if it cannot start, say why."""
    library = own_library()
    try:
        again = engine().runner.start(run.brief, library=library, attended=True)
    except ResearchError as error:
        notify(reader._("The run could not be started: {reason}").format(reason=reader.reason(error)))
        return
    try:
        follow(engine().store, again, run.id)
    except ResearchError:
        st.toast(reader._("The run is under way, but could not be linked to the earlier one."), icon=":material/info:")
    st.switch_page("pages/run.py", query_params={"id": again})


def resume(run_id: str, reader: Ui) -> None:
    """Let a run that broke off go on; if it cannot, say why on its page."""
    library = own_library()
    try:
        engine().runner.resume(run_id, library=library, attended=True)
    except ResearchError as error:
        notify(reader._("The run could not be continued: {reason}").format(reason=reader.reason(error)))
        return
    run_state.forget()


def show_changes(run: RunSummary) -> None:
    """Go to where a run is compared with the one that it repeats."""
    st.switch_page("pages/compare.py", query_params={"runs": f"{run.follows},{run.id}"})


def _open(run_id: str, reader: Ui) -> None:
    st.switch_page("pages/run.py", query_params={"id": run_id})


def _star(run_id: str, reader: Ui) -> None:
    star(engine().store, run_id, True)


def _unstar(run_id: str, reader: Ui) -> None:
    star(engine().store, run_id, False)


def _change(run_id: str, reader: Ui) -> None:
    form.fill(form_values.of_brief(engine().store.get(run_id).brief))
    st.toast(
        reader._("The form is filled in as for that run. Change what you like, then start."),
        icon=":material/edit_note:",
    )
    st.switch_page("pages/new_research.py")


def _compare(run_id: str, reader: Ui) -> None:
    """Remember the first of two runs, or go on with both, the older one first."""
    first = comparing()
    if first is None:
        st.session_state[COMPARING] = run_id
        return
    st.session_state.pop(COMPARING)
    if first.id != run_id:
        second = engine().store.get(run_id)
        both = sorted((first, second), key=lambda run: (run.created_at, run.id))
        st.switch_page("pages/compare.py", query_params={"runs": ",".join(run.id for run in both)})


def comparing() -> RunSummary | None:
    """Return the run for which another one is being chosen."""
    chosen = st.session_state.get(COMPARING)
    try:
        return engine().store.get(chosen) if chosen else None
    except UsageError:
        st.session_state.pop(COMPARING)
        return None


def _ask(what: str) -> Callable[[str, Ui], None]:
    def act(run_id: str, reader: Ui) -> None:
        if what == DELETE_RUN and engine().store.get(run_id).state is RunState.RUNNING:
            notify(reader._("The run is still under way. Stop it before deleting it."))
            return
        st.session_state[ASKED] = Asked(what, run_id)

    return act


_ACTS: dict[str, Callable[[str, Ui], None]] = {
    OPEN_RUN: _open,
    STAR_RUN: _star,
    UNSTAR_RUN: _unstar,
    REPEAT_RUN: lambda run_id, reader: repeat(engine().store.get(run_id), reader),
    CHANGE_RUN: _change,
    COMPARE_RUN: _compare,
    SHOW_CHANGES: lambda run_id, reader: show_changes(engine().store.get(run_id)),
    SHOW_TAG: lambda tag, reader: run_library.show_tag(tag),
    LABEL_RUN: _ask(LABEL_RUN),
    EXPORT_RUN: _ask(EXPORT_RUN),
    DELETE_RUN: _ask(DELETE_RUN),
}
