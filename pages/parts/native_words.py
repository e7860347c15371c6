"""Streamlit's own English words in the reader's language."""

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


def show_native_words(reader: Ui) -> None:
    """Have Streamlit's own words shown in the language of `reader`."""
    _mount(key="native_words", data=dict(words(reader)), height=1)


def words(reader: Ui) -> Mapping[str, str]:
    """Return what stands for each of Streamlit's own texts.

    `#` is a number and `*` any text, in the same order on both sides. One after `@` is only a label for screen readers,
    as a field may hold the same word.
    """
    of_tables = {
        "Show/hide columns": reader._("Show or hide columns"),
        "Search": reader._("Search"),
        "Fullscreen": reader._("Fullscreen"),
        "Close fullscreen": reader._("Close fullscreen"),
    }
    complaints = {
        "Number is outside the allowed range. Please enter a value between # and #.": reader._(
            "Please enter a number from # to #."
        ),
        "Number is below the allowed range. Please enter a value greater than or equal to #.": reader._(
            "Please enter # or more."
        ),
        "Number is above the allowed range. Please enter a value less than or equal to #.": reader._(
            "Please enter # or less."
        ),
    }
    silent = reader._("The workbench does not answer. If it was stopped, start it again in the terminal:")
    return {
        "Press Enter to apply": reader._("Press Enter to apply"),
        "Press Ctrl+Enter to apply": reader._("Press Ctrl+Enter to apply"),
        "Press ⌘+Enter to apply": reader._("Press ⌘+Enter to apply"),
        "Press Enter to submit form": reader._("Press Enter to submit form"),
        "Press Ctrl+Enter to submit form": reader._("Press Ctrl+Enter to submit form"),
        "Press ⌘+Enter to submit form": reader._("Press ⌘+Enter to submit form"),
        "Clear entry": reader._("Clear value"),
        "Clear value": reader._("Clear value"),
        "Show password": reader._("Show what was typed"),
        "Hide password": reader._("Hide what was typed"),
        "Show password text": reader._("Show what was typed"),
        "Hide password text": reader._("Hide what was typed"),
        "Send message": reader._("Send message"),
        "Copy to clipboard": reader._("Copy to clipboard"),
        "Copied": reader._("Copied"),
        "Help for *": reader._("Help for *"),
        "Shortcut *": reader._("Shortcut *"),
        "Increment": reader._("More by a step"),
        "Decrement": reader._("Less by a step"),
        "Error": reader._("Error:"),
        **{f"Error: {text}": reader._("Error: *").replace("*", said) for text, said in complaints.items()},
        **{f": {text}": f" {said}" for text, said in complaints.items()},
        "Choose an option": reader._("Choose an option"),
        "Choose options": reader._("Choose options"),
        "No options to select": reader._("Nothing to choose from"),
        "No results": reader._("No results"),
        "Add: *": reader._("Add: *"),
        "Select all": reader._("Select all"),
        "Clear all": reader._("Clear all"),
        "Selected values": reader._("What is chosen"),
        "Remove *": reader._("Remove *"),
        "You can only select up to # option. Remove an option first.": reader._("No more than # can be chosen."),
        "You can only select up to # options. Remove an option first.": reader._("No more than # can be chosen."),
        "# option available.": reader._("# option available."),
        "# options available.": reader._("# options available."),
        "@Open": reader._("Open list"),
        "Dismiss": reader._("Close list"),
        "Pagination": reader._("Pages of the list"),
        "Previous page": reader._("Previous page"),
        "Next page": reader._("Next page"),
        "Page #": reader._("Page #"),
        "Upload": reader._("Choose files"),
        "file upload": reader._("Choose files"),
        "Add files": reader._("Add files"),
        "Drag and drop a file here": reader._("Drag and drop a file here"),
        "Drag and drop files here": reader._("Drag and drop files here"),
        "#MB per file": reader._("#MB per file"),
        "Cancel upload of *": reader._("Cancel upload of *"),
        "Click to retry upload": reader._("Click to try again"),
        "Error:": reader._("Error:"),
        "File must be * or smaller.": reader._("File must be * or smaller."),
        "File size is too small.": reader._("The file is too small."),
        "Only one file is allowed.": reader._("Only one file can be taken."),
        "files are not allowed.": reader._("Files of this kind are not taken here."),
        "* files are not allowed.": reader._("Files of this kind are not taken here."),
        "Upload failed": reader._("The file could not be sent."),
        "Network error": reader._("The file could not be sent."),
        "Unexpected error. Please try again.": reader._("The file could not be sent. Try again."),
        "Connection lost. Please wait for the app to reconnect, then try again.": reader._(
            "The connection was lost. Try again when it is back."
        ),
        "Skip to main content": reader._("Skip to main content"),
        "Sidebar": reader._("Sidebar"),
        "Collapse sidebar": reader._("Collapse sidebar"),
        "Expand sidebar": reader._("Expand sidebar"),
        "App pages": reader._("Pages"),
        "Logo": reader._("Logo"),
        "Navigate to home page": reader._("To the first page"),
        "Link to heading": reader._("Link to this heading"),
        "Scroll tabs left": reader._("Tabs to the left"),
        "Scroll tabs right": reader._("Tabs to the right"),
        "Main menu": reader._("Main menu"),
        "Theme": reader._("Light or dark"),
        "System": reader._("As the system"),
        "Light": reader._("Light"),
        "Dark": reader._("Dark"),
        "About": reader._("About"),
        "Print": reader._("Print"),
        "Made with Streamlit v": reader._("Made with Streamlit v"),
        "Copy version to clipboard": reader._("Copy version to clipboard"),
        "Close": reader._("Close"),
        "view more": reader._("Show everything"),
        "view less": reader._("Show less"),
        "Page not found": reader._("There is no such page"),
        "The page that you have requested does not seem to exist. Running the app's main page.": reader._(
            "The address may be out of date. You are on the first page."
        ),
        "Running...": reader._("Running…"),
        "Stop": reader._("Stop loading"),
        "Stopping...": reader._("Stopping…"),
        "Connecting": reader._("Connecting"),
        "Connection error": reader._("No connection"),
        "Connection timed out.": reader._("The workbench took too long to answer."),
        "Is Streamlit still running? If you accidentally stopped Streamlit, just restart it in your terminal:": silent,
        "streamlit run yourscript.py": "make run",
        "Streamlit server is not responding. Are you connected to the internet?": reader._(
            "The workbench does not answer. Check the network, and whether it is still running."
        ),
        **of_tables,
        **{f"{tool}: *": f"{said} (*)" for tool, said in of_tables.items()},
        "Previous Result": reader._("Previous match"),
        "Next Result": reader._("Next match"),
        "Close Search": reader._("Close the search"),
        "# result": reader._("# match"),
        "# results": reader._("# matches"),
        "# of # results": reader._("# of # matches"),
        "Dataframe column menu": reader._("Menu of the column"),
        "Copy column name": reader._("Copy the column's name"),
        "Sort ascending": reader._("Sort ascending"),
        "Sort descending": reader._("Sort descending"),
        "Statistics": reader._("Statistics"),
        "Format": reader._("Number format"),
        "Autosize": reader._("Fit the width"),
        "Pin column": reader._("Pin to the left"),
        "Unpin column": reader._("Unpin"),
        "Hide column": reader._("Hide the column"),
        "Automatic": reader._("Automatic"),
        "Localized": reader._("As usual here"),
        "Plain": reader._("Plain"),
        "Compact": reader._("Compact"),
        "Dollar": reader._("Dollar"),
        "Euro": reader._("Euro"),
        "Yen": reader._("Yen"),
        "Percent": reader._("Per cent"),
        "Scientific": reader._("Scientific"),
        "Accounting": reader._("Accounting"),
        "Duration": reader._("Duration"),
        "Values": reader._("Values"),
        "Empty": reader._("Empty cells"),
        "Distinct": reader._("Different values"),
        "Minimum": reader._("Smallest"),
        "Maximum": reader._("Largest"),
        "Average": reader._("Average"),
        "25th percentile": reader._("Lower quartile"),
        "Median": reader._("Median"),
        "75th percentile": reader._("Upper quartile"),
        "Standard deviation": reader._("Standard deviation"),
        "Sum": reader._("Sum"),
        "Minimum length": reader._("Shortest text"),
        "Maximum length": reader._("Longest text"),
        "Average length": reader._("Average length"),
    }


def say_anew(key: str, words: str) -> None:
    """Have the browser show the value of the field `key` anew if its words changed; called before the field is drawn.

    The framework's dropdowns keep the words in which they were first given a value.
    """
    held = f"{key}_said"
    if key in st.session_state and st.session_state.get(held, words) != words:
        st.session_state[key] = st.session_state[key]
    st.session_state[held] = words
