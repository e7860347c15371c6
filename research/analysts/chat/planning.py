"""Plan a report: how deep to search, and its sections. Nothing is known yet but the brief."""

from __future__ import annotations

from pydantic import BaseModel, Field

from research import prompts
from research.analysts.chat.lenient import Shape
from research.analysts.chat.messages import system, user
from research.analysts.chat.models import RoleModels
from research.analysts.chat.structured import ask
from research.analysts.chat.wording import language_name
from research.analysts.protocol import PlanRequest
from research.methods.limits import DEEPEST
from research.outline import Depth, Outline, Section
from research.presets import Role

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


class Plan(BaseModel):
    """The plan of the report."""

    purpose: str = Field(default_factory=str)
    sections: list[PlannedSection]
    introduction: str = Field(default_factory=str)
    conclusion: str = Field(default_factory=str)
    remark: str = Field(default_factory=str)


async def depth(models: RoleModels, request: PlanRequest) -> Depth:
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


async def outline(models: RoleModels, request: PlanRequest) -> Outline:
    """Plan the report; the plan is passed on as it is, with however many sections.

    Raises:
        ModelError: the call failed, or its answer is no plan.
    """
    instructions = prompts.load("outline").fill(
        today=request.today.isoformat(),
        language=language_name(request.brief.language),
        sections=request.limits.methods.sections,
    )
    plan = await _answer(models, instructions, request, Plan)
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
    messages = [system(instructions), user(f"<brief>\n{request.brief_text}\n</brief>")]
    return await ask(models, Role.PLANNING, messages, shape, seconds=min(_SECONDS, models.seconds))
