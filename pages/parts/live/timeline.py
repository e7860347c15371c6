"""The run on a line of time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.parts.engine import current
from pages.parts.nodes import Element, el, group, show_nodes
from pages.parts.ui import Ui, no_traceback
from research.core import Call, CallKind, Role, RunView

if TYPE_CHECKING:
    import plotly.graph_objects as go


def kind_label(kind: CallKind, ui: Ui) -> str:
    """Return what was called, in words."""
    labels = {
        CallKind.MODEL: ui._("Model calls"),
        CallKind.SEARCH: ui._("Search calls"),
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
    names = [ui._("Call"), ui._("Count"), ui._("Total"), ui._("Longest"), *([ui._("Failed")] if has_failed else [])]
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


_EVERY = 4.0
"""Seconds between two drawings while the run is under way."""
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400)
"""Seconds between two marks on the axis."""
_MARKS = 8
_ROW, _FRAME, _LOWEST = 20, 60, 50
"""Height in pixels of a row, of all that is around them, and of few rows: a lower chart has no marks at its axis."""
_PLACES = {
    CallKind.MODEL: (-0.38, 0.76),
    CallKind.SEARCH: (-0.38, 0.36),
    CallKind.PAGE: (0.02, 0.36),
    CallKind.CACHED: (0.02, 0.36),
    CallKind.FAILED: (-0.38, 0.76),
}
"""Where in its row a bar begins, and its height: searches stand over the pages that they led to."""
# The legend has the same ones, in assets/view/live.css.
_COLOURS = {
    "light": ("#3b6fd4", "#1a9a8f", "#8a5cc7", "#b9c2d0", "#cf3f3a"),
    "dark": ("#6f9bf0", "#3dbdb0", "#b18be6", "#566072", "#f0716b"),
}


def show_timeline(run_id: str, reader: Ui, *, live: bool) -> None:
    """Show the timeline, folded; while the run is under way it grows by itself."""
    (_growing if live else _whole)(run_id, reader)


@st.fragment(run_every=_EVERY)
def _growing(run_id: str, reader: Ui) -> None:
    _draw(run_id, reader)


@st.fragment
def _whole(run_id: str, reader: Ui) -> None:
    _draw(run_id, reader)


def _draw(run_id: str, reader: Ui) -> None:
    with no_traceback(reader):
        panel = st.expander(
            reader._("Timeline"), icon=":material/view_timeline:", key=f"timeline_{run_id}", on_change="rerun"
        )
        if not panel.open:  # the chart is made only for those who look at it
            return
        state = current(run_id)
        with panel:
            if state.started_at is None or not state.calls:
                st.caption(reader._("No call has returned yet."))
                return
            # The table stands first: a browser that has drawn no chart yet must load what draws them.
            show_nodes(totals(state.calls, reader), key="timeline_totals", language=reader.language)
            # A legend of the chart's own would lie over it where there is little room.
            show_nodes(legend(state.calls, reader), key="timeline_legend", language=reader.language)
            chart = timeline_figure(state, reader, st.context.theme.type or "light")
            st.plotly_chart(
                chart, key="timeline_chart", config={"displayModeBar": False}, alt=reader._("Every call over time")
            )


def timeline_figure(state: RunView, reader: Ui, theme: str) -> go.Figure:
    """Return the chart: a row for each role and each lane, a bar for each call, time from left to right."""
    import plotly.graph_objects as go

    chart = go.Figure()
    calls, began = state.calls, state.started_at
    used = {call.row for call in calls}
    rows = [name for name in (*Role, "supervisor", *state.lanes) if name in used]
    places = {name: place for place, name in enumerate(rows)}
    for kind, colour in zip(CallKind, _COLOURS[theme], strict=True):
        own = [call for call in calls if call.kind is kind and call.row in places]
        if own and began is not None:
            style = {"name": kind_label(kind, reader), "marker": {"color": colour, "line": {"width": 0}}}
            offset, width = _PLACES[kind]
            chart.add_bar(
                orientation="h", opacity=0.75, offset=offset, width=width, **style, **_bars(own, began, places, reader)
            )
    names = [escape(row_label(row, reader)) for row in rows]
    _lay_out(chart, _end(state), names)
    return chart


def _end(state: RunView) -> float:
    """Return when the run ended, or how far it is: writing by rule and checking call nobody, and take their time."""
    lasted = state.worked.total_seconds() if state.seconds is None else state.seconds
    began = state.started_at
    return max(1.0, lasted, *(_span(call, began)[1] for call in state.calls if began is not None))


def _span(call: Call, began: datetime) -> tuple[float, float]:
    """Return when a call began and when it returned, in seconds since the run began."""
    end = max(0.0, (call.ended_at - began).total_seconds())
    return max(0.0, end - call.seconds), end


def _bars(own: Sequence[Call], began: datetime, places: Mapping[str, int], reader: Ui) -> dict[str, Any]:
    spans = [_span(call, began) for call in own]
    took = [reader._("{seconds} s").format(seconds=reader.number(round(call.seconds, 1))) for call in own]
    return {
        "y": [places[call.row] for call in own],
        "base": [round(start, 1) for start, _ in spans],
        "x": [round(max(end - start, 0.1), 1) for start, end in spans],
        "customdata": [f"{clock_time(start)} · {lasted}" for (start, _), lasted in zip(spans, took, strict=True)],
        "hovertemplate": "%{customdata}<extra>%{fullData.name}</extra>",
    }


def _lay_out(chart: go.Figure, end: float, names: Sequence[str]) -> None:
    step = next((step for step in _STEPS if end / step <= _MARKS), _STEPS[-1])
    marks = [*range(0, math.ceil(end - 0.75 * step), step), end]  # The last one says how long it took.
    said = [clock_time(round(mark)) for mark in marks]
    chart.update_xaxes(
        range=[0, end * 1.02], tickvals=marks, ticktext=said, tickangle=0, automargin=True, zeroline=False, title=None
    )
    chart.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=list(names),
        range=[len(names) - 0.4, -0.6],
        automargin=True,
        fixedrange=True,
        showgrid=False,
        title=None,
    )
    chart.update_layout(
        barmode="overlay",
        height=_FRAME + max(_ROW * len(names), _LOWEST),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        showlegend=False,
        uirevision="kept",  # what the reader zoomed into stays while calls arrive
    )


def clock_time(seconds: float) -> str:
    """Write seconds since the run began as a clock does (`4:05`, `1:02:30`)."""
    whole = int(seconds)
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02}" if whole < 3_600 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
