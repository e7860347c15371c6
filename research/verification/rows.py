"""Rows of tables: a cell that only names a page says where the row is from, not what is so."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from research.text.words import folded
from research.verification.names import names_in

BETWEEN_CELLS = " | "
"""What stands between the cells of a row that is read as a sentence."""


def without_page_names(sentence: str, quotes: Sequence[str], pages: Collection[str]) -> str:
    """Return a row without the cells that are the name of one of the cited `pages`; other sentences as they are.

    The cells stay where a quote names somebody whom the row does not: there the page's name stands in their place.
    """
    cells = sentence.split(BETWEEN_CELLS)
    known = {_plain(name) for name in pages}
    said = [cell for cell in cells if _plain(cell) not in known]
    if not said or len(said) == len(cells):
        return sentence
    row = folded(sentence)
    named = (quote[start:end] for quote in quotes for start, end in names_in(quote))
    return BETWEEN_CELLS.join(said) if all(folded(name) in row for name in named) else sentence


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, folded(text)))
