"""The words of a text by which it is compared: stems in alphabets, pairs of neighbouring characters in Japanese."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum, auto
from functools import lru_cache
from itertools import chain
from operator import add
from typing import NamedTuple

from research.verification.function_words import LIGHT, LIGHT_JAPANESE
from research.verification.meanings import japanese_meanings, meanings, unit_of

_CJK = "々〆ヶ㐀-䶿一-鿿豈-﫿ァ-ヺーｦ-ﾟ가-힯"
_KANA = "ぁ-ゖ"
_WORD = re.compile(rf"[^\W\d_{_CJK}{_KANA}][^\W_{_CJK}{_KANA}]*")
_TOKEN = re.compile(rf"[^\W_{_CJK}{_KANA}]+(?:(?<=\d)[.,]\d+)*")
"""A word or number, or both in one (5G, Q3)."""
_RUN = re.compile(rf"[{_CJK}]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_WIDE = re.compile(rf"[{_CJK}{_KANA}]")
_SHORTENED = {
    "US": (
        *("United States of America", "United States", "U.S.A.", "U.S.", "USA", "Americans", "American"),
        *("アメリカ合衆国", "アメリカ", "米国"),
    ),
    "UK": ("United Kingdom", "U.K.", "Great Britain", "Britain", "British", "英国", "イギリス"),
    "EU": ("European Union", "E.U.", "欧州連合"),
}
"""Short forms of names that everyone shortens, and what they stand for."""
_INVISIBLE = re.compile(r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
NAME_WEIGHT = 2.0
"""A name or figure is worth two ordinary words: a paraphrase replaces words, but never names and figures."""
LIGHT_WEIGHT = 0.5
"""A word that a writer adds freely is worth half of one."""


_END = 40
"""Characters at the end of a clause in which its last word is looked for."""


class Kind(Enum):
    """What sort of word a term is."""

    WORD = auto()
    LIGHT = auto()
    NAME = auto()


class Term(NamedTuple):
    """A word of a sentence. `units` are what it is looked up by; they stand or fall one by one."""

    text: str
    units: tuple[str, ...]
    kind: Kind
    weight: float
    start: int
    """Offset in the sentence, made plain."""
    is_wide: bool = False
    """Whether it is Japanese and compared by characters."""


def without_surrogates(text: str) -> str:
    """Return `text` with halves of characters, which nothing can encode, replaced one for one."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def visible(text: str) -> str:
    """Return `text` in NFKC with plain quotation marks and without invisible characters."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return _INVISIBLE.sub("", text) if _INVISIBLE.search(text) else text


def with_short_names(text: str) -> str:
    """Return `text` with one form for names that everyone shortens; offsets stay the same."""
    return _LONG_NAME.sub(_shortened, text)


def _shortened(match: re.Match[str]) -> str:
    return _SHORT_FORM[match.group()].ljust(len(match.group()))


def _whole(name: str) -> str:
    """Return a pattern for a name that is no part of a longer word.

    That nothing goes before it is looked at behind its first letter: what begins with a letter is found much faster.
    """
    if not name.isascii():
        return name
    end = r"\b" if name[-1].isalpha() else ""
    return rf"{name[0]}(?<!\w\w){re.escape(name[1:])}{end}"


_SHORT_FORM = {name: short for short, names in _SHORTENED.items() for name in names}
_LONG_NAME = re.compile("|".join(map(_whole, sorted(_SHORT_FORM, key=len, reverse=True))))


def units(clean: str) -> set[str]:
    """Return everything that a visible text with short names can be found by."""
    found = set(chain.from_iterable(map(_units_in, _TOKEN.findall(clean))))
    if not clean.isascii() and _WIDE.search(clean):
        for run in _RUN.findall(clean):
            found.update(_pairs(run))
        found.update(map(meanings().japanese.__getitem__, japanese_meanings().findall(clean)))
    return found


@lru_cache(maxsize=65_536)
def _units_in(token: str) -> tuple[str, ...]:
    words = filter(None, map(unit_of, _WORD.findall(token)))
    return (*words, *map(digits, _DIGITS.findall(token)))


def last_wide_unit(clean: str) -> str:
    """Return what the last Japanese word of a text can be found by, or an empty string."""
    runs = _RUN.findall(clean[-_END:])
    return _pairs(runs[-1])[-1] if runs else ""


@lru_cache(maxsize=65_536)
def digits(numeral: str) -> str:
    """Return what a printed number can be found by, whatever its separators and its power of ten."""
    return "#" + numeral.replace(",", "").replace(".", "").strip("0")


@lru_cache(maxsize=65_536)
def _pairs(run: str) -> tuple[str, ...]:
    return tuple(map(add, run, run[1:])) if len(run) > 1 else (run,)


def terms(clean: str, names: Sequence[tuple[int, int]], taken: Sequence[tuple[int, int]] = ()) -> list[Term]:
    """Return the words of a sentence, made plain, in order. `names` are offsets of names; what is `taken` is left out.

    A number that is not taken is no figure, so it is part of a name: week 48, Article 9, 7 May.
    """
    masked = _masked(clean, taken)
    found = [_wide(clean[start:end], Kind.NAME, start) for start, end in names if _RUN.search(clean, start, end)]
    is_name = {start for start, _ in names}
    for match in _WORD.finditer(masked):
        if unit := unit_of(match.group()):
            found.append(_latin(match.group(), unit, match.start(), named=match.start() in is_name))
    for match in _DIGITS.finditer(masked):
        found.append(Term(match.group(), (digits(match.group()),), Kind.NAME, NAME_WEIGHT, match.start()))
    masked = _masked(masked, [name for name in names if _RUN.search(clean, *name)])
    for match in japanese_meanings().finditer(masked):
        found.append(Term(match.group(), (meanings().japanese[match.group()],), Kind.WORD, 1.0, match.start()))
    masked = japanese_meanings().sub(lambda match: " " * len(match.group()), masked)
    found.extend(_wide(match.group(), Kind.WORD, match.start()) for match in _RUN.finditer(masked))
    return sorted(found, key=lambda term: term.start)


def _masked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _latin(word: str, unit: str, start: int, *, named: bool) -> Term:
    if named:
        return Term(word, (unit,), Kind.NAME, NAME_WEIGHT, start)
    light = word.lower() in LIGHT
    return Term(word, (unit,), Kind.LIGHT if light else Kind.WORD, LIGHT_WEIGHT if light else 1.0, start)


def _wide(run: str, kind: Kind, start: int) -> Term:
    """Make a term of Japanese characters: two of them weigh as much as one English word."""
    weight = max(1.0, len(run) / 2) if len(run) > 1 else LIGHT_WEIGHT
    if kind is Kind.NAME:
        weight = NAME_WEIGHT
    elif run in LIGHT_JAPANESE:
        kind, weight = Kind.LIGHT, LIGHT_WEIGHT / (3 - min(len(run), 2))
    return Term(run, _pairs(run), kind, weight, start, is_wide=True)
