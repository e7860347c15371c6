"""What happens in a run is written down as it happens, and read again: as a report, also of a run that broke off."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from research import core, results
from research.engine import Joined, joined
from research.export.markdown import report_markdown, with_follow_ups
from research.store.database import WRITING_SECONDS, Action, enter_action
from research.store.store import HEARTBEAT_SECONDS, NOT_ENDED, RunStore, append_events, events_of, insert_pages, utc_now
from research.store.telemetry import Told
from research.text import escape_markdown
from research.verification import contradictions_of

_log = logging.getLogger(__name__)

_PAUSE_SECONDS = 2.0
"""After a failure the store is left alone for so long."""
_FLUSH_SECONDS = 0.1
_STEERING_SECONDS = 0.5
_HEARTBEAT_SECONDS = 2.0
_threads = ThreadPoolExecutor(4, thread_name_prefix="answers")
"""Apart from those that reckon, and from the recorder, which serves all runs one after the other."""


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
        events: Sequence[core.AnyEvent] = (),
        pages: Mapping[str, core.Page] | None = None,
        answers: Mapping[str, str] | None = None,
        owner: str | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """`events`, `pages` and `answers` are what the store holds already of a run that goes on.

        The `owner` carries it out.
        """
        self._store = store
        self._run_id = run_id
        self._owner = owner
        self._now = now
        self._history: list[core.AnyEvent] = list(events)
        self._pages: dict[str, core.Page] = dict(pages or {})
        self._answers: dict[str, str] = dict(answers or {})
        self._events_stored, self._pages_stored = len(self._history), len(self._pages)
        self._answers_stored = len(self._answers)
        self._ending: tuple[results.RunRecord, str] | None = None
        self._numbering = threading.Lock()
        self._flushing = threading.Lock()
        self._trouble: core.Event | None = None
        self._next_attempt = 0.0
        self.is_lost = False
        """Whether another one carries the run on by now, or it was deleted."""
        self._shown_alive = now()
        self._asking = asyncio.Lock()
        self._told = Told(run_id, store.account)
        self.waits_for_server = False
        """Whether something is not stored because the server of the store is away."""

    def emit(self, event: core.Event) -> core.Event:
        """Number and time an event; return it so stamped. What is reported after the end of the run is not kept."""
        with self._numbering:
            last = self._history[-1].seq if self._history else 0
            stamped = event.model_copy(update={"seq": last + 1, "at": self._now()})
            is_kept = not self._history or not isinstance(self._history[-1], core.RunFinished)
            if is_kept:
                self._history.append(cast("core.AnyEvent", stamped))
        if is_kept:
            self._told(stamped)
        return stamped

    def keep(self, page: core.Page) -> None:
        """Keep the snapshot of a page until it is stored."""
        with self._numbering:
            self._pages.setdefault(page.id, page)

    def answer(self, search: str) -> str | None:
        """Return what a search has answered in this run."""
        return self._answers.get(search)

    async def keep_answer(self, search: str, answer: str) -> None:
        """Keep what a search answered, and store it at once; if that cannot be, it is tried again with all else."""
        with self._numbering:
            self._answers.setdefault(search, answer)
        await asyncio.get_running_loop().run_in_executor(_threads, self.flush)

    async def keep_run(self) -> None:
        """See to it that the run is still this process's, before it pays for something; else wait to be stopped.

        Whoever stood still (a machine slept) for so long that others took it for dead asks the store first: another may
        have the run by now, and pay for the same. A store that cannot say is asked again as late: the run goes on.
        """
        async with self._asking:
            if (self._now() - self._shown_alive).total_seconds() >= HEARTBEAT_SECONDS and not self.is_lost:
                await asyncio.get_running_loop().run_in_executor(_threads, self._ask_whose)
        if self.is_lost:
            await asyncio.Event().wait()

    def _ask_whose(self) -> None:
        try:
            self.show_alive()
        except core.UsageError:
            self.is_lost = True
        except core.ResearchError:
            self._shown_alive = self._now()

    @property
    def pages(self) -> dict[str, core.Page]:
        """The pages kept so far, by id, stored or not."""
        with self._numbering:
            return dict(self._pages)

    @property
    def events(self) -> Sequence[core.AnyEvent]:
        """What the run told, stored or not; without what the journal itself says of trouble with the disk."""
        return tuple(event for event in self._history if event is not self._trouble)

    def since(self, after: int = 0) -> Sequence[core.AnyEvent]:
        """Return the events from number `after` + 1 on, stored or not."""
        return self._history[bisect_right(self._history, after, key=lambda event: event.seq) :]

    def end(self, record: results.RunRecord, markdown: str) -> None:
        """Say how the run ended; it is stored after all events."""
        self._ending = (record, markdown)

    def leave(self) -> None:
        """Say to whoever watches the server that this process does no more for the run."""
        self._told.close()

    def asked(self, after: int) -> Mapping[int, core.Steer]:
        """Return what was asked of the run elsewhere; see `RunStore.steering`."""
        return self._store.steering(self._run_id, after)

    def show_alive(self) -> None:
        """Say in the store that the run is alive; errors as for `RunStore.heartbeat`."""
        self._store.heartbeat(self._run_id, owner=self._owner)
        self._shown_alive = self._now()

    def flush(self) -> bool:
        """Store what is not stored yet; return whether nothing is left. Blocks while the disk is busy, never raises.

        Nothing is left to be done for a run that another carries on by now, or that was deleted.
        """
        with self._flushing:
            if self.is_lost:
                return True
            if time.monotonic() < self._next_attempt:
                return False
            try:
                self._write()
            except core.UsageError as error:
                _log.warning("What the run %s still reports is not kept: %s", self._run_id, error)
                self.is_lost = True
            except core.ResearchError as error:
                self._next_attempt = time.monotonic() + _PAUSE_SECONDS
                self.waits_for_server = isinstance(error, core.StoreError) and error.code == "store_away"
                if self._trouble is None:
                    _log.warning("The run %s cannot be saved for now: %s", self._run_id, error)
                    trouble = core.ProblemOccurred(stage=core.Stage.WRITING, code="saved_late", detail=str(error))
                    self._trouble = self.emit(trouble)
                return False
            self.waits_for_server = False
            return True

    def _write(self) -> None:
        with self._numbering:  # How it ended is stored with what was told before it ended, never ahead of that.
            events, pages = self._history[self._events_stored :], list(self._pages.values())[self._pages_stored :]
            answers, ending = list(self._answers.items())[self._answers_stored :], self._ending
        if events or pages or answers:
            self._store.extend(self._run_id, events, pages, answers, owner=self._owner)
            self._events_stored += len(events)
            self._pages_stored += len(pages)
            self._answers_stored += len(answers)
        if ending is not None:
            self._store.finish(self._run_id, *ending, owner=self._owner)
            self._ending = None


@dataclass
class _Watched:
    """A run that is being recorded."""

    journal: StoredJournal
    on_steer: Callable[[core.Steer], None]
    heard: int
    """Number of the last request that the run has been told of."""
    next_heartbeat: float
    next_steering: float = 0.0
    ended: bool = False
    is_given_up: bool = False


class Recorder:
    """Serves all runs of a process from a thread of its own, so that none of them ever waits for the disk."""

    def __init__(self) -> None:
        self._runs: dict[str, _Watched] = {}
        self._lock = threading.Lock()
        self._busy = threading.Event()
        self._closing = 0.0
        """When the recorder was told to close, if it was."""
        self._thread = threading.Thread(target=self._work, name="research-recorder", daemon=True)
        self._thread.start()

    def watch(
        self, run_id: str, journal: StoredJournal, on_steer: Callable[[core.Steer], None], *, heard: int = 0
    ) -> None:
        """Record a run until it is released.

        `on_steer` is called from the recorder's thread, once for each request after number `heard`.
        """
        with self._lock:
            self._runs[run_id] = _Watched(journal, on_steer, heard, time.monotonic() + _HEARTBEAT_SECONDS)
            self._busy.set()

    def release(self, run_id: str) -> None:
        """Let go of a run that has ended, as soon as everything it reported is stored."""
        self._runs[run_id].ended = True

    def holds(self, run_id: str) -> bool:
        """Whether something of a run is not stored yet."""
        return run_id in self._runs

    def close(self) -> None:
        """Store what can be stored and end the thread; a database that is away is waited for a while."""
        self._closing = time.monotonic()
        self._busy.set()
        self._thread.join()

    def _work(self) -> None:
        over = False
        while not over:
            self._busy.wait()
            time.sleep(_FLUSH_SECONDS)
            closing = self._closing
            with self._lock:
                runs = dict(self._runs)
            for run_id, run in runs.items():
                ended = run.ended
                stored = run.journal.flush()
                if not ended and not run.journal.is_lost:
                    self._keep_alive(run_id, run)
                elif not ended:
                    self._give_up(run)
                elif stored:
                    self._forget(run_id)
            is_waiting = any(run.journal.waits_for_server for run in runs.values())
            over = closing > 0 and not (is_waiting and time.monotonic() < closing + WRITING_SECONDS)

    def _keep_alive(self, run_id: str, run: _Watched) -> None:
        """Bring a run what is asked of it from elsewhere, and show others that it lives, whenever that is due."""
        now = time.monotonic()
        try:
            if now >= run.next_steering:
                run.next_steering = now + _STEERING_SECONDS
                for number, steer in run.journal.asked(run.heard).items():
                    run.on_steer(steer)
                    run.heard = number
            if now >= run.next_heartbeat:
                run.next_heartbeat = now + _HEARTBEAT_SECONDS
                run.journal.show_alive()
        except core.UsageError as error:
            _log.warning("The run %s is no longer of this process: %s", run_id, error)
            run.journal.is_lost = True
            self._give_up(run)
        except core.ResearchError as error:
            # The journal reports to the user that the store fails; here it is enough to try again later.
            _log.warning("The run %s cannot be kept alive in the store: %s", run_id, error)

    @staticmethod
    def _give_up(run: _Watched) -> None:
        """Stop a run that is not this process's any more before it asks for much that another one pays for as well."""
        if not run.is_given_up:
            run.is_given_up = True
            run.on_steer(core.StopNow())

    def _forget(self, run_id: str) -> None:
        with self._lock:
            del self._runs[run_id]
            if not self._runs:
                self._busy.clear()


