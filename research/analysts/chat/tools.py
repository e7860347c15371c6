"""Actions offered to models as tools, and their answers read back into actions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage

from research import prompts
from research.analysts.chat.answers import as_list, as_text, decoded, readings
from research.analysts.protocol import OfferedTool, ToolParameter

_LONGEST_NAME = 64
"""Characters that providers allow."""
_LONGEST_ARGUMENTS = 4_000
_WRAPPERS = ("arguments", "parameters", "args", "input")
_EXAMPLES = {"integer": 1, "number": 1.5, "boolean": True, "array": ["…"], "object": {}}


def function_name(server: str, tool: str) -> str:
    """Return the name under which a model calls a tool: letters, digits, `_` and `-` are what providers allow."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", f"{server}__{tool}")[:_LONGEST_NAME]


def offer_schema(offer: OfferedTool) -> dict[str, Any]:
    """Return the parameters of a tool as JSON Schema: names and types, nothing of what the server says of them."""
    return {
        "type": "object",
        "properties": {parameter.name: _form(parameter) for parameter in offer.parameters},
        "required": [parameter.name for parameter in offer.parameters if parameter.is_required],
    }


def example(offer: OfferedTool) -> dict[str, Any]:
    """Return arguments as they might be given."""
    return {parameter.name: _EXAMPLES.get(parameter.kind, "…") for parameter in offer.parameters}


def arguments_for(offer: OfferedTool, given: Any) -> str | None:
    """Return the arguments that a model gave as a JSON object, or None if they are none of this tool's."""
    names = [parameter.name for parameter in offer.parameters]
    value = decoded(given)
    if isinstance(value, dict) and not value.keys() & set(names):
        value = next((decoded(value[key]) for key in _WRAPPERS if key in value), value)
    if not isinstance(value, (dict, list)) and value not in (None, "") and len(names) == 1:
        value = {names[0]: value}
    known = {name: value[name] for name in names if name in value} if isinstance(value, dict) else {}
    if any(parameter.is_required and parameter.name not in known for parameter in offer.parameters):
        return None
    written = json.dumps(known, ensure_ascii=False, sort_keys=True)
    return written if len(written) <= _LONGEST_ARGUMENTS else None


def introduction(offers: Iterable[OfferedTool]) -> str:
    """Return what a model is told of the servers whose tools it is offered, in the words of the user."""
    by_server: dict[str, list[OfferedTool]] = {}
    for offer in offers:
        by_server.setdefault(offer.server, []).append(offer)
    told = "\n\n".join(_about(server, tools) for server, tools in by_server.items())
    return prompts.load("connected_servers").fill(servers=told) if told else ""


def _about(server: str, tools: list[OfferedTool]) -> str:
    names = ", ".join(function_name(tool.server, tool.name) for tool in tools)
    said = tools[0].instructions.strip() or "The user says nothing about it."
    return f'<server name="{server}" tools="{names}">\n{said}\n</server>'


def _form(parameter: ToolParameter) -> dict[str, Any]:
    return (
        {"type": parameter.kind, "items": {"type": "string"}} if parameter.kind == "array" else {"type": parameter.kind}
    )


_NAME_KEYS = ("name", "tool", "tool_name", "action", "function", "type")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input", "tool_input")
_DEPTH = 8
"""How deep a call may be wrapped in other things."""


@dataclass(frozen=True)
class Choice:
    """A second parameter that may be left out: one of a few words."""

    parameter: str
    hint: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Tool:
    """A tool with one parameter, and perhaps a choice."""

    name: str
    description: str
    parameter: str
    hint: str
    """What to give as the parameter."""
    longest: int
    """Characters of one value. Servers that hold a model to the schema stop it there; others are cut short later."""
    many: bool = False
    """The parameter is a list of texts."""
    required: bool = True
    choice: Choice | None = None
    offer: OfferedTool | None = None
    """The tool of a connected server that it stands for; its parameters take the place of `parameter`."""

    @property
    def definition(self) -> dict[str, Any]:
        """The tool as OpenAI's protocol describes it."""
        parameters = offer_schema(self.offer) if self.offer is not None else self._parameters
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}

    @property
    def _parameters(self) -> dict[str, Any]:
        text = {"type": "string", "maxLength": self.longest}
        kind = {"type": "array", "items": text} if self.many else text
        properties: dict[str, Any] = {self.parameter: {**kind, "description": self.hint}}
        if self.choice is not None:
            form = {"type": "string", "enum": list(self.choice.words), "description": self.choice.hint}
            properties[self.choice.parameter] = form
        return {
            "type": "object",
            "properties": properties,
            "required": [self.parameter] if self.required else [],
        }


