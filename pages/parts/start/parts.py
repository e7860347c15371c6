"""The question taken apart: what is asked of whom, read and changed; it is the plan where no sections are planned."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import streamlit as st

from pages.parts.nodes import Element, el, group, icon, show_nodes
from pages.parts.start.form import key
from pages.parts.ui import Ui, verbatim
from research.language import Language
from research.text import Operation, Part, head_of, parts_of, question_parts, with_parts

_LONGEST = 200
"""Characters of a field: a part is a few words."""
_FEWEST = 8
"""Characters from which a question is read at all."""


def understood_nodes(question: str, ui: Ui) -> list[Element]:
    """Return what a question was taken to ask: of whom, what, when, and what is to be done with it.

    Where nothing was taken out of it, it is not said again as what is asked.
    """
    of_all = {part.about for part in parts_of(question)}
    asked = [str(part) if len(of_all) > 1 else part.asked for part in _taken(question)]
    about, *rest = _frame(question, ui)
    return [_understood([about, _row("help", ui._("Asked", "of a question"), asked), *rest])]


def plan_nodes(question: str, ui: Ui, language: Language) -> list[Element]:
    """Return the same as a plan, part by part under what holds for all of them; the question is in `language`."""
    taken, of_all = _taken(question), {part.about for part in parts_of(question)}
    parts = [
        el(
            "li", "",
            el("span", "number", ui.number(place)),
            el("h3", "", part.asked, lang=language.value),
            el("p", "focus", part.about, lang=language.value) if part.about and len(of_all) > 1 else None,
            key=str(place),
        )
        for place, part in enumerate(taken, 1)
    ]  # fmt: skip
    whole = el("p", "faint", ui._("The question is researched as a whole."))
    frame = _understood(_frame(question, ui))
    return [
        el(
            "section", "proposal parts",
            frame if frame.children else None,
            group("ol", "sections", parts) if parts else whole,
            key="proposal",
        )
    ]  # fmt: skip


def _taken(question: str) -> list[Part]:
    """Return the parts of a question, but for one that is nothing else than the question."""
    return [part for part in parts_of(question) if part.asked != question.strip()]


def _frame(question: str, ui: Ui) -> list[Element | None]:
    """Return what holds for all parts: whom they are about, of when, and what is to be done with them."""
    asked, of_all = question_parts(question), {part.about for part in parts_of(question)}
    is_looked_up = asked.operation is Operation.LOOK_UP
    return [
        _row("person_search", ui._("About", "whom a question is about"), [*of_all] if len(of_all) == 1 else []),
        _row("event", ui._("Period", "that a question is about"), [*asked.years, *asked.months]),
        _row("function", ui._("To be done"), [] if is_looked_up else [ui.of_term(asked.operation.label)]),
    ]


def _understood(rows: Sequence[Element | None]) -> Element:
    return group("dl", "understood", [row for row in rows if row is not None])


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
        part_fields(key("question"), reader)


def part_fields(held: str, reader: Ui) -> None:
    """Show a field for each part of the question that the session holds under that name; changes are written there."""
    question = str(st.session_state[held])
    parts = parts_of(question)
    # Other parts are other fields: what one holds never shows in the place of another.
    state = sha256("\n".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    for place in range(len(parts) + 1):
        part = parts[place] if place < len(parts) else None
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"part_{place}"):
            for name in ("about", "asked"):
                st.text_input(
                    verbatim(_label(name, part, reader)),
                    value=getattr(part, name) if part else "",
                    max_chars=_LONGEST,
                    key=f"part_{name}_{place}_{state}",
                    placeholder=_example(name, reader) if part is None else None,
                    on_change=_change,
                    args=(held, place, state),
                )
            if part is not None:
                where, last = (held, place, state), len(parts) - 1
                with st.container(horizontal=True, gap="small", width="content"):  # on a phone below, in one row
                    _button("up", ":material/arrow_upward:", reader._("Up"), where, off=place == 0)
                    _button("down", ":material/arrow_downward:", reader._("Down"), where, off=place == last)
                    _button("remove", ":material/delete:", reader._("Remove"), where, off=last == 0)
    if with_parts(question, ()) != question.strip():
        st.button(
            reader._("As the program understands it"),
            icon=":material/undo:",
            type="tertiary",
            key="parts_undo",
            on_click=_keep,
            args=(held, head_of(question)),
        )


def _label(name: str, part: Part | None, reader: Ui) -> str:
    if part is None:
        return reader._("Add: about whom or what") if name == "about" else reader._("Add: what is asked")
    return reader._("About whom or what") if name == "about" else reader._("What is asked")


def _example(name: str, reader: Ui) -> str:
    return reader._("All that the question names") if name == "about" else reader._("For example: number of employees")


def _button(name: str, sign: str, label: str, where: tuple[str, int, str], *, off: bool) -> None:
    held, place, state = where
    st.button(
        verbatim(label),
        icon=sign,
        type="tertiary",
        disabled=off,
        key=f"part_{name}_{place}_{state}",
        on_click=_move,
        args=(held, name, place),
    )


def _keep(held: str, question: str) -> None:
    st.session_state[held] = question


def _change(held: str, place: int, state: str) -> None:
    question = str(st.session_state[held])
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
        _keep(held, with_parts(question, parts))


def _move(held: str, how: str, place: int) -> None:
    question = str(st.session_state[held])
    parts = list(parts_of(question))
    if place >= len(parts):
        return
    part = parts.pop(place)
    if how != "remove":
        parts.insert(place + (-1 if how == "up" else 1), part)
    _keep(held, with_parts(question, parts))
