"""Named sets of sites: see, make, edit, delete, pass on as files, and begin a brief with one."""

from __future__ import annotations

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.sources import source_library_choice
from pages.parts.sources import source_library_set_form as set_form
from pages.parts.sources.source_library_lists_nodes import COPY_SET, DELETE_SET, EDIT_SET, USE_SET, cards
from pages.parts.start import form
from pages.parts.ui import Ui
from research import site_lists, site_lists_file
from research.errors import StoreError, UsageError
from research.site_lists import SiteList

_ASKED = "site_set_asked"
_IMPORTS = "site_set_imports"
_NOTICE = "site_set_notice"


def show(reader: Ui) -> None:
    """Show the sets."""
    if _NOTICE in st.session_state:
        st.toast(st.session_state.pop(_NOTICE), icon=":material/info:")
    st.caption(
        reader._(
            "A set fills “{preferred}” and “{forbidden}” of a brief. Searches ask for the first; the others are never "
            "read. A site stands for all below it: go.jp for every Japanese ministry."
        ).format(preferred=reader._("Preferred sites"), forbidden=reader._("Sites never to read"))
    )
    home = engine().settings.home
    try:
        own = site_lists.load(home)
    except StoreError:
        message = reader._("Your own sets cannot be read: {file}. Move the file away to begin anew.")
        st.error(message.format(file=site_lists.place(home)), icon=":material/error:")
        own = ()
    _bar(own, reader)
    component.show(
        cards(site_lists.ready(reader.language), own, reader),
        key="site_sets",
        language=reader.language,
        on_message=_heard,
    )
    _answer(own, reader)


def _bar(own: tuple[SiteList, ...], reader: Ui) -> None:
    with st.container(horizontal=True):
        if st.button(reader._("New set"), icon=":material/add:", type="primary", key="site_set_new"):
            set_form.show(None, reader)
        with st.popover(reader._("Import"), icon=":material/upload:"):
            st.file_uploader(
                reader._("Sets of sites (JSON or text)"),
                key=f"{_IMPORTS}_{st.session_state.setdefault(_IMPORTS, 0)}",
                on_change=_import,
                args=(reader,),
                max_upload_size=1,
            )
            st.caption(reader._("As text: a line “# name”, then “+ site” to search first or “- site” never to read."))
            if "site_set_refused" in st.session_state:
                st.error(st.session_state["site_set_refused"], icon=":material/error:")
        with st.popover(reader._("Export"), icon=":material/download:"):
            _export(own, reader)


def _export(own: tuple[SiteList, ...], reader: Ui) -> None:
    sets = {one.name: one for one in (*own, *site_lists.ready(reader.language))}
    chosen = st.multiselect(
        reader._("Sets"), list(sets), default=[one.name for one in own], key=f"site_set_export_{len(sets)}", wrap=True
    )
    picked = [sets[name] for name in chosen]
    with st.container(horizontal=True):
        for ending, mime, text in (
            ("json", "application/json", site_lists_file.to_json(picked)),
            ("txt", "text/plain", site_lists_file.to_text(picked)),
        ):
            st.download_button(
                ending.upper() if ending == "json" else reader._("Text"),
                data=text,
                file_name=f"site-sets.{ending}",
                mime=mime,
                icon=":material/download:",
                disabled=not picked,
                on_click="ignore",
                key=f"site_set_{ending}",
            )


def _import(reader: Ui) -> None:
    file = st.session_state.get(f"{_IMPORTS}_{st.session_state[_IMPORTS]}")
    st.session_state.pop("site_set_refused", None)
    if file is None:
        return
    try:
        sets = site_lists_file.read(file.getvalue(), reader.language)
        count = site_lists_file.enter(engine().settings.home, sets, reader.language)
    except UsageError as error:
        st.session_state["site_set_refused"] = str(error)
    except StoreError:
        st.session_state["site_set_refused"] = set_form.not_kept(reader)
    else:
        st.session_state[_IMPORTS] += 1
        st.session_state[_NOTICE] = reader.n_("{count} new set", "{count} new sets", count)


def _heard(message: str) -> None:
    st.session_state[_ASKED] = message


def _answer(own: tuple[SiteList, ...], reader: Ui) -> None:
    """Do what was asked of a set; of one that is gone meanwhile, nothing."""
    message: str = st.session_state.pop(_ASKED, "")
    action, _, name = message.partition(":")
    sets = {one.name: one for one in (*site_lists.ready(reader.language), *own)}
    one = sets.get(name)
    if one is None:
        return
    match f"{action}:":
        case action if action == USE_SET:
            form.prepare(reader)
            source_library_choice.use(one, form.values, form.fill)
            st.switch_page("pages/new_research.py")
        case action if action == EDIT_SET:
            set_form.show(one, reader)
        case action if action == COPY_SET:
            set_form.show(one, reader, is_copy=True)
        case action if action == DELETE_SET:
            set_form.confirm_deletion(one, reader)
