"""A service's state and its last check, as it is seen."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import streamlit as st
from pydantic import SecretStr

from pages.parts.accounts import is_administrator
from pages.parts.engine import engine, settings_home
from pages.parts.nodes import Element, el, group, icon, sender, show_nodes
from pages.parts.ui import Ui, not_kept, verbatim
from research.analysts.chat import ModelName
from research.core import StoreError, UsageError, price_usd
from research.settings import (
    KeptService,
    KeptSettings,
    Settings,
    clean_address,
    clean_key,
    clean_model,
    is_unencrypted,
    kept_settings,
    shown_address,
    variables_set,
)
from research.sources.checks import Check
from research.store import Action

Access = tuple[str, str | None, SecretStr | None]
"""What was checked, its address and its key: what a later answer must have in common with it."""


@dataclass(frozen=True)
class Checked:
    """A check, and when it was made."""

    check: Check
    at: datetime


@st.cache_resource(show_spinner=False)
def _memory() -> dict[Access, Checked]:
    return {}


def remember_check(access: Access, check: Check) -> None:
    """Remember what came of checking a server."""
    _memory()[access] = Checked(check, datetime.now(UTC))


def last_check(access: Access, subject: str = "") -> Checked | None:
    """Return what came of the last check with this address and this key.

    Args:
        access: what was checked.
        subject: the model that a check would ask now: what another one answered says nothing any more. Without it, any.
    """
    found = _memory().get(access)
    if found is None or (subject and found.check.subject not in {"", subject}):
        return None
    return found


def failed_check(access: Access, subject: str = "") -> bool:
    """Whether the last check with this address and this key found that it does not work; see `last_check`."""
    found = last_check(access, subject)
    return found is not None and not found.check.works


_MILLION = 1_000_000
_SMALL = 1_000
"""Tokens that are priced: prices rise for very long prompts, which few calls have."""


@dataclass(frozen=True)
class Provider:
    """A place where pages come from."""

    name: str
    is_there: bool
    state: str
    """How it stands with it, and what to do if it is missing."""
    message: str = ""
    """What is sent to the page when the reader wants to do something about it."""
    action: str = ""


def service_nodes(lines: tuple[str, list[str]], purpose: str, title: str = "") -> list[Element]:
    """Return what a server is for and how it is set up; a title where it does not stand over it."""
    return [
        *([el("h3", "setting-title", title)] if title else []),
        el("p", "setting-purpose", purpose),
        *state_nodes(*lines),
    ]


def state_nodes(sign: str, lines: Sequence[str]) -> list[Element]:
    """Return how something is set up: a sign, and lines of which the first says it all."""
    first, *more = lines
    return [
        el(
            "div", "setting-state" + (" there" if sign == "check_circle" else ""),
            icon(sign), el("strong", "", first), *(el("p", "", line) for line in more),
        ),
    ]  # fmt: skip


def check_nodes(checked: Checked, ui: Ui) -> list[Element]:
    """Return how a server answered, and when. What it said itself is not shown: it may be any server of the network."""
    made = checked.check
    facts = [ui._("Checked {date}").format(date=ui.moment(checked.at))]
    facts += [f"HTTP {made.status}"] if made.status is not None else []
    if made.works:
        facts.append(ui._("{seconds} s").format(seconds=ui.number(round(made.seconds, 1))))
        facts += [made.subject] if made.subject else []
    if made.models:
        facts.append(ui.n_("{count} model on offer", "{count} models on offer", len(made.models)))
    return [
        el(
            "div", "setting-check " + ("good" if made.works else "bad"),
            icon("task_alt" if made.works else "error"),
            el("strong", "", made.words(ui.language)),
            el("p", "", " · ".join(facts)),
            *(el("p", "", line) for line in _abilities(made, ui)),
            role="status", tabindex="-1",
        )
    ]  # fmt: skip


def _abilities(made: Check, ui: Ui) -> list[str]:
    """Return what a chat model was found to do, and what is to be known of it before a run."""
    found = made.abilities
    return [found.words(ui.language), *found.warnings(ui.language)] if found is not None else []


def models_nodes(lines: Iterable[tuple[str, str]], ui: Ui) -> list[Element]:
    """Return models with their prices, each with a remark: the presets that use it, say."""
    rows = [
        el(
            "li", "",
            el("span", "", model), el("span", "price", _price(model, ui)), el("span", "remark", remark),
            key=model,
        )
        for model, remark in lines
    ]  # fmt: skip
    return [group("ul", "setting-prices", rows)]


def _price(model: str, ui: Ui) -> str:
    provider, name = ModelName.parse(model)
    given = price_usd(name, _SMALL, 0, provider=provider)
    written = price_usd(name, 0, _SMALL, provider=provider)
    if given is None or written is None:
        return ui.price(None)
    each = _MILLION / _SMALL
    return f"{ui.dollars(given * each)} / {ui.dollars(written * each)}"


def providers_nodes(rows: Sequence[Provider], ui: Ui) -> list[Element]:
    """Return where pages can come from, what is missing, and what to do."""
    return [group("ul", "setting-rows", [_provider(row, ui) for row in rows])]


def _provider(row: Provider, ui: Ui) -> Element:
    sign, word = ("check_circle", ui._("Available")) if row.is_there else ("do_not_disturb_on", ui._("Not available"))
    return el(
        "li", "there" if row.is_there else "",
        icon(sign), el("strong", "", row.name), el("span", "word", word), el("p", "", row.state),
        sender(row.message, "textual", row.action) if row.message else None,
        key=row.name,
    )  # fmt: skip


def facts_nodes(rows: Iterable[tuple[str, str, str]]) -> list[Element]:
    """Return facts, each with a symbol and a name."""
    lines = [
        el("li", "", icon(symbol), el("strong", "", name), el("p", "", text), key=name) for symbol, name, text in rows
    ]
    return [group("ul", "setting-rows plain", lines)]


_log = logging.getLogger("workbench")
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
            st.header(verbatim(service.title), anchor=False)
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
    elif key is not None and kept.key is None:
        sign, lines = "check_circle", [reader._("An administrator has set a key for all. Yours goes before it.")]
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
    address_fixed = key_fixed or service.address_variable in named or not is_administrator()
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
    if not is_administrator():
        return reader._("An administrator sets it for all.")
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
        wanted = held if address is None else clean_address(address)
        secret = clean_key(key)
        is_new = secret or wanted != held
        if is_new and not _keep(service, lambda before: before.entered(wanted, secret, datetime.now(UTC)), reader):
            return
    except UsageError as error:
        st.error(verbatim(reader.reason(error)), icon=":material/edit:")
        return
    ask_service(service.access(engine().settings), service.check, reader)
    st.session_state[_generation(service)] += 1
    st.rerun()


def _removal(service: Service, reader: Ui) -> None:
    label = reader._("Remove key for {service}").format(service=service.called)
    with st.popover(verbatim(label), icon=":material/delete:", type="tertiary"):
        st.text(reader._("The key is deleted from this computer. It stays valid at the provider."))
        pressed = st.button(reader._("Remove"), type="primary", key=f"{service.name}_remove")
        if pressed and _keep(service, KeptService.without_key, reader):
            st.rerun()


def _keep(service: Service, changed: Callable[[KeptService], KeptService], reader: Ui) -> bool:
    return keep_or_say(lambda all_: all_.model_copy(update={service.name: changed(service.kept(all_))}), reader)


def keep_or_say(changed: Callable[[KeptSettings], KeptSettings], reader: Ui) -> bool:
    """Keep what `changed` makes of the settings; return whether that could be, after saying so if not."""
    try:
        kept_settings.change(settings_home(), changed)
        engine().store.note(Action.SETTINGS)
    except StoreError as error:
        _log.warning("Settings could not be kept: %s", error)
        st.error(verbatim(not_kept(kept_settings.path(settings_home()).parent, reader)), icon=":material/error:")
        return False
    return True


@dataclass(frozen=True)
class Held:
    """A field of the page whose value is kept, or set by an environment variable, which goes first."""

    name: str
    variable: str | None
    """The environment variable, if there is one."""
    complaint: str
    """The name under which the session holds why a value could not be kept; `show_complaint` says it."""
    is_own: bool = False
    """Whether an administrator, too, says it for no account but their own."""

    @property
    def is_fixed(self) -> bool:
        """Whether the environment sets it, so that nothing can be entered."""
        return self.variable in variables_set()

    @property
    def key(self) -> str:
        """Where the session holds what the field shows."""
        return f"{self.name}_{'fixed' if self.is_fixed else 'free'}"

    def begin_with(self, value: object) -> None:
        """Show `value` until something is entered."""
        st.session_state.setdefault(self.key, value)

    def keep(self, values: Mapping[str, object], reader: Ui) -> None:
        """Keep these fields of the settings."""
        changed = partial(KeptSettings.model_copy, update=values)
        keep_settings(changed, self.key, self.complaint, reader, is_own=self.is_own)

    def say_if_fixed(self, reader: Ui) -> None:
        """Say which variable sets the field, if one does."""
        if self.is_fixed:
            said = reader._("Set by the environment ({variable}).").format(variable=self.variable)
            st.caption(verbatim(said))


def keep_settings(
    changed: Callable[[KeptSettings], KeptSettings], key: str, complaint: str, reader: Ui, *, is_own: bool = False
) -> None:
    """Keep what `changed` makes of the settings; what `is_own` an administrator, too, says for themselves alone.

    If that cannot be, the session holds the reason under `complaint`, and the field `key` shows what is kept.
    """
    home = engine().settings.home if is_own else settings_home()
    try:
        kept_settings.change(home, changed)
        engine().store.note(Action.SETTINGS)
    except UsageError as error:
        st.session_state[complaint] = reader.reason(error)
        st.session_state.pop(key)
    except StoreError as error:
        _log.warning("Settings could not be kept: %s", error)
        st.session_state[complaint] = not_kept(kept_settings.path(home).parent, reader)
        st.session_state.pop(key)


def show_complaint(name: str) -> None:
    """Say once why a value could not be kept, if one could not."""
    if complaint := st.session_state.pop(name, ""):
        st.error(verbatim(complaint), icon=":material/error:")


def model_field(
    held: Held,
    label: str,
    chosen: str | None,
    suggested: Iterable[str],
    reader: Ui,
    *,
    usual: str,
    help_: str,
    with_model: Callable[[KeptSettings, str], KeptSettings],
) -> None:
    """Show the field of a model, which may have any name.

    Args:
        held: the field.
        label: what the model does.
        chosen: the model that is set now.
        suggested: models to choose from.
        reader: who is spoken to.
        usual: what holds where none is chosen.
        help_: an explanation.
        with_model: makes of the settings those that have the model; of an empty name, those without.
    """
    held.begin_with(chosen)

    def keep() -> None:
        entered = st.session_state.get(held.key) or ""
        keep_settings(lambda before: with_model(before, clean_model(entered)), held.key, held.complaint, reader)

    st.selectbox(
        verbatim(label),
        list(dict.fromkeys(filter(None, [chosen, *suggested]))),
        index=None,
        key=held.key,
        placeholder=usual,
        accept_new_options=True,
        disabled=held.is_fixed,
        help=help_,
        on_change=keep,
    )
