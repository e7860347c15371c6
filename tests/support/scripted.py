"""A small world for tests: an analyst that follows a script, a source of given pages, a journal in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeVar

from research import analysts, core
from research.engine import Control, RunResult, World, conduct
from research.engine.context import Summarise
from research.export.markdown import report_markdown
from research.sources import FoundPage, SearchRequest

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
E = TypeVar("E", bound=core.Event)


def found_page(name: str, text: str, **fields: object) -> FoundPage:
    """A page of `https://{name}.example/`."""
    page = FoundPage(
        url=f"https://{name}.example/",
        title=f"Title of {name}",
        site=f"{name}.example",
        origin=core.SourceName.WEB,
        kind=core.SourceKind.OTHER,
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
    name: core.SourceName = core.SourceName.WEB
    delay: float = 0.0
    failing: frozenset[str] = frozenset()
    asked: list[SearchRequest] = field(default_factory=list)

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        self.asked.append(request)
        await asyncio.sleep(self.delay)
        if request.query in self.failing:
            raise core.SourceError("search_failed", "scripted")
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

    events: list[core.Event] = field(default_factory=list)
    pages: dict[str, core.Page] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)

    def emit(self, event: core.Event) -> core.Event:
        stamped = event.model_copy(update={"seq": len(self.events) + 1, "at": datetime.now(UTC)})
        self.events.append(stamped)
        return stamped

    def keep(self, page: core.Page) -> None:
        self.pages[page.id] = page

    def answer(self, search: str) -> str | None:
        return self.answers.get(search)

    def keep_answer(self, search: str, answer: str) -> None:
        self.answers[search] = answer

    async def keep_run(self) -> None:
        """Nobody else can have it."""

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
    on_depth: Callable[[analysts.PlanRequest], core.Depth] | None = None
    on_outline: Callable[[analysts.PlanRequest], core.Outline] | None = None
    on_queries: Callable[[analysts.ResearcherView], tuple[str, ...]] | None = None
    on_reflect: Callable[[analysts.ResearcherView], core.Reflection] | None = None
    on_supervise: Callable[[analysts.SupervisorView], list[analysts.SupervisorAction]] | None = None
    on_investigate: Callable[[analysts.ResearcherView], list[analysts.ResearcherAction]] | None = None
    on_summarise: Callable[[analysts.PageRequest], analysts.PageSummary] | None = None
    on_compress: Callable[[analysts.Findings], analysts.Compression] | None = None
    on_write: Callable[[analysts.ReportRequest], str] | None = None
    on_repair: Callable[[analysts.RepairRequest], tuple[analysts.Repair, ...]] | None = None
    on_judge: Callable[[Sequence[analysts.OpenSentence]], tuple[analysts.Reading, ...]] | None = None
    on_frame: Callable[[analysts.FrameRequest], analysts.Frame] | None = None
    on_answer: Callable[[analysts.AnswerRequest], analysts.Answer] | None = None

    async def depth(self, request: analysts.PlanRequest) -> core.Depth:
        await asyncio.sleep(self.delay)
        return (
            self.on_depth(request) if self.on_depth else core.Depth(queries_per_section=1, iterations=2, reason="So.")
        )

    async def outline(self, request: analysts.PlanRequest) -> core.Outline:
        await asyncio.sleep(self.delay)
        if self.on_outline:
            return self.on_outline(request)
        return core.Outline(sections=tuple(core.Section(title=topic) for topic in self.topics))

    async def queries(self, view: analysts.ResearcherView) -> tuple[str, ...]:
        await asyncio.sleep(self.delay)
        return self.on_queries(view) if self.on_queries else (f"{view.topic} query",)

    async def reflect(self, view: analysts.ResearcherView) -> core.Reflection:
        await asyncio.sleep(self.delay)
        if self.on_reflect:
            return self.on_reflect(view)
        new = core.NextQuery(query=f"{view.topic} query {view.turn}", reason="a gap")
        return core.Reflection(summary="I have read.", gaps=("prices",), queries=(new,))

    async def supervise(self, view: analysts.SupervisorView) -> list[analysts.SupervisorAction]:
        await asyncio.sleep(self.delay)
        if self.on_supervise:
            return self.on_supervise(view)
        script: list[list[analysts.SupervisorAction]] = [
            [analysts.Think("I plan.")],
            [analysts.ConductResearch(topic) for topic in self.topics],
            [analysts.ResearchComplete("enough")],
        ]
        return script[min(view.turn, 2)]

    async def investigate(self, view: analysts.ResearcherView) -> list[analysts.ResearcherAction]:
        await asyncio.sleep(self.delay)
        if self.on_investigate:
            return self.on_investigate(view)
        script: list[list[analysts.ResearcherAction]] = [
            [analysts.Search((f"{view.topic} query",))],
            [analysts.Think("I have read.")],
            [analysts.ResearchComplete()],
        ]
        return script[min(view.turn, 2)]

    async def summarise(self, request: analysts.PageRequest) -> analysts.PageSummary:
        await asyncio.sleep(self.delay)
        if self.on_summarise:
            return self.on_summarise(request)
        first = request.text.split(". ")[0] + "."
        return analysts.PageSummary("About it.", (first,))

    def summary_key(self, request: analysts.PageRequest) -> tuple[str, ...] | None:
        return ("scripted", request.question)

    async def compress(self, findings: analysts.Findings) -> analysts.Compression:
        if self.on_compress:
            return self.on_compress(findings)
        return analysts.Compression(tuple(entry.id for entry in findings.evidence), "Covered.")

    async def write(self, request: analysts.ReportRequest) -> AsyncIterator[str]:
        await asyncio.sleep(self.delay)
        text = self.on_write(request) if self.on_write else _everything(request)
        for start in range(0, len(text), 40):
            yield text[start : start + 40]

    async def frame(self, request: analysts.FrameRequest) -> analysts.Frame:
        if self.on_frame:
            return self.on_frame(request)
        return analysts.Frame("Report", request.sentences[0] if request.sentences else "")

    async def judge(self, sentences: Sequence[analysts.OpenSentence]) -> tuple[analysts.Reading, ...]:
        await asyncio.sleep(self.delay)
        return self.on_judge(sentences) if self.on_judge else ()

    async def repair(self, request: analysts.RepairRequest) -> tuple[analysts.Repair, ...]:
        await asyncio.sleep(self.delay)
        return self.on_repair(request) if self.on_repair else ()

    async def answer(self, request: analysts.AnswerRequest) -> analysts.Answer:
        await asyncio.sleep(self.delay)
        if self.on_answer:
            return self.on_answer(request)
        return analysts.Answer(
            "".join(f"Something is known. [{name}]\n" for name in request.evidence), is_answered=True
        )


def _everything(request: analysts.ReportRequest) -> str:
    lines = [f"- Something is known. [{name}]" for name in request.evidence]
    return "# Report\n\n" + ("\n".join(lines) or "Nothing was found.") + "\n"


def in_order_of(journal: MemoryJournal) -> Summarise:
    """Read a page once the one before is in the books, so that evidence is numbered in the order of the pages.

    What is read at once is numbered as it comes in, which is anybody's guess.
    """

    async def summarise(analyst: analysts.Analyst, request: analysts.PageRequest) -> tuple[analysts.PageSummary, bool]:
        before = int(request.page.id.removeprefix("S")) - 1
        while before and not any(  # noqa: ASYNC110 - a journal only tells what it has
            event.page == f"S{before}" for event in journal.of(core.PageSummarised)
        ):
            await asyncio.sleep(0.001)
        return await analyst.summarise(request), False

    return summarise


def scripted_world(analyst: analysts.Analyst, *sources: MemorySource) -> World:
    """A world of scripts alone; `rules` is a scripted analyst named `rules`."""
    return World(
        analyst=analyst,
        rules=ScriptedAnalyst(name="rules"),
        sources=sources or (MemorySource(),),
        now=lambda: NOW,
        write_out=report_markdown,
    )


async def run_scripted(
    analyst: analysts.Analyst,
    *sources: MemorySource,
    brief: core.Brief | None = None,
    control: Control | None = None,
    limits: core.Limits | None = None,
    in_order: bool = False,
) -> tuple[RunResult, MemoryJournal]:
    """Run a brief in a scripted world; `in_order` is for what cites evidence by its id: see `in_order_of`."""
    journal, world = MemoryJournal(), scripted_world(analyst, *sources)
    result = await conduct(
        "test",
        brief or core.Brief(question="What of pumps?"),
        replace(world, summarise=in_order_of(journal)) if in_order else world,
        journal,
        control or Control(),
        limits=limits,
    )
    return result, journal


class SteeredJournal(MemoryJournal):
    """Says something to the run as soon as something happens in it; one thing for each event."""

    def __init__(self, control: Control, *script: tuple[Callable[[core.Event], bool], core.Steer]) -> None:
        super().__init__()
        self._control, self._script = control, list(script)

    def emit(self, event: core.Event) -> core.Event:
        due = next((entry for entry in self._script if entry[0](event)), None)
        if due is not None:
            self._script.remove(due)
            self._control.hear(due[1])
        return super().emit(event)


def when(kind: type[core.Event], **fields: object) -> Callable[[core.Event], bool]:
    def happens(event: core.Event) -> bool:
        return isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())

    return happens
