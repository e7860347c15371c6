"""What is in the form, kept for another time: as a template, or as a file; and files taken in."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine
from pages.parts.start import form, form_values, templates_kept, templates_panel
from pages.parts.ui import Ui
from research.brief import Brief
from research.errors import ResearchError
from research.templates import own

_FAILED, _LOADS = "load_failed", "loads"
_LARGEST_MB = 1


def show(brief: Brief | None, reader: Ui) -> None:
    """Show the menu; `brief` is None while the form holds none."""
    with st.container(horizontal=True):
        with st.popover(reader._("Save and load"), icon=":material/bookmarks:", key="save_and_load"):
            templates_kept.show(reader)
            _files(brief, reader)
        st.button(reader._("Clear"), icon=":material/backspace:", type="tertiary", on_click=_clear, args=(reader,))


def forget_failure() -> None:
    """Say no more what was wrong with the last file."""
    st.session_state.pop(_FAILED, None)


def _files(brief: Brief | None, reader: Ui) -> None:
    st.download_button(
        reader._("Save this brief as a file"),
        data=(brief.model_dump_json(indent=2, exclude_defaults=True) + "\n") if brief else "",
        file_name="brief.json",
        mime="application/json",
        icon=":material/download:",
        width="stretch",
        disabled=brief is None,
        on_click="ignore",
        key="save_brief",
        help=reader._("To use it again, pass it on, or give it to the command line."),
    )
    st.file_uploader(
        reader._("A saved brief (JSON)"),
        key=f"load_{st.session_state.setdefault(_LOADS, 0)}",
        on_change=_load,
        args=(reader,),
        max_upload_size=_LARGEST_MB,
        help=reader._("A brief fills the form; a template joins yours."),
    )
    if _FAILED in st.session_state:
        st.error(st.session_state[_FAILED], icon=":material/error:")


def _clear(reader: Ui) -> None:
    forget_failure()
    templates_panel.forget()
    form.fill(form_values.empty(reader.language))


def _load(reader: Ui) -> None:
    file = st.session_state.get(f"load_{st.session_state[_LOADS]}")
    forget_failure()
    if file is None:
        return
    data = file.getvalue()
    try:
        problem = _take_in_template(data, reader) if own.is_template(data) else _fill(data, reader)
    except ResearchError as error:
        problem = str(error)
    if problem:
        st.session_state[_FAILED] = problem
    else:
        st.session_state[_LOADS] += 1


def _take_in_template(data: bytes, reader: Ui) -> str:
    template = own.read(data, reader.language)
    own.save(engine().settings.home, template, reader.language)
    st.toast(
        reader._("The template “{name}” is kept.").format(name=templates_panel.plain(template.name)),
        icon=":material/bookmark_added:",
    )
    return ""


def _fill(data: bytes, reader: Ui) -> str:
    """Fill the form with a brief; return what is wrong with it, if anything."""
    loaded = form_values.load(data, reader)
    if not isinstance(loaded, Brief):
        return loaded.reason
    form.fill(form_values.of_brief(loaded))
    return ""
