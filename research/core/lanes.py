"""What has happened to one researcher, to the plan and to one section of the report: parts of the view of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from research.core import events as told
from research.core.events import Event, LaneEvent
from research.core.outline import Outline
from research.core.vocabulary import StopReason


class LaneState(StrEnum):
    """Where a researcher stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass
class SearchView:
    """One query to one source, and what came of it."""

    id: str
    query: str
    source: str
    pages: int | None = None
    """None while the answer is awaited; 0 if it failed."""
    new: int = 0
    """Pages that the topic had not met before."""
    failed: str = ""
    """Code of the problem (see `research.core.errors`), if it failed."""
    lost: bool = False
    """Nobody waits for the answer: the run broke off meanwhile."""


@dataclass
class PageReading:
    """What one researcher took from one page."""

    page: str
    summarised: told.PageSummarised | None = None
    """None while the page is being summarised."""
    quotes: list[str] = field(default_factory=list)
    """Ids of evidence."""


@dataclass
class LaneView:
    """One researcher, or the supervisor; a further question that is searched for again goes on in its lane."""

    name: str
    topic: str = ""
    title: str = ""
    """The title of the section that it works on, if it is one."""
    is_queued: bool = False
    """Its topic was handed out."""
    state: LaneState = LaneState.QUEUED
    began_at: datetime | None = None
    seconds: float | None = None
    """From the first decision to the end; None before, or if no times are known."""
    finished: list[told.TopicFinished] = field(default_factory=list)
    """How it ended; more than once if the run broke off then and went on, or its question was searched for again."""
    dropped: bool = False
    """The user dropped its topic."""
    asked: dict[str, SearchView] = field(default_factory=dict)
    """Its searches by id, in order."""
    queries: set[str] = field(default_factory=set)
    """Different queries made so far, but those whose answer got lost; each may have gone to several sources."""
    readings: dict[str, PageReading] = field(default_factory=dict)
    """By page id, in the order read."""
    reflections: list[told.Reflected] = field(default_factory=list)
    assessed: list[told.Assessed] = field(default_factory=list)
    """What was counted after each search, in order."""
    activity: str = ""
    """What it did last: a query, or a reflection."""
    found: set[str] = field(default_factory=set)
    """Ids of all the evidence that it ever found."""
    evidence: dict[str, None] = field(default_factory=dict)
    """Ids of what it kept of that: a set in the order found."""
    kept: int | None = None
    """How many quotes were kept when its findings were compressed."""
    _before: dict[str, None] = field(default_factory=dict)
    """What it kept when its topic was handed out the last time: nothing, unless it had been searched for before."""

    @property
    def label(self) -> str:
        """What its topic is called in a few words, if it is a section of a plan; else the topic."""
        return self.title or self.topic

    @property
    def reason(self) -> str:
        """Why it ended, a code of `StopReason`; empty if it has not come to its end."""
        return self.finished[-1].reason if self.finished else ""

    @property
    def why(self) -> str:
        """The same in the words of whoever decided, if they gave any."""
        return self.finished[-1].why if self.finished else ""

    @property
    def notes(self) -> str:
        """What its findings were condensed to, if they were."""
        return self.finished[-1].notes if self.finished else ""

    @property
    def searches(self) -> list[SearchView]:
        """Its searches in order, but those whose answer got lost."""
        return [search for search in self.asked.values() if not search.lost]

    @property
    def quotes(self) -> int:
        """Quotes found so far."""
        return sum(len(reading.quotes) for reading in self.readings.values())

    @property
    def is_over(self) -> bool:
        """Whether the researcher has ended."""
        return self.state in (LaneState.DONE, LaneState.FAILED)

    def enter(self, event: LaneEvent) -> None:
        """Enter what happened to this researcher."""
        match event:
            case told.SearchStarted(search=search, query=query, source=source):
                self.asked[search] = SearchView(search, query, source)
                self.queries.add(query)
                self.activity = query
            case told.SearchReturned(search=search) if search in self.asked:
                self.asked[search].pages, self.asked[search].new = event.pages, event.new
            case told.SearchFailed(search=search) if search in self.asked:
                self.asked[search].pages, self.asked[search].failed = 0, event.code
            case told.EvidenceFound(id=name):
                self._keep([name])
            case told.PageRead(page=page):
                self._reading(page)
            case told.PageSummarised(page=page, evidence=quotes):
                reading = self._reading(page)
                reading.summarised = event
                reading.quotes += [name for name in quotes if name not in reading.quotes]
                self._keep(quotes)
            case told.Reflected():
                self.reflections.append(event)
                self.activity = event.reflection
            case told.Assessed():
                self.assessed.append(event)
            case told.FindingsCompressed(kept=kept):
                self.kept = len(kept)
                self._settle(kept)
            case _:
                self._enter_course(event)

    def _enter_course(self, event: LaneEvent) -> None:
        match event:
            case told.TopicQueued():
                self.topic, self.title, self.is_queued = event.topic, event.title, True
                self._before = dict(self.evidence)
            case told.TopicStarted():
                self.state, self.began_at = LaneState.RUNNING, event.at
            case told.TopicDropped():
                self.dropped = True
            case told.TopicFinished():
                self.state = LaneState.FAILED if event.reason == StopReason.FAILED else LaneState.DONE
                self.seconds = (event.at - self.began_at).total_seconds() if event.at and self.began_at else None
                self.finished.append(event)
                self.found.update(event.evidence)
                self._settle(event.evidence)

    def _reading(self, page: str) -> PageReading:
        return self.readings.setdefault(page, PageReading(page))

    def _keep(self, names: Iterable[str]) -> None:
        self.evidence.update(dict.fromkeys(names))
        self.found.update(names)

    def _settle(self, kept: Iterable[str]) -> None:
        self.evidence = self._before | dict.fromkeys(kept)

    def lose(self) -> None:
        """Know that the run broke off: nobody waits for answers that are missing, or reads on in pages."""
        for search in self.asked.values():
            search.lost = search.lost or search.pages is None
        self.queries = {search.query for search in self.searches}
        self.readings = {page: reading for page, reading in self.readings.items() if reading.summarised}


