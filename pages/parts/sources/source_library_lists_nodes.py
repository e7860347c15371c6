"""A named set of sites as a card: what it holds, and what can be done with it."""

from __future__ import annotations

from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.ui import Ui
from research.site_lists import SiteList

USE_SET = "use:"
"""Message that asks to begin a brief with a set; its name follows, as in all of these."""
EDIT_SET = "edit:"
COPY_SET = "copy:"
DELETE_SET = "delete:"

_SHOWN = 8
_BETWEEN = "\N{NO-BREAK SPACE}· "
"""Stands between sites; no line begins with it."""


def cards(ready: tuple[SiteList, ...], own: tuple[SiteList, ...], ui: Ui) -> list[Element]:
    """Return the own sets, then those that come with the program, which can be copied but not changed."""
    return [
        group(
            "ul", "site-sets",
            [*(_card(one, ui, is_own=True) for one in own), *(_card(one, ui, is_own=False) for one in ready)],
        )
    ]  # fmt: skip


def _card(one: SiteList, ui: Ui, *, is_own: bool) -> Element:
    badge = None if is_own else el("span", "badge built-in", ui._("built in"))
    return el(
        "li", "site-set",
        el("div", "site-set-head", el("h3", "", one.name), badge),
        *_sites("keep", ui._("Searched first"), one.preferred, ui),
        *_sites("block", ui._("Never read"), one.forbidden, ui),
        group("div", "site-set-foot", _actions(one, ui, is_own=is_own)),
        key=one.name,
    )  # fmt: skip


def _actions(one: SiteList, ui: Ui, *, is_own: bool) -> list[Element]:
    quiet = (
        [(EDIT_SET, "edit", ui._("Edit “{name}”")), (DELETE_SET, "delete", ui._("Delete “{name}”"))] if is_own else []
    )
    quiet.insert(len(quiet) // 2, (COPY_SET, "content_copy", ui._("Copy “{name}”")))
    return [
        sender(USE_SET + one.name, "textual", icon("edit_note"), ui._("Use in a new brief")),
        *(_quiet(message + one.name, symbol, label.format(name=one.name)) for message, symbol, label in quiet),
    ]


def _quiet(message: str, symbol: str, label: str) -> Element:
    return sender(message, "quiet", icon(symbol), aria_label=label, title=label)


def _sites(symbol: str, label: str, sites: tuple[str, ...], ui: Ui) -> list[Element]:
    if not sites:
        return []
    shown, rest = sites[:_SHOWN], sites[_SHOWN:]
    more = el(
        "details", "more",
        el("summary", "", ui.n_("{count} more site", "{count} more sites", len(rest))),
        el("p", "hosts", _BETWEEN.join(rest)),
    ) if rest else None  # fmt: skip
    return [
        el(
            "div", f"site-sort {symbol}",
            icon("star" if symbol == "keep" else "block"),
            el("div", "", el("h4", "", label), el("p", "hosts", _BETWEEN.join(shown)), more),
        )
    ]  # fmt: skip
