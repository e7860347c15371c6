"""Read every figure of a folded text: numbers with what belongs to them, dates and codes left out."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from research.verification.figures_after import After, after
from research.verification.figures_before import Before, before
from research.verification.figures_bounds import Bound, bound
from research.verification.figures_codes import codes
from research.verification.figures_folding import has_japanese
from research.verification.figures_names import is_named
from research.verification.numbers import RUN, Numeral, has_comma_decimals, numerals
from research.verification.numbers_english import english
from research.verification.numbers_japanese import MULTIPLIERS, japanese, kanji_numbers
from research.verification.periods_reading import Date, disjoint
from research.verification.units import unit_at


@dataclass(slots=True)
class Reading:
    """A figure while it is read; offsets are those of the folded text."""

    value: float
    step: float
    scale: float
    unit: str | None
    currency: str | None
    start: int
    end: int
    bound: Bound | None = None
    period: str | None = None

    @property
    def is_bare(self) -> bool:
        """Whether nothing printed with it says what it measures."""
        return self.unit is None and self.currency is None and self.scale == 1.0


class _Skipped:
    """The spans that hold no figures."""

    def __init__(self, spans: Iterable[Date]) -> None:
        kept = disjoint(spans)
        self._starts = [date.start for date in kept]
        self._ends = [date.end for date in kept]

    def touches(self, start: int, end: int) -> bool:
        """Whether any of them overlaps `start` to `end`."""
        index = bisect_left(self._starts, end) - 1
        return index >= 0 and self._ends[index] > start


_DIGIT = re.compile("[0-9元〇一二三四五六七八九十百千]")


def holds_numbers(text: str) -> bool:
    """Whether a folded text holds anything that could be read as a number or date; most sentences do not."""
    return _DIGIT.search(text) is not None or next(english(text), None) is not None


def read(text: str, dates: Iterable[Date]) -> list[Reading]:
    """Return the figures of a folded text in order, without periods."""
    skipped = _Skipped([*dates, *(Date(None, *span) for span in codes(text))])
    found = [*_in_digits(text, skipped), *_in_english(text, skipped)]
    if has_japanese(text):
        found += _in_kanji(text, skipped)
    return sorted(found, key=lambda reading: reading.start)


def _in_digits(text: str, skipped: _Skipped) -> Iterator[Reading]:
    done = 0
    for run in RUN.finditer(text):
        start, end = run.span()
        if start < done:
            continue
        measured = has_comma_decimals(run.group()) and _is_measured(text, start, end)
        for number in numerals(run.group(), start, measured=measured):
            if skipped.touches(number.start, number.end):
                continue
            reading = _figure(text, number)
            if reading is not None:
                done = reading.end
                yield reading


def _is_measured(text: str, start: int, end: int) -> bool:
    return after(text, Numeral(0.0, 1.0, 1.0, start, end)).is_measured


def _figure(text: str, number: Numeral) -> Reading | None:
    """Return the figure of a number in digits, or None if it is part of a name, code or word."""
    if text[number.end : number.end + 1] in MULTIPLIERS:
        number = japanese(text, number.start) or number
    left = before(text, number.start) or _behind_acronym(text, number)
    if left is None:
        return None
    right = after(text, number, left.currency)
    if _goes_on(text, right):
        return None
    bare = not right.is_measured and not left.signed
    if bare and is_named(text, number.start, right.end):
        return None
    brackets = _brackets(text, left, right)
    if brackets is None:
        return None
    if brackets:
        left = Before(left.start - 1, left.currency, negative=True, signed=True)
        right = right._replace(end=right.end + 1)
    return _reading(text, left, right)


_ACRONYM = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2,6}\Z")


def _behind_acronym(text: str, number: Numeral) -> Before | None:
    """Return nothing printed before a number that Japanese writes right behind an acronym: OECD38カ国."""
    if not _ACRONYM.search(text[max(0, number.start - 7) : number.start]):
        return None
    right = after(text, number)
    is_counted = right.is_measured and text[right.end - 1] > "\u2e7f"
    return Before(number.start, None, negative=False, signed=False) if is_counted else None


def _goes_on(text: str, right: After) -> bool:
    """Whether a number without unit is part of a longer word: 5G, 3D, 10-K, 1920x1080."""
    following = text[right.end : right.end + 1]
    if following.isascii() and (following.isalnum() or following == "_"):
        last = text[right.end - 1]
        return last.isascii() and last != "%"
    return following == "-" and not right.is_measured and text[right.end + 1 : right.end + 2].isupper()


def _brackets(text: str, left: Before, right: After) -> bool | None:
    """Return whether the number stands in brackets that mean minus, as in the cells of accounts.

    None says that it is no figure: a mark such as (1) in prose.
    """
    if text[left.start - 1 : left.start] != "(" or text[right.end : right.end + 1] != ")" or left.signed:
        return False
    outer_left = text[max(0, left.start - 4) : left.start - 1].rstrip(" \u00a0")[-1:]
    outer_right = text[right.end + 1 : right.end + 4].lstrip(" \u00a0")[:1]
    if outer_left in "|\t\n\r:" and outer_right in "|\t\n\r":
        return True
    return None if not right.is_measured and right.end - left.start <= 2 else False


def _reading(text: str, left: Before, right: After) -> Reading:
    number = right.number
    value = -number.value if left.negative else number.value
    loosened = bound(text, left.start, right.end)
    return Reading(value, number.step, number.scale, right.unit, right.currency, left.start, right.end, loosened)


def _in_english(text: str, skipped: _Skipped) -> Iterator[Reading]:
    for number in english(text):
        if skipped.touches(number.start, number.end):
            continue
        right = after(text, number)
        if not right.is_measured:
            unit = _counted_later(text, number.end)
            right = right._replace(unit=unit)
        is_idle = number.value == 1.0 and right.unit not in ("%", "pp") and not right.currency
        if right.unit == "points" or not right.is_measured or (is_idle and right.number.scale == 1.0):
            continue
        yield _reading(text, Before(number.start, None, negative=False, signed=False), right)


def _counted_later(text: str, end: int) -> str | None:
    """Return the thing counted in "three new factories", one word after the number."""
    if text[end : end + 1] != " ":
        return None
    space = text.find(" ", end + 1, end + 24)
    if space < 0 or not text[end + 1 : space].replace("-", "").isalpha() or not text[end + 1].islower():
        return None
    found = unit_at(text, space)
    return found[0].symbol if found is not None and found[0].dimension == "count" else None


def _in_kanji(text: str, skipped: _Skipped) -> Iterator[Reading]:
    for number in kanji_numbers(text):
        if not skipped.touches(number.start, number.end):
            yield _reading(text, Before(number.start, None, negative=False, signed=False), after(text, number))
