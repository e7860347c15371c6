"""The form of a brief."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.engine import engine
from pages.parts.relabelled import say_anew
from pages.parts.sources import source_library_choice
from pages.parts.start import form_manner, form_values, remembered, source_states
from pages.parts.start.form_fields import choice, fill, key, text
from pages.parts.start.form_values import labels
from pages.parts.ui import NAMES, Ui
from research.brief import DEAREST, LONGEST_MINUTES
from research.language import Language
from research.vocabulary import SourceName

__all__ = ["fill", "main_choices", "more", "note", "prepare", "question", "values"]


def prepare(reader: Ui) -> None:
    """Give each field that was never filled its start: that of the last research in this browser.

    The report's language follows the interface's until it is chosen.
    """
    if any(key(name) not in st.session_state for name in form_values.empty(reader.language)):
        for name, value in remembered.recalled(engine().settings.home, reader.language).items():
            st.session_state.setdefault(key(name), value)
    before = st.session_state.get("brief_interface", reader.language.value)
    if before != reader.language.value and st.session_state[key("language")] == before:
        st.session_state[key("language")] = reader.language.value
    st.session_state["brief_interface"] = reader.language.value


def values() -> dict[str, Any]:
    """Return what the fields hold."""
    return {name: st.session_state[key(name)] for name in form_values.empty(Language.EN)}


def question(reader: Ui) -> None:
    """Draw the field of the question."""
    st.text_area(
        labels(reader)["question"],
        key=key("question"),
        persist_state="session",
        height=120,
        placeholder=reader._(
            "What do you want to know? For example: How has Japan's electricity mix changed since 2015?"
        ),
    )


def main_choices(reader: Ui) -> None:
    """Draw the choices that most briefs need."""
    grid = st.grid(2, min_column_width=130)
    choice(grid, "scope", reader, reader._("The lens. It decides which sections the report has."))
    choice(grid, "period", reader, reader._("How far back information may date."))
    choice(grid, "region", reader, reader._("The part of the world that the report is about."))
    _language(grid, reader)
    _sources(grid.cell(column_span=2), reader)
    form_manner.show(grid, reader)


def _language(place: DeltaGenerator, reader: Ui) -> None:
    place.selectbox(
        labels(reader)["language"],
        [entry.value for entry in Language],
        format_func=lambda value: NAMES[Language(value)],
        key=key("language"),
        persist_state="session",
        help=reader._("The language in which the report and this brief are written."),
    )


def more(reader: Ui) -> None:
    """Draw the choices that few briefs need."""
    grid = st.grid(2, min_column_width=190)
    choice(grid, "form", reader, reader._("What the report is made of."))
    choice(grid, "length", reader, reader._("How long the report may become."))
    choice(grid, "summary", reader, reader._("Where the executive summary stands, if there is one."))
    choice(grid, "tone", reader, reader._("The manner of writing."))
    _caps(grid, reader)
    text("exclusions", reader, reader._("What is not to be researched, one entry a line."), "")
    source_library_choice.show(reader, values, fill)
    left, right = st.columns(2)
    with left:
        text("preferred_sites", reader, reader._("Sites to search first, one a line."), "stat.go.jp")
    with right:
        text("forbidden_sites", reader, reader._("Sites that are never read, one a line."), "example.com")
    text(
        "glossary",
        reader,
        reader._("The house's own terms, so that nobody has to ask: one a line, term = meaning."),
        reader._("SPU = Strategic Planning Unit"),
    )


def note(reader: Ui) -> None:
    """Draw the field for the analyst's own words."""
    text("note", reader, reader._("Anything to add to the brief in your own words."), "")


def _caps(place: DeltaGenerator, reader: Ui) -> None:
    """Draw what the run may cost and take."""
    helps = {
        "max_cost_usd": reader._(
            "The run keeps to it: before each call of a model there must be room, and enough is kept back for the "
            "report. A model whose price is not known counts like the dearest of the presets. What a search provider "
            "charges is not in it."
        ),
        "max_minutes": reader._("When they are nearly over, the report is written from what was found until then."),
    }
    steps = {"max_cost_usd": (DEAREST, 0.5, "%.2f"), "max_minutes": (LONGEST_MINUTES, 5.0, "%g")}
    for name, help_ in helps.items():
        most, step, written = steps[name]
        place.number_input(
            labels(reader)[name],
            min_value=0.0,
            max_value=most,
            step=step,
            format=written,
            key=key(name),
            persist_state="session",
            placeholder=reader._("No cap"),
            help=help_,
        )


def _sources(place: DeltaGenerator, reader: Ui) -> None:
    lacks, chosen = source_states.lacking(reader), st.session_state[key("sources")]
    names = {
        source.value: reader.of_term(source.label) + (f" ({lacks[source].remark})" if source in lacks else "")
        for source in source_states.offered(chosen, lacks)
    }
    say_anew(key("sources"), "/".join(names[value] for value in chosen))
    place.multiselect(
        labels(reader)["sources"],
        list(names),
        format_func=names.__getitem__,
        key=key("sources"),
        persist_state="session",
        placeholder=reader._("Open: your own, else the samples"),
        help=reader._(
            "Where to look. Left open, your documents, the web and connected servers are searched, as far as they are "
            "set up; the samples only where there is nothing else."
        ),
        select_all=False,
        wrap=True,
    )
    missing = [lacks[source] for source in SourceName if source.value in chosen and source in lacks]
    for lack in missing:
        place.caption(f":orange[:material/warning:] {lack.remedy}")
    if any(lack.is_setting for lack in missing):
        place.page_link("pages/settings.py", label=reader._("Open Settings"), icon=":material/settings:")
