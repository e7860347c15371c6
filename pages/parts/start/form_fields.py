"""The fields of a brief as widgets. They live in the session, so they survive other pages and a change of language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.relabelled import say_anew
from pages.parts.start.form_values import labels
from pages.parts.ui import Ui
from research.language import Bilingual
from research.presets import PRESETS, PresetName
from research.vocabulary import Audience, Length, OutputForm, Period, Region, Scope, Summary, Tone, Vocabulary

TERMS: Mapping[str, type[Vocabulary]] = {
    "scope": Scope,
    "period": Period,
    "region": Region,
    "audience": Audience,
    "form": OutputForm,
    "length": Length,
    "summary": Summary,
    "tone": Tone,
}
"""The vocabulary of each field that is chosen from one."""
_SET_BY_PRESET = ("form", "length", "summary", "tone")


def key(name: str) -> str:
    """Return the name under which the session holds a field."""
    return f"brief_{name}"


def fill(fields: Mapping[str, Any]) -> None:
    """Set fields; only before they are drawn, as callbacks do."""
    for name, value in fields.items():
        st.session_state[key(name)] = value


def choice(
    place: DeltaGenerator, name: str, reader: Ui, help_: str, on_change: Callable[[], None] | None = None
) -> None:
    """Draw a field that is chosen from its vocabulary, or left open; its help says what each term changes."""
    terms = {term.value: reader.of_term(term.label) for term in TERMS[name]}
    words = named(terms, _unset(name, reader))
    say_anew(key(name), words(st.session_state[key(name)]))
    place.selectbox(
        labels(reader)[name],
        ["", *terms],
        format_func=words,
        key=key(name),
        persist_state="session",
        on_change=on_change,
        help=explained(help_, [(term.label, term.words) for term in TERMS[name]], reader),
    )


def explained(help_: str, terms: Iterable[tuple[Bilingual, Bilingual]], reader: Ui) -> str:
    """Return the help of a field with what each of its terms changes, where that is more than its name, as Markdown."""
    told = [(reader.of_term(label), reader.of_term(words)) for label, words in terms]
    colon = Bilingual(": ", "：").in_(reader.language)
    lines = [f"- **{label}**{colon}{words}" for label, words in told if not _repeats(label, words)]
    return "\n".join([help_, "", *lines]).strip()


def _repeats(label: str, words: str) -> bool:
    """Whether the words say hardly more than the label."""
    return label.casefold() in words.casefold() and len(words) <= 2 * len(label) + 2


def named(terms: Mapping[str, str], unset: str) -> Callable[[str], str]:
    """Return how the values of a field are written."""
    return lambda value: terms.get(value, unset)


def _unset(name: str, reader: Ui) -> str:
    if name not in _SET_BY_PRESET:
        return reader._("Open")
    term: Vocabulary = getattr(PRESETS[PresetName(st.session_state[key("preset")])], name)
    return reader._("{label} (by preset)").format(label=reader.of_term(term.label))


def term(name: str, value: str) -> Vocabulary:
    """Return the term that a field holds."""
    return next(term for term in TERMS[name] if term.value == value)


def text(name: str, reader: Ui, help_: str, example: str) -> None:
    """Draw a field of several lines."""
    st.text_area(
        labels(reader)[name],
        key=key(name),
        persist_state="session",
        height=82,
        help=help_,
        placeholder=example or None,
    )
