"""Own documents: dropped, refused with a reason, listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from pages.parts.engine import OwnDocument, documents_folder, engine, own_documents, remove_document, take_in_documents
from pages.parts.nodes import Element, el, group, icon, lang_of, sender, show_nodes
from pages.parts.ui import Ui, verbatim
from research.core import StoreError, explain
from research.language import SPACE
from research.library import MAX_BYTES
from research.store import Action

DISMISS = "dismiss"
"""Message that asks to show no more which files were refused."""
REMOVE = "remove:"
"""Message that asks to remove a document; its name follows."""
_SHOWN = 50
_SHEETS, _TEXTS, _SLIDES = (".xlsx", ".xls", ".ods"), (".doc", ".rtf", ".odt", ".pages"), (".pptx", ".ppt", ".key")


def documents(held: Sequence[OwnDocument], ui: Ui) -> list[Element]:
    """Return the documents, those with a problem first, so that they are seen."""
    ordered = sorted(held, key=lambda document: (not document.problem, document.name))
    parts = [group("ul", "documents", [_row(document, ui) for document in ordered[:_SHOWN]])]
    if len(ordered) > _SHOWN:
        more = len(ordered) - _SHOWN
        parts.append(el("p", "faint", ui.n_("{count} more document", "{count} more documents", more)))
    return parts


def refused(files: Sequence[OwnDocument], ui: Ui) -> list[Element]:
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


def _row(document: OwnDocument, ui: Ui) -> Element:
    label = ui._("Remove {name}").format(name=document.name)
    return el(
        "li", "broken" if document.problem else "",
        icon("warning" if document.problem else "description"),
        group("div", "", _about(document, ui)),
        sender(REMOVE + document.name, "quiet", icon("close"), aria_label=label),
        key=document.name,
    )  # fmt: skip


def _about(document: OwnDocument, ui: Ui) -> list[Element]:
    parts = [el("span", "", document.name, lang=lang_of(document.name)), el("span", "faint", ui.size(document.size))]
    if document.problem:
        told = [explain(document.problem, ui.language), _remedy(document, ui)]
        parts.append(el("p", "reason", SPACE.in_(ui.language).join(filter(None, told))))
    return parts


def _remedy(document: OwnDocument, ui: Ui) -> str:
    """Return what to do about a file that cannot be read; an empty string if nobody knows."""
    remedies = {
        "file_too_large": ui._("Split it, or add only the part that matters."),
        "file_encrypted": ui._("Save it without its password."),
        "file_broken": ui._("Open it in its own program and save it anew."),
        **{f"file_binary{ending}": ui._("Save its sheets as CSV.") for ending in _SHEETS},
        **{f"file_binary{ending}": ui._("Save it as Word (.docx) or PDF.") for ending in _TEXTS},
        **{f"file_binary{ending}": ui._("Save it as PDF.") for ending in _SLIDES},
    }
    of_its_kind = remedies.get(document.problem + Path(document.name).suffix.lower(), "")
    return remedies.get(document.problem, of_its_kind)


_SCRIPT = Path(__file__).parents[1] / "assets" / "oversized_files.js"
_KEY, _MISSED = "oversized_files", "oversized_missed"
_PROBLEM = "file_too_large"

_mount = st.components.v2.component(
    "workbench_oversized_files",
    html="""
