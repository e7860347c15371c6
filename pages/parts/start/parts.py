"""The question as it is understood, part by part: shown while it is written, and edited in place.

Edited parts are a list in the question's own text, a line each: whoever reads the question, reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import streamlit as st

from pages.parts.nodes import Element, el, group, icon, show_nodes
from pages.parts.start.form import key
from pages.parts.ui import Ui, verbatim
from research.text import Operation, Part, head_of, parts_of, question_parts, with_parts

_LONGEST = 200
"""Characters of a field: a part is a few words."""
_FEWEST = 8
"""Characters from which a question is read at all."""


def understood_nodes(question: str, ui: Ui) -> list[Element]:
    """Return what a question was taken to ask: of whom, what, when, and what is to be done with it."""
    asked, parts = question_parts(question), parts_of(question)
    of_all = {part.about for part in parts}
    rows = [
        _row("person_search", ui._("About", "whom a question is about"), [*of_all] if len(of_all) == 1 else []),
        _row("help", ui._("Asked", "of a question"), [str(part) if len(of_all) > 1 else part.asked for part in parts]),
        _row("event", ui._("Time", "that a question is about"), [*asked.years, *asked.months]),
    ]
    if asked.operation is not Operation.LOOK_UP:
        rows.append(_row("function", ui._("To be done"), [ui.of_term(asked.operation.label)]))
    return [group("dl", "understood", [row for row in rows if row is not None])]


def _row(symbol: str, name: str, said: Sequence[str]) -> Element | None:
    told = [text for text in said if text]
    if not told:
        return None
    values = [el("dd", "", text, key=str(place)) for place, text in enumerate(told)]
    return el("div", "", el("dt", "", icon(symbol), el("span", "", name)), *values, key=name)


def show_parts(reader: Ui) -> None:
    """Show under the field of the question how it is understood, and let the reader change that."""
    question = str(st.session_state[key("question")])
    if len(question.strip()) < _FEWEST:
        return
    show_nodes(understood_nodes(question, reader), key="understood", language=reader.language)
    with st.expander(reader._("Change the parts"), icon=":material/checklist:", key="parts_open"):
        st.caption(
            reader._(
                "Each part is searched, counted and answered by itself; what is not found is named. Changes are "
                "written into the question as a list."
            )
        )
        _rows(question, reader)


def _rows(question: str, reader: Ui) -> None:
    parts = parts_of(question)
    # Other parts are other fields: what one holds never shows in the place of another.
    state = sha256("\n".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    for place in range(len(parts) + 1):
        part = parts[place] if place < len(parts) else None
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"part_{place}"):
            for name in ("about", "asked"):
                held = getattr(part, name) if part else ""
                st.text_input(
                    verbatim(_label(name, part, reader)),
                    value=held,
                    max_chars=_LONGEST,
                    key=f"part_{name}_{place}_{state}",
                    placeholder=_example(name, reader) if part is None else None,
                    on_change=_change,
                    args=(place, state),
                )
            if part is not None:
                _button("up", ":material/arrow_upward:", reader._("Up"), place, state, off=place == 0)
                _button(
                    "down", ":material/arrow_downward:", reader._("Down"), place, state, off=place == len(parts) - 1
                )
                _button("remove", ":material/delete:", reader._("Remove"), place, state, off=len(parts) == 1)
    if with_parts(question, ()) != question.strip():
        st.button(
            reader._("As the program understands it"),
            icon=":material/undo:",
            type="tertiary",
            key="parts_undo",
            on_click=lambda: _keep(head_of(question)),
        )


def _label(name: str, part: Part | None, reader: Ui) -> str:
    if part is None:
        return reader._("Add: about whom or what") if name == "about" else reader._("Add: what is asked")
    return reader._("About whom or what") if name == "about" else reader._("What is asked")


def _example(name: str, reader: Ui) -> str:
    return reader._("All that the question names") if name == "about" else reader._("For example: number of employees")


def _button(name: str, sign: str, label: str, place: int, state: str, *, off: bool) -> None:
    st.button(
        verbatim(label),
        icon=sign,
        type="tertiary",
        disabled=off,
        key=f"part_{name}_{place}_{state}",
        on_click=_move,
        args=(name, place),
    )


def _keep(question: str) -> None:
    st.session_state[key("question")] = question


def _change(place: int, state: str) -> None:
    question = str(st.session_state[key("question")])
    parts = list(parts_of(question))
    # A colon parts whom from what, in a line of the list.
    about, asked = (
        " ".join(
            str(st.session_state.get(f"part_{name}_{place}_{state}", "")).replace(":", " ").replace("：", " ").split()
        )
        for name in ("about", "asked")
    )
    if asked:
        parts[place : place + 1] = [Part(about, asked)]
        _keep(with_parts(question, parts))


def _move(how: str, place: int) -> None:
    question = str(st.session_state[key("question")])
    parts = list(parts_of(question))
    if place >= len(parts):
        return
    part = parts.pop(place)
    if how != "remove":
        parts.insert(place + (-1 if how == "up" else 1), part)
    _keep(with_parts(question, parts))
