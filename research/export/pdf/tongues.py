"""Which language text is in, as far as its script tells: it decides how lines break and which way they run."""

from __future__ import annotations

import re

from research.language import Language

_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_SCRIPTS = {
    "ko": re.compile("[\uac00-\ud7a3]"),
    "ar": re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "en": re.compile("[A-Za-z]"),
}
_LETTERS_OF_A_WORD = 3
"""Letters of an alphabet that say about as much as one Chinese character."""


def tongue(text: str, of_document: Language) -> str:
    """Return the code of the language that most of the text is written in, or that of the document.

    Chinese characters without kana are taken for Japanese: nothing in the text tells.
    """
    if text.isascii() and of_document is Language.EN:
        return of_document.value
    weights = {code: len(signs.findall(text)) / _LETTERS_OF_A_WORD for code, signs in _SCRIPTS.items()}
    weights["ko"] *= _LETTERS_OF_A_WORD
    weights["ja"] = float(len(_KANA.findall(text)) + len(_HAN.findall(text)))
    code = max(weights, key=lambda one: (weights[one], one == of_document.value))
    return code if weights[code] else of_document.value
