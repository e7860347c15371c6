"""Words of a text for full-text search, in any language and without a dictionary.

Latin and other alphabets: words in lower case, without accents, English plurals cut. Chinese, Japanese and Korean:
pairs of neighbouring characters. Numbers: digits alone, so that `1,200` and `1200` are the same. Names such as `AN-300`
count as a word too, so that `AN300` finds them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from research.text.words import singular

_CJK = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U000323af"
)
_TOKEN = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<number>\d+(?:[.,]\d+)*)|(?P<word>[^\W\d_{_CJK}][^\W_{_CJK}]*)")
_MODEL = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]{1,6})-(\d{1,6})(?![A-Za-z0-9])")
_CJK_RUN = re.compile(rf"[{_CJK}]+")
_HIRAGANA = re.compile(r"[\u3041-\u309f]+")
_MIXED_WEIGHT = 0.4
_STOP_WORDS = frozenset(
    """a about an and are as at be been between but by can do does for from had has have how i if in into is it its
    more most of on or our s shall should t than that the their them then there these they this those to was we were
    what when where which who why will with would you your""".split()  # noqa: SIM905 - a list would be a page long
)


def tokenise(text: str) -> list[str]:
    """Return the tokens of a text in order, repeated ones included."""
    folded = unicodedata.normalize("NFKC", text)
    tokens = [(letters + digits).lower() for letters, digits in _MODEL.findall(folded)]
    for match in _TOKEN.finditer(folded):
        run = match.group()
        if match.lastgroup == "cjk":
            tokens.extend(_pairs(run))
        elif match.lastgroup == "number":
            tokens.append(run.replace(",", ""))
        elif word := _word(run):
            tokens.append(word)
    return tokens


def query_weights(query: str) -> dict[str, float]:
    """Return the tokens of a query and how much each counts.

    Hiragana is grammar more often than content: pairs of it count only if the query holds nothing else, and pairs
    with one such character count less.
    """
    tokens = dict.fromkeys(tokenise(query), 1.0)
    content = [token for token in tokens if not _HIRAGANA.fullmatch(token)]
    return {token: _MIXED_WEIGHT if _HIRAGANA.search(token) else 1.0 for token in content} or tokens


def is_single(token: str) -> bool:
    """Whether a token is one character of a script that is searched in pairs."""
    return len(token) == 1 and _CJK_RUN.fullmatch(token) is not None


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


@lru_cache(maxsize=65_536)
def _word(run: str) -> str:
    """Return a word in its common form, or nothing for a stop word; `IT` and `US` are none."""
    word = run.lower()
    if run.isupper() and len(run) > 1:
        return word
    if not word.isascii():
        word = "".join(part for part in unicodedata.normalize("NFKD", word) if not unicodedata.combining(part))
        word = word.translate(_PLAIN)
    return "" if word in _STOP_WORDS else singular(word)


_PLAIN = str.maketrans({"đ": "d", "ø": "o", "ł": "l", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe"})
