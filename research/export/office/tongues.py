"""East Asian text: which language it is in, and what that is set in on Windows and in Office for the Mac."""

from __future__ import annotations

import re
from typing import NamedTuple


class Tongue(NamedTuple):
    """An East Asian language."""

    tag: str
    """As Office writes it."""
    typeface: str
    """A sans serif that comes with Windows and with Office for the Mac."""


JAPANESE = Tongue("ja-JP", "Yu Gothic")
KOREAN = Tongue("ko-KR", "Malgun Gothic")
SIMPLIFIED = Tongue("zh-CN", "Microsoft YaHei")
TRADITIONAL = Tongue("zh-TW", "Microsoft JhengHei")

_KANA = re.compile("[\u3041-\u30ff\uff66-\uff9f]")
_HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")


def east_asian(text: str) -> Tongue | None:
    """Return the language of the East Asian letters in `text`; None if there are none, or if nothing tells.

    Chinese characters alone are Japanese if a Japanese typeface has them all, which is what decides how they look.
    """
    if text.isascii():
        return None
    if _KANA.search(text):
        return JAPANESE
    if _HANGUL.search(text):
        return KOREAN
    han = "".join(_HAN.findall(text))
    if not han:
        return None
    written = ((JAPANESE, "cp932"), (SIMPLIFIED, "gb2312"), (TRADITIONAL, "big5"))
    return next((tongue for tongue, signs in written if _is_in(han, signs)), None)


def _is_in(text: str, signs: str) -> bool:
    """Whether a national set of characters has every character of `text`."""
    try:
        text.encode(signs)
    except UnicodeEncodeError:
        return False
    return True
