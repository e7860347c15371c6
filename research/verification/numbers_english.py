"""Numbers in English words: `two million`, `twenty-five percent`, `three new factories`.

A word is read as a number only where a multiplier or a unit follows, at most one word later; `one` counts nothing by
itself ("one company said") and is read only before a multiplier or a measure. `hundreds`, `a dozen`, `half`, `doubled`
and fractions are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.verification.numbers import Numeral

_SMALL = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_ONES = {word: value for value, word in enumerate(_SMALL.split(), start=1)}
_TENS = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
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