@dataclass
class PlanView:
    """The plan of the report, as far as there is one."""

    depth: told.DepthChosen | None = None
    outline: Outline | None = None
    settled: told.PlanSettled | None = None
    """With what plan research began, once it did."""
    begins_at: datetime | None = None
    """Until when it can be edited, while it waits for that."""
    waits_from: datetime | None = None
    """Since when it has been waiting, while it does."""
    waited: float = 0.0
    """Seconds that it waited; a cap on the run's time does not count them."""
    is_held: bool = False
    """Somebody is editing it."""
    edited: bool = False
    """Somebody edited it."""
    step_budget: int | None = None
    """Steps that it may take; None where they are not counted."""

    @property
    def is_settled(self) -> bool:
        """Whether research has begun with it."""
        return self.settled is not None

    def waited_until(self, now: datetime) -> float:
        """Return how many seconds it has waited to be read or edited, until `now`."""
        return self.waited + ((now - self.waits_from).total_seconds() if self.waits_from else 0.0)

    def enter(self, event: Event) -> None:
        """Enter what became of the plan."""
        match event:
            case told.DepthChosen():
                self.depth = event
            case told.PlanDrafted():
                self.outline, self.begins_at = event.outline, event.begins_at
                self.waits_from = event.at if event.begins_at else None
            case told.PlanHeld():
                self.begins_at, self.is_held = event.begins_at, True
            case told.PlanSettled():
                self.outline, self.settled, self.begins_at, self.is_held = event.outline, event, None, False
                self.edited, self.step_budget = event.edited, event.step_budget
                if self.waits_from is not None and event.at is not None:
                    self.waited, self.waits_from = (event.at - self.waits_from).total_seconds(), None


@dataclass
class SectionView:
    """A section of the report while it is written."""

    title: str
    pieces: dict[int, str] = field(default_factory=dict)
    """Text by its place in the section."""
    analyst: str = ""
    """Who wrote it; empty while it grows."""
    evidence: tuple[str, ...] = ()
    """What it was written from."""

    @property
    def is_whole(self) -> bool:
        """Whether it is written to its end."""
        return bool(self.analyst)

    @property
    def text(self) -> str:
        """Its text so far, without the heading."""
        return "\n\n".join(self.pieces[place].strip() for place in sorted(self.pieces) if self.pieces[place].strip())

    def enter(self, event: told.SectionExtended | told.SectionWritten) -> None:
        """Take in what was told of it."""
        match event:
            case told.SectionExtended(piece=place, anew=anew):
                self.pieces[place] = event.text if anew else self.pieces.get(place, "") + event.text
                self.analyst = ""
            case told.SectionWritten():
                self.analyst, self.evidence = event.analyst, event.evidence
