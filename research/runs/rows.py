"""Between the tables of the run store and the objects that they hold."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime

from pydantic import ValidationError

from research.brief import Brief
from research.errors import UsageError
from research.events import AnyEvent, Event, parse_event
from research.evidence import Page
from research.runs.model import RunState, RunSummary
from research.steering import Steer, parse_steer

SUMMARY = """
    SELECT id, created_at, brief, analyst, state, heartbeat, owner, finished_at, seconds, title, starred, follows,
        (SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE run = id ORDER BY tag)) AS tags,
        (SELECT json_extract(body, '$.follow_up_to') FROM events WHERE run = id AND seq = 1) AS searches_for,
        (SELECT count(*) FROM events WHERE run = id) AS events,
        (SELECT count(*) FROM run_pages WHERE run = id) AS pages,
        (SELECT count(*) FROM events WHERE run = id AND type = 'evidence_found') AS evidence
    FROM runs
"""


def unknown(run_id: str) -> UsageError:
    """Return the error that there is no such run."""
    return UsageError(f"There is no run {run_id}.")


def check_exists(connection: sqlite3.Connection, run_id: str, owner: str | None = None) -> None:
    """Raise `UsageError` if there is no such run, or none that is the `owner`'s."""
    row = connection.execute("SELECT owner FROM runs WHERE id = ?", (run_id,)).fetchone()
    if row is None or owner not in (None, row["owner"]):
        raise unknown(run_id)


def summary(row: sqlite3.Row, now: datetime) -> RunSummary:
    """Return what a row of `SUMMARY` says."""
    created_at = datetime.fromisoformat(row["created_at"])
    finished_at = datetime.fromisoformat(row["finished_at"]) if row["finished_at"] else None
    brief = Brief.model_validate_json(row["brief"])
    return RunSummary(
        id=row["id"],
        question=brief.question,
        brief=brief,
        analyst=row["analyst"],
        state=RunState(row["state"]),
        created_at=created_at,
        finished_at=finished_at,
        seconds=row["seconds"] or ((finished_at or now) - created_at).total_seconds(),
        events=row["events"],
        pages=row["pages"],
        evidence=row["evidence"],
        title=row["title"],
        starred=bool(row["starred"]),
        tags=tuple(json.loads(row["tags"])),
        follows=row["follows"],
        searches_for=row["searches_for"] or "",
    )


def running(connection: sqlite3.Connection) -> list[sqlite3.Row]:
    """Return what tells of the runs that count as running whether they live."""
    found = "SELECT id, state, heartbeat, owner FROM runs WHERE state = ?"
    return connection.execute(found, (RunState.RUNNING.value,)).fetchall()


def interrupt(connection: sqlite3.Connection, dead: Iterable[sqlite3.Row]) -> None:
    """Enter runs as interrupted, at the moment when they showed themselves alive for the last time."""
    for row in dead:
        last_alive = datetime.fromtimestamp(row["heartbeat"], UTC).isoformat()
        connection.execute(
            "UPDATE runs SET state = ?, finished_at = ? WHERE id = ?",
            (RunState.INTERRUPTED.value, last_alive, row["id"]),
        )


def insert_events(connection: sqlite3.Connection, run_id: str, events: Iterable[Event]) -> None:
    """Insert events that are numbered and timed."""
    connection.executemany(
        "INSERT INTO events (run, seq, type, body) VALUES (?, ?, ?, ?)",
        # `type` is a field of every kind of event, though not of their base.
        [(run_id, event.seq, event.type, event.model_dump_json()) for event in events],  # type: ignore[attr-defined]
    )


def events(connection: sqlite3.Connection, run_id: str, after: int) -> list[AnyEvent]:
    """Return the events of a run from number `after` + 1 on."""
    found = connection.execute("SELECT body FROM events WHERE run = ? AND seq > ? ORDER BY seq", (run_id, after))
    return [parse_event(row["body"]) for row in found]


def insert_steer(connection: sqlite3.Connection, run_id: str, steer: Steer) -> None:
    """Insert what was asked of a run, after all that was asked of it before."""
    connection.execute(
        "INSERT INTO steering SELECT ?, coalesce(max(seq), 0) + 1, ? FROM steering WHERE run = ?",
        (run_id, steer.model_dump_json(), run_id),
    )


def steering(connection: sqlite3.Connection, run_id: str, after: int) -> dict[int, Steer]:
    """Return what was asked of a run from number `after` + 1 on, by number, as far as this version knows it."""
    found = connection.execute("SELECT seq, body FROM steering WHERE run = ? AND seq > ? ORDER BY seq", (run_id, after))
    read = ((row["seq"], _steer(row["body"])) for row in found)
    return {number: steer for number, steer in read if steer is not None}


def _steer(body: str) -> Steer | None:
    try:
        return parse_steer(body)
    except ValidationError:
        return None


def insert_pages(connection: sqlite3.Connection, run_id: str, pages: Iterable[Page]) -> None:
    """Insert pages that a run has read; what is there already stays as it is."""
    for page in pages:
        packed = zlib.compress(page.text.encode("utf-8", "surrogatepass"), 1)
        connection.execute("INSERT OR IGNORE INTO pages VALUES (?, ?)", (page.sha256, packed))
        connection.execute(
            "INSERT OR IGNORE INTO run_pages VALUES (?, ?, ?, ?)",
            (run_id, page.id, page.sha256, page.model_copy(update={"text": ""}).model_dump_json()),
        )


def pages(connection: sqlite3.Connection, run_id: str) -> dict[str, Page]:
    """Return the pages of a run with their texts, by id in the order of reading."""
    found = connection.execute(
        "SELECT facts, text FROM run_pages JOIN pages USING (sha256) WHERE run = ? ORDER BY length(page), page",
        (run_id,),
    )
    read = (Page.model_validate_json(row["facts"]).model_copy(update={"text": unpack(row["text"])}) for row in found)
    return {page.id: page for page in read}


def unpack(packed: bytes) -> str:
    """Return the text of a page."""
    return zlib.decompress(packed).decode("utf-8", "surrogatepass")
