"""The analyst that needs no model."""

from research.analysts.extractive.analyst import ExtractiveAnalyst
from research.analysts.extractive.plan import plan_for, title_of
from research.gaps import is_excluded

__all__ = [
    "ExtractiveAnalyst",
    "is_excluded",
    "plan_for",
    "title_of",
]
