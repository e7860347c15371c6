"""Text of others as an Office file shows it: every character legal, on one line or in lines."""

from __future__ import annotations

import re
import unicodedata

from research.export.words import printable

_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Embedded directions, which may reverse what stands after them; the marks of single characters stay."""


def clean(text: str) -> str:
    """Return `text` without what XML or Office refuses, and without embedded directions."""
    return _DIRECTIONS.sub("", printable(text))


def one_line(text: str) -> str:
    """Return `text` cleaned, on one line."""
    return " ".join(clean(text).split())


def clipped(text: str, most: int) -> str:
    """Return `text` on one line, cut with an ellipsis after `most` characters, at a word's end if one is near."""
    line = one_line(text)
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    blank = cut.rfind(" ")
    return (cut[:blank] if blank > most * 2 // 3 else cut).rstrip(" ,;:、") + "…"


def runs_right_to_left(text: str) -> bool:
    """Whether the first letter of `text` belongs to a script that is written from right to left."""
    kinds = (unicodedata.bidirectional(sign) for sign in text)
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), False)
