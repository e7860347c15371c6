"""Which tools of a server may be used, and how they are named: nothing of what the server says of them gets through."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from mcp.types import Tool

from research.analysts.protocol import OfferedTool, ToolParameter
from research.mcp_servers import McpServer

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_KINDS = ("string", "integer", "number", "boolean", "array", "object")
_MOST_TOOLS = 30
_MOST_PARAMETERS = 12


def offered(server: McpServer, tools: Sequence[Tool]) -> tuple[OfferedTool, ...]:
    """Return the tools of a server that may be offered, once each; those with names that are no names are left out."""
    made = {tool.name: _offer(server, tool) for tool in tools if server.allows(tool.name)}
    return tuple(offer for offer in made.values() if offer is not None)[:_MOST_TOOLS]


def query_parameter(tools: Sequence[Tool], name: str) -> str | None:
    """Return the one text that the tool `name` needs, or None if there is no such tool or parameter."""
    schema = next((tool.inputSchema for tool in tools if tool.name == name), {})
    texts = [parameter for parameter in _parameters(schema) if parameter.kind == "string"]
    needed = [parameter.name for parameter in _parameters(schema) if parameter.is_required]
    if len(needed) > 1:
        return None
    candidates = [text.name for text in texts if not needed or text.name in needed]
    return candidates[0] if len(candidates) == 1 else next((name for name in candidates if name == "query"), None)


def _offer(server: McpServer, tool: Tool) -> OfferedTool | None:
    parameters = _parameters(tool.inputSchema)
    usable = tuple(parameter for parameter in parameters if _NAME.fullmatch(parameter.name))[:_MOST_PARAMETERS]
    needs_more = any(parameter.is_required and parameter not in usable for parameter in parameters)
    if needs_more or not _NAME.fullmatch(tool.name):
        return None
    return OfferedTool(server.name, tool.name, usable, server.instructions)


def _parameters(schema: dict[str, Any]) -> list[ToolParameter]:
    """Return the parameters that a JSON Schema names, those that are needed first."""
    properties, required = schema.get("properties"), schema.get("required")
    named = properties if isinstance(properties, dict) else {}
    needed = required if isinstance(required, list) else []
    found = [ToolParameter(str(name), _kind(form), name in needed) for name, form in named.items()]
    return sorted(found, key=lambda parameter: not parameter.is_required)


def _kind(form: object) -> str:
    """Return the type of a parameter; of one that may be several, the first that is not null."""
    if not isinstance(form, dict):
        return "string"
    alternatives = form.get("anyOf")
    kinds = form.get("type", [part.get("type") for part in alternatives or [] if isinstance(part, dict)])
    listed = kinds if isinstance(kinds, list) else [kinds]
    return next((kind for kind in listed if kind in _KINDS), "string")
