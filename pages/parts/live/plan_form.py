"""The plan as a form: its sections can be changed, moved, added and removed; what is typed is never lost in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import streamlit as st

from pages.parts import component
from pages.parts.live import plan_card
from pages.parts.ui import Ui
from research.outline import Outline, Section

_FIELDS = ("title", "focus", "questions", "needs")


@dataclass
class Draft:
    """A plan that is being edited. What its fields hold stands in the session while the form is shown.

    What a button asks for is done once, however often a server that is busy hears of one press.
    """

    run: str
    outline: Outline
    at_most: int
    """Sections that a plan may have."""
    has_needs: bool
    """Each section says which information it requires."""
    sections: list[int] = field(default_factory=list)
    """The sections in their order, by numbers that stay theirs."""
    _numbers: count[int] = field(default_factory=count)

    @classmethod
    def of(cls, run: str, outline: Outline, *, at_most: int, has_needs: bool) -> Draft:
        """Begin to edit a plan."""
        has_needs = has_needs or any(section.needs for section in outline.sections)
        draft = cls(run, outline, at_most, has_needs)
        for section in outline.sections:
            draft.add(section)
        return draft

    def key(self, section: int, name: str) -> str:
        """Return the key under which a field stands in the session."""
        return f"plan_{self.run}_{section}_{name}"

    def add(self, section: Section) -> None:
        """Put a section at the end."""
        number = next(self._numbers)
        self.sections.append(number)
        held = {"questions": "\n".join(section.questions), "needs": "\n".join(section.needs)}
        for name in _FIELDS:
            st.session_state[self.key(number, name)] = held.get(name) or getattr(section, name) or ""

    def append(self, place: int) -> None:
        """Put an empty section at the end, which is at `place` unless it was done before."""
        if len(self.sections) == place:
            self.add(Section(title=""))

    def remove(self, section: int) -> None:
        """Take a section out."""
        if section in self.sections:
            self.sections.remove(section)

    def move(self, section: int, place: int) -> None:
        """Move a section to a place, counted from 0."""
        if section in self.sections:
            self.sections.remove(section)
            self.sections.insert(place, section)

    def edited(self) -> Outline:
        """Return the plan as the form holds it; a section without a title is called by what else it says."""
        sections = [self._section(number) for number in self.sections]
        return self.outline.model_copy(update={"sections": tuple(section for section in sections if section.title)})

    def _section(self, number: int) -> Section:
        held = {name: str(st.session_state.get(self.key(number, name), "")) for name in _FIELDS}
        return Section(
            title=next(filter(None, (held[name].strip().partition("\n")[0] for name in _FIELDS)), ""),
            focus=held["focus"],
            questions=tuple(held["questions"].splitlines()),
            needs=tuple(held["needs"].splitlines()),
        )


def show(draft: Draft, reader: Ui, *, begin: Callable[[], None], cancel: Callable[[], None]) -> None:
    """Show the form; every button hands over all that was typed."""
    with st.form(f"plan_form_{draft.run}", border=False, enter_to_submit=False):
        for place, number in enumerate(draft.sections):
            _section(draft, number, place, reader)
        if not draft.sections:
            component.show(plan_card.nothing_left(reader), key="plan_nothing_left", language=reader.language)
        st.form_submit_button(
            reader._("Add a section"),
            icon=":material/add:",
            on_click=draft.append,
            args=(len(draft.sections),),
            disabled=len(draft.sections) >= draft.at_most,
            help=_full(draft, reader),
            key=f"plan_{draft.run}_add",
        )
        with st.container(horizontal=True):
            st.form_submit_button(
                reader._("Save and start"),
                type="primary",
                icon=":material/play_arrow:",
                on_click=begin,
                key=f"plan_{draft.run}_begin",
            )
            st.form_submit_button(reader._("Cancel"), on_click=cancel, key=f"plan_{draft.run}_cancel")


def _full(draft: Draft, reader: Ui) -> str | None:
    if len(draft.sections) < draft.at_most:
        return None
    return reader.n_(
        "A plan of this preset has {count} section at most.",
        "A plan of this preset has {count} sections at most.",
        draft.at_most,
    )


def _section(draft: Draft, number: int, place: int, reader: Ui) -> None:
    last = len(draft.sections) - 1
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(reader._("**Section {number}**").format(number=reader.number(place + 1)), width="content")
            with st.container(horizontal=True, gap="small", width="content"):
                _button(draft, number, "up", reader._("Up"), act=draft.move, to=place - 1, off=place == 0)
                _button(draft, number, "down", reader._("Down"), act=draft.move, to=place + 1, off=place == last)
                _button(draft, number, "remove", reader._("Remove"), act=draft.remove)
        title, focus = st.columns([2, 3])
        title.text_input(reader._("Title"), key=draft.key(number, "title"), max_chars=200)
        focus.text_input(reader._("Focus"), key=draft.key(number, "focus"), max_chars=500)
        questions, needs = st.columns([3, 2]) if draft.has_needs else (st.container(), None)
        key = draft.key(number, "questions")
        questions.text_area(reader._("Key questions, one per line"), key=key, height=_LINES)
        if needs is not None:
            key = draft.key(number, "needs")
            needs.text_area(reader._("Required information, one per line"), key=key, height=_LINES)


_LINES = 108
"""Height of a field of lines, in pixels; three of them fit."""
_ICONS = {"up": ":material/arrow_upward:", "down": ":material/arrow_downward:", "remove": ":material/delete:"}


def _button(
    draft: Draft,
    number: int,
    name: str,
    label: str,
    *,
    act: Callable[..., None],
    off: bool = False,
    to: int | None = None,
) -> None:
    st.form_submit_button(
        label,
        icon=_ICONS[name],
        type="tertiary",
        disabled=off,
        on_click=act,
        args=(number,) if to is None else (number, to),
        key=draft.key(number, name),
    )
