"""What a reader returns: the text of a file and what the file says about itself."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Document:
    """The text of one file."""

    text: str
    title: str
    published: str | None = None
    """ISO 8601 date, as precise as known (`2025`, `2025-06`, `2025-06-30`)."""
    rows: bool = False
    """Each line of the text is a record of its own."""


class UnreadableFile(Exception):
    """A file gives no text; `code` is a `file_…` key of `research.problems`."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code


def display_name(path: Path) -> str:
    """Return a file name or path as printable Unicode on one line, whatever bytes it is made of."""
    name = os.fsencode(path).decode("utf-8", "replace")
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in name)
