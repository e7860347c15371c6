"""What is asked about the report of a stored run: kept with its events, after its end."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from research.events import Event, FollowUpAnswered, FollowUpSearched, RunStarted, parse_event
from research.followup.joining import Joined, joined
from research.followup.model import FollowUp, follow_ups_of
from research.report import Report
from research.runs import rows
from research.runs.model import ended
from research.runs.store import RunStore, utc_now

_KINDS = "run = ? AND type IN ('follow_up_answered', 'follow_up_searched')"


def follow_ups(store: RunStore, run_id: str) -> tuple[FollowUp, ...]:
    """Return what was asked about a run's report, in order.

    Raises:
        UsageError: there is no such run.
        StoreError: the store cannot be read.
    """
    store.get(run_id)
    with store.database.reading() as connection:
        # `_KINDS` is a constant of this module.
        found = connection.execute(f"SELECT body FROM events WHERE {_KINDS} ORDER BY seq", (run_id,)).fetchall()  # noqa: S608
    return follow_ups_of(parse_event(row["body"]) for row in found)


@dataclass(frozen=True)
class Origin:
    """Which other run a run is a part of, if it is."""

    rewritten_from: str = ""
    follow_up_to: str = ""


def origin_of(store: RunStore, run_id: str) -> Origin:
    """Return which other run a run is a part of; that one may have been deleted since.

    Raises:
        StoreError: the store cannot be read.
    """
    with store.database.reading() as connection:
        row = connection.execute(
            "SELECT body FROM events WHERE run = ? AND type = 'run_started' ORDER BY seq LIMIT 1", (run_id,)
        ).fetchone()
    started = parse_event(row["body"]) if row else None
    if not isinstance(started, RunStarted):
        return Origin()
    return Origin(started.rewritten_from, started.follow_up_to)


def keep_answer(store: RunStore, run_id: str, answer: FollowUpAnswered, calls: Iterable[Event] = ()) -> int:
    """Keep an answer, and the `calls` that it took; return its number, which is the next one if it has none.

    Raises:
        UsageError: there is no such run, or it is still running.
        StoreError: the store cannot be written.
    """
    ended(store.get(run_id))
    with store.database.writing() as connection:
        number = answer.number or _last_number(connection, run_id) + 1
        _append(connection, run_id, [*calls, answer.model_copy(update={"number": number})])
    return number


def keep_search(store: RunStore, run_id: str, number: int, search: str) -> None:
    """Keep that the run `search` was started for a question; errors as for `keep_answer`."""
    ended(store.get(run_id))
    with store.database.writing() as connection:
        _append(connection, run_id, [FollowUpSearched(number=number, run=search)])


def join(store: RunStore, run_id: str, found: Report, title: str, number: int) -> Joined:
    """Let what another run `found` join the books of a run, under ids of this run; return what was new.

    `title` names it among the topics, and `number` is that of the question. Errors as for `keep_answer`.
    """
    ended(store.get(run_id))
    with store.database.writing() as connection:
        result = joined(rows.events(connection, run_id, 0), found, title, number)
        rows.insert_pages(connection, run_id, result.pages)
        _append(connection, run_id, result.events)
    return result


def forget(store: RunStore, run_id: str, number: int) -> None:
    """Delete a question with its answer; what a search for it brought stays. Errors as for `keep_answer`."""
    ended(store.get(run_id))
    with store.database.writing() as connection:
        connection.execute(
            f"DELETE FROM events WHERE {_KINDS} AND json_extract(body, '$.number') = ?",  # noqa: S608
            (run_id, number),
        )
    store.database.wipe_log()


def _last_number(connection: sqlite3.Connection, run_id: str) -> int:
    last: int | None = connection.execute(
        f"SELECT max(json_extract(body, '$.number')) FROM events WHERE {_KINDS}",  # noqa: S608
        (run_id,),
    ).fetchone()[0]
    return last or 0


def _append(connection: sqlite3.Connection, run_id: str, events: Sequence[Event]) -> None:
    """Number and time events behind all that the run has, and store them."""
    last: int = connection.execute("SELECT max(seq) FROM events WHERE run = ?", (run_id,)).fetchone()[0] or 0
    now = utc_now()
    stamped = [
        event.model_copy(update={"seq": number, "at": event.at or now}) for number, event in enumerate(events, last + 1)
    ]
    rows.insert_events(connection, run_id, stamped)
