"""The analyst that asks chat models: one for each role."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import date

from research.analysts.chat.deciding import ask_queries, ask_researcher, ask_supervisor
from research.analysts.chat.models import RoleModels
from research.analysts.chat.planning import ask_depth, ask_outline, ask_reflection
from research.analysts.chat.reading import (
    ask_answer,
    ask_compression,
    ask_judgement,
    ask_repair,
    ask_summary,
    key_of_summary,
)
from research.analysts.chat.writing import ask_frame, ask_report
from research.analysts.protocol import (
    Answer,
    AnswerRequest,
    Compression,
    Findings,
    Frame,
    FrameRequest,
    OpenSentence,
    PageRequest,
    PageSummary,
    PlanRequest,
    Reading,
    Repair,
    RepairRequest,
    ReportRequest,
    ResearcherAction,
    ResearcherView,
    SupervisorAction,
    SupervisorView,
)
from research.core import Depth, Outline, Reflection


class ChatAnalyst:
    """Research decided, summarised, compressed and written by chat models.

    Every method may raise `ModelError`. Prompts that can act hold no page text; prompts that hold page text can do
    nothing but answer.
    """

    name = "chat"

    def __init__(self, models: RoleModels, today: date) -> None:
        self._models = models
        self._today = today

    async def depth(self, request: PlanRequest) -> Depth:
        """Say how deep to search each section, and why."""
        return await ask_depth(self._models, request)

    async def outline(self, request: PlanRequest) -> Outline:
        """Plan the report; however many sections the model names are passed on."""
        return await ask_outline(self._models, request)

    async def queries(self, view: ResearcherView) -> tuple[str, ...]:
        """Return the first queries for a topic; none if the model sees no need to search."""
        return await ask_queries(self._models, view)

    async def reflect(self, view: ResearcherView) -> Reflection:
        """Think about what a search brought, in parts."""
        return await ask_reflection(self._models, view)

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Choose the supervisor's next actions; an empty list if the model chose none."""
        return await ask_supervisor(self._models, view)

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Choose a researcher's next actions; an empty list if the model chose none."""
        return await ask_researcher(self._models, view)

    async def summarise(self, request: PageRequest) -> PageSummary:
        """Summarise a page and quote it."""
        return await ask_summary(self._models, request)

    def summary_key(self, request: PageRequest) -> tuple[str, ...]:
        """Return all that changes a summary besides the page."""
        return key_of_summary(self._models, request)

    async def compress(self, findings: Findings) -> Compression:
        """Choose the evidence worth keeping."""
        return await ask_compression(self._models, findings, self._today)

    def write(self, request: ReportRequest) -> AsyncIterator[str]:
        """Write the report, or one section of it, in pieces."""
        return ask_report(self._models, request)

    async def frame(self, request: FrameRequest) -> Frame:
        """Write what stands around the sections of the report."""
        return await ask_frame(self._models, request)

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        """Say how weak sentences of the report can be repaired."""
        return await ask_repair(self._models, request)

    async def judge(self, sentences: Sequence[OpenSentence]) -> tuple[Reading, ...]:
        """Say what passages bear out of sentences on which rules could not decide."""
        return await ask_judgement(self._models, sentences, self._today)

    async def answer(self, request: AnswerRequest) -> Answer:
        """Answer a question about a finished report from its evidence alone."""
        return await ask_answer(self._models, request)
