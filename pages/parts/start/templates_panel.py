"""Templates over the form: choose one, type what it asks for, and the form is filled."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.parts.engine import engine
from pages.parts.start import form, form_values
from pages.parts.ui import Ui
from research.errors import StoreError
from research.language import Language
from research.templates import JOBS, Job, OwnTemplate, own
from research.templates.filling import SUBJECT

_CHOSEN, _SUBJECT = "template_chosen", "template_subject"
_JOBS = {f"job:{job.name}": job for job in JOBS}

Template = Job | OwnTemplate


def show(reader: Ui) -> bool:
    """Show the templates, and the field of what the chosen one asks for; return whether one is chosen."""
    own_ones = kept()
    if own_ones is None:
        message = reader._("Your own templates cannot be read: {file}. Move the file away to begin anew.")
        st.error(message.format(file=own.place(engine().settings.home)), icon=":material/error:")
    templates: dict[str, Template] = _JOBS | {f"own:{one.name}": one for one in own_ones or ()}
    if st.session_state.get(_CHOSEN) not in templates:
        st.session_state[_CHOSEN] = None
    chosen = st.pills(
        reader._("Or begin with a template"),
        list(templates),
        format_func=lambda key: _label(templates[key], reader),
        key=_CHOSEN,
        on_change=_choose,
        args=(templates,),
        persist_state="session",
        wrap=True,
        help=reader._("It fills question, scope, period, preset, readers, form and length; change what you like."),
    )
    if chosen:
        _ask(templates[chosen], reader)
    return bool(chosen)


def forget() -> None:
    """Unchoose the template; only before it is drawn, as callbacks do."""
    st.session_state[_CHOSEN] = None
    st.session_state[_SUBJECT] = ""


def subject() -> str:
    """Return what was typed into the field of the chosen template."""
    return str(st.session_state.get(_SUBJECT) or "").strip()


def kept() -> tuple[OwnTemplate, ...] | None:
    """Return the templates that the user keeps, or None if they cannot be read."""
    try:
        return own.load(engine().settings.home)
    except StoreError:
        return None


def _label(template: Template, reader: Ui) -> str:
    if isinstance(template, Job):
        return reader.of_term(template.label)
    return f":material/bookmark: {plain(template.name)}"


def plain(text: str) -> str:
    """Return a name so that nothing in it is taken for Markdown."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()<>#+-.!|~:$&" else sign for sign in text)


def _ask(template: Template, reader: Ui) -> None:
    """Ask for what the template needs; one that needs nothing has filled the form already."""
    if isinstance(template, OwnTemplate):
        if template.asks:
            example = template.brief.question.replace(SUBJECT, "…")
            _ask_for(reader._("What it is about this time"), example, template)
        return
    _ask_for(reader.of_term(template.asks), reader.of_term(template.example), template)
    st.caption(reader.of_term(template.hint))


def _ask_for(label: str, example: str, template: Template) -> None:
    st.text_input(
        label,
        key=_SUBJECT,
        placeholder=example,
        icon=":material/edit:",
        max_chars=300,
        on_change=_fill,
        args=(template,),
        persist_state="session",
    )


def _choose(templates: Mapping[str, Template]) -> None:
    """Fill the form with what was typed for another template, or at once if nothing has to be typed."""
    chosen = templates.get(st.session_state[_CHOSEN] or "")
    if chosen is not None:
        _fill(chosen)


def _fill(template: Template) -> None:
    if isinstance(template, Job):
        if subject():
            fields = form_values.of_brief(template.brief(subject(), Language(form.values()["language"])))
            # Where to look, and what it may cost, is not the template's to say.
            form.fill({name: value for name, value in fields.items() if name not in form_values.STAYS})
    elif subject() or not template.asks:
        form.fill(form_values.of_brief(template.filled(subject())))
