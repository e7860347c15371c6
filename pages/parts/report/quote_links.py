"""Links from what analysts say to the quotes that it rests on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from pages.parts.nodes import Element, group, sender
from pages.parts.report.source_messages import SHOW_QUOTE
from pages.parts.ui import Ui

_MARK = re.compile(r"\s?\[(E\d+(?:, E\d+)*)\]")


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
    for place, part in enumerate(_MARK.split(text)):
        parts.append(quote_links(part.split(", "), known, ui) if place % 2 else part)
    return parts
