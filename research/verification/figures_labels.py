"""Units in labels: `売上高（百万円）: 1,234`, `Sales ($m)`, `revenue_million_yen: 23.8`.

A figure that has nothing printed with it takes unit, currency and multiplier from the brackets at the end of its label,
or from the end of a label in snake_case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from math import log10

from research.verification.figures_after import After, after
from research.verification.figures_reading import Reading
from research.verification.numbers import Numeral, shifted
from research.verification.numbers_japanese import MULTIPLIERS, japanese
from research.verification.units_money import currency_before

_BRACKETS = re.compile(r"\(([^()\n|:]{1,24})\)[^()\n|:]{0,12}: ?(?=[^ \n])")
_SNAKE = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z0-9]{1,30}(?:_[A-Za-z0-9]{1,30}){1,6}: ?(?=[^ \n])")
_LEAD = re.compile(r"(?:in |unit: ?|units: ?|単位:? ?)", re.IGNORECASE)
_OF = re.compile(r"\b(thousand|million|billion|trillion)s(?: of)?\b")
_MONEY_FIRST = re.compile(r"(?:[A-Z]{0,3}[$€£¥₩₹]|[A-Z]{3} ) ?")
_SNAKE_WORDS = 3


@lru_cache(maxsize=1024)
def unit_named(words: str) -> After | None:
    """Return what `words` (folded) say of the figures below them, as if 1 stood before; None if they name no unit."""
    words = _OF.sub(r"\1", _LEAD.sub("", words.strip(), count=1)).strip()
    if not words or any(
        character.isdigit() for character in words.replace("CO2", "").replace("m2", "").replace("m3", "")
    ):
        return None
    currency = None
    if money := _MONEY_FIRST.match(words + " "):
        known = currency_before(money.group().strip(), len(money.group().strip()))
        currency = known[0] if known else None
        words = words[money.end() :].strip() if currency else words
    one = "1" + words
    number = Numeral(1.0, 1.0, 1.0, 0, 1)
    if words[:1] in MULTIPLIERS:
        number = japanese(one, 0) or number
    found = after(one, number, currency)
    return found if found.is_measured and found.end == len(one) else None


def label_units(text: str, readings: Iterable[Reading]) -> None:
    """Give the bare figures of "label: figure" lines what their labels say."""
    if ":" not in text:
        return
    by_start = {reading.start: reading for reading in readings}
    for match in _BRACKETS.finditer(text):
        _apply(by_start.get(match.end()), unit_named(match[1]))
    for match in _SNAKE.finditer(text):
        reading = by_start.get(match.end())
        if reading is not None and reading.is_bare:
            words = match.group().rstrip(": ").split("_")
            tails = (unit_named(" ".join(words[-count:])) for count in range(min(_SNAKE_WORDS, len(words) - 1), 0, -1))
            _apply(reading, next((found for found in tails if found is not None), None))


def _apply(reading: Reading | None, found: After | None) -> None:
    if reading is not None and found is not None:
        measure(reading, found)


def measure(reading: Reading, found: After) -> None:
    """Give a bare figure a unit, currency and multiplier."""
    if reading.is_bare:
        negative = reading.value < 0
        value = shifted(abs(reading.value), round(log10(found.number.scale)))
        reading.value = -value if negative else value
        reading.step *= found.number.scale
        reading.scale = found.number.scale
        reading.unit, reading.currency = found.unit, found.currency
