"""How Office writes the figures of a chart: exact beside their marks, short on the axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from research.language import Language

_MOST_DECIMALS = 4
_POWERS_FROM = 1e16
"""Larger values are written as powers of ten."""
_POWERS = "0.0E+00"


class _Magnitude(NamedTuple):
    size: float
    ending: str
    """Each comma divides by a thousand; what stands in quotes is written after the number."""


_MAGNITUDES = {
    Language.EN: (_Magnitude(1e12, ',,,,"T"'), _Magnitude(1e9, ',,,"B"'), _Magnitude(1e6, ',,"M"')),
    Language.JA: (_Magnitude(1e12, ',,,,"兆"'), _Magnitude(1e6, ',,"百万"')),
}


def exact(values: Sequence[float]) -> str:
    """Return the format of values with the thousands apart and as many decimals as they have."""
    if _greatest(values) >= _POWERS_FROM:
        return _POWERS
    return _plain(_decimals(values))


def beside_marks(values: Sequence[float], language: Language) -> str:
    """Return the format of values that stand in a chart: in millions or more only if that loses no digit of them."""
    told = _magnitude(values, language)
    if told is None or _greatest(values) >= _POWERS_FROM:
        return exact(values)
    scaled = [value / told.size for value in values]
    decimals = _decimals(scaled)
    loses = any(round(value, decimals) * told.size != whole for value, whole in zip(scaled, values, strict=True))
    return exact(values) if loses else _plain(decimals) + told.ending


def of_axis(values: Sequence[float], language: Language) -> str:
    """Return the format of an axis, whose steps are round."""
    greatest, told = _greatest(values), _magnitude(values, language)
    if greatest >= _POWERS_FROM:
        return _POWERS
    if told is not None:
        return _plain(0 if greatest >= 10 * told.size else 1) + told.ending
    return "General" if greatest < 10 else "#,##0"


def _greatest(values: Sequence[float]) -> float:
    return max(map(abs, values), default=0.0)


def _magnitude(values: Sequence[float], language: Language) -> _Magnitude | None:
    return next((one for one in _MAGNITUDES[language] if _greatest(values) >= one.size), None)


def _decimals(values: Sequence[float]) -> int:
    written = (f"{value:.{_MOST_DECIMALS}f}".rstrip("0").partition(".")[2] for value in values)
    return max(map(len, written), default=0)


def _plain(decimals: int) -> str:
    return "#,##0" + (f".{'0' * decimals}" if decimals else "")
