"""Which form a document takes: one page, a report with a title above its text, or one with a title page."""

from __future__ import annotations

from enum import StrEnum

from research.core.vocabulary import Length
from research.export.document import Block, Chart, Code, Document, Items, Quotation, Rule, Table, plain
from research.text.words import columns

_PAGE = 3400
"""Letters on a full page of text."""
_CHART = 1100
_PARAGRAPH = 60
"""What a chart, or the space around a paragraph, takes from a page, in letters."""
_LONG = 7
"""Pages."""


class Form(StrEnum):
    """How a document begins, and how close its text is set."""

    PAGE = "page"
    SHORT = "short"
    LONG = "long"


def form_of(document: Document) -> Form:
    """Return the form of a document: that of one page if no more was asked for, otherwise by its size."""
    if document.length is Length.PAGE:
        return Form.PAGE
    text = sum(_size(block) for part in document.parts for block in part.blocks)
    quotes = sum(columns(quote.text) for source in document.sources for quote in source.quotes)
    is_long = text + 0.7 * (quotes + 200 * len(document.sources)) >= _LONG * _PAGE
    return Form.LONG if is_long else Form.SHORT


def _size(block: Block) -> int:
    match block:
        case Items():
            return sum(_size(inner) for item in block.items for inner in item)
        case Quotation():
            return sum(_size(inner) for inner in block.blocks)
        case Table():
            return sum(columns(plain(cell)) + _PARAGRAPH // 2 for row in (block.head, *block.rows) for cell in row)
        case Chart():
            return _CHART
        case Code():
            return columns(block.text) + _PARAGRAPH
        case _:
            return _PARAGRAPH + (0 if isinstance(block, Rule) else columns(plain(block.line)))
