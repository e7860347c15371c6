"""How a calculation is printed: what it is of, its result, and the figures that it can be worked out from again."""

from __future__ import annotations

import re

from research.language import COMMA, Bilingual, Language, Phrase, bracketed
from research.quantities import when_in_words
from research.text import folded, language_of

_COMPUTED = Phrase("- Computed: {what}: {said}")
_FROM_TO = Phrase("{first} to {last}", "a period")
_YEAR = Bilingual("{year}", "{year}年")
_ASIDE = re.compile(r" \(([^()]+)\)\Z")
"""What stands in brackets behind a label, most often its unit."""


def computed_line(what: str, said: str, language: Language) -> str:
    """Return the line of a calculation: what is worked out, then its result, “ = ” and what it follows from."""
    return _COMPUTED.in_(language).format(what=what, said=said)


def from_to(first: str, last: str, language: Language) -> str:
    """Return from when to when something changed: years, or periods as their tables call them."""
    year = _YEAR.in_(language)
    ends = [year.format(year=end) if end.isdecimal() else when_in_words(end, language) for end in (first, last)]
    return _FROM_TO.in_(language).format(first=ends[0], last=ends[1])


def headed(label: str, asked: str, language: Language) -> str:
    """Return what a column is called, after what is asked where the reader's language is another than the label's."""
    is_told = not asked or language_of(label) is language or folded(label).startswith(folded(asked))  # GDP (exchange)
    if is_told:
        return label
    return bracketed(asked, _ASIDE.sub(lambda aside: f"{COMMA.in_(language)}{aside[1]}", label), language)
