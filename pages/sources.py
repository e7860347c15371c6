"""Sources and cache: every page ever read, what the cache saved, named sets of sites, and collections of documents."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts.frame import enter
from pages.parts.session import no_traceback
from pages.parts.sources import (
    source_library,
    source_library_cache,
    source_library_documents,
    source_library_drawer,
    source_library_lists,
)
from pages.parts.ui import Ui

_OPEN = "sources_open"
"""The place of the tab that was open last."""


def main() -> None:
    """Show the page."""
    reader = enter()
    st.title(reader._("Sources & cache"), anchor=False)
    parts: dict[str, Callable[[Ui], None]] = {
        reader._("Pages read"): source_library.show,
        reader._("Cache"): source_library_cache.show,
        reader._("Site sets"): source_library_lists.show,
        reader._("Documents"): source_library_documents.show,
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
    source_library_drawer.show(reader)


main()
