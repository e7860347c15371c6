"""Make what a provider returns fit to be kept: no control characters, no half characters, no endless text."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from email.utils import parsedate_to_datetime

LONGEST_TEXT = 1_000_000
"""Characters of a page that are kept."""
_LONGEST_TITLE = 300

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_ISO_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?=$|[T ])")


def clean_text(text: str) -> str:
    """Return a page's text with plain line ends, without control characters, cut at `LONGEST_TEXT`."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))[:LONGEST_TEXT]


def clean_title(title: str) -> str:
    """Return a title on one line, without control, invisible and direction characters, at most 300 characters."""
    visible = "".join(" " if c.isspace() else c for c in title if c.isspace() or not _is_hidden(c))
    return " ".join(visible.split())[:_LONGEST_TITLE]


def published_date(text: str | None) -> str | None:
    """Return a date as search services write it in ISO 8601 (`2026-11-18`, or `2026-11`, `2026`), or None.

    Understood are ISO 8601 itself and the dates of mail (`Tue, 18 Nov 2026 08:00:00 GMT`).
    """
    written = (text or "").strip()
    if not written:
        return None
    iso = _ISO_DATE.match(written)
    try:
        if iso is None:
            return parsedate_to_datetime(written).date().isoformat()
        year, month, day = (int(part) if part else 1 for part in iso.groups())
        date(year, month, day)
    except ValueError:
        return None
    return iso.group()


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs")
