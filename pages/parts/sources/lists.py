"""Lists of sites."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine
from pages.parts.nodes import Element, el, group, icon, sender, show_nodes
from pages.parts.sources.library import use_choice
from pages.parts.start.form import fill, form_values, prepare_form
from pages.parts.ui import Ui, confirm, go_to, no_traceback, not_kept, verbatim
from research.core import StoreError, UsageError
from research.settings import LONGEST_NAME
from research.sources.sites import (
    SiteList,
    built_in,
    delete,
    kept,
    load,
    make,
    save,
)

USE_SET = "use:"
"""Message that asks to begin a brief with a set; its name follows, as in all of these."""
EDIT_SET = "edit:"
COPY_SET = "copy:"
DELETE_SET = "delete:"

_SHOWN = 8
_BETWEEN = "\N{NO-BREAK SPACE}· "
"""Stands between sites; no line begins with it."""


def cards(ready: tuple[SiteList, ...], own: tuple[SiteList, ...], ui: Ui) -> list[Element]:
    """Return the own sets, then those that come with the program, which can be copied but not changed."""
    return [
        group(
            "ul", "site-sets",
            [*(_card(one, ui, is_own=True) for one in own), *(_card(one, ui, is_own=False) for one in ready)],
        )
    ]  # fmt: skip


def _card(one: SiteList, ui: Ui, *, is_own: bool) -> Element:
    badge = None if is_own else el("span", "badge built-in", ui._("built in"))
    return el(
        "li", "site-set",
        el("div", "site-set-head", el("h2", "", one.name), badge),
        *_sites_of_list("keep", ui._("Searched first"), one.preferred, ui),
        *_sites_of_list("block", ui._("Never read"), one.forbidden, ui),
        group("div", "site-set-foot", _actions(one, ui, is_own=is_own)),
        key=one.name,
    )  # fmt: skip


def _actions(one: SiteList, ui: Ui, *, is_own: bool) -> list[Element]:
    quiet = (
        [(EDIT_SET, "edit", ui._("Edit “{name}”")), (DELETE_SET, "delete", ui._("Delete “{name}”"))] if is_own else []
    )
    quiet.insert(len(quiet) // 2, (COPY_SET, "content_copy", ui._("Copy “{name}”")))
    return [
        sender(USE_SET + one.name, "textual", icon("edit_note"), ui._("Use in a new brief")),
        *(_quiet(message + one.name, symbol, label.format(name=one.name)) for message, symbol, label in quiet),
    ]


def _quiet(message: str, symbol: str, label: str) -> Element:
    return sender(message, "quiet", icon(symbol), aria_label=label, title=label)


def _sites_of_list(symbol: str, label: str, sites: tuple[str, ...], ui: Ui) -> list[Element]:
    if not sites:
        return []
    shown, rest = sites[:_SHOWN], sites[_SHOWN:]
    more = el(
        "details", "more",
        el("summary", "", ui.n_("{count} more site", "{count} more sites", len(rest))),
        el("p", "hosts", _BETWEEN.join(rest)),
    ) if rest else None  # fmt: skip
    return [
        el(
            "div", f"site-sort {symbol}",
            icon("star" if symbol == "keep" else "block"),
            el("div", "", el("h3", "", label), el("p", "hosts", _BETWEEN.join(shown)), more),
        )
    ]  # fmt: skip


_COUNT = "site_set_forms"


def show_site_set_form(one: SiteList | None, reader: Ui, *, is_copy: bool = False) -> None:
    """Open the form of a set: a new one, a copy, or the set itself."""
    title = reader._("New set") if one is None or is_copy else reader._("Edit set")
    # Another form each time: what was typed into the last one is not to stand in this one.
    number = st.session_state[_COUNT] = st.session_state.get(_COUNT, 0) + 1

    @st.dialog(verbatim(title))
    def dialog() -> None:
        with no_traceback(reader):
            _fields(one, reader, number, is_copy=is_copy)

    dialog()


def confirm_set_deletion(one: SiteList, reader: Ui) -> None:
    """Ask before a set is deleted."""

    def act() -> str:
        try:
            delete(engine().settings.home, one.name)
        except StoreError:
            return _not_kept(reader)
        return ""

    words = reader._("Briefs and runs that were filled from it keep their sites.")
    confirm(reader._("Delete this set?"), words, reader._("Delete"), act, reader, subject=one.name)


def _not_kept(reader: Ui) -> str:
    return not_kept(kept.path(engine().settings.home).parent, reader)


def _fields(one: SiteList | None, reader: Ui, number: int, *, is_copy: bool) -> None:
    name = one.name if one else ""
    with st.form(f"site_set_form_{number}", border=False):
        typed = st.text_input(  # without `max_chars`: with it, a longer name that is pasted in vanishes without a word
            reader._("Name"),
            value=reader._("{name} (copy)").format(name=name)[:LONGEST_NAME] if is_copy else name,
            key=f"site_set_name_{number}",
        )
        preferred = _sites_entered("preferred", reader._("Searched first, one per line"), one, number, "stat.go.jp")
        forbidden = _sites_entered("forbidden", reader._("Never read, one per line"), one, number, "example.com")
        with st.container(horizontal=True, horizontal_alignment="right"):
            is_over = st.form_submit_button(reader._("Cancel"), key=f"site_set_cancel_{number}")
            sent = st.form_submit_button(
                reader._("Save"), type="primary", icon=":material/check:", key=f"site_set_save_{number}"
            )
    if is_over:
        st.rerun()
    if sent:
        reason = _saved((typed, preferred, forbidden), "" if is_copy else name, reader)
        if not reason:
            st.rerun()
        st.error(verbatim(reason), icon=":material/edit:")


def _sites_entered(field: str, label: str, one: SiteList | None, number: int, example: str) -> str:
    text: str = st.text_area(
        verbatim(label),
        value="\n".join(getattr(one, field)) if one else "",
        placeholder=example,
        height=140,
        key=f"site_set_{field}_{number}",
    )
    return text


def _saved(typed: tuple[str, str, str], instead_of: str, reader: Ui) -> str:
    """Keep what was typed, and return why it could not be kept, or an empty string."""
    name, *sorts = typed
    lines = [[line for line in text.splitlines() if line.strip()] for text in sorts]
    try:
        made = make(name, lines[0], lines[1])
        save(engine().settings.home, made, instead_of=instead_of)
    except UsageError as error:
        return reader.reason(error)
    except StoreError:
        return _not_kept(reader)
    return ""


_ASKED = "site_set_asked"


def show_site_lists(reader: Ui) -> None:
    """Show the sets."""
    st.caption(
        reader._(
            "A set fills “{preferred}” and “{forbidden}” of a brief. Searches ask for the first; the others are never "
            "read. A site stands for all below it: go.jp for every Japanese ministry."
        ).format(preferred=reader._("Preferred sites"), forbidden=reader._("Sites never to read"))
    )
    home = engine().settings.home
    try:
        own = load(home)
    except StoreError:
        message = reader._(
            "Your own sets cannot be read: {file}. What is saved now goes into a new file; this one is set aside."
        )
        st.error(verbatim(message.format(file=kept.path(home))), icon=":material/error:")
        own = ()
    if st.button(reader._("New set"), icon=":material/add:", type="primary", key="site_set_new"):
        show_site_set_form(None, reader)
    show_nodes(
        cards(built_in(reader.language), own, reader),
        key="site_sets",
        language=reader.language,
        on_message=_heard,
    )
    _answer(own, reader)


def _heard(message: str) -> None:
    st.session_state[_ASKED] = message


def _answer(own: tuple[SiteList, ...], reader: Ui) -> None:
    """Do what was asked of a set; of one that is gone meanwhile, nothing."""
    message: str = st.session_state.pop(_ASKED, "")
    action, _, name = message.partition(":")
    sets = {one.name: one for one in (*built_in(reader.language), *own)}
    one = sets.get(name)
    if one is None:
        return
    match f"{action}:":
        case action if action == USE_SET:
            prepare_form(reader)
            use_choice(one, form_values, fill)
            go_to("pages/new_research.py")
        case action if action == EDIT_SET:
            show_site_set_form(one, reader)
        case action if action == COPY_SET:
            show_site_set_form(one, reader, is_copy=True)
        case action if action == DELETE_SET:
            confirm_set_deletion(one, reader)
