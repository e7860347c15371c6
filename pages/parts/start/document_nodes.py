"""The user's documents as a list, and the files that could not join them, each with what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pages.parts.documents import Document
from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.ui import Ui
from research.language import Bilingual
from research.problems import explain

DISMISS = "dismiss"
"""Message that asks to show no more which files were refused."""
REMOVE = "remove:"
"""Message that asks to remove a document; its name follows."""
_SHOWN = 50
_SHEETS, _TEXTS, _SLIDES = (".xlsx", ".xls", ".ods"), (".doc", ".rtf", ".odt", ".pages"), (".pptx", ".ppt", ".key")


def documents(held: Sequence[Document], ui: Ui) -> list[Element]:
    """Return the documents, those with a problem first, so that they are seen."""
    ordered = sorted(held, key=lambda document: (not document.problem, document.name))
    parts = [group("ul", "documents", [_row(document, ui) for document in ordered[:_SHOWN]])]
    if len(ordered) > _SHOWN:
        more = len(ordered) - _SHOWN
        parts.append(el("p", "faint", ui.n_("{count} more document", "{count} more documents", more)))
    return parts


def refused(files: Sequence[Document], ui: Ui) -> list[Element]:
    """Return the files that were dropped and not added, each with the reason and what to do."""
    return [
        el(
            "section", "refused",
            icon("warning"),
            el("strong", "", not_added(len(files), ui)),
            sender(DISMISS, "quiet", icon("close"), el("span", "unseen", ui._("Close"))),
            group("ul", "", [group("li", "", _about(file, ui)) for file in files]),
            role="status",
        )
    ]  # fmt: skip


def not_added(count: int, ui: Ui) -> str:
    """Say how many files were refused."""
    return ui.n_("{count} file was not added", "{count} files were not added", count)


def _row(document: Document, ui: Ui) -> Element:
    label = ui._("Remove {name}").format(name=document.name)
    return el(
        "li", "broken" if document.problem else "",
        icon("warning" if document.problem else "description"),
        group("div", "", _about(document, ui)),
        sender(REMOVE + document.name, "quiet", icon("close"), aria_label=label),
        key=document.name,
    )  # fmt: skip


def _about(document: Document, ui: Ui) -> list[Element]:
    parts = [el("span", "", document.name), el("span", "faint", ui.size(document.size))]
    if document.problem:
        told = [explain(document.problem, ui.language), _remedy(document, ui)]
        parts.append(el("p", "reason", Bilingual(" ", "").in_(ui.language).join(filter(None, told))))
    return parts


def _remedy(document: Document, ui: Ui) -> str:
    """Return what to do about a file that cannot be read; an empty string if nobody knows."""
    remedies = {
        "file_too_large": ui._("Split it, or add only the part that matters."),
        "file_encrypted": ui._("Save it without its password."),
        "file_broken": ui._("Open it in its own program and save it anew."),
        "file_empty.pdf": ui._("If it is a scan, have its text recognised (OCR) first."),
        **{f"file_binary{ending}": ui._("Save its sheets as CSV.") for ending in _SHEETS},
        **{f"file_binary{ending}": ui._("Save it as Word (.docx) or PDF.") for ending in _TEXTS},
        **{f"file_binary{ending}": ui._("Save it as PDF.") for ending in _SLIDES},
    }
    of_its_kind = remedies.get(document.problem + Path(document.name).suffix.lower(), "")
    return remedies.get(document.problem, of_its_kind)
