"""Where things are: the index of a folder, and a place within a document as a fragment that viewers understand."""

from __future__ import annotations

import hashlib
from pathlib import Path
from urllib.parse import unquote, urlsplit

from research.library.readers.pdf import PAGE_BREAK


def index_file(folder: Path, index_home: Path) -> Path:
    """Return the file of the index of `folder` (absolute), whether or not it is there."""
    return index_home / index_name(folder) / "index.sqlite"


def index_name(folder: Path) -> str:
    """Return the name under which the index of `folder` (absolute) is kept."""
    return hashlib.sha256(folder.as_uri().encode()).hexdigest()[:24]


def place_url(url: str, text: str, start: int, end: int) -> str:
    """Return the address of `text[start:end]`, where `text` is what the library read from the file at `url`.

    PDF: `#page=3`. Plain text and Markdown: `#char=120,180` (RFC 5147). Tables: `#row=7` (RFC 7111). Whatever else:
    the address as it is.
    """
    address = urlsplit(url)
    if address.scheme != "file":
        return url
    match unquote(address.path).lower().rpartition(".")[2]:
        case "pdf":
            return f"{url}#page={text.count(PAGE_BREAK, 0, start) + 1}"
        case "md" | "markdown" | "txt" | "text":
            return f"{url}#char={start},{end}"
        case "csv" | "tsv":
            return f"{url}#row={_row(text, start)}"
    return url


def _row(text: str, start: int) -> int:
    """Return the number of the row at `start`, counted from 1 and with the header row, which `text` leaves out."""
    return text.count("\n", 0, start) + 2
