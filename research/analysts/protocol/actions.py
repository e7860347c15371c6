"""What an analyst can choose to do; the program does it."""

from __future__ import annotations

from dataclasses import dataclass

from research.methods.stopping import StopReason
from research.reflection import Reflection


@dataclass(frozen=True)
class Think:
    """A reflection, recorded and shown (`think_tool`); never carried out together with other actions."""

    reflection: str
    parts: Reflection | None = None
    """The reflection in parts, where it was asked for in parts."""


@dataclass(frozen=True)
class ConductResearch:
    """Hand one self-contained topic, a full paragraph, to a researcher."""

    topic: str
    is_hard: bool = True
    """A hard topic may be searched for longer than a simple one."""


@dataclass(frozen=True)
class Search:
    """Search with several queries at once."""

    queries: tuple[str, ...]


@dataclass(frozen=True)
class UseTool:
    """Ask a tool of a server that the user set up. What it answers is read and quoted like a page that was found."""

    server: str
    tool: str
    arguments: str = "{}"
    """A JSON object."""


@dataclass(frozen=True)
class ResearchComplete:
    """End the loop; `reason` is shown."""

    reason: str = ""
    code: StopReason = StopReason.COMPLETE


SupervisorAction = Think | ConductResearch | ResearchComplete
ResearcherAction = Think | Search | UseTool | ResearchComplete
