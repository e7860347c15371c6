"""The dialog that has a report written anew for another reader, from the same evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages.parts.engine import engine
from pages.parts.report.asking import asking
from pages.parts.session import no_traceback
from pages.parts.start.form_values import labels
from pages.parts.ui import NAMES, Ui
from research.brief import Brief
from research.errors import ResearchError
from research.language import Language
from research.presets import PRESETS
from research.vocabulary import Audience, Length, OutputForm, Summary, Tone, Vocabulary

_TERMS: Mapping[str, type[Vocabulary]] = {
    "audience": Audience,
    "length": Length,
    "form": OutputForm,
    "summary": Summary,
    "tone": Tone,
}


def button(run_id: str, brief: Brief, reader: Ui) -> None:
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
        st.error(said, icon=":material/error:")
        return
    st.switch_page("pages/run.py", query_params={"id": new})
