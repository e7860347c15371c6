"""Messages and links by which the report leads to quotes, pages and answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

import streamlit as st

from pages.parts.engine import engine
from pages.parts.nodes import Element, group, sender
from pages.parts.ui import Ui
from research.store import Asking

SHOW_QUOTE = "quote:"
"""Message that asks to show a quote in its page; the id of the evidence follows."""
SHOW_PAGE = "page:"
"""Message that asks to show a page as it was read; its id follows."""
SHOW_PASSAGE = "passage:"
"""Message that asks to show a passage of a page; the page's id and the offsets follow, see `passage_message`."""
ALL = (SHOW_QUOTE, SHOW_PAGE, SHOW_PASSAGE)

_PASSAGE = re.compile(rf"{SHOW_PASSAGE}(\w+):(\d+):(\d+)")


class PassageAddress(NamedTuple):
    """A passage: `page[start:end]`."""

    page: str
    start: int
    end: int


def passage_message(place: PassageAddress) -> str:
    """Return the message that asks for a passage."""
    return f"{SHOW_PASSAGE}{place.page}:{place.start}:{place.end}"


def passage_asked_for(message: str) -> PassageAddress | None:
    """Return the passage that `message` asks for, if it asks for one."""
    found = _PASSAGE.fullmatch(message)
    return PassageAddress(found[1], int(found[2]), int(found[3])) if found else None


_LINK_MARK = re.compile(r"\s?\[(E\d+(?:, E\d+)*)\]")


def quote_links(ids: Iterable[str], known: Collection[str], ui: Ui) -> Element | None:
    """Return a mark for each quote of `ids` that is among the `known`; each opens its page at the quote."""
    marks = [
        sender(SHOW_QUOTE + name, "cite", name, title=ui._("{quote}: show in the page").format(quote=name), key=name)
        for name in dict.fromkeys(ids)
        if name in known
    ]
    return group("span", "cites", marks) if marks else None


def with_links(text: str, known: Collection[str], ui: Ui) -> list[Element | str | None]:
    """Return a text with its marks (`[E1, E2]`) as links."""
    parts: list[Element | str | None] = []
    for place, part in enumerate(_LINK_MARK.split(text)):
        parts.append(quote_links(part.split(", "), known, ui) if place % 2 else part)
    return parts


@st.cache_resource(show_spinner=False)
def asking() -> Asking:
    """Return it; made once, so that an answer arrives when the page that asked is refreshed or closed."""
    return Asking(engine().store, engine().runner)
