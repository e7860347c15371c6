"""What the cache of summaries spared: calls that were not made, and about what they would have cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from research.runs.store import RunStore


@dataclass(frozen=True)
class RunSaving:
    """What one run was spared."""

    run: str
    name: str
    """Title or question of the run."""
    created_at: datetime
    calls: int
    """Summaries that were kept from before, or shared with another researcher of the run."""
    usd: float | None
    """About what they would have cost; None if no price is known."""


@dataclass(frozen=True)
class Savings:
    """What all runs that have ended were spared."""

    runs: int
    calls: int
    usd: float
    """About what those calls would have cost whose price is known."""
    unpriced: int
    """Calls of which no price is known; they count nothing in `usd`."""


# A call that was not made counts what the summaries of the same run cost on average; if it made none, what they cost
# with the same model over all runs.
_VALUED = """
    WITH prices AS (
        SELECT model, sum(cost_usd) / sum(calls) AS price FROM run_savings
        WHERE calls > 0 AND cost_usd IS NOT NULL GROUP BY model
    ),
    valued AS (
        SELECT run, spared, spared * coalesce(iif(calls > 0, cost_usd / calls, NULL), price) AS usd
        FROM run_savings LEFT JOIN prices USING (model) WHERE spared > 0
    )
"""


def savings(store: RunStore) -> Savings:
    """Return what all runs were spared, as entered by `seen_index.catch_up`.

    Raises:
        StoreError: the store cannot be read.
    """
    total = (
        "SELECT count(*), coalesce(sum(spared), 0), coalesce(sum(usd), 0.0),"
        " coalesce(sum(iif(usd IS NULL, spared, 0)), 0) FROM valued"
    )
    with store.database.reading() as connection:
        return Savings(*connection.execute(_VALUED + total).fetchone())


def savings_by_run(store: RunStore, *, limit: int = 10, offset: int = 0) -> Sequence[RunSaving]:
    """Return the runs that were spared something, newest first.

    Raises:
        StoreError: the store cannot be read.
    """
    listed = (
        "SELECT run, iif(title = '', question, title) AS name, created_at, spared, usd"
        " FROM valued JOIN runs ON runs.id = run ORDER BY created_at DESC, run DESC LIMIT ? OFFSET ?"
    )
    with store.database.reading() as connection:
        rows = connection.execute(_VALUED + listed, (limit, offset)).fetchall()
    return [
        RunSaving(row["run"], row["name"], datetime.fromisoformat(row["created_at"]), row["spared"], row["usd"])
        for row in rows
    ]
