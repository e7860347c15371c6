"""What happens in a run is written down as it happens, and saved where the program died."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from research.core import (
    AnyEvent,
    Brief,
    Event,
    Evidence,
    FollowUpAnswered,
    FollowUpSearched,
    Page,
    PageRead,
    ProblemOccurred,
    ResearchError,
    RunFinished,
    RunStarted,
    RunView,
    Stage,
    Status,
    Steer,
    StoreError,
    UsageError,
    cite,
    parse_event,
)
from research.engine import Joined, joined
from research.export.markdown import report_markdown, with_follow_ups
from research.results import (
    FollowUp,
    Problem,
    ProofBasis,
    Report,
    RunRecord,
    SourceEntry,
    follow_ups_of,
    of_research,
    problems_of,
    prove_draft,
    trail_of,
    usage_of,
)
from research.store.store import RunStore, ended, events_of, insert_events, insert_pages, utc_now
from research.text import escape_markdown
from research.verification import Contradiction, contradictions_of

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
        self._trouble: Event | None = None
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

    @property
    def events(self) -> Sequence[AnyEvent]:
        """What the run told, stored or not; without what the journal itself says of trouble with the disk."""
        return tuple(event for event in self._history if event is not self._trouble)

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
        if self._trouble is not None:
            return
        _log.warning("The run %s cannot be saved for now: %s", self._run_id, error)
        self._trouble = self.emit(ProblemOccurred(stage=Stage.WRITING, code="saved_late", detail=str(error)))


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


_RULE = "extractive"


def salvage(
    run_id: str,
    brief: Brief,
    analyst: str,
    events: Sequence[Event],
    kept: Mapping[str, Page],
    *,
    started_at: datetime,
    seconds: float,
    code: str,
    detail: str = "",
) -> tuple[RunRecord, str]:
    """Return the record and the report of a run that broke off: every quote that it found, by source.

    The report holds nothing of sites that were blocked and of topics that were dropped; the record names it still.
    Quotes of pages that are not among the `kept` ones cannot be verified. `code` (see `research.core.errors`) says why.
    """
    run = RunView.of(events)
    pages = {name: kept.get(name) or _page(read) for name, read in run.pages.items()}
    wanted = {entry.id: entry for entry in run.wanted(run.evidence.values())}
    cited = cite(_draft(pages, wanted), wanted, is_quoting=True)
    found, failed = _contradictions(run, pages, wanted, brief.question)
    record = RunRecord(
        run=run_id,
        status=Status.PARTIAL if wanted else Status.FAILED,
        analyst=analyst,
        writer=_RULE,
        brief=brief,
        started_at=started_at.isoformat(),
        seconds=seconds,
        usage=usage_of(run),
        sources=tuple(SourceEntry.of(page, cited.numbers.get(page.id)) for page in pages.values()),
        evidence=tuple(run.evidence.values()),
        sentences=prove_draft(cited.draft, ProofBasis(pages, run.evidence), by_rule=True),
        problems=(*problems_of(run), Problem(stage=Stage.RESEARCH, code=code, detail=detail), *failed),
        draft=cited.draft,
        contradictions=found,
        trail=trail_of(run),
    )
    return record, report_markdown(record, pages, {})


def _contradictions(
    run: RunView, pages: Mapping[str, Page], evidence: Mapping[str, Evidence], question: str
) -> tuple[tuple[Contradiction, ...], tuple[Problem, ...]]:
    """Return what the sources say differently, and what kept it from being found."""
    try:
        return contradictions_of(run.reflections, evidence, pages, question, evidence), ()
    except Exception as error:  # noqa: BLE001 - text of strangers must not cost what is left of a run
        detail = f"{type(error).__name__}: {error}"
        return (), (Problem(stage=Stage.WRITING, code="comparison_failed", detail=detail),)


def _draft(pages: dict[str, Page], evidence: dict[str, Evidence]) -> str:
    sections = []
    for page in pages.values():
        mine = (entry for entry in evidence.values() if entry.source == page.id)
        quotes = [f"- “{escape_markdown(entry.quote)}” [{entry.id}]" for entry in mine]
        if quotes:
            sections.append("\n".join([f"## {escape_markdown(page.title)}", "", *quotes]))
    return "\n\n".join(sections)


def _page(event: PageRead) -> Page:
    """Return the page as it was kept, but for its text, which stands in the store."""
    facts = event.model_dump(include=Page.model_fields.keys() - {"id", "fetched_at", "text"})
    return Page(id=event.page, fetched_at=event.at, text="", **facts)


def load_report(store: RunStore, run_id: str) -> Report:
    """Return the report of a run that has ended, with what was asked about it since.

    Of an interrupted run it is what it had found until then.

    Raises:
        UsageError: there is no such run, or it is still running.
        StoreError: the store cannot be read.
    """
    run = ended(store.get(run_id))
    events, pages = tuple(store.events(run_id)), store.pages(run_id)
    record, markdown = store.record(run_id), store.markdown(run_id)
    if record is None or markdown is None:
        record, markdown = salvage(
            run.id,
            run.brief,
            run.analyst,
            of_research(events),
            pages,
            started_at=run.created_at,
            seconds=run.seconds,
            code="interrupted",
        )
    report = Report(record=record, markdown=markdown, history=events, pages=pages)
    return report.model_copy(update={"markdown": with_follow_ups(report)})


_KINDS = "run = ? AND type IN ('follow_up_answered', 'follow_up_searched')"


def follow_ups_to(store: RunStore, run_id: str) -> tuple[FollowUp, ...]:
    """Return what was asked about a run's report, in order.

    Raises:
        UsageError: there is no such run.
        StoreError: the store cannot be read.
    """
    store.get(run_id)
    with store.database.reading() as connection:
        # `_KINDS` is a constant of this module.
        found = connection.execute(f"SELECT body FROM events WHERE {_KINDS} ORDER BY seq", (run_id,)).fetchall()  # noqa: S608
    return follow_ups_of(RunView.of(parse_event(row["body"]) for row in found))


@dataclass(frozen=True)
class Origin:
    """Which other run a run is a part of, if it is."""

    rewritten_from: str = ""
    follow_up_to: str = ""


def origin_of(store: RunStore, run_id: str) -> Origin:
    """Return which other run a run is a part of; that one may have been deleted since.

    Raises:
        StoreError: the store cannot be read.
    """
    with store.database.reading() as connection:
        row = connection.execute(
            "SELECT body FROM events WHERE run = ? AND type = 'run_started' ORDER BY seq LIMIT 1", (run_id,)
        ).fetchone()
    started = parse_event(row["body"]) if row else None
    if not isinstance(started, RunStarted):
        return Origin()
    return Origin(started.rewritten_from, started.follow_up_to)


def keep_answer(store: RunStore, run_id: str, answer: FollowUpAnswered, calls: Iterable[Event] = ()) -> int:
    """Keep an answer, and the `calls` that it took; return its number, which is the next one if it has none.

    Raises:
        UsageError: there is no such run, or it is still running.
        StoreError: the store cannot be written.
    """
    ended(store.get(run_id))
    with store.database.writing() as connection:
        number = answer.number or _last_number(connection, run_id) + 1
        _append(connection, run_id, [*calls, answer.model_copy(update={"number": number})])
    return number


def keep_search(store: RunStore, run_id: str, number: int, search: str) -> None:
    """Keep that the run `search` was started for a question; errors as for `keep_answer`."""
    ended(store.get(run_id))
    with store.database.writing() as connection:
        _append(connection, run_id, [FollowUpSearched(number=number, run=search)])


def join(store: RunStore, run_id: str, found: Report, title: str, number: int) -> Joined:
    """Let what another run `found` join the books of a run, under ids of this run; return what was new.

    `title` names it among the topics, and `number` is that of the question. Errors as for `keep_answer`.
    """
    ended(store.get(run_id))
    with store.database.writing() as connection:
        result = joined(RunView.of(events_of(connection, run_id, 0)), found, title, number)
        insert_pages(connection, run_id, result.pages)
        _append(connection, run_id, result.events)
    return result


def forget_follow_up(store: RunStore, run_id: str, number: int) -> None:
    """Delete a question with its answer; what a search for it brought stays. Errors as for `keep_answer`."""
    ended(store.get(run_id))
    with store.database.writing() as connection:
        connection.execute(
            f"DELETE FROM events WHERE {_KINDS} AND json_extract(body, '$.number') = ?",  # noqa: S608
            (run_id, number),
        )
    store.database.wipe_log()


def _last_number(connection: sqlite3.Connection, run_id: str) -> int:
    last: int | None = connection.execute(
        f"SELECT max(json_extract(body, '$.number')) FROM events WHERE {_KINDS}",  # noqa: S608
        (run_id,),
    ).fetchone()[0]
    return last or 0


def _append(connection: sqlite3.Connection, run_id: str, events: Sequence[Event]) -> None:
    """Number and time events behind all that the run has, and store them."""
    last: int = connection.execute("SELECT max(seq) FROM events WHERE run = ?", (run_id,)).fetchone()[0] or 0
    now = utc_now()
    stamped = [
        event.model_copy(update={"seq": number, "at": event.at or now}) for number, event in enumerate(events, last + 1)
    ]
    insert_events(connection, run_id, stamped)
