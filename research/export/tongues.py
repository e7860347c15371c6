"""Which language text is in, as far as its signs tell: it decides how letters look, lines break and which way they run.

Chinese, Japanese and Korean share characters that each draws in its own way. Chinese is told by characters that only
simplified or only traditional Chinese writes; where nothing tells, characters are drawn as in Japanese.
"""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import urlsplit

from research.export.document import Source
from research.language import Language

SIMPLIFIED, TRADITIONAL, KOREAN = "zh-Hans", "zh-Hant", "ko"
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9d]")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_BOPOMOFO = re.compile("[\u3105-\u312f]")
_SCRIPTS = {
    KOREAN: re.compile("[\uac00-\ud7a3]"),
    "ar": re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "en": re.compile("[A-Za-z]"),
}
_LETTERS_OF_A_WORD = 3
"""Letters of an alphabet that say about as much as one Chinese character."""
_SPOKEN = frozenset("這們麼沒她您嗎妳哪吧呢啦啊")
"""Words of every Chinese text that no Japanese name holds."""
_SURE = 2
"""Traditional characters that tell: a single one may stand in an old Japanese name."""
_RARE, _RARE_SHARE = 5, 0.2
"""Characters that are rare in today's Japanese, and their share of a text, from which it is traditional Chinese."""
_SECOND_LEVEL = b"\xd0\xa1"
"""Where the Japanese national set has, in EUC, its second part: what today's Japanese seldom needs."""
_COUNTRIES = {"cn": SIMPLIFIED, "tw": TRADITIONAL, "hk": TRADITIONAL, "mo": TRADITIONAL, "kr": KOREAN}


def tongue(text: str, of_document: Language, around: str = "") -> str:
    """Return the code of the language that most of the text is written in (`ja`, `zh-Hans`), or that of the document.

    Args:
        text: Any text.
        of_document: The language of the document, which holds where the text tells nothing.
        around: What `tongue_of` says of the page that the text is from; it tells of bare Chinese characters.
    """
    if text.isascii() and of_document is Language.EN:
        return of_document.value
    weights = {code: len(signs.findall(text)) / _LETTERS_OF_A_WORD for code, signs in _SCRIPTS.items()}
    weights[KOREAN] *= _LETTERS_OF_A_WORD
    han, kana = _HAN.findall(text), len(_KANA.findall(text))
    east = Language.JA.value if kana or not han else _chinese(text) or around or Language.JA.value
    weights[east] = weights.get(east, 0.0) + len(han) + kana
    code = max(weights, key=lambda one: (weights[one], one == of_document.value))
    return code if weights[code] else of_document.value


def tongue_of(source: Source) -> str:
    """Return which East Asian language the page of a source is written in; empty where nothing tells."""
    said = "\n".join((source.title, *(quote.text for quote in source.quotes)))
    if said.isascii():
        return ""
    if _SCRIPTS[KOREAN].search(said):
        return KOREAN
    if _KANA.search(said):
        return Language.JA.value
    return _chinese(said) or _COUNTRIES.get(_country(source.url), "")


def _chinese(text: str) -> str:
    """Return which Chinese a text without kana is written in; empty if it may as well be Japanese."""
    signs = set(_HAN.findall(text))
    if any(_is_simplified(sign) for sign in signs):
        return SIMPLIFIED
    if _BOPOMOFO.search(text) or signs & _SPOKEN or sum(map(_is_traditional, signs)) >= _SURE:
        return TRADITIONAL
    rare = sum(map(_is_rare, signs))
    return TRADITIONAL if rare >= _RARE and rare >= _RARE_SHARE * len(signs) else ""


@cache
def _is_simplified(sign: str) -> bool:
    return _stands_in(sign, "gb2312") and not _stands_in(sign, "euc_jis_2004") and not _stands_in(sign, "big5")


@cache
def _is_traditional(sign: str) -> bool:
    return _stands_in(sign, "big5") and not _stands_in(sign, "euc_jis_2004") and not _stands_in(sign, "gb2312")


@cache
def _is_rare(sign: str) -> bool:
    return _stands_in(sign, "big5") and _stands_in(sign, "euc_jp") and sign.encode("euc_jp") >= _SECOND_LEVEL


def _stands_in(sign: str, charset: str) -> bool:
    """Whether a national character set, which holds what is written in its country, has a sign."""
    try:
        sign.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def _country(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rpartition(".")[2]
    except ValueError:
        return ""
