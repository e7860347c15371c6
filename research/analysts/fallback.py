"""An analyst with another behind it: what the first cannot do, the second does, and the run goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from research.analysts.protocol import (
    Analyst,
    Answer,
    AnswerRequest,
    Compression,
    Findings,
    Frame,
    FrameRequest,
    PageRequest,
    PageSummary,
    PlanRequest,
    ProblemHandler,
    Repair,
    RepairRequest,
    ReportRequest,
    ResearcherAction,
    ResearcherView,
    SupervisorAction,
    SupervisorView,
)
from research.core import CapReached, Depth, ModelError, ModelRefused, Outline, Reflection, Role, Stage

T = TypeVar("T")

_PATIENCE = 3
"""Calls in a row that may find nobody, before the first analyst is not asked any more."""


class FallbackAnalyst:
    """Asks `primary`, and where that fails `backup`.

    A role whose model refuses is not asked again in this run; if no model can be reached, none is. Each kind of failure
    is reported once a stage. `write`, `frame`, `answer` and `repair` have no fallback here: a failed text has to begin
    anew, which is for the caller to decide, and its author has to be named; a failed repair leaves the report as it is.
    """

    def __init__(self, primary: Analyst, backup: Analyst, on_problem: ProblemHandler) -> None:
        self._primary = primary
        self._backup = backup
        self._on_problem = on_problem
        self._off: dict[Role, ModelError] = {}
        self._reported: set[tuple[Stage, str]] = set()
        self._unreached = 0

    @property
    def name(self) -> str:
        """The primary's name."""
        return self._primary.name

    async def depth(self, request: PlanRequest) -> Depth:
        """Say how deep to search each section."""
        return await self._try(Role.PLANNING, Stage.SCOPE, lambda analyst: analyst.depth(request))

    async def outline(self, request: PlanRequest) -> Outline:
        """Plan the report."""
        return await self._try(Role.PLANNING, Stage.SCOPE, lambda analyst: analyst.outline(request))

    async def queries(self, view: ResearcherView) -> tuple[str, ...]:
        """Return the first queries for a topic."""
        return await self._try(Role.RESEARCH, Stage.RESEARCH, lambda analyst: analyst.queries(view))

    async def reflect(self, view: ResearcherView) -> Reflection:
        """Think about what a search brought."""
        return await self._try(Role.RESEARCH, Stage.RESEARCH, lambda analyst: analyst.reflect(view))

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Choose the supervisor's next actions."""
        return await self._try(Role.RESEARCH, Stage.SCOPE, lambda analyst: analyst.supervise(view))

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Choose a researcher's next actions."""
        return await self._try(Role.RESEARCH, Stage.RESEARCH, lambda analyst: analyst.investigate(view))

    async def summarise(self, request: PageRequest) -> PageSummary:
        """Summarise a page and quote it; the backup's summary is marked as made by rule, so that it is not kept."""

        async def summarise(analyst: Analyst) -> PageSummary:
            summary = await analyst.summarise(request)
            return summary if analyst is self._primary else replace(summary, by_rule=True)

        return await self._try(Role.SUMMARIZATION, Stage.SEARCH, summarise)

    def summary_key(self, request: PageRequest) -> tuple[str, ...] | None:
        """Return what changes the summary of whoever would make it."""
        analyst = self._backup if Role.SUMMARIZATION in self._off else self._primary
        return analyst.summary_key(request)

    async def compress(self, findings: Findings) -> Compression:
        """Choose the evidence worth keeping."""
        return await self._try(Role.COMPRESSION, Stage.RESEARCH, lambda analyst: analyst.compress(findings))

    async def write(self, request: ReportRequest) -> AsyncIterator[str]:
        """Let the primary write the report.

        Raises:
            ModelError: it cannot, or is known to be out of reach.
        """
        if request.role in self._off:
            raise self._off[request.role]
        async for piece in self._primary.write(request):
            yield piece

    async def frame(self, request: FrameRequest) -> Frame:
        """Let the primary write what stands around the sections of a report.

        Raises:
            ModelError: it cannot, or is known to be out of reach.
        """
        if request.role in self._off:
            raise self._off[request.role]
        return await self._primary.frame(request)

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        """Let the primary repair what it wrote.

        Raises:
            ModelError: it cannot, or is known to be out of reach.
        """
        if Role.FINAL_REPORT in self._off:
            raise self._off[Role.FINAL_REPORT]
        return await self._primary.repair(request)

    async def answer(self, request: AnswerRequest) -> Answer:
        """Let the primary answer a question.

        Raises:
            ModelError: it cannot.
        """
        return await self._primary.answer(request)

    async def _try(self, role: Role, stage: Stage, ask: Callable[[Analyst], Awaitable[T]]) -> T:
        if role not in self._off:
            try:
                answer = await ask(self._primary)
            except ModelError as error:
                self._note(role, stage, error)
            else:
                self._unreached = 0
                return answer
        return await ask(self._backup)

    def _note(self, role: Role, stage: Stage, error: ModelError) -> None:
        self._unreached = self._unreached + 1 if error.code == "model_unreachable" else 0
        if self._unreached >= _PATIENCE:
            self._off = dict.fromkeys(Role, error)
        elif isinstance(error, ModelRefused):
            self._off[role] = error
        # That the cap ends the research, the run says itself, once.
        if (stage, error.code) not in self._reported and not isinstance(error, CapReached):
            self._reported.add((stage, error.code))
            self._on_problem(stage, error.code, detail=error.detail)
