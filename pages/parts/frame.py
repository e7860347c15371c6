"""What all pages stand in: navigation, and the latest runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, NamedTuple

import streamlit as st

from pages.parts.accounts import account, has_oidc, login
from pages.parts.engine import engine
from pages.parts.library.runs import OPEN_RUN, recent
from pages.parts.nodes import show_nodes
from pages.parts.ui import Ui, go_to, ui, verbatim

_FIRST = "new"
"""The address of the page that opens."""
ADDRESSES = ["", "runs", "schedules", "batch", "compare", "experiments", "sources", "settings", "run"]
"""Where the pages are loaded from; the one that opens has no address of its own."""
_framed: ContextVar[bool] = ContextVar("framed", default=False)


def navigation(reader: Ui, *, is_shown: bool = True) -> st.Page:
    """Show the navigation, if it is to be seen, and return the page that the address names."""
    shown = [
        st.Page(
            f"pages/{page.file}.py",
            title=page.title,
            icon=f":material/{page.icon}:",
            url_path=page.address,
            default=page.address == _FIRST,
            help=page.help,
        )
        for page in _pages(reader)
    ]
    run = st.Page("pages/run.py", title=reader._("Run"), url_path="run", visibility="hidden")
    return st.navigation([*shown, run], position="sidebar" if is_shown else "hidden")


class _Page(NamedTuple):
    address: str
    file: str
    icon: str
    title: str
    help: str


def _pages(reader: Ui) -> Iterator[_Page]:
    started = reader._("Write a question, choose what matters, and start the research.")
    yield _Page(_FIRST, "new_research", "edit_note", reader._("New research"), started)
    done = reader._("All research done so far: open a report, or delete it.")
    yield _Page("runs", "runs", "history", reader._("Runs"), done)
    again = reader._("Questions that are asked again and again, and what changed since the time before.")
    yield _Page("schedules", "schedules", "event_repeat", reader._("Schedules"), again)
    many = reader._("One question for every row of a table, and an Excel file of the answers.")
    yield _Page("batch", "batch", "table_rows", reader._("Batch"), many)
    compared = reader._("The same question by several methods or presets, or any runs side by side.")
    yield _Page("compare", "compare", "compare_arrows", reader._("Compare"), compared)
    tried = reader._("Which way of asking is best, by known facts and by what you prefer.")
    yield _Page("experiments", "experiments", "science", reader._("Experiments"), tried)
    kept = reader._("Every page ever read, what the cache saved, sets of sites, document collections.")
    yield _Page("sources", "sources", "inventory_2", reader._("Sources & cache"), kept)
    yield _Page(
        "settings", "settings", "settings", reader._("Settings"), reader._("Keys, models, where pages come from.")
    )


def ask_to_log_in(reader: Ui) -> None:
    """Show what somebody sees who has not logged in yet."""
    with _card(width=420):
        st.title(reader._("Research workbench"), anchor=False, text_alignment="center")
        st.caption(reader._("Log in to see your research."), text_alignment="center")
        st.button(reader._("Log in"), type="primary", icon=":material/login:", on_click=st.login, key="log_in")


def show_account(reader: Ui) -> None:
    """Show who is here, and the way out, where there is a login."""
    if who := account():
        st.caption(f":material/account_circle: {verbatim(who)}")
        if has_oidc() and not login().header:
            st.button(reader._("Log out"), icon=":material/logout:", type="tertiary", on_click=st.logout, key="log_out")


def run_app(page: st.Page) -> None:
    """Run a page inside the frame."""
    token = _framed.set(True)
    try:
        page.run()
    finally:
        _framed.reset(token)


def enter() -> Ui:
    """Return the reader for whom a page is drawn; every page begins with this.

    Streamlit runs the files of a folder `pages/` by themselves until a process has seen `st.navigation` once. So if the
    first address that a new process is asked for is that of a page, the page comes here without `app.py`: it shows the
    navigation and starts over, this time from `app.py`.
    """
    reader = ui()
    if not _framed.get():
        navigation(reader)
        st.rerun()
    return reader


def nothing_yet(title: str, words: str, reader: Ui) -> None:
    """Say that there is nothing to show before anything was researched, and offer to."""
    with _card():
        st.header(verbatim(title), anchor=False, text_alignment="center")
        st.caption(verbatim(words), text_alignment="center")
        if st.button(reader._("New research"), icon=":material/edit_note:", type="primary"):
            go_to("pages/new_research.py")


@contextmanager
def _card(width: int | Literal["stretch"] = "stretch") -> Iterator[None]:
    """Draw what stands alone on a page, in the middle of a card."""
    with (
        st.container(horizontal_alignment="center"),
        st.container(border=True, horizontal_alignment="center", gap="medium", width=width),
    ):
        st.space("small")
        yield
        st.space("small")


_SHOWN = 5
_LOOKED_AT = 15
"""Searches for questions about a report stand with that report, not here."""


def show_recent_runs(reader: Ui) -> None:
    """Show the latest runs; nothing if there are none yet."""
    latest = [run for run in engine().store.list(limit=_LOOKED_AT) if not run.searches_for]
    if latest:
        show_nodes(recent(latest[:_SHOWN], reader), key="recent", language=reader.language, on_message=open_run)


def open_run(message: str) -> None:
    """Go to the run that `message` asks for; other messages do nothing."""
    if message.startswith(OPEN_RUN):
        go_to("pages/run.py", query_params={"id": message.removeprefix(OPEN_RUN)})
