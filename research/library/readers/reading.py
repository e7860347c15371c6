"""Read a file of any supported kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from research.library.readers.document import Document, UnreadableFile, display_name
from research.library.readers.pdf import read_pdf
from research.library.readers.plain import read_markdown, read_text
from research.library.readers.table import read_table
from research.library.readers.webpage import read_webpage
from research.library.readers.word import read_word

MAX_BYTES = 20 * 1024 * 1024
"""Larger files are skipped without being opened."""
MAX_CHARACTERS = 30_000_000
"""Files that unpack to more text are skipped."""

READERS: dict[str, Callable[[bytes, str], Document]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_text,
    ".text": read_text,
    ".html": read_webpage,
    ".htm": read_webpage,
    ".xhtml": read_webpage,
    ".pdf": read_pdf,
    ".docx": read_word,
    ".csv": read_table,
    ".tsv": read_table,
}


def load(path: Path, size: int) -> bytes:
    """Return the bytes of a regular file of a supported kind, whose size is said to be `size`.

    Raises:
        UnreadableFile: with the code that says why there are none.
    """
    if path.suffix.lower() not in READERS:
        raise UnreadableFile("file_binary", "not a supported kind of file")
    if size > MAX_BYTES:
        raise UnreadableFile("file_too_large")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableFile("file_unreadable", str(error)) from error
    if len(data) > MAX_BYTES:
        raise UnreadableFile("file_too_large")
    return data


def read(path: Path, data: bytes) -> Document:
    """Return the text of the file at `path`, whose bytes are `data`.

    Raises:
        UnreadableFile: with the code that says why there is none.
    """
    if not data.strip():
        raise UnreadableFile("file_empty")
    try:
        document = READERS[path.suffix.lower()](data, display_name(Path(path.stem)))
    except UnreadableFile:
        raise
    except Exception as error:  # parsers of foreign files fail in any way; one bad file must not end the indexing
        raise UnreadableFile("file_broken", f"{type(error).__name__}: {error}") from error
    if not document.text.strip("\ufeff \t\n\f"):
        raise UnreadableFile("file_empty")
    if len(document.text) > MAX_CHARACTERS:
        raise UnreadableFile("file_too_large")
    title = " ".join(document.title.split())[:300]
    return replace(document, title=_encodable(title), text=_encodable(document.text))


def _encodable(text: str) -> str:
    """Return `text` with half surrogate pairs, which some PDFs hold, replaced; its length stays."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
