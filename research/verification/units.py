"""Units: what stands behind a number, and whether two of them can measure the same thing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from research.verification.units_names import by_first_character, name_at
from research.verification.units_table import UNITS

_LAST_LATIN = "\u2e7f"
"""What comes behind this character is written without blanks: kana, kanji, squared units."""


class Unit(NamedTuple):
    """A unit of measure or a thing counted."""

    symbol: str
    dimension: str
    """Units of one dimension can be converted into each other; things counted all have the dimension `count`."""
    size: float
    """How many of the dimension's first unit one of it is."""


class Units(NamedTuple):
    """All units, as they are looked up."""

    by_symbol: Mapping[str, Unit]
    by_name: Mapping[str, Unit]
    first_words: frozenset[str]
    """The first words of Latin names with several words."""
    wide: Mapping[str, tuple[str, ...]]
    """The Japanese names by their first character."""


@cache
def units() -> Units:
    """Return the table of units."""
    by_symbol: dict[str, Unit] = {}
    by_name: dict[str, Unit] = {}
    for line in UNITS.strip().splitlines():
        symbol, dimension, size, names = (part.strip() for part in line.split("|"))
        unit = by_symbol[symbol] = Unit(symbol, dimension, float(size))
        for name in names.split(","):
            by_name.update(dict.fromkeys(_forms(name.strip()), unit))
    first_words = frozenset(name.split(" ")[0] for name in by_name if " " in name)
    wide = by_first_character(name for name in by_name if name[0] > _LAST_LATIN)
    return Units(by_symbol, by_name, first_words, wide)


def _forms(name: str) -> list[str]:
    """Return a name and its plural; abbreviations have none."""
    return [name, name + "s"] if len(name) > 2 and name.isascii() and name.islower() else [name]


_WORD = re.compile(r"[A-Za-zµ°º℃℉%‰×㌫]+(?:[.\-][A-Za-z]+)*(?:[²³]|[23](?![0-9.,]))?e?")
_GAP = " \u00a0\u2009\u202f-"
_CASE_MATTERS = 3
"""Names up to this length are symbols: `MW` is not `mW`."""


def unit_at(text: str, start: int) -> tuple[Unit, int] | None:
    """Return the unit that stands at `start` of a folded text, after a blank or hyphen at most, and its end."""
    character = text[start : start + 1]
    if not character:
        return None
    if character in _GAP:
        start += 1
        character = text[start : start + 1]
        if character == " " or not character:
            return None
    if character > _LAST_LATIN:
        return _wide_unit(text, start)
    word = _WORD.match(text, start)
    return _latin_unit(text, word) if word else None


def _wide_unit(text: str, start: int) -> tuple[Unit, int] | None:
    name = name_at(units().wide, text, start)
    return (units().by_name[name], start + len(name)) if name else None


def _latin_unit(text: str, word: re.Match[str]) -> tuple[Unit, int] | None:
    table = units()
    name, end = word.group(), word.end()
    if name == "%" or name.lower().rstrip(".") in table.first_words:
        longer = _several_words(text, word.start(), end)
        if longer is not None:
            return longer
    unit = table.by_name.get(name)
    if unit is None and len(name) > _CASE_MATTERS:
        unit = table.by_name.get(name.lower())
    if unit is not None:
        return unit, end
    if name[0] in "%°":
        unit = table.by_name.get(name[0])
        return (unit, word.start() + 1) if unit else None
    shorter = name.split("-")[0]
    if shorter != name and shorter in table.by_name:
        return table.by_name[shorter], word.start() + len(shorter)
    return None


_PERCENT_POINTS = re.compile(r"%[ -]?(?:ポイント|・ポイント|points?\b|pts?\b)")
_PHRASE = re.compile(r"[A-Za-z°º]+\.?(?:[ -][A-Za-z0-9]+){1,2}")


def _several_words(text: str, start: int, end: int) -> tuple[Unit, int] | None:
    table = units()
    if points := _PERCENT_POINTS.match(text, start):
        return table.by_symbol["pp"], points.end()
    phrase = _PHRASE.match(text, start, end + 40)
    if phrase is None:
        return None
    words = re.split(r"\.?[ -]", phrase.group())
    stop = phrase.end()
    while len(words) > 1:
        name = " ".join(words)
        unit = table.by_name.get(name) or table.by_name.get(name.lower())
        if unit is not None:
            return unit, stop
        stop -= len(words.pop()) + 1
    return None


def is_physical(symbol: str) -> bool:
    """Whether a unit (its symbol) measures a substance or distance: no things counted, times, shares or ratios."""
    return _dimension(_parted(symbol)[0]) not in _NOT_PHYSICAL


_NOT_PHYSICAL = frozenset({"count", "clock", "calendar", "share", "points", "ratio", "rank"})


def compatible(one: str | None, other: str | None) -> bool:
    """Whether figures in these units (symbols, with `/` for a rate) can be the same quantity.

    An unknown unit goes with every unit; `units` and `cases` are general words for anything counted.
    """
    if one is None or other is None or one == other:
        return True
    (first, per), (second, other_per) = _parted(one), _parted(other)
    if per and other_per and per != other_per and _dimension(per) != _dimension(other_per):
        return False
    if not first or not second or first == second:
        return True
    dimension = _dimension(first)
    if dimension != _dimension(second):
        return False
    return dimension != "count" or not {"units", "cases"}.isdisjoint((first, second))


def conversion(one: str | None, other: str | None) -> float:
    """Return what a value in `one` is multiplied by to be in `other`; 1 where either is unknown. Both compatible."""
    if one is None or other is None or one == other:
        return 1.0
    (first, per), (second, other_per) = _parted(one), _parted(other)
    factor = _size(first) / _size(second) if first and second else 1.0
    return factor * _size(other_per) / _size(per) if per and other_per else factor


def _parted(symbol: str) -> tuple[str, str]:
    first, _, per = symbol.partition("/")
    return first, per


def _dimension(symbol: str) -> str:
    unit = units().by_symbol.get(symbol)
    return unit.dimension if unit else symbol


def _size(symbol: str) -> float:
    unit = units().by_symbol.get(symbol)
    return unit.size if unit else 1.0
