"""A worker: carries out runs that wait in the store, beside any number of others on any number of machines."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from research.core import ResearchError, StoreError, UsageError
from research.settings import Settings
from research.store.queue import claim, enter_due, refuse
from research.store.runner import Runner
from research.store.store import RunStore, utc_now
from research.store.world import WorldBuilder, build_world

_log = logging.getLogger(__name__)

_TICK_SECONDS = 0.1
_LOOK_SECONDS = 0.5
"""Between two looks for runs that wait."""
_PAUSE_SECONDS = 2.0
"""After a failure the store is left alone for so long."""


def _to_stderr(line: str) -> None:
    sys.stderr.write(f"{utc_now():%Y-%m-%dT%H:%M:%SZ} {line}\n")
    sys.stderr.flush()


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
        say: Callable[[str], None] = _to_stderr,
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
        self._next_look = 0.0
        self._ending = threading.Event()

    def end(self) -> None:
        """Ask it to take no more runs and to let go of those that it has. Safe in a handler of signals."""
        self._ending.set()

    def work(self, *, until_idle: bool = False) -> None:
        """Carry out runs until `end` is called, or, if it is to be so, until there is nothing left to do here."""
        self._runner.make_ready()
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
            self._say("worker_ended")

    def _look(self) -> bool:
        """Note what has ended and take what there is room for; return whether there is nothing to do.

        A store that cannot be used is tried again. Of a run that was claimed meanwhile no sign of life comes, so that
        it waits again.
        """
        try:
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
        claimed = claim(self._store, self._runner.owner, per_account=self._per_account)
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
        except Exception as error:  # noqa: BLE001 - what keeps one run from beginning must not end the worker
            _log.warning("The run %s could not begin", claimed.id, exc_info=not isinstance(error, UsageError))
            reason = str(error) if isinstance(error, UsageError) else type(error).__name__
            refuse(store, claimed.id, self._runner.owner, reason)
        self._under_way[claimed.id] = store
        return True

    def _say_ended(self, run_id: str) -> None:
        run = self._under_way[run_id].get(run_id)
        self._say(f"run_{'let_go' if run.state.is_open else 'ended'} run={run_id} state={run.state.value}")
