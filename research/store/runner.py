"""Carries out runs, one event loop for all, and takes up those that broke off."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Self, TypeVar

from research.core import AnyEvent, Brief, FinishNow, ResearchError, RunFinished, Steer, StopNow, UsageError
from research.engine import Control, Journal, RunResult, World, conduct, resume
from research.language import Phrase
from research.results import Report, RunRecord
from research.settings import Settings
from research.store.cache import SummaryCache
from research.store.recorder import Origin, Recorder, StoredJournal, follow_ups_to, load_report, origin_of, salvage
from research.store.store import RunState, RunStore, RunSummary, utc_now
from research.store.world import AnalystChoice, WorldBuilder, build_world

_log = logging.getLogger(__name__)

Conduct = Callable[[str, Brief, World, Journal, Control], Awaitable[RunResult]]
"""The engine's side of the seam: `research.engine.conduct`."""


class ActiveRun:
    """Carries out one run and holds its result until everything of it is stored.

    Except for `done`, it is used on the runner's loop alone.
    """

    def __init__(
        self,
        run_id: str,
        brief: Brief,
        world: World,
        journal: StoredJournal,
        *,
        stop_seconds: float,
        attended: bool = False,
    ) -> None:
        self.id = run_id
        self.journal = journal
        self.done: Future[Report] = Future()
        self._brief = brief
        self._world = world
        self._control = Control(attended=attended)
        self._stop_seconds = stop_seconds
        self._work: asyncio.Future[RunResult] | None = None

    async def carry_out(self, conduct: Conduct) -> tuple[RunRecord, str]:
        """Do the research; return its record and report, whatever happens to the engine.

        Only a runner that closes leaves a run without either: the cancellation then passes through.
        """
        self._work = asyncio.ensure_future(conduct(self.id, self._brief, self._world, self.journal, self._control))
        began, started_at = time.monotonic(), self._world.now()
        try:
            result = await self._work
        except asyncio.CancelledError:
            if not self._control.stop.is_set():
                raise
            return self._broken_off(began, started_at, "stopped")
        except Exception as error:  # noqa: BLE001 - whatever breaks the engine, what was found becomes a report
            _log.exception("The run %s broke off", self.id)
            return self._broken_off(began, started_at, "internal", f"{type(error).__name__}: {error}")
        finally:
            await self._close_world()
        return result.record, result.markdown

    async def _close_world(self) -> None:
        try:
            await self._world.close()
        except Exception:  # noqa: BLE001 - a connection that will not close must not cost the report
            _log.exception("The connections of the run %s could not be closed", self.id)

    def _broken_off(self, began: float, started_at: datetime, code: str, detail: str = "") -> tuple[RunRecord, str]:
        seconds = time.monotonic() - began
        record, markdown = salvage(
            self.id,
            self._brief,
            self._world.analyst.name,
            self.journal.since(),
            self.journal.pages,
            started_at=started_at,
            seconds=seconds,
            code=code,
            detail=detail,
        )
        self.journal.emit(RunFinished(status=record.status, seconds=seconds))
        return record, markdown

    def hear(self, steer: Steer) -> None:
        """Pass on what was asked; a run that does not stop by itself in time is cancelled."""
        if isinstance(steer, StopNow) and not self._control.stop.is_set():
            asyncio.get_running_loop().call_later(self._stop_seconds, self.cancel)
        self._control.hear(steer)

    def cancel(self) -> None:
        """Break the run off."""
        if self._work is not None:
            self._work.cancel()


T = TypeVar("T")


class Loop:
    """Runs what it is given until it is closed. Safe for use from any thread but its own."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Coroutine[object, object, T]) -> Future[T]:
        """Do `work`; closing the loop cancels it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def call(self, act: Callable[[], object]) -> None:
        """Call `act` soon."""
        self._loop.call_soon_threadsafe(act)

    def cancel(self) -> None:
        """Cancel all that is under way, and wait for the threads that it used."""
        self.submit(_cancel_all()).result()

    def close(self) -> None:
        """End the thread; nothing may be under way any more."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_default_executor()


NOT_RESUMABLE = Phrase("It is under way again or has ended, or it is a part of another run.")


def can_resume(store: RunStore, run: RunSummary) -> bool:
    """Whether a run broke off and can go on.

    One that only wrote anew, or searched for a question about another's report, is asked for again where it was asked
    for. Once questions about what was found have been answered, what was found is a report.

    Raises:
        StoreError: the store cannot be read.
    """
    is_whole = origin_of(store, run.id) == Origin() and not follow_ups_to(store, run.id)
    return run.state is RunState.INTERRUPTED and is_whole


def take_over(store: RunStore, run_id: str, *, owner: str) -> None:
    """Enter a run that broke off as running again; of several who want to carry it out, the first may.

    Raises:
        UsageError: it is under way, or has ended.
        StoreError: the store cannot be written.
    """
    store.settle()
    with store.database.writing() as connection:
        taken = connection.execute(
            "UPDATE runs SET state = ?, finished_at = NULL, heartbeat = ?, owner = ? WHERE id = ? AND state = ?",
            (RunState.RUNNING.value, utc_now().timestamp(), owner, run_id, RunState.INTERRUPTED.value),
        )
    if not taken.rowcount:
        raise UsageError(NOT_RESUMABLE.in_(store.get(run_id).brief.language))


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

    def make_ready(self) -> None:
        """Begin to load what a run needs and nothing else does: it takes seconds, in which a brief is read."""
        needed = ["research.engine.graph", *["research.analysts.chat.analyst"] * self._current().has_models]

        def load() -> None:
            for name in needed:
                import_module(name)

        threading.Thread(target=load, name="make-ready", daemon=True).start()

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
        """Let a run that broke off go on; see `research.engine.conduct`.

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

    def __exit__(self, *_: object) -> None:
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
