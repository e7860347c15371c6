"""Actions offered to models as tools, and their answers read back into actions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from langchain_core.messages import AIMessage

from research import prompts
from research.analysts.chat.answers import as_list, as_text, decoded, find, plain, readings
from research.analysts.protocol import OfferedTool

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
    offer: OfferedTool | None = None
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


def tool_of(offer: OfferedTool) -> Tool:
    """Return the tool that a model calls to ask a connected server."""
    description = f"Ask the tool {offer.name} of the connected server {offer.server}."
    return Tool(function_name(offer.server, offer.name), description, offer=offer)


def introduction(offers: Iterable[OfferedTool]) -> str:
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
        [call for value in values for call in _written(value, offered, _DEPTH)] for values in readings(answer.text)
    )
    return list(dict.fromkeys(made or next(filter(None, written), [])))


def _call(tool: Tool | None, arguments: Any) -> list[ToolCall]:
    if tool is None:
        return []
    if tool.offer is not None:
        given = _arguments_for(tool.offer, arguments)
        return [] if given is None else [ToolCall(tool, (given,))]
    given = _parameter(tool, arguments)
    texts = as_list(given) if tool.many else [as_text(given)]
    values = tuple(text for text in texts if any(character.isalnum() for character in text))
    return [ToolCall(tool, values, tool.is_graded and _is_simple(arguments))] if values or not tool.required else []


def _is_simple(arguments: Any) -> bool:
    graded = find(arguments, [DIFFICULTY], [DIFFICULTY], _DEPTH) or {}
    said = as_text(graded.get(DIFFICULTY)).lower()
    return SIMPLE in said and HARD not in said


def _parameter(tool: Tool, arguments: Any) -> Any:
    """Return what was given as the tool's parameter, whatever it was called and however often it was encoded."""
    value = decoded(arguments)
    for _ in range(_DEPTH):
        if not isinstance(value, dict):
            break
        if tool.parameter in value:
            return value[tool.parameter]
        others = [part for key, part in value.items() if not (tool.is_graded and plain(key) == DIFFICULTY)]
        inner = [value[key] for key in _ARGUMENT_KEYS if key in value] or others
        if len(inner) != 1:
            return None
        value = decoded(inner[0])
    return value


def _arguments_for(offer: OfferedTool, given: Any) -> str | None:
    """Return the arguments that a model gave as a JSON object, or None if they are none of this tool's."""
    names = [parameter.name for parameter in offer.parameters]
    value = decoded(given)
    if isinstance(value, dict) and not value.keys() & set(names):
        value = next((decoded(value[key]) for key in _ARGUMENT_KEYS if key in value), value)
    if not isinstance(value, (dict, list)) and value not in (None, "") and len(names) == 1:
        value = {names[0]: value}
    known = {name: value[name] for name in names if name in value} if isinstance(value, dict) else {}
    if any(parameter.is_required and parameter.name not in known for parameter in offer.parameters):
        return None
    written = json.dumps(known, ensure_ascii=False, sort_keys=True)
    return written if len(written) <= _LONGEST_ARGUMENTS else None


def _written(value: Any, offered: Sequence[Tool], depth: int) -> list[ToolCall]:
    """Return the calls that a JSON value stands for, in any of the forms that models write them in."""
    value = decoded(value)
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
    wanted = plain(name.removeprefix("functions."))
    return next((tool for tool in offered if plain(tool.name) == wanted), None)


def _form(kind: str) -> dict[str, Any]:
    return {"type": kind, "items": {"type": "string"}} if kind == "array" else {"type": kind}
