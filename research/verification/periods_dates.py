"""Every date of a text, English and Japanese together."""

from __future__ import annotations

import re

from research.verification.figures_folding import has_japanese
from research.verification.periods_digits import digit_dates
from research.verification.periods_english import english_dates
from research.verification.periods_japanese import japanese_dates
from research.verification.periods_reading import Date, disjoint

_DATED = re.compile(r"[0-9年]|四半期")
"""Without any of these no date is in a text: spares sentences without figures the search for them."""
_ADDRESS = re.compile(r"(?:https?://|www\.|doi:|arXiv:)[!-~]+")


def dates(text: str) -> list[Date]:
    """Return the dates of a folded text in order; of those that overlap, the first and longest."""
    if not _DATED.search(text):
        return []
    found = [Date(None, *address.span()) for address in _ADDRESS.finditer(text)]
    found += [*english_dates(text), *digit_dates(text)]
    if has_japanese(text):
        found += japanese_dates(text)
    return disjoint(found)
