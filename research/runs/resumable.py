"""Runs that go on after they broke off: which can, and who carries them out."""

from __future__ import annotations

from research.errors import UsageError
from research.language import Bilingual
from research.runs.follow_ups import Origin, follow_ups, origin_of
from research.runs.model import RunState, RunSummary
from research.runs.store import RunStore, utc_now

NOT_RESUMABLE = Bilingual(
    "It is under way again or has ended, or it is a part of another run.",
    "すでに再開または終了しているか、ほかの実行の一部です。",
)


def can_resume(store: RunStore, run: RunSummary) -> bool:
    """Whether a run broke off and can go on.

    One that only wrote anew, or searched for a question about another's report, is asked for again where it was asked
    for. Once questions about what was found have been answered, what was found is a report.

    Raises:
        StoreError: the store cannot be read.
    """
    is_whole = origin_of(store, run.id) == Origin() and not follow_ups(store, run.id)
    return run.state is RunState.INTERRUPTED and is_whole


def take_over(store: RunStore, run_id: str, *, owner: str) -> None:
    """Enter a run that broke off as running again; of several who want to carry it out, the first may.

    Raises:
        UsageError: it is under way, or has ended.
        StoreError: the store cannot be written.
    """
    store.settle()
    with store.database.writing() as connection:
        taken = connection.execute(
            "UPDATE runs SET state = ?, finished_at = NULL, heartbeat = ?, owner = ? WHERE id = ? AND state = ?",
            (RunState.RUNNING.value, utc_now().timestamp(), owner, run_id, RunState.INTERRUPTED.value),
        )
    if not taken.rowcount:
        raise UsageError(NOT_RESUMABLE.in_(store.get(run_id).brief.language))
