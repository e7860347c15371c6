"""Tools of servers that the user set up, as they are offered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ToolParameter:
    """A parameter of a tool."""

    name: str
    kind: str
    """Its type in JSON Schema: `string`, `integer`, `number`, `boolean`, `array` or `object`."""
    is_required: bool


@dataclass(frozen=True)
class OfferedTool:
    """A tool of a server that the user set up.

    Its names are letters, digits and `_.-` alone. What the server says of it is left out: it is a stranger's text, and
    this is shown to calls that can act.
    """

    server: str
    name: str
    parameters: tuple[ToolParameter, ...]
    instructions: str = ""
    """What the user says of the server."""
