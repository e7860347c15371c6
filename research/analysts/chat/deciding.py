"""Decide what to do next, by tool calls: the supervisor's part and the researcher's part.

These are the only prompts that can make something happen. They hold the brief, the limits, and what the program and
other analysts observed; nothing that a page says reaches them as the page says it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, BaseMessage

from research import prompts
from research.analysts.chat.history import as_text_messages, as_tool_messages
from research.analysts.chat.messages import assistant, cut, system, user
from research.analysts.chat.models import RoleModels
from research.analysts.chat.offers import example, introduction
from research.analysts.chat.querying import new_queries
from research.analysts.chat.recall import recalling
from research.analysts.chat.tools import (
    COMPLETE,
    CONDUCT_RESEARCH,
    SEARCH,
    SIMPLE,
    THINK,
    Call,
    Tool,
    calls_in,
    tool_of,
)
from research.analysts.chat.wording import assignment, computed, language_name
from research.analysts.protocol import (
    ConductResearch,
    ResearchComplete,
    ResearcherAction,
    ResearcherView,
    Search,
    Step,
    SupervisorAction,
    SupervisorView,
    Think,
    UseTool,
)
from research.presets import Role

Look = Search | UseTool
A = TypeVar("A", ConductResearch, Look)

_ECHO = 2_000
"""Characters of a useless answer that the model is shown again."""


class Way(Enum):
    """How a server can be made to answer with actions."""

    TOOLS = auto()
    PLAIN = auto()
    """Described in the prompt, answered in JSON."""


@dataclass(frozen=True)
class _Situation:
    """What a model is told before it decides."""

    role: str
    task: str
    state: str
    """What is left, which changes from turn to turn and so comes last."""
    steps: tuple[Step, ...]
    tools: tuple[Tool, ...]

    def messages(self, way: Way) -> list[BaseMessage]:
        """Return the conversation so far."""
        first = self.task if self.steps else f"{self.task}\n\n{self.state}"
        if way is Way.TOOLS:
            return [system(self.role), user(first), *as_tool_messages(self.steps, self.state)]
        described = prompts.load("actions_in_json").fill(tools=_described(self.tools))
        role = f"{self.role}\n\n{described}"
        return [system(role), user(first), *as_text_messages(self.steps, self.state)]


async def supervise(models: RoleModels, view: SupervisorView) -> list[SupervisorAction]:
    """Choose the supervisor's next actions.

    Raises:
        ModelError: the call failed.
    """
    limits = view.limits
    situation = _Situation(
        role=prompts.load("supervise").fill(
            today=view.today.isoformat(),
            language=language_name(view.brief.language),
            at_once=limits.concurrent_researchers,
        ),
        task=f"<brief>\n{view.brief_text}\n</brief>",
        state=f"Topics left: {view.topics_left}. Decisions left: {limits.supervisor_turns - view.turn}.",
        steps=view.steps,
        tools=_offered(view.steps, *[CONDUCT_RESEARCH] * (view.topics_left > 0)),
    )
    known = {step.action.topic for step in view.steps if isinstance(step.action, ConductResearch)}

    def topics(calls: Sequence[Call]) -> list[ConductResearch]:
        asked: dict[str, bool] = {}
        for call in calls:
            if call.tool is CONDUCT_RESEARCH:
                asked.setdefault(cut(call.text, CONDUCT_RESEARCH.longest), call.chosen != SIMPLE)
        return [ConductResearch(topic, is_hard) for topic, is_hard in asked.items() if topic not in known]

    return _one_kind(await _decide(models, situation, begun=bool(known)), topics)


async def investigate(models: RoleModels, view: ResearcherView) -> list[ResearcherAction]:
    """Choose a researcher's next actions.

    Raises:
        ModelError: the call failed.
    """
    limits = view.limits
    left = f"Search rounds left: {view.searches_left}. Decisions left: {limits.researcher_turns - view.turn}."
    situation = _Situation(
        role="\n\n".join(filter(None, (_researcher(view), introduction(view.tools)))),
        task=assignment(view),
        state="\n\n".join(filter(None, (computed(view), left))),
        steps=view.steps,
        tools=_offered(view.steps, *[SEARCH] * (view.searches_left > 0), *map(tool_of, view.tools)),
    )
    used = [step.action for step in view.steps if isinstance(step.action, UseTool)]

    def look(calls: Sequence[Call]) -> list[Look]:
        new = new_queries((query for call in calls if call.tool is SEARCH for query in call.values), view)
        asked = [use for call in calls if (use := _use_of(call)) is not None and use not in used]
        return [*([Search(new)] if new else []), *asked[: limits.queries]]

    return _one_kind(await _decide(models, situation, begun=bool(view.queries_made or used)), look)


def _researcher(view: ResearcherView) -> str:
    return prompts.load("investigate").fill(
        today=view.today.isoformat(),
        language=language_name(view.brief.language),
        queries=view.limits.queries,
    )


def _use_of(call: Call) -> UseTool | None:
    offer = call.tool.offer
    return UseTool(offer.server, offer.name, call.text) if offer is not None else None


def _offered(steps: Sequence[Step], *tools: Tool) -> tuple[Tool, ...]:
    """Return the tools for this turn: after a reflection the next one has to be an act, so that thinking ends."""
    thought = bool(steps) and isinstance(steps[-1].action, Think)
    return (*tools, *[THINK] * (not thought), COMPLETE)


async def _decide(models: RoleModels, situation: _Situation, *, begun: bool) -> list[Call]:
    """Return the calls that the model makes; one that has not begun and makes none is reminded once."""
    answer = await _put(models, situation, [])
    calls = calls_in(answer, situation.tools)
    if calls or begun:
        return calls
    reminder = user(prompts.load("actions_again").fill(tools=_described(situation.tools)))
    answer = await _put(models, situation, [assistant(answer.text[:_ECHO] or "…"), reminder])
    return calls_in(answer, situation.tools)


async def _put(models: RoleModels, situation: _Situation, further: list[BaseMessage]) -> AIMessage:
    tools = [tool.definition for tool in situation.tools]

    async def put(shown: _Situation, way: Way) -> AIMessage:
        offered = tools if way is Way.TOOLS else []
        return await models.call(Role.RESEARCH, [*shown.messages(way), *further], tools=offered)

    async def put_recalled(steps: tuple[Step, ...]) -> AIMessage:
        shown = replace(situation, steps=steps)
        return await models.known.put(models.identity(Role.RESEARCH), list(Way), partial(put, shown))

    return await recalling(models, situation.steps, put_recalled)


def _one_kind(calls: Sequence[Call], acts: Callable[[Sequence[Call]], list[A]]) -> list[A | Think | ResearchComplete]:
    """Return what the calls amount to: one reflection alone, else all acts, else the end."""
    for call in calls:
        if call.tool is THINK:
            return [Think(cut(call.text, THINK.longest))]
    chosen: list[A | Think | ResearchComplete] = []
    chosen.extend(acts(calls))
    if not chosen:
        chosen += [ResearchComplete(cut(call.text, COMPLETE.longest)) for call in calls if call.tool is COMPLETE][:1]
    return chosen


def _described(tools: Sequence[Tool]) -> str:
    return "\n".join(_form(tool) for tool in tools)


def _form(tool: Tool) -> str:
    arguments: dict[str, Any] = {tool.parameter: ["…", "…"] if tool.many else "…"}
    if tool.offer is not None:
        arguments = example(tool.offer)
    hints = [tool.description, tool.hint]
    if tool.choice is not None:
        arguments[tool.choice.parameter] = tool.choice.words[-1]
        hints.append(f"{tool.choice.parameter}, {' or '.join(tool.choice.words)}: {tool.choice.hint}")
    call = json.dumps({"name": tool.name, "arguments": arguments}, ensure_ascii=False)
    return f"- {' '.join(filter(None, hints))}\n  {call}"
