"""The user's documents as a list, each with what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

from pages.parts.documents import Document
from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.ui import Ui
from research.problems import explain

REMOVE = "remove:"
"""Message that asks to remove a document; its name follows."""
_SHOWN = 50


def documents(held: Sequence[Document], ui: Ui) -> list[Element]:
    """Return the documents, those with a problem first, so that they are seen."""
    ordered = sorted(held, key=lambda document: (not document.problem, document.name))
    parts = [group("ul", "documents", [_row(document, ui) for document in ordered[:_SHOWN]])]
    if len(ordered) > _SHOWN:
        more = len(ordered) - _SHOWN
        parts.append(el("p", "faint", ui.n_("{count} more document", "{count} more documents", more)))
    return parts


def _row(document: Document, ui: Ui) -> Element:
    label = ui._("Remove {name}").format(name=document.name)
    return el(
        "li", "broken" if document.problem else "",
        icon("warning" if document.problem else "description"),
        el(
            "div", "",
            el("span", "", document.name),
            el("span", "faint", ui.size(document.size)),
            el("p", "reason", explain(document.problem, ui.language)) if document.problem else None,
        ),
        sender(REMOVE + document.name, "quiet", icon("close"), aria_label=label),
        key=document.name,
    )  # fmt: skip