<span hidden></span>
""",
    js=_SCRIPT.read_text(encoding="utf-8"),
)


class _Told(NamedTuple):
    """What the browser tells: the field, whether nothing else was dropped on it, and names with sizes."""

    field: str
    alone: bool
    files: list[tuple[str, int]]


_TOLD = TypeAdapter(_Told)


def watch_oversized(field: str, largest: int, *, begin_anew: Callable[[], None]) -> None:
    """Have files of more than `largest` bytes named that are dropped on `field`.

    The field is to begin anew if nothing else was dropped; otherwise it does so when the rest has arrived.
    """

    def heard() -> None:
        try:
            told = _TOLD.validate_python(st.session_state[_KEY].get("told"))
        except ValidationError:
            return  # a browser sent what this script does not
        files = [OwnDocument(name, size, _PROBLEM) for name, size in told.files]
        st.session_state[_MISSED] = told.field, files
        if told.alone and told.field == field:
            begin_anew()

    _mount(key=_KEY, data={"field": field, "largest": largest}, on_told_change=heard, height=1)


def missed_files(field: str) -> list[OwnDocument]:
    """Return the files that were too large for `field` when something was last dropped on it."""
    known, files = st.session_state.get(_MISSED, ("", []))
    return list(files) if known == field else []


def forget_oversized() -> None:
    """Name them no more."""
    st.session_state.pop(_MISSED, None)


_LARGEST_MB = MAX_BYTES // 2**20
_LONG = 1_000_000
"""Bytes that take a while to read."""
TOOK_OVER = "documents_took_over"
"""Whether the first document came in this session: what is searched by default is another from then on."""
_REFUSED = "uploads_refused"
"""Those of the files dropped last that were not added."""
_FIELD = "uploads"
"""How often the field was begun anew."""


def show_library(reader: Ui) -> None:
    """Show the field that takes documents, what it refused, and the documents that are there."""
    field = _field()
    st.file_uploader(
        reader._("Add documents"),
        accept_multiple_files=True,
        key=field,
        on_change=_keep,
        args=(reader,),
        max_upload_size=_LARGEST_MB,
        help=verbatim(
            reader._("They stay on this computer, in {folder}.").format(folder=documents_folder(engine().settings))
        ),
    )
    st.caption(
        reader._(
            "These can be read: PDF, Word, Excel and PowerPoint (.docx, .xlsx, .pptx), web pages (.html), Markdown, "
            "text, CSV and TSV, JSON, mail (.eml), transcripts (.vtt, .srt), filings from EDINET as CSV (.zip), "
            "pictures of pages (where Tesseract is installed)."
        )
    )
    if missed := [*st.session_state.get(_REFUSED, ()), *missed_files(_field(-1))]:
        show_nodes(refused(missed, reader), key="refused", language=reader.language, on_message=_heard)
    with st.spinner(reader._("Reading documents")):
        held = own_documents()
    if held:
        show_nodes(documents(held, reader), key="documents", language=reader.language, on_message=_heard)
    watch_oversized(field, MAX_BYTES, begin_anew=_begin_anew)  # Last, as it takes a line.


def _field(later: int = 0) -> str:
    """Return the name of the field, or of the one that it has been or will be."""
    return f"uploads_{st.session_state.setdefault(_FIELD, 0) + later}"


def _begin_anew() -> None:
    """Begin with an empty field, so that it does not list files that are dealt with."""
    st.session_state[_FIELD] += 1
    st.session_state.pop(_REFUSED, None)


def _keep(reader: Ui) -> None:
    """Keep what was dropped and can be read, and say what came of it."""
    dropped = st.session_state.get(_field()) or []
    if not dropped:
        return
    tell = st.toast
    if sum(file.size for file in dropped) > _LONG:
        tell = st.toast(reader._("Reading documents"), icon="spinner", duration="infinite").toast
    files = [(file.name, file.getvalue()) for file in dropped]
    had_none = not any(not document.problem for document in own_documents())
    _begin_anew()
    try:
        added, problems = take_in_documents(engine().settings, files)
    except StoreError as error:
        tell(verbatim(reader.reason(error)), icon=":material/error:")
        return
    st.session_state[_REFUSED] = problems
    if added:
        engine().store.note(Action.DOCUMENTS_ADDED)
        st.session_state[TOOK_OVER] = had_none and not engine().settings.has_web
        tell(reader.n_("{count} document added.", "{count} documents added.", added), icon=":material/check:")
    else:
        tell(verbatim(not_added(len(problems), reader)), icon=":material/warning:")


def _heard(message: str) -> None:
    if message == DISMISS:
        st.session_state.pop(_REFUSED, None)
        forget_oversized()
    elif message.startswith(REMOVE):
        remove_document(documents_folder(engine().settings), message.removeprefix(REMOVE))
        engine().store.note(Action.DOCUMENT_REMOVED)
