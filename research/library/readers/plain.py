"""Markdown and plain text: kept as they are, character for character."""

from __future__ import annotations

import re

from research.library.readers.dates import iso_date
from research.library.readers.decoding import decode
from research.library.readers.document import Document

FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(\w+)[ \t]*:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,3}[ \t]+(\S.*?)[ \t]*#*[ \t]*$", re.MULTILINE)


def read_markdown(data: bytes, stem: str) -> Document:
    """Return a Markdown file; the title is that of its front matter, else its first heading, else `stem`."""
    text = decode(data)
    match = FRONT_MATTER.match(text)
    fields = {name.lower(): _unquoted(value) for name, value in _FIELD.findall(match.group(1))} if match else {}
    heading = _HEADING.search(text, match.end() if match else 0)
    title = fields.get("title") or (heading.group(1) if heading else stem)
    return Document(text, title, iso_date(fields.get("date") or fields.get("published", "")))


def read_text(data: bytes, stem: str) -> Document:
    """Return a plain text file, titled by its name."""
    return Document(decode(data), stem)


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value
