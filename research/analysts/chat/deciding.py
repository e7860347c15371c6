"""What to do next, decided by a chat model: the tools it is offered, and what it is told of all that was done."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from pydantic import BaseModel

from research import prompts
from research.analysts import protocol
from research.analysts.chat import answers
from research.analysts.chat.models import RoleModels
from research.core import ContextOverflow, Role, UnusableAnswer, tokens_in
from research.gaps import word_shares
from research.text import names_in

# --- actions offered to models as tools, and their answers read back into actions ------------------------------------

_LONGEST_NAME = 64
"""Characters that providers allow."""
_LONGEST_ARGUMENTS = 4_000
_NAME_KEYS = ("name", "tool", "tool_name", "action", "function", "type")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input", "tool_input")
_DEPTH = 8
"""How deep a call may be wrapped in other things."""
_EXAMPLES = {"integer": 1, "number": 1.5, "boolean": True, "array": ["…"], "object": {}}

DIFFICULTY, SIMPLE, HARD = "difficulty", "simple", "hard"
_DIFFICULTY_HINT = "How hard the topic is: it decides how long it may be searched."


@dataclass(frozen=True)
class Tool:
    """A tool with one parameter, and perhaps a difficulty; or one of a connected server, with parameters of its own."""

    name: str
    description: str
    parameter: str = ""
    hint: str = ""
    """What to give as the parameter."""
    longest: int = 0
    """Characters of one value. Servers that hold a model to the schema stop it there; others are cut short later."""
    many: bool = False
    """The parameter is a list of texts."""
    required: bool = True
    is_graded: bool = False
    """It takes a difficulty as well, which may be left out."""
    offer: protocol.OfferedTool | None = None
    """The tool of a connected server that it stands for; its parameters take the place of `parameter`."""

    @property
    def definition(self) -> dict[str, Any]:
        """The tool as OpenAI's protocol describes it; of a server's, nothing that the server says of its parameters."""
        if self.offer is not None:
            properties = {one.name: _form(one.kind) for one in self.offer.parameters}
            required = [one.name for one in self.offer.parameters if one.is_required]
        else:
            text = {"type": "string", "maxLength": self.longest}
            kind = {"type": "array", "items": text} if self.many else text
            properties = {self.parameter: {**kind, "description": self.hint}}
            required = [self.parameter] if self.required else []
        if self.is_graded:
            words = {"type": "string", "enum": [SIMPLE, HARD], "description": _DIFFICULTY_HINT}
            properties[DIFFICULTY] = words
        parameters = {"type": "object", "properties": properties, "required": required}
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}

    @property
    def in_words(self) -> str:
        """The tool for a model whose server knows none: what it does, and how a call is written."""
        hints = [self.description, self.hint]
        arguments: dict[str, Any] = {self.parameter: ["…", "…"] if self.many else "…"}
        if self.offer is not None:
            arguments = {one.name: _EXAMPLES.get(one.kind, "…") for one in self.offer.parameters}
        if self.is_graded:
            arguments[DIFFICULTY] = HARD
            hints.append(f"{DIFFICULTY}, {SIMPLE} or {HARD}: {_DIFFICULTY_HINT}")
        call = json.dumps({"name": self.name, "arguments": arguments}, ensure_ascii=False)
        return f"- {' '.join(filter(None, hints))}\n  {call}"


@dataclass(frozen=True)
class ToolCall:
    """A tool that the model wants to use, with the values of its parameter."""

    tool: Tool
    values: tuple[str, ...]
    is_simple: bool = False
    """It was called with the difficulty `simple`, and no other."""

    @property
    def text(self) -> str:
        """The values as one text."""
        return "\n".join(self.values)


THINK = Tool(
    "think_tool",
    "Write down a reflection. It is recorded and changes nothing else.",
    "reflection",
    "What was found, what is missing, and what to do next.",
    longest=1_500,
)
CONDUCT_RESEARCH = Tool(
    "ConductResearch",
    "Hand one topic to a researcher, who sees nothing but this text.",
    "research_topic",
    "One topic, in a full paragraph that can be understood by itself.",
    longest=1_500,
    is_graded=True,
)
SEARCH = Tool(
    "search",
    "Search with several queries at once.",
    "queries",
    "The queries, each short and different.",
    longest=300,
    many=True,
)
COMPLETE = Tool(
    "ResearchComplete",
    "End the research.",
    "reason",
    "Why it is enough, in one sentence.",
    longest=300,
    required=False,
)


def function_name(server: str, tool: str) -> str:
    """Return the name under which a model calls a tool: letters, digits, `_` and `-` are what providers allow."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", f"{server}__{tool}")[:_LONGEST_NAME]


