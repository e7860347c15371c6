"""The run store: runs, their events, pages and words."""

from __future__ import annotations

import json
import logging
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from research.core import AnyEvent, Brief, Event, Page, Steer, StoreError, UsageError, parse_event, parse_steer
from research.results import RunRecord
from research.store.database import Database
from research.store.owners import Owners, new_run_id


class RunState(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """Its process died; what it had found until then is kept."""


@dataclass(frozen=True)
class RunSummary:
    """A run in a list of runs."""

    id: str
    question: str
    brief: Brief
    analyst: str
    state: RunState
    created_at: datetime
    finished_at: datetime | None
    """For an interrupted run, when it was last alive; None while it is running."""
    seconds: float
    """How long it took, or has taken so far."""
    events: int
    pages: int
    evidence: int
    title: str = ""
    """What the user calls it; empty if they gave it no name of its own."""
    starred: bool = False
    tags: tuple[str, ...] = ()
    """In the order of the alphabet."""
    follows: str | None = None
    """Id of the run that it repeats, as long as that is there."""
    searches_for: str = ""
    """Id of the run about whose report a question was asked that this one searches for."""

    @property
    def name(self) -> str:
        """What it is called: its title, else its question."""
        return self.title or self.question


def ended(run: RunSummary) -> RunSummary:
    """Return a run that has ended.

    Raises:
        UsageError: it is still running.
    """
    if run.state is RunState.RUNNING:
        raise UsageError(f"The run {run.id} is still running.")
    return run


SUMMARY_COLUMNS = """
    SELECT id, created_at, brief, analyst, state, heartbeat, owner, finished_at, seconds, title, starred, follows,
        (SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE run = id ORDER BY tag)) AS tags,
        (SELECT json_extract(body, '$.follow_up_to') FROM events WHERE run = id AND seq = 1) AS searches_for,
        (SELECT count(*) FROM events WHERE run = id) AS events,
        (SELECT count(*) FROM run_pages WHERE run = id) AS pages,
        (SELECT count(*) FROM events WHERE run = id AND type = 'evidence_found') AS evidence
    FROM runs
"""


def _unknown_run(run_id: str) -> UsageError:
    """Return the error that there is no such run."""
    return UsageError(f"There is no run {run_id}.")


def check_exists(connection: sqlite3.Connection, run_id: str, owner: str | None = None) -> None:
    """Raise `UsageError` if there is no such run, or none that is the `owner`'s."""
    row = connection.execute("SELECT owner FROM runs WHERE id = ?", (run_id,)).fetchone()
    if row is None or owner not in (None, row["owner"]):
        raise _unknown_run(run_id)


def _summary_of(row: sqlite3.Row, now: datetime) -> RunSummary:
    """Return what a row of `SUMMARY_COLUMNS` says."""
    created_at = datetime.fromisoformat(row["created_at"])
    finished_at = datetime.fromisoformat(row["finished_at"]) if row["finished_at"] else None
    brief = Brief.model_validate_json(row["brief"])
    return RunSummary(
        id=row["id"],
        question=brief.question,
        brief=brief,
        analyst=row["analyst"],
        state=RunState(row["state"]),
        created_at=created_at,
        finished_at=finished_at,
        seconds=row["seconds"] or ((finished_at or now) - created_at).total_seconds(),
        events=row["events"],
        pages=row["pages"],
        evidence=row["evidence"],
        title=row["title"],
        starred=bool(row["starred"]),
        tags=tuple(json.loads(row["tags"])),
        follows=row["follows"],
        searches_for=row["searches_for"] or "",
    )


def _running(connection: sqlite3.Connection) -> list[sqlite3.Row]:
    """Return what tells of the runs that count as running whether they live."""
    found = "SELECT id, state, heartbeat, owner FROM runs WHERE state = ?"
    return connection.execute(found, (RunState.RUNNING.value,)).fetchall()


def insert_run(
    connection: sqlite3.Connection, run_id: str, brief: Brief, created_at: datetime, **columns: object
) -> bool:
    """Insert a run with these further `columns` of the table; return whether there was none of that name."""
    values = {
        "id": run_id,
        "created_at": created_at.astimezone(UTC).isoformat(),
        "question": brief.question,
        "brief": brief.model_dump_json(exclude_defaults=True),
        **columns,
    }
    # The names of columns are those that this program's code gives.
    statement = f"INSERT OR IGNORE INTO runs ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"  # noqa: S608
    return connection.execute(statement, tuple(values.values())).rowcount > 0


def insert_events(connection: sqlite3.Connection, run_id: str, events: Iterable[Event]) -> None:
    """Insert events that are numbered and timed."""
    connection.executemany(
        "INSERT INTO events (run, seq, type, body) VALUES (?, ?, ?, ?)",
        [(run_id, event.seq, event.type, event.model_dump_json()) for event in events],
    )


def events_of(connection: sqlite3.Connection, run_id: str, after: int) -> list[AnyEvent]:
    """Return the events of a run from number `after` + 1 on."""
    found = connection.execute("SELECT body FROM events WHERE run = ? AND seq > ? ORDER BY seq", (run_id, after))
    return [parse_event(row["body"]) for row in found]


def _steer(body: str) -> Steer | None:
    try:
        return parse_steer(body)
    except ValidationError:
        return None


def insert_pages(connection: sqlite3.Connection, run_id: str, pages: Iterable[Page]) -> None:
    """Insert pages that a run has read; what is there already stays as it is."""
    for page in pages:
        packed = zlib.compress(page.text.encode("utf-8", "surrogatepass"), 1)
        connection.execute("INSERT OR IGNORE INTO pages VALUES (?, ?)", (page.sha256, packed))
        connection.execute(
            "INSERT OR IGNORE INTO run_pages VALUES (?, ?, ?, ?)",
            (run_id, page.id, page.sha256, page.model_copy(update={"text": ""}).model_dump_json()),
        )


def _unpacked(packed: bytes) -> str:
    """Return the text of a page."""
    return zlib.decompress(packed).decode("utf-8", "surrogatepass")


_log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
"""A running run that has not shown itself alive for so long is taken for dead, whatever is known of its process."""


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class RunStore:
    """All runs of one home folder. Safe for use by several threads and processes at once.

    Every method may raise `StoreError`; those that name a run raise `UsageError` if there is none of that name.
    """

    def __init__(self, home: Path, *, now: Callable[[], datetime] = utc_now, wait_seconds: float = 5.0) -> None:
        """Open the store in `home`, or make it; files are readable by their owner alone."""
        self._now = now
        self.database = Database(home / "runs.sqlite3", wait_seconds=wait_seconds)
        """The file behind it, for what else is kept with the runs."""
        self.owners = Owners(home / "owners")

    def close(self) -> None:
        """Close all files; the store opens them again if it is used after all."""
        self.database.close()

    # --- writing -----------------------------------------------------------------------------------------------

    def create(self, brief: Brief, analyst: str, *, owner: str = "") -> str:
        """Enter a new run, which counts as running, and return its id; the `owner` carries it out, if it has a name."""
        now = self._now()
        with self.database.writing() as connection:
            while not insert_run(
                connection,
                run_id := new_run_id(now),
                brief,
                now,
                analyst=analyst,
                state=RunState.RUNNING.value,
                heartbeat=now.timestamp(),
                owner=owner,
            ):
                pass  # Another run has that name.
        return run_id

    def append(self, run_id: str, event: Event) -> Event:
        """Number, time and store one event; return it as stored.

        While a run is under way its journal is the only one to number its events.
        """
        with self.database.writing() as connection:
            check_exists(connection, run_id)
            last = connection.execute("SELECT max(seq) FROM events WHERE run = ?", (run_id,)).fetchone()[0] or 0
            stamped = event.model_copy(update={"seq": last + 1, "at": self._now()})
            insert_events(connection, run_id, [stamped])
        return stamped

    def extend(self, run_id: str, events: Sequence[Event], pages: Sequence[Page], *, owner: str | None = None) -> None:
        """Store events that are numbered and timed already, and pages, all in one transaction.

        The text of a page is kept once, however many runs have read it. From an `owner` that was taken for dead and
        whose run another one carries on, nothing is taken any more: `UsageError`.
        """
        with self.database.writing() as connection:
            check_exists(connection, run_id, owner)
            insert_pages(connection, run_id, pages)
            insert_events(connection, run_id, events)

    def finish(self, run_id: str, record: RunRecord, markdown: str) -> None:
        """Enter how a run ended, with its report."""
        self._update(
            run_id,
            "state = ?, finished_at = ?, seconds = ?, record = ?, markdown = ?",
            (record.status.value, self._now().isoformat(), record.seconds, record.model_dump_json(), markdown),
        )

    def heartbeat(self, run_id: str, *, owner: str | None = None) -> None:
        """Say that a run is alive; one that was taken for dead (its machine slept, say) is running again.

        Unless another than this `owner` carries it on by now: `UsageError`.
        """
        with self.database.reading() as connection:
            check_exists(connection, run_id, owner)
        dead = RunState.INTERRUPTED.value
        self._update(
            run_id,
            "heartbeat = ?, state = iif(state = ?, ?, state), finished_at = iif(state = ?, NULL, finished_at)",
            (self._now().timestamp(), dead, RunState.RUNNING.value, dead),
        )

    def steer(self, run_id: str, steer: Steer) -> None:
        """Ask something of a run, whichever process it is in; it is brought there in the order asked."""
        with self.database.writing() as connection:
            check_exists(connection, run_id)
            connection.execute(
                "INSERT INTO steering SELECT ?, coalesce(max(seq), 0) + 1, ? FROM steering WHERE run = ?",
                (run_id, steer.model_dump_json(), run_id),
            )

    def delete(self, run_id: str) -> None:
        """Delete a run and everything known only through it; its bytes are overwritten.

        Raises:
            UsageError: the run is still running.
        """
        with self.database.writing() as connection:
            self._mark_interrupted(connection)
            state = connection.execute("SELECT state FROM runs WHERE id = ?", (run_id,)).fetchone()
            if state is None:
                raise _unknown_run(run_id)
            if state[0] == RunState.RUNNING:
                raise UsageError(f"The run {run_id} is still running; stop it before deleting it.")
            own = [row[0] for row in connection.execute("SELECT sha256 FROM run_pages WHERE run = ?", (run_id,))]
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))
            connection.executemany(
                "DELETE FROM pages WHERE sha256 = ? AND sha256 NOT IN (SELECT sha256 FROM run_pages)",
                [(sha256,) for sha256 in own],
            )
            # By itself the index drops what it holds of deleted runs only when it is next merged.
            connection.execute("INSERT INTO search_index (search_index) VALUES ('optimize')")
        self.database.wipe_log()

    # --- reading -----------------------------------------------------------------------------------------------

    def get(self, run_id: str) -> RunSummary:
        """Return one run."""
        found = self._summaries("WHERE id = ?", (run_id,))
        if not found:
            raise _unknown_run(run_id)
        return found[0]

    def list(self, limit: int = 50, offset: int = 0) -> Sequence[RunSummary]:
        """Return runs, newest first."""
        return self.chosen("SELECT id FROM runs ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?", (limit, offset))

    def chosen(self, selection: str, values: Sequence[object]) -> Sequence[RunSummary]:
        """Return the runs whose ids an SQL query gives, newest first. The query is never made of a user's words."""
        return self._summaries(f"WHERE id IN ({selection}) ORDER BY created_at DESC, id DESC", tuple(values))

    def settle(self) -> None:
        """Enter runs whose process died as interrupted; nothing is written if there are none."""
        with self.database.reading() as connection:
            is_due = any(self._is_dead(row) for row in _running(connection))
        if is_due:
            with self.database.writing() as connection:
                self._mark_interrupted(connection)

    def events(self, run_id: str, after: int = 0) -> Sequence[AnyEvent]:
        """Return the events of a run from number `after` + 1 on."""
        with self.database.reading() as connection:
            check_exists(connection, run_id)
            return events_of(connection, run_id, after)

    def pages(self, run_id: str) -> dict[str, Page]:
        """Return the pages that a run has read, with their texts, by id in the order of reading."""
        with self.database.reading() as connection:
            check_exists(connection, run_id)
            found = connection.execute(
                "SELECT facts, text FROM run_pages JOIN pages USING (sha256) WHERE run = ? ORDER BY length(page), page",
                (run_id,),
            ).fetchall()
        read = [Page.model_validate_json(row["facts"]) for row in found]
        texts = map(_unpacked, (row["text"] for row in found))
        return {page.id: page.model_copy(update={"text": text}) for page, text in zip(read, texts, strict=True)}

    def page_text(self, sha256: str) -> str:
        """Return the text of a page by the hash of its content."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT text FROM pages WHERE sha256 = ?", (sha256,)).fetchone()
        if row is None:
            raise UsageError(f"There is no page {sha256}.")
        return _unpacked(row["text"])

    def record(self, run_id: str) -> RunRecord | None:
        """Return what `run.json` holds, or None if the run has not ended."""
        text = self._field(run_id, "record")
        return None if text is None else RunRecord.model_validate_json(text)

    def markdown(self, run_id: str) -> str | None:
        """Return the report, or None if the run has not ended."""
        return self._field(run_id, "markdown")

    def steering(self, run_id: str, after: int = 0) -> Mapping[int, Steer]:
        """Return what was asked of a run from number `after` + 1 on, by number.

        What only a newer version can read is left out.
        """
        with self.database.reading() as connection:
            check_exists(connection, run_id)
            said = "SELECT seq, body FROM steering WHERE run = ? AND seq > ? ORDER BY seq"
            read = [(row["seq"], _steer(row["body"])) for row in connection.execute(said, (run_id, after))]
        return {number: steer for number, steer in read if steer is not None}

    def _summaries(self, condition: str, values: tuple[object, ...]) -> Sequence[RunSummary]:
        with self.database.reading() as connection:
            found = connection.execute(SUMMARY_COLUMNS + condition, values).fetchall()
        if any(self._is_dead(row) for row in found):
            try:
                with self.database.writing() as connection:
                    self._mark_interrupted(connection)
                    found = connection.execute(SUMMARY_COLUMNS + condition, values).fetchall()
            except StoreError as error:  # Reading goes on: where no one can write, no one can show a sign of life.
                _log.warning("Runs whose process died are not marked: %s", error)
        return [_summary_of(row, self._now()) for row in found]

    def _is_dead(self, row: sqlite3.Row) -> bool:
        is_silent = self._now().timestamp() - row["heartbeat"] > HEARTBEAT_SECONDS
        return row["state"] == RunState.RUNNING and (is_silent or self.owners.is_gone(row["owner"]))

    def _mark_interrupted(self, connection: sqlite3.Connection) -> None:
        """Enter runs whose process died as interrupted, at the moment when they last showed themselves alive."""
        for row in filter(self._is_dead, _running(connection)):
            connection.execute(
                "UPDATE runs SET state = ?, finished_at = ? WHERE id = ?",
                (RunState.INTERRUPTED.value, datetime.fromtimestamp(row["heartbeat"], UTC).isoformat(), row["id"]),
            )

    def _update(self, run_id: str, assignments: str, values: tuple[object, ...]) -> None:
        with self.database.writing() as connection:
            # `assignments` are constants of this module.
            changed = connection.execute(f"UPDATE runs SET {assignments} WHERE id = ?", (*values, run_id))  # noqa: S608
            if not changed.rowcount:
                raise _unknown_run(run_id)

    def _field(self, run_id: str, column: str) -> str | None:
        with self.database.reading() as connection:
            # `column` is a constant of this module.
            row = connection.execute(f"SELECT {column} FROM runs WHERE id = ?", (run_id,)).fetchone()  # noqa: S608
        if row is None:
            raise _unknown_run(run_id)
        value: str | None = row[0]
        return value
