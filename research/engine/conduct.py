"""One run from brief to report: new, gone on with, or written again from what was found."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from research.core import (
    PRESETS,
    AddQuestion,
    AnyEvent,
    BlockSite,
    BookSteer,
    Brief,
    DepthChosen,
    DropTopic,
    Event,
    EvidenceFound,
    FindingsCompressed,
    FinishRequested,
    Limits,
    NoteTaken,
    Page,
    PageRead,
    PageSummarised,
    PlanDrafted,
    PlanSettled,
    QuestionAdded,
    RunFinished,
    RunResumed,
    RunStarted,
    RunView,
    SiteBlocked,
    Stage,
    Status,
    StopRequested,
    TopicDropped,
    TopicFinished,
    TopicQueued,
    TopicStarted,
    compose,
    pages_of,
    tracing,
)
from research.engine.context import Control, Journal, RunContext, World, restore, take_up
from research.engine.proving import ProvenReport, compose_report
from research.engine.sections import keep_sections
from research.engine.writing import parts_answered
from research.results import (
    AskedPart,
    Problem,
    Report,
    RunRecord,
    SourceEntry,
    Trail,
    lane_of,
    problems_of,
    trail_of,
    usage_of,
)
from research.text import Part
from research.verification import Contradiction, contradictions_of

if TYPE_CHECKING:
    from research.engine.graph import RunGraph


async def _obey_steering(context: RunContext) -> None:
    """Enter whatever is asked, as it is asked; ends by being cancelled."""
    while True:
        _enter(context, await context.control.of_books())


def _enter(context: RunContext, steer: BookSteer) -> None:
    match steer:
        case AddQuestion(text=text):
            if context.is_researched:
                context.problem(Stage.RESEARCH, "question_late", subject=text[:80])
            elif text not in context.questions:
                context.questions.append(text)
                context.emit(QuestionAdded(question=text))
        case DropTopic(lane=name):
            # Whatever names no researcher, or one that is dropped already, changes nothing.
            for lane in context.lanes:
                if lane.name == name and not lane.dropped.is_set():
                    lane.dropped.set()
                    context.emit(TopicDropped(lane=name))
        case BlockSite(site=site):
            if site not in context.blocked_sites:
                context.blocked_sites.append(site)
                context.emit(SiteBlocked(site=site))


_HARMLESS = {Stage.SEARCH}
"""A problem in these stages costs a page or a query, not the report; see `_status`."""
_NOTHING_LOST = {"repair_failed", "judging_failed", "plan_empty", "plan_shortened", "report_longer", "report_shorter"}
"""Problems that take nothing from the report."""
_TELLING = {"no_hits", "subject_missing", "answer_missing", "search_unauthorized", "search_quota", "model_unauthorized"}
"""Problems that leave a report incomplete in whichever stage they occur."""


@dataclass(frozen=True)
class RunResult:
    """What a run leaves behind."""

    record: RunRecord
    markdown: str
    pages: dict[str, Page]


@dataclass(frozen=True)
class Undertaking:
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
    errand: Undertaking = Undertaking(),
) -> RunResult:
    """Research `brief` and write the report; `limits` are those of the brief's preset unless given.

    Always returns a result: whatever fails, is finished early or is stopped, the report is written from what was
    found, and it says what is missing. Cancelling this coroutine is the only way to get none.
    """
    await asyncio.to_thread(_graph, researches=True)  # The time for a run is not spent on loading what carries it out.
    began = time.monotonic()
    context = RunContext(
        run=run_id,
        brief=brief,
        brief_text=compose(brief),
        world=world,
        journal=journal,
        control=control,
        started_at=world.now(),
        limits=limits or PRESETS[brief.preset].limits,
    )
    world.channel.connect(context)
    if errand.earlier:
        context.spending.resume(errand.earlier, errand.seconds)
        for event in errand.earlier:
            context.outgoing.hear(event)
        context.emit(RunResumed(models=world.models))
    else:
        context.emit(_started(context, errand))
    async with _wishes_heard(context):
        with tracing(world.is_traced):
            report = await _report(context, errand.work or _researched)
        context.desk.clear()
    found = await asyncio.to_thread(_contradictions, context, report)
    parts = await asyncio.to_thread(parts_answered, context, report.cited)
    if report.writer != context.world.rules.name:  # A report by rule names what it did not find.
        for part in parts:
            if not part.is_spoken_of and len(parts) > 1:
                context.problem(Stage.SEARCH, "part_unanswered", subject=str(Part(part.about, part.asked)))
    record = _record(context, report, found, parts, errand, seconds=errand.seconds + time.monotonic() - began)
    context.emit(RunFinished(status=record.status, seconds=record.seconds))
    pages = context.ledger.pages
    return RunResult(record, world.write_out(record, pages, world.models), pages)


def _started(context: RunContext, errand: Undertaking) -> RunStarted:
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
        _obey_steering(context),
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


@cache
def _graph(*, researches: bool) -> RunGraph:
    """Return the graph of a run; what it is made of takes a second to load, which a list of runs does not need."""
    from research.engine.graph import build_run

    return build_run(researches=researches)


async def _researched(context: RunContext, *, researches: bool = True) -> ProvenReport:
    """Research and write the report, or write it from what the books hold."""
    state = await _graph(researches=researches).ainvoke({}, context=context)
    report: ProvenReport = state["report"]
    return report


async def _report(context: RunContext, work: Callable[[RunContext], Awaitable[ProvenReport]]) -> ProvenReport:
    try:
        report = await work(context)
    except Exception as error:  # noqa: BLE001 - whatever breaks, what was found becomes a report
        context.problem(Stage.RESEARCH, "internal", detail=f"{type(error).__name__}: {error}")
        return await compose_report(context)
    if context.control.stop.is_set():
        context.problem(Stage.RESEARCH, "stopped")
    return report


def _contradictions(context: RunContext, report: ProvenReport) -> tuple[Contradiction, ...]:
    """Return what the sources say differently of what the report says, cited by it or not."""
    try:
        wanted = {entry.id: entry for entry in context.wanted}
        cited = (name for sentence in report.sentences for name in sentence.evidence)
        pages, question = context.ledger.pages, context.brief.question
        return contradictions_of(context.journal.events, wanted, pages, question, cited)
    except Exception as error:  # noqa: BLE001 - text of strangers must not cost a report
        context.problem(Stage.WRITING, "comparison_failed", detail=f"{type(error).__name__}: {error}")
        return ()


def _record(
    context: RunContext,
    report: ProvenReport,
    found: tuple[Contradiction, ...],
    parts: tuple[AskedPart, ...],
    errand: Undertaking,
    *,
    seconds: float,
) -> RunRecord:
    view, ledger = RunView.of(context.journal.events), context.ledger
    problems = problems_of(view)
    return RunRecord(
        run=context.run,
        status=_status(problems),
        analyst=context.world.analyst.name,
        writer=report.writer,
        brief=context.brief,
        started_at=context.started_at.isoformat(),
        seconds=seconds,
        usage=usage_of(view),
        sources=tuple(SourceEntry.of(page, report.cited.numbers.get(page.id)) for page in ledger.pages.values()),
        evidence=tuple(ledger.evidence.values()),
        sentences=report.sentences,
        problems=problems,
        parts=parts,
        draft=report.cited.draft,
        pages=pages_of(report.cited.draft),
        left_out=report.left_out,
        contradictions=found,
        trail=errand.trail or trail_of(view),
        rewritten_from=errand.rewritten_from,
    )


def _status(problems: Sequence[Problem]) -> Status:
    telling = [problem for problem in problems if problem.code not in _NOTHING_LOST]
    lets_down = any(problem.stage not in _HARMLESS or problem.code in _TELLING for problem in telling)
    return Status.PARTIAL if lets_down else Status.COMPLETE


async def resume(
    run_id: str,
    brief: Brief,
    world: World,
    journal: Journal,
    control: Control,
    *,
    events: Sequence[AnyEvent],
    pages: Mapping[str, Page],
) -> RunResult:
    """Go on with the run that reported `events` and kept `pages` before it broke off; see `engine.conduct`."""

    run = RunView.of(events)

    async def work(context: RunContext) -> ProvenReport:
        if run.is_ending:
            restore(context, run, pages)
            keep_sections(context, run.sections)
            return await _researched(context, researches=False)
        take_up(context, run, pages)
        keep_sections(context, run.sections)
        return await _researched(context)

    errand = Undertaking(work, earlier=tuple(events), seconds=run.worked.total_seconds())
    return await conduct(run_id, brief, world, journal, control, errand=errand)


REWRITABLE = ("audience", "length", "form", "summary", "tone", "language")
"""The fields of a brief that another report from the same evidence may have otherwise."""

_BOOKS = (
    DepthChosen,
    PlanDrafted,
    PlanSettled,
    NoteTaken,
    TopicQueued,
    TopicStarted,
    TopicFinished,
    TopicDropped,
    SiteBlocked,
    PageRead,
    PageSummarised,
    EvidenceFound,
    FindingsCompressed,
)
"""What a run tells of its books; searches, calls and thoughts are the first run's own."""


