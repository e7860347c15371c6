"""One run from brief to report: new, gone on with, or written again from what was found."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from research import core, results
from research.engine.context import Control, Journal, RunContext, World, restore, take_up
from research.engine.proving import ProvenReport, compose_report
from research.engine.writing import parts_answered
from research.text import Part
from research.verification import Contradiction, contradictions_of

if TYPE_CHECKING:
    from research.engine.graph import RunGraph


@dataclass(frozen=True)
class RunResult:
    """What a run leaves behind."""

    record: results.RunRecord
    markdown: str
    pages: dict[str, core.Page]


async def conduct(
    run_id: str,
    brief: core.Brief,
    world: World,
    journal: Journal,
    control: Control,
    *,
    limits: core.Limits | None = None,
    follow_up_to: str = "",
) -> RunResult:
    """Research `brief` and write the report; `limits` are those of the brief's preset unless given.

    Always returns a result: whatever fails, is finished early or is stopped, the report is written from what was
    found, and it says what is missing. Cancelling this coroutine is the only way to get none. `follow_up_to` names the
    run about whose report it searches for an answer.
    """
    context = await opened(run_id, brief, world, journal, control, limits=limits)
    context.emit(_started(context, follow_up_to=follow_up_to))
    return await _carried_out(context, _by_graph(context))


async def opened(
    run_id: str,
    brief: core.Brief,
    world: World,
    journal: Journal,
    control: Control,
    *,
    limits: core.Limits | None = None,
) -> RunContext:
    """Return the empty books of a run, to which its world leads from now on."""
    await asyncio.to_thread(_graph)  # The time for a run is not spent on loading what carries it out.
    context = RunContext(run_id, brief, world, journal, control, limits or core.PRESETS[brief.preset].limits)
    world.channel.connect(context)
    return context


def _started(context: RunContext, *, rewritten_from: str = "", follow_up_to: str = "") -> core.RunStarted:
    world = context.world
    return core.RunStarted(
        run=context.run,
        brief=context.brief,
        brief_text=context.brief_text,
        analyst=world.analyst.name,
        sources=tuple(dict.fromkeys(source.name for source in world.sources)),
        models=world.models,
        method=context.method,
        rewritten_from=rewritten_from,
        follow_up_to=follow_up_to,
    )


async def _carried_out(
    context: RunContext,
    work: Awaitable[ProvenReport],
    *,
    seconds: float = 0.0,
    trail: results.Trail | None = None,
    rewritten_from: str = "",
) -> RunResult:
    """Return what a run leaves behind whose `work` brings the report.

    It had worked for so many `seconds` before it broke off; `trail` says how the evidence of the run that it is
    `rewritten_from` was researched.
    """
    began, world = time.monotonic() - seconds, context.world
    async with _wishes_heard(context):
        with core.tracing(world.is_traced):
            report = await _report(context, work)
        for task in context.desk.tasks.values():
            task.cancel()
    found = await asyncio.to_thread(_contradictions, context, report)
    parts = await asyncio.to_thread(parts_answered, context, report.cited)
    if report.writer != world.rules.name:  # A report by rule names what it did not find.
        for part in parts:
            if not part.is_spoken_of and len(parts) > 1:
                context.problem(core.Stage.SEARCH, "part_unanswered", subject=str(Part(part.about, part.asked)))
    view, ledger, draft = core.RunView.of(context.journal.events), context.ledger, report.cited.draft
    problems = results.problems_of(view)
    record = results.RunRecord(
        run=context.run,
        status=_status(problems),
        analyst=world.analyst.name,
        writer=report.writer,
        brief=context.brief,
        started_at=context.started_at.isoformat(),
        seconds=time.monotonic() - began,
        usage=results.usage_of(view),
        sources=tuple(
            results.SourceEntry.of(page, report.cited.numbers.get(page.id)) for page in ledger.pages.values()
        ),
        evidence=tuple(ledger.evidence.values()),
        sentences=report.sentences,
        problems=problems,
        parts=parts,
        draft=draft,
        pages=core.pages_of(draft),
        left_out=report.left_out,
        contradictions=found,
        trail=trail or results.trail_of(view),
        rewritten_from=rewritten_from,
    )
    context.emit(core.RunFinished(status=record.status, seconds=record.seconds))
    return RunResult(record, world.write_out(record, ledger.pages, world.models), ledger.pages)


@asynccontextmanager
async def _wishes_heard(context: RunContext) -> AsyncIterator[None]:
    """Do meanwhile what the user asks for, and keep an eye on what is spent."""
    wishes = asyncio.gather(
        _tell(context.control.finish, context, core.FinishRequested()),
        _tell(context.control.stop, context, core.StopRequested()),
        _obey_steering(context),
        context.spending.watch(),
    )
    try:
        yield
    finally:
        wishes.cancel()
        await asyncio.gather(wishes, return_exceptions=True)


async def _tell(wish: asyncio.Event, context: RunContext, event: core.Event) -> None:
    await wish.wait()
    context.emit(event)


async def _obey_steering(context: RunContext) -> None:
    """Enter whatever is asked, as it is asked; ends by being cancelled."""
    while True:
        _enter(context, await context.control.of_books.get())


def _enter(context: RunContext, steer: core.BookSteer) -> None:
    match steer:
        case core.AddQuestion(text=text):
            if context.is_researched:
                context.problem(core.Stage.RESEARCH, "question_late", subject=text[:80])
            elif text not in context.questions:
                context.questions.append(text)
                context.emit(core.QuestionAdded(question=text))
        case core.DropTopic(lane=name):
            # Whatever names no researcher, or one that is dropped already, changes nothing.
            for lane in context.lanes:
                if lane.name == name and not lane.dropped.is_set():
                    lane.dropped.set()
                    context.emit(core.TopicDropped(lane=name))
        case core.BlockSite(site=site):
            if site not in context.blocked_sites:
                context.blocked_sites.append(site)
                context.emit(core.SiteBlocked(site=site))


@cache
def _graph() -> RunGraph:
    """Return the graph of a run; what it is made of takes a second to load, which a list of runs does not need."""
    from research.engine.graph import build_run

    return build_run()


async def _by_graph(context: RunContext) -> ProvenReport:
    """Research and write the report, or write it from what the books hold."""
    state = await _graph().ainvoke({}, context=context)
    report: ProvenReport = state["report"]
    return report


async def _report(context: RunContext, work: Awaitable[ProvenReport]) -> ProvenReport:
    try:
        report = await work
    except Exception as error:  # noqa: BLE001 - whatever breaks, what was found becomes a report
        context.problem(core.Stage.RESEARCH, "internal", detail=f"{type(error).__name__}: {error}")
        return await compose_report(context)
    if context.control.stop.is_set():
        context.problem(core.Stage.RESEARCH, "stopped")
    return report


def _contradictions(context: RunContext, report: ProvenReport) -> tuple[Contradiction, ...]:
    """Return what the sources say differently of what the report says, cited by it or not."""
    try:
        wanted = {entry.id: entry for entry in context.wanted}
        cited = (name for sentence in report.sentences for name in sentence.evidence)
        pages, question = context.ledger.pages, context.brief.question
        return contradictions_of(context.journal.events, wanted, pages, question, cited)
    except Exception as error:  # noqa: BLE001 - text of strangers must not cost a report
        context.problem(core.Stage.WRITING, "comparison_failed", detail=f"{type(error).__name__}: {error}")
        return ()


_NOTHING_LOST = {"repair_failed", "judging_failed", "plan_empty", "plan_shortened", "report_longer", "report_shorter"}
"""Problems that take nothing from the report."""
_TELLING = {"no_hits", "subject_missing", "answer_missing", "search_unauthorized", "search_quota", "model_unauthorized"}
"""Problems that leave a report incomplete in whichever stage they occur."""


def _status(problems: Sequence[results.Problem]) -> core.Status:
    telling = [problem for problem in problems if problem.code not in _NOTHING_LOST]
    # A problem of searching costs a page or a query, not the report.
    lets_down = any(problem.stage is not core.Stage.SEARCH or problem.code in _TELLING for problem in telling)
    return core.Status.PARTIAL if lets_down else core.Status.COMPLETE


async def resume(
    run_id: str,
    brief: core.Brief,
    world: World,
    journal: Journal,
    control: Control,
    *,
    events: Sequence[core.AnyEvent],
    pages: Mapping[str, core.Page],
) -> RunResult:
    """Go on with the run that reported `events` and kept `pages` before it broke off; see `engine.conduct`."""
    run = core.RunView.of(events)
    seconds = run.worked.total_seconds()
    context = await opened(run_id, brief, world, journal, control)
    context.spending.resume(events, seconds)
    for event in events:
        context.outgoing.hear(event)
    context.emit(core.RunResumed(models=world.models))

    async def work() -> ProvenReport:
        enter = restore if run.is_ending else take_up
        enter(context, run, pages)
        context.desk.kept = dict(run.sections)
        return await _by_graph(context)

    return await _carried_out(context, work(), seconds=seconds)


REWRITABLE = ("audience", "length", "form", "summary", "tone", "language")
"""The fields of a brief that another report from the same evidence may have otherwise."""

_BOOKS = (
    core.DepthChosen,
    core.PlanDrafted,
    core.PlanSettled,
    core.NoteTaken,
    core.TopicQueued,
    core.TopicStarted,
    core.TopicFinished,
    core.TopicDropped,
    core.SiteBlocked,
    core.PageRead,
    core.PageSummarised,
    core.EvidenceFound,
    core.FindingsCompressed,
)
"""What a run tells of its books; searches, calls and thoughts are the first run's own."""


