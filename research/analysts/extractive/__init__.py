"""The analyst that needs no model."""

from research.analysts.extractive.analyst import ExtractiveAnalyst
from research.analysts.extractive.plan import plan_for, title_of

__all__ = [
    "ExtractiveAnalyst",
    "plan_for",
    "title_of",
]
