"""Questions about the reports of stored runs, and reports written anew from their evidence: started and followed."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

from research.books import blocked_in, dropped_in
from research.brief import Brief
from research.errors import UsageError
from research.events import FollowUpAnswered
from research.followup.answering import answer, brief_without_sources
from research.followup.model import FollowUp
from research.followup.searching import search, small_brief
from research.graph.context import World
from research.report import Report
from research.rewriting import rewrite, rewritten
from research.runs.follow_ups import follow_ups, join, keep_answer, keep_search
from research.runs.model import RunState
from research.runs.reports import load_report
from research.runs.runner import Runner
from research.runs.store import RunStore
from research.world import AnalystChoice


@dataclass(frozen=True)
class _Asked:
    """A question that is being answered."""

    question: str
    done: Future[FollowUpAnswered]


class Asking:
    """Asks about reports. Safe for use from any thread.

    Answers are kept with the run as soon as they are there, whoever waits for them.
    """

    def __init__(self, store: RunStore, runner: Runner) -> None:
        self._store = store
        self._runner = runner
        self._asked: dict[str, list[_Asked]] = {}
        self._lock = threading.Lock()

    def ask(self, run_id: str, question: str, *, analyst: AnalystChoice = "auto") -> Future[FollowUpAnswered]:
        """Answer a question from the evidence of a run that has ended; nothing is searched.

        Raises:
            UsageError: there is no such run, it is running, or the analyst is not available.
            StoreError: the store cannot be read.
        """
        report = load_report(self._store, run_id)
        world = self._runner.world(brief_without_sources(report.record.brief), analyst=analyst)
        done = self._runner.submit(self._answer(report, " ".join(question.split()), world))
        with self._lock:
            self._asked.setdefault(run_id, []).append(_Asked(question, done))
        return done

    def pending(self, run_id: str) -> tuple[str, ...]:
        """Return the questions about a run that this process is answering."""
        with self._lock:
            return tuple(one.question for one in self._asked.get(run_id, []) if not one.done.done())

    def failed(self, run_id: str) -> tuple[str, ...]:
        """Return the questions about a run that could not be answered, each once."""
        with self._lock:
            over = [one for one in self._asked.get(run_id, []) if one.done.done()]
            self._asked[run_id] = [one for one in self._asked.get(run_id, []) if one not in over]
        return tuple(one.question for one in over if one.done.cancelled() or one.done.exception())

    def search(self, run_id: str, number: int, *, analyst: AnalystChoice = "auto") -> str:
        """Start a small run that searches for what a question asks, and return its id.

        What it finds joins the report, and the question is answered anew. A search that is under way is not started
        a second time.

        Raises:
            UsageError: there is no such run or question, or what the search needs is not available.
            StoreError: the store cannot be read or written.
        """
        asked = self._question(run_id, number)
        if asked.awaits and self._is_running(asked.awaits):
            return asked.awaits
        report = load_report(self._store, run_id)
        brief = small_brief(asked.answer.question, report.record.brief, dropped_in(report.history))
        world = self._runner.world(brief, analyst=analyst)

        async def on_found(found: Report) -> None:
            await self._join(run_id, asked.answer, found, world)

        blocked = blocked_in(report.history)
        small = self._runner.begin(brief, world, partial(search, first=run_id, blocked=blocked, on_found=on_found))
        keep_search(self._store, run_id, number, small)
        return small

    def rewrite(self, run_id: str, *, analyst: AnalystChoice = "auto", **changes: object) -> str:
        """Start a run that writes the report of another anew, and return its id; see `research.rewriting.rewritten`.

        Raises:
            UsageError: there is no such run, it is running, it found nothing, or the analyst is not available.
            StoreError: the store cannot be read or written.
            ValueError: a change is none that a rewritten report can have.
        """
        first = load_report(self._store, run_id)
        if not first.record.evidence:
            raise UsageError(f"The run {run_id} found nothing to write from.")
        brief: Brief = rewritten(first.record.brief, **changes)
        world = self._runner.world(brief_without_sources(brief), analyst=analyst)
        return self._runner.begin(brief, world, partial(rewrite, first=first))

    async def _answer(self, report: Report, question: str, world: World) -> FollowUpAnswered:
        try:
            answered = await answer(report, question, world)
        finally:
            await world.close()
        number = await asyncio.to_thread(keep_answer, self._store, report.record.run, answered.event, answered.calls)
        return answered.event.model_copy(update={"number": number})

    async def _join(self, run_id: str, before: FollowUpAnswered, found: Report, world: World) -> None:
        """Let what a small run found join the report, and answer the question from all there is now."""
        number, small = before.number, found.record.run
        new = await asyncio.to_thread(join, self._store, run_id, found, before.question, number)
        if not new.events:
            nothing = before.model_copy(update={"seq": 0, "at": None, "run": small})
            await asyncio.to_thread(keep_answer, self._store, run_id, nothing)
            return
        report = await asyncio.to_thread(load_report, self._store, run_id)
        answered = await answer(report, before.question, world, number=number)
        pages = (*before.added, *(page.id for page in new.pages), *new.regained)
        event = answered.event.model_copy(update={"run": small, "added": tuple(dict.fromkeys(pages))})
        await asyncio.to_thread(keep_answer, self._store, run_id, event, answered.calls)

    def _question(self, run_id: str, number: int) -> FollowUp:
        for asked in follow_ups(self._store, run_id):
            if asked.number == number:
                return asked
        raise UsageError(f"There is no question {number} about the run {run_id}.")

    def _is_running(self, run_id: str) -> bool:
        try:
            return self._store.get(run_id).state is RunState.RUNNING
        except UsageError:
            return False
