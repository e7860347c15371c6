"""Figures as table and chart."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.parts.engine import engine
from pages.parts.native_words import say_anew
from pages.parts.nodes import Element, el, icon, lang_of, sender, show_nodes
from pages.parts.report.downloads import MadeFile
from pages.parts.report.findings import figures_of_run, findings_of_run
from pages.parts.report.sources import open_source
from pages.parts.report.text import SHOW_QUOTE, added_badge, quoted
from pages.parts.ui import Ui, chart_title, verbatim
from research.core import Page, RunView
from research.export import FORMATS
from research.export.charts import axis_ticks, short_number
from research.export.tables import figures_csv, figures_xlsx
from research.export.words import measure_in_words, period_in_words, shortened
from research.language import Language
from research.quantities import FigureRow, label_as_written
from research.text import columns
from research.verification import Point, Quantity, beside, measure_of

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go


_NAME = 48
"""Letters that a line of a chart has room for on a phone, of which a Japanese one counts two."""
_TICKS = 8
"""Periods that are written below a chart, the last among them: more would stand slanted, and in the legend."""
_CHOSEN = "quantity"


def show_figures_chart(
    quantities: Sequence[Quantity], rows: Sequence[FigureRow], cited: Collection[str], state: RunView, reader: Ui
) -> None:
    """Show one quantity of those that `rows` hold, chosen by the reader; nothing if there is none.

    First come those that the report cites, then others of the same pages: `cited` holds the ids of its quotes. Where
    there are only figures of pages that it does not cite, the reader chooses first.
    """
    held = {row.evidence for row in rows}
    offered = [one for one in quantities if is_comparable(one) and any(point.evidence in held for point in one.points)]
    if not offered:
        return
    st.header(reader._("The same quantity, by source and period"), anchor=False)
    near = _pages_of(cited, state)
    ordered = {_identity(one): one for one in sorted(offered, key=lambda one: _dullness(one, cited, near))}
    if st.session_state.get(_CHOSEN) not in ordered:
        first, quantity = next(iter(ordered.items()))
        is_of_report = any(point.evidence in cited or point.source in near for point in quantity.points)
        st.session_state[_CHOSEN] = first if is_of_report else None
    before = st.session_state[_CHOSEN]
    say_anew(_CHOSEN, _name(ordered[before], reader) if before else reader.language.value)
    identity = st.selectbox(
        reader._("Quantity"),
        list(ordered),
        format_func=lambda one: _name(ordered[one], reader),
        key=_CHOSEN,
        index=None,
        placeholder=reader._("Choose one to see it as a chart"),
    )
    if identity is None:
        return
    chosen = ordered[identity]
    st.plotly_chart(
        figures_chart(chosen, state, reader),
        key="quantity_chart",
        config={"displayModeBar": False},
        alt=_name(chosen, reader),
    )


def _identity(quantity: Quantity) -> str:
    """Return what tells a quantity from others in any language, and whatever else is on offer."""
    return "\n".join([quantity.subject, quantity.label, measure_of(quantity), quantity.points[0].evidence])


def is_comparable(quantity: Quantity) -> bool:
    """Whether there is something to compare in a chart: dated values of several periods or several sources."""
    dated = quantity.dated
    return len({(point.period, point.source) for point in dated}) > 1


def _pages_of(quotes: Collection[str], state: RunView) -> set[str]:
    return {state.evidence[name].source for name in quotes if name in state.evidence}


def _dullness(
    quantity: Quantity, cited: Collection[str], near: Collection[str]
) -> tuple[bool, bool, bool, bool, int, int]:
    """Return what puts first what is cited or stands `near`, then what changes over time, then where sources differ."""
    is_cited = any(point.evidence in cited for point in quantity.points)
    agree = len({point.value for point in quantity.dated}) == 1
    is_near = any(point.source in near for point in quantity.points)
    return not is_cited, not is_near, not quantity.is_series, agree, -len(quantity.sources), -len(quantity.points)


def _name(quantity: Quantity, reader: Ui) -> str:
    unit = measure_in_words(measure_of(quantity), reader.language)
    label = label_as_written(quantity.label)
    what = reader.bracketed(label, unit) if unit else label
    values = reader.n_("{count} value", "{count} values", len(quantity.dated))
    return " · ".join(filter(None, [what, beside(quantity.subject, quantity.label), values]))


def figures_chart(quantity: Quantity, state: RunView, reader: Ui) -> go.Figure:
    """Return the chart: of one period a bar for each source, else a line or markers, periods from left to right."""
    draw = _over_time if len({point.period for point in quantity.dated}) > 1 else _bars
    chart = draw(quantity, state, reader)
    chart.update_layout(
        colorway=st.get_option(f"theme.{st.context.theme.type or 'light'}.chartCategoricalColors"),
        margin={"l": 8, "r": 24, "t": 32, "b": 8},
    )
    return chart


def _bars(quantity: Quantity, state: RunView, reader: Ui) -> go.Figure:
    """Return the values of one period, a bar for each that a source gives."""
    import plotly.graph_objects as go

    dated = quantity.dated
    titles = [_title(state, point.source) for point in dated]
    places = list(range(len(dated)))
    chart = go.Figure(
        go.Bar(
            x=[point.value for point in dated],
            y=places,
            orientation="h",
            hovertext=[_hover(point, title, reader) for point, title in zip(dated, titles, strict=True)],
            hovertemplate="%{hovertext}<extra></extra>",
            width=0.4,
        )
    )
    for place, point, title in zip(places, dated, titles, strict=True):  # above its bar there is room on a phone too
        chart.add_annotation(
            text=f"<b>{escape(point.text)}</b>  {escape(shortened(title, _NAME - columns(point.text)))}",
            x=0, xref="paper", xanchor="left", y=place - 0.22, yanchor="bottom", showarrow=False, font_size=13,
        )  # fmt: skip
    chart.update_yaxes(visible=False, range=[len(dated) - 0.5, -0.8])
    axis = _values(quantity, reader, period_in_words(dated[0].period or "", reader.language))
    chart.update_xaxes(visible=False, range=axis["range"])
    chart.update_layout(title=chart_title(axis["title"]), height=40 + 64 * len(dated), showlegend=False)
    return chart


def _over_time(quantity: Quantity, state: RunView, reader: Ui) -> go.Figure:
    """Return a line or markers for each source."""
    import plotly.graph_objects as go

    chart = go.Figure()
    dated = quantity.dated
    for source in dict.fromkeys(point.source for point in dated):
        points = [point for point in dated if point.source == source]
        title = _title(state, source)
        is_line = quantity.is_series and len({point.period for point in points}) > 1
        chart.add_scatter(
            x=[point.period for point in points],
            y=[point.value for point in points],
            name=escape(shortened(title, _NAME)),
            text=[_hover(point, title, reader) for point in points],
            hovertemplate="%{text}<extra></extra>",
            mode="lines+markers" if is_line else "markers",
            marker={"size": 10},
        )
    periods = quantity.periods
    shown = periods[:: -math.ceil(len(periods) / _TICKS)][::-1]
    told = [escape(period_in_words(period, reader.language)) for period in shown]
    chart.update_xaxes(
        type="category", categoryorder="array", categoryarray=periods, tickvals=shown, ticktext=told, automargin=True
    )
    values = _values(quantity, reader)
    unit = chart_title(values.pop("title"))
    chart.update_yaxes(values)
    chart.update_layout(
        title=unit,
        height=380,
        showlegend=True,
        legend={"orientation": "h", "yanchor": "top", "y": -0.15, "x": 0},
    )
    return chart


def _values(quantity: Quantity, reader: Ui, *more: str) -> dict[str, Any]:
    """Return the axis of the values: round steps in the words of the reader, and the unit with what `more` there is."""
    steps = axis_ticks([0.0, *(point.value for point in quantity.dated)])
    measure = measure_in_words(measure_of(quantity), reader.language)
    return {
        "title": escape(" · ".join(filter(None, [measure, *more]))),
        "tickvals": steps,
        "ticktext": [short_number(step, reader.language) for step in steps],
        "range": [steps[0], steps[-1]],
        "automargin": True,
    }


def _hover(point: Point, title: str, reader: Ui) -> str:
    """Return what is shown at a point. Plotly reads tags, so that the words of others are escaped."""
    dated = reader.partial_date(point.date) if point.date else reader._("date unknown")
    return "<br>".join([f"<b>{escape(point.text)}</b>", escape(title), escape(dated)])


_TABLE_HEIGHT, _TABLE_WIDTH = 420, 940
_WIDTHS = {
    "label": (140, 205), "text": (110, 150), "period": (80, 130), "value": (80, 150), "unit": (70, 120),
    "subject": (80, 180), "added": (100, 100),
}  # fmt: skip
"""Pixels: what is measured, how much, and when stand side by side on a phone as well, where the first has a short name.
A long one is read in full as far as how much it is stays in sight there. The source has what the others leave."""
_YIELDING = ("subject", "label", "unit")
"""Columns of words, of which the first is made narrower first where all together are wider than a page."""
_SOURCE_WIDTH = 120
_LETTER, _PADDING = 7, 20
"""Pixels of a narrow letter in the table, and of what is around what is written in a cell."""


def show_figures(run_id: str, cited: Collection[str], state: RunView, reader: Ui) -> None:
    """Show what several sources or years give as a chart, then the table; the report's quotes, `cited`, come first."""
    near = _pages_of(cited, state)
    figures, series = figures_of_run(run_id)
    rows = sorted(figures, key=lambda row: (row.evidence not in cited, row.source not in near))
    if not rows:
        _empty(reader)
        return
    chart = st.container()
    st.caption(
        reader._(
            "Every figure in the quotes of this run, read by rules. Choose a row to see where it stands; "
            "a column's head sorts."
        )
    )
    added = findings_of_run(run_id).added
    shown = _filtered(rows, state, reader)
    with chart:
        show_figures_chart(series, shown, cited, state, reader)
    st.caption(reader.n_("{count} figure", "{count} figures", len(shown)))
    _table(run_id, shown, added, state, reader)
    _downloads(run_id, shown, added, reader)


