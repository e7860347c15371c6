"""How long a document will be, before it is set."""

from __future__ import annotations

from research.export.document import Block, Chart, Code, Document, Items, Quotation, Rule, Table, plain
from research.export.pdf.words import width

_PAGE = 3400
"""Letters on a full page of text."""
_CHART = 1100
_PARAGRAPH = 60
"""What a chart, or the space around a paragraph, takes from a page, in letters."""
_LONG = 5
"""Pages."""


def is_long(document: Document) -> bool:
    """Whether the document has about five pages or more, so that it gets a title page and a table of contents."""
    text = sum(_size(block) for part in document.parts for block in part.blocks)
    quotes = sum(width(quote.text) for source in document.sources for quote in source.quotes)
    return text + 0.7 * (quotes + 200 * len(document.sources)) >= _LONG * _PAGE


def _size(block: Block) -> int:
    match block:
        case Items():
            return sum(_size(inner) for item in block.items for inner in item)
        case Quotation():
            return sum(_size(inner) for inner in block.blocks)
        case Table():
            return sum(width(plain(cell)) + _PARAGRAPH // 2 for row in (block.head, *block.rows) for cell in row)
        case Chart():
            return _CHART
        case Code():
            return width(block.text) + _PARAGRAPH
        case _:
            return _PARAGRAPH + (0 if isinstance(block, Rule) else width(plain(block.line)))
