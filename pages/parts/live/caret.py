"""The sign that a text is still being written, behind its last word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pages.parts.nodes import Element, el

_HOLD_TEXT = {"article", "section", "div", "ul", "ol", "li", "p", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"}


def with_caret(tree: Sequence[Element]) -> list[Element]:
    """Return `tree` with the sign at its end: in the last line of the last text that it holds."""
    if tree and tree[-1].tag in _HOLD_TEXT:
        return [*tree[:-1], _ending(tree[-1])]
    return [*tree, _caret()]


def _ending(element: Element) -> Element:
    inner = [child for child in element.children[-1:] if isinstance(child, Element) and child.tag in _HOLD_TEXT]
    if inner:
        return replace(element, children=(*element.children[:-1], _ending(inner[0])))
    return replace(element, children=(*element.children, _caret()))


def _caret() -> Element:
    return el("span", "writing", aria_hidden="true")
