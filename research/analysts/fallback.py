"""An analyst with another behind it: what the first cannot do, the second does, and the run goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from research.analysts import protocol
from research.core import CapReached, Depth, ModelError, ModelRefused, Outline, Reflection, Role, Stage

if TYPE_CHECKING:
    from research.analysts.chat.models import RoleModels

T = TypeVar("T")

_PATIENCE = 3
"""Calls, each begun after the last one failed, that may find nobody, before the first analyst is not asked any more."""
_NOBODY = frozenset({"model_unreachable", "model_timeout"})
_DECIDING = frozenset({Role.PLANNING, Role.RESEARCH})
"""Roles in which another's model stands in: their calls are few, and what they decide is most of what a run finds.

Pages stay with the model that was chosen to read them, and for all else rules lose no quote.
"""


class FallbackAnalyst:
    """Asks `primary`, and where that fails `backup`.

    A role whose model refuses is not asked again in this run, unless another model stands in; if no model can be
    reached or none answers, none is asked. Each kind of failure is reported once a stage. `write`, `frame`, `answer`,
    `repair` and `judge` have no fallback here and raise a `ModelError`: a failed text has to begin anew, which is for
    the caller to decide, and its author has to be named; a failed repair leaves the report as it is.
    """

    def __init__(
        self,
        primary: protocol.Analyst,
        backup: protocol.Analyst,
        on_problem: protocol.ProblemHandler,
        stand_ins: RoleModels | None = None,
    ) -> None:
        self._primary = primary
        self._backup = backup
        self._on_problem = on_problem
        self._stand_ins = stand_ins
        self._off: dict[Role, ModelError] = {}
        self._reported: set[tuple[Stage, str]] = set()
        self._unreached = 0

    @property
    def name(self) -> str:
        """The primary's name."""
        return self._primary.name

    async def depth(self, request: protocol.PlanRequest) -> Depth:
        """Say how deep to search each section."""
        return await self._try(Role.PLANNING, Stage.SCOPE, lambda analyst: analyst.depth(request))

    async def outline(self, request: protocol.PlanRequest) -> Outline:
        """Plan the report."""
        return await self._try(Role.PLANNING, Stage.SCOPE, lambda analyst: analyst.outline(request))

    async def queries(self, view: protocol.ResearcherView) -> tuple[str, ...]:
        """Return the first queries for a topic."""
        return await self._try(Role.RESEARCH, Stage.RESEARCH, lambda analyst: analyst.queries(view))

    async def reflect(self, view: protocol.ResearcherView) -> Reflection:
        """Think about what a search brought."""
        return await self._try(Role.RESEARCH, Stage.RESEARCH, lambda analyst: analyst.reflect(view))

    async def supervise(self, view: protocol.SupervisorView) -> list[protocol.SupervisorAction]:
        """Choose the supervisor's next actions."""
        return await self._try(Role.RESEARCH, Stage.SCOPE, lambda analyst: analyst.supervise(view))

    async def investigate(self, view: protocol.ResearcherView) -> list[protocol.ResearcherAction]:
        """Choose a researcher's next actions."""
        return await self._try(Role.RESEARCH, Stage.RESEARCH, lambda analyst: analyst.investigate(view))

    async def summarise(self, request: protocol.PageRequest) -> protocol.PageSummary:
        """Summarise a page and quote it; the backup's summary is marked as made by rule, so that it is not kept."""

        async def summarise(analyst: protocol.Analyst) -> protocol.PageSummary:
            summary = await analyst.summarise(request)
            return summary if analyst is self._primary else replace(summary, by_rule=True)

        return await self._try(Role.SUMMARIZATION, Stage.SEARCH, summarise)

    def summary_key(self, request: protocol.PageRequest) -> tuple[str, ...] | None:
        """Return what changes the summary of whoever would make it."""
        analyst = self._backup if Role.SUMMARIZATION in self._off else self._primary
        return analyst.summary_key(request)

    async def compress(self, findings: protocol.Findings) -> protocol.Compression:
        """Choose the evidence worth keeping."""
        return await self._try(Role.COMPRESSION, Stage.RESEARCH, lambda analyst: analyst.compress(findings))

    async def write(self, request: protocol.ReportRequest) -> AsyncIterator[str]:
        """Let the primary write the report."""
        async for piece in self._alone(request.role).write(request):
            yield piece

    async def frame(self, request: protocol.FrameRequest) -> protocol.Frame:
        """Let the primary write what stands around the sections of a report."""
        return await self._alone(request.role).frame(request)

    async def repair(self, request: protocol.RepairRequest) -> tuple[protocol.Repair, ...]:
        """Let the primary repair what it wrote."""
        return await self._alone(Role.FINAL_REPORT).repair(request)

    async def judge(self, sentences: Sequence[protocol.OpenSentence]) -> tuple[protocol.Reading, ...]:
        """Let the primary read what rules leave open."""
        return await self._alone(Role.SUMMARIZATION).judge(sentences)

    async def answer(self, request: protocol.AnswerRequest) -> protocol.Answer:
        """Let the primary answer a question."""
        return await self._primary.answer(request)

    def _alone(self, role: Role) -> protocol.Analyst:
        """Return the primary for what has no fallback here; raises why it is known to be out of reach, if it is."""
        if role in self._off:
            raise self._off[role]
        return self._primary

    async def _try(self, role: Role, stage: Stage, ask: Callable[[protocol.Analyst], Awaitable[T]]) -> T:
        while role not in self._off:
            before, model = self._unreached, self._stand_ins.names[role] if self._stand_ins else ""
            try:
                answer = await ask(self._primary)
            except ModelError as error:
                self._count(error, before)
                self._tell(stage, error)
                if not isinstance(error, ModelRefused):
                    break
                if not self._is_replaced(role, model, stage):
                    self._off.setdefault(role, error)
            else:
                self._unreached = 0
                return answer
        return await ask(self._backup)

    def _is_replaced(self, role: Role, refused: str, stage: Stage) -> bool:
        """Whether another model plays a role now whose model refused."""
        if role not in _DECIDING or self._stand_ins is None:
            return False
        is_first = self._stand_ins.names[role] == refused
        if not self._stand_ins.replace(role, refused):
            return False
        if is_first:
            self._on_problem(stage, "model_replaced", subject=f"{refused} → {self._stand_ins.names[role]}")
        return True

    def _count(self, error: ModelError, before: int) -> None:
        """Count those in a row that found nobody; `before` is how many there were when the call began.

        Of calls that fail side by side one counts: a server that is away for a moment is asked again.
        """
        if error.code not in _NOBODY:
            self._unreached = 0
        elif self._unreached == before:
            self._unreached += 1
        if self._unreached >= _PATIENCE:
            self._off = dict.fromkeys(Role, error)

    def _tell(self, stage: Stage, error: ModelError) -> None:
        # That the cap ends the research, the run says itself, once.
        if (stage, error.code) not in self._reported and not isinstance(error, CapReached):
            self._reported.add((stage, error.code))
            self._on_problem(stage, error.code, detail=error.detail)
