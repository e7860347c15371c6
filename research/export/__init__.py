"""A finished run as files: Markdown, HTML, PDF, Office, tables, bibliographies.

What a name here needs is loaded when it is first asked for, as some formats need large libraries.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from research.export.charts import axis_ticks, magnitude_of, number_in_words
    from research.export.composing import document_of, title_of
    from research.export.document import Paper, ReportDocument
    from research.export.folder import RUN_FILES, load_folder
    from research.export.formats import FORMATS, Format, file_name
    from research.export.markdown import byline, record_markdown, report_markdown, with_follow_ups
    from research.export.notes import clean_notes, note_numbers, notes_json, notes_markdown
    from research.export.tables import figures_csv, figures_xlsx
    from research.export.words import measure_in_words, period_in_words

_HOMES = {
    "charts": ("axis_ticks", "magnitude_of", "number_in_words"),
    "composing": ("document_of", "title_of"),
    "document": ("ReportDocument", "Paper"),
    "folder": ("RUN_FILES", "load_folder"),
    "formats": ("FORMATS", "Format", "file_name"),
    "markdown": ("byline", "record_markdown", "report_markdown", "with_follow_ups"),
    "notes": ("clean_notes", "note_numbers", "notes_json", "notes_markdown"),
    "tables": ("figures_csv", "figures_xlsx"),
    "words": ("measure_in_words", "period_in_words"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "FORMATS",
    "RUN_FILES",
    "Format",
    "Paper",
    "ReportDocument",
    "axis_ticks",
    "byline",
    "clean_notes",
    "document_of",
    "figures_csv",
    "figures_xlsx",
    "file_name",
    "load_folder",
    "magnitude_of",
    "measure_in_words",
    "note_numbers",
    "notes_json",
    "notes_markdown",
    "number_in_words",
    "period_in_words",
    "record_markdown",
    "report_markdown",
    "title_of",
    "with_follow_ups",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
