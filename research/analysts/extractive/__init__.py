"""The analyst that needs no model."""

from research.analysts.extractive.analyst import ExtractiveAnalyst
from research.analysts.extractive.plan import plan_for
from research.analysts.extractive.queries import row_quotes, rows_cited, rows_computed
from research.analysts.extractive.report import ASIDES, EMPTY_SECTION, SUMMARY
from research.analysts.extractive.statements import measures_computed, operand_quotes

__all__ = [
    "ASIDES",
    "EMPTY_SECTION",
    "SUMMARY",
    "ExtractiveAnalyst",
    "measures_computed",
    "operand_quotes",
    "plan_for",
    "row_quotes",
    "rows_cited",
    "rows_computed",
]
