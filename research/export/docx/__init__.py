"""Reports as Word files: real styles, footnotes and charts that a colleague can go on editing."""

from research.export.docx.writer import to_docx

__all__ = ["to_docx"]
