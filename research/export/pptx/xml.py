"""Elements of DrawingML, written as they nest."""

from __future__ import annotations

from pptx.oxml.ns import qn
from pptx.oxml.xmlchemy import BaseOxmlElement as Element
from pptx.oxml.xmlchemy import OxmlElement

__all__ = ["Element", "a", "r_id"]


def a(tag: str, *children: Element | None, **attributes: str | int | None) -> Element:
    """Return `<a:tag>` with attributes and children; None stands for nothing."""
    element = OxmlElement(f"a:{tag}", nsmap=_NAMES)
    for name, value in attributes.items():
        if value is not None:
            element.set(name, str(value))
    for child in children:
        if child is not None:
            element.append(child)
    return element


def r_id(element: Element, relation: str) -> Element:
    """Return an element that now refers to a relation of its part."""
    element.set(qn("r:id"), relation)
    return element


_NAMES = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
}
