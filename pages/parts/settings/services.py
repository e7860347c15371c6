"""Services: what is entered for one, kept, checked and removed again, and how its last check is seen."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import streamlit as st
from pydantic import SecretStr

from pages.parts.accounts import is_administrator
from pages.parts.engine import engine, settings_home
from pages.parts.nodes import Element, el, group, icon, sender, show_nodes
from pages.parts.ui import Ui, not_kept, verbatim
from research.analysts.chat import ModelName
from research.core import Offer, SourceField, StoreError, UsageError, price_usd
from research.settings import (
    KeptService,
    KeptSettings,
    Settings,
    clean_model,
    is_unencrypted,
    kept_settings,
    shown_address,
    variables_set,
)
from research.sources.checks import Check
from research.store import Action

Access = tuple[str, SecretStr]
"""What was checked, and all that was set for it: what a later answer must have in common with it."""


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
    """Return what came of the last check with what is set now.

    Args:
        access: what was checked.
        subject: the model that a check would ask now: what another one answered says nothing any more. Without it, any.
    """
    found = _memory().get(access)
    if found is None or (subject and found.check.subject not in {"", subject}):
        return None
    return found


def failed_check(access: Access, subject: str = "") -> bool:
    """Whether the last check with what is set now found that it does not work; see `last_check`."""
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


_STATE_KINDS = {"check_circle": "there", "warning": "doubtful"}


def state_nodes(sign: str, lines: Sequence[str]) -> list[Element]:
    """Return how something is set up: a sign, and lines of which the first says it all."""
    first, *more = lines
    return [
        el(
            "div", f"setting-state {_STATE_KINDS.get(sign, '')}".strip(),
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
_ROW = (1, 2)
"""The parts of a row that are taken by what a service is, and by what can be entered for it."""


@dataclass(frozen=True)
class Entry:
    """A service as it is entered and checked on the page."""

    offer: Offer
    purpose: str
    check: Callable[[Settings], Check]
    subject: str = ""
    """The model that a check asks."""
    title: str = ""
    """What stands over it, where that is not its name within a sentence."""
    by: Offer | None = None
    """The service whose key and address a check uses, where it has none of its own."""

    @property
    def access(self) -> Access:
        """What a check of it asks."""
        return access_of(self.by or self.offer, engine().settings, self.offer.key)

    @property
    def forgotten(self) -> list[str]:
        """The fields that are cleared together: of a key and its address the key, of more fields all."""
        fields = self.offer.fields
        return [one.name for one in fields if one.is_secret or not _is_plain(self.offer)]


def _is_plain(offer: Offer) -> bool:
    """Whether a key and an address are all that is entered."""
    return [one.name for one in offer.fields] == ["key", "address"]


def access_of(offer: Offer, settings: Settings, name: str = "") -> Access:
    """Return what a check asks that uses what is set for a service: of the service itself, or of what has a `name`."""
    return name or offer.key, SecretStr("\n".join(settings.values_of(offer).values()))


def show_entry(entry: Entry, state: tuple[str, Sequence[str]], kept: KeptSettings, reader: Ui) -> None:
    """Show what a service is, how it is set up, what can be entered, and what its last check came to.

    Args:
        entry: the service.
        state: a sign, and lines of which the first says it all.
        kept: what is kept.
        reader: who is spoken to.
    """
    key, held = entry.offer.key, kept.of(entry.offer)
    about, form = st.container(key=f"entry_{key}").columns(_ROW, gap="small")
    sign, lines = state
    with about:
        nodes = [
            el("h3", "setting-title", entry.title or reader.of_term(entry.offer.label)),
            el("p", "setting-purpose", entry.purpose),
            *state_nodes("warning" if failed_check(entry.access, entry.subject) else sign, lines),
        ]
        show_nodes(nodes, key=f"{key}_state", language=reader.language)
    with form:
        _form(entry, held, reader, can_be_checked=bool(entry.offer.fields) or sign == "check_circle")
        last = last_check(entry.access, entry.subject)
        if last is not None:
            show_nodes(check_nodes(last, reader), key=f"{key}_check", language=reader.language)
        if any(map(held.value, entry.forgotten)):
            _removal(entry, reader)


def access_state(entry: Entry, kept: KeptSettings, reader: Ui) -> tuple[str, list[str]]:
    """Return the sign and the words for how a key and its address are set up now."""
    held, used = kept.of(entry.offer), engine().settings.values_of(entry.offer)
    key, address = entry.offer.fields
    variable, named = entry.offer.variable(key), variables_set()
    unused = held.value("key") not in ("", used["key"])
    if variable in named:
        lines = [reader._("The key is set by the environment ({variable}).").format(variable=variable)]
        if unused:
            lines.append(reader._("The key that was entered here is not used as long as that is so."))
        return "check_circle", lines
    sign = "check_circle"
    if used["key"] and held.key_set_at is not None:
        lines = [reader._("A key was entered on {date}.").format(date=reader.moment(held.key_set_at))]
    elif used["key"] and not held.value("key"):
        lines = [reader._("An administrator has set a key for all. Yours goes before it.")]
    elif used["address"]:
        lines = [reader._("The server is asked without a key.")]
    else:
        sign, lines = "radio_button_unchecked", [reader._("Not set up.")]
    if unused:
        lines.append(reader._("The key that was entered here belongs to another address and is not used."))
    if used["key"] and is_unencrypted(used["address"] or address.usual):
        lines.append(reader._("This address is not encrypted (http): others on the network can read the key."))
    return sign, lines


def _form(entry: Entry, held: KeptService, reader: Ui, *, can_be_checked: bool) -> None:
    offer, key = entry.offer, entry.offer.key
    number = st.session_state.setdefault(_generation(offer), 0)
    fixed = {one.name: why for one in offer.fields if (why := _why_fixed(offer, one, reader))}
    with st.form(f"{key}_form", border=False):
        grid = st.grid(2, min_column_width=220, gap=("small", "medium")) if offer.fields else st.container()
        typed = {
            one.name: grid.text_input(
                verbatim(reader.of_term(one.label)),
                value=_shown(offer, one, held, is_fixed=one.name in fixed),
                type="password" if one.is_secret else "default",
                autocomplete="new-password" if one.is_secret else None,
                placeholder=_placeholder(offer, one, held, reader),
                disabled=one.name in fixed,
                help=verbatim(_help(one, fixed.get(one.name, ""), reader)),
                key=f"{key}_{one.name}_{number}",
            )
            for one in offer.fields
        }
        all_fixed = len(fixed) == len(offer.fields)
        label = reader._("Check {service}") if all_fixed else reader._("Save and check {service}")
        pressed = st.form_submit_button(
            verbatim(label.format(service=reader.of_term(offer.label))),
            icon=":material/network_check:",
            key=f"{key}_save",
            disabled=not can_be_checked,
        )
    if pressed:
        _save_and_check(entry, held, {name: text for name, text in typed.items() if name not in fixed}, reader)


def _why_fixed(offer: Offer, one: SourceField, reader: Ui) -> str:
    """Return why nothing can be entered in a field; an empty text where something can."""
    named = variables_set()
    if offer.variable(one) in named:
        return _set_by(offer.variable(one), reader)
    if one.is_place and any(offer.variable(other) in named for other in offer.fields if other.is_secret):
        return reader._("The key of the environment is only sent to an address that the environment sets as well.")
    return reader._("An administrator sets it for all.") if one.is_place and not is_administrator() else ""


def _set_by(variable: str, reader: Ui) -> str:
    return reader._("Set by the environment ({variable}).").format(variable=variable)


def _help(one: SourceField, why_fixed: str, reader: Ui) -> str:
    if why_fixed and not one.is_secret:
        return why_fixed
    return reader.of_term(one.hint) if one.hint is not None else ""


def _shown(offer: Offer, one: SourceField, held: KeptService, *, is_fixed: bool) -> str:
    """Return what stands in a field: what is used, if nothing can be entered, else what is kept; never a key."""
    value = engine().settings.values_of(offer)[one.name] if is_fixed else held.value(one.name)
    return "" if one.is_secret or value == one.default else shown_address(value)


def _placeholder(offer: Offer, one: SourceField, held: KeptService, reader: Ui) -> str:
    if not one.is_secret:
        return one.default or one.usual
    if offer.variable(one) in variables_set():
        return _set_by(offer.variable(one), reader)
    return reader._("Kept; enter another to replace it") if held.value(one.name) else reader._("Paste the key here")


def _generation(offer: Offer) -> str:
    """Return the name under which the session counts its entries; after each, the fields show what is kept."""
    return f"{offer.key}_entries"


def show_anew(offer: Offer) -> None:
    """Let the fields of a service show what is kept, whatever was typed."""
    st.session_state[_generation(offer)] = st.session_state.get(_generation(offer), 0) + 1


def _save_and_check(entry: Entry, held: KeptService, typed: dict[str, str], reader: Ui) -> None:
    """Keep what was typed, if that is new, and ask the server.

    Where the reader cannot type the place, what is new is for the place that is asked now; a kept key stays with its.
    """
    fields, now = entry.offer.fields, datetime.now(UTC)
    kept, used = {one.name: held.value(one.name) for one in fields}, engine().settings.values_of(entry.offer)
    keeps_key = any(one.is_secret and kept[one.name] and not typed.get(one.name) for one in fields)
    places = {one.name: used[one.name] for one in fields if one.is_place and not (one.is_secret or keeps_key)}
    try:
        is_new = held.entered(fields, kept | typed, now) != held
    except UsageError as error:
        st.error(verbatim(reader.reason(error)), icon=":material/edit:")
        return
    given = kept | places | typed
    if not is_new or _keep(entry.offer, lambda before: before.entered(fields, given, now), reader):
        with st.spinner(reader._("Asking the server")):
            remember_check(entry.access, entry.check(engine().settings))
        show_anew(entry.offer)
        st.rerun()


def _removal(entry: Entry, reader: Ui) -> None:
    if _is_plain(entry.offer):
        label = reader._("Remove key for {service}")
        said = reader._("The key is deleted from this computer. It stays valid at the provider.")
    else:
        label = reader._("Forget what was entered for {service}")
        said = reader._("All of it is deleted from this computer. Keys stay valid at the provider.")
    name = reader.of_term(entry.offer.label)
    with st.popover(verbatim(label.format(service=name)), icon=":material/delete:", type="tertiary"):
        st.text(said)
        pressed = st.button(reader._("Remove"), type="primary", key=f"{entry.offer.key}_remove")
        if pressed and _keep(entry.offer, lambda before: before.without(entry.forgotten), reader):
            show_anew(entry.offer)
            st.rerun()


def _keep(offer: Offer, changed: Callable[[KeptService], KeptService], reader: Ui) -> bool:
    """Keep what `changed` makes of what is kept by now, in another window, too; return whether that could be."""
    complaint = not_kept_for(lambda all_: all_.with_service(offer, changed(all_.of(offer))), settings_home(), reader)
    if complaint:
        st.error(verbatim(complaint), icon=":material/error:")
    return not complaint


def not_kept_for(changed: Callable[[KeptSettings], KeptSettings], home: Path, reader: Ui) -> str:
    """Keep what `changed` makes of the settings; return why that could not be, if so."""
    try:
        kept_settings.change(home, changed)
        engine().store.note(Action.SETTINGS)
    except UsageError as error:
        return reader.reason(error)
    except StoreError as error:
        _log.warning("Settings could not be kept: %s", error)
        return not_kept(kept_settings.path(home).parent, reader)
    return ""


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
            st.caption(verbatim(_set_by(str(self.variable), reader)))


def keep_settings(
    changed: Callable[[KeptSettings], KeptSettings], key: str, complaint: str, reader: Ui, *, is_own: bool = False
) -> None:
    """Keep what `changed` makes of the settings; what `is_own` an administrator, too, says for themselves alone.

    If that cannot be, the session holds the reason under `complaint`, and the field `key` shows what is kept.
    """
    complaint_now = not_kept_for(changed, engine().settings.home if is_own else settings_home(), reader)
    if complaint_now:
        st.session_state[complaint] = complaint_now
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
