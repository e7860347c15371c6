"""What is entered for a source of pages or a provider of models, kept together and checked; the sources, one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st
from pydantic import SecretStr

from pages.parts.accounts import is_administrator
from pages.parts.engine import engine, own_library
from pages.parts.native_words import say_anew
from pages.parts.nodes import show_nodes
from pages.parts.settings.services import (
    SERVICE_ROW,
    Access,
    Provider as Row,
    ask_service,
    failed_check,
    keep_or_say,
    service_answered,
    service_nodes,
)
from pages.parts.ui import Ui, verbatim
from research.core import Brief, Offer, SourceField, SourceName, UsageError
from research.settings import KeptSettings, KeptSource, Settings, shown_address, variables_set
from research.sources import NOT_SET_UP, Making, Provider, provider, providers
from research.sources.checks import Check, check_source


@dataclass(frozen=True)
class Entry:
    """Something that can be set up."""

    kind: str
    """`source` or `provider`: how its widgets are named, and in which field of the kept settings it stands."""
    offer: Offer
    title: str
    hint: str
    used: Callable[[Settings], dict[str, str]] = field(repr=False)
    """The values as runs use them."""
    check: Callable[[Settings], Check]
    subject: str = ""
    """The model that a check asks."""

    @property
    def name(self) -> str:
        """How its widgets are named."""
        return f"{self.kind}_{self.offer.name}"

    @property
    def access(self) -> Access:
        """What a check of it asks: its values, of which any may be a key."""
        values = self.used(engine().settings)
        return f"{self.kind}:{self.offer.name}", None, SecretStr("\n".join(values.values()))

    def kept(self, settings: KeptSettings) -> KeptSource:
        """What is kept for it."""
        table: dict[str, KeptSource] = getattr(settings, f"{self.kind}s")
        return table.get(self.offer.name, KeptSource())


def show_entry(entry: Entry, is_there: bool, state: str, kept: KeptSettings, reader: Ui) -> None:
    """Show how it is set up, what can be entered, and what its last check came to."""
    held = entry.kept(kept)
    about, form = st.container(key=entry.name).columns(SERVICE_ROW, gap="small")
    with about:
        is_failed = failed_check(entry.access, entry.subject)
        sign = "warning" if is_failed else "check_circle" if is_there else "radio_button_unchecked"
        nodes = service_nodes((sign, [state]), entry.hint, entry.title)
        show_nodes(nodes, key=f"{entry.kind}_state_{entry.offer.name}", language=reader.language)
    with form:
        _form(entry, held, reader)
        service_answered(entry.access, entry.subject, reader)
        if any(held.value(one.name) for one in entry.offer.fields) and st.button(
            verbatim(reader._("Forget what was entered for {service}").format(service=entry.title)),
            icon=":material/delete:",
            type="tertiary",
            key=f"{entry.kind}_forget_{entry.offer.name}",
        ):
            _keep(entry, lambda _: KeptSource(), reader)


def _form(entry: Entry, kept: KeptSource, reader: Ui) -> None:
    offer, kind = entry.offer, entry.kind
    number = st.session_state.setdefault(f"{kind}_entries_{offer.name}", 0)
    with st.form(f"{kind}_form_{offer.name}", border=False):
        grid = st.grid(2, min_column_width=220, gap=("small", "medium")) if offer.fields else st.container()
        entered = {
            one.name: grid.text_input(
                verbatim(reader.of_term(one.label)),
                value="" if one.is_secret else _shown(entry, one, kept),
                type="password" if one.is_secret else "default",
                autocomplete="new-password" if one.is_secret else None,
                placeholder=_placeholder(entry, one, kept, reader),
                disabled=_is_fixed(entry, one),
                help=reader.of_term(one.hint) if one.hint is not None else None,
                key=f"{entry.name}_{one.name}_{number}",
            )
            for one in offer.fields
        }
        label = reader._("Save and check {service}") if offer.fields else reader._("Check {service}")
        pressed = st.form_submit_button(
            verbatim(label.format(service=entry.title)),
            icon=":material/network_check:",
            key=f"{kind}_save_{offer.name}",
        )
    if pressed:
        _save_and_check(entry, kept, entered, reader)


def _is_fixed(entry: Entry, one: SourceField) -> bool:
    return entry.offer.variable(one) in variables_set() or (one.is_place and not is_administrator())


def _shown(entry: Entry, one: SourceField, kept: KeptSource) -> str:
    used = entry.used(engine().settings)[one.name]
    held = used if _is_fixed(entry, one) else kept.value(one.name)
    return "" if held == one.default else shown_address(held)


def _placeholder(entry: Entry, one: SourceField, kept: KeptSource, reader: Ui) -> str:
    variable = entry.offer.variable(one)
    if variable in variables_set():
        return reader._("Set by the environment ({variable}).").format(variable=variable)
    if one.is_secret:
        is_kept = bool(kept.value(one.name))
        return reader._("Kept; enter another to replace it") if is_kept else reader._("Paste the key here")
    return one.default


def _save_and_check(entry: Entry, kept: KeptSource, entered: dict[str, str], reader: Ui) -> None:
    used, fields = entry.used(engine().settings), entry.offer.fields
    given = {
        one.name: (used[one.name] if one.is_place and not one.is_secret else kept.value(one.name))
        if _is_fixed(entry, one)
        else entered[one.name]
        for one in fields
    }
    try:
        is_kept = kept.entered(fields, given) == kept or _keep(
            entry, lambda before: before.entered(fields, given), reader, is_last=False
        )
    except UsageError as error:
        st.error(verbatim(reader.reason(error)), icon=":material/edit:")
        return
    if is_kept:
        ask_service(entry.access, entry.check, reader)
        st.session_state[f"{entry.kind}_entries_{entry.offer.name}"] += 1
        st.rerun()


def _keep(entry: Entry, changed: Callable[[KeptSource], KeptSource], reader: Ui, *, is_last: bool = True) -> bool:
    """Keep what `changed` makes of what is kept by now, in another window, too; return whether that could be."""
    table = f"{entry.kind}s"

    def with_it(before: KeptSettings) -> KeptSettings:
        return before.model_copy(
            update={table: getattr(before, table) | {entry.offer.name: changed(entry.kept(before))}}
        )

    is_kept = keep_or_say(with_it, reader)
    if is_kept and is_last:
        st.session_state[f"{entry.kind}_entries_{entry.offer.name}"] += 1
        st.rerun()
    return is_kept


# --- sources of pages ------------------------------------------------------------------------------------------------

_CHOSEN = "source_chosen"
_SHOWN_ELSEWHERE = {SourceName.LIBRARY, SourceName.FACTBOOK, SourceName.HOUSE, SourceName.MCP}
"""Those that have parts of their own, on this page or another; the web's have a field here as well."""


def further_sources() -> list[Provider]:
    """Return the sources that have no part of their own on this page."""
    return [one for one in providers() if one.name not in _SHOWN_ELSEWHERE | {SourceName.WEB}]


def standing_of(one: Provider, reader: Ui) -> Row:
    """Return how it stands with a source: what it holds, or what it lacks."""
    lack = one.lacks(_making(reader))
    if lack is not None and lack.remark == NOT_SET_UP and one.fields:
        said = reader._("Not set up: do so under “Sources one by one”.")
    else:
        told = one.hint if lack is None else lack.remedy
        said = reader.of_term(told) if told is not None else ""
    return Row(reader.of_term(one.label), lack is None, said)


def _making(reader: Ui) -> Making:
    settings = engine().settings
    brief = Brief(question="…", language=reader.language)
    return Making(brief, settings, folder=own_library(), uses_models=settings.has_models)


def show_sources(kept: KeptSettings, reader: Ui) -> None:
    """Show the source that the reader chooses: what can be entered for it, and the button to check it."""
    st.header(reader._("Sources one by one"), anchor=False)
    st.caption(
        reader._(
            "Each can be chosen for a run under “Sources”. Most need nothing; what is set up of your own here is "
            "searched by itself where no source is chosen."
        )
    )
    offered = [str(one.name) for one in providers() if one.name not in _SHOWN_ELSEWHERE]
    labels = {name: reader.of_term(provider(name).label) for name in offered}
    chosen = st.session_state.setdefault(_CHOSEN, offered[0])
    say_anew(_CHOSEN, labels.get(chosen, ""))
    name = st.selectbox(reader._("Source"), offered, format_func=labels.__getitem__, key=_CHOSEN)
    _source(provider(name), kept, reader)


def _source(one: Provider, kept: KeptSettings, reader: Ui) -> None:
    row = standing_of(one, reader)
    hint = reader.of_term(one.hint) if one.hint is not None else ""
    state = reader._("Ready to be searched.") if row.is_there else row.state

    def used(settings: Settings) -> dict[str, str]:
        return settings.values_of(one)

    entry = Entry("source", one, row.name, hint, used, lambda settings: check_source(settings, one.name))
    show_entry(entry, row.is_there, state, kept, reader)
