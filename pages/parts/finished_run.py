"""A run that has ended: its report, its sources, how it was done."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from pages.parts import component, form, form_values, live_run, source_drawer
from pages.parts.brief_nodes import brief as in_words
from pages.parts.engine import engine
from pages.parts.header_nodes import header, problems, skipped
from pages.parts.lane_nodes import activity
from pages.parts.live_view import LiveState
from pages.parts.nodes import Element, el, icon
from pages.parts.report_nodes import CitedReport, report, sources
from pages.parts.run_state import current
from pages.parts.ui import Ui
from research.brief import Brief
from research.presets import Role
from research.report import RunRecord
from research.runs.model import RunState, RunSummary


def show(run: RunSummary, reader: Ui) -> None:
    """Show everything that the run left behind."""
    state, record = current(run.id), engine().store.record(run.id)
    state.end()
    component.show(header(state, run.state, datetime.now(UTC), reader), key="run_head", language=reader.language)
    _downloads(run, reader)
    _ending(run, reader)
    cited = CitedReport.of_record(record, state) if record else CitedReport.of_draft(run.brief, state)
    names = [
        reader._("Report"),
        reader._("Sources ({count})").format(count=reader.number(len(state.pages))),
        reader._("How it was done"),
    ]
    first = names[0] if cited.draft.strip() else names[2]
    text, listed, done = st.tabs(names, default=first, key="run_tabs")
    with text:
        _report(cited, state, record, reader)
    with listed:
        tree = sources(cited, reader) or [el("p", "faint", reader._("No source was read."))]
        component.show(tree, key="sources", language=reader.language, on_message=source_drawer.open_source)
    with done:
        _log(state, reader)


def _ending(run: RunSummary, reader: Ui) -> None:
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
            st.warning(
                reader._("This run broke off because the program ended. What it had found until then stands below."),
                icon=":material/pause_circle:",
            )


def _downloads(run: RunSummary, reader: Ui) -> None:
    markdown = engine().store.markdown(run.id)
    with st.container(horizontal=True, vertical_alignment="center"):
        if markdown:
            st.download_button(
                reader._("Download Markdown"),
                data=markdown,
                file_name=f"{run.id}.md",
                mime="text/markdown",
                icon=":material/download:",
                on_click="ignore",
                key="download_markdown",
            )
        st.button(
            reader._("Edit and run again"),
            icon=":material/replay:",
            help=reader._("Open the form with this run's brief."),
            on_click=_again,
            args=(run.brief,),
            key="again",
        )


def _again(brief: Brief) -> None:
    form.fill(form_values.of_brief(brief))
    st.switch_page("pages/new_research.py")


def _report(cited: CitedReport, state: LiveState, record: RunRecord | None, reader: Ui) -> None:
    body, cards = report(cited, reader)
    if not cited.draft.strip():
        body = [el("p", "faint", reader._("There is no report. What was found stands under the other two headings."))]
    tree: list[Element] = [_writer(record.writer if record else state.report_by, state, reader), *body]
    component.show(tree, key="report", language=reader.language, cards=cards, on_message=source_drawer.open_source)
    shown = [*problems(state.problems, reader), *skipped(state, reader)]
    if shown:
        st.subheader(reader._("Limits of this report"), anchor=False)
        component.show(shown, key="run_problems", language=reader.language)


def _writer(writer: str, state: LiveState, reader: Ui) -> Element:
    """Say who wrote the report, and what that means for the reader."""
    if writer == "extractive":
        symbol, head = "rule", reader._("Composed by rule of verbatim quotes")
        what = reader._("No model wrote any of it. Each number opens the quote and the page in which it stands.")
    else:
        symbol = "smart_toy"
        head = reader._("Written by the model {model}").format(model=state.models.get(Role.FINAL_REPORT, writer))
        what = reader._(
            "Every quote behind a number stands in its page. What the sentences make of it was not checked: "
            "open the number and see."
        )
    if not writer:
        symbol, head, what = (
            "pause_circle",
            reader._("Not finished"),
            reader._("This is as far as the report was written."),
        )
    return el("div", "mode measure", icon(symbol), el("strong", "", head), el("p", "", what), key="writer")


def _log(state: LiveState, reader: Ui) -> None:
    component.show(
        activity(state, reader, live_run.unfolded()), key="activity", language=reader.language, on_message=live_run.hear
    )
    if state.brief:
        st.subheader(reader._("The brief"), anchor=False)
        component.show(in_words(state.brief), key="run_brief", language=state.brief.language)
