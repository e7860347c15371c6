"""HTML: its main text as Markdown, without scripts, styles and navigation."""

from __future__ import annotations

import re

from research.library.readers.dates import iso_date
from research.library.readers.decoding import decode
from research.library.readers.document import Document, UnreadableFile

_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
_HEAD = 4_096
"""Bytes within which a page must declare its encoding."""
_STATED_DATE = {"extensive_search": False, "original_date": True, "outputformat": "%Y-%m-%d"}
"""Only a date that the page states as its own; none that merely occurs in its text."""


def read_webpage(data: bytes, stem: str) -> Document:
    """Return the main text of a page as Markdown.

    Raises:
        UnreadableFile: `file_empty`, there is no text outside scripts.
    """
    import trafilatura

    match = _CHARSET.search(data, 0, _HEAD)
    content = decode(data, match.group(1).decode("ascii", "replace") if match else "")
    text = trafilatura.extract(
        content, output_format="markdown", favor_recall=True, include_comments=False, include_images=False
    )
    if not text:
        raise UnreadableFile("file_empty", "no text outside scripts")
    about = trafilatura.extract_metadata(content, date_config=_STATED_DATE)
    return Document(text, (about and about.title) or stem, iso_date((about and about.date) or ""))
