"""Research from a program or a notebook: start a run and wait for it, or follow it live."""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import AsyncIterator
from pathlib import Path

from research.brief import Brief
from research.errors import UsageError
from research.events import AnyEvent
from research.library import Library
from research.report import Report
from research.runs.reports import load_report
from research.runs.runner import Runner
from research.runs.store import RunStore
from research.settings import Settings
from research.steering import Steer
from research.world import AnalystChoice

_engines: list[tuple[Settings, RunStore, Runner]] = []
_lock = threading.Lock()


async def run(
    brief: Brief | str,
    *,
    library: Library | Path | str | None = None,
    analyst: AnalystChoice = "auto",
    settings: Settings | None = None,
) -> Report:
    """Research a brief, or a mere question, and return the report.

    Args:
        brief: what to research; a string is the question of a brief that leaves all else open.
        library: a folder of documents to search as well.
        analyst: `chat` (models), `extractive` (none), or `auto`: models if a key is set.
        settings: keys, addresses, models and the home folder; by default those of the environment.

    Cancelling the call stops the run.

    Raises:
        UsageError: something that the brief asks for is not available; says what to do.
        StoreError: the run cannot be entered into the run store.
    """
    live = stream(brief, library=library, analyst=analyst, settings=settings)
    async for _ in live:
        pass
    return live.report


def run_sync(
    brief: Brief | str,
    *,
    library: Library | Path | str | None = None,
    analyst: AnalystChoice = "auto",
    settings: Settings | None = None,
) -> Report:
    """Do what `run` does, without await: in scripts, and in notebooks, whose event loop is running already.

    Interrupting the call stops the run.
    """
    live = stream(brief, library=library, analyst=analyst, settings=settings)
    return live.wait()


def stream(
    brief: Brief | str,
    *,
    library: Library | Path | str | None = None,
    analyst: AnalystChoice = "auto",
    settings: Settings | None = None,
) -> Stream:
    """Start a run and return its events, to be followed with `async for`; arguments and errors are those of `run`.

    The run goes on, and is stored, whether or not its events are followed to the end.
    """
    runner = _engine(settings or Settings.from_environment())[1]
    asked = Brief(question=brief) if isinstance(brief, str) else brief
    return Stream(runner, runner.start(asked, library=_folder(library), analyst=analyst))


def resume(run_id: str, *, library: Library | Path | str | None = None, settings: Settings | None = None) -> Stream:
    """Let a run that broke off go on, and return its events, from its first on; arguments are those of `run`.

    Raises:
        UsageError: there is no such run, it did not break off, or something that it needs is not available any more.
        StoreError: the run store cannot be read or written.
    """
    runner = _engine(settings or Settings.from_environment())[1]
    runner.resume(run_id, library=_folder(library))
    return Stream(runner, run_id)


def load(run_id: str, *, settings: Settings | None = None) -> Report:
    """Return the report of a run that has ended, whichever program it ran in.

    Raises:
        UsageError: there is no such run, or it is still running.
        StoreError: the run store cannot be read.
    """
    return load_report(_engine(settings or Settings.from_environment())[0], run_id)


class Stream:
    """The events of one run as they happen, from `run_started` to `run_finished`; then its report."""

    def __init__(self, runner: Runner, run_id: str) -> None:
        self.run_id = run_id
        self._runner = runner

    async def __aiter__(self) -> AsyncIterator[AnyEvent]:
        """Yield the events from the first on. Cancelling the loop stops the run; leaving it does not."""
        try:
            async for event in self._runner.follow_async(self.run_id):
                yield event
        except asyncio.CancelledError:
            self._runner.stop(self.run_id)
            raise

    @property
    def report(self) -> Report:
        """The report.

        Raises:
            UsageError: the run has not ended yet.
        """
        try:
            return self._runner.wait(self.run_id, timeout=0)
        except TimeoutError:
            raise UsageError(f"The run {self.run_id} is still running.") from None

    def finish_now(self) -> None:
        """Ask for the report to be written now, from what there is."""
        self._runner.finish_now(self.run_id)

    def stop(self) -> None:
        """Ask the run to stop at once."""
        self._runner.stop(self.run_id)

    def steer(self, steer: Steer) -> None:
        """Ask something else of the run: one more question, a topic less, a site less; see `research.steering`."""
        self._runner.steer(self.run_id, steer)

    def wait(self) -> Report:
        """Return the report as soon as there is one. Interrupting the call stops the run."""
        try:
            return self._runner.wait(self.run_id)
        except BaseException:
            self._runner.stop(self.run_id)
            raise


def _engine(settings: Settings) -> tuple[RunStore, Runner]:
    """Return the store and the runner for these settings: one of each in a process."""
    with _lock:
        for known, store, runner in _engines:
            if known == settings:
                return store, runner
        store = RunStore(settings.home)
        runner = Runner(store, settings)
        _engines.append((settings, store, runner))
        atexit.register(runner.close)
        return store, runner


def _folder(library: Library | Path | str | None) -> Path | None:
    if library is None or isinstance(library, Path):
        return library
    return Path(library) if isinstance(library, str) else library.folder
