"""What the store asks of a database, and the file of SQLite that answers it on one computer."""

from __future__ import annotations

import os
import sqlite3
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any, Protocol

from research.core import StoreError
from research.settings import disk_problem

WRITING_SECONDS = 30.0
"""For so long whoever is patient waits for a server that is away: it starts again in less, also after a failover."""


class Row(Protocol):
    """A row of an answer, by names and by places."""

    def __getitem__(self, place: Any, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def keys(self) -> Any:
        """Return the names of the columns."""


class Rows(Protocol):
    """What a statement answers."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection inside a transaction. Statements are written once, in what both databases understand.

    Values stand as `?`. What PostgreSQL lacks of the functions that SQLite has is defined in its schema.
    """

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Rows:
        """Carry out a statement."""

    def executemany(self, statement: str, values: Iterable[Sequence[Any]], /) -> object:
        """Carry out a statement once for each of many values."""


class Database(Protocol):
    """A database for several threads and processes at once.

    Connections are lent to one user at a time and kept for the next. All that is done may raise `StoreError`, whose
    text and causes tell no password.
    """

    @property
    def name(self) -> str:
        """What it is called in messages."""

    def reading(self) -> AbstractContextManager[Connection]:
        """Lend a connection for reading one consistent state."""

    def writing(self, run_id: str = "", *, patient: bool = True) -> AbstractContextManager[Connection]:
        """Lend a connection for one transaction: all of it is written, or nothing.

        Others wait until it ends; with a `run_id`, only the rows of that run are written, and writers of others need
        not wait. A server that is away is waited for `WRITING_SECONDS` if this is `patient`.
        """

    def wipe_log(self) -> None:
        """Clear away what is left of deleted rows, as far as that can be done at once; no harm if it is in use."""

    def drop_words(self, connection: Connection) -> None:
        """Drop what the index still holds of runs that the transaction has deleted."""

    def matching(self, phrases: Sequence[tuple[str, bool]]) -> tuple[str, list[object]]:
        """Return a query for the ids of the runs whose words hold all phrases, and its values.

        A phrase is one or more words with blanks between; of some the last one is only the beginning of a word.
        """

    def now(self) -> datetime:
        """Return the current time in UTC, the same for all that share the database."""

    def close(self) -> None:
        """Close the connections that nobody uses."""


def scripts(engine: str) -> tuple[str, ...]:
    """Return what makes of a store of each version one of the next."""
    files = resources.files("research.store").joinpath("migrations", engine).iterdir()
    found = sorted((file for file in files if file.name.endswith(".sql")), key=lambda file: file.name)
    return tuple(file.read_text(encoding="utf-8") for file in found)


def check_version(version: int, known: int) -> None:
    """Refuse a store that was written by a newer version of the program: `StoreError`."""
    if version > known:
        raise StoreError(
            f"The run store has version {version}, which is newer than this program ({known}). Install a newer "
            "version, or set RESEARCH_HOME to another folder (RESEARCH_DATABASE to another database).",
            "store_newer",
        )


def close_all(connections: LifoQueue[Any]) -> None:
    """Close the connections that nobody uses."""
    with suppress(Empty):
        while True:
            connections.get_nowait().close()


# --- a file of SQLite, for one computer ------------------------------------------------------------------------------


def _statements(script: str) -> tuple[str, ...]:
    """Return the statements of an SQL script one by one, for a transaction that holds them all."""
    found = [""]
    for line in script.splitlines(keepends=True):
        found[-1] += line
        if sqlite3.complete_statement(found[-1]):
            found.append("")
    return tuple(found[:-1])


MIGRATIONS = tuple(map(_statements, scripts("sqlite")))
"""What makes of a store of each version one of the next."""


def migrate(connection: sqlite3.Connection, migrations: tuple[tuple[str, ...], ...] = MIGRATIONS) -> None:
    """Bring the store to this program's version, in the open transaction of `connection`.

    Raises:
        StoreError: the store was written by a newer version of the program.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    check_version(version, len(migrations))
    for statements in migrations[version:]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(migrations)}")


_REASONS = {
    sqlite3.SQLITE_BUSY: ("store_busy", "another process is writing to it"),
    sqlite3.SQLITE_LOCKED: ("store_busy", "another process is writing to it"),
    sqlite3.SQLITE_READONLY: ("store_refused", "it may not be written to"),
    sqlite3.SQLITE_PERM: ("store_refused", "it may not be opened"),
    sqlite3.SQLITE_CANTOPEN: ("store_refused", "it cannot be opened"),
    sqlite3.SQLITE_FULL: ("store_full", "the disk is full"),
    sqlite3.SQLITE_IOERR: ("store_full", "the disk cannot be read or written, or is full"),
    sqlite3.SQLITE_CORRUPT: ("store_damaged", "it is damaged"),
    sqlite3.SQLITE_NOTADB: ("store_damaged", "it is damaged, or is no run store"),
}
"""What SQLite says: a key of `research.core.errors`, and the words for the log."""


class SqliteDatabase:
    """A file; see `research.store.database`."""

    def __init__(self, path: Path, *, wait_seconds: float = 5.0) -> None:
        """Open the file, or make it (readable by its owner alone), and bring its tables up to date.

        `wait_seconds` is how long an operation waits for other processes.

        Raises:
            StoreError: the file cannot be used, or is of a newer version.
        """
        self.path = path
        self._wait_seconds = wait_seconds
        self._idle: LifoQueue[sqlite3.Connection] = LifoQueue()
        self._finalizer = weakref.finalize(self, close_all, self._idle)
        with self._named_errors():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._use_write_ahead_log()
        with self._transaction("BEGIN IMMEDIATE") as connection:
            migrate(connection)

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.now(UTC)

    def close(self) -> None:
        """Close the connections that nobody uses."""
        close_all(self._idle)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Lend a connection for reading one consistent state."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self, run_id: str = "", *, patient: bool = True) -> Iterator[Connection]:
        """Lend a connection for one transaction; there is one writer at a time, and a file does not go away."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def matching(self, phrases: Sequence[tuple[str, bool]]) -> tuple[str, list[object]]:
        """Return a query for the runs that hold all phrases, in the language of the full-text index."""
        wanted = " AND ".join(f'"{phrase}" *' if begins else f'"{phrase}"' for phrase, begins in phrases)
        found = "SELECT rowid FROM search_index WHERE search_index MATCH ?"
        return f"SELECT run FROM search_texts WHERE search_texts.id IN ({found})", [wanted]  # noqa: S608 - a constant

    def wipe_log(self) -> None:
        """Move the write-ahead log into the file, so that nothing deleted lingers in it; no harm if it is in use."""
        with self._named_errors(), self._borrowed() as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def drop_words(self, connection: Connection) -> None:
        """Merge the index: by itself it drops what it holds of deleted runs only when it is next merged."""
        connection.execute("INSERT INTO search_index (search_index) VALUES ('optimize')")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._named_errors(), self._borrowed() as connection, connection:
            connection.execute(begin)
            yield connection

    @contextmanager
    def _borrowed(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = self._idle.get_nowait()
        except Empty:
            connection = self._connect()
        try:
            yield connection
        finally:
            self._idle.put(connection)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=self._wait_seconds, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        for pragma in ("foreign_keys = ON", "synchronous = NORMAL", "secure_delete = ON"):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    def _use_write_ahead_log(self) -> None:
        """Let readers and a writer work at once; SQLite does not wait by itself while others open the same new file."""
        deadline = time.monotonic() + self._wait_seconds
        while True:
            try:
                with self._borrowed() as connection:
                    connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if _primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
            else:
                return

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code, reason = _REASONS.get(_primary_code(error), ("store_failed", str(error)))
            raise StoreError(f"The run store {self.path} cannot be used: {reason}.", code) from error
        except OSError as error:
            raise StoreError(
                f"The run store {self.path} cannot be used: {error.strerror}.", disk_problem(error)
            ) from error


def _primary_code(error: sqlite3.Error) -> int:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
