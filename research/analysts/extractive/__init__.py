"""The analyst that needs no model."""

from research.analysts.extractive.analyst import ExtractiveAnalyst
from research.analysts.extractive.measures import measures_computed, operand_quotes
from research.analysts.extractive.plan import plan_for, title_of

__all__ = [
    "ExtractiveAnalyst",
    "measures_computed",
    "operand_quotes",
    "plan_for",
    "title_of",
]