def tool_of(offer: protocol.OfferedTool) -> Tool:
    """Return the tool that a model calls to ask a connected server."""
    description = f"Ask the tool {offer.name} of the connected server {offer.server}."
    return Tool(function_name(offer.server, offer.name), description, offer=offer)


def introduction(offers: Iterable[protocol.OfferedTool]) -> str:
    """Return what a model is told of the servers whose tools it is offered, in the words of the user."""
    servers = []
    for server, tools in groupby(sorted(offers, key=lambda offer: offer.server), lambda offer: offer.server):
        first, *others = tools
        names = ", ".join(function_name(server, tool.name) for tool in (first, *others))
        said = first.instructions.strip() or "The user says nothing about it."
        servers.append(f'<server name="{server}" tools="{names}">\n{said}\n</server>')
    return prompts.load("connected_servers").fill(servers="\n\n".join(servers)) if servers else ""


def calls_in(answer: AIMessage, offered: Sequence[Tool]) -> list[ToolCall]:
    """Return the calls of `offered` tools that `answer` makes, in order and each once; other tools are ignored.

    A model that calls none may have written its calls into the text instead: those count as well.
    """
    named = ((_named(one["name"], offered), one["args"]) for one in (*answer.tool_calls, *answer.invalid_tool_calls))
    made = [call for tool, arguments in named for call in _call(tool, arguments)]
    written = (
        [call for value in values for call in _written(value, offered, _DEPTH)]
        for values in answers.readings(answer.text)
    )
    return list(dict.fromkeys(made or next(filter(None, written), [])))


def _call(tool: Tool | None, arguments: Any) -> list[ToolCall]:
    if tool is None:
        return []
    if tool.offer is not None:
        given = _arguments_for(tool.offer, arguments)
        return [] if given is None else [ToolCall(tool, (given,))]
    given = _parameter(tool, arguments)
    texts = answers.as_list(given) if tool.many else [answers.as_text(given)]
    values = tuple(text for text in texts if any(character.isalnum() for character in text))
    return [ToolCall(tool, values, tool.is_graded and _is_simple(arguments))] if values or not tool.required else []


def _is_simple(arguments: Any) -> bool:
    graded = answers.find(arguments, [DIFFICULTY], [DIFFICULTY], _DEPTH) or {}
    said = answers.as_text(graded.get(DIFFICULTY)).lower()
    return SIMPLE in said and HARD not in said


def _parameter(tool: Tool, arguments: Any) -> Any:
    """Return what was given as the tool's parameter, whatever it was called and however often it was encoded."""
    value = answers.decoded(arguments)
    for _ in range(_DEPTH):
        if not isinstance(value, dict):
            break
        if tool.parameter in value:
            return value[tool.parameter]
        others = [part for key, part in value.items() if not (tool.is_graded and answers.plain(key) == DIFFICULTY)]
        inner = [value[key] for key in _ARGUMENT_KEYS if key in value] or others
        if len(inner) != 1:
            return None
        value = answers.decoded(inner[0])
    return value


def _arguments_for(offer: protocol.OfferedTool, given: Any) -> str | None:
    """Return the arguments that a model gave as a JSON object, or None if they are none of this tool's."""
    names = [parameter.name for parameter in offer.parameters]
    value = answers.decoded(given)
    if isinstance(value, dict) and not value.keys() & set(names):
        value = next((answers.decoded(value[key]) for key in _ARGUMENT_KEYS if key in value), value)
    if not isinstance(value, (dict, list)) and value not in (None, "") and len(names) == 1:
        value = {names[0]: value}
    known = {name: value[name] for name in names if name in value} if isinstance(value, dict) else {}
    if any(parameter.is_required and parameter.name not in known for parameter in offer.parameters):
        return None
    written = json.dumps(known, ensure_ascii=False, sort_keys=True)
    return written if len(written) <= _LONGEST_ARGUMENTS else None


