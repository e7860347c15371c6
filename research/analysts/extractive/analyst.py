"""The analyst that needs no model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from research.analysts.extractive.deciding import broad_queries, investigate_by_rule, reflect_by_rule, supervise_by_rule
from research.analysts.extractive.notes import compress_by_rule
from research.analysts.extractive.plan import depth_by_rule, outline_by_rule
from research.analysts.extractive.quoting import summarise_by_rule
from research.analysts.extractive.report import answer_by_rule, report_by_rule, section_by_rule, title_of_report
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
from research.gaps import Relevance
from research.meaning import Meaning


class ExtractiveAnalyst:
    """An `Analyst` that follows rules. It needs no key and no network, keeps no state and raises no `ModelError`.

    The same input gives the same output. Everything that it says of a source is a verbatim quote.
    """

    def __init__(self, meaning: Meaning | None = None) -> None:
        """Make an analyst; without a `meaning` it tells by words alone what speaks of the question."""
        self._meaning = meaning
        self._relevance = Relevance(meaning)

    @property
    def name(self) -> str:
        """Return `extractive`."""
        return "extractive"

    async def depth(self, request: PlanRequest) -> Depth:
        """Choose the depth from what the question asks for and the preset allows."""
        return depth_by_rule(request)

    async def outline(self, request: PlanRequest) -> Outline:
        """Plan sections for what is asked."""
        return outline_by_rule(request)

    async def queries(self, view: ResearcherView) -> tuple[str, ...]:
        """Return broad queries: each name asked for, with what is wanted of it."""
        return broad_queries(view)

    async def reflect(self, view: ResearcherView) -> Reflection:
        """Say what is covered, missing and contradictory, by counting; propose a query for each gap."""
        return await reflect_by_rule(view, self._relevance)

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Plan sections for what is asked, hand them out, and search once more for those that failed."""
        return supervise_by_rule(view)

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Search broadly, then for what is missing, and say after each search what it brought."""
        return await investigate_by_rule(view, self._relevance)

    async def summarise(self, request: PageRequest) -> PageSummary:
        """Quote the passages of the page that speak of the question, and the values that may answer it."""
        return await summarise_by_rule(request, self._meaning)

    def summary_key(self, request: PageRequest) -> None:
        """Return None: a summary by rule is faster made than read from a cache."""
        return

    async def compress(self, findings: Findings) -> Compression:
        """Keep what is relevant and said once, at least one quote of each source."""
        return await asyncio.to_thread(compress_by_rule, findings, self._relevance)

    async def write(self, request: ReportRequest) -> AsyncIterator[str]:
        """Write the report of values and quotes, part by part; of one section, every quote."""
        if request.part is not None:
            yield section_by_rule(request, request.part)
            return
        for part in await asyncio.to_thread(report_by_rule, request, self._meaning, self._relevance):
            yield part

    async def frame(self, request: FrameRequest) -> Frame:
        """Let the first sentences say in short what the sections tell."""
        return Frame(title_of_report(request.brief.question), " ".join(request.sentences[:3]))

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        """Repair nothing: rules find what is weak, but do not word anything anew."""
        return ()

    async def judge(self, sentences: Sequence[OpenSentence]) -> tuple[Reading, ...]:
        """Read nothing: what rules leave open stays so."""
        return ()

    async def answer(self, request: AnswerRequest) -> Answer:
        """Quote what comes nearest to the question."""
        return await asyncio.to_thread(answer_by_rule, request, self._relevance)
