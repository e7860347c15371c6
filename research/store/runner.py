"""Carries out runs, takes up those that broke off, and works through those that wait in the store."""

from __future__ import annotations

import asyncio
import logging
import math
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

from pydantic import ValidationError

from research import core
from research.core import ResearchError, StoreError, UsageError
from research.engine import Control, Journal, RunResult, World, conduct, resume
from research.language import Phrase
from research.prompts import carried_into
from research.results import Report, RunRecord
from research.settings import Settings
from research.store import queue
from research.store.database import Action
from research.store.queue import TooNew, claim, enter_due, refuse
from research.store.recorder import Recorder, StoredJournal, follow_ups_to, load_report, salvage
from research.store.store import RunState, RunStore, RunSummary, utc_now
from research.store.telemetry import tell
from research.store.telling import tell_of
from research.store.world import SUMMARIES, AnalystChoice, SummaryCache, WorldBuilder, build_world, make_ready

_log = logging.getLogger(__name__)
T = TypeVar("T")

Conduct = Callable[[str, core.Brief, World, Journal, Control], Awaitable[RunResult]]
"""The engine's side of the seam: `research.engine.conduct`."""
NOT_RESUMABLE = Phrase("It is under way again or has ended, or it is a part of another run.")
_POLL_SECONDS = 0.05
_STOP_SECONDS = 10.0
"""A run that was told to stop and has not ended after so long is cancelled."""


def can_resume(store: RunStore, run: RunSummary) -> bool:
    """Whether a run broke off and can go on.

    One that only wrote anew, or searched for a question about another's report, is asked for again where it was asked
    for. Once questions about what was found have been answered, what was found is a report.

    Raises:
        StoreError: the store cannot be read.
    """
    is_part = run.rewritten_from or run.searches_for
    return run.state is RunState.INTERRUPTED and not is_part and not follow_ups_to(store, run.id)


@dataclass
class _ActiveRun:
    """A run under way, kept until everything of it is stored. But for `done`, it is used on the runner's loop alone."""

    id: str
    brief: core.Brief
    world: World
    journal: StoredJournal
    control: Control
    is_claimed: bool = False
    """Whether another one may carry it on at once if this process leaves it."""
    work: asyncio.Future[RunResult] | None = None
    done: Future[Report] = field(default_factory=Future)

    async def result(self, conduct: Conduct) -> tuple[RunRecord, str]:
        """Do the research; return its record and report, whatever happens to the engine.

        Only a runner that closes leaves a run without either: the cancellation then passes through.
        """
        began, started_at = time.monotonic(), self.world.now()
        self.work = asyncio.ensure_future(conduct(self.id, self.brief, self.world, self.journal, self.control))
        try:
            result = await self.work
        except asyncio.CancelledError:
            if not self.control.stop.is_set():
                raise
            code, detail = "stopped", ""
        except Exception as error:  # noqa: BLE001 - whatever breaks the engine, what was found becomes a report
            _log.exception("The run %s broke off", self.id)
            code, detail = "internal", f"{type(error).__name__}: {error}"
        else:
            return result.record, result.markdown
        finally:
            await self._close_world()
        seconds = time.monotonic() - began
        record, markdown = salvage(
            self.id,
            self.brief,
            self.world.analyst.name,
            self.journal.since(),
            self.journal.pages,
            started_at=started_at,
            seconds=seconds,
            code=code,
            detail=detail,
        )
        self.journal.emit(core.RunFinished(status=record.status, seconds=seconds))
        return record, markdown

    async def _close_world(self) -> None:
        try:
            await self.world.close()
        except Exception:  # noqa: BLE001 - a connection that will not close must not cost the report
            _log.exception("The connections of the run %s could not be closed", self.id)

    def cancel(self) -> None:
        """Break the run off."""
        if self.work is not None:
            self.work.cancel()


_LOADING = 10.0
"""Seconds that loading what runs need may still take when a runner ends."""