# --- reports: as stored, of runs that broke off, with what was asked about them since, and notes ---------------------

# Every function that names a run may raise `UsageError`, there is none of that name (those that change something: or it
# is still running), and `StoreError`, the store cannot be read or written.


def load_report(store: RunStore, run_id: str) -> results.Report:
    """Return the report of a run that has ended, with what was asked about it since.

    Of an interrupted run it is what it had found until then. Of one that is still running there is none: `UsageError`.
    """
    run = store.ended(run_id)
    events, pages = tuple(store.events(run_id)), store.pages(run_id)
    record, markdown = store.record(run_id), store.markdown(run_id)
    if record is None or markdown is None:
        record, markdown = salvage(
            run.id,
            run.brief,
            run.analyst,
            results.of_research(events),
            pages,
            started_at=run.created_at,
            seconds=run.seconds,
            code="interrupted",
        )
    report = results.Report(record=record, markdown=markdown, history=events, pages=pages)
    return report.model_copy(update={"markdown": with_follow_ups(report)})


def salvage(
    run_id: str,
    brief: core.Brief,
    analyst: str,
    events: Sequence[core.Event],
    kept: Mapping[str, core.Page],
    *,
    started_at: datetime,
    seconds: float,
    code: str,
    subject: str = "",
    detail: str = "",
) -> tuple[results.RunRecord, str]:
    """Return the record and the report of a run that broke off: every quote that it found, by source.

    The report holds nothing of sites that were blocked and of topics that were dropped; the record names it still.
    Quotes of pages that are not among the `kept` ones cannot be verified. `code` (see `research.core.errors`) says why,
    with what or whom it is about as `subject`.
    """
    run = core.RunView.of(events)
    pages = {name: kept.get(name) or _page(read) for name, read in run.pages.items()}
    wanted = {entry.id: entry for entry in run.wanted(run.evidence.values())}
    cited = core.cite(_draft(pages, wanted), wanted, is_quoting=True)
    found, failed = contradictions_of(run.reflections, wanted, pages, brief.question, wanted)
    record = results.RunRecord(
        run=run_id,
        status=core.Status.PARTIAL if wanted else core.Status.FAILED,
        analyst=analyst,
        writer="extractive",
        brief=brief,
        started_at=started_at.isoformat(),
        seconds=seconds,
        usage=results.usage_of(run),
        sources=tuple(results.SourceEntry.of(page, cited.numbers.get(page.id)) for page in pages.values()),
        evidence=tuple(run.evidence.values()),
        sentences=results.prove_draft(cited.draft, results.ProofBasis(pages, run.evidence), by_rule=True),
        problems=(
            *results.problems_of(run),
            results.Problem(stage=core.Stage.RESEARCH, code=code, subject=subject, detail=detail),
            *([results.Problem(stage=core.Stage.WRITING, code="comparison_failed", detail=failed)] if failed else ()),
        ),
        draft=cited.draft,
        contradictions=found,
        trail=results.trail_of(run),
    )
    return record, report_markdown(record, pages, {})


