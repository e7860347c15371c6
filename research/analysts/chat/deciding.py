"""What to do next, decided by a chat model: supervisor, researcher, their history."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from pydantic import BaseModel

from research import prompts
from research.analysts.chat.answers import ECHO, Asking, ask, assistant, cut, one_line, sendable, system, user
from research.analysts.chat.models import RoleModels
from research.analysts.chat.tools import (
    COMPLETE,
    CONDUCT_RESEARCH,
    DIFFICULTY,
    HARD,
    SEARCH,
    SIMPLE,
    THINK,
    Tool,
    ToolCall,
    calls_in,
    function_name,
    introduction,
    tool_of,
)
from research.analysts.chat.wording import asked_block, assignment, computed, instructions
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
from research.core import ContextOverflow, Role, UnusableAnswer, tokens_in

# --- As much of what was observed as a model has room for -------------------------------------------------------------

_ID = re.compile(r"\bE\d+\b")
_LEFT_OUT = "(Lines left out here: {}.)"
_FEWEST = 300
"""Tokens of observations below which it is not they that are too many."""

Recalled = TypeVar("Recalled")


async def recalling(
    models: RoleModels, steps: Sequence[Step], ask: Callable[[tuple[Step, ...]], Awaitable[Recalled]]
) -> Recalled:
    """Return what is answered to `steps`, with as many of their observations as the model has room for.

    How many that is becomes known when they prove too many; the later decisions of the run go by it.

    Raises:
        ContextOverflow: it is not the observations that are too many.
        ModelError: the call failed otherwise.
    """
    while True:
        shown = recalled(steps, models.observed_tokens)
        try:
            return await ask(shown)
        except ContextOverflow:
            size = min(models.observed_tokens, _size(shown))
            if size < _FEWEST:
                raise
            models.observed_tokens = size // 2


def recalled(steps: Sequence[Step], tokens: int) -> tuple[Step, ...]:
    """Return `steps` with about `tokens` of what was observed at most, line by line.

    What was observed last comes first, then whatever brought most evidence, of equals the newer.
    """
    if _size(steps) <= tokens:
        return tuple(steps)
    lines = {
        (place, number): line
        for place, step in enumerate(steps)
        for number, line in enumerate(step.observation.splitlines())
    }
    quotes = {at: len(_ID.findall(line)) for at, line in lines.items()}
    newest = max((place for (place, _), count in quotes.items() if count), default=len(steps) - 1)
    kept: set[tuple[int, int]] = set()
    for at in sorted(lines, key=lambda at: (at[0] < newest, -quotes[at], -at[0], at[1])):
        size = tokens_in(lines[at])
        if size <= tokens:
            kept.add(at)
            tokens -= size
    return tuple(_shortened(step, [at in kept for at in lines if at[0] == place]) for place, step in enumerate(steps))


def _shortened(step: Step, kept: Sequence[bool]) -> Step:
    if all(kept):
        return step
    shown = [line for line, is_kept in zip(step.observation.splitlines(), kept, strict=True) if is_kept]
    return replace(step, observation="\n".join([*shown, _LEFT_OUT.format(kept.count(False))]))


def _size(steps: Sequence[Step]) -> int:
    return sum(tokens_in(step.observation) for step in steps)


# --- What a model is told before it decides ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Situation:
    """What a model is told before it decides."""

    role: str
    task: str
    state: str
    """What is left, which changes from turn to turn and so comes last."""
    steps: tuple[Step, ...]
    tools: tuple[Tool, ...]

    def messages(self, *, knows_tools: bool) -> list[BaseMessage]:
        """Return the conversation so far; the state joins the last result, so that no role comes twice.

        A server that knows no tools is told of them in the prompt, and of calls in JSON.
        """
        role = self.role
        if not knows_tools:
            role = f"{role}\n\n{prompts.load('actions_in_json').fill(tools=described(self.tools))}"
        messages: list[BaseMessage] = [system(role), user(self.task if self.steps else f"{self.task}\n\n{self.state}")]
        for number, step in enumerate(self.steps, start=1):
            name, arguments = _as_call(step.action)
            said = [step.observation, self.state if number == len(self.steps) else ""]
            observed = sendable("\n\n".join(filter(None, said)))
            if not knows_tools:
                call = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
                messages += [assistant(call), user(observed)]
                continue
            # Nine letters and digits: the strictest servers accept no other form.
            call_id = f"call{number:05d}"
            made = {"name": name, "args": arguments, "id": call_id, "type": "tool_call"}
            messages.append(AIMessage(content="", tool_calls=[made]))
            messages.append(ToolMessage(content=observed, tool_call_id=call_id, name=name))
        return messages


def _as_call(action: SupervisorAction | ResearcherAction) -> tuple[str, dict[str, Any]]:
    match action:
        case Think(reflection):
            return THINK.name, {THINK.parameter: sendable(reflection)}
        case ConductResearch(topic, is_hard):
            difficulty = HARD if is_hard else SIMPLE
            return CONDUCT_RESEARCH.name, {CONDUCT_RESEARCH.parameter: sendable(topic), DIFFICULTY: difficulty}
        case Search(queries):
            return SEARCH.name, {SEARCH.parameter: [sendable(query) for query in queries]}
        case UseTool(server, tool, given):
            return function_name(server, tool), json.loads(sendable(given))
        case ResearchComplete(reason):
            return COMPLETE.name, {COMPLETE.parameter: sendable(reason)}


def described(tools: Iterable[Tool]) -> str:
    """Return tools in words, one entry each."""
    return "\n".join(tool.in_words for tool in tools)


# --- Decisions --------------------------------------------------------------------------------------------------------


class Queries(BaseModel):
    """What to search for; an empty list if nothing has to be searched."""

    queries: list[str]


def new_queries(asked: Iterable[str], view: ResearcherView) -> tuple[str, ...]:
    """Return the queries that were not made before, each once, as many as one search holds."""
    known = {query.casefold() for query in view.queries_made}
    new: dict[str, str] = {}
    for query in (cut(one_line(text), SEARCH.longest) for text in asked):
        if query.casefold() not in known and any(character.isalnum() for character in query):
            new.setdefault(query.casefold(), query)
    return tuple(new.values())[: view.limits.queries]


Look = Search | UseTool
A = TypeVar("A", ConductResearch, Look)


class Deciding(Asking):
    """What to do next. No prompt here holds a word of a page, as what answers can act."""

    async def queries(self, view: ResearcherView) -> tuple[str, ...]:
        """Return the first queries for a topic; none if the model sees no need to search.

        Raises:
            UnusableAnswer: the answer holds queries, and none of them can be made.
        """
        told = instructions("queries", view.brief, view.today, queries=view.limits.queries)
        answer = await ask(self._models, Role.RESEARCH, [told, user(assignment(view))], Queries)
        new = new_queries(answer.queries, view)
        if answer.queries and not new:
            raise UnusableAnswer("model_unusable", f"{self._models.names[Role.RESEARCH]}: no usable query")
        return new

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Choose the supervisor's next actions; an empty list if the model chose none."""
        limits = view.limits
        situation = _Situation(
            role=instructions("supervise", view.brief, view.today, at_once=limits.concurrent_researchers).text,
            task=f"<brief>\n{view.brief_text}\n</brief>\n\n{asked_block(view.brief)}",
            state=f"Topics left: {view.topics_left}. Decisions left: {limits.supervisor_turns - view.turn}.",
            steps=view.steps,
            tools=_offered(view.steps, *[CONDUCT_RESEARCH] * (view.topics_left > 0)),
        )
        known = {step.action.topic for step in view.steps if isinstance(step.action, ConductResearch)}

        def topics(calls: Sequence[ToolCall]) -> list[ConductResearch]:
            asked: dict[str, bool] = {}
            for call in calls:
                if call.tool is CONDUCT_RESEARCH:
                    asked.setdefault(cut(call.text, CONDUCT_RESEARCH.longest), not call.is_simple)
            return [ConductResearch(topic, is_hard) for topic, is_hard in asked.items() if topic not in known]

        return _one_kind(await self._decide(situation, begun=bool(known)), topics)

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Choose a researcher's next actions; an empty list if the model chose none."""
        limits = view.limits
        left = f"Search rounds left: {view.searches_left}. Decisions left: {limits.researcher_turns - view.turn}."
        told = instructions("investigate", view.brief, view.today, queries=limits.queries)
        situation = _Situation(
            role="\n\n".join(filter(None, (told.text, introduction(view.tools)))),
            task=assignment(view),
            state="\n\n".join(filter(None, (computed(view), left))),
            steps=view.steps,
            tools=_offered(view.steps, *[SEARCH] * (view.searches_left > 0), *map(tool_of, view.tools)),
        )
        used = [step.action for step in view.steps if isinstance(step.action, UseTool)]

        def look(calls: Sequence[ToolCall]) -> list[Look]:
            new = new_queries((query for call in calls if call.tool is SEARCH for query in call.values), view)
            offers = ((call.tool.offer, call.text) for call in calls)
            uses = [UseTool(offer.server, offer.name, text) for offer, text in offers if offer is not None]
            return [*([Search(new)] if new else []), *[use for use in uses if use not in used][: limits.queries]]

        return _one_kind(await self._decide(situation, begun=bool(view.queries_made or used)), look)

    async def _decide(self, situation: _Situation, *, begun: bool) -> list[ToolCall]:
        """Return the calls that the model makes; one that has not begun and makes none is reminded once."""
        answer = await self._put(situation, [])
        calls = calls_in(answer, situation.tools)
        if calls or begun:
            return calls
        reminder = user(prompts.load("actions_again").fill(tools=described(situation.tools)))
        answer = await self._put(situation, [assistant(answer.text[:ECHO] or "…"), reminder])
        return calls_in(answer, situation.tools)

    async def _put(self, situation: _Situation, further: list[BaseMessage]) -> AIMessage:
        models, tools = self._models, [tool.definition for tool in situation.tools]

        async def put(steps: tuple[Step, ...]) -> AIMessage:
            shown = replace(situation, steps=steps)
            ways = {
                "tools": lambda: models.call(Role.RESEARCH, [*shown.messages(knows_tools=True), *further], tools=tools),
                "plain": lambda: models.call(Role.RESEARCH, [*shown.messages(knows_tools=False), *further]),
            }
            return await models.known.put(models.identity(Role.RESEARCH), ways)

        return await recalling(models, situation.steps, put)


def _offered(steps: Sequence[Step], *tools: Tool) -> tuple[Tool, ...]:
    """Return the tools for this turn: after a reflection the next one has to be an act, so that thinking ends."""
    thought = bool(steps) and isinstance(steps[-1].action, Think)
    return (*tools, *[THINK] * (not thought), COMPLETE)


def _one_kind(
    calls: Sequence[ToolCall], acts: Callable[[Sequence[ToolCall]], list[A]]
) -> list[A | Think | ResearchComplete]:
    """Return what the calls amount to: one reflection alone, else all acts, else the end."""
    for call in calls:
        if call.tool is THINK:
            return [Think(cut(call.text, THINK.longest))]
    chosen: list[A | Think | ResearchComplete] = []
    chosen.extend(acts(calls))
    if not chosen:
        chosen += [ResearchComplete(cut(call.text, COMPLETE.longest)) for call in calls if call.tool is COMPLETE][:1]
    return chosen
