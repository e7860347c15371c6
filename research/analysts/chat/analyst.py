"""The analyst that asks chat models: how it plans, and with how it decides, reads and writes all of it."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, Field

from research.analysts.chat import answers
from research.analysts.chat.deciding import Deciding, new_queries, recalling
from research.analysts.chat.writing import Reading, Writing
from research.analysts.protocol import PlanRequest, ResearcherView, Step, Think
from research.core import DEEPEST, Depth, Doubt, Insight, NextQuery, Outline, Reflection, Role, UnusableAnswer

_SECONDS = 120.0
"""A plan that takes longer is not going to end: weak models list section after section."""


class DepthChoice(BaseModel):
    """How deep to search, and why."""

    reason: str = Field(default_factory=str)
    queries_per_section: int
    iterations: int


class PlannedSection(BaseModel):
    """One section of the report."""

    title: str
    focus: str = Field(default_factory=str)
    questions: list[str] = Field(default_factory=list)
    needs: list[str] = Field(default_factory=list)


class PlanAnswer(BaseModel):
    """The plan of the report."""

    purpose: str = Field(default_factory=str)
    sections: list[PlannedSection]
    introduction: str = Field(default_factory=str)
    conclusion: str = Field(default_factory=str)
    remark: str = Field(default_factory=str)


_LONGEST = 1_000
"""Characters of one part."""
_MOST = 12
"""Parts of one kind."""
_UNSURE = 5.0
_NONE = {"none", "nothing", "no gaps", "no gap", "n/a", "なし", "無し", "特になし", "ありません"}
"""What models write into a list to say that it is empty."""


class Learned(BaseModel):
    """Something learned, how sure it is, and the ids of the evidence it rests on."""

    text: str
    confidence: float = Field(default_factory=lambda: _UNSURE)
    evidence: list[str] = Field(default_factory=list)


class Doubted(BaseModel):
    """Statements that contradict each other, or a claim that has to be verified."""

    text: str
    evidence: list[str] = Field(default_factory=list)


class Proposed(BaseModel):
    """A query to make next, and why."""

    query: str
    reason: str = Field(default_factory=str)


class Thoughts(BaseModel):
    """A reflection on what was found."""

    insights: list[Learned] = Field(default_factory=list)
    gaps: list[str]
    doubts: list[Doubted] = Field(default_factory=list)
    queries: list[Proposed]
    summary: str


class Planning(answers.Asking):
    """What is decided of a whole plan, and thought of what was found."""

    async def depth(self, request: PlanRequest) -> Depth:
        """Say how deep to search each section, and why; what is out of range is taken to the nearest that exists."""
        limits = request.limits
        deepest = {
            "queries": min(limits.queries, DEEPEST),
            "iterations": min(limits.methods.iterations, DEEPEST),
        }
        chosen = await self._planned("depth", request, DepthChoice, **deepest)
        return Depth.within(chosen.queries_per_section, chosen.iterations, chosen.reason)

    async def outline(self, request: PlanRequest) -> Outline:
        """Plan the report; however many sections the model names are passed on."""
        plan = await self._planned("outline", request, PlanAnswer, sections=request.limits.methods.sections)
        return Outline.model_validate(plan.model_dump())

    async def _planned(
        self, prompt: str, request: PlanRequest, shape: type[answers.Shape], **limits: int
    ) -> answers.Shape:
        told = answers.instructions(prompt, request.brief, request.today, **limits)
        asked = f"{answers.brief_block(request.brief)}\n\n{answers.asked_block(request.brief)}"
        seconds = min(_SECONDS, self._models.seconds)
        return await self.ask(Role.PLANNING, told, asked, shape, seconds=seconds)

    async def reflect(self, view: ResearcherView) -> Reflection:
        """Think about what a search brought, in parts; ids that do not exist and queries made already are left out.

        Raises:
            UnusableAnswer: the answer says nothing.
        """

        async def think(steps: tuple[Step, ...]) -> Thoughts:
            told = answers.instructions("reflect", view.brief, view.today, queries=view.limits.queries)
            return await self.ask(Role.RESEARCH, told, _task(view, steps), Thoughts)

        thoughts = await recalling(self._models, view.steps, think)
        reflection = Reflection(
            summary=answers.cut(thoughts.summary, _LONGEST),
            insights=tuple(_insight(part, view) for part in thoughts.insights[:_MOST] if part.text),
            gaps=tuple(answers.cut(gap, _LONGEST) for gap in dict.fromkeys(thoughts.gaps) if not _is_nothing(gap))[
                :_MOST
            ],
            doubts=tuple(
                Doubt(text=answers.cut(part.text, _LONGEST), evidence=answers.known_ids(part.evidence, view.evidence))
                for part in thoughts.doubts[:_MOST]
                if not _is_nothing(part.text)
            ),
            queries=_next_queries(thoughts.queries, view),
        )
        if not (reflection.summary or reflection.insights or reflection.gaps):
            raise UnusableAnswer("model_unusable", f"{self._models.names[Role.RESEARCH]}: empty reflection")
        return reflection


def _task(view: ResearcherView, steps: Iterable[Step]) -> str:
    observed = "\n\n".join(
        f"Reflection: {step.action.reflection}" if isinstance(step.action, Think) else step.observation
        for step in steps
    )
    left = f"Search rounds left: {view.searches_left}."
    return "\n\n".join(
        filter(None, (answers.assignment(view), f"<found>\n{observed}\n</found>", answers.computed(view), left))
    )


def _insight(part: Learned, view: ResearcherView) -> Insight:
    # Some models give a share of one instead of points of ten.
    points = part.confidence * 10 if 0 < part.confidence < 1 else part.confidence
    return Insight(
        text=answers.cut(part.text, _LONGEST),
        confidence=min(max(round(points), 1), 10),
        evidence=answers.known_ids(part.evidence, view.evidence),
    )


def _is_nothing(text: str) -> bool:
    bare = text.strip(" .。-—[]()").casefold()
    return not bare or bare in _NONE


def _next_queries(proposed: Iterable[Proposed], view: ResearcherView) -> tuple[NextQuery, ...]:
    reasons: dict[str, str] = {}
    for part in proposed:
        for query in new_queries([part.query], view):
            reasons.setdefault(query, answers.cut(part.reason, _LONGEST))
    return tuple(NextQuery(query=query, reason=reasons[query]) for query in new_queries(reasons, view))


# --- all of it -------------------------------------------------------------------------------------------------------


class ChatAnalyst(Planning, Deciding, Reading, Writing):
    """Research decided, summarised, compressed and written by chat models.

    Every method may raise `ModelError`. Prompts that can act hold no page text; prompts that hold page text can do
    nothing but answer.
    """

    name = "chat"
