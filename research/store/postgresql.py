"""The database of all runs on a server of PostgreSQL, for a team."""

from __future__ import annotations

import math
import re
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import cache
from queue import Empty, Full, LifoQueue
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from research.core import StoreError
from research.store.database import WRITING_SECONDS, Connection, check_version, close_all, scripts

if TYPE_CHECKING:
    import psycopg
    from psycopg.abc import Buffer, Dumper

_MIGRATIONS = scripts("postgresql")
_LOCK = 7_366_283
"""The number by which writers of this program know each other's locks in a database."""
_NOW = "clock_timestamp() AS now"
_STANDSTILL, _STANDSTILL_SECONDS = 3, 4.0
"""Times as long as others wait for it, and seconds at most: then the server ends what a writer has begun whose computer
stands still, or is gone. So others get their turn while they wait, and all runs can show a sign of life in time."""
_PAUSE_SECONDS = 0.25
"""Between two attempts to reach a server that is away."""
_MOST_IDLE = 4
"""Connections that are kept open while nobody uses them: a server has a hundred for all."""
_ADDRESS = re.compile(r"postgres(?:ql)?://")
_REFUSED = re.compile(r"authentication|pg_hba|does not exist|permission denied|no password")
"""In what the server says to whom it does not let in; it names no code before that."""
_KEPT_ALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 2, "tcp_user_timeout": 20_000}
"""A server that is gone without a word (its machine lost power, say) is noticed in 20 seconds."""

_REASONS = {
    "store_busy": (("55P03", "40001", "40P01"), "another process is writing to it"),
    "store_refused": (("42501", "25006"), "its user may not write to it"),
    "store_full": (("53100",), "its disk is full"),
    "store_away": (("08", "57P", "53300", "25P03"), "it cannot be reached"),
}
"""What PostgreSQL says (codes, or what they begin with), by a key of `research.core.errors`; the words for the log."""
_MISSING = "The run store needs the extra “team”: pip install 'research-workbench[team]'."
_NO_ADDRESS = "RESEARCH_DATABASE is no address of PostgreSQL, as in postgresql://user@host/name."


