"""The runner: carries out runs in a thread of its own, so that they outlive whoever started or watches them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from research.brief import Brief
from research.cache import SummaryCache
from research.engine import conduct
from research.errors import ResearchError, UsageError
from research.events import AnyEvent
from research.graph.context import World
from research.report import Report
from research.resuming import resume
from research.runs.active import ActiveRun, Conduct
from research.runs.journal import StoredJournal
from research.runs.loop import Loop
from research.runs.model import RunState
from research.runs.recorder import Recorder
from research.runs.reports import load_report
from research.runs.resumable import NOT_RESUMABLE, can_resume, take_over
from research.runs.store import RunStore
from research.settings import Settings
from research.steering import FinishNow, Steer, StopNow
from research.world import AnalystChoice, WorldBuilder, build_world

T = TypeVar("T")

_POLL_SECONDS = 0.05
STOP_SECONDS = 10.0
"""A run that was told to stop and has not ended after so long is cancelled."""


class Runner:
    """Starts, follows, finishes and stops runs. Safe for use from any thread.

    Runs go on in a thread of their own. When the process ends, runs that are under way end with it; the store then
    shows them as interrupted, at once to processes of the same machine.
    """

    def __init__(
        self,
        store: RunStore,
        settings: Settings,
        *,
        build: WorldBuilder = build_world,
        conduct: Conduct = conduct,
        stop_seconds: float = STOP_SECONDS,
        current: Callable[[], Settings] | None = None,
    ) -> None:
        """`current` is asked for the settings of each run that starts; without it, all runs have `settings`."""
        self._store = store
        self._current = current or (lambda: settings)
        self._build = build
        self._conduct = conduct
        self._stop_seconds = stop_seconds
        self._summaries = SummaryCache(settings.home / "cache" / "summaries")
        self._active: dict[str, ActiveRun] = {}
        self._owner = store.owners.enter()
        self._recorder = Recorder(store)
        self._loop = Loop("research-runs")

    @property
    def summaries(self) -> SummaryCache:
        """The cache of summaries that all runs share."""
        return self._summaries

    def start(
        self, brief: Brief, *, library: Path | None = None, analyst: AnalystChoice = "auto", attended: bool = False
    ) -> str:
        """Start a run and return its id; if it is attended, a plan waits a while for whoever wants to edit it.

        Raises:
            UsageError: the brief or the analyst asks for something that is not available; says what to do.
            StoreError: the run cannot be entered into the store.
        """
        return self.begin(brief, self.world(brief, library=library, analyst=analyst), attended=attended)

    def world(self, brief: Brief, *, library: Path | None = None, analyst: AnalystChoice = "auto") -> World:
        """Return the world that a run of `brief` would have now; errors as for `start`.

        Whoever has it made closes it, or hands it to `begin`, which does.
        """
        return self._build(brief, self._current(), library=library, analyst=analyst, summaries=self._summaries)

    def begin(self, brief: Brief, world: World, conduct: Conduct | None = None, *, attended: bool = False) -> str:
        """Start a run in a world of its own and return its id; `conduct` does something else than research.

        Raises:
            StoreError: the run cannot be entered into the store.
        """
        run_id = self._store.create(brief, world.analyst.name, owner=self._owner.name)
        journal = StoredJournal(self._store, run_id, owner=self._owner.name)
        run = ActiveRun(run_id, brief, world, journal, stop_seconds=self._stop_seconds, attended=attended)
        self._launch(run, conduct or self._conduct)
        return run_id

    def resume(self, run_id: str, *, library: Path | None = None, attended: bool = False) -> None:
        """Let a run that broke off go on; see `research.resuming`.

        Raises:
            UsageError: there is no such run, it cannot go on, or something that it needs is not available any more.
            StoreError: the store cannot be read or written.
        """
        run = self._store.get(run_id)
        if self.is_under_way(run_id) or not can_resume(self._store, run):
            raise UsageError(NOT_RESUMABLE.in_(run.brief.language))
        events, pages = self._store.events(run_id), self._store.pages(run_id)
        analyst: AnalystChoice = "extractive" if run.analyst == "extractive" else "chat"
        world = self.world(run.brief, library=library, analyst=analyst)
        try:
            take_over(self._store, run_id, owner=self._owner.name)
        except ResearchError:
            self.submit(_close(world))
            raise
        journal = StoredJournal(self._store, run_id, events=events, pages=pages, owner=self._owner.name)
        active = ActiveRun(run_id, run.brief, world, journal, stop_seconds=self._stop_seconds, attended=attended)
        # One that died before it reported anything begins.
        heard = max(self._store.steering(run_id), default=0)
        self._launch(active, partial(resume, events=events, pages=pages) if events else self._conduct, heard=heard)

    def _launch(self, run: ActiveRun, conduct: Conduct, *, heard: int = 0) -> None:
        self._active[run.id] = run
        self._recorder.watch(run.id, run.journal, lambda steer: self._tell(run, steer), heard=heard)
        self.submit(self._carry_out(run, conduct))

    def submit(self, work: Coroutine[object, object, T]) -> Future[T]:
        """Do `work` on the loop of the runs, outside any of them; closing the runner cancels it."""
        return self._loop.submit(work)

    def steer(self, run_id: str, steer: Steer) -> None:
        """Ask something of a run, of this or another process; one that has ended does not hear it.

        Raises:
            UsageError: there is no such run.
            StoreError: the request cannot be brought to another process.
        """
        run = self._active.get(run_id)
        if run is None:
            self._store.steer(run_id, steer)
        else:
            self._tell(run, steer)

    def finish_now(self, run_id: str) -> None:
        """Ask a run to write its report from what there is; errors as for `steer`."""
        self.steer(run_id, FinishNow())

    def stop(self, run_id: str) -> None:
        """Ask a run to stop at once; errors as for `steer`."""
        self.steer(run_id, StopNow())

    def is_under_way(self, run_id: str) -> bool:
        """Whether this process carries the run out, or has not stored all of it yet."""
        run = self._active.get(run_id)
        return run is not None and (not run.done.done() or self._recorder.holds(run_id))

    def wait(self, run_id: str, timeout: float | None = None) -> Report:
        """Return the report of a run as soon as it has ended; at once if it is no run of this process.

        Raises:
            TimeoutError: it has not ended after `timeout` seconds.
            UsageError: there is no such run, or it is running in another process.
        """
        run = self._active.get(run_id)
        return load_report(self._store, run_id) if run is None else run.done.result(timeout)

    def follow(self, run_id: str) -> Iterator[AnyEvent]:
        """Yield the events of a run, of this or another process, as they happen; ends with the run.

        Raises:
            UsageError: there is no such run.
            StoreError: the events of another process's run cannot be read.
        """
        seen = 0
        while True:
            events, over = self._since(run_id, seen)
            yield from events
            seen += len(events)
            if over:
                return
            time.sleep(_POLL_SECONDS)

    def events(self, run_id: str, after: int = 0) -> Sequence[AnyEvent]:
        """Return the events of a run after number `after`, of this process's stored or not; errors as for `follow`."""
        run = self._active.get(run_id)
        if run is not None and self.is_under_way(run_id):
            return run.journal.since(after)
        return self._store.events(run_id, after)

    async def follow_async(self, run_id: str) -> AsyncIterator[AnyEvent]:
        """Like `follow`, for use in any event loop."""
        seen = 0
        while True:
            events, over = self._since(run_id, seen)
            for event in events:
                yield event
            seen += len(events)
            if over:
                return
            await asyncio.sleep(_POLL_SECONDS)

    def close(self) -> None:
        """Leave the runs that are under way, store what they had found, and end the threads."""
        self._loop.cancel()
        self._recorder.close()
        self._owner.leave()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _carry_out(self, run: ActiveRun, conduct: Conduct) -> None:
        try:
            record, markdown = await run.carry_out(conduct)
            run.journal.end(record, markdown)
            stored = await asyncio.to_thread(run.journal.flush)
            report = Report(
                record=record, markdown=markdown, history=tuple(run.journal.since()), pages=run.journal.pages
            )
        except BaseException as error:
            run.done.set_exception(error)
            raise
        self._recorder.release(run.id)
        run.done.set_result(report)
        if stored:
            del self._active[run.id]

    def _tell(self, run: ActiveRun, steer: Steer) -> None:
        self._loop.call(partial(run.hear, steer))

    def _since(self, run_id: str, seen: int) -> tuple[Sequence[AnyEvent], bool]:
        """Return the events after number `seen`, and whether there will be no more."""
        run = self._active.get(run_id)
        if run is not None:
            over = run.done.done()
            return run.journal.since(seen), over
        over = self._store.get(run_id).state is not RunState.RUNNING
        return self._store.events(run_id, seen), over


async def _close(world: World) -> None:
    await world.close()
