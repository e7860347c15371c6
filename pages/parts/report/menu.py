"""What can be done with a finished run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages.parts.engine import engine
from pages.parts.library.actions import NOTICE, comparing_runs, handle_run_action, show_run_dialog
from pages.parts.library.runs import COMPARE_RUN, DELETE_RUN, EXPORT_RUN, LABEL_RUN, REPEAT_RUN, STAR_RUN, UNSTAR_RUN
from pages.parts.report.links import asking
from pages.parts.session import no_traceback
from pages.parts.start.values import labels
from pages.parts.ui import NAMES, Ui, verbatim
from research.core import PRESETS, Audience, Brief, Length, OutputForm, ResearchError, Summary, Tone, Vocabulary
from research.language import Language
from research.store import RunSummary


def show_run_menu(run: RunSummary, reader: Ui) -> None:
    """Show the button that opens the menu, and do what is chosen in it."""
    entries = _entries(run, reader)
    chosen = st.menu_button(
        reader._("More actions"),
        list(entries),
        format_func=lambda message: entries[message],
        icon=":material/more_horiz:",
        key=f"run_menu_{run.id}",
    )
    if chosen:
        handle_run_action(chosen + run.id, reader)
        if chosen == COMPARE_RUN:
            st.switch_page("pages/runs.py")
        st.rerun()


def show_menu_dialogs(reader: Ui) -> None:
    """Show what the menu has opened, and what could not be done."""
    if NOTICE in st.session_state:
        st.warning(verbatim(st.session_state.pop(NOTICE)), icon=":material/info:")
    show_run_dialog(reader)


def _entries(run: RunSummary, reader: Ui) -> dict[str, str]:
    """Return the name of each entry, by the message that stands for it."""
    star = (UNSTAR_RUN, reader._("Remove the star")) if run.starred else (STAR_RUN, reader._("Star"))
    comparing = comparing_runs()
    is_other = comparing is not None and comparing.id != run.id
    compare = reader._("Compare with the run chosen") if is_other else reader._("Compare with another run")
    return dict(
        (
            star,
            (LABEL_RUN, reader._("Title and tags")),
            (REPEAT_RUN, reader._("Run again")),
            (COMPARE_RUN, compare),
            (EXPORT_RUN, reader._("Export as a file")),
            (DELETE_RUN, reader._("Delete")),
        )
    )


_TERMS: Mapping[str, type[Vocabulary]] = {
    "audience": Audience,
    "length": Length,
    "form": OutputForm,
    "summary": Summary,
    "tone": Tone,
}


def rewrite_button(run_id: str, brief: Brief, reader: Ui) -> None:
    """Show the button that opens the dialog."""
    if st.button(
        reader._("Rewrite…"),
        icon=":material/edit_document:",
        help=reader._("Write another report from the same evidence: for other readers, shorter, in another language."),
        key="rewrite",
    ):
        _open(run_id, brief, reader)


def _open(run_id: str, brief: Brief, reader: Ui) -> None:
    @st.dialog(reader._("Rewrite the report"), width="medium")
    def dialog() -> None:
        with no_traceback(reader):
            _draw(run_id, brief, reader)

    dialog()


def _draw(run_id: str, brief: Brief, reader: Ui) -> None:
    st.markdown(
        reader._("A new run writes another report from the same evidence. Nothing is searched; this report stays.")
    )
    grid = st.grid(2, min_column_width=180)
    held = brief.model_dump(mode="json")
    chosen: dict[str, Any] = {
        name: grid.selectbox(
            labels(reader)[name],
            ["", *(term.value for term in terms)],
            index=_place(held[name], terms),
            format_func=_named(name, brief, reader),
            key=f"rewrite_{name}",
        )
        or None
        for name, terms in _TERMS.items()
    }
    languages = [language.value for language in Language]
    chosen["language"] = grid.selectbox(
        labels(reader)["language"],
        languages,
        index=languages.index(held["language"]),
        format_func=lambda value: NAMES[Language(value)],
        key="rewrite_language",
    )
    by_rule = not engine().settings.has_models
    if by_rule:
        st.caption(
            reader._(
                "No model is set up: the report is composed by rule of the same quotes. Form, length, summary and the "
                "language of headings change; the quotes stay as their sources have them, and audience and tone are "
                "only noted."
            )
        )
    if st.button(reader._("Rewrite"), type="primary", icon=":material/edit_document:", key="rewrite_start"):
        _start(run_id, chosen, reader)


def _place(value: str | None, terms: type[Vocabulary]) -> int:
    return 1 + [term.value for term in terms].index(value) if value else 0


def _named(name: str, brief: Brief, reader: Ui) -> Callable[[str], str]:
    terms = {term.value: reader.of_term(term.label) for term in _TERMS[name]}
    by_preset: Vocabulary | None = getattr(PRESETS[brief.preset], name, None)
    unset = reader._("{label} (by preset)").format(label=reader.of_term(by_preset.label)) if by_preset else ""
    return lambda value: terms.get(value, unset or reader._("Open"))


def _start(run_id: str, chosen: Mapping[str, Any], reader: Ui) -> None:
    try:
        new = asking().rewrite(run_id, **chosen)
    except ResearchError as error:
        said = reader._("This could not be started: {reason}").format(reason=reader.reason(error))
        st.error(verbatim(said), icon=":material/error:")
        return
    st.switch_page("pages/run.py", query_params={"id": new})
