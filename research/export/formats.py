"""Every format in which a report leaves the workbench: its name, its file, and how it is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from research.export.document import Paper
from research.language import Bilingual, Phrase
from research.results import Report

_LONGEST_TITLE = 60
_NAMED_BYTES = 120
"""Of a title in a file's name: file systems take 255 bytes for all of it."""
_RESERVED = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\s.,;、。，．・…“”‘’「」『』（）()\[\]{}#%&\'`~!！？]+')


@dataclass(frozen=True)
class Format:
    """A format of export."""

    label: Bilingual
    hint: Bilingual
    """What it is good for, in a few words."""
    suffix: str
    mime: str
    make: Callable[[Report, Paper], bytes]
    """Makes the file. Raises `UsageError` if what it needs is not installed."""
    has_pages: bool = False
    """Whether the size of the paper matters."""
    has_text: bool = False
    """Whether it holds the report's text, and not its data alone."""


def file_name(run: str, title: str, format_name: str) -> str:
    """Return a name for a file of a run: its id and title, without anything that a file system could take amiss."""
    words = _RESERVED.sub("-", title[:_LONGEST_TITLE]).strip("-")
    short = words.encode("utf-8", "ignore")[:_NAMED_BYTES].decode("utf-8", "ignore").strip("-")
    stem = "-".join(part for part in (_RESERVED.sub("-", run), short) if part)
    return f"{stem}.{FORMATS[format_name].suffix}"


def _from_report(module: str, function: str) -> Callable[[Report, Paper], bytes]:
    """Return what makes a file of a report; its module, with the libraries that it needs, is loaded for the first."""

    def make(report: Report, _: Paper) -> bytes:
        made: bytes = getattr(import_module(f"research.export.{module}"), function)(report)
        return made

    return make


def _from_document(name: str, *, has_pages: bool, room: str = "") -> Callable[[Report, Paper], bytes]:
    """Return the same for a format that is made from the document of a report by `to_` and its name, from its room."""

    def make(report: Report, paper: Paper) -> bytes:
        from research.export.composing import document_of

        to_bytes = getattr(import_module(f"research.export.{room or name}"), f"to_{name}")
        made: bytes = to_bytes(document_of(report), **({"paper": paper} if has_pages else {}))
        return made

    return make


_PDF = Phrase("to read, print and hand on")
_HTML = Phrase("one file, with the quotes behind the citations")
_MARKDOWN = Phrase("for wikis, with front matter")
_XLSX = Phrase("figures, sources, sentences with verdicts")
_CITED = Phrase("the cited sources")
_CITED_RIS = Phrase("the cited sources, for reference managers")


def _same(name: str) -> Bilingual:
    """Return a name that is the same in both languages."""
    return Bilingual(name, name)


_WORDML, _PRESENTATIONML, _SPREADSHEETML = (
    f"application/vnd.openxmlformats-officedocument.{kind}"
    for kind in ("wordprocessingml.document", "presentationml.presentation", "spreadsheetml.sheet")
)
_SET = {"has_pages": True, "has_text": True}
FORMATS: Mapping[str, Format] = {
    "pdf": Format(_same("PDF"), _PDF, "pdf", "application/pdf", _from_document("pdf", has_pages=True), **_SET),
    "docx": Format(
        _same("Word"), Phrase("to edit"), "docx", _WORDML, _from_document("docx", has_pages=True, room="office"), **_SET
    ),
    "pptx": Format(
        _same("PowerPoint"),
        Phrase("to present"),
        "pptx",
        _PRESENTATIONML,
        _from_document("pptx", has_pages=False, room="office"),
        has_text=True,
    ),
    "html": Format(_same("HTML"), _HTML, "html", "text/html", _from_document("html", has_pages=True), **_SET),
    "md": Format(
        _same("Markdown"), _MARKDOWN, "md", "text/markdown", _from_report("composing", "wiki_markdown"), has_text=True
    ),
    "xlsx": Format(_same("Excel"), _XLSX, "xlsx", _SPREADSHEETML, _from_report("tables", "report_xlsx")),
    "csv": Format(
        Phrase("CSV: figures"),
        Phrase("every figure in the quotes"),
        "csv",
        "text/csv",
        _from_report("tables", "report_figures_csv"),
    ),
    "sources-csv": Format(
        Phrase("CSV: sources"),
        Phrase("every page that was read"),
        "sources.csv",
        "text/csv",
        _from_report("tables", "sources_csv"),
    ),
    "bib": Format(_same("BibTeX"), _CITED, "bib", "application/x-bibtex", _from_report("bibliography", "to_bibtex")),
    "ris": Format(
        _same("RIS"), _CITED_RIS, "ris", "application/x-research-info-systems", _from_report("bibliography", "to_ris")
    ),
}
"""Formats by the name that the command line takes, in the order in which they are offered."""
