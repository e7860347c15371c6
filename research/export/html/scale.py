"""The axis of a chart: round steps around the values, and numbers as readers of a language write them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from babel.numbers import format_compact_decimal, format_decimal

from research.language import Language

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LARGE = 100_000.0
"""Values from which an axis writes them short (1.2M, 120万)."""
_FLAT = 0.4
"""Share of the largest value that the values must span, or else an axis of lines need not begin at zero."""


@dataclass(frozen=True)
class Scale:
    """An axis from `low` to `high` with marks at `ticks`."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def around(cls, values: list[float], *, from_zero: bool) -> Scale:
        """Return an axis that holds `values`, of which there is at least one; `from_zero` makes it hold zero."""
        low, high = min(values), max(values)
        if from_zero or high - low > _FLAT * max(abs(low), abs(high)):
            low, high = min(low, 0.0), max(high, 0.0)
        if low == high:
            spread = abs(low) * 0.1 or 1.0
            low, high = low - spread, high + spread
        step = _step((high - low) / 4)
        first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
        ticks = tuple(float(f"{number * step:.12g}") for number in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks)

    def share(self, value: float) -> float:
        """Return where a value lies, from 0 (`low`) to 1 (`high`)."""
        return (value - self.low) / (self.high - self.low)


def drawable(value: float | None) -> float | None:
    """Return a value that can be drawn; None for what is missing, not finite, or beyond all scales."""
    return value if value is not None and isfinite(value) and abs(value) < 1e200 else None


def short(value: float, language: Language) -> str:
    """Write a value for an axis: large ones with a word for their size."""
    if abs(value) >= 1e17:
        return f"{value:.3g}"
    if abs(value) >= _LARGE:
        return str(format_compact_decimal(value, locale=language.value, fraction_digits=2))
    return full(value, language)


def full(value: float, language: Language) -> str:
    """Write a value with all that is known of it."""
    shown = float(f"{value:.12g}")
    if abs(shown) >= 1e17 or 0 < abs(shown) < 1e-6:
        return f"{shown:.6g}"
    return str(format_decimal(shown, format="#,##0.########", locale=language.value))


def _step(least: float) -> float:
    size = 10.0 ** floor(log10(least))
    return next(step * size for step in _STEPS if step * size >= least * 0.999)
