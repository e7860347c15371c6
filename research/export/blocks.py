"""From the program's own Markdown to blocks of a document. Raw HTML stays text; an image becomes its description."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from research.core.citations import RECENT_MARK
from research.export.document import (
    Align,
    Block,
    Citation,
    Code,
    Heading,
    Inline,
    Items,
    Line,
    LineBreak,
    Paragraph,
    Quotation,
    Rule,
    Table,
    Text,
)


class _Parser(MarkdownIt):
    """Reads every link as one, so that no address is left standing as markup; which may lead anywhere is said below."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's own name
        return True


_parser = _Parser("commonmark", {"html": False}).enable(["table", "strikethrough"])
_SCHEMES = ("http", "https", "mailto")
_MARK = re.compile(rf"\[(\d{{1,4}})\]({RECENT_MARK}?)")
_ONLY_NUMBER = re.compile(r"\d{1,4}")


def blocks_of(markdown: str, numbers: frozenset[int], *, language_joins_lines: bool = False) -> tuple[Block, ...]:
    """Return the blocks of Markdown in which `[1]` cites one of the sources `numbers`.

    Headings keep their level less one, as a document has its own title; where `language_joins_lines` (Japanese), a line
    end within a paragraph is no blank.
    """
    reader = _Reader(numbers, "" if language_joins_lines else " ")
    return tuple(reader.blocks(SyntaxTreeNode(_parser.parse(markdown))))


@dataclass(frozen=True)
class _Reader:
    numbers: frozenset[int]
    line_end: str

    def blocks(self, parent: SyntaxTreeNode) -> Iterator[Block]:
        for node in parent.children:
            yield from self._block(node)

    def _block(self, node: SyntaxTreeNode) -> Iterator[Block]:
        match node.type:
            case "heading":
                yield Heading(max(1, int(node.tag[1:]) - 1), self._line(node))
            case "paragraph":
                yield Paragraph(self._line(node))
            case "bullet_list":
                yield Items(self._items(node))
            case "ordered_list":
                yield Items(self._items(node), is_ordered=True, start=int(node.attrs.get("start", 1)))
            case "blockquote":
                yield Quotation(tuple(self.blocks(node)))
            case "table":
                yield self._table(node)
            case "fence" | "code_block":
                yield Code(node.content.rstrip("\n"))
            case "hr":
                yield Rule()
            case _:
                yield Paragraph((Text(node.content),))

    def _items(self, node: SyntaxTreeNode) -> tuple[tuple[Block, ...], ...]:
        return tuple(tuple(self.blocks(item)) for item in node.children)

    def _table(self, node: SyntaxTreeNode) -> Table:
        head, *body = (row for part in node.children for row in part.children)
        aligned = tuple(_alignment(cell.attrs) for cell in head.children)
        rows = tuple(tuple(self._line(cell) for cell in row.children) for row in body)
        return Table(tuple(self._line(cell) for cell in head.children), rows, aligned)

    def _line(self, node: SyntaxTreeNode) -> Line:
        return tuple(_joined(self._inlines(node, Text(""))))

    def _inlines(self, node: SyntaxTreeNode, style: Text) -> Iterator[Inline]:
        for child in node.children:
            yield from self._inline(child, style)

    def _inline(self, node: SyntaxTreeNode, style: Text) -> Iterator[Inline]:
        match node.type:
            case "text":
                yield from self._cited(node.content, style)
            case "softbreak":
                yield replace(style, text=self.line_end)
            case "hardbreak":
                yield LineBreak()
            case "code_inline":
                yield replace(style, text=node.content, code=True)
            case "strong":
                yield from self._inlines(node, replace(style, bold=True))
            case "em":
                yield from self._inlines(node, replace(style, italic=True))
            case "s":
                yield from self._inlines(node, replace(style, strike=True))
            case "link":
                yield from self._link(node, style)
            case "image":
                yield replace(style, text=node.content)
            case "inline":
                yield from self._inlines(node, style)
            case _:
                yield replace(style, text=node.content)

    def _link(self, node: SyntaxTreeNode, style: Text) -> Iterator[Inline]:
        words = "".join(child.content for child in node.walk() if child.type == "text")
        if _ONLY_NUMBER.fullmatch(words) and int(words) in self.numbers:
            yield Citation(int(words))
            return
        address = str(node.attrs.get("href", ""))
        allowed = address if urlsplit(address).scheme in _SCHEMES else ""
        yield from self._inlines(node, replace(style, url=allowed))

    def _cited(self, text: str, style: Text) -> Iterator[Inline]:
        at = 0
        for mark in _MARK.finditer(text):
            if int(mark[1]) in self.numbers:
                yield replace(style, text=text[at : mark.start()])
                yield Citation(int(mark[1]), is_recent=bool(mark[2]))
                at = mark.end()
        yield replace(style, text=text[at:])


def _joined(line: Iterator[Inline]) -> Iterator[Inline]:
    """Yield the pieces of a line without empty ones: neighbours of one style as one, a dagger with its citation."""
    held: Inline | None = None
    for piece in line:
        if isinstance(piece, Text) and not piece.text:
            continue
        if isinstance(held, Citation) and isinstance(piece, Text) and piece.text.startswith(RECENT_MARK):
            held = replace(held, is_recent=True)
            piece = replace(piece, text=piece.text.removeprefix(RECENT_MARK))  # noqa: PLW2901 - the rest of the same piece
            if not piece.text:
                continue
        if isinstance(held, Text) and isinstance(piece, Text) and replace(held, text=piece.text) == piece:
            held = replace(held, text=held.text + piece.text)
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held


def _alignment(attributes: Mapping[str, object]) -> Align:
    style = str(attributes.get("style", ""))
    return next((align for align in Align if align.value in style), Align.LEFT)
