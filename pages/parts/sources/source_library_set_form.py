"""The dialogs of a named set of sites: its form, and the question before it is deleted."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine
from pages.parts.session import no_traceback
from pages.parts.ui import Ui
from research import site_lists
from research.errors import StoreError, UsageError
from research.site_lists import SiteList

_COUNT = "site_set_forms"


def show(one: SiteList | None, reader: Ui, *, is_copy: bool = False) -> None:
    """Open the form of a set: a new one, a copy, or the set itself."""
    title = reader._("New set") if one is None or is_copy else reader._("Edit set")
    # Another form each time: what was typed into the last one is not to stand in this one.
    number = st.session_state[_COUNT] = st.session_state.get(_COUNT, 0) + 1

    @st.dialog(title)
    def dialog() -> None:
        with no_traceback(reader):
            _fields(one, reader, number, is_copy=is_copy)

    dialog()


def confirm_deletion(one: SiteList, reader: Ui) -> None:
    """Ask before a set is deleted."""

    @st.dialog(reader._("Delete this set?"))
    def dialog() -> None:
        with no_traceback(reader):
            st.text(one.name)
            st.caption(reader._("Briefs and runs that were filled from it keep their sites."))
            with st.container(horizontal=True, horizontal_alignment="right"):
                cancelled = st.button(reader._("Cancel"), key="site_set_keep")
                confirmed = st.button(
                    reader._("Delete"), type="primary", icon=":material/delete:", key="site_set_delete"
                )
            if confirmed and not _deleted(one):
                st.error(not_kept(reader), icon=":material/error:")
            elif confirmed or cancelled:
                st.rerun()

    dialog()


def not_kept(reader: Ui) -> str:
    """Return what to do when sets cannot be written."""
    folder = site_lists.place(engine().settings.home).parent
    return reader._(
        "This could not be kept in {folder}. Check free disk space and permissions; nothing was changed."
    ).format(folder=folder)


def _fields(one: SiteList | None, reader: Ui, number: int, *, is_copy: bool) -> None:
    name = one.name if one else ""
    with st.form(f"site_set_form_{number}", border=False):
        typed = st.text_input(  # without `max_chars`: with it, a longer name that is pasted in vanishes without a word
            reader._("Name"),
            value=reader._("{name} (copy)").format(name=name)[: site_lists.LONGEST_NAME] if is_copy else name,
            key=f"site_set_name_{number}",
        )
        preferred = _sites("preferred", reader._("Searched first, one a line"), one, number, "stat.go.jp")
        forbidden = _sites("forbidden", reader._("Never read, one a line"), one, number, "example.com")
        with st.container(horizontal=True, horizontal_alignment="right"):
            sent = st.form_submit_button(
                reader._("Save"), type="primary", icon=":material/check:", key=f"site_set_save_{number}"
            )
    if sent:
        reason = _saved((typed, preferred, forbidden), "" if is_copy else name, reader)
        if not reason:
            st.rerun()
        st.error(reason, icon=":material/edit:")


def _sites(field: str, label: str, one: SiteList | None, number: int, example: str) -> str:
    text: str = st.text_area(
        label,
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
        made = site_lists.make(name, lines[0], lines[1], reader.language)
        site_lists.save(engine().settings.home, [made], reader.language, instead_of=instead_of)
    except UsageError as error:
        return str(error)
    except StoreError:
        return not_kept(reader)
    return ""


def _deleted(one: SiteList) -> bool:
    try:
        site_lists.delete(engine().settings.home, one.name)
    except StoreError:
        return False
    return True
