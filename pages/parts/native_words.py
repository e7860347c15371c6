"""The few words that Streamlit's own widgets say, in the language of the reader.

Streamlit speaks English alone, and lets no program change what stands in its fields, menus and labels for screen
readers. So they are put right where they appear: only texts that match one of its own whole, and only in place.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from pages.parts.ui import Ui

_SCRIPT = Path(__file__).parent / "assets" / "native_words.js"

_mount = st.components.v2.component(
    "workbench_native_words",
    html="""
<span hidden></span>
""",
    js=_SCRIPT.read_text(encoding="utf-8"),
)


def show(reader: Ui) -> None:
    """Have Streamlit's own words shown in the language of `reader`."""
    _mount(key="native_words", data=dict(words(reader)), height=1)


def words(reader: Ui) -> Mapping[str, str]:
    """Return what stands for each of Streamlit's own texts.

    `#` is a number, and one that ends in a space is a beginning; one after `@` is only a label for screen readers, as a
    field may hold the same word.
    """
    return {
        "Press Enter to apply": reader._("Press Enter to apply"),
        "Press Ctrl+Enter to apply": reader._("Press Ctrl+Enter to apply"),
        "Press ⌘+Enter to apply": reader._("Press ⌘+Enter to apply"),
        "Press Enter to submit form": reader._("Press Enter to submit form"),
        "Press Ctrl+Enter to submit form": reader._("Press Ctrl+Enter to submit form"),
        "Press ⌘+Enter to submit form": reader._("Press ⌘+Enter to submit form"),
        "Choose an option": reader._("Choose an option"),
        "Choose options": reader._("Choose options"),
        "No results": reader._("No results"),
        "Add: ": reader._("Add: "),
        "Select all": reader._("Select all"),
        "Clear value": reader._("Clear value"),
        "Clear all": reader._("Clear all"),
        "# option available.": reader._("# option available."),
        "# options available.": reader._("# options available."),
        "@Open": reader._("Open list"),
        "Dismiss": reader._("Close list"),
        "Close": reader._("Close"),
        "Upload": reader._("Choose files"),
        "file upload": reader._("Choose files"),
        "Drag and drop files here": reader._("Drag and drop files here"),
        "#MB per file": reader._("#MB per file"),
        "File must be #MB or smaller.": reader._("File must be #MB or smaller."),
        "Show password": reader._("Show what was typed"),
        "Hide password": reader._("Hide what was typed"),
        "Show password text": reader._("Show what was typed"),
        "Hide password text": reader._("Hide what was typed"),
        "Increment": reader._("More by a step"),
        "Decrement": reader._("Less by a step"),
        "Send message": reader._("Send message"),
        "Skip to main content": reader._("Skip to main content"),
        "Sidebar": reader._("Sidebar"),
        "Collapse sidebar": reader._("Collapse sidebar"),
        "Expand sidebar": reader._("Expand sidebar"),
        "App pages": reader._("Pages"),
        "Navigate to home page": reader._("To the first page"),
        "Main menu": reader._("Main menu"),
        "Theme": reader._("Light or dark"),
        "System": reader._("As the system"),
        "Light": reader._("Light"),
        "Dark": reader._("Dark"),
        "About": reader._("About"),
        "Print": reader._("Print"),
        "Copy version to clipboard": reader._("Copy version to clipboard"),
        "Copy to clipboard": reader._("Copy to clipboard"),
        "Running...": reader._("Running…"),
        "Fullscreen": reader._("Fullscreen"),
        "Close fullscreen": reader._("Close fullscreen"),
        "Search": reader._("Search"),
        "Connecting": reader._("Connecting"),
        "Help for ": reader._("Help for "),
    }
