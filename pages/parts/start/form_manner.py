"""How to go about it and for whom: preset, readers and method."""

from __future__ import annotations

import streamlit as st
from streamlit.elements.lib.grid_container import GridContainer

from pages.parts import component
from pages.parts.relabelled import say_anew
from pages.parts.start import brief_nodes
from pages.parts.start.form_fields import choice, explained, fill, key, named, term
from pages.parts.start.form_values import labels
from pages.parts.ui import Ui
from research.language import Bilingual
from research.methods.limits import DEEPEST
from research.methods.names import MethodName
from research.presets import PRESETS, Preset, PresetName
from research.templates import PERSONAS

_SET_BY_READER = ("length", "tone", "summary")


def show(grid: GridContainer, reader: Ui) -> None:
    """Draw how to go about it: preset, readers and method, each with what it means; for a plan how deep to search."""
    _preset(grid, reader)
    choice(
        grid,
        "audience",
        reader,
        reader._("Who will read the report. It also sets length, tone and summary, which stand under “More”."),
        on_change=_write_for_reader,
    )
    preset = PRESETS[PresetName(st.session_state[key("preset")])]
    method = _method(grid, preset, reader)
    tree = brief_nodes.hints([(preset.label, preset.hint), *_of_reader(), (method.label, method.hint)], reader)
    component.show(tree, key="hints", language=reader.language)
    if method is MethodName.OUTLINED:
        _depth(reader)


def _preset(grid: GridContainer, reader: Ui) -> None:
    presets = {name.value: reader.of_term(preset.label) for name, preset in PRESETS.items()}
    say_anew(key("preset"), presets[st.session_state[key("preset")]])
    grid.selectbox(
        labels(reader)["preset"],
        list(presets),
        format_func=presets.__getitem__,
        key=key("preset"),
        persist_state="session",
        help=explained(
            reader._("How far the research goes, which models work, and how long the report becomes."),
            [(preset.label, preset.hint) for preset in PRESETS.values()],
            reader,
        ),
    )


def _method(grid: GridContainer, preset: Preset, reader: Ui) -> MethodName:
    """Draw the methods, and return the one that is chosen, by the preset if by nobody."""
    methods = {name.value: name for name in MethodName}
    terms = {value: reader.of_term(name.label) for value, name in methods.items()}
    words = named(terms, reader._("{label} (by preset)").format(label=terms[preset.method]))
    say_anew(key("method"), words(st.session_state[key("method")]))
    grid.cell(column_span=2).selectbox(
        labels(reader)["method"],
        ["", *methods],
        format_func=words,
        key=key("method"),
        persist_state="session",
        help=explained(
            reader._("Who plans the research, and when it stops. Everything else is the same for every method."),
            [(name.label, name.hint) for name in MethodName],
            reader,
        ),
    )
    return methods[st.session_state[key("method")] or preset.method]


def _write_for_reader() -> None:
    """Set what the reader chosen implies, or leave it to the preset again."""
    chosen = st.session_state[key("audience")]
    persona = PERSONAS.get(chosen)
    fill({name: getattr(persona, name).value if persona else "" for name in _SET_BY_READER})


def _of_reader() -> list[tuple[Bilingual, Bilingual]]:
    """Return the reader chosen, and how the report is written for them."""
    chosen = st.session_state[key("audience")]
    if not chosen:
        return []
    audience = term("audience", chosen)
    held = {name: st.session_state[key(name)] for name in _SET_BY_READER}
    terms = [audience, *(term(name, value) for name, value in held.items() if value)]
    english = "; ".join(term.words.en for term in terms)
    words = Bilingual(english[:1].upper() + english[1:], "／".join(term.words.ja for term in terms))
    return [(audience.label, words)]


def _depth(reader: Ui) -> None:
    helps = {
        "queries_per_section": reader._("How many queries each search of a section holds."),
        "iterations": reader._("How often each section is searched, at most."),
    }
    grid = st.grid(2, min_column_width=130)
    for name, help_ in helps.items():
        say_anew(key(name), reader.language.value)
        grid.selectbox(
            labels(reader)[name],
            ["", *range(1, DEEPEST + 1)],
            format_func=lambda value: str(value) if value else reader._("Analyst decides"),
            key=key(name),
            persist_state="session",
            help=help_,
        )
