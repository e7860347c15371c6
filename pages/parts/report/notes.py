"""Research notes, and what a finished run's books hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import streamlit as st

from pages.parts.engine import engine
from pages.parts.nodes import Element, el, group, show_nodes
from pages.parts.report.sources import open_source
from pages.parts.report.text import CitedReport, report, source_list
from pages.parts.session import no_traceback
from pages.parts.ui import Ui, verbatim
from research.core import RunView
from research.export.notes import clean_notes, note_numbers, notes_json, notes_markdown
from research.quantities import FigureRow, figure_rows
from research.results import Remark, ResearchNote, RunRecord, added_on, concentration
from research.sources import KindDecision, decision_for
from research.store import delete_notes, follow_ups_to, load_report
from research.verification import Contradiction, Quantity, quantities_in


def show_notes(notes: Sequence[ResearchNote], record: RunRecord, state: RunView, reader: Ui) -> None:
    """Show the notes of a run; `state` holds its pages and quotes."""
    tree, cards = note_cards(notes, record, state, reader)
    show_nodes(tree, key="notes", language=reader.language, cards=cards, on_message=open_source)
    with st.container(horizontal=True, vertical_alignment="center"):
        _download(reader._("Download notes as Markdown"), notes_markdown(notes, record), f"{record.run}-notes.md")
        _download(reader._("Download notes as JSON"), notes_json(notes, record), f"{record.run}-notes.json")
        with st.popover(reader._("Delete the notes"), icon=":material/delete:"):
            _ask(record.run, state, reader)


def note_cards(
    notes: Sequence[ResearchNote], record: RunRecord, state: RunView, ui: Ui
) -> tuple[list[Element], dict[str, list[Element]]]:
    """Return the notes by step, and the cards that their citations open; numbers are those of the report."""
    clean = clean_notes(notes, record)
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
        verbatim(label), data=data, file_name=name, mime=mime, icon=":material/download:", on_click="ignore", key=name
    )


def _ask(run_id: str, state: RunView, reader: Ui) -> None:
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


def _delete(run_id: str, state: RunView, reader: Ui) -> None:
    with no_traceback(reader):
        delete_notes(engine().store, run_id)
        state.forget_notes()  # what this session has read of the run already


_KEPT = 8
"""Runs of which the results are kept."""


@dataclass(frozen=True)
class RunFindings:
    """What was found in the sources of a run."""

    day: date
    """That of the run."""
    contradictions: tuple[Contradiction, ...]
    kinds: dict[str, KindDecision]
    """Kind of each page, with its rule, by page id."""
    remarks: tuple[Remark, ...]
    added: dict[str, date]
    """The day on which a quote joined the run by a further question, by its id."""


def findings_of_run(run_id: str) -> RunFindings:
    """Return what was found in the sources of a run that has ended, and in what joined it since."""
    return _findings(run_id, _stand(run_id))


def figures_of_run(run_id: str) -> list[FigureRow]:
    """Return every figure in the evidence of a run, and in what joined it since."""
    return _figures(run_id, _stand(run_id))


def series_of_run(run_id: str) -> list[Quantity]:
    """Return what several figures of a run measure in common."""
    return _series(run_id, _stand(run_id))


def _stand(run_id: str) -> tuple[str, ...]:
    """Return what changes with what is known: when a run ended, as one that broke off may go on, and what joined it."""
    store = engine().store
    joined = (one.answer.run for one in follow_ups_to(store, run_id) if one.answer.run)
    return str(store.get(run_id).finished_at), *joined


@st.cache_data(show_spinner=False, max_entries=_KEPT)
def _findings(run_id: str, stand: tuple[str, ...]) -> RunFindings:
    report = load_report(engine().store, run_id)
    held = {quote.id: quote for quote in report.evidence_now}
    cited = [[name for name in sentence.evidence if name in held] for sentence in report.record.sentences]
    return RunFindings(
        report.record.day,
        report.contradictions_now,
        {name: decision_for(page) for name, page in report.pages.items()},
        concentration(cited, held, report.pages),
        added_on(report.view),
    )


@st.cache_data(show_spinner=False, max_entries=_KEPT)
def _figures(run_id: str, stand: tuple[str, ...]) -> list[FigureRow]:
    report = load_report(engine().store, run_id)
    return figure_rows(report.evidence_now, report.pages)


@st.cache_data(show_spinner=False, max_entries=_KEPT)
def _series(run_id: str, stand: tuple[str, ...]) -> list[Quantity]:
    return quantities_in(_figures(run_id, stand))