def _written(value: Any, offered: Sequence[Tool], depth: int) -> list[ToolCall]:
    """Return the calls that a JSON value stands for, in any of the forms that models write them in."""
    value = answers.decoded(value)
    if isinstance(value, list) and depth:
        return [call for part in value if isinstance(part, (dict, list)) for call in _written(part, offered, depth - 1)]
    if not isinstance(value, dict) or not depth:
        return []
    for key in _NAME_KEYS:
        tool = _named(value.get(key), offered)
        if tool is not None:
            rest = {name: part for name, part in value.items() if name != key}
            return _call(tool, next((rest[name] for name in _ARGUMENT_KEYS if name in rest), rest))
    keyed = [call for key, part in value.items() for call in _call(_named(key, offered), part)]
    bare = [call for tool in offered if tool.offer is None and tool.parameter in value for call in _call(tool, value)]
    return keyed or bare or _written(list(value.values()), offered, depth - 1)


def _named(name: object, offered: Sequence[Tool]) -> Tool | None:
    if not isinstance(name, str):
        return None
    wanted = answers.plain(name.removeprefix("functions."))
    return next((tool for tool in offered if answers.plain(tool.name) == wanted), None)


def _form(kind: str) -> dict[str, Any]:
    return {"type": kind, "items": {"type": "string"}} if kind == "array" else {"type": kind}


# --- As much of what was observed as a model has room for ------------------------------------------------------------

_ID = re.compile(r"\bE\d+\b")
_LEFT_OUT = "(Lines left out here: {}.)"
_FEWEST = 300
"""Tokens of observations below which it is not they that are too many."""

Recalled = TypeVar("Recalled")