class Runner:
    """Starts, follows, finishes and stops runs. Safe for use from any thread.

    Runs go on in a thread of their own. When the process ends, runs that are under way end with it; the store then
    shows them as interrupted, at once to processes of the same machine. Where the settings say that workers carry runs
    out, a run that is started only begins to wait for one, and is followed like that of any other process.
    """

    def __init__(
        self,
        store: RunStore,
        settings: Settings,
        *,
        build: WorldBuilder = build_world,
        conduct: Conduct = conduct,
        stop_seconds: float = _STOP_SECONDS,
        current: Callable[[], Settings] | None = None,
    ) -> None:
        """`current` is asked for the settings of each run that starts; without it, all runs have `settings`."""
        self._store = store
        self._current = current or (lambda: settings)
        self._build = build
        self._conduct = conduct
        self._stop_seconds = stop_seconds
        self.summaries = _summaries(store, settings)
        """The cache of summaries that all runs share; those of other accounts have their own."""
        self._caches = {store.account: self.summaries}
        self._active: dict[str, _ActiveRun] = {}
        self._entered: set[str] = set()
        """The runs that this process asked for and workers carry out."""
        self._owner = store.owners.enter()
        self.owner = self._owner.name
        """The name under which it carries runs out."""
        self._recorder = Recorder()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="research-runs", daemon=True)
        self._thread.start()
        self._loading: list[threading.Thread] = []

    def make_ready(self, *, compares: bool = False) -> None:
        """Begin to load what runs need, as `make_ready` does: it takes seconds, in which a brief is read."""
        told = {"compares": compares}
        loading = threading.Thread(target=make_ready, args=(self._current(),), kwargs=told, daemon=True)
        loading.start()
        self._loading = [*(one for one in self._loading if one.is_alive()), loading]

    # --- beginning and ending ----------------------------------------------------------------------------------

    def start(
        self, brief: core.Brief, *, library: Path | None = None, analyst: AnalystChoice = "auto", attended: bool = False
    ) -> str:
        """Start a run and return its id; if it is attended, a plan waits a while for whoever wants to edit it.

        Raises:
            UsageError: the brief or the analyst asks for something that is not available; says what to do.
            StoreError: the run cannot be entered into the store.
        """
        world = self.world(brief, library=library, analyst=analyst)
        settings = self._current()
        if not settings.uses_workers:
            return self.begin(brief, world, attended=attended)
        self.submit(world.close())  # It was only to say what is not available.
        task = queue.Task.of(settings, library, attended=attended)
        run_id = queue.enter(self._store, brief, world.analyst.name, task)
        self._entered.add(run_id)
        return run_id

    def world(self, brief: core.Brief, *, library: Path | None = None, analyst: AnalystChoice = "auto") -> World:
        """Return the world that a run of `brief` would have now; errors as for `start`.

        Whoever has it made closes it, or hands it to `begin`, which does.
        """
        return self._build(brief, self._current(), library=library, analyst=analyst, summaries=self.summaries)

    def begin(self, brief: core.Brief, world: World, conduct: Conduct | None = None, *, attended: bool = False) -> str:
        """Start a run in a world of its own and return its id; `conduct` does something else than research.

        This process carries it out, also where workers carry out research: what `conduct` leads to is in its memory.

        Raises:
            StoreError: the run cannot be entered into the store.
        """
        run_id = self._store.create(brief, world.analyst.name, owner=self.owner)
        journal = StoredJournal(self._store, run_id, owner=self.owner)
        run = _ActiveRun(run_id, self._current().capped(brief), world, journal, Control(attended=attended))
        self._launch(run, conduct or self._conduct)
        return run_id

    def resume(self, run_id: str, *, library: Path | None = None, attended: bool = False) -> None:
        """Let a run that broke off go on, or wait for a worker to do so; see `research.engine.conduct`.

        Raises:
            UsageError: there is no such run, it cannot go on, or something that it needs is not available any more.
            StoreError: the store cannot be read or written.
        """
        run = self._store.get(run_id)
        refusal = core.UsageError(NOT_RESUMABLE, run.brief.language)
        if self.is_under_way(run_id) or not can_resume(self._store, run):
            raise refusal
        world = self.world(run.brief, library=library, analyst=_choice(run.analyst))
        if (settings := self._current()).uses_workers:
            self.submit(world.close())
            if not queue.enter_again(self._store, run_id, queue.Task.of(settings, library, attended=attended)):
                raise refusal
            self._entered.add(run_id)
            return
        try:
            if not self._store.take_over(run_id, self.owner):
                raise refusal
            heard = max(self._store.steering(run_id), default=0)
            brief = settings.capped(run.brief)
            self._take_up(self._store, run_id, brief, world, Control(attended=attended), heard=heard)
        except core.ResearchError:
            self.submit(world.close())
            raise

    def carry_out(self, claimed: queue.Claimed, settings: Settings) -> None:
        """Carry out a run that was claimed for this runner, from its beginning or from where it broke off.

        `settings` are those of its account, of whose eyes and folders alone the run makes use.

        Raises:
            UsageError: something that the run needs is not available here.
            StoreError: the store cannot be read.
        """
        task, store = claimed.task, self._store.of_account(claimed.account)
        summaries = self._caches.setdefault(claimed.account, _summaries(store, settings))
        world = self._build(
            claimed.brief,
            task.agreed(settings),
            library=task.library,
            analyst=_choice(claimed.analyst),
            summaries=summaries,
        )
        brief, control = settings.capped(claimed.brief), Control(attended=task.attended)
        try:
            self._take_up(store, claimed.id, brief, world, control, heard=claimed.heard, is_claimed=True)
        except core.ResearchError:
            self.submit(world.close())
            raise

    def _take_up(
        self,
        store: RunStore,
        run_id: str,
        brief: core.Brief,
        world: World,
        control: Control,
        *,
        heard: int,
        is_claimed: bool = False,
    ) -> None:
        """Go on with a run that is this runner's by now; one that reported nothing before begins."""
        # Read only now: until here one that was merely taken for dead could go on writing.
        events, pages, answers = store.events(run_id), store.pages(run_id), store.answers(run_id)
        journal = StoredJournal(store, run_id, events=events, pages=pages, answers=answers, owner=self.owner)
        conduct = partial(resume, events=events, pages=pages) if events else self._conduct
        self._launch(_ActiveRun(run_id, brief, world, journal, control, is_claimed), conduct, heard=heard)

    def _launch(self, run: _ActiveRun, conduct: Conduct, *, heard: int = 0) -> None:
        self._active[run.id] = run
        self._recorder.watch(run.id, run.journal, lambda steer: self._tell(run, steer), heard=heard)
        self.submit(self._carry_out(run, conduct))

    async def _carry_out(self, run: _ActiveRun, conduct: Conduct) -> None:
        journal = run.journal
        try:
            record, markdown = await run.result(conduct)
            journal.end(record, markdown)
            stored = await asyncio.to_thread(journal.flush)
            report = Report(record=record, markdown=markdown, history=tuple(journal.since()), pages=journal.pages)
        except BaseException as error:
            run.done.set_exception(error)
            raise
        finally:
            journal.leave()
        self._recorder.release(run.id)
        run.done.set_result(report)
        if stored:
            del self._active[run.id]

    def submit(self, work: Coroutine[object, object, T]) -> Future[T]:
        """Do `work` on the loop of the runs, outside any of them; closing the runner cancels it.

        It knows nothing of its caller but prompts that are replaced there: in a node of somebody's graph, LangGraph
        would keep what ours hold with theirs.
        """
        return carried_into(Context()).run(asyncio.run_coroutine_threadsafe, work, self._loop)

    def close(self) -> None:
        """Leave the runs that are under way, store what they had found, and end the threads.

        Those that were claimed wait for another worker.
        """
        self.submit(_cancel_all()).result()
        self._recorder.close()
        for run_id in [run.id for run in self._active.values() if run.is_claimed]:
            try:
                queue.let_go(self._store, run_id, self.owner)
            except core.StoreError as error:
                _log.warning("Others will learn late that the run %s was left: %s", run_id, error)
        self._owner.leave()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        for loading in self._loading:
            loading.join(_LOADING)  # A program that ends while a model is loaded in C++ is aborted.

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- steering and following --------------------------------------------------------------------------------

    def steer(self, run_id: str, steer: core.Steer) -> None:
        """Ask something of a run, of this or another process; one that has ended does not hear it.

        One that is to stop while it waits for a worker ends at once.

        Raises:
            UsageError: there is no such run.
            StoreError: the request cannot be brought to another process.
        """
        run = self._active.get(run_id)
        if run is not None:
            self._tell(run, steer)
        elif not (isinstance(steer, core.StopNow) and queue.cancel(self._store, run_id)):
            self._store.steer(run_id, steer)
        if isinstance(steer, core.StopNow):
            self._store.note(Action.STOPPED, run_id)

    def _tell(self, run: _ActiveRun, steer: core.Steer) -> None:
        """Pass on what was asked; a run that does not stop by itself in time is cancelled."""

        def hear() -> None:
            if isinstance(steer, core.StopNow) and not run.control.stop.is_set():
                self._loop.call_later(self._stop_seconds, run.cancel)
            run.control.hear(steer)

        self._loop.call_soon_threadsafe(hear)

    def finish_now(self, run_id: str) -> None:
        """Ask a run to write its report from what there is; errors as for `steer`."""
        self.steer(run_id, core.FinishNow())

    def stop(self, run_id: str) -> None:
        """Ask a run to stop at once; errors as for `steer`."""
        self.steer(run_id, core.StopNow())

    def is_under_way(self, run_id: str) -> bool:
        """Whether this process carries the run out, or has not stored all of it yet."""
        run = self._active.get(run_id)
        return run is not None and (not run.done.done() or self._recorder.holds(run_id))

    def wait(self, run_id: str, timeout: float | None = None) -> Report:
        """Return the report of a run as soon as it has ended; at once if this process did not ask for it.

        Raises:
            TimeoutError: it has not ended after `timeout` seconds.
            UsageError: there is no such run, or another process asked for it and it has not ended.
        """
        run = self._active.get(run_id)
        if run is not None:
            return run.done.result(timeout)
        until = time.monotonic() + (math.inf if timeout is None else timeout)
        while run_id in self._entered and self._store.get(run_id).state.is_open:
            if time.monotonic() >= until:
                raise TimeoutError
            time.sleep(_POLL_SECONDS)
        return load_report(self._store, run_id)

    def events(self, run_id: str, after: int = 0) -> Sequence[core.AnyEvent]:
        """Return the events of a run after number `after`, of this process's stored or not; errors as for `follow`."""
        run = self._active.get(run_id)
        if run is not None and self.is_under_way(run_id):
            return run.journal.since(after)
        return self._store.events(run_id, after)

    def follow(self, run_id: str) -> Iterator[core.AnyEvent]:
        """Yield the events of a run, of this or another process, as they happen; ends with the run.

        Raises:
            UsageError: there is no such run.
            StoreError: the events of another process's run cannot be read.
        """
        for events in self._parts(run_id):
            yield from events
            time.sleep(_POLL_SECONDS)

    async def looks(self, run_id: str, after: int = 0) -> AsyncIterator[Sequence[core.AnyEvent]]:
        """Yield at each look what is new of a run from number `after` + 1 on, also where that is nothing.

        It is like `follow`, for use in any event loop.
        """
        parts = self._parts(run_id, after)
        while (events := await asyncio.to_thread(next, parts, None)) is not None:
            yield events
            await asyncio.sleep(_POLL_SECONDS if run_id in self._active else _LOOK_SECONDS)

    def _parts(self, run_id: str, after: int = 0) -> Iterator[Sequence[core.AnyEvent]]:
        """Yield the events of a run that are new since the last look, until there will be no more."""
        seen, over = after, False
        while not over:
            run = self._active.get(run_id)
            if run is not None:
                over, events = run.done.done(), run.journal.since(seen)
            else:
                over = not self._store.get(run_id).state.is_open
                events = self._store.events(run_id, seen)
            seen = events[-1].seq if events else seen
            yield events


