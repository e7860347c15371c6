"""The plan of a report, and how deep its sections are searched."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from research.core.outline import Depth, Outline
from research.events.fact import Event


class DepthChosen(Event):
    """It was decided how deep each section is searched, and why."""

    type: Literal["depth_chosen"] = "depth_chosen"
    depth: Depth
    by: Literal["analyst", "user"]


class PlanDrafted(Event):
    """The report was planned; until `begins_at` somebody may edit the plan, if that is set."""

    type: Literal["plan_drafted"] = "plan_drafted"
    outline: Outline
    begins_at: datetime | None = None


class PlanHeld(Event):
    """Somebody began to edit the plan; research waits for them, until `begins_at` at most."""

    type: Literal["plan_held"] = "plan_held"
    begins_at: datetime


class PlanSettled(Event):
    """Research begins with this plan."""

    type: Literal["plan_settled"] = "plan_settled"
    outline: Outline
    edited: bool
    step_budget: int | None = None
    """Steps (searches and reflections) that the plan may take; None where they are not counted."""
