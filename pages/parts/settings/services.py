"""A service with its key: entered, checked, forgotten."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st
from pydantic import SecretStr

from pages.parts.engine import engine
from pages.parts.nodes import show_nodes
from pages.parts.settings.checks import (
    Access,
    check_nodes,
    failed_check,
    last_check,
    not_kept,
    remember_check,
    service_nodes,
)
from pages.parts.ui import Ui, verbatim
from research.core import StoreError, UsageError
from research.settings import (
    KeptService,
    KeptSettings,
    Settings,
    clean_address,
    clean_key,
    is_unencrypted,
    kept_settings,
    shown_address,
    variables_set,
)
from research.sources.checks import Check

_log = logging.getLogger("workbench")

"""An address given as an example is none to go to."""
SERVICE_ROW = (1, 2)
"""The parts of a row that are taken by what a server is, and by what can be entered for it."""


@dataclass(frozen=True)
class Service:
    """What tells one server from another."""

    name: str
    """Its field in `KeptSettings`, and the start of its variables."""
    title: str
    called: str
    """Its name within a sentence."""
    key_label: str
    address_label: str
    """Whose they are is in the names of the fields: several servers stand on one page."""
    purpose: str
    default_address: str
    subject: str
    """The model that a check asks."""
    check: Callable[[Settings], Check]

    @property
    def key_variable(self) -> str:
        """The environment variable of its key."""
        return f"{self.name.upper()}_API_KEY"

    @property
    def address_variable(self) -> str:
        """The environment variable of its address."""
        return f"{self.name.upper()}_BASE_URL"

    def kept(self, settings: KeptSettings) -> KeptService:
        """What is kept for it."""
        kept: KeptService = getattr(settings, self.name)
        return kept

    def used(self, settings: Settings) -> tuple[str | None, SecretStr | None]:
        """Its address and key as runs use them."""
        return getattr(settings, f"{self.name}_base_url"), getattr(settings, f"{self.name}_api_key")

    def access(self, settings: Settings) -> Access:
        """What a check of it asks."""
        return (self.name, *self.used(settings))


def show_service(service: Service, kept: KeptSettings, reader: Ui, *, boxed: bool = True) -> None:
    """Show the card of a server; one that is not boxed is a row in the card of something larger."""
    with st.container(border=boxed, key=f"service_{service.name}"):
        if boxed:
            st.subheader(verbatim(service.title), anchor=False)
        about, entry = (st.container(), st.container()) if boxed else st.columns(SERVICE_ROW, gap="small")
        title = "" if boxed else service.title
        access = service.access(engine().settings)
        sign, lines = _state(service, service.kept(kept), reader)
        sign = "warning" if failed_check(access, service.subject) else sign
        with about:
            nodes = service_nodes((sign, lines), service.purpose, title)
            show_nodes(nodes, key=f"{service.name}_state", language=reader.language)
        with entry:
            _form(service, service.kept(kept), reader)
            service_answered(access, service.subject, reader)
            if service.kept(kept).key is not None:
                _removal(service, reader)


def service_answered(access: Access, subject: str, reader: Ui) -> None:
    """Show how a server answered when it was last checked; `subject` is the model that a check would ask now."""
    last = last_check(access, subject)
    if last is not None:
        nodes = check_nodes(last, reader)
        show_nodes(nodes, key=f"{access[0]}_check", language=reader.language)


def ask_service(access: Access, check: Callable[[Settings], Check], reader: Ui) -> None:
    """Check a server, and remember what came of it."""
    with st.spinner(reader._("Asking the server")):
        remember_check(access, check(engine().settings))


def _state(service: Service, kept: KeptService, reader: Ui) -> tuple[str, list[str]]:
    """Return the sign and the words for how the server is set up now."""
    address, key = service.used(engine().settings)
    named = variables_set()
    unused = kept.key is not None and key != kept.key
    if service.key_variable in named:
        lines = [reader._("The key is set by the environment ({variable}).").format(variable=service.key_variable)]
        if unused:
            lines.append(reader._("The key that was entered here is not used as long as that is so."))
        return "check_circle", lines
    if key is not None and kept.key_set_at is not None:
        sign, lines = (
            "check_circle",
            [reader._("A key was entered on {date}.").format(date=reader.moment(kept.key_set_at))],
        )
    elif address is not None:
        sign, lines = "check_circle", [reader._("The server is asked without a key.")]
    else:
        sign, lines = "radio_button_unchecked", [reader._("Not set up.")]
    if unused:
        lines.append(reader._("The key that was entered here belongs to another address and is not used."))
    if key is not None and is_unencrypted(address or service.default_address):
        lines.append(reader._("This address is not encrypted (http): others on the network can read the key."))
    return sign, lines


def _form(service: Service, kept: KeptService, reader: Ui) -> None:
    named = variables_set()
    key_fixed = service.key_variable in named
    address_fixed = key_fixed or service.address_variable in named
    number = st.session_state.setdefault(_generation(service), 0)
    with st.form(f"{service.name}_form", border=False):
        fields = st.grid(2, min_column_width=220, gap=("small", "medium"))
        key = fields.text_input(
            verbatim(service.key_label),
            type="password",
            autocomplete="new-password",
            placeholder=_key_placeholder(service, kept, reader),
            disabled=key_fixed,
            help=reader._("It is kept on this computer for you alone, and never shown again."),
            key=f"{service.name}_key_{number}",
        )
        address = fields.text_input(
            verbatim(service.address_label),
            value=shown_address(service.used(engine().settings)[0] or "") if address_fixed else kept.address or "",
            placeholder=service.default_address,
            disabled=address_fixed,
            help=verbatim(_address_help(service, named, reader)),
            key=f"{service.name}_address_{number}",
        )
        pressed = st.form_submit_button(
            verbatim(
                (reader._("Check {service}") if key_fixed else reader._("Save and check {service}")).format(
                    service=service.called
                )
            ),
            icon=":material/network_check:",
            key=f"{service.name}_save",
        )
    if pressed:
        _save_and_check(service, kept, None if address_fixed else address, key, reader)


def _address_help(service: Service, named: frozenset[str], reader: Ui) -> str:
    if service.address_variable in named:
        return reader._("Set by the environment ({variable}).").format(variable=service.address_variable)
    if service.key_variable in named:
        return reader._("The key of the environment is only sent to an address that the environment sets as well.")
    return reader._("Left empty, it is {address}.").format(address=service.default_address)


def _key_placeholder(service: Service, kept: KeptService, reader: Ui) -> str:
    if service.key_variable in variables_set():
        return reader._("Set by the environment ({variable}).").format(variable=service.key_variable)
    return reader._("Kept; enter another to replace it") if kept.key is not None else reader._("Paste the key here")


def _generation(service: Service) -> str:
    """Return the name under which the session counts its entries; after each, the fields show what is kept."""
    return f"{service.name}_entries"


def _save_and_check(service: Service, kept: KeptService, address: str | None, key: str, reader: Ui) -> None:
    """Keep what was entered, if anything was, and ask the server; without `address`, that of the environment holds."""
    try:
        held = kept.address or "" if address is not None else service.used(engine().settings)[0] or ""
        wanted = held if address is None else clean_address(address, reader.language)
        secret = clean_key(key, reader.language)
        if secret or wanted != held:
            _keep(service, lambda before: before.entered(wanted, secret, datetime.now(UTC), reader.language))
    except StoreError as error:
        _not_kept(error, reader)
        return
    except UsageError as error:
        st.error(verbatim(str(error)), icon=":material/edit:")
        return
    ask_service(service.access(engine().settings), service.check, reader)
    st.session_state[_generation(service)] += 1
    st.rerun()


def _removal(service: Service, reader: Ui) -> None:
    label = reader._("Remove key for {service}").format(service=service.called)
    with st.popover(verbatim(label), icon=":material/delete:", type="tertiary"):
        st.text(reader._("The key is deleted from this computer. It stays valid at the provider."))
        if st.button(reader._("Remove"), type="primary", key=f"{service.name}_remove"):
            try:
                _keep(service, KeptService.without_key)
            except StoreError as error:
                _not_kept(error, reader)
                return
            st.rerun()


def _keep(service: Service, changed: Callable[[KeptService], KeptService]) -> None:
    kept_settings.change(
        engine().settings.home,
        lambda all_: all_.model_copy(update={service.name: changed(service.kept(all_))}),
    )


def _not_kept(error: StoreError, reader: Ui) -> None:
    _log.warning("Settings could not be kept: %s", error)
    st.error(verbatim(not_kept(engine().settings.home, reader)), icon=":material/error:")