class PostgresqlDatabase:
    """A database on a server; see `research.store.database`.

    Writers of one run wait for each other, and whoever writes more than one run waits for all, by advisory locks.
    """

    def __init__(self, address: SecretStr, *, wait_seconds: float = 5.0) -> None:
        """Connect to the server, and make the tables or bring them up to date.

        Raises:
            StoreError: `psycopg` is missing, this is no address, the server cannot be reached or does not let this
                program in, or its tables are of a newer version.
        """
        try:
            from psycopg.conninfo import conninfo_to_dict
        except ImportError as error:
            raise StoreError(_MISSING, "store_extra") from error
        self._address = address
        self._wait_seconds = wait_seconds
        self._idle: LifoQueue[psycopg.Connection[_Row]] = LifoQueue(_MOST_IDLE)
        self._finalizer = weakref.finalize(self, close_all, self._idle)
        self._ahead = timedelta()
        """By how much the server's clock is ahead of this computer's, which may be set anew at any time."""
        self._is_away, self._since = False, -math.inf
        """Whether the server could not be reached last, and since when it can be reached again."""
        if not _ADDRESS.match(address.get_secret_value()):
            raise StoreError(_NO_ADDRESS, "store_address")
        try:
            parts = conninfo_to_dict(address.get_secret_value())
        except Exception:  # noqa: BLE001 - what is said of it may hold the password
            raise StoreError(_NO_ADDRESS, "store_address") from None
        self.name = f"{parts.get('dbname', '')} at {parts.get('host', 'this computer')}"
        """What it is called in messages: no more of its address."""
        self._password = str(parts.get("password", ""))
        with self.writing(patient=False) as connection:
            _migrate(connection)

    def close(self) -> None:
        """Close the connections that nobody uses."""
        close_all(self._idle)

    def now(self) -> datetime:
        """Return the server's time: clocks of a team's computers differ, and a heartbeat is told by all of them."""
        return datetime.now(UTC) + self._ahead

    def there_for(self) -> float:
        """Return for how many seconds the server could be reached by now."""
        return time.monotonic() - self._since

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Lend a connection for reading one consistent state."""
        begin = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT {_NOW}"
        with self._named_errors(), self._begun(begin, self._wait_seconds) as (connection, _):
            yield _Written(connection)
            connection.execute("COMMIT")

    @contextmanager
    def writing(self, run_id: str = "", *, patient: bool = True) -> Iterator[Connection]:
        """Lend a connection for one transaction: all of it is written, or nothing."""
        lock = "pg_advisory_xact_lock_shared" if run_id else "pg_advisory_xact_lock"
        standstill = min(self._wait_seconds * _STANDSTILL, _STANDSTILL_SECONDS)
        begin = (
            f"BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = {max(1, int(self._wait_seconds * 1000))};"
            f"SET LOCAL idle_in_transaction_session_timeout = {max(1, int(standstill * 1000))};"
            f"SELECT {lock}({_LOCK}), pg_current_xact_id()::text AS number, {_NOW}"
        )
        seconds = max(WRITING_SECONDS, self._wait_seconds) if patient else self._wait_seconds
        with self._named_errors(), self._begun(begin, seconds) as (connection, row):
            written = _Written(connection)
            if run_id:
                written.execute(f"SELECT pg_advisory_xact_lock({_LOCK}, hashtext(?))", (run_id,))
            yield written
            self._commit(connection, row["number"], seconds)

    def wipe_log(self) -> None:
        """Have deleted rows cleared from the tables now; the server's log and its backups are its keeper's matter."""
        with suppress(StoreError), self._named_errors(), self._begun("", self._wait_seconds) as (connection, _):
            connection.execute(
                "VACUUM runs, events, pages, run_pages, run_answers, steering, search_texts, seen_pages, page_uses, "
                "summaries"
            )

    def drop_words(self, connection: Connection) -> None:
        """Do nothing: what is deleted is no longer in the index."""

    def matching(self, phrases: Sequence[tuple[str, bool]]) -> tuple[str, list[object]]:
        """Return a query for the runs that hold all phrases: by their words, then read letter by letter."""
        words = [f"'{word}'" for phrase, _ in phrases for word in phrase.split()[:-1]]
        words += [f"'{phrase.split()[-1]}'" + (":*" if begins else "") for phrase, begins in phrases]
        likes = {phrase: f"% {phrase}%" if begins else f"% {phrase} %" for phrase, begins in phrases}
        longer = [like for phrase, like in likes.items() if " " in phrase]
        # A word alone is surely there if the vector has it.
        found = "SELECT run FROM search_texts WHERE vector @@ CAST(? AS tsquery)" + " AND words LIKE ?" * len(longer)  # noqa: S608
        unsure = "SELECT run FROM search_texts WHERE vector IS NULL" + " AND words LIKE ?" * len(likes)  # noqa: S608
        return f"{found} UNION ALL {unsure}", [" & ".join(words), *longer, *likes.values()]

    @contextmanager
    def _begun(self, begin: str, seconds: float) -> Iterator[tuple[psycopg.Connection[_Row], Any]]:
        """Lend a connection on which a transaction has begun, with the row that `begin` gave; undone by an error."""
        connection, row = self._reached(begin, seconds)
        try:
            yield connection, row
        except BaseException:
            try:
                connection.execute("ROLLBACK")
            except BaseException:
                connection.close()
                raise
            raise
        finally:
            self._give_back(connection)

    def _give_back(self, connection: psycopg.Connection[_Row]) -> None:
        try:
            if not connection.closed:
                self._idle.put_nowait(connection)
        except Full:
            connection.close()

    def _reached(self, begin: str, seconds: float) -> tuple[psycopg.Connection[_Row], Any]:
        """Return a connection on which `begin` was carried out, and its row; a server is waited for `seconds`."""
        import psycopg

        deadline = time.monotonic() + seconds
        while True:
            connection = None
            try:
                connection = self._borrowed()
                row = _last_row(connection, begin) if begin else None
            except psycopg.Error as error:
                if connection is not None:
                    connection.close()
                if _code(error) != "store_away":
                    raise
                self._is_away = True
                if time.monotonic() > deadline:
                    raise
                if connection is None:  # Those that are kept are tried at once, one after the other.
                    time.sleep(_PAUSE_SECONDS)
            else:
                if row is not None:
                    self._ahead = row["now"] - datetime.now(UTC)
                if self._is_away:
                    self._is_away, self._since = False, time.monotonic()
                return connection, row

    def _borrowed(self) -> psycopg.Connection[_Row]:
        with suppress(Empty):
            return self._idle.get_nowait()
        return self._connect()

    def _connect(self) -> psycopg.Connection[_Row]:
        import psycopg
        from psycopg.conninfo import conninfo_to_dict, make_conninfo

        address = self._address.get_secret_value()
        usual: dict[str, Any] = {"connect_timeout": max(2, int(self._wait_seconds)), **_KEPT_ALIVE}
        settings = usual | {"application_name": "research", "client_encoding": "utf8"} | conninfo_to_dict(address)
        connection = psycopg.connect(make_conninfo("", **settings), autocommit=True, row_factory=_rows)
        connection.adapters.register_dumper(str, _text_dumper())
        return connection

    def _commit(self, connection: psycopg.Connection[_Row], number: str, seconds: float) -> None:
        """Commit a transaction; if the server goes away over it, ask it afterwards whether it was committed."""
        import psycopg

        try:
            connection.execute("COMMIT")
        except psycopg.OperationalError as error:
            if _code(error) != "store_away":
                raise
            connection.close()
            if not self._was_committed(number, seconds):
                raise

    def _was_committed(self, number: str, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while True:
            with self._begun("", max(0.0, deadline - time.monotonic())) as (connection, _):
                row = connection.execute("SELECT pg_xact_status(%s::xid8)", (number,)).fetchone()
            if row is None or row[0] != "in progress" or time.monotonic() > deadline:
                return row is not None and row[0] == "committed"
            time.sleep(_PAUSE_SECONDS)

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        import psycopg

        try:
            yield
        except psycopg.Error as error:
            code = _code(error)
            reason = _REASONS[code][1] if code in _REASONS else " ".join(str(error).split())
            if self._password:
                reason = reason.replace(self._password, "…")
            raise StoreError(f"The run store {self.name} cannot be used: {reason}.", code) from None


class _Written:
    """A connection that understands the store's statements."""

    def __init__(self, connection: psycopg.Connection[_Row]) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> psycopg.Cursor[_Row]:
        """Carry out a statement."""
        return self._connection.execute(_translated(statement) if values else statement, tuple(values) or None)

    def executemany(self, statement: str, values: Iterable[Sequence[Any]], /) -> psycopg.Cursor[_Row]:
        """Carry out a statement once for each of many values."""
        cursor = self._connection.cursor()
        cursor.executemany(_translated(statement), values)
        return cursor


