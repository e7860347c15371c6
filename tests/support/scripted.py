"""A small world for tests: an analyst that follows a script, a source of given pages, a journal in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar

from research.analysts import (
    Analyst,
    Answer,
    AnswerRequest,
    Compression,
    ConductResearch,
    Findings,
    Frame,
    FrameRequest,
    OpenSentence,
    PageRequest,
    PageSummary,
    PlanRequest,
    Reading,
    Repair,
    RepairRequest,
    ReportRequest,
    ResearchComplete,
    ResearcherAction,
    ResearcherView,
    Search,
    SupervisorAction,
    SupervisorView,
    Think,
)
from research.core import (
    Brief,
    Depth,
    Event,
    Limits,
    NextQuery,
    Outline,
    Page,
    Reflection,
    Section,
    SourceError,
    SourceKind,
    SourceName,
    Steer,
)
from research.engine import Control, RunResult, World, conduct
from research.export import report_markdown
from research.sources import FoundPage, SearchRequest

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
E = TypeVar("E", bound=Event)


def found_page(name: str, text: str, **fields: object) -> FoundPage:
    """A page of `https://{name}.example/`."""
    page = FoundPage(
        url=f"https://{name}.example/",
        title=f"Title of {name}",
        site=f"{name}.example",
        origin=SourceName.WEB,
        kind=SourceKind.OTHER,
        text=text,
        published="2026-10-01",
    )
    return FoundPage(**{**page.__dict__, **fields})


PAGES = (
    found_page("alpha", "The pump market grew 4.2% in 2025. Demand came from water utilities. Prices were stable."),
    found_page("beta", "Imports of pumps fell to 310 units in March 2026. Analysts expect a slow recovery."),
    found_page("gamma", "A new factory opened in Da Nang. It makes 12,000 controllers a year."),
)


@dataclass
class MemorySource:
    """Returns given pages for every query, after a delay; a query in `failing` fails."""

    pages: Sequence[FoundPage] = PAGES
    name: SourceName = SourceName.WEB
    delay: float = 0.0
    failing: frozenset[str] = frozenset()
    asked: list[SearchRequest] = field(default_factory=list)

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        self.asked.append(request)
        await asyncio.sleep(self.delay)
        if request.query in self.failing:
            raise SourceError("search_failed", "scripted")
        return list(self.pages)


@dataclass
class Stalling(MemorySource):
    """Answers so many searches; the next ones wait for ever, and so does each for `never`."""

    answers: int = 1
    never: str = "nothing"

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        if len(self.asked) >= self.answers or self.never in request.query:
            await asyncio.Event().wait()
        return await super().search(request)


@dataclass
class MemoryJournal:
    """Keeps events and pages in lists."""

    events: list[Event] = field(default_factory=list)
    pages: dict[str, Page] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)

    def emit(self, event: Event) -> Event:
        stamped = event.model_copy(update={"seq": len(self.events) + 1, "at": datetime.now(UTC)})
        self.events.append(stamped)
        return stamped

    def keep(self, page: Page) -> None:
        self.pages[page.id] = page

    def answer(self, search: str) -> str | None:
        return self.answers.get(search)

    def keep_answer(self, search: str, answer: str) -> None:
        self.answers[search] = answer

    def of(self, kind: type[E]) -> list[E]:
        """Events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]


