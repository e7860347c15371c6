"""A thread that moves what runs report to the store, says that they are alive, and brings them what was asked."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping

from research.errors import ResearchError
from research.runs.journal import StoredJournal
from research.runs.store import RunStore
from research.steering import Steer

_log = logging.getLogger(__name__)

FLUSH_SECONDS = 0.1
STEERING_SECONDS = 0.5
HEARTBEAT_SECONDS = 2.0


class Recorder:
    """Serves all runs of a process, so that none of them ever waits for the disk."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._runs: dict[str, _Watched] = {}
        self._lock = threading.Lock()
        self._busy = threading.Event()
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="research-recorder", daemon=True)
        self._thread.start()

    def watch(self, run_id: str, journal: StoredJournal, on_steer: Callable[[Steer], None], *, heard: int = 0) -> None:
        """Record a run until it is released.

        `on_steer` is called from the recorder's thread, once for each request after number `heard`.
        """
        with self._lock:
            self._runs[run_id] = _Watched(journal, on_steer, heard)
            self._busy.set()

    def release(self, run_id: str) -> None:
        """Let go of a run that has ended, as soon as everything it reported is stored."""
        with self._lock:
            self._runs[run_id].ended = True

    def holds(self, run_id: str) -> bool:
        """Whether something of a run is not stored yet."""
        return run_id in self._runs

    def close(self) -> None:
        """Store what can be stored and end the thread."""
        self._closing = True
        self._busy.set()
        self._thread.join()

    def _work(self) -> None:
        last = False
        while not last:
            self._busy.wait()
            time.sleep(FLUSH_SECONDS)
            last = self._closing
            with self._lock:
                runs = dict(self._runs)
            for run_id, run in runs.items():
                self._serve(run_id, run)

    def _serve(self, run_id: str, run: _Watched) -> None:
        ended = run.ended
        stored = run.journal.flush()
        if ended:
            if stored:
                self._forget(run_id)
            return
        now = time.monotonic()
        try:
            if now >= run.next_steering:
                run.next_steering = now + STEERING_SECONDS
                run.bring(self._store.steering(run_id, run.brought))
            if now >= run.next_heartbeat:
                run.next_heartbeat = now + HEARTBEAT_SECONDS
                run.journal.show_alive()
        except ResearchError as error:
            # The journal reports to the user that the store fails; here it is enough to try again later.
            _log.warning("The run %s cannot be kept alive in the store: %s", run_id, error)

    def _forget(self, run_id: str) -> None:
        with self._lock:
            del self._runs[run_id]
            if not self._runs:
                self._busy.clear()


class _Watched:
    """A run that is being recorded."""

    def __init__(self, journal: StoredJournal, on_steer: Callable[[Steer], None], heard: int) -> None:
        self.journal = journal
        self.ended = False
        self.brought = heard
        """Number of the last request that the run has been told of."""
        self.next_steering = 0.0
        self.next_heartbeat = time.monotonic() + HEARTBEAT_SECONDS
        self._on_steer = on_steer

    def bring(self, steering: Mapping[int, Steer]) -> None:
        for number, steer in steering.items():
            self._on_steer(steer)
            self.brought = number
