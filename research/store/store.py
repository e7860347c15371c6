"""The run store: runs, their events, pages and words."""

from __future__ import annotations

import json
import logging
import math
import re
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Self

from pydantic import SecretStr, ValidationError

from research.core import AnyEvent, Brief, Event, Page, Steer, StoreError, UsageError, parse_event, parse_steer
from research.language import Phrase
from research.results import RunRecord
from research.settings import Settings
from research.store.database import Action, Connection, Database, Owners, Row, SqliteDatabase, enter_action, new_run_id

_log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
"""A running run that has not shown itself alive for so long is taken for dead, whatever is known of its process."""
MOST_BREAKS = 3
"""A run that workers carry out begins to wait again so often if its worker died; then it stays as it is."""
NOT_ENDED = Phrase("The run {run} is still running, or waits for a worker.")
_STOP_FIRST = Phrase("The run {run} is still running, or waits; stop it before deleting it.")
_NO_RUN = Phrase("There is no run {id}.")
_NO_ACCOUNT = Phrase("No account is named “{account}”: names have letters, digits and @._+=:/|- alone.")
_ACCOUNT = re.compile(r"[A-Za-z0-9@._+=:/|-]{0,300}")
"""Names of accounts, which stand in statements as they are: whoever knows people by other names spells them so."""
_AT_ONCE = 20
"""Runs that are entered into an index in one transaction, so that nobody waits long for the store."""


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class RunState(StrEnum):
    """Where a run stands."""

    WAITING = "waiting"
    """For a worker to carry it out; see `research.store.queue`."""
    RUNNING = "running"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    """Its process died; what it had found until then is kept."""

    @property
    def is_open(self) -> bool:
        """Whether more is still to come: it waits or is running."""
        return self in (RunState.WAITING, RunState.RUNNING)


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
    """For an interrupted run, when it was last alive; None while it waits or is running."""
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
    rewritten_from: str = ""
    """Id of the run from whose evidence it wrote another report, without any search."""
    searches_for: str = ""
    """Id of the run about whose report a question was asked that this one searches for."""
    account: str = ""
    """Whose it is, by the login of a team's server; empty without one."""
    breaks: int = 0
    """How often it broke off while workers carried it out."""
    shared: bool = False
    """Whether all accounts may read it."""
    is_own: bool = True
    """Whether it is of the account that has asked for it, and not only shared with it."""

    @property
    def name(self) -> str:
        """What it is called: its title, else its question."""
        return self.title or self.question


SUMMARY_COLUMNS = """
    SELECT id, created_at, brief, analyst, state, finished_at, seconds, title, starred, follows,
        account, shared, breaks,
        (SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE run = id ORDER BY tag) AS own) AS tags,
        (SELECT json_extract(body, '$.rewritten_from') FROM events WHERE run = id AND seq = 1) AS rewritten_from,
        (SELECT json_extract(body, '$.follow_up_to') FROM events WHERE run = id AND seq = 1) AS searches_for,
        (SELECT count(*) FROM events WHERE run = id) AS events,
        (SELECT count(*) FROM run_pages WHERE run = id) AS pages,
        (SELECT count(*) FROM events WHERE run = id AND type = 'evidence_found') AS evidence
    FROM runs
"""


def _summary_of(row: Row, now: datetime, account: str) -> RunSummary:
    """Return what a row of `SUMMARY_COLUMNS` says to an account."""
    brief = Brief.model_validate_json(row["brief"])
    created_at = datetime.fromisoformat(row["created_at"])
    finished_at = datetime.fromisoformat(row["finished_at"]) if row["finished_at"] else None
    read = {
        "brief": brief,
        "question": brief.question,
        "state": RunState(row["state"]),
        "created_at": created_at,
        "finished_at": finished_at,
        "seconds": row["seconds"] or ((finished_at or now) - created_at).total_seconds(),
        "starred": bool(row["starred"]),
        "shared": bool(row["shared"]),
        "is_own": row["account"] == account,
        "tags": tuple(json.loads(row["tags"])),
        "rewritten_from": row["rewritten_from"] or "",
        "searches_for": row["searches_for"] or "",
    }
    return RunSummary(**dict(row) | read)


