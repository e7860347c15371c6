"""The tables of the run store, as numbered migrations: number n brings a store of version n - 1 to version n."""

from __future__ import annotations

import sqlite3

from research.errors import StoreError

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
            "Install a newer version, or set RESEARCH_HOME to another folder."
        )
    for statements in migrations[version:]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(migrations)}")
