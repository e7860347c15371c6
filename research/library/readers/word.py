"""Word documents: headings as Markdown headings, tables as lines that explain themselves."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, datetime

from research.library.readers.document import Document, UnreadableFile
from research.library.readers.table import row_line

_OLE = b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_UNPACKED_LIMIT = 200_000_000
"""Bytes that the parts of a document may unpack to."""
_TEMPLATE_DATE = datetime(2013, 12, 23, 23, 15, tzinfo=UTC)
"""What documents made with python-docx carry unless a date was set: it says nothing."""


def read_word(data: bytes, stem: str) -> Document:
    """Return the text of a .docx file.

    Raises:
        UnreadableFile: `file_encrypted`, `file_binary` (the old .doc format) or `file_too_large`.
        Exception: whatever the parsers raise for a damaged file.
    """
    import docx

    if data.startswith(_OLE):
        raise UnreadableFile("file_encrypted" if _ENCRYPTED in data else "file_binary", "not an open Word document")
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        if sum(part.file_size for part in parts.infolist()) > _UNPACKED_LIMIT:
            raise UnreadableFile("file_too_large", "unpacks to more than the limit")
    document = docx.Document(io.BytesIO(data))
    blocks = [_block(item) for item in document.iter_inner_content()]
    core = document.core_properties
    changed = core.modified or core.created
    if changed is not None and changed.replace(tzinfo=UTC) == _TEMPLATE_DATE:
        changed = None
    text = "\n\n".join(block for block in blocks if block.strip())
    return Document(
        text, core.title.strip() or _first_heading(text) or stem, f"{changed:%Y-%m-%d}" if changed else None
    )


def _block(item: object) -> str:
    from docx.table import Table
    from docx.text.paragraph import Paragraph

    if isinstance(item, Table):
        rows = [[cell.text for cell in row.cells] for row in item.rows]
        header = [" ".join(cell.split()) for cell in rows[0]] if rows else []
        return "\n".join(row_line(header, row) for row in rows[1:]) or "; ".join(header)
    if not isinstance(item, Paragraph):
        return ""
    style = item.style.name if item.style is not None and item.style.name else ""
    if style == "Title":
        return f"# {item.text}"
    level = re.fullmatch(r"Heading ([1-6])", style)
    if level and item.text.strip():
        return f"{'#' * int(level.group(1))} {item.text}"
    return f"- {item.text}" if style.startswith("List") and item.text.strip() else item.text


def _first_heading(text: str) -> str:
    match = re.search(r"^#+ (.+)$", text, re.MULTILINE)
    return match.group(1).strip() if match else ""
