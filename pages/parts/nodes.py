"""What the program draws itself: trees of elements that the browser builds from text, never from HTML.

Text that comes from a page, a file or a model is always a leaf of such a tree, so it cannot become markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Element:
    """An element; `key` keeps its identity (and what the reader opened in it) while its siblings change."""

    tag: str
    attributes: Mapping[str, str]
    children: tuple[Element | str, ...]
    key: str = ""

    def to_data(self) -> list[Any]:
        """Return the element as the browser receives it: [tag, attributes, children, key]."""
        children = [child.to_data() if isinstance(child, Element) else child for child in self.children]
        return [self.tag, dict(self.attributes), children, self.key]

    def text(self) -> str:
        """Return all text in the element, in order."""
        return "".join(child.text() if isinstance(child, Element) else child for child in self.children)

    def find(self, kind: str) -> list[Element]:
        """Return the elements under this one whose class list holds `kind`, in order."""
        inner = [child for child in self.children if isinstance(child, Element)]
        return [match for child in inner for match in child._matches(kind)]

    def _matches(self, kind: str) -> list[Element]:
        own = [self] if kind in self.attributes.get("class", "").split() else []
        return own + self.find(kind)


def el(tag: str, kind: str = "", *children: Element | str | None, key: str = "", **attributes: str | None) -> Element:
    """Make an element of class `kind`; what is None or empty is left out.

    `for_` stands for `for`; other underscores stand for hyphens (`aria_label`).
    """
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items() if value is not None}
    if kind:
        named["class"] = kind
    return Element(tag, named, tuple(child for child in children if child not in (None, "")), key)


def group(
    tag: str, kind: str, children: Iterable[Element | str | None], *, key: str = "", **more: str | None
) -> Element:
    """Make an element from a sequence of children."""
    return el(tag, kind, *children, key=key, **more)


def icon(name: str, kind: str = "") -> Element:
    """Make a Material symbol; it says nothing to a screen reader, so the words must stand beside it."""
    return el("span", f"icon {kind}".strip(), name, aria_hidden="true", translate="no")


def link(url: str, label: str, kind: str = "") -> Element:
    """Make a link that opens in a new tab, or plain text if the address is not one of the web."""
    if urlsplit(url).scheme not in ("http", "https"):
        return el("span", kind, label)
    return el("a", kind, label, href=url, target="_blank", rel="noopener noreferrer")


def sender(
    message: str, kind: str, *children: Element | str | None, key: str = "", **attributes: str | None
) -> Element:
    """Make a button that sends `message` to the page."""
    return el("button", kind, *children, key=key, type="button", data_send=message, **attributes)
