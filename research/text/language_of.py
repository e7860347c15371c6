"""Which of the product's two languages a text is written in."""

from __future__ import annotations

import re

from research.language import Language

KANA = re.compile(r"[ぁ-ゖァ-ヺｦ-ﾝ]")
KANJI = re.compile(r"[㐀-䶿一-鿿豈-﫿々]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")

_SAMPLE = 4_000
"""Characters looked at: enough to tell, and the same time for every text."""
_KANA_SHARE = 0.1
"""Share of kana among letters from which a mixed text is Japanese: an English page may cite a Japanese name."""


def language_of(text: str) -> Language:
    """Return the language of `text`: kana make it Japanese, and so do bare kanji without any Latin letter.

    Language detectors call bare kanji Chinese; here they are read as Japanese. What is neither counts as English.
    """
    sample = text[:_SAMPLE]
    if sample.isascii():
        return Language.EN
    kana, kanji = (len(pattern.findall(sample)) for pattern in (KANA, KANJI))
    if not kana and not kanji:
        return Language.EN
    latin = len(_LATIN.findall(sample))
    is_japanese = kana + kanji >= _KANA_SHARE * latin if kana else not latin
    return Language.JA if is_japanese else Language.EN
