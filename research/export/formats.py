"""Every format in which a report leaves the workbench: its name, its file, and how it is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from research.export.paper import Paper
from research.language import Bilingual
from research.results.report import Report

_OFFICE = "application/vnd.openxmlformats-officedocument"
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


def _pdf(report: Report, paper: Paper) -> bytes:
    from research.export.composing import document_of
    from research.export.pdf.typesetting import to_pdf

    return to_pdf(document_of(report), paper=paper)


def _html(report: Report, paper: Paper) -> bytes:
    from research.export.composing import document_of
    from research.export.html.page import to_html

    return to_html(document_of(report), paper=paper)


def _docx(report: Report, paper: Paper) -> bytes:
    from research.export.composing import document_of
    from research.export.office import to_docx

    return to_docx(document_of(report), paper=paper)


def _pptx(report: Report, paper: Paper) -> bytes:
    from research.export.composing import document_of
    from research.export.office import to_pptx

    return to_pptx(document_of(report))


def _xlsx(report: Report, paper: Paper) -> bytes:
    from research.export.figures_xlsx import report_xlsx

    return report_xlsx(report)


def _figures(report: Report, paper: Paper) -> bytes:
    from research.export.figures_csv import report_figures_csv

    return report_figures_csv(report)


def _sources(report: Report, paper: Paper) -> bytes:
    from research.export.figures_csv import sources_csv

    return sources_csv(report)


def _wiki(report: Report, paper: Paper) -> bytes:
    from research.export.front_matter import wiki_markdown

    return wiki_markdown(report)


def _bibtex(report: Report, paper: Paper) -> bytes:
    from research.export.bibliography import to_bibtex

    return to_bibtex(report)


def _ris(report: Report, paper: Paper) -> bytes:
    from research.export.bibliography import to_ris

    return to_ris(report)


FORMATS: Mapping[str, Format] = {
    "pdf": Format(
        Bilingual("PDF", "PDF"),
        Bilingual("to read, print and hand on", "閲覧・印刷・配布用"),
        "pdf",
        "application/pdf",
        _pdf,
        has_pages=True,
        has_text=True,
    ),
    "docx": Format(
        Bilingual("Word", "Word"),
        Bilingual("to edit", "編集用"),
        "docx",
        f"{_OFFICE}.wordprocessingml.document",
        _docx,
        has_pages=True,
        has_text=True,
    ),
    "pptx": Format(
        Bilingual("PowerPoint", "PowerPoint"),
        Bilingual("to present", "発表用"),
        "pptx",
        f"{_OFFICE}.presentationml.presentation",
        _pptx,
        has_text=True,
    ),
    "html": Format(
        Bilingual("HTML", "HTML"),
        Bilingual("one file, with the quotes behind the citations", "引用も見られる1ファイル"),
        "html",
        "text/html",
        _html,
        has_pages=True,
        has_text=True,
    ),
    "md": Format(
        Bilingual("Markdown", "Markdown"),
        Bilingual("for wikis, with front matter", "Wiki 用（見出し情報つき）"),
        "md",
        "text/markdown",
        _wiki,
        has_text=True,
    ),
    "xlsx": Format(
        Bilingual("Excel", "Excel"),
        Bilingual("figures, sources, sentences with verdicts", "数値・情報源・文の検証"),
        "xlsx",
        f"{_OFFICE}.spreadsheetml.sheet",
        _xlsx,
    ),
    "csv": Format(
        Bilingual("CSV: figures", "CSV（数値）"),
        Bilingual("every figure in the quotes", "引用中のすべての数値"),
        "csv",
        "text/csv",
        _figures,
    ),
    "sources-csv": Format(
        Bilingual("CSV: sources", "CSV（情報源）"),
        Bilingual("every page that was read", "取得したすべてのページ"),
        "sources.csv",
        "text/csv",
        _sources,
    ),
    "bib": Format(
        Bilingual("BibTeX", "BibTeX"),
        Bilingual("the cited sources", "引用した情報源"),
        "bib",
        "application/x-bibtex",
        _bibtex,
    ),
    "ris": Format(
        Bilingual("RIS", "RIS"),
        Bilingual("the cited sources, for reference managers", "引用した情報源（文献管理ソフト用）"),
        "ris",
        "application/x-research-info-systems",
        _ris,
    ),
}
"""Formats by the name that the command line takes, in the order in which they are offered."""
