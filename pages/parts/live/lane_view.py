"""What the page knows of the plan, of each researcher, and of the run's cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from research.events import Assessed, DepthChosen, Reflected
from research.outline import Outline


class Phase(StrEnum):
    """What the run is doing."""

    WAITING = "waiting"
    RESEARCHING = "researching"
    WRITING = "writing"
    ENDED = "ended"


class LaneState(StrEnum):
    """Where a researcher stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass
class SearchView:
    """One query and what came of it."""

    id: str
    query: str
    source: str
    pages: int | None = None
    """None while the answer is awaited."""
    new: int = 0
    failed: str = ""
    """Code of the problem, if it failed."""


@dataclass
class Reading:
    """What one researcher took from one page."""

    page: str
    summary: str = ""
    quotes: list[str] = field(default_factory=list)
    """Ids of evidence."""
    cached: bool = False
    done: bool = False
    """False while the page is being summarised."""


@dataclass
class LaneView:
    """One researcher, or the supervisor."""

    name: str
    topic: str = ""
    title: str = ""
    """The title of the section that it works on, if it is one."""
    state: LaneState = LaneState.QUEUED
    reason: str = ""
    """A code of `research.methods.stopping.StopReason`, once it has ended."""
    why: str = ""
    """The same in the words of whoever decided, if they gave any."""
    notes: str = ""
    reflections: list[Reflected] = field(default_factory=list)
    assessed: list[Assessed] = field(default_factory=list)
    """What was counted after each search, in order."""
    searches: list[SearchView] = field(default_factory=list)
    readings: dict[str, Reading] = field(default_factory=dict)
    """By page id, in the order read."""
    dropped: bool = False
    """The user dropped its topic."""
    kept: int | None = None
    """Quotes kept when the findings were compressed."""

    @property
    def quotes(self) -> int:
        """Quotes found so far."""
        return sum(len(reading.quotes) for reading in self.readings.values())

    @property
    def queries(self) -> int:
        """Different queries made so far; each may have gone to several sources."""
        return len({search.query for search in self.searches})

    @property
    def is_over(self) -> bool:
        """Whether the researcher has ended."""
        return self.state in (LaneState.DONE, LaneState.FAILED)

    def resume(self) -> None:
        """Forget the searches that nobody answered and the pages that nobody summarised before the run broke off."""
        self.searches = [search for search in self.searches if search.pages is not None]
        self.readings = {page: reading for page, reading in self.readings.items() if reading.done}


@dataclass
class PlanView:
    """The plan of the report, as far as there is one."""

    depth: DepthChosen | None = None
    outline: Outline | None = None
    begins_at: datetime | None = None
    """Until when it can be edited, while it waits for that."""
    waits_from: datetime | None = None
    """Since when it has been waiting, while it does."""
    waited: float = 0.0
    """Seconds that it waited; a cap on the run's time does not count them."""
    is_held: bool = False
    """Somebody is editing it."""
    is_settled: bool = False
    edited: bool = False
    step_budget: int | None = None

    def waited_until(self, now: datetime) -> float:
        """Return how many seconds it has waited to be read or edited, until `now`."""
        return self.waited + ((now - self.waits_from).total_seconds() if self.waits_from else 0.0)


@dataclass
class Totals:
    """What the run came to so far."""

    searches: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: bool = False
    """A model was called whose price is not known, so the cost is more than `cost_usd`."""

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens
