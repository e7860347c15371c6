"""One run from brief to report: the seam between the engine and whoever starts, stores and follows runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from research.brief import Brief
from research.brief_text import compose
from research.contradictions import Contradiction, contradictions_of
from research.events import (
    AnyEvent,
    Event,
    FinishRequested,
    RunFinished,
    RunResumed,
    RunStarted,
    Stage,
    Status,
    StopRequested,
)
from research.evidence import Page
from research.export.byline import byline
from research.export.recorded import record_markdown
from research.graph import proving, run, steering
from research.graph.context import Journal, RunContext, World
from research.graph.control import Control
from research.graph.proving import ProvenReport
from research.graph.remembering import RememberingJournal
from research.length import pages_of
from research.presets import PRESETS, Limits
from research.record import Problem, RunRecord, SourceEntry, problems_in
from research.trail import Trail, trail_of
from research.usage import usage_of

_graph = run.build()
_writing = run.build(researches=False)

_HARMLESS = {Stage.SEARCH}
"""A problem in these stages costs a page or a query, not the report; see `_status`."""
_NOTHING_LOST = {"repair_failed", "plan_empty", "plan_shortened", "report_longer", "report_shorter"}
"""Problems that take nothing from the report."""
_TELLING = {"no_hits", "search_unauthorized", "search_quota", "model_unauthorized"}
"""Problems that leave a report incomplete in whichever stage they occur."""


@dataclass(frozen=True)
class RunResult:
    """What a run leaves behind."""

    record: RunRecord
    markdown: str
    pages: dict[str, Page]


@dataclass(frozen=True)
class Errand:
    """What a run does that does not just research its brief and write the report."""

    work: Callable[[RunContext], Awaitable[ProvenReport]] | None = None
    """Brings the report; by default it is researched and written."""
    rewritten_from: str = ""
    """Id of the run whose evidence it writes from."""
    follow_up_to: str = ""
    """Id of the run about whose report it searches for an answer."""
    trail: Trail | None = None
    """How the evidence was researched, if not by this run."""
    earlier: tuple[AnyEvent, ...] = ()
    """What the run had reported before it broke off, if it goes on."""
    seconds: float = 0.0
    """How long it had worked until then."""


async def conduct(
    run_id: str,
    brief: Brief,
    world: World,
    journal: Journal,
    control: Control,
    *,
    limits: Limits | None = None,
    errand: Errand = Errand(),
) -> RunResult:
    """Research `brief` and write the report; `limits` are those of the brief's preset unless given.

    Always returns a result: whatever fails, is finished early or is stopped, the report is written from what was
    found, and it says what is missing. Cancelling this coroutine is the only way to get none.
    """
    history = RememberingJournal(journal, errand.earlier)
    began = time.monotonic()
    context = RunContext(
        run=run_id,
        brief=brief,
        brief_text=compose(brief),
        world=world,
        journal=history,
        control=control,
        started_at=world.now(),
        limits=limits or PRESETS[brief.preset].limits,
    )
    world.line.connect(context)
    if errand.earlier:
        context.spending.resume(errand.earlier, errand.seconds)
        context.emit(RunResumed(models=world.models))
    else:
        context.emit(_started(context, errand))
    async with _wishes_heard(context):
        report = await _report(context, errand.work or research_and_write)
    found = await asyncio.to_thread(_contradictions, context, history.events)
    record = _record(context, history.events, report, found, errand, seconds=errand.seconds + time.monotonic() - began)
    context.emit(RunFinished(status=record.status, seconds=record.seconds))
    line = byline(brief.language, record.day, record.writer, world.models)
    pages = context.ledger.pages
    return RunResult(record, record_markdown(record, report.cited, pages, line), pages)


def _started(context: RunContext, errand: Errand) -> RunStarted:
    world = context.world
    return RunStarted(
        run=context.run,
        brief=context.brief,
        brief_text=context.brief_text,
        analyst=world.analyst.name,
        sources=tuple(dict.fromkeys(source.name for source in world.sources)),
        models=world.models,
        method=context.method,
        rewritten_from=errand.rewritten_from,
        follow_up_to=errand.follow_up_to,
    )


@asynccontextmanager
async def _wishes_heard(context: RunContext) -> AsyncIterator[None]:
    """Do meanwhile what the user asks for, and keep an eye on what is spent."""
    wishes = asyncio.gather(
        _tell(context.control.finish, context, FinishRequested()),
        _tell(context.control.stop, context, StopRequested()),
        steering.obey(context),
        context.spending.watch(),
    )
    try:
        yield
    finally:
        wishes.cancel()
        await asyncio.gather(wishes, return_exceptions=True)


async def _tell(wish: asyncio.Event, context: RunContext, event: Event) -> None:
    await wish.wait()
    context.emit(event)


async def research_and_write(context: RunContext) -> ProvenReport:
    """Do what a run does by default."""
    state = await _graph.ainvoke({}, context=context)
    report: ProvenReport = state["report"]
    return report


async def write_from_books(context: RunContext) -> ProvenReport:
    """Write the report from what the books hold; nothing is searched."""
    state = await _writing.ainvoke({}, context=context)
    report: ProvenReport = state["report"]
    return report


async def _report(context: RunContext, work: Callable[[RunContext], Awaitable[ProvenReport]]) -> ProvenReport:
    try:
        report = await work(context)
    except Exception as error:  # noqa: BLE001 - whatever breaks, what was found becomes a report
        context.problem(Stage.RESEARCH, "internal", detail=f"{type(error).__name__}: {error}")
        return await proving.compose(context)
    if context.control.stop.is_set():
        context.problem(Stage.RESEARCH, "stopped")
    return report


def _contradictions(context: RunContext, events: Sequence[Event]) -> tuple[Contradiction, ...]:
    """Return what the sources say differently in all evidence that the user wants, cited or not."""
    try:
        return contradictions_of(events, {entry.id: entry for entry in context.wanted}, context.ledger.pages)
    except Exception as error:  # noqa: BLE001 - text of strangers must not cost a report
        context.problem(Stage.WRITING, "comparison_failed", detail=f"{type(error).__name__}: {error}")
        return ()


def _record(
    context: RunContext,
    events: Sequence[AnyEvent],
    report: ProvenReport,
    found: tuple[Contradiction, ...],
    errand: Errand,
    *,
    seconds: float,
) -> RunRecord:
    problems = problems_in(events)
    ledger = context.ledger
    return RunRecord(
        run=context.run,
        status=_status(problems),
        analyst=context.world.analyst.name,
        writer=report.writer,
        brief=context.brief,
        started_at=context.started_at.isoformat(),
        seconds=seconds,
        usage=usage_of(events),
        sources=tuple(SourceEntry.of(page, report.cited.numbers.get(page.id)) for page in ledger.pages.values()),
        evidence=tuple(ledger.evidence.values()),
        sentences=report.sentences,
        problems=problems,
        draft=report.cited.draft,
        pages=pages_of(report.cited.draft),
        left_out=report.left_out,
        contradictions=found,
        trail=errand.trail or trail_of(events),
        rewritten_from=errand.rewritten_from,
    )


def _status(problems: Sequence[Problem]) -> Status:
    telling = [problem for problem in problems if problem.code not in _NOTHING_LOST]
    lets_down = any(problem.stage not in _HARMLESS or problem.code in _TELLING for problem in telling)
    return Status.PARTIAL if lets_down else Status.COMPLETE
