"""A finished run as files: Markdown, HTML, PDF, Office, tables, bibliographies.

What a name here needs is loaded when it is first asked for, as some formats need large libraries.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from research.export.charts import axis_ticks as axis_ticks, short_number as short_number
    from research.export.composing import document_of as document_of, title_of as title_of
    from research.export.document import Paper as Paper, ReportDocument as ReportDocument
    from research.export.folder import RUN_FILES as RUN_FILES, load_folder as load_folder
    from research.export.formats import FORMATS as FORMATS, Format as Format, file_name as file_name
    from research.export.markdown import (
        byline as byline,
        clean_notes as clean_notes,
        note_numbers as note_numbers,
        notes_json as notes_json,
        notes_markdown as notes_markdown,
        record_markdown as record_markdown,
        report_markdown as report_markdown,
        with_follow_ups as with_follow_ups,
    )
    from research.export.tables import figures_csv as figures_csv, figures_xlsx as figures_xlsx
    from research.export.words import measure_in_words as measure_in_words, period_in_words as period_in_words

_HOMES = {
    "charts": ("axis_ticks", "short_number"),
    "composing": ("document_of", "title_of"),
    "document": ("Paper", "ReportDocument"),
    "folder": ("RUN_FILES", "load_folder"),
    "formats": ("FORMATS", "Format", "file_name"),
    "markdown": (
        "byline",
        "clean_notes",
        "note_numbers",
        "notes_json",
        "notes_markdown",
        "record_markdown",
        "report_markdown",
        "with_follow_ups",
    ),
    "tables": ("figures_csv", "figures_xlsx"),
    "words": ("measure_in_words", "period_in_words"),
}


def __getattr__(name: str) -> object:
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
