"""One way of writing for each character, so that figures are read by few rules.

Full-width forms become ASCII and the many minus signs become one; what cannot be seen is left out. Each character
remains one character, so offsets need no table unless something invisible was left out.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SAME = {
    "\u3000": " ",
    "￥": "¥",
    "￡": "£",
    "￠": "¢",
    "￦": "₩",
    "−": "-",
    "‐": "-",
    "‑": "-",
    "﹣": "-",
    "－": "-",
    "～": "〜",
    "∼": "〜",
    "―": "—",
    "▲": "△",
    "’": "'",
    "μ": "µ",
    "ヶ": "か",
    "ヵ": "か",
    "零": "〇",
}
_PLAIN = {chr(code): chr(plain) for code, plain in _FULL_WIDTH.items()} | _SAME
_ODD = re.compile(f"[{''.join(map(re.escape, _PLAIN))}]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]")

_KANJI_YEAR = re.compile("[一二][〇一二三四五六七八九]{3}(?=年)")
_DIGITS = str.maketrans("〇一二三四五六七八九", "0123456789")


_JAPANESE = re.compile("[぀-ヿ㐀-鿿]")


@lru_cache(maxsize=1_024)
def has_japanese(text: str) -> bool:
    """Whether `text` has kana or kanji at all, so that Japanese rules can apply; asked several times of each text."""
    return not text.isascii() and _JAPANESE.search(text) is not None


class Folded(NamedTuple):
    """A text as the rules see it."""

    text: str
    offsets: Sequence[int] | None
    """For each character its offset in the original; None if nothing was left out."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where `text[start:end]`, which is not empty, stands in the original."""
        if self.offsets is None:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1


def fold(text: str) -> Folded:
    """Fold `text`; the time is linear in its length."""
    if text.isascii():
        return Folded(text, None)
    offsets: Sequence[int] | None = None
    if _INVISIBLE.search(text):
        offsets = array("L", (offset for offset, character in enumerate(text) if not _INVISIBLE.match(character)))
        text = _INVISIBLE.sub("", text)
    plain = _ODD.sub(lambda odd: _PLAIN[odd[0]], text)
    return Folded(_KANJI_YEAR.sub(lambda year: year[0].translate(_DIGITS), plain), offsets)
