"""The frame around the pages: what there is to navigate to, and how a page knows that it stands in the frame."""

from __future__ import annotations

from contextvars import ContextVar

import streamlit as st

from pages.parts.session import ui
from pages.parts.ui import Ui

_framed: ContextVar[bool] = ContextVar("framed", default=False)


def navigation(reader: Ui) -> st.Page:
    """Show the navigation and return the page that the address names."""
    return st.navigation(
        [
            st.Page(
                "pages/new_research.py",
                title=reader._("New research"),
                icon=":material/edit_note:",
                url_path="new",
                default=True,
                help=reader._("Write a question, choose what matters, and start the research."),
            ),
            st.Page(
                "pages/runs.py",
                title=reader._("Runs"),
                icon=":material/history:",
                url_path="runs",
                help=reader._("All research done so far: open a report, or delete it."),
            ),
            st.Page(
                "pages/compare.py",
                title=reader._("Compare"),
                icon=":material/compare_arrows:",
                url_path="compare",
                help=reader._("The same question by several methods or presets, or any runs side by side."),
            ),
            st.Page(
                "pages/sources.py",
                title=reader._("Sources & cache"),
                icon=":material/inventory_2:",
                url_path="sources",
                help=reader._("Every page ever read, what the cache saved, sets of sites, document collections."),
            ),
            st.Page(
                "pages/settings.py",
                title=reader._("Settings"),
                icon=":material/settings:",
                url_path="settings",
                help=reader._("Keys, models, where pages come from."),
            ),
            st.Page("pages/run.py", title=reader._("Run"), url_path="run", visibility="hidden"),
        ]
    )


def run(page: st.Page) -> None:
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
