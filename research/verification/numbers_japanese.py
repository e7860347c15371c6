"""Numbers with kanji: `3兆4,500億`, `1億2千万`, `12万3,456`, `五百億`, `十二社`.

Where an Arabic digit goes first, kanji are read as multipliers wherever the number stands. Numbers of kanji alone are
read only where no other kanji goes before them (統一, 第三 and 数十 are no figures) and 万, 億, 兆 or a counter
follows, because most kanji numerals are parts of words; 一人, 一回 and the like are words too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from research.verification.numbers import Numeral, shifted

_SMALL = {"十": 1, "百": 2, "千": 3}
_LARGE = {"万": 4, "億": 8, "兆": 12, "京": 16}
_ARABIC = r"(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?"
_PART = re.compile(f"({_ARABIC})([十百千]?)([万億兆京]?)|([一二三四五六七八九〇]{{0,4}})([十百千]?)([万億兆京]?)")
_TO_DIGITS = str.maketrans("〇一二三四五六七八九", "0123456789")

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
    if match is None or match.end() == start:
        return None
    arabic, small, large, kanji, kanji_small, kanji_large = match.groups()
    if arabic:
        decimals = len(arabic.partition(".")[2])
        value = float(arabic.replace(",", ""))
        return _Part(value, decimals, _SMALL.get(small, 0), _LARGE.get(large, 0), False, match.end())
    if not kanji and not kanji_small:
        return None
    value = float(kanji.translate(_TO_DIGITS)) if kanji else 1.0
    return _Part(value, 0, _SMALL.get(kanji_small, 0), _LARGE.get(kanji_large, 0), True, match.end())


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
