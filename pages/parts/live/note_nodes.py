"""Research notes of a run under way: what each query brought, in the order of its steps."""

from __future__ import annotations

from pages.parts.live.lane_view import Phase
from pages.parts.live.live_view import LiveState
from pages.parts.markdown_nodes import report_body
from pages.parts.nodes import Element, el, group, sender
from pages.parts.report.quote_links import quote_links
from pages.parts.report.source_messages import SHOW_PAGE
from pages.parts.ui import Ui
from research.citations import cite
from research.events import NoteTaken
from research.language import Language


def notes(state: LiveState, ui: Ui) -> list[Element]:
    """Return the notes taken so far, by step; none once the run has ended, when they have a place of their own."""
    if not state.notes or state.phase is Phase.ENDED:
        return []
    label = ui.n_("{count} research note", "{count} research notes", len(state.notes))
    cards = [_note(note, state, ui) for note in sorted(state.notes, key=lambda note: note.step)]
    return [el("h3", "notes-title", label, key="notes-title"), group("ol", "note-cards", cards, key="notes")]


def _note(note: NoteTaken, state: LiveState, ui: Ui) -> Element:
    language = state.brief.language if state.brief else Language.EN
    clean = cite(note.summary, state.evidence).draft
    body = report_body(clean, lambda ids: quote_links(ids, state.evidence, ui), language)
    sources = [
        el("li", "", sender(SHOW_PAGE + name, "title", state.pages[name].title), key=name)
        for name in note.sources
        if name in state.pages
    ]
    return el(
        "li", "note-card",
        el("p", "step", ui._("Step {step}").format(step=ui.number(note.step))),
        el("h4", "", note.query),
        group("div", "note-body", body, lang=language.value),
        el("details", "more", el("summary", "", _counted(len(sources), ui)), group("ul", "note-sources", sources))
        if sources else None,
        key=f"note-{note.step}",
    )  # fmt: skip


def _counted(sources: int, ui: Ui) -> str:
    return ui.n_("{count} source", "{count} sources", sources)
