"""The analyst that asks chat models: one for each role."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date

from research.analysts.chat import deciding, reading, repairing, writing
from research.analysts.chat.models import RoleModels
from research.analysts.chat.writing import OnProblem
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


class ChatAnalyst:
    """Research decided, summarised, compressed and written by chat models.

    Every method may raise `ModelError`. Prompts that can act hold no page text; prompts that hold page text can do
    nothing but answer.
    """

    name = "chat"

    def __init__(self, models: RoleModels, today: date, on_problem: OnProblem) -> None:
        self._models = models
        self._today = today
        self._on_problem = on_problem

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Choose the supervisor's next actions; an empty list if the model chose none."""
        return await deciding.supervise(self._models, view)

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Choose a researcher's next actions; an empty list if the model chose none."""
        return await deciding.investigate(self._models, view)

    async def summarise(self, request: PageRequest) -> PageSummary:
        """Summarise a page and quote it."""
        return await reading.summarise(self._models, request)

    def summary_key(self, request: PageRequest) -> tuple[str, ...]:
        """Return all that changes a summary besides the page."""
        return reading.summary_key(self._models, request)

    async def compress(self, findings: Findings) -> Compression:
        """Choose the evidence worth keeping."""
        return await reading.compress(self._models, findings, self._today)

    def write(self, request: ReportRequest) -> AsyncIterator[str]:
        """Write the report in pieces; what was left out or cut off goes to `on_problem`."""
        return writing.write(self._models, request, self._on_problem)

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        """Say how weak sentences of the report can be repaired."""
        return await repairing.repair(self._models, request)
