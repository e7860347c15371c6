"""What a method is."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from research.graph.context import RunContext
from research.methods.stopping import StopReason


@dataclass(frozen=True)
class Ending:
    """Why the research of a run ended."""

    reason: StopReason
    why: str = ""
    """The same in the words of whoever decided, if they gave any."""


Research = Callable[[RunContext], Coroutine[Any, Any, Ending]]
"""Fills the books of a run: opens lanes, says who decides in each, runs them, and ends."""
