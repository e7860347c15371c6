"""What a run that broke off had decided and begun, until its method comes to it again."""

from __future__ import annotations

from dataclasses import dataclass, field

from research.events import DepthChosen, PlanSettled
from research.graph.lane import Lane


@dataclass
class TakenUp:
    """Nothing in it for a run that begins; a method asks for it before it decides anew."""

    plan: PlanSettled | None = None
    depth: DepthChosen | None = None
    notes: int = 0
    """Research notes taken so far."""
    lanes: dict[str, Lane] = field(default_factory=dict)
    """Researchers by topic, in the order of their names, until their topics are opened again."""
