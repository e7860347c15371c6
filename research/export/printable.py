"""Text as any file format can hold it."""

from __future__ import annotations

import re

from research.text.words import columns

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n?|[\x85\u2028\u2029]")
_HALF_PAIRS = re.compile("[\ud800-\udfff]")


def printable(text: str) -> str:
    """Return `text` without control characters (line ends and tabs stay) and without halves of surrogate pairs."""
    return _HALF_PAIRS.sub("\ufffd", _UNPRINTABLE.sub("", _LINE_ENDS.sub("\n", text)))


def one_line(text: str) -> str:
    """Return `text` as one printable line, each run of blanks as one."""
    return " ".join(printable(text).split())


def shortened(text: str, widest: int) -> str:
    """Return `text` cut to `widest` letters, of which a wide one counts two; what was cut ends with an ellipsis."""
    if columns(text) <= widest:
        return text
    while (width := columns(text)) >= widest:
        text = text[: -max(1, (width - widest) // 2)]
    return text.rstrip() + "…"
