"""Batch: one question for every row of a table, carried out one after the other, and an Excel file of the answers."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import streamlit as st
from pydantic import ValidationError

from pages.parts.engine import carry_out_waiting, engine, own_library
from pages.parts.frame import enter, open_run
from pages.parts.library.actions import not_saved
from pages.parts.library.runs import run_link, title
from pages.parts.nodes import Element, el, group, icon, lang_of, show_nodes
from pages.parts.report.downloads import MadeFile
from pages.parts.report.head import STATE_ICONS, state_label
from pages.parts.start.brief import brief_nodes, complaints_about, recalled_form, to_brief
from pages.parts.ui import NOTICE, Ui, no_traceback, show_notice, verbatim
from research.batch import (
    BATCHES,
    Batch,
    Entry,
    batch_book,
    enter_batch,
    filled,
    forget_batch,
    rows_of_table,
    runs_of_batch,
    stop_batch,
    unnamed_columns,
)
from research.core import Brief, StoreError, UsageError
from research.export import FORMATS
from research.store import RunState, RunSummary

_ENDINGS = ["csv", "xlsx"]
_MEGABYTES = 20
_SEEN, _TRIED = 3, 2
"""Rows of a table, and questions made of them, that are shown before it begins."""
_EVERY = 2.0
"""Seconds between two looks at what is under way."""
_QUESTION, _TABLE, _STARTED = "batch_question", "batch_table", "batches_started"


def main() -> None:
    """Show the page."""
    reader = enter()
    carry_out_waiting()
    st.title(reader._("Batch"), anchor=False)
    st.caption(verbatim(reader._("One question for every row of a table, and an Excel file of the answers.")))
    show_notice()
    with no_traceback(reader):
        _form(reader)
        _batches(reader)


# --- a new one -------------------------------------------------------------------------------------------------------


def _form(reader: Ui) -> None:
    with st.container(border=True):
        name, rows = _table(reader)
        brief = _asked(rows, reader)
        _how(brief, reader)
        st.button(
            reader.n_("Start {count} run", "Start {count} runs", len(rows)) if rows else reader._("Start"),
            type="primary",
            icon=":material/play_arrow:",
            disabled=not rows or brief is None,
            key="batch_start",
            on_click=_start,
            args=(name, rows, brief, reader),
        )


def _table(reader: Ui) -> tuple[str, list[dict[str, str]]]:
    """Take in a table; return its name and its rows, none while there is none that can be read."""
    number = st.session_state.setdefault(_STARTED, 0)  # Another table each time.
    table = st.file_uploader(
        reader._("Table (CSV or Excel); its first row names the columns"),
        type=_ENDINGS,
        max_upload_size=_MEGABYTES,
        key=f"{_TABLE}_{number}",
    )
    if table is None:
        return "", []
    rows = _rows(table.name, table.getvalue(), reader)
    if rows:
        _show_rows(rows, reader)
    return table.name, rows


def _asked(rows: Sequence[Mapping[str, str]], reader: Ui) -> Brief | None:
    """Ask for the question; return the brief, None while it cannot be asked of the rows."""
    first = next(iter(rows[0]), "") if rows else reader._("company", "column of a table")
    question = st.text_area(
        reader._("Question"),
        key=_QUESTION,
        height=80,
        placeholder=reader._("What are the sales and the main products of {{{column}}}?").format(column=first),
        help=verbatim(reader._("The name of a column in braces stands for what a row holds there.")),
    ).strip()
    brief = _brief(question, reader) if question else None
    if brief is None or not rows:
        return brief
    if lacks := unnamed_columns(question, rows, reader.language):
        st.warning(verbatim(lacks), icon=":material/edit:")
        return None
    _show_questions(question, rows, reader)
    return brief


def _rows(name: str, data: bytes, reader: Ui) -> list[dict[str, str]]:
    """Return the rows of a table that was handed over; none, and the reason on the page, where it cannot be read."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"table{Path(name).suffix.lower()}"
        file.write_bytes(data)
        try:
            return rows_of_table(file, reader.language, called=name)
        except UsageError as error:
            st.error(verbatim(reader.reason(error)), icon=":material/error:")
            return []


def _show_rows(rows: Sequence[Mapping[str, str]], reader: Ui) -> None:
    """Show how a table was understood: the first of its rows, and how many there are."""
    names = list(rows[0])
    head = group("tr", "", [el("th", "", name, scope="col") for name in names])
    body = [group("tr", "", [el("td", "", row.get(name, "")) for name in names]) for row in rows[:_SEEN]]
    more = len(rows) - _SEEN
    tree = [
        el(
            "div", "wide-table",
            el("table", "compared", el("thead", "", head), group("tbody", "", body)),
            tabindex="0", role="region", aria_label=reader._("The first rows of the table"),
        ),
    ]  # fmt: skip
    if more > 0:
        tree.append(el("p", "faint", reader.n_("and {count} more row", "and {count} more rows", more)))
    show_nodes(tree, key="batch_rows", language=reader.language)


def _show_questions(question: str, rows: Sequence[Mapping[str, str]], reader: Ui) -> None:
    asked = [el("li", "", filled(question, row), key=str(place)) for place, row in enumerate(rows[:_TRIED])]
    show_nodes([group("ul", "hints", asked)], key="batch_questions", language=reader.language)


def _brief(question: str, reader: Ui) -> Brief | None:
    """Return the brief with everything but the question as on the start page; None where that cannot be used."""
    values = recalled_form(engine().settings.home, reader.language) | {"question": question}
    try:
        return to_brief(values)
    except ValidationError as error:
        for complaint in complaints_about(error, values, reader):
            st.error(verbatim(complaint), icon=":material/edit:")
        return None


