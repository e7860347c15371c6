"""One run from brief to report: the seam between the engine and whoever starts, stores and follows runs."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from research.brief import Brief
from research.brief_text import compose
from research.citations import Cited, cited_sentences
from research.events import (
    Event,
    FinishRequested,
    ModelCalled,
    PageSummarised,
    RunFinished,
    RunStarted,
    Stage,
    Status,
    StopRequested,
)
from research.evidence import Page
from research.export.byline import byline
from research.export.markdown import to_markdown
from research.graph import run, writing
from research.graph.context import Control, Journal, RunContext, World
from research.presets import PRESETS, Limits, Role
from research.report import EvidenceEntry, Problem, RunRecord, SourceEntry, Usage

_graph = run.build()

_HARMLESS = {Stage.SEARCH}
"""A problem in these stages costs a page or a query, not the report; see `_status`."""
_TELLING = {"no_hits", "search_unauthorized", "search_quota", "model_unauthorized"}
"""Problems that leave a report incomplete in whichever stage they occur."""


@dataclass(frozen=True)
class RunResult:
    """What a run leaves behind."""

    record: RunRecord
    markdown: str
    pages: dict[str, Page]


async def conduct(
    run_id: str, brief: Brief, world: World, journal: Journal, control: Control, *, limits: Limits | None = None
) -> RunResult:
    """Research `brief` and write the report; `limits` are those of the brief's preset unless given.

    Always returns a result: whatever fails, is finished early or is stopped, the report is written from what was
    found, and it says what is missing. Cancelling this coroutine is the only way to get none.
    """
    tally = _Tally(journal)
    began = time.monotonic()
    context = RunContext(
        run=run_id,
        brief=brief,
        brief_text=compose(brief),
        world=world,
        journal=tally,
        control=control,
        started_at=world.now(),
        limits=limits or PRESETS[brief.preset].limits,
    )
    context.emit(
        RunStarted(
            run=run_id,
            brief=brief,
            brief_text=context.brief_text,
            analyst=world.analyst.name,
            sources=tuple(source.name for source in world.sources),
            models=world.models,
        )
    )
    wishes = asyncio.gather(
        _tell(control.finish, context, FinishRequested()), _tell(control.stop, context, StopRequested())
    )
    try:
        writer, cited = await _research_and_write(context)
    finally:
        wishes.cancel()
        await asyncio.gather(wishes, return_exceptions=True)
    seconds = time.monotonic() - began
    record = _record(context, tally, writer, cited, seconds)
    context.emit(RunFinished(status=record.status, seconds=seconds))
    markdown = to_markdown(
        cited,
        brief=brief,
        byline=byline(brief.language, context.today, writer, world.models),
        pages=context.ledger.pages,
        evidence=context.ledger.evidence,
        problems=record.problems,
    )
    return RunResult(record, markdown, context.ledger.pages)


async def _tell(wish: asyncio.Event, context: RunContext, event: Event) -> None:
    await wish.wait()
    context.emit(event)


async def _research_and_write(context: RunContext) -> tuple[str, Cited]:
    try:
        state = await context.control.unless_stopping(_graph.ainvoke({}, context=context))
    except Exception as error:  # noqa: BLE001 - whatever breaks, what was found becomes a report
        context.problem(Stage.RESEARCH, "internal", detail=f"{type(error).__name__}: {error}")
        return await writing.write_by_rule(context)
    if state is None:
        context.problem(Stage.RESEARCH, "stopped")
        return await writing.write_by_rule(context)
    return state["writer"], state["cited"]


class _Tally:
    """A journal that also counts what the models' calls came to."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.usage = {role: Usage() for role in Role}

    def emit(self, event: Event) -> Event:
        if isinstance(event, ModelCalled):
            self.usage[event.role] = _plus(self.usage[event.role], event)
        elif isinstance(event, PageSummarised) and event.cached:
            before = self.usage[Role.SUMMARIZATION]
            self.usage[Role.SUMMARIZATION] = before.model_copy(update={"cached": before.cached + 1})
        return self._journal.emit(event)

    def keep(self, page: Page) -> None:
        self._journal.keep(page)


def _plus(usage: Usage, call: ModelCalled) -> Usage:
    unknown = usage.cost_usd is None or call.cost_usd is None
    return Usage(
        calls=usage.calls + 1,
        input_tokens=usage.input_tokens + call.input_tokens,
        output_tokens=usage.output_tokens + call.output_tokens,
        cached=usage.cached,
        cost_usd=None if unknown else (usage.cost_usd or 0.0) + (call.cost_usd or 0.0),
    )


def _status(context: RunContext) -> Status:
    lets_down = any(p.stage not in _HARMLESS or p.code in _TELLING for p in context.problems)
    return Status.PARTIAL if lets_down else Status.COMPLETE


def _record(context: RunContext, tally: _Tally, writer: str, cited: Cited, seconds: float) -> RunRecord:
    ledger = context.ledger
    return RunRecord(
        run=context.run,
        status=_status(context),
        analyst=context.world.analyst.name,
        writer=writer,
        brief=context.brief,
        started_at=context.started_at.isoformat(),
        seconds=seconds,
        usage=tally.usage,
        sources=tuple(_source(page, cited.numbers.get(page.id)) for page in ledger.pages.values()),
        evidence=tuple(EvidenceEntry(**entry.model_dump()) for entry in ledger.evidence.values()),
        sentences=tuple(cited_sentences(cited.draft)),
        problems=tuple(
            Problem(stage=p.stage, code=p.code, subject=p.subject, detail=p.detail) for p in context.problems
        ),
        draft=cited.draft,
    )


def _source(page: Page, number: int | None) -> SourceEntry:
    return SourceEntry(
        id=page.id,
        url=page.url,
        title=page.title,
        site=page.site,
        kind=page.kind.value,
        origin=page.origin.value,
        published=page.published,
        fetched_at=page.fetched_at.isoformat(),
        sha256=page.sha256,
        number=number,
    )
