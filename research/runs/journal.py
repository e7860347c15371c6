"""Where a run is recorded as it happens."""

from __future__ import annotations

import logging
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import cast

from research.errors import StoreError, UsageError
from research.events import AnyEvent, Event, ProblemOccurred, RunFinished, Stage
from research.evidence import Page
from research.report import RunRecord
from research.runs.store import RunStore, utc_now

_log = logging.getLogger(__name__)

_PAUSE_SECONDS = 2.0
"""After a failure the store is left alone for so long."""


class StoredJournal:
    """Numbers and times the events of one run and keeps them; `flush` moves them to the store.

    Reporting never waits for the disk and never fails. While the store cannot be written, what happens is kept in
    memory, the trouble is reported once, and writing is tried again.
    """

    def __init__(
        self,
        store: RunStore,
        run_id: str,
        *,
        events: Sequence[AnyEvent] = (),
        pages: Mapping[str, Page] | None = None,
        owner: str | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """`events` and `pages` are what the store holds already of a run that goes on; the `owner` carries it out."""
        self._store = store
        self._owner = owner
        self._now = now
        self._run_id = run_id
        self._history: list[AnyEvent] = list(events)
        self._pages: dict[str, Page] = dict(pages or {})
        self._pages_stored = len(self._pages)
        self._ending: tuple[RunRecord, str] | None = None
        self._numbering = threading.Lock()
        self._flushing = threading.Lock()
        self._events_stored = len(self._history)
        self._troubled = False
        self._next_attempt = 0.0

    def emit(self, event: Event) -> Event:
        """Number and time an event; return it so stamped. What is reported after the end of the run is not kept."""
        with self._numbering:
            last = self._history[-1].seq if self._history else 0
            stamped = event.model_copy(update={"seq": last + 1, "at": self._now()})
            if not self._history or not isinstance(self._history[-1], RunFinished):
                self._history.append(cast("AnyEvent", stamped))
        return stamped

    def keep(self, page: Page) -> None:
        """Keep the snapshot of a page until it is stored."""
        with self._numbering:
            self._pages.setdefault(page.id, page)

    @property
    def pages(self) -> dict[str, Page]:
        """The pages kept so far, by id, stored or not."""
        with self._numbering:
            return dict(self._pages)

    def since(self, after: int = 0) -> Sequence[AnyEvent]:
        """Return the events from number `after` + 1 on, stored or not."""
        return self._history[bisect_right(self._history, after, key=lambda event: event.seq) :]

    def end(self, record: RunRecord, markdown: str) -> None:
        """Say how the run ended; it is stored after all events."""
        self._ending = (record, markdown)

    def show_alive(self) -> None:
        """Say in the store that the run is alive; errors as for `RunStore.heartbeat`."""
        self._store.heartbeat(self._run_id, owner=self._owner)

    def flush(self) -> bool:
        """Store what is not stored yet; return whether nothing is left. Blocks while the disk is busy, never raises."""
        with self._flushing:
            if time.monotonic() < self._next_attempt:
                return False
            try:
                self._write()
            except (StoreError, UsageError) as error:
                self._next_attempt = time.monotonic() + _PAUSE_SECONDS
                self._report_trouble(error)
                return False
            return True

    def _write(self) -> None:
        with self._numbering:
            events, pages = self._history[self._events_stored :], list(self._pages.values())[self._pages_stored :]
        if events or pages:
            self._store.extend(self._run_id, events, pages, owner=self._owner)
            with self._numbering:
                self._events_stored += len(events)
                self._pages_stored += len(pages)
        if self._ending is not None:
            self._store.finish(self._run_id, *self._ending)
            self._ending = None

    def _report_trouble(self, error: Exception) -> None:
        if self._troubled:
            return
        self._troubled = True
        _log.warning("The run %s cannot be saved for now: %s", self._run_id, error)
        self.emit(ProblemOccurred(stage=Stage.WRITING, code="saved_late", detail=str(error)))
