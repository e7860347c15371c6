"""What a plan may rest on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from research.brief import Brief
from research.presets import Limits


@dataclass(frozen=True)
class PlanRequest:
    """A brief that is to be planned."""

    brief: Brief
    brief_text: str
    today: date
    limits: Limits