def _empty(reader: Ui) -> None:
    said = el(
        "div", "mode measure", icon("tag"),
        el("strong", "", reader._("No figure was found in the quotes")),
        el("p", "", reader._("The rules read numbers, amounts, shares and quantities in the quotes of a run.")),
    )  # fmt: skip
    show_nodes([said], key="no_figures", language=reader.language)


def _filtered(rows: Sequence[FigureRow], state: RunView, reader: Ui) -> list[FigureRow]:
    """Ask what to show, and return it."""
    with st.container(horizontal=True, key="figure_filters"):
        subjects = st.multiselect(
            reader._("Subject"),
            sorted({row.subject for row in rows if row.subject}),
            placeholder=reader._("All"),
            key="figure_subjects",
        )
        wanted = st.text_input(reader._("Measure"), placeholder=reader._("e.g. sales"), key="figure_measure")
        sources = st.multiselect(
            reader._("Source"),
            list(dict.fromkeys(row.source for row in rows)),
            format_func=partial(_title, state),
            placeholder=reader._("All"),
            key="figure_sources",
        )
    words = wanted.casefold().split()
    return [
        row
        for row in rows
        if (not subjects or row.subject in subjects)
        and (not sources or row.source in sources)
        and all(word in row.label.casefold() for word in words)
    ]