def _draft(pages: dict[str, core.Page], evidence: dict[str, core.Evidence]) -> str:
    sections = []
    for page in pages.values():
        mine = (entry for entry in evidence.values() if entry.source == page.id)
        quotes = [f"- “{escape_markdown(entry.quote)}” [{entry.id}]" for entry in mine]
        if quotes:
            sections.append("\n".join([f"## {escape_markdown(page.title)}", "", *quotes]))
    return "\n\n".join(sections)


def _page(event: core.PageRead) -> core.Page:
    """Return the page as it was kept, but for its text, which stands in the store."""
    facts = event.model_dump(include=core.Page.model_fields.keys() - {"id", "fetched_at", "text"})
    return core.Page(id=event.page, fetched_at=event.at, text="", **facts)


_NUMBER = "CAST(json_extract(body, '$.number') AS INTEGER)"
_ASKED = "run = ? AND type IN ('follow_up_answered', 'follow_up_searched')"


def follow_ups_to(store: RunStore, run_id: str) -> tuple[results.FollowUp, ...]:
    """Return what was asked about a run's report, in order."""
    return results.follow_ups_of(
        core.RunView.of(store.events_of_type(run_id, "follow_up_answered", "follow_up_searched"))
    )


def keep_answer(store: RunStore, run_id: str, answer: core.FollowUpAnswered, calls: Iterable[core.Event] = ()) -> int:
    """Keep an answer, and the `calls` that it took; return its number, which is the next one if it has none."""
    store.ended(run_id)
    last = f"SELECT coalesce(max({_NUMBER}), 0) FROM events WHERE {_ASKED}"  # noqa: S608 - constant
    with store.changing(run_id) as connection:
        number: int = answer.number or connection.execute(last, (run_id,)).fetchone()[0] + 1
        append_events(connection, run_id, [*calls, answer.model_copy(update={"number": number})], utc_now())
        if not answer.number:
            enter_action(connection, utc_now(), store.account, Action.ASKED, run_id)
    return number


