"""What a click can ask of the drawer that shows a page as it was read."""

from __future__ import annotations

import re
from typing import NamedTuple

SHOW_QUOTE = "quote:"
"""Message that asks to show a quote in its page; the id of the evidence follows."""
SHOW_PAGE = "page:"
"""Message that asks to show a page as it was read; its id follows."""
SHOW_PASSAGE = "passage:"
"""Message that asks to show a passage of a page; the page's id and the offsets follow, see `passage_message`."""
ALL = (SHOW_QUOTE, SHOW_PAGE, SHOW_PASSAGE)

_PASSAGE = re.compile(rf"{SHOW_PASSAGE}(\w+):(\d+):(\d+)")


class Place(NamedTuple):
    """A passage: `page[start:end]`."""

    page: str
    start: int
    end: int


def passage_message(place: Place) -> str:
    """Return the message that asks for a passage."""
    return f"{SHOW_PASSAGE}{place.page}:{place.start}:{place.end}"


def passage_asked_for(message: str) -> Place | None:
    """Return the passage that `message` asks for, if it asks for one."""
    found = _PASSAGE.fullmatch(message)
    return Place(found[1], int(found[2]), int(found[3])) if found else None