def _how(brief: Brief | None, reader: Ui) -> None:
    """Say with what each row is asked: as was last chosen for a question of one's own."""
    with st.expander(reader._("How each is researched"), key="batch_how"):
        st.caption(
            verbatim(reader._("Sources, period, preset and the rest are as you last chose them under “New research”."))
        )
        if brief is not None:
            show_nodes(brief_nodes(brief), key="batch_brief", language=reader.language)
        st.page_link("pages/new_research.py", label=reader._("New research"), icon=":material/edit_note:")


def _start(name: str, rows: Sequence[Mapping[str, str]], brief: Brief, reader: Ui) -> None:
    try:
        enter_batch(engine().store, engine().settings, name, brief, rows, library=own_library())
    except StoreError:
        st.session_state[NOTICE] = not_saved(reader)
        return
    except UsageError as error:
        st.session_state[NOTICE] = reader.reason(error)
        return
    carry_out_waiting()
    st.session_state[_STARTED] += 1
    st.session_state[_QUESTION] = ""


# --- those that were started -----------------------------------------------------------------------------------------


def _batches(reader: Ui) -> None:
    kept = BATCHES.load(engine().settings.home).kept
    if not kept:
        return
    st.header(reader._("Your batches"), anchor=False)
    for one in kept:
        is_open = any(run.state.is_open for run in runs_of_batch(engine().store, one).values())
        st.fragment(_show, run_every=_EVERY if is_open else None)(one, is_open, reader)


def _show(one: Batch, was_open: bool, reader: Ui) -> None:
    """Show how far a batch is, and what can be done with it."""
    runs = runs_of_batch(engine().store, one)
    open_ = sum(run.state.is_open for run in runs.values())
    if was_open and not open_:
        st.rerun()
    done = len(one.entries) - open_
    with st.container(border=True, key=f"batch_{one.id}"):
        show_nodes(_head(one, reader), key=f"batch_head_{one.id}", language=reader.language)
        st.progress(done / len(one.entries), text=verbatim(_told(one, runs, done, reader)))
        with st.container(horizontal=True):
            _tools(one, done, open_, reader)
        with st.expander(reader.n_("{count} row", "{count} rows", len(one.entries)), key=f"batch_rows_{one.id}"):
            came = [_row(place, entry, runs.get(entry.run), reader) for place, entry in enumerate(one.entries)]
            show_nodes(
                [group("ul", "came", came)], key=f"batch_came_{one.id}", language=reader.language, on_message=open_run
            )


def _head(one: Batch, reader: Ui) -> list[Element]:
    """Return the question of a batch, the table that it was asked of, and when."""
    asked = el("h3", "batch-question", title(one.question), lang=lang_of(one.question))
    return [asked, el("p", "faint", f"{one.name} · {reader.moment(one.created_at)}")]


def _told(one: Batch, runs: Mapping[str, RunSummary], done: int, reader: Ui) -> str:
    """Return how many rows are done, and how those ended that are not complete."""
    ended = Counter(run.state for run in runs.values() if not run.state.is_open)
    ended[RunState.FAILED] += sum(1 for entry in one.entries if not entry.run)
    told = reader._("{done} of {count} done").format(done=reader.number(done), count=reader.number(len(one.entries)))
    others = [state for state in RunState if ended[state] and state is not RunState.COMPLETE]
    return " · ".join([told, *(f"{state_label(state, reader)} {ended[state]}" for state in others)])


def _tools(one: Batch, done: int, open_: int, reader: Ui) -> None:
    name = f"{Path(one.name).stem}.xlsx"
    made = MadeFile(partial(batch_book, engine().store, one, reader.language), name, FORMATS["xlsx"].mime)
    st.download_button(
        reader._("Download as Excel"),
        data=made,
        file_name=made.name,
        mime=made.mime,
        icon=":material/download:",
        type="secondary" if open_ else "primary",
        disabled=not done,
        on_click="ignore",
        key=f"batch_book_{one.id}",
    )
    if open_:
        is_pressed, act = st.button(reader._("Stop"), icon=":material/stop:", key=f"batch_stop_{one.id}"), _stop
    else:
        is_pressed = st.button(
            reader._("Remove"),
            icon=":material/delete:",
            key=f"batch_delete_{one.id}",
            help=verbatim(reader._("The runs stay.")),
        )
        act = _forget
    if is_pressed:
        act(one, reader)
        st.rerun()  # The whole page, of which this batch is a part.


def _row(place: int, entry: Entry, run: RunSummary | None, reader: Ui) -> Element:
    """Return a row with its state, whom it is about, and what was read for it or why there is no run."""
    subject = next(iter(entry.subject.values()), "") or entry.question
    state = run.state if run else RunState.FAILED
    symbol = icon(STATE_ICONS[state], "spin" if state is RunState.RUNNING else "")
    told = [el("span", f"dot {state}", symbol, el("span", "", state_label(state, reader)))]
    if run is None:
        gone = entry.problem or reader._("This run is not there any more.")
        told += [el("span", "", subject, lang=lang_of(subject)), el("span", "faint", gone)]
    else:
        told.append(run_link(run.id, subject, "textual"))
        if not run.state.is_open:
            read = reader.n_("{count} source", "{count} sources", run.pages)
            told.append(el("span", "faint", f"{read} · {reader.duration(run.seconds)}"))
    return group("li", "", told, key=str(place))


def _stop(one: Batch, reader: Ui) -> None:
    try:
        stop_batch(engine().store, engine().runner, one)
    except StoreError:
        st.session_state[NOTICE] = not_saved(reader)


def _forget(one: Batch, reader: Ui) -> None:
    try:
        forget_batch(engine().settings, one.id)
    except StoreError:
        st.session_state[NOTICE] = not_saved(reader)


main()
