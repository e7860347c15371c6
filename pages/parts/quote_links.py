"""Links from what analysts say to the quotes that it rests on."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pages.parts.nodes import Element, group, sender
from pages.parts.source_messages import SHOW_QUOTE
from pages.parts.ui import Ui


def quote_links(ids: Iterable[str], known: Collection[str], ui: Ui) -> Element | None:
    """Return a mark for each quote of `ids` that is among the `known`; each opens its page at the quote."""
    marks = [
        sender(SHOW_QUOTE + name, "cite", name, title=ui._("{quote}: show in the page").format(quote=name), key=name)
        for name in dict.fromkeys(ids)
        if name in known
    ]
    return group("span", "cites", marks) if marks else None
