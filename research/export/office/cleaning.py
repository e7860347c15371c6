"""Text of others as an Office file may hold it: every character legal, white space as it shows."""

from __future__ import annotations

import re
import unicodedata

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef]")
_BROKEN = re.compile("[\ud800-\udfff\ufffe\uffff]")
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Embedded directions, which may reverse what stands after them; the marks of single characters stay."""
_LINE_ENDS = re.compile("\r\n?|[\x85\u2028\u2029]")


def clean(text: str) -> str:
    """Return `text` without what XML or Office refuses; a broken character becomes `\N{REPLACEMENT CHARACTER}`."""
    whole = _BROKEN.sub("\N{REPLACEMENT CHARACTER}", _LINE_ENDS.sub("\n", text))
    return _DIRECTIONS.sub("", _ILLEGAL.sub("", whole))


def one_line(text: str) -> str:
    """Return `text` cleaned, on one line."""
    return " ".join(clean(text).split())


def clipped(text: str, most: int) -> str:
    """Return `text` on one line, cut with an ellipsis after `most` characters at a word's end if one is near."""
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
