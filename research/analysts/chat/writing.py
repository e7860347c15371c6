"""Write the report: one streamed call that sees the brief and the evidence and can do nothing but write."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Protocol

from langchain_core.messages import BaseMessage

from research.analysts.chat.messages import finish_of
from research.analysts.chat.models import RoleModels
from research.analysts.chat.providers import OPENAI
from research.analysts.chat.reduction import reduce
from research.analysts.chat.reportprompt import report_messages
from research.analysts.chat.reportstream import ReportStream
from research.analysts.protocol import ReportRequest
from research.errors import ContextOverflow, UnusableAnswer
from research.events import Stage
from research.length import PAGES, length_of
from research.presets import Role

_REDUCTIONS = 4
_KEPT = 2 / 3
"""The share of the evidence that each reduction keeps."""
_PAGE_CHARACTERS = 3_000
_PATIENCE = 4
"""A report so many times longer than it was asked to be is not going to end."""
_WHOLE = ("stop", "end_turn", "STOP")
"""How providers say that an answer is complete."""


class OnProblem(Protocol):
    """Is told what went wrong where the work went on."""

    def __call__(self, stage: Stage, code: str, *, subject: str = "", detail: str = "") -> None:
        """Take a stage, a key of `research.problems`, what it happened to, and the technical reason."""
        ...


async def write(models: RoleModels, request: ReportRequest, on_problem: OnProblem) -> AsyncGenerator[str]:
    """Yield the report in pieces. Evidence that does not fit the model's window is reduced, and that is reported.

    Raises:
        UnusableAnswer: the model wrote nothing.
        ModelError: the call failed, before the first piece or between two.
    """
    topics = _evidence_by_topic(request)
    found = left = sum(map(len, topics))
    for tries_left in reversed(range(_REDUCTIONS + 1)):
        async with aclosing(_report(models, report_messages(request, topics), _longest(request), on_problem)) as pieces:
            try:
                first = await anext(pieces)
            except ContextOverflow:
                if not tries_left or left < 2:
                    raise
                left = int(left * _KEPT)
                topics = reduce(topics, request.evidence, left)
                continue
            if left < found:
                on_problem(Stage.WRITING, "context_overflow", subject=f"{left}/{found}")
            yield first
            async for piece in pieces:
                yield piece
            return


async def _report(
    models: RoleModels, messages: Sequence[BaseMessage], longest: int, on_problem: OnProblem
) -> AsyncGenerator[str]:
    """Yield the report in pieces that are not empty, one at least; say so if it was cut."""
    stream, finish, empty = ReportStream(longest), "", True
    async with aclosing(models.stream(Role.FINAL_REPORT, messages)) as pieces:
        async for message in pieces:
            finish = finish_of(message) or finish
            if text := stream.feed(message.text):
                empty = False
                yield text
            if stream.is_endless:
                finish = "the model repeated itself"
                break
    if text := stream.end():
        empty = False
        yield text
    name = models.names[Role.FINAL_REPORT]
    if empty:
        raise UnusableAnswer("model_unusable", f"{name}: empty report")
    ended = finish in _WHOLE or (not finish and models.provider(Role.FINAL_REPORT) != OPENAI)
    if not ended:
        on_problem(Stage.WRITING, "answer_cut", subject=name, detail=finish or "the stream ended early")


def _longest(request: ReportRequest) -> int:
    return PAGES[length_of(request.brief)].most * _PAGE_CHARACTERS * _PATIENCE


def _evidence_by_topic(request: ReportRequest) -> list[list[str]]:
    """Return the ids of the evidence of each topic, each once."""
    seen: set[str] = set()
    topics = []
    for result in request.results:
        topics.append(
            [name for name in dict.fromkeys(result.evidence) if name in request.evidence and name not in seen]
        )
        seen.update(topics[-1])
    return topics
