"""What is kept of pages and summaries."""

from __future__ import annotations

import logging

import streamlit as st

from pages.parts.engine import engine
from pages.parts.nodes import Element, el, rows_of, show_nodes
from pages.parts.ui import Ui, confirm
from research.core import StoreError
from research.store import (
    CacheContent,
    PagesKept,
    Savings,
    catch_up_seen,
    pages_kept,
    savings,
)

_LARGE = "figures large"


def cache_content(held: CacheContent | None, ui: Ui) -> list[Element]:
    """Return how much the cache holds; None if it cannot be read."""
    if held is None:
        return []
    size = ui.size(held.bytes) if held.summaries else "–"
    return [rows_of(_LARGE, [(ui._("Summaries kept"), ui.number(held.summaries)), (ui._("On disk"), size)], "figure")]


def saved_nodes(total: Savings, ui: Ui) -> list[Element]:
    """Return what all runs were spared, and how sure that is."""
    figures = [(ui._("Calls saved"), ui.number(total.calls)), (ui._("Money saved"), _money(total, ui))]
    note = ui.n_(
        "No price is known for {count} of these calls; it counts nothing.",
        "No price is known for {count} of these calls; they count nothing.",
        total.unpriced,
    )
    is_partly_priced = 0 < total.unpriced < total.calls
    return [rows_of(_LARGE, figures, "figure"), *([el("p", "faint", note)] if is_partly_priced else [])]


def stored_nodes(kept: PagesKept, ui: Ui) -> list[Element]:
    """Return how many texts are stored."""
    size = ui.size(kept.bytes) if kept.pages else "–"
    return [rows_of(_LARGE, [(ui._("Texts stored"), ui.number(kept.pages)), (ui._("On disk"), size)], "figure")]


def _money(total: Savings, ui: Ui) -> str:
    if not total.calls:
        return "–"
    return _about(None if total.unpriced == total.calls else total.usd, ui)


def _about(usd: float | None, ui: Ui) -> str:
    return ui.price(usd) if usd is None else ui._("about {amount}").format(amount=ui.dollars(usd))


_log = logging.getLogger("workbench")


def show_cache(reader: Ui) -> None:
    """Show the three: the cache, what it saved, the stored pages."""
    catch_up_seen(engine().store)
    left, right = st.columns(2)
    with left, st.container(border=True, height="stretch", key="cache_held"):
        _cache(reader)
    with right, st.container(border=True, height="stretch", key="cache_pages"):
        _pages(reader)
    with st.container(border=True, key="cache_saved"):
        _saved(reader)


def _cache(reader: Ui) -> None:
    st.header(reader._("Summaries"), anchor=False)
    st.caption(
        reader._(
            "What a model has said of a page is kept. The same question to the same page and model is never paid for "
            "twice, whichever run asks."
        )
    )
    held = _held()
    show_nodes(cache_content(held, reader), key="cache_content", language=reader.language)
    if held is None:
        st.warning(
            reader._("The cache cannot be read now. Research goes on without it, and pays for each summary."),
            icon=":material/warning:",
        )
    elif st.button(reader._("Clear the cache"), icon=":material/mop:", disabled=not held.summaries, key="cache_clear"):
        confirm(
            reader._("Clear the cache?"),
            reader._("The next runs pay for their summaries again. Runs, reports and stored pages stay as they are."),
            reader._("Clear the cache"),
            lambda: _clear(reader),
            reader,
        )


def _held() -> CacheContent | None:
    try:
        return engine().runner.summaries.content()
    except StoreError as error:
        _log.warning("%s", error)
        return None


def _pages(reader: Ui) -> None:
    st.header(reader._("Stored pages"), anchor=False)
    st.caption(
        reader._(
            "Each page is stored as it was read, so that every quote can be checked: a text once, however many runs "
            "and addresses it was read in. With the last run that has read it, it is deleted."
        )
    )
    kept = pages_kept(engine().store)
    show_nodes(stored_nodes(kept, reader), key="pages_kept", language=reader.language)


def _saved(reader: Ui) -> None:
    st.header(reader._("What the cache saved"), anchor=False)
    total = savings(engine().store)
    if not total.calls:
        st.caption(reader._("Nothing yet. As soon as a run meets a page that was summarised before, it shows here."))
        return
    show_nodes(saved_nodes(total, reader), key="saved_total", language=reader.language)
    st.caption(
        reader._(
            "Counted over all runs that have ended. A call that was not made counts what the summaries of the same run "
            "cost on average, or what they cost with the same model."
        )
    )


def _clear(reader: Ui) -> str:
    try:
        count = engine().runner.summaries.clear()
    except StoreError as error:
        _log.warning("%s", error)
        return reader._("The cache is in use and could not be cleared, or not all of it. Try again in a moment.")
    return reader.n_("{count} summary removed.", "{count} summaries removed.", count)
