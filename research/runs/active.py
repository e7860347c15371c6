"""A run that is under way in this process."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from datetime import datetime

from research.brief import Brief
from research.engine import RunResult
from research.events import RunFinished
from research.graph.context import Journal, World
from research.graph.control import Control
from research.report import Report, RunRecord
from research.runs.journal import StoredJournal
from research.runs.salvage import salvage
from research.steering import Steer, StopNow

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
