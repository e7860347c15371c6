"""Axes and numbers of charts: round steps, and values in the words of a language."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from research.language import Bilingual, Language

_STEPS = (1, 2, 2.5, 5, 10)
_TICKS = 4
_FROM_ZERO_IF_BELOW = 0.6
"""An axis begins at zero if the least value is below this share of the greatest."""
_DIGITS = 5
_WRITTEN_OUT = (1e-5, 1e9)
"""Smaller or greater values are told with a power of ten."""


class Magnitude(NamedTuple):
    """A power of ten and what it is called."""

    size: float
    words: Bilingual
    least: float
    """The greatest value of a chart from which on it is used."""


_PLAIN = Magnitude(1, Bilingual("", ""), 0)
_MAGNITUDES = {
    Language.EN: (
        Magnitude(1e12, Bilingual("trillion", "兆"), 1e12),
        Magnitude(1e9, Bilingual("billion", "十億"), 1e9),
        Magnitude(1e6, Bilingual("million", "百万"), 1e6),
        _PLAIN,
    ),
    Language.JA: (
        Magnitude(1e12, Bilingual("trillion", "兆"), 1e12),
        Magnitude(1e8, Bilingual("hundred million", "億"), 1e8),
        Magnitude(1e4, Bilingual("ten thousand", "万"), 1e5),
        _PLAIN,
    ),
}


def magnitude(values: Sequence[float], language: Language) -> Magnitude:
    """Return the power of ten that the values are told in."""
    greatest = max((abs(value) for value in values), default=0)
    return next(one for one in _MAGNITUDES[language] if greatest >= one.least)


def worded(value: float, told_in: Magnitude) -> str:
    """Return a value as it is printed: five digits at most, thousands apart, a true minus."""
    scaled = value / told_in.size
    if scaled and not _WRITTEN_OUT[0] <= abs(scaled) < _WRITTEN_OUT[1]:
        return f"{scaled:.3g}".replace("-", "−")
    decimals = 0 if scaled == 0 else max(0, min(12, _DIGITS - 1 - math.floor(math.log10(abs(scaled)))))
    digits = f"{scaled:,.{decimals}f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return digits.replace("-", "−") if digits not in ("-0", "") else "0"


def ticks(values: Sequence[float]) -> tuple[float, ...]:
    """Return round values from below the least to above the greatest, in equal steps."""
    low, high = min(values), max(values)
    if low >= 0:
        low = 0 if low <= _FROM_ZERO_IF_BELOW * high else low
    elif high < 0:
        high = 0 if high >= _FROM_ZERO_IF_BELOW * low else high
    if high == low:
        low, high = (min(low, 0), max(high, 0)) if low else (0.0, 1.0)
    step = _step((high - low) / _TICKS)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return tuple(place * step for place in range(first, last + 1))


def _step(wanted: float) -> float:
    power = 10.0 ** math.floor(math.log10(wanted)) if wanted > 0 else 1.0
    return next(step * power for step in _STEPS if step * power >= wanted * (1 - 1e-9))
