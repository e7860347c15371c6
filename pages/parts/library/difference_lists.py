"""Lists of what differs between two runs, under a head that counts them, and what the two sides are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pages.parts.nodes import Element, el, group, icon
from pages.parts.ui import Ui

SHOWN = 12
"""Entries of a list that are open; the rest is folded."""
_SYMBOLS = {"new": "add", "gone": "remove", "changed": "change_history"}


@dataclass(frozen=True)
class Words:
    """What the two sides are called, and what stands on one side alone."""

    before: str
    after: str
    gone: str
    new: str
    repeats: bool

    @classmethod
    def of(cls, ui: Ui, *, repeats: bool) -> Words:
        """Return the words for two runs, of which the second one `repeats` the first or does not."""
        gone = ui._("Gone") if repeats else ui._("Only in the first run")
        new = ui._("New") if repeats else ui._("Only in the second run")
        return cls(*side_names(ui, repeats=repeats), gone, new, repeats)

    def in_order(self, gone: Element | None, new: Element | None) -> list[Element | None]:
        """Return what is gone and what is new as a reader asks for it: news first, of two equal runs the first."""
        return [new, gone] if self.repeats else [gone, new]


def side_names(ui: Ui, *, repeats: bool) -> tuple[str, str]:
    """Return what two runs are called, of which the second one `repeats` the first or does not."""
    return (ui._("Last time"), ui._("This time")) if repeats else (ui._("First run"), ui._("Second run"))


def section(name: str, parts: Sequence[Element | None]) -> Element:
    """Return lists under their common name."""
    return group("section", "", [el("h3", "", name), *parts], key=name)


def listed(kind: str, name: str, rows: list[Element], ui: Ui, *, shown: int = SHOWN) -> Element | None:
    """Return a list under its name and count; what is beyond the first entries, `shown` of them, is folded."""
    if not rows:
        return None
    head = el("h4", kind, icon(_SYMBOLS[kind]), f"{name} ({ui.number(len(rows))})") if kind else None
    rest = folded(ui._("{count} more"), rows[shown:], ui)
    return el("div", "", head, group("ul", "differing", rows[:shown]), rest, key=kind or "all")


def folded(name: str, rows: list[Element], ui: Ui) -> Element | None:
    """Return a list that opens under its name, which says how many entries it has."""
    if not rows:
        return None
    summary = el("summary", "", name.format(count=ui.number(len(rows))))
    return el("details", "more", summary, group("ul", "differing", rows), key=name)
