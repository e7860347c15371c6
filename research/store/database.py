"""What the store asks of a database, the file of SQLite that answers it on one computer, and whose runs it holds.

Which program carries out a run, and who did what on a team's server, is kept beside the runs.
"""

from __future__ import annotations

import hashlib
import logging
import math
import os
import platform
import secrets
import sqlite3
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
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

    def there_for(self) -> float:
        """Return for how many seconds it could be reached by now: before that, nobody could show a sign of life."""

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

    def __init__(
        self, path: Path, *, wait_seconds: float = 5.0, migrations: tuple[tuple[str, ...], ...] = MIGRATIONS
    ) -> None:
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
            migrate(connection, migrations)

    @property
    def name(self) -> str:
        """The path of the file."""
        return str(self.path)

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.now(UTC)

    def there_for(self) -> float:
        """Return for how long: a file does not go away."""
        return math.inf

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
        try:
            for pragma in ("foreign_keys = ON", "synchronous = NORMAL", "secure_delete = ON"):
                connection.execute(f"PRAGMA {pragma}")
        except sqlite3.Error:
            connection.close()
            raise
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


_log = logging.getLogger(__name__)
_BOOT = Path("/proc/sys/kernel/random/boot_id")
"""On Linux, names a machine from when it was switched on until it is switched off, for all its containers."""
_INSTALLATION = Path("/etc/machine-id")
"""On Linux, names what is installed on a machine; many containers have none."""
_LOCK_SECONDS = 1.0
"""For so long an owner waits for its own file: others hold it for a moment to see whether it is anybody's."""
_TRIES = 5
_PLACE = 8
"""Characters of a name that say in which folder its file is."""


class Owners:
    """The processes of one home folder that carry runs out.

    Each holds a lock on an empty file of its own, which the system drops when the process ends, however it ends. No
    process id is compared, as these are given out again. The locks are SQLite's, which are there on every system.
    Between machines that share a disk locks cannot be relied upon, so only owners of this machine and folder are
    judged.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def enter(self) -> Owner:
        """Become an owner of runs. Where no lock can be had its heartbeat alone speaks for it.

        The files of owners of this machine that ended without leaving are deleted.
        """
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._clear()
            return self._new()
        except (OSError, sqlite3.Error) as error:
            _log.warning("Others will learn late if this process dies: %s", error)
            return Owner(secrets.token_hex(8), None, self._folder)

    def _new(self) -> Owner:
        """Return an owner with a file that is locked and there: another process may clear it before it is locked."""
        for _ in range(_TRIES):
            name = f"{_boot()}.{_machine()}.{self._place()}{secrets.token_hex(8)}"
            lock = _opened(self._folder / name, "rwc", _LOCK_SECONDS)
            owner = Owner(name, lock, self._folder)
            try:
                _hold(lock)
            except sqlite3.Error:
                owner.leave()
                raise
            if (self._folder / name).exists():
                return owner
            lock.close()
        raise FileNotFoundError(f"Files in {self._folder} are gone as soon as they are made.")

    def _clear(self) -> None:
        """Delete the files that no process of this machine holds any more, be it from before it was last started."""
        for path in self._folder.iterdir():
            boot, _, rest = path.name.partition(".")
            is_ours = boot == _boot() or rest.startswith(f"{_machine()}.")
            if is_ours:
                with suppress(OSError, sqlite3.Error):  # Somebody holds it, or has deleted it.
                    _delete(path)

    def _place(self) -> str:
        """Return a short name of the folder, the same for all that see it on this machine, by whatever path.

        Runs in a database come from several folders, and nothing is known of what is held in another one.
        """
        try:
            status = self._folder.stat()
        except OSError:
            return ""
        return _hash(f"{status.st_dev} {status.st_ino}")[:_PLACE]

    def is_gone(self, name: str) -> bool:
        """Whether the owner of that name is known to have ended; False where this cannot be known."""
        if not name.startswith(f"{_boot()}.") or name.rpartition(".")[2][:_PLACE] != self._place():
            return False
        path = self._folder / name
        if not path.exists():
            return True
        try:
            with closing(_opened(path, "ro")) as lock:
                lock.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.Error:  # It is locked, or cannot be looked at.
            return False
        return True


class Owner:
    """One process that carries runs out, until it leaves or ends."""

    def __init__(self, name: str, lock: sqlite3.Connection | None, folder: Path) -> None:
        self.name = name
        self._lock = lock
        self._folder = folder

    def leave(self) -> None:
        """Carry out no more runs; what is still under way counts as interrupted."""
        if self._lock is not None:
            self._lock.close()
            (self._folder / self.name).unlink(missing_ok=True)


def _opened(path: Path, mode: str, timeout: float = 0) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False)


def _hold(lock: sqlite3.Connection) -> None:
    lock.execute("PRAGMA journal_mode = MEMORY")  # Else there would be a second file beside the first.
    lock.execute("BEGIN EXCLUSIVE")


def _delete(path: Path) -> None:
    """Delete the file of an owner, held meanwhile so that it cannot become anybody's; raises if it is somebody's."""
    with closing(_opened(path, "rw")) as lock:
        _hold(lock)
        with suppress(PermissionError):
            path.unlink()
    # Windows deletes no file that is open, whoever has it open.
    path.unlink(missing_ok=True)


@cache
def _boot() -> str:
    """Return a short name of this machine as it was last started, where that can be told; one for all its containers.

    Processes under one such name see each other's locks.
    """
    return _hash(_BOOT.read_text(encoding="ascii")) if _BOOT.exists() else _machine()


@cache
def _machine() -> str:
    """Return a short name of this machine that stays when it is started again."""
    installation = _INSTALLATION.read_text(encoding="ascii") if _INSTALLATION.exists() else ""
    return _hash(f"{platform.node()} {installation}")


def _hash(known: str) -> str:
    return hashlib.sha256(known.strip().encode()).hexdigest()[:12]


_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Without i, l, o and u, which are easily misread; in the order in which text sorts."""
_A_DAY = len(_DIGITS) ** 4


