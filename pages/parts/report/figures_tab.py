"""The table of figures of a run: to sort, filter, take along and draw."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.live.live_view import LiveState
from pages.parts.nodes import Element, el, icon, sender
from pages.parts.report import figures_chart, run_books, source_drawer
from pages.parts.report.made_files import MadeFile
from pages.parts.report.report_nodes import added_badge
from pages.parts.report.source_messages import SHOW_QUOTE
from pages.parts.ui import Ui
from research.evidence import Page
from research.export import measure_words, period_words
from research.export.figures_csv import figures_csv
from research.export.figures_xlsx import figures_xlsx
from research.language import Language
from research.quantities import measure_of
from research.verification.figure_table import FigureRow

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_TABLE_HEIGHT, _NUMBER_WIDTH, _PERIOD_WIDTH = 420, 130, 110
"""Pixels."""


def show(run_id: str, cited: Collection[str], state: LiveState, reader: Ui) -> None:
    """Show the table, and what several sources or years give as a chart; `cited` are the quotes of the report."""
    rows = run_books.figures(run_id)
    if not rows:
        _empty(reader)
        return
    st.caption(
        reader._(
            "Every figure in the quotes of this run, read by rules. Choose a row to see where it stands; "
            "a column's head sorts."
        )
    )
    added = run_books.findings(run_id).added
    shown = _filtered(rows, state, reader)
    st.caption(reader.n_("{count} figure", "{count} figures", len(shown)))
    _table(run_id, shown, added, state, reader)
    _downloads(run_id, shown, added, reader)
    figures_chart.show(run_books.series(run_id), shown, cited, state, reader)


def _empty(reader: Ui) -> None:
    said = el(
        "div", "mode measure", icon("tag"),
        el("strong", "", reader._("No figure was found in the quotes")),
        el("p", "", reader._("The rules read numbers, amounts, shares and quantities in the quotes of a run.")),
    )  # fmt: skip
    component.show([said], key="no_figures", language=reader.language)


def _filtered(rows: Sequence[FigureRow], state: LiveState, reader: Ui) -> list[FigureRow]:
    """Ask what to show, and return it."""
    with st.container(horizontal=True, key="figure_filters"):
        subjects = st.multiselect(
            reader._("Subject"),
            sorted({row.subject for row in rows}),
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


def _title(state: LiveState, source: str) -> str:
    return state.pages[source].title if source in state.pages else source


def _table(run_id: str, rows: Sequence[FigureRow], added: Mapping[str, date], state: LiveState, reader: Ui) -> None:
    import pandas as pd

    columns = _columns(reader)
    frame = pd.DataFrame([_cells(row, added, state, reader) for row in rows], columns=list(columns))
    if not added:
        frame, columns = frame.drop(columns="added"), {name: how for name, how in columns.items() if name != "added"}
    picked: Any = st.dataframe(
        frame,
        hide_index=True,
        height=min(_TABLE_HEIGHT, 38 + 35 * max(1, len(rows))),
        column_config=columns,
        on_select="rerun",
        selection_mode="single-row",
        key=f"figure_table_{run_id}",
        alt=reader._("Table of figures"),
    )
    chosen = [rows[place] for place in picked["selection"]["rows"] if place < len(rows)]
    where = [_where(row, added.get(row.evidence), state, reader) for row in chosen]
    component.show(where, key="figure_quote", language=reader.language, on_message=source_drawer.open_source)


def _columns(reader: Ui) -> dict[str, Any]:
    """Return how each column is shown, by its name in the frame."""
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    return {
        "label": text(reader._("Measure"), width="medium"),
        "text": text(reader._("As printed"), width=_NUMBER_WIDTH),
        "period": text(reader._("Period"), width=_PERIOD_WIDTH),
        "value": number(reader._("Value"), format="localized", width=_NUMBER_WIDTH),
        "unit": text(reader._("Unit"), width="small"),
        "subject": text(reader._("Subject"), width="medium"),
        "added": text(reader._("Added on"), width="small", help=reader._("Joined by a follow-up question.")),
        "quote": text(reader._("Quote"), width="large"),
        "source": text(reader._("Source"), width="medium"),
        "date": text(reader._("Date of the source"), width="small"),
    }


def _cells(row: FigureRow, added: Mapping[str, date], state: LiveState, reader: Ui) -> list[str | float | None]:
    joined = added.get(row.evidence)
    return [
        row.label,
        row.text,
        period_words.in_words(row.period or "", reader.language),
        row.value,
        measure_words.in_words(measure_of(row), reader.language),
        row.subject,
        joined.isoformat() if joined else "",
        row.quote,
        _title(state, row.source),
        row.date or "",
    ]


def _where(row: FigureRow, added: date | None, state: LiveState, reader: Ui) -> Element:
    """Return the quote of a row, and the way to its place in the page."""
    return el(
        "figure", "quote chosen measure",
        el("blockquote", "", row.quote),
        el("p", "faint", f"{_title(state, row.source)} ", added_badge(added, reader) if added else None),
        sender(SHOW_QUOTE + row.evidence, "textual", icon("find_in_page"), reader._("Show in the page")),
        key=row.evidence, data_scroll="nearest",
    )  # fmt: skip


def _downloads(run_id: str, rows: Sequence[FigureRow], added: Mapping[str, date], reader: Ui) -> None:
    """Offer what is shown as files; they are made when they are asked for."""
    with st.container(horizontal=True):
        for kind, mime, make in (("CSV", "text/csv", figures_csv), ("Excel", _XLSX, figures_xlsx)):
            made = partial(_file, make, run_id, rows, added, reader.language)
            file = MadeFile(made, f"{run_id}-figures.{'csv' if kind == 'CSV' else 'xlsx'}", mime)
            st.download_button(
                reader._("Download {kind}").format(kind=kind),
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
