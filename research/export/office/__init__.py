"""Reports as Word and PowerPoint files, each filled from one designed template.

The templates are made by `python -m bench.office_templates`.
"""

from __future__ import annotations

from research.core import UsageError
from research.export.document import Paper, ReportDocument
from research.export.office.common import missing
from research.language import Phrase

__all__ = ["to_docx", "to_pptx"]


def to_docx(document: ReportDocument, *, paper: Paper = Paper.A4) -> bytes:
    """Return the report as a `.docx` file: real styles, footnotes and charts that a colleague can go on editing.

    Raises:
        UsageError: there are charts, and the extra `documents` is not installed.
    """
    from research.export.office.docx import word_file

    return word_file(document, paper)


def to_pptx(document: ReportDocument) -> bytes:
    """Return the report as a `.pptx` file: one message a slide, with the full text in the speaker's notes.

    Raises:
        UsageError: the extra `documents` is not installed.
    """
    try:
        from research.export.office.pptx import deck_file
    except ImportError as error:
        raise UsageError(missing(Phrase("A PowerPoint file"), document.language)) from error
    return deck_file(document)
