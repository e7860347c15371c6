"""Templates over the form: choose one, type what it asks for, and the form is filled; keep own ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st
from pydantic import ValidationError

from pages.parts import form, form_values
from pages.parts.engine import engine
from pages.parts.ui import Ui
from research.brief import Brief
from research.errors import ResearchError, StoreError
from research.templates import JOBS, Job, OwnTemplate, own
from research.templates.filling import SUBJECT

_CHOSEN, _SUBJECT, _NAME = "template_chosen", "template_subject", "template_name"
_NOTICE, _FILE = "template_notice", "template_file"
_JOBS = {f"job:{job.name}": job for job in JOBS}

Template = Job | OwnTemplate


def show(reader: Ui) -> None:
    """Show the templates, and the field of what the chosen one asks for."""
    kept = _kept(reader)
    templates: dict[str, Template] = _JOBS | {f"own:{one.name}": one for one in kept}
    if st.session_state.get(_CHOSEN) not in templates:
        st.session_state[_CHOSEN] = None
    chosen = st.pills(
        reader._("Or begin with a template"),
        list(templates),
        format_func=lambda key: _label(templates[key], reader),
        key=_CHOSEN,
        on_change=_choose,
        args=(templates, reader),
        persist_state="session",
        wrap=True,
        width="stretch",
        help=reader._("It fills question, scope, period, preset, readers, form and length; change what you like."),
    )
    if chosen:
        _ask(templates[chosen], reader)


def keep(reader: Ui) -> None:
    """Show the menu in which the form is kept as a template, and kept ones are passed on, taken in and deleted."""
    with st.popover(reader._("Templates"), icon=":material/bookmarks:", type="tertiary", key="own_templates"):
        _own_templates(_kept(reader), reader)


def forget() -> None:
    """Unchoose the template; only before it is drawn, as callbacks do."""
    st.session_state[_CHOSEN] = None
    st.session_state[_SUBJECT] = ""


def _kept(reader: Ui) -> tuple[OwnTemplate, ...]:
    try:
        return own.load(engine().settings.home)
    except StoreError:
        message = reader._("Your own templates cannot be read: {file}. Move the file away to begin anew.")
        st.error(message.format(file=own.place(engine().settings.home)), icon=":material/error:")
        return ()


def _label(template: Template, reader: Ui) -> str:
    if isinstance(template, Job):
        return reader.of_term(template.label)
    return f":material/bookmark: {_plain(template.name)}"


def _plain(text: str) -> str:
    """Return a name so that nothing in it is taken for Markdown."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()<>#+-.!|~:$&" else sign for sign in text)


def _ask(template: Template, reader: Ui) -> None:
    """Ask for what the template needs; one that needs nothing has filled the form already."""
    if isinstance(template, OwnTemplate):
        if template.asks:
            example = template.brief.question.replace(SUBJECT, "…")
            _subject(reader._("What it is about this time"), example, template, reader)
        return
    _subject(reader.of_term(template.asks), reader.of_term(template.example), template, reader)
    st.caption(reader.of_term(template.hint))


def _subject(label: str, example: str, template: Template, reader: Ui) -> None:
    st.text_input(
        label,
        key=_SUBJECT,
        placeholder=example,
        icon=":material/edit:",
        max_chars=300,
        on_change=_fill,
        args=(template, reader),
        persist_state="session",
    )


def _choose(templates: Mapping[str, Template], reader: Ui) -> None:
    """Fill the form with what was typed for another template, or at once if nothing has to be typed."""
    chosen = templates.get(st.session_state[_CHOSEN] or "")
    if chosen is not None:
        _fill(chosen, reader)


def _fill(template: Template, reader: Ui) -> None:
    subject = str(st.session_state.get(_SUBJECT) or "").strip()
    if isinstance(template, Job):
        if subject:
            fields = form_values.of_brief(template.brief(subject, reader.language))
            # Where to look, and what it may cost, is not the template's to say.
            form.fill({name: value for name, value in fields.items() if name not in form_values.STAYS})
    elif subject or not template.asks:
        form.fill(form_values.of_brief(template.filled(subject)))


def _own_templates(kept: tuple[OwnTemplate, ...], reader: Ui) -> None:
    """Keep the form as a template, and see, pass on, take in and delete those that are kept."""
    if _NOTICE in st.session_state:
        st.error(st.session_state.pop(_NOTICE), icon=":material/error:")
    subject, brief = str(st.session_state.get(_SUBJECT) or "").strip(), _brief()
    st.text_input(reader._("Name"), key=_NAME, max_chars=own.LONGEST_NAME, placeholder=reader._("Weekly market watch"))
    if brief is not None and subject and subject in brief.question:
        st.caption(reader._("“{subject}” will be asked for anew each time.").format(subject=_plain(subject)))
    elif brief is not None and brief.question == SUBJECT:
        st.caption(reader._("The question is empty: it will be asked for each time."))
    st.button(
        reader._("Keep this form as a template"),
        icon=":material/bookmark_add:",
        on_click=_guarded,
        args=(lambda: _keep(brief, subject, reader),),
        disabled=brief is None,
    )
    st.file_uploader(
        reader._("Take in a template (file)"),
        key=f"{_FILE}_{st.session_state.setdefault(_FILE, 0)}",
        on_change=_guarded,
        args=(lambda: _take_in(reader),),
    )
    for place, template in enumerate(kept):
        _row(place, template, reader)


def _row(place: int, template: OwnTemplate, reader: Ui) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"template_row_{place}"):
        st.markdown(_plain(template.name), width="stretch")
        st.download_button(
            "",
            data=template.to_json(),
            file_name=f"{template.name}.json",
            mime="application/json",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
            key=f"template_file_{place}",
            help=reader._("Save as file"),
        )
        st.button(
            "",
            icon=":material/delete:",
            type="tertiary",
            key=f"template_delete_{place}",
            on_click=_guarded,
            args=(lambda: own.delete(engine().settings.home, template.name),),
            help=reader._("Delete this template"),
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


def _keep(brief: Brief | None, subject: str, reader: Ui) -> None:
    if brief is None:
        return
    template = own.make(st.session_state[_NAME], brief, reader.language, subject=subject)
    own.save(engine().settings.home, template, reader.language)
    st.session_state[_NAME] = ""


def _take_in(reader: Ui) -> None:
    file = st.session_state.get(f"{_FILE}_{st.session_state[_FILE]}")
    if file is not None:
        st.session_state[_FILE] += 1
        own.save(engine().settings.home, own.read(file.getvalue(), reader.language), reader.language)
