"""What a decision may rest on."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from research.analysts.protocol.actions import Search, Think
from research.analysts.protocol.steps import Step
from research.analysts.protocol.tools import OfferedTool
from research.analysts.protocol.topics import TopicResult
from research.assessment import Assessment
from research.brief import Brief
from research.evidence import Evidence, Page
from research.outline import Section
from research.presets import Limits


@dataclass(frozen=True)
class SupervisorView:
    """Everything that the next decision of the supervisor may rest on."""

    brief: Brief
    brief_text: str
    today: date
    limits: Limits
    turn: int
    """Decisions taken so far."""
    topics_left: int
    steps: tuple[Step, ...]
    results: tuple[TopicResult, ...]


@dataclass(frozen=True)
class ResearcherView:
    """Everything that the next decision of a researcher may rest on: its topic alone, not its siblings'."""

    brief: Brief
    topic: str
    today: date
    limits: Limits
    """Those of this researcher: a method, or a simple topic, may set them lower than the run's."""
    turn: int
    searches_left: int
    steps: tuple[Step, ...]
    evidence: tuple[Evidence, ...]
    """Found for this topic so far. For rules; a prompt that can act must not show the quotes."""
    pages: dict[str, Page] = field(default_factory=dict)
    """The pages that `evidence` quotes, by id. For rules alone, likewise."""
    section: Section | None = None
    """The section of the plan that the topic is, if there is a plan."""
    assessment: Assessment | None = None
    """What is counted of what was found; None before the first search."""
    tools: tuple[OfferedTool, ...] = ()
    """What may be asked besides searching."""

    @property
    def queries_made(self) -> tuple[str, ...]:
        """Every query of this topic so far, in order."""
        return tuple(query for step in self.steps if isinstance(step.action, Search) for query in step.action.queries)

    @property
    def has_reflected(self) -> bool:
        """Whether the last thing done was a reflection."""
        return bool(self.steps) and isinstance(self.steps[-1].action, Think)
