"""Tools of connected servers, as a model is shown them and as it calls them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from research import prompts
from research.analysts.chat.lenient import decoded
from research.analysts.protocol import OfferedTool, ToolParameter

_LONGEST_NAME = 64
"""Characters that providers allow."""
_LONGEST_ARGUMENTS = 4_000
_WRAPPERS = ("arguments", "parameters", "args", "input")
_EXAMPLES = {"integer": 1, "number": 1.5, "boolean": True, "array": ["…"], "object": {}}


def function_name(server: str, tool: str) -> str:
    """Return the name under which a model calls a tool: letters, digits, `_` and `-` are what providers allow."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", f"{server}__{tool}")[:_LONGEST_NAME]


def schema(offer: OfferedTool) -> dict[str, Any]:
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
