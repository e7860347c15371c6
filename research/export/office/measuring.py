"""How wide text is set, without the fonts at hand: estimates that are rather too wide than too narrow."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

_NARROW = frozenset("iljtfrI.,;:'|!()[]/- ‘’")
_BROAD = frozenset("mwMW@%—…")
_BROKEN_AT = re.compile(r"\S+\s*|\s+")


@lru_cache(maxsize=65_536)
def ems(text: str, *, is_bold: bool = False) -> float:
    """Return the width of `text` on one line in units of its size."""
    width = sum(map(_em, text))
    return width * 1.06 if is_bold else width


@cache
def _em(sign: str) -> float:
    if unicodedata.east_asian_width(sign) in "WFA" and ord(sign) > 0xFF:
        return 1.0
    if sign in _NARROW:
        return 0.34
    if sign in _BROAD or ord(sign) > 0x2FFF:
        return 1.0
    if unicodedata.combining(sign):
        return 0.0
    return 0.66 if sign.isupper() else 0.54


def line_count(text: str, width: float, *, is_bold: bool = False) -> int:
    """Return on how many lines `text` is set if a line holds `width` ems; words longer than a line are broken."""
    return sum(_lines(line, width, is_bold=is_bold) for line in text.split("\n"))


def _lines(line: str, width: float, *, is_bold: bool) -> int:
    count, used = 1, 0.0
    for word in _BROKEN_AT.findall(line):
        bare = ems(word.rstrip(), is_bold=is_bold)
        if used + bare <= width:
            used += ems(word, is_bold=is_bold)
            continue
        pieces = [word] if bare <= width and not _breaks_anywhere(word) else list(word)
        for piece in pieces:
            size = ems(piece.rstrip(), is_bold=is_bold)
            if used + size > width:
                count, used = count + 1, 0.0
            used += ems(piece, is_bold=is_bold)
    return count


def _breaks_anywhere(word: str) -> bool:
    return any(unicodedata.east_asian_width(sign) in "WF" for sign in word)