def keep_search(store: RunStore, run_id: str, number: int, search: str) -> None:
    """Keep that the run `search` was started for a question."""
    store.ended(run_id)
    with store.changing(run_id) as connection:
        append_events(connection, run_id, [core.FollowUpSearched(number=number, run=search)], utc_now())


def join(store: RunStore, run_id: str, found: results.Report, title: str, number: int) -> Joined:
    """Let what another run `found` join the books of a run, under ids of this run; return what was new.

    `title` names it among the topics, and `number` is that of the question.
    """
    store.ended(run_id)
    with store.changing(run_id) as connection:
        result = joined(core.RunView.of(events_of(connection, run_id)), found, title, number)
        insert_pages(connection, run_id, result.pages)
        append_events(connection, run_id, result.events, utc_now())
    return result


def forget_follow_up(store: RunStore, run_id: str, number: int) -> None:
    """Delete a question with its answer; what a search for it brought stays."""
    store.ended(run_id)
    asked = f"DELETE FROM events WHERE {_ASKED} AND {_NUMBER} = ?"  # noqa: S608 - a constant
    with store.changing(run_id) as connection:
        connection.execute(asked, (run_id, number))
    store.database.wipe_log()


def notes(store: RunStore, run_id: str) -> tuple[results.ResearchNote, ...]:
    """Return the notes of a run by step; none if its method takes none."""
    return results.notes_of(core.RunView.of(store.events_of_type(run_id, "note_taken")).notes)


def delete_notes(store: RunStore, run_id: str) -> int:
    """Delete the notes of a run, and nothing else of it; return how many there were. Their bytes are overwritten."""
    if store.get(run_id).state.is_open:
        raise core.UsageError(NOT_ENDED.filled(run=run_id))
    with store.changing(run_id) as connection:
        deleted = connection.execute("DELETE FROM events WHERE run = ? AND type = 'note_taken'", (run_id,)).rowcount
    store.database.wipe_log()
    return deleted