def _title(state: RunView, source: str) -> str:
    return state.pages[source].title if source in state.pages else source


def _table(run_id: str, rows: Sequence[FigureRow], added: Mapping[str, date], state: RunView, reader: Ui) -> None:
    import pandas as pd

    frame = pd.DataFrame([_cells(row, added, state, reader) for row in rows], columns=[*_WIDTHS, "source"])
    frame = frame.drop(columns=[name for name in ("period", "subject", "added") if not frame[name].any()])
    shown = table_columns(frame, reader)
    picked: Any = st.dataframe(
        frame,
        hide_index=True,
        height=min(_TABLE_HEIGHT, 38 + 35 * max(1, len(rows))),
        column_config=shown,
        on_select="rerun",
        selection_mode="single-row",
        key=f"figure_table_{run_id}",
        alt=reader._("Table of figures"),
    )
    chosen = [rows[place] for place in picked["selection"]["rows"] if place < len(rows)]
    where = [_where(row, added.get(row.evidence), state, reader) for row in chosen]
    show_nodes(where, key="figure_quote", language=reader.language, on_message=open_source)


def table_columns(frame: pd.DataFrame, reader: Ui) -> dict[str, Any]:
    """Return how each column of `frame` is shown, and end in dots in it what is longer than its column.

    What is measured, its quote, and title and date of its source are read in full below the table, in a row that is
    chosen: they fit no cell.
    """
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    widths = {name: _width(map(str, frame[name]), _WIDTHS[name]) for name in frame.columns[:-1]}
    yielding = [name for name in _YIELDING if name in widths]
    for name in yielding:
        over = sum(widths.values()) + _SOURCE_WIDTH - _TABLE_WIDTH
        widths[name] = max(_WIDTHS[name][0], widths[name] - max(0, over))
    widths["source"] = max(_SOURCE_WIDTH, _TABLE_WIDTH - sum(widths.values()))
    for name in (*yielding, "source"):
        frame[name] = [shortened(words, (widths[name] - _PADDING) // _LETTER) for words in frame[name]]
    shown = {
        "label": text(reader._("Measure")),
        "text": text(reader._("As printed")),
        "period": text(reader._("Period")),
        "value": number(reader._("Value"), format="localized"),
        "unit": text(reader._("Unit")),
        "subject": text(reader._("Subject")),
        "added": text(reader._("Added on"), help=reader._("Joined by a follow-up question.")),
        "source": text(reader._("Source")),
    }
    return {name: {**shown[name], "width": width} for name, width in widths.items()}


def _width(cells: Iterable[str], between: tuple[int, int]) -> int:
    """Return the width in which what stands in a column is read in full, as far as there is room for it."""
    narrowest, widest = between
    return min(widest, max([narrowest, *(_LETTER * columns(cell) + _PADDING for cell in cells)]))


def _cells(row: FigureRow, added: Mapping[str, date], state: RunView, reader: Ui) -> list[str | float | None]:
    joined = added.get(row.evidence)
    return [
        label_as_written(row.label),
        row.text,
        period_in_words(row.period or "", reader.language),
        row.value,
        measure_in_words(measure_of(row), reader.language),
        row.subject,
        joined.isoformat() if joined else "",
        _title(state, row.source),
    ]


def _where(row: FigureRow, added: date | None, state: RunView, reader: Ui) -> Element:
    """Return what a row tells in full: what is measured, its quote and source, and the way to its place in the page."""
    dated = reader.partial_date(row.date) if row.date else reader._("date unknown")
    return el(
        "figure", "quote chosen measure",
        el("strong", "", f"{label_as_written(row.label)} · {row.text}", lang=lang_of(row.label)),
        quoted(row.quote),
        el("p", "faint", f"{_title(state, row.source)} · {dated} ", added_badge(added, reader) if added else None),
        sender(SHOW_QUOTE + row.evidence, "textual", icon("find_in_page"), reader._("Show in the page")),
        key=row.evidence, data_scroll="nearest",
    )  # fmt: skip


def _downloads(run_id: str, rows: Sequence[FigureRow], added: Mapping[str, date], reader: Ui) -> None:
    """Offer what is shown as files; they are made when they are asked for."""
    with st.container(horizontal=True, gap="xsmall"):
        for kind, mime, make in (("CSV", "text/csv", figures_csv), ("Excel", FORMATS["xlsx"].mime, figures_xlsx)):
            made = partial(_file, make, run_id, rows, added, reader.language)
            file = MadeFile(made, f"{run_id}-figures.{'csv' if kind == 'CSV' else 'xlsx'}", mime)
            st.download_button(
                verbatim(reader._("Download {kind}").format(kind=kind)),
                data=file,
                file_name=file.name,
                mime=file.mime,
                icon=":material/download:",
                on_click="ignore",
                disabled=not rows,
                key=f"figures_{kind}",
            )


_Make = Callable[[Sequence[FigureRow], dict[str, Page], Language, Mapping[str, date]], bytes]


def _file(make: _Make, run_id: str, rows: Sequence[FigureRow], added: Mapping[str, date], language: Language) -> bytes:
    return make(rows, engine().store.pages(run_id), language, added)
