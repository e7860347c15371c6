"""A run that has ended: its report, its sources, how it was done."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.library import run_library_actions
from pages.parts.library.run_nodes import OPEN_RUN
from pages.parts.live import live_run, timeline_panel
from pages.parts.live.lane_nodes import activity
from pages.parts.live.live_view import LiveState
from pages.parts.live.run_state import current
from pages.parts.nodes import Element, el, icon
from pages.parts.report import (
    downloads,
    figures_tab,
    follow_up_panel,
    notes_tab,
    report_tab,
    rewrite_dialog,
    run_books,
    run_menu,
    run_tabs,
    source_drawer,
)
from pages.parts.report.contradiction_nodes import contradictions
from pages.parts.report.header_nodes import header
from pages.parts.report.report_nodes import CitedReport
from pages.parts.report.source_nodes import Known, sources
from pages.parts.session import no_traceback
from pages.parts.start import form, form_values
from pages.parts.start.brief_nodes import brief as in_words
from pages.parts.ui import Ui
from research.brief import Brief
from research.errors import UsageError
from research.export.front_matter import title_of
from research.notes import notes_of
from research.report import RunRecord
from research.runs.follow_ups import origin_of
from research.runs.model import RunState, RunSummary
from research.runs.reports import load_report
from research.runs.resumable import can_resume
from research.trail import Trail


def show(run: RunSummary, reader: Ui) -> None:
    """Show everything that the run left behind."""
    state, record = current(run.id), engine().store.record(run.id)
    state.end()
    component.show(header(state, run.state, datetime.now(UTC), reader), key="run_head", language=reader.language)
    _origin(run, reader)
    _downloads(run, state, reader)
    run_menu.dialogs(reader)
    _ending(run, state, reader)
    _tabs(run, state, record, reader)


@st.fragment
def _tabs(run: RunSummary, state: LiveState, record: RunRecord | None, reader: Ui) -> None:
    """Show the report and what stands behind it; a fragment, so that a filter or another tab redraws only this."""
    with no_traceback(reader):
        _draw_tabs(run, state, record, reader)


def _draw_tabs(run: RunSummary, state: LiveState, record: RunRecord | None, reader: Ui) -> None:
    cited = CitedReport.of_record(record, state) if record else CitedReport.of_draft(run.brief, state)
    found = run_books.findings(run.id)
    trail = record.trail if record else Trail()
    notes = notes_of(state.notes)
    names = [
        reader._("Report"),
        reader._("Figures"),
        reader._("Contradictions ({count})").format(count=reader.number(len(found.contradictions))),
        reader._("Sources ({count})").format(count=reader.number(len(state.pages))),
        *([reader._("Notes ({count})").format(count=reader.number(len(notes)))] if notes else []),
        reader._("How it was done"),
    ]
    is_told = bool(cited.draft.strip()) or run.state is RunState.FAILED  # what went wrong stands under the report
    first = 0 if is_told else len(names) - 1
    text, table, differing, listed, *noted, done = run_tabs.tabs(run.id, names, first, reader)
    with text:
        report_tab.show(cited, record.writer if record else state.report_by, state, trail, reader)
        if state.evidence:
            follow_up_panel.show(run.id, cited, reader)
    with table:
        if table.open:  # the table is made only for those who look at it
            figures_tab.show(run.id, {quote.id for quotes in cited.cited.values() for quote in quotes}, state, reader)
    with differing:
        cards = contradictions(found.contradictions, state.pages, reader, found.added)
        component.show(cards, key="contradictions", language=reader.language, on_message=source_drawer.open_source)
    with listed:
        known = Known(found.day, found.kinds, found.remarks, follow_up_panel.added_days(run.id, reader))
        tree = sources(follow_up_panel.with_follow_ups(cited, run.id), known, reader) or [
            el("div", "mode measure", icon("search_off"), el("strong", "", reader._("No source was read.")))
        ]
        component.show(tree, key="sources", language=reader.language, on_message=source_drawer.open_source)
    for tab in noted:
        with tab:
            if tab.open:
                notes_tab.show(notes, record or load_report(engine().store, run.id).record, state, reader)
    with done:
        _log(run.id, state, reader)


def _ending(run: RunSummary, state: LiveState, reader: Ui) -> None:
    """Say plainly if the run did not end as it should."""
    match run.state:
        case RunState.PARTIAL:
            st.warning(
                reader._("This report is incomplete. What is missing, and why, stands below it."),
                icon=":material/contrast:",
            )
        case RunState.FAILED:
            st.error(reader._("This run brought no report. What went wrong stands below."), icon=":material/error:")
        case RunState.INTERRUPTED:
            said = reader._("This run broke off because the program ended. What it had found until then stands below.")
            if not state.pages:
                said = reader._("This run broke off because the program ended, before it had found anything.")
            st.warning(said, icon=":material/pause_circle:")
            _resuming(run, reader)


def _resuming(run: RunSummary, reader: Ui) -> None:
    """Offer to go on with a run that broke off, if it can."""
    if not can_resume(engine().store, run):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="resuming"):
        st.button(
            reader._("Continue this run"),
            type="primary",
            icon=":material/play_arrow:",
            on_click=run_library_actions.resume,
            args=(run.id, reader),
            key="resume",
        )
        st.caption(reader._("Finished topics stay as they are, and pages that were read cost nothing again."))


def _origin(run: RunSummary, reader: Ui) -> None:
    """Say of which other run this one is a part, if it is."""
    origin = origin_of(engine().store, run.id)
    lines = [
        (
            origin.rewritten_from,
            "edit_document",
            reader._("Written anew from the evidence of another run; nothing was searched."),
        ),
        (origin.follow_up_to, "travel_explore", reader._("A search for a question about the report of another run.")),
    ]
    tree = [
        el("p", "origin", icon(symbol), el("span", "", words, _way(name, reader)), key=symbol)
        for name, symbol, words in lines
        if name
    ]
    if tree:
        component.show(tree, key="origin", language=reader.language, on_message=_open)


def _way(run_id: str, reader: Ui) -> Element | None:
    """Return the way to a run, or nothing if it has been deleted."""
    try:
        engine().store.get(run_id)
    except UsageError:
        return None
    return el("a", "textual", reader._("Open that run"), href=f"./run?id={run_id}", data_send=OPEN_RUN + run_id)


def _open(message: str) -> None:
    st.switch_page("pages/run.py", query_params={"id": message.removeprefix(OPEN_RUN)})


def _downloads(run: RunSummary, state: LiveState, reader: Ui) -> None:
    markdown = engine().store.markdown(run.id) or ""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        if markdown or state.evidence:
            downloads.show(run.id, title_of(markdown, run.question), reader)
        st.button(
            reader._("Edit and run again"),
            icon=":material/replay:",
            help=reader._("Open the form with this run's brief."),
            on_click=_again,
            args=(run.brief,),
            key="again",
        )
        if state.evidence:
            rewrite_dialog.button(run.id, run.brief, reader)
        if run.follows and st.button(
            reader._("What changed since last time"), icon=":material/difference:", key="changes"
        ):
            run_library_actions.show_changes(run)
        run_menu.show(run, reader)


def _again(brief: Brief) -> None:
    form.fill(form_values.of_brief(brief))
    st.switch_page("pages/new_research.py")


def _log(run_id: str, state: LiveState, reader: Ui) -> None:
    timeline_panel.show(run_id, reader, live=False)
    component.show(
        activity(state, reader, live_run.unfolded()), key="activity", language=reader.language, on_message=live_run.hear
    )
    if state.brief:
        st.subheader(reader._("The brief"), anchor=False)
        component.show(in_words(state.brief), key="run_brief", language=state.brief.language)
