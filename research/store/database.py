"""The database of all runs, its schema and migrations."""

from __future__ import annotations

import os
import sqlite3
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, LifoQueue

from research.core import StoreError
from research.settings import disk_problem

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE runs (
            id TEXT PRIMARY KEY,
            created_at TEXT NOT NULL,
            question TEXT NOT NULL,
            brief TEXT NOT NULL,
            analyst TEXT NOT NULL,
            state TEXT NOT NULL,
            heartbeat REAL NOT NULL,
            wish TEXT,
            finished_at TEXT,
            seconds REAL,
            record TEXT,
            markdown TEXT
        ) WITHOUT ROWID
        """,
        "CREATE INDEX runs_by_time ON runs (created_at)",
        """
        CREATE TABLE events (
            run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            seq INTEGER NOT NULL,
            type TEXT NOT NULL,
            body TEXT NOT NULL,
            UNIQUE (run, seq)
        )
        """,
        "CREATE INDEX events_by_type ON events (run, type)",
        """
        CREATE TABLE pages (
            sha256 TEXT PRIMARY KEY,
            text BLOB NOT NULL
        )
        """,
        """
        CREATE TABLE run_pages (
            run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            page TEXT NOT NULL,
            sha256 TEXT NOT NULL REFERENCES pages (sha256),
            facts TEXT NOT NULL,
            PRIMARY KEY (run, page)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX run_pages_by_content ON run_pages (sha256)",
    ),
    (
        # Takes the place of `runs.wish`, which stays for programs of version 1 that have the file open.
        """
        CREATE TABLE steering (
            run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            seq INTEGER NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (run, seq)
        ) WITHOUT ROWID
        """,
    ),
    (
        # What the user says of a run, and which run it repeats.
        "ALTER TABLE runs ADD COLUMN title TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE runs ADD COLUMN starred INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE runs ADD COLUMN follows TEXT REFERENCES runs (id) ON DELETE SET NULL",
        "CREATE INDEX runs_by_earlier ON runs (follows)",
        "CREATE INDEX runs_by_state ON runs (state, created_at)",
        # Holds all that a list is filtered and ordered by, as the rows themselves are long.
        "CREATE INDEX runs_listed ON runs (created_at, id, state, starred)",
        """
        CREATE TABLE tags (
            run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            tag TEXT NOT NULL,
            PRIMARY KEY (run, tag)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX tags_by_name ON tags (tag)",
        # The words of each run, folded for searching (see `research.store.store`), and the index over them.
        """
        CREATE TABLE search_texts (
            id INTEGER PRIMARY KEY,
            run TEXT NOT NULL UNIQUE REFERENCES runs (id) ON DELETE CASCADE,
            head TEXT NOT NULL,
            report TEXT NOT NULL,
            sources TEXT NOT NULL
        )
        """,
        """
        CREATE VIRTUAL TABLE search_index
        USING fts5 (head, report, sources, content = 'search_texts', content_rowid = 'id')
        """,
        """
        CREATE TRIGGER search_text_entered AFTER INSERT ON search_texts BEGIN
            INSERT INTO search_index (rowid, head, report, sources)
            VALUES (new.id, new.head, new.report, new.sources);
        END
        """,
        """
        CREATE TRIGGER search_text_gone AFTER DELETE ON search_texts BEGIN
            INSERT INTO search_index (search_index, rowid, head, report, sources)
            VALUES ('delete', old.id, old.head, old.report, old.sources);
        END
        """,
        # Runs whose words have changed; whoever writes, with whatever version, they are noted here.
        """
        CREATE TABLE search_waiting (
            run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
        ) WITHOUT ROWID
        """,
        "INSERT INTO search_waiting SELECT id FROM runs",
        """
        CREATE TRIGGER search_run_entered AFTER INSERT ON runs BEGIN
            INSERT OR IGNORE INTO search_waiting VALUES (new.id);
        END
        """,
        """
        CREATE TRIGGER search_run_changed AFTER UPDATE OF title, question, markdown ON runs BEGIN
            INSERT OR IGNORE INTO search_waiting VALUES (new.id);
        END
        """,
        """
        CREATE TRIGGER search_page_entered AFTER INSERT ON run_pages BEGIN
            INSERT OR IGNORE INTO search_waiting VALUES (new.run);
        END
        """,
    ),
    (
        # Every page over all runs, for looking through them (see `research.store.seen`), counted by its uses.
        """
        CREATE TABLE seen_pages (
            id INTEGER PRIMARY KEY,
            url TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            title TEXT NOT NULL,
            site TEXT NOT NULL,
            origin TEXT NOT NULL,
            kind TEXT NOT NULL,
            published TEXT,
            words TEXT NOT NULL,
            last_read TEXT NOT NULL DEFAULT '',
            runs INTEGER NOT NULL DEFAULT 0,
            cited INTEGER NOT NULL DEFAULT 0,
            quotes INTEGER NOT NULL DEFAULT 0,
            UNIQUE (url, sha256)
        )
        """,
        "CREATE INDEX seen_pages_by_reading ON seen_pages (last_read, id)",
        """
        CREATE TABLE page_uses (
            run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
            page TEXT NOT NULL,
            seen INTEGER NOT NULL REFERENCES seen_pages (id),
            read_at TEXT NOT NULL,
            number INTEGER,
            quotes INTEGER NOT NULL,
            PRIMARY KEY (run, page)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX page_uses_by_page ON page_uses (seen, read_at)",
        """
        CREATE TRIGGER page_use_entered AFTER INSERT ON page_uses BEGIN
            UPDATE seen_pages SET last_read = max(last_read, new.read_at), runs = runs + 1,
                cited = cited + (new.number IS NOT NULL), quotes = quotes + new.quotes WHERE id = new.seen;
        END
        """,
        """
        CREATE TRIGGER page_use_gone AFTER DELETE ON page_uses BEGIN
            UPDATE seen_pages SET runs = runs - 1, cited = cited - (old.number IS NOT NULL),
                quotes = quotes - old.quotes,
                last_read = coalesce((SELECT max(read_at) FROM page_uses WHERE seen = old.seen), '')
            WHERE id = old.seen;
            DELETE FROM seen_pages WHERE id = old.seen AND runs = 0;
        END
        """,
        # What the summaries of a run came to, and how many of them the cache spared it.
        """
        CREATE TABLE run_savings (
            run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
            spared INTEGER NOT NULL,
            calls INTEGER NOT NULL,
            cost_usd REAL,
            model TEXT
        ) WITHOUT ROWID
        """,
        # Runs whose pages, quotes or report have changed since they were entered in these tables.
        """
        CREATE TABLE seen_waiting (
            run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
        ) WITHOUT ROWID
        """,
        "INSERT INTO seen_waiting SELECT id FROM runs",
        """
        CREATE TRIGGER seen_run_entered AFTER INSERT ON runs BEGIN
            INSERT OR IGNORE INTO seen_waiting VALUES (new.id);
        END
        """,
        """
        CREATE TRIGGER seen_run_changed AFTER UPDATE OF record ON runs BEGIN
            INSERT OR IGNORE INTO seen_waiting VALUES (new.id);
        END
        """,
        """
        CREATE TRIGGER seen_page_entered AFTER INSERT ON run_pages BEGIN
            INSERT OR IGNORE INTO seen_waiting VALUES (new.run);
        END
        """,
        """
        CREATE TRIGGER seen_quote_entered AFTER INSERT ON events WHEN new.type = 'evidence_found' BEGIN
            INSERT OR IGNORE INTO seen_waiting VALUES (new.run);
        END
        """,
    ),
    # The process that carries a run out (see `research.store.owners`).
    ("ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT ''",),
)


