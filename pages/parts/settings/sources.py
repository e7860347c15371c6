"""Sources of pages: what each needs to know, entered, kept and checked; ours and those of other packages alike."""

from __future__ import annotations

import streamlit as st
from pydantic import SecretStr

from pages.parts.accounts import is_administrator
from pages.parts.engine import engine, own_library, settings_home
from pages.parts.native_words import say_anew
from pages.parts.nodes import show_nodes
from pages.parts.settings.services import (
    SERVICE_ROW,
    Access,
    Provider as Row,
    ask_service,
    failed_check,
    service_answered,
    service_nodes,
)
from pages.parts.ui import Ui, not_kept, verbatim
from research.core import Brief, SourceField, SourceName, StoreError, UsageError
from research.settings import KeptSettings, KeptSource, kept_settings, shown_address, variables_set
from research.sources import Making, Provider, provider, providers
from research.sources.checks import check_source
from research.store import Action

_CHOSEN = "source_chosen"
_SHOWN_ELSEWHERE = {SourceName.LIBRARY, SourceName.FACTBOOK, SourceName.HOUSE, SourceName.MCP}
"""Those that have parts of their own, on this page or another; the web's have a field here as well."""


def further_sources() -> list[Provider]:
    """Return the sources that have no part of their own on this page."""
    return [one for one in providers() if one.name not in _SHOWN_ELSEWHERE | {SourceName.WEB}]


def standing_of(one: Provider, reader: Ui) -> Row:
    """Return how it stands with a source: what it holds, or what it lacks."""
    lack = one.lacks(_making(reader))
    said = one.hint if lack is None else lack.remedy
    return Row(reader.of_term(one.label), lack is None, reader.of_term(said) if said is not None else "")


def _making(reader: Ui) -> Making:
    settings = engine().settings
    brief = Brief(question="…", language=reader.language)
    return Making(brief, settings, folder=own_library(), uses_models=settings.has_models)


def show_sources(kept: KeptSettings, reader: Ui) -> None:
    """Show the source that the reader chooses: what can be entered for it, and the button to check it."""
    st.subheader(reader._("Sources one by one"), anchor=False)
    st.caption(
        reader._(
            "Each can be chosen for a research under “Sources”. Most need nothing; what is set up of your own here is "
            "searched by itself where no source is chosen."
        )
    )
    offered = [str(one.name) for one in providers() if one.name not in _SHOWN_ELSEWHERE]
    labels = {name: reader.of_term(provider(name).label) for name in offered}
    chosen = st.session_state.setdefault(_CHOSEN, offered[0])
    say_anew(_CHOSEN, labels.get(chosen, ""))
    name = st.selectbox(reader._("Source"), offered, format_func=labels.__getitem__, key=_CHOSEN)
    _source(provider(name), kept.sources.get(name, KeptSource()), reader)


def _source(one: Provider, kept: KeptSource, reader: Ui) -> None:
    about, entry = st.container(key=f"source_{one.name}").columns(SERVICE_ROW, gap="small")
    access = _access(one)
    with about:
        row = standing_of(one, reader)
        is_failed = failed_check(access)
        sign = "warning" if is_failed else "check_circle" if row.is_there else "radio_button_unchecked"
        hint = reader.of_term(one.hint) if one.hint is not None else ""
        state = reader._("Ready to be searched.") if row.is_there else row.state
        show_nodes(
            service_nodes((sign, [state]), hint, row.name), key=f"source_state_{one.name}", language=reader.language
        )
    with entry:
        _form(one, kept, reader)
        service_answered(access, "", reader)
        if any(kept.value(field.name) for field in one.fields) and st.button(
            verbatim(reader._("Forget what was entered for {service}").format(service=row.name)),
            icon=":material/delete:",
            type="tertiary",
            key=f"source_forget_{one.name}",
        ):
            _keep(one, KeptSource(), reader)


def _access(one: Provider) -> Access:
    """Return what a check of it asks: its values, of which any may be a key."""
    values = engine().settings.of_source(one)
    return f"source:{one.name}", None, SecretStr("\n".join(values.values()))


def _form(one: Provider, kept: KeptSource, reader: Ui) -> None:
    number = st.session_state.setdefault(f"source_entries_{one.name}", 0)
    with st.form(f"source_form_{one.name}", border=False):
        grid = st.grid(2, min_column_width=220, gap=("small", "medium")) if one.fields else st.container()
        entered = {
            field.name: grid.text_input(
                verbatim(reader.of_term(field.label)),
                value="" if field.is_secret else _shown(one, field, kept),
                type="password" if field.is_secret else "default",
                autocomplete="new-password" if field.is_secret else None,
                placeholder=_placeholder(one, field, kept, reader),
                disabled=_is_fixed(one, field),
                help=reader.of_term(field.hint) if field.hint is not None else None,
                key=f"source_{one.name}_{field.name}_{number}",
            )
            for field in one.fields
        }
        label = reader._("Save and check {service}") if one.fields else reader._("Check {service}")
        pressed = st.form_submit_button(
            verbatim(label.format(service=reader.of_term(one.label))),
            icon=":material/network_check:",
            key=f"source_save_{one.name}",
        )
    if pressed:
        _save_and_check(one, kept, entered, reader)


def _is_fixed(one: Provider, field: SourceField) -> bool:
    return one.variable(field) in variables_set() or (field.is_place and not is_administrator())


def _shown(one: Provider, field: SourceField, kept: KeptSource) -> str:
    used = engine().settings.of_source(one)[field.name]
    held = used if _is_fixed(one, field) else kept.value(field.name)
    return "" if held == field.default else shown_address(held)


def _placeholder(one: Provider, field: SourceField, kept: KeptSource, reader: Ui) -> str:
    if one.variable(field) in variables_set():
        return reader._("Set by the environment ({variable}).").format(variable=one.variable(field))
    if field.is_secret:
        return (
            reader._("Kept; enter another to replace it") if kept.value(field.name) else reader._("Paste the key here")
        )
    return field.default


def _save_and_check(one: Provider, kept: KeptSource, entered: dict[str, str], reader: Ui) -> None:
    used = engine().settings.of_source(one)
    given = {
        field.name: (used[field.name] if field.is_place and not field.is_secret else kept.value(field.name))
        if _is_fixed(one, field)
        else entered[field.name]
        for field in one.fields
    }
    try:
        new = kept.entered(one.fields, given, reader.language)
    except UsageError as error:
        st.error(verbatim(str(error)), icon=":material/edit:")
        return
    if new == kept or _keep(one, new, reader, is_last=False):
        ask_service(_access(one), lambda settings: check_source(settings, one.name), reader)
        st.session_state[f"source_entries_{one.name}"] += 1
        st.rerun()


def _keep(one: Provider, new: KeptSource, reader: Ui, *, is_last: bool = True) -> bool:
    """Keep what was entered; return whether that could be."""
    try:
        kept_settings.change(
            settings_home(),
            lambda before: before.model_copy(update={"sources": before.sources | {one.name: new}}),
        )
        engine().store.note(Action.SETTINGS)
    except StoreError:
        st.error(verbatim(not_kept(kept_settings.path(settings_home()).parent, reader)), icon=":material/error:")
        return False
    if is_last:
        st.session_state[f"source_entries_{one.name}"] += 1
        st.rerun()
    return True
