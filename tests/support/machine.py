"""How fast the machine is that the tests run on: limits of time were set on a quiet one."""

from __future__ import annotations

from time import perf_counter

_STEPS = 3_000_000
_REFERENCE = 0.18
"""Seconds that so many steps take on the machine on which the limits were set, with nothing else going on."""


def slowness() -> float:
    """Return how many times longer this machine takes now than the one on which limits of time were set, at least 1."""
    return max(1.0, _counted() / _REFERENCE)


def _counted() -> float:
    began, total = perf_counter(), 0
    for step in range(_STEPS):
        total += step
    return perf_counter() - began
