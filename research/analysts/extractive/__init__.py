"""Research without any model: queries from the brief, verbatim quotes, a computed score, a report of quotes."""

from __future__ import annotations

from collections.abc import AsyncIterator

from research.analysts.extractive import answering, deciding, fitting, planning, queries, quoting, reflecting
from research.analysts.extractive.exclusions import without_excluded
from research.analysts.extractive.topics import section_in
from research.analysts.protocol import (
    Answer,
    AnswerRequest,
    Compression,
    Findings,
    PageRequest,
    PageSummary,
    PlanRequest,
    Repair,
    RepairRequest,
    ReportRequest,
    ResearcherAction,
    ResearcherView,
    SupervisorAction,
    SupervisorView,
)
from research.outline import Depth, Outline
from research.reflection import Reflection

__all__ = ["ExtractiveAnalyst"]


class ExtractiveAnalyst:
    """An `Analyst` that follows rules. It needs no key and no network, keeps no state and raises no `ModelError`.

    The same input gives the same output. Everything that it says of a source is a verbatim quote.
    """

    @property
    def name(self) -> str:
        """Return `extractive`."""
        return "extractive"

    async def depth(self, request: PlanRequest) -> Depth:
        """Choose the depth from what the question asks for and the preset allows."""
        return planning.depth(request)

    async def outline(self, request: PlanRequest) -> Outline:
        """Plan the sections of the brief's lens."""
        return planning.outline(request)

    async def queries(self, view: ResearcherView) -> tuple[str, ...]:
        """Return broad queries: each name asked for, with the words of the section."""
        return queries.first_queries(view, without_excluded(section_in(view), view.brief))

    async def reflect(self, view: ResearcherView) -> Reflection:
        """Say what is covered, missing and contradictory, by counting; propose a query for each gap."""
        return await reflecting.reflect(view)

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Plan sections from the brief's lens, hand them out, and search once more for what is missing."""
        return deciding.supervise(view)

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Search broadly, then for what is missing, and say after each search what it brought."""
        return await deciding.investigate(view)

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
        for part in fitting.fitting_parts(request):
            yield part

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        """Repair nothing: rules find what is weak, but do not word anything anew."""
        return ()

    async def answer(self, request: AnswerRequest) -> Answer:
        """Quote what comes nearest to the question."""
        return answering.answer(request)
