"""Calls of models."""

from __future__ import annotations

from typing import Literal

from research.core.presets import Role
from research.events.fact import Event


class ModelCalled(Event):
    """A model was called, whether or not the call brought something usable."""

    type: Literal["model_called"] = "model_called"
    role: Role
    model: str
    seconds: float
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    """None if the price of the model is not known."""
    error: str = ""
