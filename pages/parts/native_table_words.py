"""What Streamlit says around its tables: toolbar, search, the menu of a column and what opens from it."""

from __future__ import annotations

from pages.parts.ui import Ui


def of_tables(reader: Ui) -> dict[str, str]:
    """Return what stands for each of the texts; a toolbar's label also holds the name of its table."""
    return _toolbar(reader) | _column(reader) | _formats(reader) | _statistics(reader)


def _toolbar(reader: Ui) -> dict[str, str]:
    tools = {
        "Show/hide columns": reader._("Show or hide columns"),
        "Search": reader._("Search"),
        "Fullscreen": reader._("Fullscreen"),
        "Close fullscreen": reader._("Close fullscreen"),
    }
    return {
        **tools,
        **{f"{tool}: *": f"{said} (*)" for tool, said in tools.items()},
        "Previous Result": reader._("Previous match"),
        "Next Result": reader._("Next match"),
        "Close Search": reader._("Close the search"),
        "# result": reader._("# match"),
        "# results": reader._("# matches"),
        "# of # results": reader._("# of # matches"),
    }


def _column(reader: Ui) -> dict[str, str]:
    return {
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
    }


def _formats(reader: Ui) -> dict[str, str]:
    return {
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
    }


def _statistics(reader: Ui) -> dict[str, str]:
    return {
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
