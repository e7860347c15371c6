"""The form of a brief. Its fields live in the session, so they survive other pages and a change of language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import brief_nodes, component, form_values, remembered, source_library_choice
from pages.parts.engine import engine
from pages.parts.form_values import labels
from pages.parts.ui import NAMES, Ui
from research.brief import DEAREST, LONGEST_MINUTES
from research.language import Bilingual, Language
from research.methods.limits import DEEPEST
from research.methods.names import MethodName
from research.presets import PRESETS, PresetName
from research.settings import Settings
from research.templates import PERSONAS
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
_SET_BY_READER = ("length", "tone", "summary")


def _key(name: str) -> str:
    return f"brief_{name}"


def prepare(reader: Ui) -> None:
    """Give each field that was never filled its start: that of the last research in this browser.

    The report's language follows the interface's until it is chosen.
    """
    if any(_key(name) not in st.session_state for name in form_values.empty(reader.language)):
        for name, value in remembered.recalled(engine().settings.home, reader.language).items():
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
    grid = st.grid(2, min_column_width=130)
    _choice(grid, "scope", reader, reader._("The lens. It decides which sections the report has."))
    _choice(grid, "period", reader, reader._("How far back information may date."))
    _choice(grid, "region", reader, reader._("The part of the world that the report is about."))
    _language(grid, reader)
    _sources(grid.cell(column_span=2), reader, settings, documents)
    _manner(grid, reader)


def _language(place: DeltaGenerator, reader: Ui) -> None:
    place.selectbox(
        labels(reader)["language"],
        [entry.value for entry in Language],
        format_func=lambda value: NAMES[Language(value)],
        key=_key("language"),
        persist_state="session",
        help=reader._("The language in which the report and this brief are written."),
    )


def more(reader: Ui) -> None:
    """Draw the choices that few briefs need."""
    grid = st.grid(2, min_column_width=130)
    _choice(grid, "form", reader, reader._("What the report is made of."))
    _choice(grid, "length", reader, reader._("How long the report may become."))
    _choice(grid, "summary", reader, reader._("Where the executive summary stands, if there is one."))
    _choice(grid, "tone", reader, reader._("The manner of writing."))
    _caps(grid, reader)
    _text("exclusions", reader, reader._("What is not to be researched, one entry a line."), "")
    source_library_choice.show(reader, values, fill)
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
            key=_key(name),
            persist_state="session",
            placeholder=reader._("No cap"),
            help=help_,
        )


def _choice(
    place: DeltaGenerator, name: str, reader: Ui, help_: str, on_change: Callable[[], None] | None = None
) -> None:
    terms = {term.value: reader.of_term(term.label) for term in _TERMS[name]}
    place.selectbox(
        labels(reader)[name],
        ["", *terms],
        format_func=_named(terms, _unset(name, reader)),
        key=_key(name),
        persist_state="session",
        on_change=on_change,
        help=f"{help_}\n\n{_said_by(_TERMS[name], reader)}".strip(),
    )


def _said_by(terms: Iterable[Vocabulary], reader: Ui) -> str:
    """Return what each term adds to the brief, where that is more than its name, as a list in Markdown."""
    told = [(reader.of_term(term.label), reader.of_term(term.words)) for term in terms]
    colon = Bilingual(": ", "：").in_(reader.language)
    return "\n".join(f"- **{label}**{colon}{words}" for label, words in told if label not in words)


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


def _write_for_reader() -> None:
    """Set what the reader chosen implies, or leave it to the preset again."""
    chosen = st.session_state[_key("audience")]
    persona = PERSONAS[Audience(chosen)] if chosen else None
    fill({name: getattr(persona, name).value if persona else "" for name in _SET_BY_READER})


def _manner(grid: DeltaGenerator, reader: Ui) -> None:
    """Draw how to go about it: preset, readers and method, each with what it means; for a plan how deep to search."""
    presets = {name.value: reader.of_term(preset.label) for name, preset in PRESETS.items()}
    grid.selectbox(
        labels(reader)["preset"],
        list(presets),
        format_func=presets.__getitem__,
        key=_key("preset"),
        persist_state="session",
        help=reader._("How far the research goes, which models work, and how long the report becomes."),
    )
    _choice(
        grid,
        "audience",
        reader,
        reader._("Who will read the report. It also sets length, tone and summary, which stand under “More”."),
        on_change=_write_for_reader,
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
    tree = brief_nodes.hints([(preset.label, preset.hint), *_of_reader(), (method.label, method.hint)], reader)
    component.show(tree, key="hints", language=reader.language)
    if method is MethodName.OUTLINED:
        _depth(reader)


def _of_reader() -> list[tuple[Bilingual, Bilingual]]:
    """Return the reader chosen, and how the report is written for them."""
    chosen = st.session_state[_key("audience")]
    if not chosen:
        return []
    audience = Audience(chosen)
    held = {name: st.session_state[_key(name)] for name in _SET_BY_READER}
    terms = [audience, *(_TERMS[name](value) for name, value in held.items() if value)]
    return [
        (
            audience.label,
            Bilingual("; ".join(term.words.en for term in terms), "／".join(term.words.ja for term in terms)),
        )
    ]


def _depth(reader: Ui) -> None:
    helps = {
        "queries_per_section": reader._("How many queries each search of a section holds."),
        "iterations": reader._("How often each section is searched, at most."),
    }
    grid = st.grid(2, min_column_width=130)
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
