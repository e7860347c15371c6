"""A report as a PDF: `to_pdf(document, paper=Paper.A4)`."""

from research.export.pdf.paper import Paper
from research.export.pdf.typesetting import to_pdf

__all__ = ["Paper", "to_pdf"]