def rewritten(brief: Brief, **changes: object) -> Brief:
    """Return a brief with other values for some of the fields that are `REWRITABLE`.

    Raises:
        ValueError: another field was given, or a value that the field cannot have.
    """
    if not changes.keys() <= set(REWRITABLE):
        raise ValueError(f"A report cannot be rewritten with another {sorted(changes.keys() - set(REWRITABLE))}.")
    return Brief.model_validate(brief.model_dump() | changes)


async def rewrite(
    run_id: str, brief: Brief, world: World, journal: Journal, control: Control, *, first: Report
) -> RunResult:
    """Write the report that `brief` asks for from what the run of the report `first` found; see `engine.conduct`."""

    async def work(context: RunContext) -> ProvenReport:
        _copy(first, context)
        restore(context, first.view, first.pages)
        _leave_out_vain_searches(first, context)
        if world.analyst is world.rules and brief.language is not first.record.brief.language:
            # Rules take headings over from a plan as they stand; those of their own lens speak both languages.
            _forget_plan(context)
        return await _researched(context, researches=False)

    errand = Undertaking(work, rewritten_from=first.record.run, trail=first.record.trail)
    return await conduct(run_id, brief, world, journal, control, errand=errand)


def _copy(first: Report, context: RunContext) -> None:
    """Record the books of the first run as this one's."""
    for page in first.pages.values():
        context.journal.keep(page)
    for event in first.history:
        if isinstance(event, _BOOKS):
            context.emit(_unstamped(event))


def _unstamped(event: Event) -> Event:
    return event.model_copy(update={"seq": 0, "at": None})


def _leave_out_vain_searches(first: Report, context: RunContext) -> None:
    """Leave out what searches for follow-up questions brought that did not answer them."""
    vain = {lane_of(one.number) for one in first.follow_ups if not one.answer.is_answered}
    for lane in context.lanes:
        if lane.name in vain:
            lane.dropped.set()


def _forget_plan(context: RunContext) -> None:
    context.outline = None
    for lane in context.lanes:
        lane.section = None
