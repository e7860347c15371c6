"""A report's Markdown as elements. Raw HTML stays text, images are named instead of fetched, links open apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from pages.parts.nodes import Element, el, group, link
from research.citations import render_marks
from research.language import Language

_parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])

_OPEN, _CLOSE = "\ue000", "\ue001"
_MARK = re.compile(f"{_OPEN}([^{_CLOSE}]*){_CLOSE}")
_PRIVATE = str.maketrans("", "", _OPEN + _CLOSE)

_LAST_WORD = re.compile(r"[!-~À-ɏ–—’”]{1,24}$|.$")
_CLOSING = re.compile(r"^[.,;:!?)\]”’。、，；：！？」』）]+")

_SAME_TAG = {
    "paragraph": "p",
    "strong": "strong",
    "em": "em",
    "s": "s",
    "bullet_list": "ul",
    "list_item": "li",
    "blockquote": "blockquote",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "th": "th",
    "td": "td",
    "hr": "hr",
}

Cite = Callable[[list[str]], Element | None]
"""Makes the mark of a citation from the evidence ids it stands for."""


def report_body(draft: str, cite: Cite, language: Language) -> list[Element]:
    """Return a cleaned draft (see `research.citations`) as elements, each `[E1, E2]` as `cite` draws it.

    Headings are one level lower than written, because the page has its own title.
    """
    marked = render_marks(draft.translate(_PRIVATE), lambda ids: f"{_OPEN}{','.join(ids)}{_CLOSE}")
    tree = SyntaxTreeNode(_parser.parse(marked))
    painter = _Painter(cite, "" if language is Language.JA else " ")
    return [node for node in painter.all(tree) if isinstance(node, Element)]


class _Painter:
    def __init__(self, cite: Cite, line_break: str) -> None:
        self._cite = cite
        self._line_break = line_break

    def all(self, parent: SyntaxTreeNode) -> Iterator[Element | str]:
        for child in parent.children:
            yield from self._one(child)

    def _one(self, node: SyntaxTreeNode) -> Iterator[Element | str]:
        inner = self.all
        match node.type:
            case "text":
                yield from self._text(node.content)
            case "softbreak":
                yield self._line_break
            case "hardbreak":
                yield el("br")
            case "inline":
                yield from inner(node)
            case "paragraph" if node.hidden:
                yield from inner(node)
            case "heading":
                yield group("h" + str(min(6, int(node.tag[1:]) + 1)), "", inner(node))
            case "ordered_list":
                yield group("ol", "", inner(node), start=_attribute(node, "start"))
            case kind if kind in _SAME_TAG:
                yield group(_SAME_TAG[kind], "", inner(node))
            case _:
                yield self._special(node)

    def _special(self, node: SyntaxTreeNode) -> Element | str:
        match node.type:
            case "table":
                return el("div", "scroll", group("table", "", self.all(node)), tabindex="0")
            case "code_inline":
                return el("code", "", *self._text(node.content))
            case "code_block" | "fence":
                return el("pre", "", el("code", "", *self._text(node.content)))
            case "link":
                return link(_attribute(node, "href") or "", "".join(self._plain(node)))
            case _:
                return node.content

    def _text(self, text: str) -> Iterator[Element | str]:
        """Yield text and citations; a citation stays on the line of the word before it and of the stop behind it."""
        parts = _MARK.split(text)
        for place in range(1, len(parts), 2):
            mark = self._cite(parts[place].split(","))
            before = parts[place - 1].rstrip(" ")
            if mark is None:
                yield before
                continue
            word, stop = _LAST_WORD.search(before), _CLOSING.match(parts[place + 1])
            tail, closing = word[0] if word else "", stop[0] if stop else ""
            parts[place + 1] = parts[place + 1].removeprefix(closing)
            yield before.removesuffix(tail)
            yield el("span", "nobr", tail, mark, closing)
        yield parts[-1]

    def _plain(self, node: SyntaxTreeNode) -> Iterator[str]:
        for part in self.all(node):
            yield part.text() if isinstance(part, Element) else part


def _attribute(node: SyntaxTreeNode, name: str) -> str | None:
    value = node.attrs.get(name)
    return None if value is None else str(value)
