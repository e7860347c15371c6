"""The form of a brief. Its fields live in the session, so they survive other pages and a change of language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import brief_nodes, component, form_values
from pages.parts.form_values import labels
from pages.parts.ui import NAMES, Ui
from research.language import Language
from research.methods.limits import DEEPEST
from research.methods.names import MethodName
from research.presets import PRESETS, PresetName
from research.settings import Settings
from research.vocabulary import (
    Audience,
    Length,
    OutputForm,
    Period,
    Region,
    Scope,
    SourceName,
    Summary,
    Tone,
    Vocabulary,
)

_TERMS: Mapping[str, type[Vocabulary]] = {
    "scope": Scope,
    "period": Period,
    "region": Region,
    "audience": Audience,
    "form": OutputForm,
    "length": Length,
    "summary": Summary,
    "tone": Tone,
}
_SET_BY_PRESET = ("form", "length", "summary", "tone")


def _key(name: str) -> str:
    return f"brief_{name}"


def prepare(reader: Ui) -> None:
    """Give each field that was never filled its start; the report's language follows the interface's until chosen."""
    for name, value in form_values.empty(reader.language).items():
        st.session_state.setdefault(_key(name), value)
    before = st.session_state.get("brief_interface", reader.language.value)
    if before != reader.language.value and st.session_state[_key("language")] == before:
        st.session_state[_key("language")] = reader.language.value
    st.session_state["brief_interface"] = reader.language.value


def values() -> dict[str, Any]:
    """Return what the fields hold."""
    return {name: st.session_state[_key(name)] for name in form_values.empty(Language.EN)}


def fill(fields: Mapping[str, Any]) -> None:
    """Set fields; only before they are drawn, as callbacks do."""
    for name, value in fields.items():
        st.session_state[_key(name)] = value


def question(reader: Ui) -> None:
    """Draw the field of the question."""
    st.text_area(
        labels(reader)["question"],
        key=_key("question"),
        persist_state="session",
        height=120,
        placeholder=reader._(
            "What do you want to know? For example: How has Japan's electricity mix changed since 2015?"
        ),
    )


def main_choices(reader: Ui, settings: Settings, documents: int) -> None:
    """Draw the choices that most briefs need."""
    grid = st.grid(3, min_column_width=150)
    _choice(grid, "scope", reader, reader._("The lens. It decides which sections the report has."))
    _choice(grid, "period", reader, reader._("How far back information may date."))
    _choice(grid, "region", reader, reader._("The part of the world that the report is about."))
    _sources(grid.cell(column_span=2), reader, settings, documents)
    grid.selectbox(
        labels(reader)["language"],
        [entry.value for entry in Language],
        format_func=lambda value: NAMES[Language(value)],
        key=_key("language"),
        persist_state="session",
        help=reader._("The language in which the report and this brief are written."),
    )
    _manner(reader)


def more(reader: Ui) -> None:
    """Draw the choices that few briefs need."""
    first, second = st.columns(2)
    _choice(first, "audience", reader, reader._("Who will read the report; it decides what is explained and how deep."))
    _choice(second, "form", reader, reader._("Text, key points, or text with tables."))
    _choice(first, "length", reader, reader._("How long the report may become."))
    _choice(second, "summary", reader, reader._("Where the executive summary stands, if there is one."))
    _choice(first, "tone", reader, reader._("The manner of writing."))
    _text("exclusions", reader, reader._("What is not to be researched, one entry a line."), "")
    left, right = st.columns(2)
    with left:
        _text("preferred_sites", reader, reader._("Sites to search first, one a line."), "stat.go.jp")
    with right:
        _text("forbidden_sites", reader, reader._("Sites that are never read, one a line."), "example.com")
    _text(
        "glossary",
        reader,
        reader._("The house's own terms, so that nobody has to ask: one a line, term = meaning."),
        reader._("SPU = Strategic Planning Unit"),
    )


def note(reader: Ui) -> None:
    """Draw the field for the analyst's own words."""
    _text("note", reader, reader._("Anything to add to the brief in your own words."), "")


def _choice(place: DeltaGenerator, name: str, reader: Ui, help_: str) -> None:
    terms = {term.value: reader.of_term(term.label) for term in _TERMS[name]}
    place.selectbox(
        labels(reader)[name],
        ["", *terms],
        format_func=_named(terms, _unset(name, reader)),
        key=_key(name),
        persist_state="session",
        help=help_,
    )


def _named(terms: Mapping[str, str], unset: str) -> Callable[[str], str]:
    return lambda value: terms.get(value, unset)


def _unset(name: str, reader: Ui) -> str:
    if name not in _SET_BY_PRESET:
        return reader._("Open")
    term: Vocabulary = getattr(PRESETS[PresetName(st.session_state[_key("preset")])], name)
    return reader._("By preset: {label}").format(label=reader.of_term(term.label))


def _sources(place: DeltaGenerator, reader: Ui, settings: Settings, documents: int) -> None:
    lacking = {
        SourceName.WEB: "" if settings.has_web else reader._("needs a key"),
        SourceName.LIBRARY: "" if documents else reader._("none added"),
    }

    names = {
        source.value: reader.of_term(source.label) + (f" ({lacking[source]})" if lacking.get(source) else "")
        for source in SourceName
    }

    place.multiselect(
        labels(reader)["sources"],
        list(names),
        format_func=names.__getitem__,
        key=_key("sources"),
        persist_state="session",
        placeholder=reader._("Open: all available"),
        help=reader._("Where to look. Left open, everything that is available is searched."),
        select_all=False,
        wrap=True,
    )


def _manner(reader: Ui) -> None:
    """Draw how to go about it: preset and method, each with when to use it, and for a plan how deep to search."""
    grid = st.grid(3, min_column_width=150)
    presets = {name.value: reader.of_term(preset.label) for name, preset in PRESETS.items()}
    grid.selectbox(
        labels(reader)["preset"],
        list(presets),
        format_func=presets.__getitem__,
        key=_key("preset"),
        persist_state="session",
        help=reader._("How far the research goes, which models work, and how long the report becomes."),
    )
    preset = PRESETS[PresetName(st.session_state[_key("preset")])]
    methods = {name.value: name for name in MethodName}
    terms = {value: reader.of_term(name.label) for value, name in methods.items()}
    grid.cell(column_span=2).selectbox(
        labels(reader)["method"],
        ["", *methods],
        format_func=_named(terms, reader._("By preset: {label}").format(label=terms[preset.method])),
        key=_key("method"),
        persist_state="session",
        help=reader._("Who plans the research, and when it stops. Everything else is the same for every method."),
    )
    method = methods[st.session_state[_key("method")] or preset.method]
    tree = brief_nodes.hints([(preset.label, preset.hint), (method.label, method.hint)], reader)
    component.show(tree, key="hints", language=reader.language)
    if method is MethodName.OUTLINED:
        _depth(reader)


def _depth(reader: Ui) -> None:
    helps = {
        "queries_per_section": reader._("How many queries each search of a section holds."),
        "iterations": reader._("How often each section is searched, at most."),
    }
    grid = st.grid(3, min_column_width=150)
    for name, help_ in helps.items():
        grid.selectbox(
            labels(reader)[name],
            ["", *range(1, DEEPEST + 1)],
            format_func=lambda value: str(value) if value else reader._("Analyst decides"),
            key=_key(name),
            persist_state="session",
            help=help_,
        )


def _text(name: str, reader: Ui, help_: str, example: str) -> None:
    st.text_area(
        labels(reader)[name],
        key=_key(name),
        persist_state="session",
        height=82,
        help=help_,
        placeholder=example or None,
    )
