"""East Asian text in Office files: its language, and what it is set in on Windows and in Office for the Mac."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from research.export.words import KOREAN, SIMPLIFIED, TRADITIONAL, tongue
from research.language import Language


class Face(NamedTuple):
    """What text of a language is set in."""

    tag: str
    """The language, as Office writes it."""
    typeface: str
    """A sans serif that comes with Windows and with Office for the Mac."""


JAPANESE = Face("ja-JP", "Yu Gothic")
_FACES = {
    Language.JA.value: JAPANESE,
    KOREAN: Face("ko-KR", "Malgun Gothic"),
    SIMPLIFIED: Face("zh-CN", "Microsoft YaHei"),
    TRADITIONAL: Face("zh-TW", "Microsoft JhengHei"),
}


@lru_cache(maxsize=4_096)
def face_of(text: str, around: str = "") -> Face | None:
    """Return what East Asian text is set in; None for text that is mostly in other letters.

    `around` is the language of the page that the text is from, as `research.export.words.tongue_of` tells it.
    """
    return None if text.isascii() else _FACES.get(tongue(text, Language.EN, around))
