"""Every call of a run on one line of time: models by role, searches and pages by lane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.parts import component
from pages.parts.live.live_view import LiveState
from pages.parts.live.run_state import current
from pages.parts.live.timeline import Bar, CallKind, bars
from pages.parts.live.timeline_nodes import kind_label, legend, row_label, totals
from pages.parts.session import no_traceback
from pages.parts.ui import Ui
from research.presets import Role

if TYPE_CHECKING:
    import plotly.graph_objects as go

_EVERY = 4.0
"""Seconds between two drawings while the run is under way."""
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400)
"""Seconds between two marks on the axis."""
_MARKS = 8
_ROW, _FRAME = 20, 60
"""Height in pixels of a row, and of all that is around them."""
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


def show(run_id: str, reader: Ui, *, live: bool) -> None:
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
            component.show(totals(state.calls, reader), key="timeline_totals", language=reader.language)
            # A legend of the chart's own would lie over it where there is little room.
            component.show(legend(state.calls, reader), key="timeline_legend", language=reader.language)
            chart = figure(state, reader, st.context.theme.type or "light")
            st.plotly_chart(
                chart, key="timeline_chart", config={"displayModeBar": False}, alt=reader._("Every call over time")
            )


def figure(state: LiveState, reader: Ui, theme: str) -> go.Figure:
    """Return the chart: a row for each role and each lane, a bar for each call, time from left to right."""
    import plotly.graph_objects as go

    chart = go.Figure()
    shown = bars(state.calls, state.started_at) if state.started_at else []
    used = {bar.row for bar in shown}
    rows = [name for name in (*Role, "supervisor", *state.lanes) if name in used]
    places = {name: place for place, name in enumerate(rows)}
    for kind, colour in zip(CallKind, _COLOURS[theme], strict=True):
        own = [bar for bar in shown if bar.kind is kind and bar.row in places]
        if own:
            style = {"name": kind_label(kind, reader), "marker": {"color": colour, "line": {"width": 0}}}
            offset, width = _PLACES[kind]
            chart.add_bar(
                orientation="h", opacity=0.75, offset=offset, width=width, **style, **_bars(own, places, reader)
            )
    names = [escape(row_label(row, reader)) for row in rows]
    _lay_out(chart, max((bar.end for bar in shown), default=1.0), names)
    return chart


def _bars(own: Sequence[Bar], places: Mapping[str, int], reader: Ui) -> dict[str, Any]:
    return {
        "y": [places[bar.row] for bar in own],
        "base": [round(bar.start, 1) for bar in own],
        "x": [round(max(bar.end - bar.start, 0.1), 1) for bar in own],
        "customdata": [_said(bar, reader) for bar in own],
        "hovertemplate": "%{customdata}<extra>%{fullData.name}</extra>",
    }


def _said(bar: Bar, reader: Ui) -> str:
    took = reader._("{seconds} s").format(seconds=reader.number(round(bar.seconds, 1)))
    if bar.calls == 1:
        return f"{clock(bar.start)} · {took}"
    count = reader.n_("{count} call", "{count} calls", bar.calls)
    return f"{clock(bar.start)}–{clock(bar.end)} · {count} · {took}"


def _lay_out(chart: go.Figure, end: float, names: Sequence[str]) -> None:
    step = next((step for step in _STEPS if end / step <= _MARKS), _STEPS[-1])
    marks = list(range(0, int(end) + step, step))
    chart.update_xaxes(
        range=[0, end * 1.02], tickvals=marks, ticktext=[clock(mark) for mark in marks], zeroline=False, title=None
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
        height=_FRAME + _ROW * len(names),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        showlegend=False,
        uirevision="kept",  # what the reader zoomed into stays while calls arrive
    )


def clock(seconds: float) -> str:
    """Write seconds since the run began as a clock does (`4:05`, `1:02:30`)."""
    whole = int(seconds)
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02}" if whole < 3_600 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
