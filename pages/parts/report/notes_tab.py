"""The research notes of a run that has ended: to read, to take along, to delete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.live.live_view import LiveState
from pages.parts.nodes import Element, el, group
from pages.parts.report import source_drawer
from pages.parts.report.report_nodes import CitedReport, report
from pages.parts.report.section_nodes import source_list
from pages.parts.session import no_traceback
from pages.parts.ui import Ui
from research.export.notes import cleaned, note_numbers, notes_json, notes_markdown
from research.notes import ResearchNote
from research.report import RunRecord
from research.runs.notes import delete_notes


def show(notes: Sequence[ResearchNote], record: RunRecord, state: LiveState, reader: Ui) -> None:
    """Show the notes of a run; `state` holds its pages and quotes."""
    tree, cards = note_cards(notes, record, state, reader)
    component.show(tree, key="notes", language=reader.language, cards=cards, on_message=source_drawer.open_source)
    with st.container(horizontal=True, vertical_alignment="center"):
        _download(reader._("Download notes as Markdown"), notes_markdown(notes, record), f"{record.run}-notes.md")
        _download(reader._("Download notes as JSON"), notes_json(notes, record), f"{record.run}-notes.json")
        with st.popover(reader._("Delete the notes"), icon=":material/delete:"):
            _ask(record.run, state, reader)


def note_cards(
    notes: Sequence[ResearchNote], record: RunRecord, state: LiveState, ui: Ui
) -> tuple[list[Element], dict[str, list[Element]]]:
    """Return the notes by step, and the cards that their citations open; numbers are those of the report."""
    clean = cleaned(notes, record)
    whole = replace(CitedReport.of_record(record, state), numbers=note_numbers(clean, record), sentences=(), day=None)
    shown: list[Element] = []
    cards: dict[str, list[Element]] = {}
    for note in clean:
        body, more = report(replace(whole, draft=note.summary), ui)
        cards |= more
        shown.append(_card(note, body, whole, record, ui))
    said = ui._("What each query brought, noted down as its results came in. Numbers are those of the report.")
    return [el("p", "faint measure", said, key="said"), group("ol", "research-notes", shown, key="cards")], cards


def _card(note: ResearchNote, body: list[Element], cited: CitedReport, record: RunRecord, ui: Ui) -> Element:
    sources = [
        (el("span", "number", str(cited.numbers[page])), cited.pages[page])
        for page in sorted(note.sources, key=cited.numbers.__getitem__)
        if page in cited.pages
    ]
    return el(
        "li", "research-note",
        el("p", "step", ui._("Step {step}").format(step=ui.number(note.step))),
        el("h3", "", note.query, lang=cited.brief.language.value),
        *body,
        source_list(ui._("Sources"), sources, record.day, ui) if sources else None,
        key=f"note-{note.step}",
    )  # fmt: skip


def _download(label: str, data: str, name: str) -> None:
    mime = "application/json" if name.endswith(".json") else "text/markdown"
    st.download_button(
        label, data=data, file_name=name, mime=mime, icon=":material/download:", on_click="ignore", key=name
    )


def _ask(run_id: str, state: LiveState, reader: Ui) -> None:
    """Ask once more before the notes of this run, and nothing else, are deleted."""
    st.caption(reader._("The notes of this run are deleted for good. Its report, sources and quotes stay."))
    st.button(
        reader._("Delete"),
        type="primary",
        icon=":material/delete:",
        key="delete_notes",
        on_click=_delete,
        args=(run_id, state, reader),
    )


def _delete(run_id: str, state: LiveState, reader: Ui) -> None:
    with no_traceback(reader):
        delete_notes(engine().store, run_id)
        state.notes.clear()  # what this session has read of the run already
