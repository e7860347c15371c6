"""A service's state and its last check, as it is seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st
from pydantic import SecretStr

from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.ui import Ui
from research.analysts.chat import ModelName
from research.core import price_usd
from research.settings import kept_settings
from research.sources.checks import Check

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
        *([el("h4", "setting-title", title)] if title else []),
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
            role="status", tabindex="-1",
        )
    ]  # fmt: skip


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
        return ui._("price not known")
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


def not_kept(home: Path, ui: Ui) -> str:
    """Return what to do when settings cannot be written."""
    return ui._(
        "This could not be kept in {folder}. Check free disk space and permissions; nothing was changed."
    ).format(folder=kept_settings.path(home).parent)