def rewritten(brief: core.Brief, **changes: object) -> core.Brief:
    """Return a brief with other values for some of the fields that are `REWRITABLE`.

    Raises:
        ValueError: another field was given, or a value that the field cannot have.
    """
    if not changes.keys() <= set(REWRITABLE):
        raise ValueError(f"A report cannot be rewritten with another {sorted(changes.keys() - set(REWRITABLE))}.")
    return core.Brief.model_validate(brief.model_dump() | changes)


async def rewrite(
    run_id: str, brief: core.Brief, world: World, journal: Journal, control: Control, *, first: results.Report
) -> RunResult:
    """Write the report that `brief` asks for from what the run of the report `first` found; see `engine.conduct`."""
    context = await opened(run_id, brief, world, journal, control)
    context.emit(_started(context, rewritten_from=first.record.run))

    async def work() -> ProvenReport:
        for page in first.pages.values():
            journal.keep(page)
        for event in first.history:
            if isinstance(event, _BOOKS):
                context.emit(event.model_copy(update={"seq": 0, "at": None}))
        restore(context, first.view, first.pages)
        # What searches for follow-up questions brought that did not answer them is left out.
        vain = {results.lane_of(one.number) for one in first.follow_ups if not one.answer.is_answered}
        for lane in context.lanes:
            if lane.name in vain:
                lane.dropped.set()
        if world.analyst is world.rules and brief.language is not first.record.brief.language:
            # Rules take headings over from a plan as they stand; those of their own lens speak both languages.
            context.outline = None
            for lane in context.lanes:
                lane.section = None
        return await _by_graph(context)

    return await _carried_out(context, work(), trail=first.record.trail, rewritten_from=first.record.run)