def _unknown_run(run_id: str) -> UsageError:
    return UsageError(_NO_RUN.filled(id=run_id))


def insert_run(connection: Connection, run_id: str, brief: Brief, created_at: datetime, **columns: object) -> bool:
    """Insert a run with these further `columns` of the table; return whether there was none of that name."""
    values = {
        "id": run_id,
        "created_at": created_at.astimezone(UTC).isoformat(),
        "question": brief.question,
        "brief": brief.model_dump_json(exclude_defaults=True),
        **columns,
    }
    # The names of columns are those that this program's code gives.
    places = ", ".join("?" * len(values))
    statement = f"INSERT INTO runs ({', '.join(values)}) VALUES ({places}) ON CONFLICT DO NOTHING"  # noqa: S608
    return connection.execute(statement, tuple(values.values())).rowcount > 0


def enter_run(connection: Connection, brief: Brief, now: datetime, account: str, **columns: object) -> str:
    """Insert a new run of an account with these further `columns` of the table, and return its id."""
    while not insert_run(connection, run_id := new_run_id(now), brief, now, account=account, **columns):
        pass  # Another run has that name.
    enter_action(connection, now, account, Action.STARTED, run_id)
    return run_id


def insert_events(connection: Connection, run_id: str, events: Iterable[Event]) -> None:
    """Insert events that are numbered and timed."""
    connection.executemany(
        "INSERT INTO events (run, seq, type, body) VALUES (?, ?, ?, ?)",
        [(run_id, event.seq, event.type, event.model_dump_json()) for event in events],
    )


def append_events(connection: Connection, run_id: str, events: Iterable[Event], now: datetime) -> list[Event]:
    """Number events behind all that the run has, time those that have no time, and insert them; return them so."""
    last = connection.execute("SELECT coalesce(max(seq), 0) FROM events WHERE run = ?", (run_id,)).fetchone()[0]
    stamped = [
        event.model_copy(update={"seq": number, "at": event.at or now}) for number, event in enumerate(events, last + 1)
    ]
    insert_events(connection, run_id, stamped)
    return stamped


def set_ended(connection: Connection, run_id: str, record: RunRecord, markdown: str, now: datetime) -> None:
    """Enter how a run ended, with its report."""
    ending = (record.status.value, now.isoformat(), record.seconds, record.model_dump_json(), markdown)
    connection.execute(
        "UPDATE runs SET state = ?, finished_at = ?, seconds = ?, record = ?, markdown = ? WHERE id = ?",
        (*ending, run_id),
    )
    connection.execute("DELETE FROM run_answers WHERE run = ?", (run_id,))


def events_of(connection: Connection, run_id: str, after: int = 0) -> list[AnyEvent]:
    """Return the events of a run from number `after` + 1 on."""
    found = connection.execute("SELECT body FROM events WHERE run = ? AND seq > ? ORDER BY seq", (run_id, after))
    return [parse_event(row["body"]) for row in found]


def insert_pages(connection: Connection, run_id: str, pages: Iterable[Page]) -> None:
    """Insert pages that a run has read; what is there already stays as it is."""
    # In one order, so that two who bring the same pages never wait for each other.
    for page in sorted(pages, key=lambda page: page.sha256):
        kept = (page.sha256, _packed(page.text))
        connection.execute("INSERT INTO pages VALUES (?, ?) ON CONFLICT DO NOTHING", kept)
        connection.execute(
            "INSERT INTO run_pages VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (run_id, page.id, page.sha256, page.model_copy(update={"text": ""}).model_dump_json()),
        )


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


def _unpacked(packed: bytes) -> str:
    return zlib.decompress(packed).decode("utf-8", "surrogatepass")


def _open_database(home: Path, address: SecretStr | None, *, wait_seconds: float) -> Database:
    """Open the database at an address, or the file in `home` if there is none, and bring its tables up to date.

    `wait_seconds` is how long an operation waits for other processes, and for a server to answer.

    Raises:
        StoreError: it cannot be used, or is of a newer version.
    """
    if address is not None:
        from research.store.postgresql import PostgresqlDatabase

        return PostgresqlDatabase(address, wait_seconds=wait_seconds)
    return SqliteDatabase(home / "runs.sqlite3", wait_seconds=wait_seconds)