def migrate(connection: sqlite3.Connection, migrations: tuple[tuple[str, ...], ...] = MIGRATIONS) -> None:
    """Bring the store to this program's version, in the open transaction of `connection`.

    Raises:
        StoreError: the store was written by a newer version of the program.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(migrations):
        raise StoreError(
            f"The run store has version {version}, which is newer than this program ({len(migrations)}). "
            "Install a newer version, or set RESEARCH_HOME to another folder.",
            "store_newer",
        )
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


class Database:
    """An SQLite file for several threads and processes at once.

    Connections are lent to one user at a time and kept for the next.
    """

    def __init__(self, path: Path, *, wait_seconds: float = 5.0) -> None:
        """Open the file, or make it (readable by its owner alone), and bring its tables up to date.

        `wait_seconds` is how long an operation waits for other processes.

        Raises:
            StoreError: the file cannot be used, or is of a newer version.
        """
        self.path = path
        self._wait_seconds = wait_seconds
        self._idle: LifoQueue[sqlite3.Connection] = LifoQueue()
        self._finalizer = weakref.finalize(self, _close_all, self._idle)
        with self._named_errors():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._use_write_ahead_log()
        with self.writing() as connection:
            migrate(connection)

    def close(self) -> None:
        """Close the connections that nobody uses."""
        _close_all(self._idle)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection for reading one consistent state.

        Raises:
            StoreError: the file cannot be read.
        """
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection for one transaction: all of it is written, or nothing.

        Raises:
            StoreError: the file cannot be written.
        """
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def wipe_log(self) -> None:
        """Move the write-ahead log into the file, so that nothing deleted lingers in it; no harm if it is in use."""
        with self._named_errors(), self._borrowed() as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._named_errors(), self._borrowed() as connection:
            connection.execute(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

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
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")
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


def _close_all(connections: LifoQueue[sqlite3.Connection]) -> None:
    while True:
        try:
            connections.get_nowait().close()
        except Empty:
            return