def new_run_id(now: datetime) -> str:
    """Return a name such as `20261121-k3f9q2`: the day, the time of day to a tenth of a second, and chance.

    Two runs of the same moment may get the same name; the store then asks for another one.
    """
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    moment = int((now - midnight) / timedelta(days=1) * _A_DAY)
    time_of_day = "".join(_DIGITS[moment // len(_DIGITS) ** place % len(_DIGITS)] for place in (3, 2, 1, 0))
    return f"{now:%Y%m%d}-{time_of_day}{secrets.choice(_DIGITS)}{secrets.choice(_DIGITS)}"


# --- who did what: kept as it happens, never changed, and without any question, text or key --------------------------


class Action(StrEnum):
    """What somebody did."""

    LOGGED_IN = "logged_in"
    STARTED = "started"
    STOPPED = "stopped"
    ASKED = "asked"
    """A question about a report."""
    SHARED = "shared"
    UNSHARED = "unshared"
    EXPORTED = "exported"
    DELETED = "deleted"
    IMPORTED = "imported"
    SCHEDULED = "scheduled"
    UNSCHEDULED = "unscheduled"
    DOCUMENTS_ADDED = "documents_added"
    DOCUMENT_REMOVED = "document_removed"
    SETTINGS = "settings"
    """Something was changed on the Settings page."""
    ACCESS_GIVEN = "access_given"
    """By a token, made or removed at the command line, a program may ask for the account, or no longer."""
    ACCESS_TAKEN = "access_taken"


@dataclass(frozen=True)
class ActionTaken:
    """An action, as an administrator sees it."""

    at: datetime
    account: str
    action: Action
    run: str
    """Id of the run that it was done to, which may be gone; empty if to none."""


def enter_action(connection: Connection, at: datetime, account: str, action: Action, run: str = "") -> None:
    """Enter what an account did; what is done without a login is nobody's to look at, and not kept."""
    if account:
        entry = (at.isoformat(), account, action.value, run)
        connection.execute("INSERT INTO actions (at, account, action, run) VALUES (?, ?, ?, ?)", entry)


_MOST_ACTIONS = 200
"""Actions that are looked at, the latest."""


def latest_actions(database: Database) -> Sequence[ActionTaken]:
    """Return what all accounts did last, newest first, but for what only a newer version knows: for administrators."""
    chosen = "SELECT at, account, action, run FROM actions ORDER BY at DESC, id DESC LIMIT ?"
    with database.reading() as connection:
        rows = connection.execute(chosen, (_MOST_ACTIONS,)).fetchall()
    known = [row for row in map(tuple, rows) if row[2] in tuple(Action)]
    return [ActionTaken(datetime.fromisoformat(at), who, Action(what), run) for at, who, what, run in known]
