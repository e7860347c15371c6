"""Who decides, summarises and writes: what every analyst can be asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from research.analysts.protocol.actions import ResearcherAction, SupervisorAction
from research.analysts.protocol.answering import Answer, AnswerRequest
from research.analysts.protocol.planning import PlanRequest
from research.analysts.protocol.reading import PageRequest, PageSummary
from research.analysts.protocol.repairing import Repair, RepairRequest
from research.analysts.protocol.topics import Compression, Findings
from research.analysts.protocol.views import ResearcherView, SupervisorView
from research.analysts.protocol.writing import ReportRequest
from research.outline import Depth, Outline
from research.reflection import Reflection


class Analyst(Protocol):
    """Who decides, summarises and writes.

    Every method may raise `ModelError`; the graphs then fall back to rules and go on.
    """

    @property
    def name(self) -> str:
        """`chat` or `extractive`: shown wherever this analyst's output appears."""
        ...

    async def depth(self, request: PlanRequest) -> Depth:
        """Say how deep to search each section, and why."""
        ...

    async def outline(self, request: PlanRequest) -> Outline:
        """Plan the report: three to `limits.methods.sections` sections."""
        ...

    async def queries(self, view: ResearcherView) -> tuple[str, ...]:
        """Return the first queries for a topic, at most `limits.queries`; none if it needs no research."""
        ...

    async def reflect(self, view: ResearcherView) -> Reflection:
        """Think about what a search brought, in parts; no better queries if there is nothing worth searching."""
        ...

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Choose the supervisor's next actions; an empty list ends the research."""
        ...

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Choose a researcher's next actions; an empty list ends the topic."""
        ...

    async def summarise(self, request: PageRequest) -> PageSummary:
        """Summarise a page and quote it verbatim."""
        ...

    def summary_key(self, request: PageRequest) -> tuple[str, ...] | None:
        """Return all that changes the summary besides the page (model, parameters, prompt), or None: not cacheable."""
        ...

    async def compress(self, findings: Findings) -> Compression:
        """Choose the evidence worth keeping; ids only, quotes are never rewritten."""
        ...

    def write(self, request: ReportRequest) -> AsyncIterator[str]:
        """Write the report as Markdown in pieces, citing evidence as `[E12]`; no URL, no citation number."""
        ...

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        """Say how weak sentences can be repaired; those that are not named stay as they are."""
        ...

    async def answer(self, request: AnswerRequest) -> Answer:
        """Answer a question about a finished report from its evidence alone."""
        ...