async def recalling(
    models: RoleModels,
    steps: Sequence[protocol.Step],
    decide: Callable[[tuple[protocol.Step, ...]], Awaitable[Recalled]],
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
            return await decide(shown)
        except ContextOverflow:
            size = min(models.observed_tokens, _size(shown))
            if size < _FEWEST:
                raise
            models.observed_tokens = size // 2


def recalled(steps: Sequence[protocol.Step], tokens: int) -> tuple[protocol.Step, ...]:
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


def _shortened(step: protocol.Step, kept: Sequence[bool]) -> protocol.Step:
    if all(kept):
        return step
    shown = [line for line, is_kept in zip(step.observation.splitlines(), kept, strict=True) if is_kept]
    return replace(step, observation="\n".join([*shown, _LEFT_OUT.format(kept.count(False))]))


def _size(steps: Sequence[protocol.Step]) -> int:
    return sum(tokens_in(step.observation) for step in steps)


# --- What a model is told before it decides --------------------------------------------------------------------------


@dataclass(frozen=True)
class _Situation:
    """What a model is told before it decides."""

    role: str
    task: str
    state: str
    """What is left, which changes from turn to turn and so comes last."""
    steps: tuple[protocol.Step, ...]
    tools: tuple[Tool, ...]

    def messages(self, *, knows_tools: bool) -> list[BaseMessage]:
        """Return the conversation so far; the state joins the last result, so that no role comes twice.

        A server that knows no tools is told of them in the prompt, and of calls in JSON.
        """
        role = self.role
        if not knows_tools:
            role = f"{role}\n\n{prompts.load('actions_in_json').fill(tools=described(self.tools))}"
        messages: list[BaseMessage] = [
            answers.system(role),
            answers.user(self.task if self.steps else f"{self.task}\n\n{self.state}"),
        ]
        for number, step in enumerate(self.steps, start=1):
            name, arguments = _as_call(step.action)
            said = [step.observation, self.state if number == len(self.steps) else ""]
            observed = answers.sendable("\n\n".join(filter(None, said)))
            if not knows_tools:
                call = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
                messages += [answers.assistant(call), answers.user(observed)]
                continue
            # Nine letters and digits: the strictest servers accept no other form.
            call_id = f"call{number:05d}"
            made = {"name": name, "args": arguments, "id": call_id, "type": "tool_call"}
            messages.append(AIMessage(content="", tool_calls=[made]))
            messages.append(ToolMessage(content=observed, tool_call_id=call_id, name=name))
        return messages


def _as_call(action: protocol.SupervisorAction | protocol.ResearcherAction) -> tuple[str, dict[str, Any]]:
    match action:
        case protocol.Think(reflection):
            return THINK.name, {THINK.parameter: answers.sendable(reflection)}
        case protocol.ConductResearch(topic, is_hard):
            difficulty = HARD if is_hard else SIMPLE
            return CONDUCT_RESEARCH.name, {CONDUCT_RESEARCH.parameter: answers.sendable(topic), DIFFICULTY: difficulty}
        case protocol.Search(queries):
            return SEARCH.name, {SEARCH.parameter: [answers.sendable(query) for query in queries]}
        case protocol.UseTool(server, tool, given):
            return function_name(server, tool), json.loads(answers.sendable(given))
        case protocol.ResearchComplete(reason):
            return COMPLETE.name, {COMPLETE.parameter: answers.sendable(reason)}


def described(tools: Iterable[Tool]) -> str:
    """Return tools in words, one entry each."""
    return "\n".join(tool.in_words for tool in tools)


# --- Decisions -------------------------------------------------------------------------------------------------------


class Queries(BaseModel):
    """What to search for; an empty list if nothing has to be searched."""

    queries: list[str]


def new_queries(asked: Iterable[str], view: protocol.ResearcherView) -> tuple[str, ...]:
    """Return the queries that were not made before, each once, as many as one search holds."""
    known = {query.casefold() for query in view.queries_made}
    new: dict[str, str] = {}
    for query in (answers.cut(answers.one_line(text), SEARCH.longest) for text in asked):
        if query.casefold() not in known and any(character.isalnum() for character in query):
            new.setdefault(query.casefold(), query)
    return tuple(new.values())[: view.limits.queries]


Look = protocol.Search | protocol.UseTool
A = TypeVar("A", protocol.ConductResearch, Look)


class Deciding(answers.Asking):
    """What to do next. No prompt here holds a word of a page, as what answers can act."""

    async def queries(self, view: protocol.ResearcherView) -> tuple[str, ...]:
        """Return the first queries for a topic; none if the model sees no need to search.

        Raises:
            UnusableAnswer: the answer holds queries, and none of them can be made.
        """
        told = answers.instructions("queries", view.brief, view.today, queries=view.limits.queries)
        answer = await self.ask(Role.RESEARCH, told, answers.assignment(view), Queries)
        new = new_queries(answer.queries, view)
        if answer.queries and not new:
            raise UnusableAnswer("model_unusable", f"{self._models.names[Role.RESEARCH]}: no usable query")
        return new

    async def supervise(self, view: protocol.SupervisorView) -> list[protocol.SupervisorAction]:
        """Choose the supervisor's next actions; an empty list if the model chose none."""
        limits = view.limits
        situation = _Situation(
            role=answers.instructions("supervise", view.brief, view.today, at_once=limits.concurrent_researchers).text,
            task=f"{answers.brief_block(view.brief)}\n\n{answers.asked_block(view.brief)}",
            state=f"Topics left: {view.topics_left}. Decisions left: {limits.supervisor_turns - view.turn}.",
            steps=view.steps,
            tools=_offered(view.steps, *[CONDUCT_RESEARCH] * (view.topics_left > 0)),
        )
        known = {step.action.topic for step in view.steps if isinstance(step.action, protocol.ConductResearch)}

        def topics(calls: Sequence[ToolCall]) -> list[protocol.ConductResearch]:
            asked: dict[str, bool] = {}
            for call in calls:
                if call.tool is CONDUCT_RESEARCH:
                    topic = _naming(view.brief.question, answers.cut(call.text, CONDUCT_RESEARCH.longest))
                    asked.setdefault(topic, not call.is_simple)
            return [protocol.ConductResearch(topic, is_hard) for topic, is_hard in asked.items() if topic not in known]

        return _one_kind(await self._decide(situation, begun=bool(known)), topics)

    async def investigate(self, view: protocol.ResearcherView) -> list[protocol.ResearcherAction]:
        """Choose a researcher's next actions; an empty list if the model chose none."""
        limits = view.limits
        left = f"Search rounds left: {view.searches_left}. Decisions left: {limits.researcher_turns - view.turn}."
        told = answers.instructions("investigate", view.brief, view.today, queries=limits.queries)
        situation = _Situation(
            role="\n\n".join(filter(None, (told.text, introduction(view.tools)))),
            task=answers.assignment(view),
            state="\n\n".join(filter(None, (answers.computed(view), left))),
            steps=view.steps,
            tools=_offered(view.steps, *[SEARCH] * (view.searches_left > 0), *map(tool_of, view.tools)),
        )
        used = [step.action for step in view.steps if isinstance(step.action, protocol.UseTool)]

        def look(calls: Sequence[ToolCall]) -> list[Look]:
            new = new_queries((query for call in calls if call.tool is SEARCH for query in call.values), view)
            offers = ((call.tool.offer, call.text) for call in calls)
            uses = [protocol.UseTool(offer.server, offer.name, text) for offer, text in offers if offer is not None]
            return [
                *([protocol.Search(new)] if new else []),
                *[use for use in uses if use not in used][: limits.queries],
            ]

        return _one_kind(await self._decide(situation, begun=bool(view.queries_made or used)), look)

    async def _decide(self, situation: _Situation, *, begun: bool) -> list[ToolCall]:
        """Return the calls that the model makes; one that has not begun and makes none is reminded once."""
        answer = await self._put(situation, [])
        calls = calls_in(answer, situation.tools)
        if calls or begun:
            return calls
        reminder = answers.user(prompts.load("actions_again").fill(tools=described(situation.tools)))
        answer = await self._put(situation, [answers.assistant(answer.text[: answers.ECHO] or "…"), reminder])
        return calls_in(answer, situation.tools)

    async def _put(self, situation: _Situation, further: list[BaseMessage]) -> AIMessage:
        models, tools = self._models, [tool.definition for tool in situation.tools]

        async def put(steps: tuple[protocol.Step, ...]) -> AIMessage:
            shown = replace(situation, steps=steps)
            ways = {
                "tools": lambda: models.call(Role.RESEARCH, [*shown.messages(knows_tools=True), *further], tools=tools),
                "plain": lambda: models.call(Role.RESEARCH, [*shown.messages(knows_tools=False), *further]),
            }
            return await models.known.put(models.identity(Role.RESEARCH), ways)

        return await recalling(models, situation.steps, put)


def _naming(question: str, topic: str) -> str:
    """Return a topic; behind the question where it says no word of it, as a researcher sees nothing else.

    Small models hand out words of their instructions, others “competitive landscape” of nobody in particular.
    """
    [shared] = word_shares(question, [topic], names_in(question))
    return topic if shared else f"{question}\n{topic}"


def _offered(steps: Sequence[protocol.Step], *tools: Tool) -> tuple[Tool, ...]:
    """Return the tools for this turn: after a reflection the next one has to be an act, so that thinking ends."""
    thought = bool(steps) and isinstance(steps[-1].action, protocol.Think)
    return (*tools, *[THINK] * (not thought), COMPLETE)


def _one_kind(
    calls: Sequence[ToolCall], acts: Callable[[Sequence[ToolCall]], list[A]]
) -> list[A | protocol.Think | protocol.ResearchComplete]:
    """Return what the calls amount to: one reflection alone, else all acts, else the end."""
    for call in calls:
        if call.tool is THINK:
            return [protocol.Think(answers.cut(call.text, THINK.longest))]
    chosen: list[A | protocol.Think | protocol.ResearchComplete] = []
    chosen.extend(acts(calls))
    if not chosen:
        chosen += [
            protocol.ResearchComplete(answers.cut(call.text, COMPLETE.longest))
            for call in calls
            if call.tool is COMPLETE
        ][:1]
    return chosen
