"""A collection of documents as a card: how it stands, and what was left out and why."""

from __future__ import annotations

from pathlib import Path

from pages.parts.nodes import Element, el, group, icon
from pages.parts.ui import Ui
from research.library import display_name
from research.library.state import LibraryState
from research.problems import explain

_SHOWN = 100


def head(
    title: str, purpose: str, symbol: str, state: LibraryState | None, ui: Ui, *, missing: str = "", empty: str = ""
) -> list[Element]:
    """Return what a collection is and how it stands.

    `state` is None if it cannot be read now; `missing` says why it cannot be used, `empty` what it means that it holds
    no file.
    """
    sign, kind, words = ("do_not_disturb_on", "", missing) if missing else _standing(state, empty, ui)
    return [
        el(
            "div", "collection",
            icon(symbol),
            el("div", "", el("h3", "", title), el("p", "faint", purpose)),
            el("p", f"standing {kind}", icon(sign), el("span", "", words)),
        ),
        *_figures(state, ui),
    ]  # fmt: skip


def _standing(state: LibraryState | None, empty: str, ui: Ui) -> tuple[str, str, str]:
    """Return sign, class and words for how a collection stands."""
    if state is None:
        return "warning", "caution", ui._("Its index is in use and cannot be read now.")
    if not state.exists and state.indexed_at:
        return "folder_off", "caution", ui._("The folder is gone.")
    if not state.files:
        return "radio_button_unchecked", "", empty or ui._("Empty")
    if state.indexed_at is None:
        return "radio_button_unchecked", "", ui._("Not indexed yet")
    if state.waiting:
        words = ui.n_("{count} file has changed since", "{count} files have changed since", state.waiting)
        return "sync_problem", "caution", words
    return "check_circle", "good", ui._("Indexed, up to date")


def _figures(state: LibraryState | None, ui: Ui) -> list[Element]:
    if state is None or not state.files:
        return []
    rows = [
        (ui._("Files"), ui.number(state.files)),
        (ui._("Size"), ui.size(state.bytes)),
        (ui._("Passages"), ui.number(state.passages) if state.indexed_at else "–"),
        (ui._("Left out"), ui.number(len(state.skipped)) if state.indexed_at else "–"),
        (ui._("Indexed"), ui.moment(state.indexed_at) if state.indexed_at else "–"),
    ]
    return [
        group("dl", "figures", [el("div", "figure", el("dt", "", label), el("dd", "", said)) for label, said in rows])
    ]


def skipped(state: LibraryState, ui: Ui) -> list[Element]:
    """Return the files without text, each with the reason."""
    rows = [
        el(
            "li", "broken", icon("warning"),
            el(
                "div", "",
                el("span", "", _name(one.path, state.folder)),
                el("p", "reason", explain(one.code, ui.language)),
            ),
            key=str(one.path),
        )
        for one in state.skipped[:_SHOWN]
    ]  # fmt: skip
    left = len(state.skipped) - len(rows)
    more = el("p", "faint", ui.n_("{count} more document", "{count} more documents", left)) if left > 0 else None
    return [part for part in (group("ul", "documents", rows), more) if part is not None]


def _name(path: Path, folder: Path) -> str:
    inside = path.relative_to(folder) if path.is_relative_to(folder) and path != folder else path
    return display_name(inside)
