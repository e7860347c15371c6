"""A quantity that several sources or several periods give, as a chart."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.parts.live.live_view import LiveState
from pages.parts.relabelled import say_anew
from pages.parts.ui import Ui
from research.export import measure_words, period_words
from research.export.pdf.scales import magnitude, ticks, worded
from research.language import Bilingual
from research.quantities import Point, Quantity, beside, measure_of
from research.verification.figure_table import FigureRow

if TYPE_CHECKING:
    import plotly.graph_objects as go

_NAME = 42
"""Characters of a source's title in the legend."""
_CHOSEN = "quantity"


def show(
    quantities: Sequence[Quantity], rows: Sequence[FigureRow], cited: Collection[str], state: LiveState, reader: Ui
) -> None:
    """Show one quantity of those that `rows` hold, chosen by the reader; nothing if there is none.

    First come those that the report cites: `cited` holds the ids of its quotes.
    """
    held = {row.evidence for row in rows}
    offered = [one for one in quantities if is_comparable(one) and any(point.evidence in held for point in one.points)]
    if not offered:
        return
    st.subheader(reader._("The same quantity, by source and period"), anchor=False)
    ordered = {_identity(one): one for one in sorted(offered, key=lambda one: _dullness(one, cited))}
    if st.session_state.get(_CHOSEN) not in ordered:
        st.session_state[_CHOSEN] = next(iter(ordered))
    say_anew(_CHOSEN, _name(ordered[st.session_state[_CHOSEN]], reader))
    chosen = ordered[
        st.selectbox(
            reader._("Quantity"), list(ordered), format_func=lambda one: _name(ordered[one], reader), key=_CHOSEN
        )
    ]
    st.plotly_chart(
        figure(chosen, state, reader),
        key="quantity_chart",
        config={"displayModeBar": False},
        alt=_name(chosen, reader),
    )


def _identity(quantity: Quantity) -> str:
    """Return what tells a quantity from others in any language, and whatever else is on offer."""
    return "\n".join([quantity.subject, quantity.label, measure_of(quantity), quantity.points[0].evidence])


def is_comparable(quantity: Quantity) -> bool:
    """Whether there is something to compare in a chart: dated values of several periods or several sources."""
    dated = _dated(quantity)
    return len({(point.period, point.source) for point in dated}) > 1


def _dullness(quantity: Quantity, cited: Collection[str]) -> tuple[bool, bool, bool, int, int]:
    """Return what puts first what is cited, then what changes over time, then that on which sources differ."""
    is_cited = any(point.evidence in cited for point in quantity.points)
    agree = len({point.value for point in _dated(quantity)}) == 1
    return not is_cited, not quantity.is_series, agree, -len(quantity.sources), -len(quantity.points)


def _dated(quantity: Quantity) -> list[Point]:
    return [point for point in quantity.points if point.period is not None]


def _name(quantity: Quantity, reader: Ui) -> str:
    unit = measure_words.in_words(measure_of(quantity), reader.language)
    what = reader.bracketed(quantity.label, unit) if unit else quantity.label
    values = reader.n_("{count} value", "{count} values", len(_dated(quantity)))
    return " · ".join(filter(None, [what, beside(quantity.subject, quantity.label), values]))


def figure(quantity: Quantity, state: LiveState, reader: Ui) -> go.Figure:
    """Return the chart: of one period a bar for each source, else a line or markers, periods from left to right."""
    draw = _over_time if len({point.period for point in _dated(quantity)}) > 1 else _bars
    chart = draw(quantity, state, reader)
    chart.update_layout(
        colorway=st.get_option(f"theme.{st.context.theme.type or 'light'}.chartCategoricalColors"),
        margin={"l": 8, "r": 8, "t": 16, "b": 8},
    )
    return chart


def _bars(quantity: Quantity, state: LiveState, reader: Ui) -> go.Figure:
    """Return the values of one period, a bar for each that a source gives."""
    import plotly.graph_objects as go

    dated = _dated(quantity)
    titles = [_title(point, state) for point in dated]
    chart = go.Figure(
        go.Bar(
            x=[point.value for point in dated],
            y=list(range(len(dated))),
            orientation="h",
            text=[escape(point.text) for point in dated],
            hovertext=[_hover(point, title, reader) for point, title in zip(dated, titles, strict=True)],
            hovertemplate="%{hovertext}<extra></extra>",
            textposition="auto",
            width=0.55,
        )
    )
    names = [escape(_short(title)) for title in titles]
    chart.update_yaxes(tickvals=list(range(len(dated))), ticktext=names, autorange="reversed", automargin=True)
    period = period_words.in_words(dated[0].period or "", reader.language)
    chart.update_xaxes(_values(quantity, reader, period))
    chart.update_layout(height=110 + 44 * len(dated), showlegend=False)
    return chart


def _over_time(quantity: Quantity, state: LiveState, reader: Ui) -> go.Figure:
    """Return a line or markers for each source."""
    import plotly.graph_objects as go

    chart = go.Figure()
    dated = _dated(quantity)
    for source in dict.fromkeys(point.source for point in dated):
        points = [point for point in dated if point.source == source]
        title = _title(points[0], state)
        is_line = quantity.is_series and len({point.period for point in points}) > 1
        chart.add_scatter(
            x=[point.period for point in points],
            y=[point.value for point in points],
            name=escape(_short(title)),
            text=[_hover(point, title, reader) for point in points],
            hovertemplate="%{text}<extra></extra>",
            mode="lines+markers" if is_line else "markers",
            marker={"size": 10},
        )
    periods = quantity.periods
    told = [escape(period_words.in_words(period, reader.language)) for period in periods]
    chart.update_xaxes(
        type="category", categoryorder="array", categoryarray=periods, tickvals=periods, ticktext=told, automargin=True
    )
    chart.update_yaxes(_values(quantity, reader))
    chart.update_layout(
        height=380,
        showlegend=True,
        legend={"orientation": "h", "yanchor": "top", "y": -0.15, "x": 0},
    )
    return chart


def _values(quantity: Quantity, reader: Ui, *more: str) -> dict[str, Any]:
    """Return the axis of the values: round steps in the words of the reader, and the unit with what `more` there is."""
    values = [point.value for point in _dated(quantity)]
    told_in = magnitude(values, reader.language)
    steps = ticks([0.0, *values])
    unit = measure_words.in_words(measure_of(quantity), reader.language)
    measure = Bilingual(f"{unit} {told_in.words.en}", f"{told_in.words.ja}{unit}").in_(reader.language).strip()
    return {
        "title": escape(" · ".join(filter(None, [measure, *more]))),
        "tickvals": steps,
        "ticktext": [worded(step, told_in) for step in steps],
        "range": [steps[0], steps[-1]],
        "automargin": True,
    }


def _title(point: Point, state: LiveState) -> str:
    return state.pages[point.source].title if point.source in state.pages else point.source


def _short(title: str) -> str:
    return title if len(title) <= _NAME else title[: _NAME - 1] + "…"


def _hover(point: Point, title: str, reader: Ui) -> str:
    """Return what is shown at a point. Plotly reads tags, so that the words of others are escaped."""
    dated = reader.partial_date(point.date) if point.date else reader._("date unknown")
    return "<br>".join([f"<b>{escape(point.text)}</b>", escape(title), escape(dated)])
