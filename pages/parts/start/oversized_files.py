"""Files that are too large to be sent: the field that they were dropped on forgets them, so the browser names them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from pages.parts.documents import Document

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


def watch(field: str, largest: int, *, begin_anew: Callable[[], None]) -> None:
    """Have files of more than `largest` bytes named that are dropped on `field`.

    The field is to begin anew if nothing else was dropped; otherwise it does so when the rest has arrived.
    """

    def heard() -> None:
        try:
            told = _TOLD.validate_python(st.session_state[_KEY].get("told"))
        except ValidationError:
            return  # a browser sent what this script does not
        files = [Document(name, size, _PROBLEM) for name, size in told.files]
        st.session_state[_MISSED] = told.field, files
        if told.alone and told.field == field:
            begin_anew()

    _mount(key=_KEY, data={"field": field, "largest": largest}, on_told_change=heard, height=1)


def missed(field: str) -> list[Document]:
    """Return the files that were too large for `field` when something was last dropped on it."""
    known, files = st.session_state.get(_MISSED, ("", []))
    return list(files) if known == field else []


def forget() -> None:
    """Name them no more."""
    st.session_state.pop(_MISSED, None)
