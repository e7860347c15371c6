"""All runs of one store brought into another, be it a file or a server; the first stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from research.core import StoreError, UsageError
from research.language import Bilingual, Phrase
from research.store.database import Connection
from research.store.search import catch_up_words
from research.store.seen import catch_up_seen
from research.store.store import RunState, RunStore

_RUNS = (
    "id, created_at, question, brief, analyst, state, heartbeat, finished_at, seconds, record, markdown, title, "
    "starred, owner, account, shared"
)
"""The columns of a run but for the one that it repeats, which may come later."""
_PARTS = {"events": "run, seq, type, body", "run_pages": "run, page, sha256, facts"} | {
    "steering": "run, seq, body",
    "tags": "run, tag",
}
"""What belongs to a run, by table; what is looked up in words and pages is entered anew from these."""

_RUNNING = Phrase("{count} runs are still under way; let them end or stop them before all runs are moved.")
_NOT_EMPTY = Phrase(
    "{name} holds {count} runs already, so nothing was moved. With --merge, runs that it lacks are added, and those "
    "that it has stay as they are."
)


class CannotMove(UsageError):
    """Runs are not moved; `text` says why in both languages."""

    def __init__(self, text: Bilingual) -> None:
        super().__init__(text.en)
        self.text = text


@dataclass(frozen=True)
class Moved:
    """What was brought over, as it was counted in both stores afterwards."""

    runs: int
    events: int
    pages: int
    """Pages read by the runs; a text that several have read counts for each."""
    known: int
    """Runs that were there already."""


def move_runs(
    source: RunStore,
    target: RunStore,
    *,
    merge: bool = False,
    on_run: Callable[[int, int], None] = lambda done, of: None,
) -> Moved:
    """Copy all runs with all that belongs to them, each whole or not at all, and compare what both stores then hold.

    Runs of the same id are taken for the same run. `on_run` is told how many runs of how many are done.

    Raises:
        CannotMove: runs are under way, or the target is not empty and is not to be merged with.
        StoreError: one of the stores cannot be read or written, or they differ afterwards. What was copied until then
            stays; `merge` goes on from there.
    """
    if running := [run for run, state in _runs(source) if RunState(state).is_open]:
        raise CannotMove(_RUNNING.filled(count=len(running)))
    there = {run for run, _ in _runs(target)}
    if there and not merge:
        raise CannotMove(_NOT_EMPTY.filled(name=target.database.name, count=len(there)))
    lacking = [run for run, _ in _runs(source) if run not in there]
    for done, run in enumerate(lacking, 1):
        _copy(source, target, run)
        on_run(done, len(lacking))
    _copy_repeats(source, target, set(lacking))
    catch_up_words(target)
    catch_up_seen(target, seconds=float("inf"))
    here, copied = _counts(source, lacking), _counts(target, lacking)
    if here != copied:
        differing = sorted({run for run, *_ in here ^ copied})
        raise StoreError(f"These runs differ in {target.database.name}: {', '.join(differing)}.")
    events = sum(counted[1] for counted in copied)
    return Moved(len(copied), events, sum(counted[2] for counted in copied), len(there))


def _runs(store: RunStore) -> list[tuple[str, str]]:
    """Return id and state of all runs, the oldest first."""
    store.settle()
    with store.database.reading() as connection:
        return [tuple(row) for row in connection.execute("SELECT id, state FROM runs ORDER BY created_at, id")]


def _copy(source: RunStore, target: RunStore, run: str) -> None:
    with source.database.reading() as there, target.database.writing(run) as here:
        _insert(here, "runs", _RUNS, _rows(there, f"SELECT {_RUNS} FROM runs WHERE id = ?", run))  # noqa: S608
        texts = "SELECT sha256, text FROM pages WHERE sha256 IN (SELECT sha256 FROM run_pages WHERE run = ?)"
        _insert(here, "pages", "sha256, text", _rows(there, f"{texts} ORDER BY sha256", run))
        for table, columns in _PARTS.items():
            _insert(here, table, columns, _rows(there, f"SELECT {columns} FROM {table} WHERE run = ?", run))  # noqa: S608


def _rows(connection: Connection, selection: str, run: str) -> Iterator[Sequence[object]]:
    return map(tuple, connection.execute(selection, (run,)))


def _insert(connection: Connection, table: str, columns: str, rows: Iterator[Sequence[object]]) -> None:
    places = ", ".join("?" * len(columns.split(",")))
    # Tables and columns are constants of this module.
    connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places}) ON CONFLICT DO NOTHING", rows)  # noqa: S608


def _copy_repeats(source: RunStore, target: RunStore, runs: set[str]) -> None:
    """Let each of the runs repeat the one that it repeats where it comes from."""
    with source.database.reading() as connection:
        found = connection.execute("SELECT follows, id FROM runs WHERE follows IS NOT NULL").fetchall()
    repeats = [tuple(row) for row in found if row["id"] in runs]
    with target.database.writing() as connection:
        repeated = "UPDATE runs SET follows = (SELECT id FROM runs WHERE id = ?) WHERE id = ?"
        connection.executemany(repeated, repeats)


def _counts(store: RunStore, runs: Sequence[str]) -> set[tuple[str, int, int, int, int]]:
    """Return how much each of the runs has of everything."""
    counted = ", ".join(f"(SELECT count(*) FROM {table} WHERE run = runs.id) AS {table}" for table in _PARTS)  # noqa: S608
    wanted = set(runs)
    with store.database.reading() as connection:
        rows = connection.execute(f"SELECT id, {counted} FROM runs").fetchall()  # noqa: S608 - constants
    return {tuple(row) for row in rows if row["id"] in wanted}
