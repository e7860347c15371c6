"""Research without any model: queries from the brief, verbatim quotes, a computed score, a report of quotes."""

from __future__ import annotations

from collections.abc import AsyncIterator

from research.analysts.extractive import deciding, quoting, report
from research.analysts.protocol import (
    Compression,
    Findings,
    PageRequest,
    PageSummary,
    Repair,
    RepairRequest,
    ReportRequest,
    ResearcherAction,
    ResearcherView,
    SupervisorAction,
    SupervisorView,
)

__all__ = ["ExtractiveAnalyst"]


class ExtractiveAnalyst:
    """An `Analyst` that follows rules. It needs no key and no network, keeps no state and raises no `ModelError`.

    The same input gives the same output. Everything that it says of a source is a verbatim quote.
    """

    @property
    def name(self) -> str:
        """Return `extractive`."""
        return "extractive"

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Plan sections from the brief's lens, hand them out, and search once more for what is missing."""
        return deciding.supervise(view)

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Search broadly, then for what is missing, and say after each search what it brought."""
        return deciding.investigate(view)

    async def summarise(self, request: PageRequest) -> PageSummary:
        """Quote up to five passages of the page that speak of the question."""
        return await quoting.summarise(request)

    def summary_key(self, request: PageRequest) -> None:
        """Return None: a summary by rule is faster made than read from a cache."""
        return

    async def compress(self, findings: Findings) -> Compression:
        """Keep what is relevant and said once, at least one quote of each source."""
        return quoting.compress(findings)

    async def write(self, request: ReportRequest) -> AsyncIterator[str]:
        """Write the report of quotes, part by part."""
        for part in report.parts(request):
            yield part

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        """Repair nothing: rules find what is weak, but do not word anything anew."""
        return ()
