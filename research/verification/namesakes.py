"""Names of which the page has a part in another name: `Sigrid Moe` where the page knows `Ingrid Moe` only."""

from __future__ import annotations

from collections.abc import Sequence

from research.verification.claim import Claim
from research.verification.meanings import unit_of
from research.verification.names import whole_names
from research.verification.page import IndexedPage

_LOOKED_AT = 50
"""Sentences with the shared part that are looked at."""
_FORMS = frozenset({"ag", "as", "corporation", "gmbh", "group", "holding", "holdings", "limited", "llc", "plc", "sa"})
"""Words of companies' names that are left out or exchanged freely."""


def namesake(claim: Claim, name: Sequence[int], page: IndexedPage) -> str | None:
    """Return another name of the page that shares a part with a name of the claim (positions of its terms), or None.

    One part of the claim's name must stand nowhere on the page, the one next to it must, and the page must have another
    name there on the same side. Initials and forms of companies are passed over.
    """
    words = [claim.terms[position].text for position in name]
    missing = [at for at, word in enumerate(words) if not page.family(unit_of(word)) and _tells(word)]
    if len(missing) != 1 or len(words) < 2:
        return None
    ours = {unit_of(word) for word in words}
    for step in (1, -1):
        beside = missing[0] + step
        if 0 <= beside < len(words) and (other := _other(words[beside], -step, ours, page)) is not None:
            return other
    return None


def _other(shared: str, side: int, ours: set[str], page: IndexedPage) -> str | None:
    """Return a name of the page in which a word stands that is not ours, on one side of the shared word."""
    unit = unit_of(shared)
    for index in page.postings.get(unit, ())[:_LOOKED_AT]:
        text = page.plain[index]
        for spans in whole_names(text):
            parts = [text[start:end] for start, end in spans]
            units = [unit_of(part) for part in parts]
            at = units.index(unit) + side if unit in units else -1
            if 0 <= at < len(parts) and units[at] not in ours and _tells(parts[at]):
                return text[spans[0][0] : spans[-1][1]]
    return None


def _tells(word: str) -> bool:
    return len(word) > 1 and word.isascii() and word.isalpha() and word.lower() not in _FORMS
