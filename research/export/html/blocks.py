"""From the blocks of a document to HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import htpy as h

from research.export.document import Align, Block, Chart, Code, Heading, Items, Line, Paragraph, Quotation, Rule, Table
from research.export.html.charts import chart_figure
from research.export.html.lines import Setting, line_nodes, words_of
from research.export.html.words import COLUMNS, TABLE
from research.export.printable import printable

_HEADINGS = (h.h2, h.h3, h.h4, h.h5, h.h6)
_WIDE, _WIDEST = 8, 16
"""Columns from which a table is set smaller, and those that one table shows at most: more are several tables."""


def block_nodes(blocks: Iterable[Block], setting: Setting) -> list[h.Node]:
    """Return the elements of blocks, in order."""
    return [_block(block, setting) for block in blocks]


def _block(block: Block, setting: Setting) -> h.Node:
    node: h.Node
    match block:
        case Heading():
            node = _heading(block, setting)
        case Paragraph():
            node = h.p(lang=setting.lang_of(block.line))[line_nodes(block.line, setting)]
        case Items():
            node = _items(block, setting)
        case Table():
            node = _table(block, setting)
        case Code():
            node = h.pre[h.code[printable(block.text)]]
        case Quotation():
            node = h.blockquote[block_nodes(block.blocks, setting)]
        case Rule():
            node = h.hr
        case Chart():
            node = chart_figure(block, setting)
    return node


def _heading(block: Heading, setting: Setting) -> h.Node:
    entry = setting.enter(block.level, words_of(block.line))
    element = _HEADINGS[min(max(block.level, 1), len(_HEADINGS)) - 1]
    return element(id=entry.id, lang=setting.lang_of(block.line))[line_nodes(block.line, setting)]


def _items(block: Items, setting: Setting) -> h.Node:
    items = [h.li(lang=_lang_of(item, setting))[_item(item, setting)] for item in block.items]
    if block.is_ordered:
        return h.ol(start=None if block.start == 1 else str(block.start))[items]
    return h.ul[items]


def _lang_of(item: Sequence[Block], setting: Setting) -> str | None:
    """Return the language of an item that is a single paragraph, whose element it does not keep."""
    return setting.lang_of(item[0].line) if len(item) == 1 and isinstance(item[0], Paragraph) else None


def _item(blocks: Sequence[Block], setting: Setting) -> list[h.Node]:
    """Return an item; a first paragraph stands beside the item's mark without a space below it."""
    if blocks and isinstance(blocks[0], Paragraph):
        first = line_nodes(blocks[0].line, setting)
        return [*first, *block_nodes(blocks[1:], setting)]
    return block_nodes(blocks, setting)


def _table(block: Table, setting: Setting) -> h.Node:
    total = len(block.head)
    if total <= _WIDEST:
        return _columns(block, range(total), None, setting)
    step = _WIDEST - 1  # the first column stands in each
    groups = [range(first, min(first + step, total)) for first in range(1, total, step)]
    return [
        _columns(
            block,
            [0, *group],
            COLUMNS.in_(setting.language).format(first=group[0] + 1, last=group[-1] + 1, total=total),
            setting,
        )
        for group in groups
    ]


def _columns(block: Table, shown: Sequence[int], caption: str | None, setting: Setting) -> h.Node:
    """Return a table of some columns of `block`, in a frame that scrolls where the page is narrower."""

    def cells(row: Sequence[Line], element: h.Element, **more: str) -> list[h.Node]:
        return [
            element(class_=_align(block, column), **more)[line_nodes(row[column], setting)]
            for column in shown
            if column < len(row)
        ]

    size = "table wide" if len(shown) > _WIDE else "table"
    label = caption or TABLE.in_(setting.language)
    return h.div(class_=size, role="region", tabindex="0", aria_label=label)[
        h.table[
            h.caption[caption] if caption else None,
            h.thead[h.tr[cells(block.head, h.th, scope="col")]],
            h.tbody[[h.tr[cells(row, h.td)] for row in block.rows]],
        ]
    ]


def _align(block: Table, column: int) -> str | None:
    align = block.aligned[column] if column < len(block.aligned) else Align.LEFT
    return None if align is Align.LEFT else align.value