@dataclass(frozen=True)
class ToolCall:
    """A tool that the model wants to use, with the values of its parameter."""

    tool: Tool
    values: tuple[str, ...]
    chosen: str = ""
    """One of the words of the tool's choice; empty if the model left it open."""

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
SIMPLE, HARD = "simple", "hard"
DIFFICULTY = Choice("difficulty", "How hard the topic is: it decides how long it may be searched.", (SIMPLE, HARD))
CONDUCT_RESEARCH = Tool(
    "ConductResearch",
    "Hand one topic to a researcher, who sees nothing but this text.",
    "research_topic",
    "One topic, in a full paragraph that can be understood by itself.",
    longest=1_500,
    choice=DIFFICULTY,
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


def tool_of(offer: OfferedTool) -> Tool:
    """Return the tool that a model calls to ask a connected server."""
    description = f"Ask the tool {offer.name} of the connected server {offer.server}."
    return Tool(function_name(offer.server, offer.name), description, "", "", longest=0, offer=offer)


def calls_in(answer: AIMessage, offered: Sequence[Tool]) -> list[ToolCall]:
    """Return the calls of `offered` tools that `answer` makes, in order; other tools are ignored.

    A model that calls none may have written its calls into the text instead: those count as well.
    """
    made: list[tuple[str, Any]] = [(call["name"], call["args"]) for call in answer.tool_calls]
    made += [(call["name"] or "", call["args"]) for call in answer.invalid_tool_calls]
    calls = [call for name, arguments in made for call in _call(_named(name, offered), arguments)]
    if calls:
        return _without_repeats(calls)
    for values in readings(answer.text):
        written = [call for value in values for call in _written(value, offered, _DEPTH)]
        if written:
            return _without_repeats(written)
    return []


def _call(tool: Tool | None, arguments: Any) -> Iterable[ToolCall]:
    if tool is None:
        return
    if tool.offer is not None:
        written = arguments_for(tool.offer, arguments)
        if written is not None:
            yield ToolCall(tool, (written,))
        return
    chosen, arguments = _chosen(tool, arguments)
    given = _parameter(tool, arguments)
    texts = as_list(given) if tool.many else [as_text(given)]
    values = [text for text in texts if any(character.isalnum() for character in text)]
    if values or not tool.required:
        yield ToolCall(tool, tuple(values), chosen)


def _chosen(tool: Tool, arguments: Any) -> tuple[str, Any]:
    """Return the word that was chosen, and the arguments without the choice, which may be wrapped like the rest."""
    value = decoded(arguments)
    if tool.choice is None or not isinstance(value, dict):
        return "", value
    for key, part in value.items():
        if _plain(str(key)) == _plain(tool.choice.parameter):
            words = [word for word in tool.choice.words if word in as_text(part).lower()]
            rest = {name: other for name, other in value.items() if name != key}
            return (words[0] if len(words) == 1 else ""), rest
    wrapper = next((key for key in _ARGUMENT_KEYS if key in value), None)
    return _chosen(tool, value[wrapper]) if wrapper and tool.parameter not in value else ("", value)


def _parameter(tool: Tool, arguments: Any) -> Any:
    """Return what was given as the tool's parameter, whatever it was called and however often it was encoded."""
    value = decoded(arguments)
    for _ in range(_DEPTH):
        if not isinstance(value, dict):
            break
        if tool.parameter in value:
            return value[tool.parameter]
        inner = [value[key] for key in _ARGUMENT_KEYS if key in value] or list(value.values())
        if len(inner) != 1:
            return None
        value = decoded(inner[0])
    return value


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
            return list(_call(tool, next((rest[name] for name in _ARGUMENT_KEYS if name in rest), rest)))
    keyed = [call for key, part in value.items() for call in _call(_named(key, offered), part)]
    bare = [call for tool in offered if tool.offer is None and tool.parameter in value for call in _call(tool, value)]
    return keyed or bare or _written(list(value.values()), offered, depth - 1)


def _named(name: object, offered: Sequence[Tool]) -> Tool | None:
    if not isinstance(name, str):
        return None
    plain = _plain(name.removeprefix("functions."))
    return next((tool for tool in offered if _plain(tool.name) == plain), None)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _without_repeats(calls: Iterable[ToolCall]) -> list[ToolCall]:
    return list(dict.fromkeys(calls))
