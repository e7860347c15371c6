"""Schedules: what is asked again and again, when it is next, and the runs that came of it."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import carry_out_waiting, engine
from pages.parts.frame import enter
from pages.parts.library.actions import show_run_notice
from pages.parts.nodes import show_nodes
from pages.parts.schedules import answer_schedule, heard, open_schedule_form, schedule_rows, show_schedule_form
from pages.parts.ui import Ui, show_notice, verbatim
from research.store import health, schedules

_OF_RUN = "run"
"""In the address: the run whose brief is to be asked again and again."""


def main() -> None:
    """Show the page."""
    reader = enter()
    carry_out_waiting()
    kept = schedules(engine().store)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="page_head"):
        st.title(reader._("Schedules"), anchor=False, width="content")
        if kept:
            _new(reader)
    st.caption(verbatim(_about(reader)))
    if engine().settings.uses_workers and not health(engine().store).workers:
        lacks = reader._("No worker is running, so nothing is carried out. Start one: {command}")
        st.warning(verbatim(lacks.format(command="python -m research worker")), icon=":material/engineering:")
    show_notice()
    show_run_notice()
    if kept:
        rows = schedule_rows(kept, reader)
        show_nodes(rows, key="schedules", language=reader.language, on_message=lambda told: heard(told, reader))
        answer_schedule(kept, reader)
    else:
        _none(reader)
    if of_run := st.query_params.get(_OF_RUN):
        del st.query_params[_OF_RUN]
        open_schedule_form(of_run)
    show_schedule_form(reader)


def _about(reader: Ui) -> str:
    if engine().settings.uses_workers:
        return reader._("Workers ask these questions at their times, and say what changed since the time before.")
    return reader._(
        "While this workbench runs, questions are asked at set times, and each run says what changed since the last. "
        "One run makes up for all times missed."
    )


def _new(reader: Ui) -> None:
    st.button(
        reader._("New schedule"),
        icon=":material/add:",
        type="primary",
        key="schedule_new",
        on_click=open_schedule_form,
    )


def _none(reader: Ui) -> None:
    """Say that nothing is scheduled, and offer to."""
    with st.container(border=True, horizontal_alignment="center", gap="medium"):
        st.space("small")
        st.header(reader._("Nothing is scheduled yet"), anchor=False, text_alignment="center")
        st.caption(
            reader._("Choose a template or an earlier run, and when it is asked: every Monday at 8:00, for instance."),
            text_alignment="center",
        )
        _new(reader)
        st.space("small")


main()
