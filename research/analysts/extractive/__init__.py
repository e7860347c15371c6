"""The analyst that needs no model."""

from research.analysts.extractive.analyst import ExtractiveAnalyst
from research.analysts.extractive.asked import is_excluded
from research.analysts.extractive.plan import plan_for

__all__ = [
    "ExtractiveAnalyst",
    "is_excluded",
    "plan_for",
]