HEARD = """coalesce(
    (SELECT min(seq) - 1 FROM steering WHERE run = runs.id AND seq > runs.heard
        AND json_extract(body, '$.kind') IN ('finish_now', 'stop_now')),
    (SELECT max(seq) FROM steering WHERE run = runs.id), 0)"""
"""How much a run that begins to wait again has heard of what was asked of it: a wish to end it is told once more."""
_UNUSED = "NOT EXISTS (SELECT 1 FROM run_pages WHERE run_pages.sha256 = pages.sha256)"
"""Holds of a page that no run needs any more."""


class RunStore:
    """The runs of one account, in a home folder or a team's database. Safe for several threads and processes at once.

    Every method may raise `StoreError`; those that name a run raise `UsageError` if there is none of that name. For an
    account there are its own runs and, for reading only, those that others share; without a login it is that without
    a name. What is read or written of runs anywhere goes by `reading`, `changing`, or a condition with `own`.
    """

    def __init__(
        self,
        home: Path,
        database: SecretStr | None = None,
        *,
        now: Callable[[], datetime] | None = None,
        wait_seconds: float = 5.0,
    ) -> None:
        """Open the store in the `database` at this address, else in `home`, or make it.

        Files are readable by their owner alone.
        """
        self.database = _open_database(home, database, wait_seconds=wait_seconds)
        """What is behind it, for what else is kept with the runs."""
        self.shared = self.database if database is not None else None
        """The database, if it is one that a team shares."""
        self.account = ""
        """Whose runs these are."""
        self.now = now or self.database.now
        """Returns the current time in UTC, the same for all that share the store."""
        self.owners = Owners(home / "owners")

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Open the store that is set up."""
        return cls(settings.common_home or settings.home, settings.database)

    def of_account(self, account: str) -> Self:
        """Return the same store as an account sees it; `UsageError` if no account is named so."""
        if not _ACCOUNT.fullmatch(account):
            raise UsageError(_NO_ACCOUNT.filled(account=account))
        other = copy(self)
        other.account = account
        return other

    def close(self) -> None:
        """Close all files; the store opens them again if it is used after all."""
        self.database.close()

    @property
    def own(self) -> str:
        """The condition on `runs` that one is the account's own, in SQL."""
        return f"runs.account = '{self.account}'"

    @property
    def readable(self) -> str:
        """The condition on `runs` that the account may read one, in SQL."""
        return f"({self.own} OR runs.shared = 1)"

    @contextmanager
    def changing(self, run_id: str, *, owner: str | None = None, patient: bool = True) -> Iterator[Connection]:
        """Lend a connection for one transaction on a run of the account, and of the `owner` if one is named."""
        with self.database.writing(run_id, patient=patient) as connection:
            found = connection.execute(f"SELECT owner FROM runs WHERE id = ? AND {self.own}", (run_id,)).fetchone()  # noqa: S608
            if found is None or owner not in (None, found["owner"]):
                raise _unknown_run(run_id)
            yield connection

    @contextmanager
    def reading(self, run_id: str) -> Iterator[Connection]:
        """Lend a connection for reading of a run that the account may read."""
        with self.database.reading() as connection:
            if connection.execute(f"SELECT 1 FROM runs WHERE id = ? AND {self.readable}", (run_id,)).fetchone() is None:  # noqa: S608
                raise _unknown_run(run_id)
            yield connection

    # --- writing -----------------------------------------------------------------------------------------------

    def create(self, brief: Brief, analyst: str, *, owner: str = "") -> str:
        """Enter a new run, which counts as running, and return its id; the `owner` carries it out, if it has a name."""
        now = self.now()
        columns = {"analyst": analyst, "state": RunState.RUNNING.value, "heartbeat": now.timestamp(), "owner": owner}
        with self.database.writing() as connection:
            return enter_run(connection, brief, now, self.account, **columns)

    def extend(
        self,
        run_id: str,
        events: Sequence[Event],
        pages: Sequence[Page],
        answers: Iterable[tuple[str, str]] = (),
        *,
        owner: str | None = None,
    ) -> None:
        """Store events that are numbered and timed already, pages, and answers of searches, all in one transaction.

        The text of a page is kept once, however many runs have read it. From an `owner` that was taken for dead and
        whose run another one carries on, nothing is taken any more: `UsageError`.
        """
        with self.changing(run_id, owner=owner, patient=False) as connection:
            insert_pages(connection, run_id, pages)
            insert_events(connection, run_id, events)
            for search, answer in answers:
                kept = (run_id, search, _packed(answer))
                connection.execute("INSERT INTO run_answers VALUES (?, ?, ?) ON CONFLICT DO NOTHING", kept)

    def finish(self, run_id: str, record: RunRecord, markdown: str, *, owner: str | None = None) -> None:
        """Enter how a run ended, with its report; from an `owner` whose run another one carries on: `UsageError`."""
        with self.changing(run_id, owner=owner, patient=False) as connection:
            set_ended(connection, run_id, record, markdown, self.now())

    def heartbeat(self, run_id: str, *, owner: str | None = None) -> None:
        """Say that a run is alive; one that was taken for dead (its machine slept, say) is running again.

        Unless another than this `owner` carries it on by now: `UsageError`.
        """
        with self.changing(run_id, owner=owner, patient=False) as connection:
            connection.execute("UPDATE runs SET heartbeat = ? WHERE id = ?", (self.now().timestamp(), run_id))
            connection.execute(
                "UPDATE runs SET state = ?, finished_at = NULL WHERE id = ? AND state IN (?, ?)",
                (RunState.RUNNING.value, run_id, RunState.INTERRUPTED.value, RunState.WAITING.value),
            )

    def take_over(self, run_id: str, owner: str) -> bool:
        """Enter a run that broke off as running again; return whether it was: of several who want it, the first may.

        Workers do not care for it any more.
        """
        self.settle()
        with self.database.writing() as connection:
            taken = connection.execute(
                "UPDATE runs SET state = ?, finished_at = NULL, heartbeat = ?, owner = ?, task = '', breaks = 0"  # noqa: S608
                f" WHERE id = ? AND state = ? AND {self.own}",
                (RunState.RUNNING.value, self.now().timestamp(), owner, run_id, RunState.INTERRUPTED.value),
            )
        return taken.rowcount > 0

    def steer(self, run_id: str, steer: Steer) -> None:
        """Ask something of a run, whichever process it is in; it is brought there in the order asked."""
        with self.changing(run_id) as connection:
            connection.execute(
                "INSERT INTO steering SELECT ?, coalesce(max(seq), 0) + 1, ? FROM steering WHERE run = ?",
                (run_id, steer.model_dump_json(), run_id),
            )

    def share(self, run_id: str, shared: bool) -> None:
        """Let all accounts read a run, or take that back."""
        with self.changing(run_id) as connection:
            connection.execute("UPDATE runs SET shared = ? WHERE id = ?", (int(shared), run_id))
            action = Action.SHARED if shared else Action.UNSHARED
            enter_action(connection, self.now(), self.account, action, run_id)

    def note(self, action: Action, run_id: str = "") -> None:
        """Keep that the account did something, for administrators to see; work goes on where that cannot be written."""
        if not self.account:
            return
        try:
            with self.database.writing("actions", patient=False) as connection:
                enter_action(connection, self.now(), self.account, action, run_id)
        except StoreError as error:
            _log.warning("What %s did is not kept (%s): %s", self.account, action, error)

    def delete(self, run_id: str) -> None:
        """Delete a run and everything known only through it; its bytes are overwritten.

        Raises:
            UsageError: the run has not ended.
        """
        self.settle()
        with self.database.writing() as connection:
            state = connection.execute(f"SELECT state FROM runs WHERE id = ? AND {self.own}", (run_id,)).fetchone()  # noqa: S608
            if state is None:
                raise _unknown_run(run_id)
            if RunState(state[0]).is_open:
                raise UsageError(_STOP_FIRST.filled(run=run_id))
            own = connection.execute("SELECT sha256 FROM run_pages WHERE run = ?", (run_id,)).fetchall()
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))
            connection.executemany(
                f"DELETE FROM pages WHERE sha256 = ? AND {_UNUSED}",  # noqa: S608 - a constant
                map(tuple, own),
            )
            self.database.drop_words(connection)
            enter_action(connection, self.now(), self.account, Action.DELETED, run_id)
        self.database.wipe_log()

    def settle(self) -> None:
        """Enter runs whose process died as interrupted, at the moment when they last showed themselves alive.

        Those that workers carry out wait for the next one instead, unless they broke off too often.
        Nothing is written if there are none. Where nothing can be written they are left as they are: there, no one can
        show a sign of life.
        """
        with self.database.reading() as connection:
            if not self._dead(connection):
                return
        try:
            with self.database.writing() as connection:
                for row in self._dead(connection):
                    breaks = row["breaks"] + bool(row["task"])
                    waits = row["task"] and breaks <= MOST_BREAKS
                    state = RunState.WAITING if waits else RunState.INTERRUPTED
                    last_alive = None if waits else datetime.fromtimestamp(row["heartbeat"], UTC).isoformat()
                    connection.execute(
                        f"UPDATE runs SET state = ?, finished_at = ?, breaks = ?, heard = {HEARD} WHERE id = ?",  # noqa: S608
                        (state.value, last_alive, breaks, row["id"]),
                    )
        except StoreError as error:
            _log.warning("Runs whose process died are not marked: %s", error)

    def _dead(self, connection: Connection) -> list[Row]:
        """Return the runs that count as running and whose process died."""
        could_show = self.database.there_for() >= HEARTBEAT_SECONDS
        latest = self.now().timestamp() - HEARTBEAT_SECONDS if could_show else -math.inf
        running = connection.execute(
            "SELECT id, heartbeat, owner, task, breaks FROM runs WHERE state = ?", (RunState.RUNNING.value,)
        ).fetchall()
        return [row for row in running if row["heartbeat"] < latest or self.owners.is_gone(row["owner"])]

    def catch_up(self, waiting: str, enter: Callable[[Connection, str], None], *, seconds: float = math.inf) -> int:
        """Enter runs that the account may read and a table holds as `waiting`, for `seconds`; return how many are left.

        If the store cannot be written now, they are left for the next time.
        """
        until = time.monotonic() + seconds
        left = 0
        # `waiting` is a constant of this program.
        mine = f"FROM {waiting} WHERE run IN (SELECT id FROM runs WHERE {self.readable})"  # noqa: S608
        try:
            while (left := self._count(mine)) and time.monotonic() < until:
                with self.database.writing() as connection:
                    chosen = connection.execute(f"SELECT run {mine} ORDER BY run LIMIT {_AT_ONCE}")
                    for row in chosen.fetchall():
                        enter(connection, row["run"])
                        connection.execute(f"DELETE FROM {waiting} WHERE run = ?", (row["run"],))  # noqa: S608
        except StoreError as error:
            _log.warning("The latest runs cannot be searched for now: %s", error)
        return left

    def _count(self, selected: str) -> int:
        with self.database.reading() as connection:
            count: int = connection.execute(f"SELECT count(*) {selected}").fetchone()[0]
        return count

    # --- reading -----------------------------------------------------------------------------------------------

    def get(self, run_id: str) -> RunSummary:
        """Return one run."""
        found = self._summaries("id = ?", (run_id,))
        if not found:
            raise _unknown_run(run_id)
        return found[0]

    def ended(self, run_id: str, *, own: bool = False) -> RunSummary:
        """Return a run that has ended; with `own`, only one of the account itself.

        Raises:
            UsageError: it waits or is still running.
        """
        run = self.get(run_id)
        if own and not run.is_own:
            raise _unknown_run(run_id)
        if run.state.is_open:
            raise UsageError(NOT_ENDED.filled(run=run_id))
        return run

    def list(self, limit: int = 50, offset: int = 0) -> Sequence[RunSummary]:
        """Return runs, newest first."""
        newest = f"SELECT id FROM runs WHERE {self.readable} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?"  # noqa: S608
        return self.chosen(newest, (limit, offset))

    def chosen(self, selection: str, values: Sequence[object]) -> Sequence[RunSummary]:
        """Return the runs whose ids an SQL query gives, newest first. The query is never made of a user's words."""
        return self._summaries(f"id IN ({selection}) ORDER BY created_at DESC, id DESC", values)

    def _summaries(self, condition: str, values: Sequence[object]) -> Sequence[RunSummary]:
        self.settle()
        with self.database.reading() as connection:
            wanted = f"{SUMMARY_COLUMNS} WHERE {self.readable} AND {condition}"
            found = connection.execute(wanted, tuple(values)).fetchall()
        return [_summary_of(row, self.now(), self.account) for row in found]

    def events(self, run_id: str, after: int = 0) -> Sequence[AnyEvent]:
        """Return the events of a run from number `after` + 1 on."""
        with self.reading(run_id) as connection:
            return events_of(connection, run_id, after)

    def events_of_type(self, run_id: str, *types: str) -> Sequence[AnyEvent]:
        """Return the events of a run that are of these types."""
        places = ", ".join("?" * len(types))
        chosen = f"SELECT body FROM events WHERE run = ? AND type IN ({places}) ORDER BY seq"  # noqa: S608
        with self.reading(run_id) as connection:
            return [parse_event(row["body"]) for row in connection.execute(chosen, (run_id, *types))]

    def pages(self, run_id: str) -> dict[str, Page]:
        """Return the pages that a run has read, with their texts, by id in the order of reading."""
        chosen = "SELECT facts, text FROM run_pages JOIN pages USING (sha256) WHERE run = ? ORDER BY length(page), page"
        with self.reading(run_id) as connection:
            found = connection.execute(chosen, (run_id,)).fetchall()
        pages: dict[str, Page] = {}
        for row in found:
            page = Page.model_validate_json(row["facts"])
            pages[page.id] = page.model_copy(update={"text": _unpacked(row["text"])})
        return pages

    def answers(self, run_id: str) -> dict[str, str]:
        """Return what searches that have a price have answered a run that has not ended."""
        with self.reading(run_id) as connection:
            found = connection.execute("SELECT search, answer FROM run_answers WHERE run = ?", (run_id,)).fetchall()
        return {row["search"]: _unpacked(row["answer"]) for row in found}

    def page_text(self, sha256: str) -> str:
        """Return the text of a page by the hash of its content, if the account may read a run that has read it."""
        readers = f"SELECT 1 FROM run_pages JOIN runs ON id = run WHERE sha256 = pages.sha256 AND {self.readable}"  # noqa: S608
        with self.database.reading() as connection:
            chosen = f"SELECT text FROM pages WHERE sha256 = ? AND EXISTS ({readers})"  # noqa: S608 - no words of a user
            row = connection.execute(chosen, (sha256,)).fetchone()
        if row is None:
            raise UsageError(f"There is no page {sha256}.")
        return _unpacked(row["text"])

    def record(self, run_id: str) -> RunRecord | None:
        """Return what `run.json` holds, or None if the run has not ended."""
        text = self._column(run_id, "record")
        return None if text is None else RunRecord.model_validate_json(text)

    def markdown(self, run_id: str) -> str | None:
        """Return the report, or None if the run has not ended."""
        return self._column(run_id, "markdown")

    def _column(self, run_id: str, name: str) -> str | None:
        with self.reading(run_id) as connection:
            # `name` is a constant of this module.
            value: str | None = connection.execute(f"SELECT {name} FROM runs WHERE id = ?", (run_id,)).fetchone()[0]  # noqa: S608
        return value

    def steering(self, run_id: str, after: int = 0) -> Mapping[int, Steer]:
        """Return what was asked of a run from number `after` + 1 on, by number.

        What only a newer version can read is left out.
        """
        said: dict[int, Steer] = {}
        chosen = "SELECT seq, body FROM steering WHERE run = ? AND seq > ? ORDER BY seq"
        with self.reading(run_id) as connection:
            for row in connection.execute(chosen, (run_id, after)):
                with suppress(ValidationError):
                    said[row["seq"]] = parse_steer(row["body"])
        return said