@dataclass
class ScriptedAnalyst:
    """Delegates one topic per name in `topics`, searches once each, quotes first sentences, cites everything.

    Where it plans, each topic is a section; its reflections name one gap and one new query each time, without end.
    Each hook replaces one behaviour; it may raise, as a model would.
    """

    topics: Sequence[str] = ("Topic one", "Topic two")
    name: str = "scripted"
    delay: float = 0.0
    on_depth: Callable[[PlanRequest], Depth] | None = None
    on_outline: Callable[[PlanRequest], Outline] | None = None
    on_queries: Callable[[ResearcherView], tuple[str, ...]] | None = None
    on_reflect: Callable[[ResearcherView], Reflection] | None = None
    on_supervise: Callable[[SupervisorView], list[SupervisorAction]] | None = None
    on_investigate: Callable[[ResearcherView], list[ResearcherAction]] | None = None
    on_summarise: Callable[[PageRequest], PageSummary] | None = None
    on_compress: Callable[[Findings], Compression] | None = None
    on_write: Callable[[ReportRequest], str] | None = None
    on_repair: Callable[[RepairRequest], tuple[Repair, ...]] | None = None
    on_judge: Callable[[Sequence[OpenSentence]], tuple[Reading, ...]] | None = None
    on_frame: Callable[[FrameRequest], Frame] | None = None
    on_answer: Callable[[AnswerRequest], Answer] | None = None

    async def depth(self, request: PlanRequest) -> Depth:
        await asyncio.sleep(self.delay)
        return self.on_depth(request) if self.on_depth else Depth(queries_per_section=1, iterations=2, reason="So.")

    async def outline(self, request: PlanRequest) -> Outline:
        await asyncio.sleep(self.delay)
        if self.on_outline:
            return self.on_outline(request)
        return Outline(sections=tuple(Section(title=topic) for topic in self.topics))

    async def queries(self, view: ResearcherView) -> tuple[str, ...]:
        await asyncio.sleep(self.delay)
        return self.on_queries(view) if self.on_queries else (f"{view.topic} query",)

    async def reflect(self, view: ResearcherView) -> Reflection:
        await asyncio.sleep(self.delay)
        if self.on_reflect:
            return self.on_reflect(view)
        new = NextQuery(query=f"{view.topic} query {view.turn}", reason="a gap")
        return Reflection(summary="I have read.", gaps=("prices",), queries=(new,))

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        await asyncio.sleep(self.delay)
        if self.on_supervise:
            return self.on_supervise(view)
        script: list[list[SupervisorAction]] = [
            [Think("I plan.")],
            [ConductResearch(topic) for topic in self.topics],
            [ResearchComplete("enough")],
        ]
        return script[min(view.turn, 2)]

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        await asyncio.sleep(self.delay)
        if self.on_investigate:
            return self.on_investigate(view)
        script: list[list[ResearcherAction]] = [
            [Search((f"{view.topic} query",))],
            [Think("I have read.")],
            [ResearchComplete()],
        ]
        return script[min(view.turn, 2)]

    async def summarise(self, request: PageRequest) -> PageSummary:
        await asyncio.sleep(self.delay)
        if self.on_summarise:
            return self.on_summarise(request)
        first = request.text.split(". ")[0] + "."
        return PageSummary("About it.", (first,))

    def summary_key(self, request: PageRequest) -> tuple[str, ...] | None:
        return ("scripted", request.question)

    async def compress(self, findings: Findings) -> Compression:
        if self.on_compress:
            return self.on_compress(findings)
        return Compression(tuple(entry.id for entry in findings.evidence), "Covered.")

    async def write(self, request: ReportRequest) -> AsyncIterator[str]:
        await asyncio.sleep(self.delay)
        text = self.on_write(request) if self.on_write else _everything(request)
        for start in range(0, len(text), 40):
            yield text[start : start + 40]

    async def frame(self, request: FrameRequest) -> Frame:
        if self.on_frame:
            return self.on_frame(request)
        return Frame("Report", request.sentences[0] if request.sentences else "")

    async def judge(self, sentences: Sequence[OpenSentence]) -> tuple[Reading, ...]:
        await asyncio.sleep(self.delay)
        return self.on_judge(sentences) if self.on_judge else ()

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        await asyncio.sleep(self.delay)
        return self.on_repair(request) if self.on_repair else ()

    async def answer(self, request: AnswerRequest) -> Answer:
        await asyncio.sleep(self.delay)
        if self.on_answer:
            return self.on_answer(request)
        return Answer("".join(f"Something is known. [{name}]\n" for name in request.evidence), is_answered=True)


def _everything(request: ReportRequest) -> str:
    lines = [f"- Something is known. [{name}]" for name in request.evidence]
    return "# Report\n\n" + ("\n".join(lines) or "Nothing was found.") + "\n"


class StraightSummariser:
    """Asks the analyst each time."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst

    async def summarise(self, request: PageRequest) -> tuple[PageSummary, bool]:
        return await self._analyst.summarise(request), False


def scripted_world(analyst: Analyst, *sources: MemorySource) -> World:
    """A world of scripts alone; `rules` is a scripted analyst named `rules`."""
    return World(
        analyst=analyst,
        rules=ScriptedAnalyst(name="rules"),
        sources=sources or (MemorySource(),),
        summariser=StraightSummariser(analyst),
        now=lambda: NOW,
        write_out=report_markdown,
    )


async def run_scripted(
    analyst: Analyst,
    *sources: MemorySource,
    brief: Brief | None = None,
    control: Control | None = None,
    limits: Limits | None = None,
) -> tuple[RunResult, MemoryJournal]:
    """Run a brief in a scripted world."""
    journal = MemoryJournal()
    result = await conduct(
        "test",
        brief or Brief(question="What of pumps?"),
        scripted_world(analyst, *sources),
        journal,
        control or Control(),
        limits=limits,
    )
    return result, journal


class SteeredJournal(MemoryJournal):
    """Says something to the run as soon as something happens in it; one thing for each event."""

    def __init__(self, control: Control, *script: tuple[Callable[[Event], bool], Steer]) -> None:
        super().__init__()
        self._control, self._script = control, list(script)

    def emit(self, event: Event) -> Event:
        due = next((entry for entry in self._script if entry[0](event)), None)
        if due is not None:
            self._script.remove(due)
            self._control.hear(due[1])
        return super().emit(event)


def when(kind: type[Event], **fields: object) -> Callable[[Event], bool]:
    def happens(event: Event) -> bool:
        return isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())

    return happens
