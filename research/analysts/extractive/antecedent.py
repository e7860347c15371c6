"""Sentences that only make sense behind the one before them are quoted together with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.text.sentences import sentences
from research.text.words import columns

_LEANS = re.compile(
    r"(?:It|They|This|These|Those|He|She|Both|Such|Its|Their|(?:One|Two|Three|Some|Most|Many) of (?:them|these))\b"
    r"|(?:これ|それ|この(?!うち)|その|同社|同氏|同国|両者|いずれも)"
)
_EXPLAINS = re.compile(r"(?:ため|から)(?:である|です|だ)。?\Z")
_HAS_SUBJECT = re.compile(r"[はがも]")
_WIDEST = 320
"""Columns that both sentences may take together."""


def quote_of(quote: str, text: str) -> str:
    """Return what is quoted for a sentence of a page with this `text`: itself, or with the one that it leans on.

    That sentence must stand directly before it, on the same line.
    """
    start = text.find(quote) if _leans(quote) else -1
    if start <= 0:
        return quote
    line = text.rfind("\n", 0, start) + 1
    before = [span for span in sentences(text[line:start]) if any(map(str.isalpha, text[line + span.start : start]))]
    both = text[line + before[-1].start : start + len(quote)] if before else quote
    return both if columns(both) <= _WIDEST else quote


def _leans(text: str) -> bool:
    """Whether a sentence opens with a pronoun, only gives a reason, or is a Japanese one without a subject."""
    if _LEANS.match(text) or _EXPLAINS.search(text):
        return True
    return text.endswith("。") and not _HAS_SUBJECT.search(text)


def without_repeats(quotes: Sequence[str]) -> tuple[str, ...]:
    """Return quotes in their order without those that are a part of another, each once."""
    distinct = tuple(dict.fromkeys(quotes))
    return tuple(one for one in distinct if not any(one != other and one in other for other in distinct))
