"""Ranges: in "10–15%" and "$1.2 to 1.5 billion" both figures share what is printed once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import log10

from research.verification.figures_reading import Reading
from research.verification.numbers import shifted

_JOINT = re.compile(r" ?[-–—〜~] ?|-? to | or |から|ないし|、?または")
_BETWEEN = re.compile(r"(?<![A-Za-z])between \Z", re.IGNORECASE)
_LONGEST_JOINT = 5


def share(text: str, readings: Sequence[Reading]) -> None:
    """Give the two ends of each range the unit, currency and multiplier that only one of them has."""
    for first, second in pairwise(readings):
        gap = second.start - first.end
        if 0 < gap <= _LONGEST_JOINT and _is_joint(text, first, second):
            _level(first, second)


def _is_joint(text: str, first: Reading, second: Reading) -> bool:
    joint = text[first.end : second.start]
    if joint == " and ":
        return _BETWEEN.search(text[max(0, first.start - 9) : first.start]) is not None
    return _JOINT.fullmatch(joint) is not None


def _level(first: Reading, second: Reading) -> None:
    if first.unit is None and first.scale == 1.0 and first.value * second.scale <= second.value:
        first.value = shifted(first.value, round(log10(second.scale)))
        first.step *= second.scale
        first.scale = second.scale
    if first.unit is None and first.currency is None:
        first.unit, first.currency = second.unit, second.currency
    elif second.unit is None and second.currency is None and first.currency is not None:
        second.currency = first.currency
