"""What stands behind a number and belongs to it: multiplier, unit or currency, and per what."""

from __future__ import annotations

import re
from typing import NamedTuple

from research.verification.numbers import Numeral
from research.verification.units import unit_at
from research.verification.units_money import currency_at, hundredth_at

_WORD_SCALES = {
    "thousand": 3,
    "million": 6,
    "billion": 9,
    "trillion": 12,
    "lakh": 5,
    "crore": 7,
    "mn": 6,
    "mln": 6,
    "bn": 9,
    "bln": 9,
    "tn": 12,
    "trn": 12,
}
_LETTER_SCALES = {"k": 3, "K": 3, "M": 6, "B": 9}
_MONEY_SCALES = {"k": 3, "K": 3, "m": 6, "M": 6, "mm": 6, "MM": 6, "b": 9, "B": 9, "t": 12, "T": 12}
"""Letters that are multipliers only where a currency goes before: `$3m` is money, `3m` a length."""

_SCALE = re.compile(r"[ \u00a0-]?([A-Za-z]{1,8})(?![A-Za-z])")
_INITIALS = frozenset("tmblckTMBLCK")
_ENDS = frozenset("\n\r\t|,;:)]。、")
_GOES_ON_WITHOUT = frozenset("|(+–—=0123456789")
"""Behind a blank, these begin something else than a unit."""
_PARTS_OF_TEN = re.compile(r"割(?:([1-9一二三四五六七八九])分(?!の))?(?!合|引|高|安|り)")
_KANJI_DIGITS = "〇一二三四五六七八九"
_PER = re.compile(
    r" ?/ ?| per (?!cent\b)| an? (?=(?:year|month|week|day|hour)\b(?! (?:earlier|ago|before|later)))|毎(?=[時分秒])"
)
_PER_NUMBER = re.compile(r"(10{2,6}|1(?:,000){1,3}|10{1,2}(?:,000){1,2})(?![0-9,])")
_PER_WORD = {"capita": "people", "head": "people", "annum": "years", "woman": "people", "household": "households"}
_WORD = re.compile(r"[A-Za-z]+")
_SINGULAR = {
    "people": "person",
    "years": "year",
    "months": "month",
    "weeks": "week",
    "days": "day",
    "quarters": "quarter",
    "households": "household",
    "vehicles": "vehicle",
    "units": "unit",
    "shares": "share",
}


class After(NamedTuple):
    """A number with all that belongs to it on its right."""

    number: Numeral
    unit: str | None
    currency: str | None
    end: int

    @property
    def is_measured(self) -> bool:
        """Whether anything says what the number measures."""
        return self.unit is not None or self.currency is not None or self.number.scale != 1.0


def after(text: str, number: Numeral, currency: str | None = None) -> After:
    """Read on behind `number` in a folded text; `currency` is what stood before it."""
    number = _scaled(text, number, has_currency=currency is not None)
    end = number.end
    following = text[end : end + 1]
    if not following or following in _ENDS or (following == " " and text[end + 1 : end + 2] in _GOES_ON_WITHOUT):
        return After(number, None, currency, end)
    if following == "割" and (tenths := _PARTS_OF_TEN.match(text, end)):
        return _in_tenths(number, tenths)
    unit: str | None = None
    if (part := hundredth_at(text, end)) is not None:
        number = number.scaled(-2, end)
        currency, end = currency or part[0] or None, part[1]
    elif (named := currency_at(text, end)) is not None:
        currency, end = currency or named[0] or None, named[1]
    elif (found := unit_at(text, end)) is not None:
        unit, end = found[0].symbol, found[1]
    return _with_rate(text, After(number, unit, currency, end))


def _scaled(text: str, number: Numeral, *, has_currency: bool) -> Numeral:
    following = text[number.end : number.end + 1]
    if not (following in _INITIALS or (following in " \u00a0-" and text[number.end + 1 : number.end + 2] in _INITIALS)):
        return number
    match = _SCALE.match(text, number.end)
    if match is None:
        return number
    word, end = match[1], match.end()
    exponent = _WORD_SCALES.get(word.lower(), 0)
    if not exponent and has_currency:
        exponent = _MONEY_SCALES.get(word, 0)
    if not exponent and match.start(1) == number.end:
        exponent = _LETTER_SCALES.get(word, 0)
        if word == "m" and _counts(text, end):
            exponent = 6
    return number.scaled(exponent, end) if exponent else number


def _counts(text: str, start: int) -> bool:
    """Whether a unit or currency follows after a blank, so that `m` before it is no unit itself."""
    if text[start : start + 1] != " ":
        return False
    unit = unit_at(text, start)
    return currency_at(text, start) is not None or (unit is not None and unit[1] - start > 2)


def _in_tenths(number: Numeral, match: re.Match[str]) -> After:
    """Return `3割5分` as 35%."""
    whole = number.scaled(1, match.end())
    value, step, scale = whole.value, whole.step, whole.scale
    if match[1]:
        value += float(match[1]) if match[1].isdecimal() else _KANJI_DIGITS.index(match[1])
        step = scale = 1.0
    return After(Numeral(value, step, scale, number.start, match.end()), "%", None, match.end())


def _with_rate(text: str, found: After) -> After:
    """Add what a value is per (`bbl/day`, `people/km²`); shares stay as they are."""
    if found.unit in ("%", "pp", "bps", "x") or not (found.unit or found.currency):
        return found
    per = _PER.match(text, found.end)
    if per is None:
        return found
    if number := _PER_NUMBER.match(text, per.end()):
        symbol, end = number[1].replace(",", ""), number.end()
    elif (unit := unit_at(text, per.end())) is not None and text[per.end()] not in " -":
        symbol, end = _SINGULAR.get(unit[0].symbol, unit[0].symbol), unit[1]
    elif (word := _WORD.match(text, per.end())) and word.group() in _PER_WORD:
        symbol, end = _SINGULAR[_PER_WORD[word.group()]], word.end()
    else:
        return found
    return found._replace(unit=f"{found.unit or ''}/{symbol}", end=end)
