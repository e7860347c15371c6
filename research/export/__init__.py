"""A finished run as files: every format in which a report leaves the workbench, its name, and how it is made.

What makes a file is loaded when one is first made, as some formats need large libraries.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from research.core import Offer, Registry, ResearchError, UsageError, checked_name
from research.language import Bilingual, Phrase

if TYPE_CHECKING:
    from research.export.document import Paper
    from research.results import Report

_LONGEST_TITLE = 60
_NAMED_BYTES = 120
"""Of a title in a file's name: file systems take 255 bytes for all of it."""
_RESERVED = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\s.,;、。，．・…“”‘’「」『』（）()\[\]{}#%&\'`~!！？]+')


@dataclass(frozen=True, kw_only=True)
class Format(Offer):
    """A format of export; other packages offer one by an entry point of the group `research.exports`."""

    hint: Bilingual
    """What it is good for, in a few words."""
    suffix: str
    mime: str
    maker: str | Callable[[Report], bytes]
    """What makes the file of a report; of ours, module and function in this room, as `module.function`."""
    has_pages: bool = False
    """Whether the size of the paper matters."""
    has_text: bool = False
    """Whether it holds the report's text, and not its data alone."""

    is_document: bool = False
    """Whether it is made of the report as a document, whose appendix can be left out."""

    def make(self, report: Report, paper: Paper, *, with_trail: bool = True) -> bytes:
        """Return the file, of a document perhaps without how it was researched; what it needs is loaded for the first.

        Raises:
            UsageError: what it needs is not installed, or what another package offers failed.
        """
        if not isinstance(self.maker, str):
            return self._made_elsewhere(self.maker, report)
        module, _, function = self.maker.rpartition(".")
        maker: Callable[..., bytes] = getattr(import_module(f"research.export.{module}"), function)
        if not self.is_document:
            return maker(report)
        from research.export.composing import document_of

        document = document_of(report, with_trail=with_trail)
        return maker(document, paper=paper) if self.has_pages else maker(document)

    def _made_elsewhere(self, maker: Callable[[Report], bytes], report: Report) -> bytes:
        """Return the file that a function of another package makes, which may fail in any way."""
        try:
            made = maker(report)
            if not isinstance(made, bytes):
                raise TypeError(f"bytes ≠ {type(made).__name__}")  # noqa: TRY301
        except ResearchError:
            raise
        except Exception as error:
            language, said = report.record.brief.language, f"{type(error).__name__}: {error}"[:200]
            raise UsageError(_NOT_MADE.in_(language).format(label=self.label.in_(language), reason=said)) from error
        return made


_NOT_MADE = Phrase("The file ({label}) could not be made: {reason}")
_NO_FORMAT = Phrase("There is no such format or paper; there are: {known}.")


def made(report: Report, format_name: str, paper: str, with_trail: bool) -> bytes:
    """Return a report as a file in a format and on a paper that are named; see `Report.export`."""
    from research.export.document import Paper

    if format_name not in FORMATS or paper not in tuple(Paper):
        known = ", ".join([*FORMATS, *Paper])
        raise UsageError(_NO_FORMAT.in_(report.record.brief.language).format(known=known))
    return FORMATS[format_name].make(report, Paper(paper), with_trail=with_trail)


def file_name(run: str, title: str, format_name: str) -> str:
    """Return a name for a file of a run: its id and title, without anything that a file system could take amiss."""
    words = _RESERVED.sub("-", title[:_LONGEST_TITLE]).strip("-")
    short = words.encode("utf-8", "ignore")[:_NAMED_BYTES].decode("utf-8", "ignore").strip("-")
    stem = "-".join(part for part in (_RESERVED.sub("-", run), short) if part)
    return f"{stem}.{FORMATS[format_name].suffix}"


def _same(name: str) -> Bilingual:
    """Return a name that is the same in both languages."""
    return Bilingual(name, name)


_OFFICE = "application/vnd.openxmlformats-officedocument"
_WORDML, _SPREADSHEETML = f"{_OFFICE}.wordprocessingml.document", f"{_OFFICE}.spreadsheetml.sheet"
_PRESENTATIONML = f"{_OFFICE}.presentationml.presentation"
_HTML = Phrase("one file, with the quotes behind the citations")
_XLSX = Phrase("figures, sources, sentences with verdicts")
_RIS = Phrase("the cited sources, for reference managers")
_SET: Any = {"has_pages": True, "has_text": True, "is_document": True}
FORMATS = Registry("research.exports", "research.export", Format, checked_name)
"""Formats by the name that the command line takes, in the order in which they are offered; ours first."""
FORMATS.register(
    Format(
        name="pdf", label=_same("PDF"), hint=Phrase("to read, print and hand on"), suffix="pdf", mime="application/pdf",
        maker="pdf.to_pdf", **_SET,
    ),
    Format(
        name="docx", label=_same("Word"), hint=Phrase("to edit"), suffix="docx", mime=_WORDML,
        maker="office.docx.to_docx", **_SET,
    ),
    Format(
        name="pptx", label=_same("PowerPoint"), hint=Phrase("to present"), suffix="pptx", mime=_PRESENTATIONML,
        maker="office.pptx.to_pptx", has_text=True, is_document=True,
    ),
    Format(
        name="html", label=_same("HTML"), hint=_HTML, suffix="html", mime="text/html", maker="html.to_html", **_SET
    ),
    Format(
        name="md", label=_same("Markdown"), hint=Phrase("for wikis, with front matter"), suffix="md",
        mime="text/markdown", maker="composing.wiki_markdown", has_text=True,
    ),
    Format(
        name="xlsx", label=_same("Excel"), hint=_XLSX, suffix="xlsx", mime=_SPREADSHEETML, maker="tables.report_xlsx"
    ),
    Format(
        name="csv", label=Phrase("CSV: figures"), hint=Phrase("every figure in the quotes"), suffix="csv",
        mime="text/csv", maker="tables.report_figures_csv",
    ),
    Format(
        name="sources-csv", label=Phrase("CSV: sources"), hint=Phrase("every page that was read"),
        suffix="sources.csv", mime="text/csv", maker="tables.sources_csv",
    ),
    Format(
        name="bib", label=_same("BibTeX"), hint=Phrase("the cited sources"), suffix="bib", mime="application/x-bibtex",
        maker="tables.to_bibtex",
    ),
    Format(
        name="ris", label=_same("RIS"), hint=_RIS, suffix="ris", mime="application/x-research-info-systems",
        maker="tables.to_ris",
    ),
)  # fmt: skip
