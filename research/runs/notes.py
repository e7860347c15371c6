"""The research notes of stored runs: they can be read and deleted by themselves, run by run."""

from __future__ import annotations

from research.errors import UsageError
from research.events import parse_event
from research.notes import ResearchNote, notes_of
from research.runs.model import RunState
from research.runs.store import RunStore

_NOTES = "run = ? AND type = 'note_taken'"


def notes(store: RunStore, run_id: str) -> tuple[ResearchNote, ...]:
    """Return the notes of a run by step; none if its method takes none.

    Raises:
        UsageError: there is no such run.
        StoreError: the store cannot be read.
    """
    store.get(run_id)
    with store.database.reading() as connection:
        # `_NOTES` is a constant of this module.
        found = connection.execute(f"SELECT body FROM events WHERE {_NOTES}", (run_id,)).fetchall()  # noqa: S608
    return notes_of(parse_event(row["body"]) for row in found)


def delete_notes(store: RunStore, run_id: str) -> int:
    """Delete the notes of a run, and nothing else of it; return how many there were. Their bytes are overwritten.

    Raises:
        UsageError: there is no such run, or it is still running.
        StoreError: the store cannot be written.
    """
    if store.get(run_id).state is RunState.RUNNING:
        raise UsageError(f"The run {run_id} is still running; stop it before deleting its notes.")
    with store.database.writing() as connection:
        deleted = connection.execute(f"DELETE FROM events WHERE {_NOTES}", (run_id,)).rowcount  # noqa: S608
    store.database.wipe_log()
    return deleted
