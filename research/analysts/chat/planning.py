"""Depth, plan and reflection, asked of a chat model."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, Field

from research import prompts
from research.analysts.chat.answers import Shape, ask, cut, known_ids, system, user
from research.analysts.chat.deciding import asked_block, assignment, computed, language_name, new_queries, recalling
from research.analysts.chat.models import RoleModels
from research.analysts.protocol import PlanRequest, ResearcherView, Step, Think
from research.core import DEEPEST, Depth, Doubt, Insight, NextQuery, Outline, Reflection, Role, Section, UnusableAnswer

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


async def ask_depth(models: RoleModels, request: PlanRequest) -> Depth:
    """Say how deep to search each section; what is out of range is taken to the nearest that exists.

    Raises:
        ModelError: the call failed, or its answer names no numbers.
    """
    instructions = prompts.load("depth").fill(
        today=request.today.isoformat(),
        language=language_name(request.brief.language),
        queries=min(request.limits.queries, DEEPEST),
        iterations=min(request.limits.methods.iterations, DEEPEST),
    )
    chosen = await _answer(models, instructions, request, DepthChoice)
    return Depth.within(chosen.queries_per_section, chosen.iterations, chosen.reason)


async def ask_outline(models: RoleModels, request: PlanRequest) -> Outline:
    """Plan the report; the plan is passed on as it is, with however many sections.

    Raises:
        ModelError: the call failed, or its answer is no plan.
    """
    instructions = prompts.load("outline").fill(
        today=request.today.isoformat(),
        language=language_name(request.brief.language),
        sections=request.limits.methods.sections,
    )
    plan = await _answer(models, instructions, request, PlanAnswer)
    sections = tuple(
        Section(title=part.title, focus=part.focus, questions=tuple(part.questions), needs=tuple(part.needs))
        for part in plan.sections
    )
    return Outline(
        purpose=plan.purpose,
        sections=sections,
        introduction=plan.introduction,
        conclusion=plan.conclusion,
        remark=plan.remark,
    )


async def _answer(models: RoleModels, instructions: str, request: PlanRequest, shape: type[Shape]) -> Shape:
    messages = [system(instructions), user(f"<brief>\n{request.brief_text}\n</brief>\n\n{asked_block(request.brief)}")]
    return await ask(models, Role.PLANNING, messages, shape, seconds=min(_SECONDS, models.seconds))


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


async def ask_reflection(models: RoleModels, view: ResearcherView) -> Reflection:
    """Think about what was found so far; ids that do not exist and queries that were made are left out.

    Raises:
        UnusableAnswer: the answer says nothing.
        ModelError: the call failed.
    """
    instructions = prompts.load("reflect").fill(
        today=view.today.isoformat(),
        language=language_name(view.brief.language),
        queries=view.limits.queries,
    )

    async def think(steps: tuple[Step, ...]) -> Thoughts:
        return await ask(models, Role.RESEARCH, [system(instructions), user(_task(view, steps))], Thoughts)

    thoughts = await recalling(models, view.steps, think)
    reflection = Reflection(
        summary=cut(thoughts.summary, _LONGEST),
        insights=tuple(_insight(part, view) for part in thoughts.insights[:_MOST] if part.text),
        gaps=tuple(_said(thoughts.gaps)),
        doubts=tuple(_doubt(part, view) for part in thoughts.doubts[:_MOST] if not _is_nothing(part.text)),
        queries=_next_queries(thoughts.queries, view),
    )
    if not (reflection.summary or reflection.insights or reflection.gaps):
        raise UnusableAnswer("model_unusable", f"{models.names[Role.RESEARCH]}: empty reflection")
    return reflection


def _task(view: ResearcherView, steps: Iterable[Step]) -> str:
    observed = "\n\n".join(map(_observed, steps))
    left = f"Search rounds left: {view.searches_left}."
    return "\n\n".join(filter(None, (assignment(view), f"<found>\n{observed}\n</found>", computed(view), left)))


def _observed(step: Step) -> str:
    return f"Reflection: {step.action.reflection}" if isinstance(step.action, Think) else step.observation


def _insight(part: Learned, view: ResearcherView) -> Insight:
    # Some models give a share of one instead of points of ten.
    points = part.confidence * 10 if 0 < part.confidence < 1 else part.confidence
    return Insight(
        text=cut(part.text, _LONGEST),
        confidence=min(max(round(points), 1), 10),
        evidence=known_ids(part.evidence, view.evidence),
    )


def _doubt(part: Doubted, view: ResearcherView) -> Doubt:
    return Doubt(text=cut(part.text, _LONGEST), evidence=known_ids(part.evidence, view.evidence))


def _said(gaps: Iterable[str]) -> list[str]:
    return [cut(gap, _LONGEST) for gap in dict.fromkeys(gaps) if not _is_nothing(gap)][:_MOST]


def _is_nothing(text: str) -> bool:
    bare = text.strip(" .。-—[]()").casefold()
    return not bare or bare in _NONE


def _next_queries(proposed: Iterable[Proposed], view: ResearcherView) -> tuple[NextQuery, ...]:
    reasons: dict[str, str] = {}
    for part in proposed:
        for query in new_queries([part.query], view):
            reasons.setdefault(query, cut(part.reason, _LONGEST))
    return tuple(NextQuery(query=query, reason=reasons[query]) for query in new_queries(reasons, view))