class _Row:
    """A row, by the names of its columns and by their places."""

    __slots__ = ("_places", "_values")

    def __init__(self, values: Sequence[Any], places: dict[str, int]) -> None:
        self._values = values
        self._places = places

    def __getitem__(self, place: int | str) -> Any:
        return self._values[self._places[place] if isinstance(place, str) else place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def keys(self) -> Iterable[str]:
        """Return the names of the columns."""
        return self._places.keys()


def _rows(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], _Row]:
    places = {column.name: place for place, column in enumerate(cursor.description or ())}
    return lambda values: _Row(values, places)


def _last_row(connection: psycopg.Connection[_Row], statements: str) -> Any:
    """Carry out statements in one go and return the row of the last one; None if it gives none."""
    cursor = connection.execute(statements)
    while cursor.nextset():
        pass
    return cursor.fetchone() if cursor.description else None


@cache
def _text_dumper() -> type[Dumper]:
    """Return who hands texts over: as texts, whatever column they are for, and without the character 0."""
    from psycopg.types.string import StrDumper

    class Text(StrDumper):
        def dump(self, obj: str) -> Buffer | None:
            return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))

    return Text


@cache
def _translated(statement: str) -> str:
    """Return a statement with places for values as `psycopg` marks them."""
    return statement.replace("%", "%%").replace("?", "%s")


def _migrate(connection: Connection) -> None:
    """Bring the tables to this program's version, in the open transaction."""
    connection.execute("CREATE TABLE IF NOT EXISTS store_version (version integer NOT NULL)")
    row = connection.execute("SELECT max(version) FROM store_version").fetchone()
    version = row[0] or 0
    check_version(version, len(_MIGRATIONS))
    for script in _MIGRATIONS[version:]:
        connection.execute(script)
    if version < len(_MIGRATIONS):
        connection.execute("DELETE FROM store_version")
        connection.execute("INSERT INTO store_version VALUES (?)", (len(_MIGRATIONS),))


def _code(error: psycopg.Error) -> str:
    """Return the key of `research.core.errors` that says what is wrong."""
    import psycopg

    if error.sqlstate is not None:
        found = (key for key, (codes, _) in _REASONS.items() if error.sqlstate.startswith(codes))
        return "store_login" if error.sqlstate.startswith("28") else next(found, "store_failed")
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return "store_failed"
    return "store_login" if _REFUSED.search(str(error)) else "store_away"
