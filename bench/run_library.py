"""The library of runs with 10,000 runs next to 10: list, search, filter, name and delete.

python -m bench.run_library
"""

from __future__ import annotations

import json
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from research.core import Brief
from research.store import RunState, RunStore, Wanted, find, label, star

FEW, MANY = 10, 10_000
_WORDS, _PAGES, _EVENTS = 900, 12, 60
_BRIEF = Brief(question="?").model_dump_json()
_START = datetime(2025, 1, 1, tzinfo=UTC)
_SYLLABLES = ["ba", "do", "ki", "lu", "me", "no", "ra", "su", "ti", "vo", "wa", "ze"]
_SIGNS = "市場規模需要予測価格輸出輸入工場設備投資資源電力価値企業戦略技術開発"


def main() -> None:
    """Print what each action takes in a large library over a small one."""
    with tempfile.TemporaryDirectory() as few, tempfile.TemporaryDirectory() as many:
        small, large = _library(Path(few), FEW), _library(Path(many), MANY)
        print(f"{'':34} {MANY:>10,} {FEW:>10}  ratio")
        for name, act in _actions().items():
            slow, quick = _median(large, act), _median(small, act)
            print(f"{name:34} {slow * 1e3:8.1f}ms {quick * 1e3:8.1f}ms {slow / quick:6.1f}")
        for store in (small, large):
            store.close()


def _actions() -> dict[str, Callable[[RunStore], object]]:
    return {
        "first page": lambda store: find(store, Wanted()),
        "last page": lambda store: find(store, Wanted(), offset=find(store, Wanted()).total - 5),
        "search: a word of one run": lambda store: find(store, Wanted(words="onlyhere")),
        "search: a word of every run": lambda store: find(store, Wanted(words="市場")),
        "search: two words, page 3": lambda store: find(store, Wanted(words="bado 需要"), offset=50),
        "filter: state": lambda store: find(store, Wanted(state=RunState.PARTIAL)),
        "filter: star and tag": lambda store: find(store, Wanted(starred=True, tags=("tag3",))),
        "name and tag": lambda store: label(store, store.list(1)[0].id, title="Named", tags=("tag3",)),
        "star": lambda store: star(store, store.list(1)[0].id, True),
        "delete": lambda store: store.delete(store.list(1)[0].id),
    }


def _median(store: RunStore, act: Callable[[RunStore], object]) -> float:
    act(store)
    taken = []
    for _ in range(5):
        began = time.perf_counter()
        act(store)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def _library(home: Path, count: int) -> RunStore:
    """Make a store with that many runs, as the engine would leave them, and enter them into the index."""
    store, chance = RunStore(home), random.Random(1)
    words = ["".join(chance.choices(_SYLLABLES, k=3)) for _ in range(20_000)] + ["bado"]
    for first in range(0, count, 500):
        with store.database.writing() as connection:
            for number in range(first, min(first + 500, count)):
                report = " ".join((*chance.choices(words, k=_WORDS), "bado 市場", *chance.choices(_SIGNS, k=900)))
                _add(connection, number, report + " onlyhere" * (number == count // 2))
    began = time.perf_counter()
    find(store, Wanted(words="bado"))
    print(f"{count:,} runs entered into the index in {time.perf_counter() - began:.1f} s")
    return store


def _add(connection: sqlite3.Connection, number: int, report: str) -> None:
    run, then = f"20250101-{number:06}", (_START + timedelta(minutes=number)).isoformat()
    state = RunState.PARTIAL if number % 10 == 0 else RunState.COMPLETE
    connection.execute(
        "INSERT INTO runs (id, created_at, question, brief, analyst, state, heartbeat, finished_at, seconds, record,"
        " markdown, starred) VALUES (?, ?, ?, ?, 'chat', ?, 0, ?, 60, ?, ?, ?)",
        (run, then, report[:80], _BRIEF, state.value, then, report * 3, report, number % 50 == 0),
    )
    connection.execute("INSERT INTO tags VALUES (?, ?)", (run, f"tag{number % 7}"))
    for page in range(_PAGES):
        facts = json.dumps({"title": report[page * 50 :][:60], "url": f"https://example.org/{run}/{page}"})
        connection.execute("INSERT INTO pages VALUES (?, ?)", (f"{run}{page}", b"x"))
        connection.execute("INSERT INTO run_pages VALUES (?, ?, ?, ?)", (run, f"S{page}", f"{run}{page}", facts))
    events = [(run, seq, "{}") for seq in range(_EVENTS)]
    connection.executemany("INSERT INTO events VALUES (?, ?, 'reflected', ?)", events)


if __name__ == "__main__":
    main()
