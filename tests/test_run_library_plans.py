"""The library stays fast with many runs: how its queries go about it, told by SQLite itself."""

from __future__ import annotations

import pytest

from research.core import Brief, Status
from research.store import RunStore, Wanted, find
from research.store.search import selection_of
from research.store.store import SUMMARY_COLUMNS
from tests.test_run_library import clock, store

__all__ = ["clock", "store"]


def plan(store: RunStore, query: str, *values: object) -> str:
    with store.database.reading() as connection:
        return "\n".join(row["detail"] for row in connection.execute("EXPLAIN QUERY PLAN " + query, values))


NEWEST = "SELECT id FROM runs WHERE {} ORDER BY created_at DESC, id DESC LIMIT 25 OFFSET 9000"


@pytest.mark.parametrize(
    ("condition", "index"),
    [
        ("1", "COVERING INDEX runs_by_time"),
        ("state = 'complete'", "COVERING INDEX runs_by_state"),
        ("starred", "COVERING INDEX runs_listed"),
    ],
)
def test_no_page_of_the_list_reads_or_sorts_all_runs(store: RunStore, condition: str, index: str) -> None:
    found = plan(store, NEWEST.format(condition))
    assert index in found
    assert "TEMP B-TREE" not in found


def test_only_the_runs_shown_are_counted_out(store: RunStore) -> None:
    chosen = f"WHERE id IN ({NEWEST.format('1')}) ORDER BY created_at DESC, id DESC"
    found = plan(store, SUMMARY_COLUMNS + chosen)
    assert "SEARCH runs USING PRIMARY KEY (id=?)" in found
    assert "SCAN events" not in found
    assert "SCAN tags" not in found


@pytest.mark.parametrize("wanted", [Wanted(words="tea"), Wanted(tags=("asia",)), Wanted(words="tea", starred=True)])
def test_a_search_reads_indexes_alone_and_sorts_nothing(store: RunStore, wanted: Wanted) -> None:
    selection = selection_of(wanted)
    assert selection is not None
    found = plan(store, NEWEST.format(selection[0]), *selection[1])
    assert "SCAN runs USING COVERING INDEX" in found
    assert "SCAN search_texts" not in found
    assert "SCAN tags" not in found
    assert "TEMP B-TREE" not in found


def test_a_dead_run_is_looked_for_by_state(store: RunStore) -> None:
    assert "runs_by_state" in plan(store, "SELECT id, heartbeat, owner FROM runs WHERE state = 'running'")


def test_a_thousand_runs_are_entered_before_the_first_answer(store: RunStore) -> None:
    with store.database.writing() as connection:
        connection.executemany(
            "INSERT INTO runs (id, created_at, question, brief, analyst, state, heartbeat)"
            " VALUES (?, '2026-11-21T00:00:00+00:00', ?, ?, 'chat', ?, 0)",
            [
                (f"20261121-{number:06}", f"Tea {number}", Brief(question="?").model_dump_json(), Status.COMPLETE.value)
                for number in range(1_000)
            ],
        )
    assert find(store, Wanted(words="tea")).total == 1_000
    assert find(store, Wanted(words="tea"), limit=5, offset=10).runs[0].id == "20261121-000989"
