"""Figures: the quantities that a text states, read rather than matched.

`figures("売上高は前年比１２％増の1兆2,345億円")` gives 12% and 1.2345e12 JPY, with the offsets of both.

What is read: numbers in digits, kanji (三割, 十二社, 五百億円) and English words before a multiplier or unit; units and
currencies; 割 as ten percent each; minus signs, △ and ▲, brackets as minus in cells and behind labels; ranges as two
figures; the unit of a bare figure from its label, row or column.

What is none: dates and years (they become the `period` of the figures near them), clock times, phone numbers,
versions, list numbers, citation marks, ordinals, parts of names and codes (COVID-19, ISO 9001, 第3条, Section 4.2),
fractions and words such as "doubled" or "half".
"""

from __future__ import annotations

from typing import NamedTuple

from research.verification import periods
from research.verification.figures_bounds import Bound, is_rounded
from research.verification.figures_folding import fold
from research.verification.figures_labels import label_units
from research.verification.figures_ranges import share
from research.verification.figures_reading import Reading, holds_numbers, read
from research.verification.figures_tables import read_tables
from research.verification.periods_dates import dates
from research.verification.periods_near import attach
from research.verification.units import compatible, conversion

_ROUNDING = 0.05
"""How far a figure that is called round ("about 4,000") may be from what it stands for, as a share of it."""
_NOISE = 1e-9
"""Relative difference that comes from binary fractions."""


class Figure(NamedTuple):
    """One quantity as a text states it: `text[start:end]` of that text is `Figure.text`."""

    value: float
    """The full value: 1.2e9 for "$1.2bn", -25.3 for "△25.3%"."""
    unit: str | None
    """Canonical symbol: "%", "pp", "km²", "people", "bbl/day"; "/month" for money per month. None if there is none."""
    currency: str | None
    """ISO 4217; a bare "$" is USD and "¥" JPY."""
    scale: float
    """The multiplier printed with its last digits: 1e9 for "bn", 1e8 for "3兆4,500億"."""
    period: str | None
    """Canonical period (see `periods`) that it is stated for, if the text says."""
    start: int
    end: int
    text: str
    """As printed, with sign, currency, multiplier and unit."""
    tolerance: float
    """Half a unit of the last digit printed."""
    bound: Bound | None = None
    """How the words around it loosen it: "about", "over", "under", "at least", "at most"."""

    @property
    def is_exact(self) -> bool:
        """Whether it is meant as printed."""
        return self.bound is None

    def agrees(self, other: Figure, *, ignore_sign: bool = False) -> bool:
        """Whether both can be the same quantity: units compatible, values within the coarser tolerance.

        A missing unit or currency goes with any; units of one dimension are converted. A figure called round ("about
        4,000", "over 4,000") may be off by half of its last digit that is not zero, but no more than 5%. Periods are
        not looked at. `ignore_sign` is for texts that say the direction in words ("fell 3%" for △3%).
        """
        if not self.measures_as(other):
            return False
        factor = conversion(other.unit, self.unit)
        mine, theirs = self.value, other.value * factor
        if ignore_sign:
            mine, theirs = abs(mine), abs(theirs)
        allowed = max(self._leeway(), other._leeway() * factor)
        return abs(mine - theirs) <= allowed + _NOISE * max(abs(mine), abs(theirs))

    def measures_as(self, other: Figure) -> bool:
        """Whether unit and currency allow both to be the same quantity, whatever the values."""
        if self.currency and other.currency:
            return self.currency == other.currency and compatible(self.unit, other.unit)
        if self.currency or other.currency:
            bare = other if self.currency else self
            return bare.unit is None or bare.unit.startswith("/")
        return compatible(self.unit, other.unit)

    def same_digits(self, other: Figure) -> bool:
        """Whether both are printed with the same number, multipliers aside: 1,234 (in a table of millions), ¥1,234m."""
        return abs(self.value / self.scale - other.value / other.scale) <= _NOISE * abs(self.value / self.scale)

    def period_agrees(self, other: Figure) -> bool:
        """Whether the periods of both allow the same time; an unknown period goes with any."""
        return self.period is None or other.period is None or periods.agree(self.period, other.period)

    def _leeway(self) -> float:
        if not is_rounded(self.bound) or self.value == 0:
            return self.tolerance
        digits = f"{abs(self.value):.15g}"
        step = 10.0 ** (len(digits) - len(digits.rstrip("0"))) if digits.isdigit() else 0.0
        return max(self.tolerance, min(step / 2, abs(self.value) * _ROUNDING))


class Quantities(NamedTuple):
    """The figures and periods of a text, each in order."""

    figures: list[Figure]
    periods: list[periods.Period]


def figures(text: str) -> list[Figure]:
    """Return the figures of `text` in order, in time linear in it. Never raises for any `str`."""
    return quantities(text).figures


def quantities(text: str) -> Quantities:
    """Return the figures and periods of `text`, read at once, in time linear in it. Never raises for any `str`."""
    folded = fold(text)
    if not holds_numbers(folded.text):
        return Quantities([], [])
    found = dates(folded.text)
    readings = read(folded.text, found)
    share(folded.text, readings)
    label_units(folded.text, readings)
    read_tables(folded.text, readings, found)
    attach(folded.text, readings, found)
    printed = [_figure(text, reading, *folded.span(reading.start, reading.end)) for reading in readings]
    return Quantities(printed, periods.periods_among(found, folded))


def _figure(text: str, reading: Reading, start: int, end: int) -> Figure:
    return Figure(
        reading.value,
        reading.unit,
        reading.currency,
        reading.scale,
        reading.period,
        start,
        end,
        text[start:end],
        reading.step / 2,
        reading.bound,
    )
