"""Numbers as they are printed: in digits, kanji and English words.

Kanji: `3兆4,500億`, `1億2千万`, `12万3,456`, `五百億`, `十二社`.

Where an Arabic digit goes first, kanji are read as multipliers wherever the number stands. Numbers of kanji alone are
read only where no other kanji goes before them (統一, 第三 and 数十 are no figures) and 万, 億, 兆 or a counter
follows, because most kanji numerals are parts of words; 一人, 一回 and the like are words too.

Before, a text is folded: one way of writing for each character, so that figures are read by few rules, and nothing that
cannot be seen. Each character remains one character, so offsets need no table unless something invisible was left out.

Numerals as they are printed: `1,234.5`, `12,34,567`, `1 234`.

A comma, or a blank that breaks no line, stands before groups of three digits, a comma before Indian ones, and a point
before decimals; a comma before one or two decimals if a unit follows (`12,5 %`).

Numbers in English words: `two million`, `twenty-five percent`, `three new factories`.

A word is read as a number only where a multiplier or a unit follows, at most one word later; `one` counts nothing by
itself ("one company said") and is read only before a multiplier or a measure. `hundreds`, `a dozen`, `half`, `doubled`
and fractions are not read.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

_ONE_FOR_MANY = str.maketrans("\u3000￥￡￠￦−‐‑﹣～∼―▲’μヶヵ零", " ¥£¢₩----〜〜—△'µかか〇")
_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | _ONE_FOR_MANY
"""One way of writing for each character: full-width forms are ASCII, the many minus signs are one."""
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
    return Folded(_KANJI_YEAR.sub(lambda year: year[0].translate(_DIGITS), text.translate(_PLAIN)), offsets)


class Numeral(NamedTuple):
    """A number without sign, and where it stands."""

    value: float
    step: float
    """The place value of the last digit printed: 0.1 in `12.5`, 1e8 in `3億`."""
    scale: float
    """The multiplier printed with its last digits."""
    start: int
    end: int

    def scaled(self, exponent: int, end: int) -> Numeral:
        """Return the numeral times ten to the `exponent`, as if that had been printed up to `end`."""
        by = 10.0**exponent
        return Numeral(shifted(self.value, exponent), self.step * by, self.scale * by, self.start, end)


def shifted(value: float, exponent: int) -> float:
    """Return `value` times ten to the `exponent`, rounded once as if it had been printed so."""
    if not exponent or not 1e-4 <= value < 1e15:
        return value * 10.0**exponent
    return float(f"{value!r}e{exponent}")


RUN = re.compile(r"[0-9]+(?:[.,'\u00a0\u2009\u202f][0-9]+)*")
"""A run of digits with anything between them that may join them."""

_PRINTED = re.compile(
    r"(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"
    r"|[1-9][0-9]{0,2}(?:[\u00a0\u2009\u202f][0-9]{3})+|0|[1-9][0-9]*)(?:\.[0-9]+)?"
)
_COMMA_DECIMALS = re.compile(r"(?:0|[1-9][0-9]{0,3}),[0-9]{1,2}")
_LONGEST = 21
"""Digits of the longest number; what is longer is a code."""


def numerals(run: str, start: int, *, measured: bool = False) -> list[Numeral]:
    """Return the numbers of a run of digits (`RUN`) that starts at `start`; none for codes and versions.

    `measured` says that a unit follows, so that a comma before one or two digits stands before decimals.
    """
    plain = re.sub(r"[^0-9.]", "", run) if _PRINTED.fullmatch(run) else ""
    if measured and has_comma_decimals(run):
        plain = run.replace(",", ".")
    if plain:
        step = float(f"1e-{len(plain.partition('.')[2])}")
        return [Numeral(float(plain), step, 1.0, start, start + len(run))] if len(plain) <= _LONGEST else []
    parts = re.finditer(r"[0-9.]+", run) if "," in run else ()
    return [number for part in parts for number in numerals(part.group(), start + part.start())]


def has_comma_decimals(run: str) -> bool:
    """Whether `run` is a number only if a unit follows."""
    return _COMMA_DECIMALS.fullmatch(run) is not None


_SMALL_WORDS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_ONES = {word: value for value, word in enumerate(_SMALL_WORDS.split(), start=1)}
_LARGE_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * ten for ten, word in enumerate(_LARGE_WORDS.split(), start=2)}
_FIRST = "|".join(form for word in (*_TENS, *_ONES) for form in (word, word.capitalize()))
_WORDS = re.compile(
    # Longer words go first: "sixteen" before "six". What a word goes on from is looked at below, which is faster.
    rf"({'|'.join(sorted(_FIRST.split('|'), key=len, reverse=True))})"
    rf"(?:(?<=ty)[ -]({'|'.join(list(_ONES)[:9])}))?(?: (hundred)(?: and)?)?(?![A-Za-z'])"
)
_GOES_ON = re.compile(r"[A-Za-z0-9'\-]")


def english(text: str) -> Iterator[Numeral]:
    """Yield the number words of a folded text; whether they count something is for the caller to see."""
    for match in _WORDS.finditer(text):
        start = match.start()
        if start and _GOES_ON.match(text, start - 1):
            continue
        first, one, hundred = match.groups()
        value = _TENS.get(first.lower()) or _ONES[first.lower()]
        value += _ONES[one] if one else 0
        if hundred:
            yield Numeral(value * 100.0, 100.0, 100.0, start, match.end(3))
        else:
            yield Numeral(float(value), 1.0, 1.0, start, match.end())


_SMALL = {"十": 1, "百": 2, "千": 3}
_LARGE = {"万": 4, "億": 8, "兆": 12, "京": 16}
_ARABIC = r"(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?"
_PART = re.compile(f"(?:({_ARABIC})|([一二三四五六七八九〇]{{0,4}}))([十百千]?)([万億兆京]?)")

_KANJI_NUMBER = re.compile(
    r"(?:(?<![㐀-鿿々〇0-9])|(?<=[約計各全同残満延総]))[一二三四五六七八九十百千][〇一二三四五六七八九十百千万億兆]*"
)
_COUNTER = re.compile(
    r"割(?!合|引|高|安|り)|倍|社(?![長会員内外])|人(?![々物間生材事類])|名(?!前)|台(?!風)|件|店舗|[かカ](?:国|所|月|年)|年(?:間|連続)"
    r"|円|ドル|米ドル|ユーロ|%|パーセント|ポイント|トン|キロ|メートル|回(?![転復])|隻|棟|種類|拠点|工場|銘柄|箇所"
)
_WORD = re.compile(r"一[人回円種名](?!員)")


MULTIPLIERS = frozenset(_SMALL) | frozenset(_LARGE)


class _Part(NamedTuple):
    """A number with the multipliers behind it: `4,500億`, `2千`, `三百`, `二`."""

    value: float
    decimals: int
    small: int
    large: int
    is_kanji: bool
    end: int


def japanese(text: str, start: int) -> Numeral | None:
    """Return the number that starts at `start` of a folded text, or None if no kanji belongs to it."""
    total = section = 0.0
    large, room = 20, float("inf")
    step = scale = 1.0
    position, has_kanji = start, False
    while (part := _part(text, position)) is not None:
        if part.large >= large or part.value * 10.0**part.small >= room:
            break
        section += shifted(part.value, part.small)
        exponent = part.large + (0 if part.is_kanji else part.small)
        step, scale = 10.0 ** (exponent - part.decimals), 10.0**exponent
        room = 10.0**part.small
        if part.large:
            total += shifted(section, part.large)
            section, large, room = 0.0, part.large, 10.0**part.large
        has_kanji = has_kanji or part.is_kanji or part.small + part.large > 0
        position = part.end
        if not part.small and not part.large:
            break
    return Numeral(total + section, step, scale, start, position) if has_kanji else None


def _part(text: str, start: int) -> _Part | None:
    match = _PART.match(text, start)
    if match is None or not (match[1] or match[2] or match[3]):
        return None
    arabic, kanji, small, large = match.groups()
    digits = arabic.replace(",", "") if arabic else kanji.translate(_DIGITS) or "1"
    decimals = len(digits.partition(".")[2])
    return _Part(float(digits), decimals, _SMALL.get(small, 0), _LARGE.get(large, 0), not arabic, match.end())


def kanji_numbers(text: str) -> Iterator[Numeral]:
    """Yield the numbers in a folded text that are written with kanji alone."""
    for match in _KANJI_NUMBER.finditer(text):
        number = japanese(text, match.start())
        if number is None or number.end != match.end() or _WORD.match(text, match.start()):
            continue
        if text[match.start()] in _SMALL and text[match.start() - 1 : match.start()] in ("(", ":"):
            continue  # A unit that a label names: (百万円).
        if text[number.end - 1] in _LARGE or _COUNTER.match(text, number.end):
            yield number
