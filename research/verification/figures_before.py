"""What stands before a number: currency and sign, or what shows that the number is part of a word or code."""

from __future__ import annotations

import re
from typing import NamedTuple

from research.verification.units_money import SIGNS, currency_before

_TELLS_CURRENCY = frozenset(SIGNS)
_MINUS = frozenset("-△–")
_OPENS = frozenset(" \u00a0\t\n\r|([{:：、。,「『（=／/;>")
_MEASURED_BEFORE = re.compile(r"[0-9][A-Za-z]{1,4}\Z")
_WORD_MINUS = re.compile(r"(?:マイナス|氷点下|(?<![A-Za-z])(?:minus|negative) )\Z", re.IGNORECASE)


class Before(NamedTuple):
    """What belongs to a number on its left."""

    start: int
    currency: str | None
    negative: bool
    signed: bool


def before(text: str, start: int) -> Before | None:
    """Read to the left of a number that starts at `start` of a folded text; None if it is part of a word or code."""
    last = text[start - 1] if start else "\n"
    if last in "-△" and start > 1 and text[start - 2] in _TELLS_CURRENCY:
        money = currency_before(text, start - 1)
        if money is not None:
            return Before(money[1], money[0], negative=True, signed=True)
    if last in _TELLS_CURRENCY or last in " \u00a0." or last.isalpha():
        money = currency_before(text, start)
        if money is not None:
            currency, begin = money
            return _signed(text, begin, text[begin - 1] if begin else "\n", currency)
    return _signed(text, start, last, None) if _may_start(text, start, last) else None


def _may_start(text: str, start: int, last: str) -> bool:
    """Whether what goes before leaves the number a word of its own."""
    if last in "-+/–":
        return _may_follow_a_mark(text, start, last)
    if last == "'":
        return not (text[start : start + 2].isdigit() and not text[start + 2 : start + 3].isalnum())
    if last == " " and text[max(0, start - 4) : start].lower() == "per ":
        return False
    return not (last.isascii() and last.isalnum()) and last not in "_#№@^.§第〒"


def _may_follow_a_mark(text: str, start: int, mark: str) -> bool:
    joined = text[start - 2] if start > 1 else "\n"
    if mark == "/":
        return not (joined.isascii() and (joined.isalnum() or joined in ")%"))
    if not joined.isascii() or not (joined.isalpha() or joined == "_"):
        return True
    return _MEASURED_BEFORE.search(text[max(0, start - 8) : start - 1]) is not None


def _signed(text: str, begin: int, last: str, currency: str | None) -> Before:
    if last in "+±" and (begin < 2 or text[begin - 2] in _OPENS):
        return Before(begin - 1, currency, negative=False, signed=True)
    if last in _MINUS and (begin < 2 or text[begin - 2] in _OPENS or (last == "△" and not text[begin - 2].isdigit())):
        return Before(begin - 1, currency, negative=True, signed=True)
    if last == " " and begin > 1 and text[begin - 2] == "△":
        return Before(begin - 2, currency, negative=True, signed=True)
    if last in "ス下eE " and (word := _WORD_MINUS.search(text[max(0, begin - 9) : begin])):
        return Before(begin - len(word.group()), currency, negative=True, signed=True)
    return Before(begin, currency, negative=False, signed=False)