async def _cancel_all() -> None:
    """Cancel all that is under way on the loop, and wait for the threads that it used."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_default_executor()


def _summaries(store: RunStore, settings: Settings) -> SummaryCache:
    return SummaryCache(store.shared or settings.home / SUMMARIES, store.account)


def _choice(analyst: str) -> AnalystChoice:
    """Return what is asked for so that this analyst carries a run out."""
    return "extractive" if analyst == "extractive" else "chat"


_TICK_SECONDS = 0.1
_LOOK_SECONDS = 0.5
"""Between two looks for runs that wait."""
_PAUSE_SECONDS = 2.0
"""After a failure the store is left alone for so long."""


def to_stderr(line: str) -> None:
    """Write what a worker says, with the time, if it can be: a full disk may hold the log as well."""
    with suppress(OSError):
        sys.stderr.write(f"{utc_now():%Y-%m-%dT%H:%M:%SZ} {line}\n")
        sys.stderr.flush()


def to_log(line: str) -> None:
    """Log what a worker says: what happened, and what is told of it by name."""
    event, *told = line.split()
    tell(_log, event, dict(one.split("=", 1) for one in told))


class Worker:
    """Carries out so many runs at once until it is told to end; then it lets go of them for others.

    Of what it does it says one line for each run that begins or ends: what happened, and the run's id.
    """

    def __init__(
        self,
        store: RunStore,
        settings: Settings,
        *,
        at_once: int = 2,
        per_account: int | None = None,
        build: WorldBuilder = build_world,
        settings_of: Callable[[str], Settings] | None = None,
        say: Callable[[str], None] = to_stderr,
    ) -> None:
        """`per_account` limits the runs of one account under way on all workers.

        `settings_of` is asked for an account's settings for each of its runs; without it, all runs have `settings`.
        """
        self._store = store
        self._runner = Runner(store, settings, build=build)
        self._settings_of = settings_of or (lambda account: settings)
        self._at_once = at_once
        self._per_account = per_account
        self._say = say
        self._under_way: dict[str, RunStore] = {}
        """The store as the account sees it whose run it is, by the run's id."""
        self._settings = settings
        self._wanted: dict[str, str] = {}
        """Who is told when a run of these has ended."""
        self._telling = ThreadPoolExecutor(1, thread_name_prefix="telling")
        self._too_new: set[str] = set()
        """Runs that only workers of a newer version can read."""
        self._next_look = self._next_sign = 0.0
        self._ending = threading.Event()

    def end(self) -> None:
        """Ask it to take no more runs and to let go of those that it has. Safe in a handler of signals."""
        self._ending.set()

    def work(self, *, until_idle: bool = False) -> None:
        """Carry out runs until `end` is called, or, if it is to be so, until there is nothing left to do here."""
        self._runner.make_ready(compares=True)
        self._say(f"worker_began at_once={self._at_once}")
        try:
            is_idle = False
            while not (self._ending.is_set() or (is_idle and until_idle)):
                is_idle = self._look()
                self._ending.wait(_TICK_SECONDS)
        finally:
            self._runner.close()
            with suppress(ResearchError):
                for run_id in sorted(self._under_way):
                    self._say_ended(run_id)
                queue.sign_off(self._store, self._runner.owner)
            self._telling.shutdown()
            self._say("worker_ended")

    def _look(self) -> bool:
        """Note what has ended and take what there is room for; return whether there is nothing to do.

        A store that cannot be used is tried again. Of a run that was claimed meanwhile no sign of life comes, so that
        it waits again.
        """
        try:
            if time.monotonic() >= self._next_sign:
                queue.sign(self._store, self._runner.owner)
                self._next_sign = time.monotonic() + queue.SIGN_SECONDS
            for run_id in [run for run in self._under_way if not self._runner.is_under_way(run)]:
                self._say_ended(run_id)
                del self._under_way[run_id]
                self._next_look = 0.0
            if time.monotonic() < self._next_look:
                return False
            self._next_look = time.monotonic() + _LOOK_SECONDS
            while len(self._under_way) < self._at_once and self._took_one():
                pass
            due = enter_due(self._store)
        except ResearchError as error:
            _log.warning("The worker tries again in %s seconds: %s", _PAUSE_SECONDS, error)
            self._next_look = time.monotonic() + _PAUSE_SECONDS
            return False
        return not (self._under_way or due)

    def _took_one(self) -> bool:
        """Begin to carry out the run whose turn it is; return whether there was one."""
        try:
            claimed = claim(self._store, self._runner.owner, per_account=self._per_account, but=self._too_new)
        except TooNew as found:
            return self._leave(str(found))
        if claimed is None:
            return False
        if claimed.id in self._under_way:
            return True  # It was only taken for dead, as this machine slept.
        store = self._store.of_account(claimed.account)
        self._say(f"run_begun run={claimed.id}")
        try:
            self._runner.carry_out(claimed, self._settings_of(claimed.account))
        except StoreError:
            raise
        except ValidationError:
            # It broke off, and told what this version does not know.
            queue.let_go(self._store, claimed.id, self._runner.owner)
            return self._leave(claimed.id)
        except Exception as error:  # noqa: BLE001 - what keeps one run from beginning must not end the worker
            _log.warning("The run %s could not begin", claimed.id, exc_info=not isinstance(error, UsageError))
            reason = error.text.in_(claimed.brief.language) if isinstance(error, UsageError) else type(error).__name__
            refuse(store, claimed.id, self._runner.owner, reason)
        self._under_way[claimed.id] = store
        if claimed.task.tell:
            self._wanted[claimed.id] = claimed.task.tell
        return True

    def _leave(self, run_id: str) -> bool:
        """Leave a run to workers of a newer version; others may be this one's."""
        self._too_new.add(run_id)
        self._say(f"run_too_new run={run_id}")
        return True

    def _say_ended(self, run_id: str) -> None:
        run = self._under_way[run_id].get(run_id)
        self._say(f"run_{'let_go' if run.state.is_open else 'ended'} run={run_id} state={run.state.value}")
        address = self._wanted.pop(run_id, "")
        if address and not run.state.is_open:
            self._telling.submit(self._tell, self._under_way[run_id], run_id, address)

    def _tell(self, store: RunStore, run_id: str, address: str) -> None:
        self._say(f"run_{'told' if tell_of(store, run_id, address, self._settings) else 'not_told'} run={run_id}")
