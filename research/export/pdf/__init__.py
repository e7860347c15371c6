"""A report as a PDF: `to_pdf(document)`."""

from research.export.pdf.typesetting import to_pdf

__all__ = ["to_pdf"]
