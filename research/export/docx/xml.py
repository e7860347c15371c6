"""Elements of WordprocessingML, written as they nest."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from docx.oxml.ns import nsmap, qn
from docx.oxml.parser import OxmlElement
from docx.oxml.xmlchemy import BaseOxmlElement as Element

from research.export.office.cleaning import clean

__all__ = ["Element", "r_id", "styled", "text_nodes", "w"]

_XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_NAMES = {"w": nsmap["w"], "r": nsmap["r"]}
_name = lru_cache(maxsize=None)(qn)


def w(tag: str, *children: Element | None, **attributes: str | int | None) -> Element:
    """Return `<w:tag>` with attributes of its own namespace and its children; None stands for nothing."""
    element = cast(Element, OxmlElement(f"w:{tag}", nsdecls=_NAMES))
    for name, value in attributes.items():
        if value is not None:
            element.set(_name(f"w:{name}"), str(value))
    for child in children:
        if child is not None:
            element.append(child)
    return element


def styled(style: str, *content: Element) -> Element:
    """Return a paragraph in a style."""
    return w("p", w("pPr", w("pStyle", val=style)), *content)


def r_id(element: Element, relation: str) -> Element:
    """Return an element that now refers to a relation of its part."""
    element.set(_name("r:id"), relation)
    return element


def text_nodes(text: str) -> list[Element]:
    """Return text as the nodes of a run: line ends as breaks, tabs as tabs."""
    nodes: list[Element] = []
    for number, line in enumerate(clean(text).split("\n")):
        if number:
            nodes.append(w("br"))
        for place, words in enumerate(line.split("\t")):
            if place:
                nodes.append(w("tab"))
            if words:
                nodes.append(_words(words))
    return nodes


def _words(words: str) -> Element:
    node = w("t")
    node.text = words
    if words != words.strip() or "  " in words:
        node.set(_XML_SPACE, "preserve")
    return node
