"""The run store: every run with its events, pages and report, shared by page, notebook and command line."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from research.brief import Brief
from research.errors import StoreError, UsageError
from research.events import AnyEvent, Event
from research.evidence import Page
from research.report import RunRecord
from research.runs import rows, search_words
from research.runs.database import Database
from research.runs.identity import new_run_id
from research.runs.model import RunState, RunSummary
from research.runs.owners import Owners
from research.steering import Steer

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
            while True:
                run_id = new_run_id(now)
                created = connection.execute(
                    "INSERT OR IGNORE INTO runs (id, created_at, question, brief, analyst, state, heartbeat, owner)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        run_id,
                        now.isoformat(),
                        brief.question,
                        brief.model_dump_json(exclude_defaults=True),
                        analyst,
                        RunState.RUNNING.value,
                        now.timestamp(),
                        owner,
                    ),
                )
                if created.rowcount:
                    return run_id

    def append(self, run_id: str, event: Event) -> Event:
        """Number, time and store one event; return it as stored.

        While a run is under way its journal is the only one to number its events.
        """
        with self.database.writing() as connection:
            rows.check_exists(connection, run_id)
            last = connection.execute("SELECT max(seq) FROM events WHERE run = ?", (run_id,)).fetchone()[0] or 0
            stamped = event.model_copy(update={"seq": last + 1, "at": self._now()})
            rows.insert_events(connection, run_id, [stamped])
        return stamped

    def extend(self, run_id: str, events: Sequence[Event], pages: Sequence[Page], *, owner: str | None = None) -> None:
        """Store events that are numbered and timed already, and pages, all in one transaction.

        The text of a page is kept once, however many runs have read it. From an `owner` that was taken for dead and
        whose run another one carries on, nothing is taken any more: `UsageError`.
        """
        with self.database.writing() as connection:
            rows.check_exists(connection, run_id, owner)
            rows.insert_pages(connection, run_id, pages)
            rows.insert_events(connection, run_id, events)

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
            rows.check_exists(connection, run_id, owner)
        dead = RunState.INTERRUPTED.value
        self._update(
            run_id,
            "heartbeat = ?, state = iif(state = ?, ?, state), finished_at = iif(state = ?, NULL, finished_at)",
            (self._now().timestamp(), dead, RunState.RUNNING.value, dead),
        )

    def steer(self, run_id: str, steer: Steer) -> None:
        """Ask something of a run, whichever process it is in; it is brought there in the order asked."""
        with self.database.writing() as connection:
            rows.check_exists(connection, run_id)
            rows.insert_steer(connection, run_id, steer)

    def delete(self, run_id: str) -> None:
        """Delete a run and everything known only through it; its bytes are overwritten.

        Raises:
            UsageError: the run is still running.
        """
        with self.database.writing() as connection:
            self._mark_interrupted(connection)
            state = connection.execute("SELECT state FROM runs WHERE id = ?", (run_id,)).fetchone()
            if state is None:
                raise rows.unknown(run_id)
            if state[0] == RunState.RUNNING:
                raise UsageError(f"The run {run_id} is still running; stop it before deleting it.")
            own = [row[0] for row in connection.execute("SELECT sha256 FROM run_pages WHERE run = ?", (run_id,))]
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))
            connection.executemany(
                "DELETE FROM pages WHERE sha256 = ? AND sha256 NOT IN (SELECT sha256 FROM run_pages)",
                [(sha256,) for sha256 in own],
            )
            search_words.wipe(connection)
        self.database.wipe_log()

    # --- reading -----------------------------------------------------------------------------------------------

    def get(self, run_id: str) -> RunSummary:
        """Return one run."""
        found = self._summaries("WHERE id = ?", (run_id,))
        if not found:
            raise rows.unknown(run_id)
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
            is_due = any(self._is_dead(row) for row in rows.running(connection))
        if is_due:
            with self.database.writing() as connection:
                self._mark_interrupted(connection)

    def events(self, run_id: str, after: int = 0) -> Sequence[AnyEvent]:
        """Return the events of a run from number `after` + 1 on."""
        with self.database.reading() as connection:
            rows.check_exists(connection, run_id)
            return rows.events(connection, run_id, after)

    def pages(self, run_id: str) -> dict[str, Page]:
        """Return the pages that a run has read, with their texts, by id in the order of reading."""
        with self.database.reading() as connection:
            rows.check_exists(connection, run_id)
            return rows.pages(connection, run_id)

    def page_text(self, sha256: str) -> str:
        """Return the text of a page by the hash of its content."""
        with self.database.reading() as connection:
            row = connection.execute("SELECT text FROM pages WHERE sha256 = ?", (sha256,)).fetchone()
        if row is None:
            raise UsageError(f"There is no page {sha256}.")
        return rows.unpack(row["text"])

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
            rows.check_exists(connection, run_id)
            return rows.steering(connection, run_id, after)

    def _summaries(self, condition: str, values: tuple[object, ...]) -> Sequence[RunSummary]:
        with self.database.reading() as connection:
            found = connection.execute(rows.SUMMARY + condition, values).fetchall()
        if any(self._is_dead(row) for row in found):
            try:
                with self.database.writing() as connection:
                    self._mark_interrupted(connection)
                    found = connection.execute(rows.SUMMARY + condition, values).fetchall()
            except StoreError as error:  # Reading goes on: where no one can write, no one can show a sign of life.
                _log.warning("Runs whose process died are not marked: %s", error)
        return [rows.summary(row, self._now()) for row in found]

    def _is_dead(self, row: sqlite3.Row) -> bool:
        is_silent = self._now().timestamp() - row["heartbeat"] > HEARTBEAT_SECONDS
        return row["state"] == RunState.RUNNING and (is_silent or self.owners.is_gone(row["owner"]))

    def _mark_interrupted(self, connection: sqlite3.Connection) -> None:
        rows.interrupt(connection, filter(self._is_dead, rows.running(connection)))

    def _update(self, run_id: str, assignments: str, values: tuple[object, ...]) -> None:
        with self.database.writing() as connection:
            # `assignments` are constants of this module.
            changed = connection.execute(f"UPDATE runs SET {assignments} WHERE id = ?", (*values, run_id))  # noqa: S608
            if not changed.rowcount:
                raise rows.unknown(run_id)

    def _field(self, run_id: str, column: str) -> str | None:
        with self.database.reading() as connection:
            # `column` is a constant of this module.
            row = connection.execute(f"SELECT {column} FROM runs WHERE id = ?", (run_id,)).fetchone()  # noqa: S608
        if row is None:
            raise rows.unknown(run_id)
        value: str | None = row[0]
        return value
