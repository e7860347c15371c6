"""Find where a quote stands in a page: exactly, after folding, or as a certain near match."""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz

MINIMUM = 8
"""Shorter quotes (wide characters count twice) could stand anywhere and prove nothing."""
CERTAIN = 92.0
"""Similarity (0-100) from which a near match is taken for the same passage."""


class Located(NamedTuple):
    """Offsets of a quote in the page as it was kept."""

    start: int
    end: int
    exact: bool
    """False if the model's wording differed and the page's own words take its place."""


def locate(quote: str, page: str) -> Located | None:
    """Return where `quote` stands in `page`, or None.

    Tried in order: as it is; with Unicode (NFKC) and white space folded; as a near match of at least `CERTAIN` whose
    figures are all the same. Time is linear in the page for the first two.
    """
    wanted = quote.strip()
    if _is_too_short(wanted):
        return None
    candidates = dict.fromkeys((wanted, wanted.strip("\"“”「」'")))
    for candidate in candidates:
        start = page.find(candidate)
        if start >= 0:
            return Located(start, start + len(candidate), exact=True)
    folded_page, offsets = _fold(page)
    for candidate in candidates:
        folded = _fold(candidate)[0].strip()
        start = folded_page.find(folded)
        if folded and start >= 0:
            return Located(offsets[start], offsets[start + len(folded) - 1] + 1, exact=True)
    return _near(_fold(wanted)[0].strip(), folded_page, offsets)


def _is_too_short(quote: str) -> bool:
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in quote)
    return len(quote) + wide < MINIMUM


@lru_cache(maxsize=16)
def _fold(text: str) -> tuple[str, Sequence[int]]:
    """Return `text` in NFKC with white space as single blanks, and for each character its offset in `text`."""
    folded: list[str] = []
    offsets = array("L")
    for offset, character in enumerate(text):
        if character.isspace() or unicodedata.category(character) == "Cf":
            if folded and folded[-1] != " " and character.isspace():
                folded.append(" ")
                offsets.append(offset)
            continue
        for part in unicodedata.normalize("NFKC", character):
            folded.append(_PLAIN.get(part, part))
            offsets.append(offset)
    return "".join(folded), offsets


_PLAIN = {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-"}


def _near(quote: str, page: str, offsets: Sequence[int]) -> Located | None:
    match = fuzz.partial_ratio_alignment(quote, page, score_cutoff=CERTAIN)
    if match is None or match.dest_end - match.dest_start < 1 or len(page) < len(quote):
        return None
    start, end = _whole_words(page, match.dest_start, match.dest_end)
    if _digits(page[start:end]) != _digits(quote):
        return None
    return Located(offsets[start], offsets[end - 1] + 1, exact=False)


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span so that it cuts no Latin word or number in two."""
    while start > 0 and _joins(text[start - 1]) and _joins(text[start]):
        start -= 1
    while end < len(text) and _joins(text[end - 1]) and _joins(text[end]):
        end += 1
    while end > start and text[end - 1] == " ":
        end -= 1
    while start < end and text[start] == " ":
        start += 1
    return start, end


def _joins(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _digits(text: str) -> list[str]:
    """Return the numbers of `text` in order: a near match must never change one."""
    kept = "".join(character if character.isdigit() else " " for character in text.replace(",", ""))
    return kept.split()
