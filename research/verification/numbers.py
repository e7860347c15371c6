"""Numerals as they are printed: `1,234.5`, `1.234,5`, `12,34,567`, `1 234`.

A comma stands before groups of three digits and a point before decimals. Other ways of writing are read where they
can mean nothing else: two or more groups behind points (`1.234.567`), groups behind points and decimals behind a comma
(`1.234,5`), groups behind no-break or thin blanks or apostrophes, Indian groups, and one or two decimals behind a comma
where a unit follows (`12,5 %`). Ordinary blanks never join digits.
"""

from __future__ import annotations

import re
from typing import NamedTuple


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

_STANDARD = re.compile(r"(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|0|[1-9][0-9]*)(?:\.[0-9]+)?")
_OTHER_GROUPS = re.compile(
    r"[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+,[0-9]{1,2}|(?:\.[0-9]{3}){2,}|(?:[\u00a0\u2009\u202f][0-9]{3})+(?:[.,][0-9]{1,2})?"
    r"|(?:'[0-9]{3})+(?:\.[0-9]+)?)"
)
_INDIAN = re.compile(r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?")
_COMMA_DECIMALS = re.compile(r"(?:0|[1-9][0-9]{0,3}),[0-9]{1,2}")
_JOINTS = re.compile(r"[,'\u00a0\u2009\u202f]")

_LONGEST = 21
"""Digits of the longest number; what is longer is a code."""


def numerals(run: str, start: int, *, measured: bool = False) -> list[Numeral]:
    """Return the numbers of a run of digits (`RUN`) that starts at `start`; none for codes and versions.

    `measured` says that a unit follows, so that a comma before one or two digits stands before decimals.
    """
    if run.isdigit():
        if len(run) > _LONGEST or (run[0] == "0" and run != "0"):
            return []
        return [Numeral(float(run), 1.0, 1.0, start, start + len(run))]
    plain = _plain(run, measured)
    if plain is not None:
        return [Numeral(float(plain), _step(plain), 1.0, start, start + len(run))] if len(plain) <= _LONGEST else []
    found: list[Numeral] = []
    if _JOINTS.search(run):
        for part in re.finditer(r"[0-9.]+", run):
            found.extend(numerals(part.group(), start + part.start()))
    return found


def has_comma_decimals(run: str) -> bool:
    """Whether `run` is a number only if a unit follows."""
    return _COMMA_DECIMALS.fullmatch(run) is not None


def _plain(run: str, measured: bool) -> str | None:
    """Return `run` with a point before its decimals and nothing else between its digits."""
    if _STANDARD.fullmatch(run) or _INDIAN.fullmatch(run):
        return run.replace(",", "")
    if measured and _COMMA_DECIMALS.fullmatch(run):
        return run.replace(",", ".")
    if _OTHER_GROUPS.fullmatch(run):
        if "'" in run:
            return run.replace("'", "")
        whole, comma, decimals = run.partition(",")
        if "." in whole and _JOINTS.search(whole):
            whole, comma, decimals = whole.partition(".")
        return re.sub(r"[^0-9]", "", whole) + ("." + decimals if comma else "")
    return None


def _step(plain: str) -> float:
    decimals = len(plain) - plain.find(".") - 1 if "." in plain else 0
    return float(f"1e-{decimals}")
