"""What the store asks of a database, be it a file on this computer or a server that a team shares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from importlib import resources
from queue import Empty, LifoQueue
from typing import Any, Protocol

from research.core import StoreError

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
