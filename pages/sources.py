"""Sources and cache: every page ever read, what the cache saved, named sets of sites, and collections of documents."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts.frame import enter
from pages.parts.sources.cache import show_cache
from pages.parts.sources.collection import show_documents_of
from pages.parts.sources.library import show_page_drawer, show_sources
from pages.parts.sources.lists import show_site_lists
from pages.parts.ui import Ui, no_traceback, show_notice

_OPEN = "sources_open"
"""The place of the tab that was open last."""


def main() -> None:
    """Show the page."""
    reader = enter()
    st.title(reader._("Sources & cache"), anchor=False)
    show_notice()
    parts: dict[str, Callable[[Ui], None]] = {
        reader._("Pages read"): show_sources,
        reader._("Cache"): show_cache,
        reader._("Site sets"): show_site_lists,
        reader._("Documents"): show_documents_of,
    }
    names = list(parts)
    # Tabs are known by their names, which differ by language; which one is open is kept for when the reader comes back.
    key = f"sources_tabs_{reader.language}"
    st.session_state.setdefault(key, names[st.session_state.get(_OPEN, 0)])
    tabs = st.tabs(names, key=key, on_change="rerun")
    for place, (tab, show) in enumerate(zip(tabs, parts.values(), strict=True)):
        with tab:
            if tab.open:
                st.session_state[_OPEN] = place
                with no_traceback(reader):
                    show(reader)
    show_page_drawer(reader)


main()
