"""What the calls of a run come to, as a table that can be read aloud, and what the colours of their chart stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pages.parts.live.timeline import Call, CallKind
from pages.parts.nodes import Element, el, group
from pages.parts.ui import Ui
from research.presets import Role


def kind_label(kind: CallKind, ui: Ui) -> str:
    """Return what was called, in words."""
    labels = {
        CallKind.MODEL: ui._("Model calls"),
        CallKind.SEARCH: ui._("Searches"),
        CallKind.PAGE: ui._("Page summaries"),
        CallKind.CACHED: ui._("Page summaries from the cache"),
        CallKind.FAILED: ui._("Failed calls"),
    }
    return labels[kind]


def row_label(row: str, ui: Ui) -> str:
    """Return the name of a row: what a model is used for, or a lane, whose name stands as it is."""
    labels = {
        Role.PLANNING.value: ui._("Model: planning"),
        Role.RESEARCH.value: ui._("Model: research"),
        Role.SUMMARIZATION.value: ui._("Model: summaries"),
        Role.COMPRESSION.value: ui._("Model: condensing"),
        Role.FINAL_REPORT.value: ui._("Model: report"),
    }
    return labels.get(row, row)


def totals(calls: Sequence[Call], ui: Ui) -> list[Element]:
    """Return how many calls there were of each kind, how long they took together, and how long the longest did."""
    rows = _rows(calls, ui)
    has_failed = any(row.failed for row in rows)
    names = [ui._("Call"), ui._("Count"), ui._("Together"), ui._("Longest"), *([ui._("Failed")] if has_failed else [])]
    head = el("thead", "", group("tr", "", [el("th", "", name, scope="col") for name in names]))
    body = group("tbody", "", [_row(row, ui, has_failed) for row in rows])
    return [el("div", "wide-table", el("table", "calls", head, body))] if calls else []


def legend(calls: Sequence[Call], ui: Ui) -> list[Element]:
    """Return the kinds of calls that the chart shows, each with its colour: `timeline_panel` has the same ones."""
    used = {call.kind for call in calls}
    kinds = [el("li", kind.value, kind_label(kind, ui), key=kind.value) for kind in CallKind if kind in used]
    return [group("ul", "call-kinds", kinds, key="call-kinds")]


@dataclass(frozen=True)
class _Row:
    name: str
    calls: Sequence[Call]

    @property
    def failed(self) -> int:
        return sum(call.kind is CallKind.FAILED for call in self.calls)


def _rows(calls: Sequence[Call], ui: Ui) -> list[_Row]:
    roles = set(Role)
    found = [_Row(row_label(role, ui), [call for call in calls if call.row == role]) for role in Role]
    of_lanes = [call for call in calls if call.row not in roles]
    for kinds in ((CallKind.SEARCH, CallKind.FAILED), (CallKind.PAGE,), (CallKind.CACHED,)):
        found.append(_Row(kind_label(kinds[0], ui), [call for call in of_lanes if call.kind in kinds]))
    return [row for row in found if row.calls]


def _row(row: _Row, ui: Ui, has_failed: bool) -> Element:
    seconds = [call.seconds for call in row.calls]
    cells = [
        ui.number(len(seconds)),
        ui.duration(sum(seconds)),
        ui._("{seconds} s").format(seconds=ui.number(round(max(seconds), 1))),
        *([ui.number(row.failed) if row.failed else "–"] if has_failed else []),
    ]
    return el(
        "tr", "", el("th", "", row.name, scope="row"), *(el("td", "", cell) for cell in cells), key=row.name
    )  # fmt: skip
