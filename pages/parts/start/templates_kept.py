"""The user's own templates: keep the form as one, pass one on as a file, delete one."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from pydantic import ValidationError

from pages.parts.engine import engine
from pages.parts.start import form, form_values
from pages.parts.start.templates_panel import kept, plain, subject
from pages.parts.ui import Ui
from research.brief import Brief
from research.errors import ResearchError
from research.templates import OwnTemplate, own
from research.templates.filling import SUBJECT

_NAME, _NOTICE = "template_name", "template_notice"


def show(reader: Ui) -> None:
    """Show the field that keeps the form, and the templates that are kept."""
    if _NOTICE in st.session_state:
        st.error(st.session_state.pop(_NOTICE), icon=":material/error:")
    brief = _brief()
    st.text_input(
        reader._("Name of a template"),
        key=_NAME,
        max_chars=own.LONGEST_NAME,
        placeholder=reader._("Weekly market watch"),
    )
    if brief is not None and subject() and subject() in brief.question:
        st.caption(reader._("“{subject}” will be asked for anew each time.").format(subject=plain(subject())))
    elif brief is not None and brief.question == SUBJECT:
        st.caption(reader._("The question is empty: it will be asked for each time."))
    st.button(
        reader._("Keep this form as a template"),
        icon=":material/bookmark_add:",
        width="stretch",
        key="template_keep",
        on_click=_guarded,
        args=(lambda: _keep(brief, reader),),
        disabled=brief is None,
    )
    for place, template in enumerate(kept() or ()):
        _row(place, template, reader)


def _row(place: int, template: OwnTemplate, reader: Ui) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"template_row_{place}"):
        st.markdown(f":material/bookmark: {plain(template.name)}", width="stretch")
        st.download_button(
            reader._("Save as file"),
            data=template.to_json(),
            file_name=f"{form_values.file_name(template.name)}.json",
            mime="application/json",
            type="tertiary",
            on_click="ignore",
            key=f"template_file_{place}",
        )
        st.button(
            reader._("Delete"),
            type="tertiary",
            key=f"template_delete_{place}",
            on_click=_guarded,
            args=(lambda: own.delete(engine().settings.home, template.name),),
        )


def _brief() -> Brief | None:
    """Return the form as a brief, its question to be typed if there is none; None while a field cannot be used."""
    held = form.values()
    try:
        return form_values.to_brief(held | {"question": str(held["question"]).strip() or SUBJECT})
    except ValidationError:
        return None


def _guarded(work: Callable[[], None]) -> None:
    """Do `work`; what goes wrong is said where it was asked for."""
    try:
        work()
    except ResearchError as error:
        st.session_state[_NOTICE] = str(error)


def _keep(brief: Brief | None, reader: Ui) -> None:
    if brief is not None:
        template = own.make(st.session_state[_NAME], brief, reader.language, subject=subject())
        own.save(engine().settings.home, template, reader.language)
        st.session_state[_NAME] = ""
