"""What signal 9 leaves of a run: a worker is killed at random moments, and the next one goes on, in one table.

python -m bench.kills [--kills 20] [--seed 7] [part of a row's name …]

A moment is drawn evenly from the time that an undisturbed run takes, counted from when a worker has claimed the run;
the run is then claimed by the next worker, until as many were killed as asked for, and goes on to its end. A run that
broke off too often is asked to go on, as by the button *Continue*. Counted at the servers on loopback: what is asked
again although its answer had come half a second or more before the kill was paid twice; an answer on its way is lost.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count, pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from pydantic import SecretStr

from bench.loopback import Latencies, Loopback
from research.core import AnyEvent, Brief, MethodName, PresetName, RunFinished, RunStarted, SourceName
from research.settings import Settings
from research.store import RunState, RunStore, Task, Worker
from research.store.queue import enter, enter_again
from tests.support.openai_server import Body, Reply
from tests.support.postgresql import PostgresqlServer, programs
from tests.support.processes import elsewhere
from tests.support.tavily_server import Asked, Results

WITH_MODELS = "How large is the pump market, who leads it, and what is its outlook?"
WITHOUT = "What did the service centres cost in 2025, and is Vietnam on track?"
_QUICK = Latencies(0.1, (0.1, 0.3), (0.1, 0.4), 0.2, 0.2, 0.2)
_COME_SECONDS = 0.5
"""What has come for so long is kept: it has to be read and stored, on a machine that others keep busy."""
_EARLY, _LOADING_SECONDS = 0.2, 1.0
_PATIENCE = 180.0
_LOADED = ["research.store", "research.engine.conduct", "research.analysts.chat.analyst", "bench.kills"]
"""What every worker begins with: else it would load for seconds before each moment."""
_LOOK_SECONDS = 0.01


@dataclass
class Paid:
    """When the servers were asked what costs money, and when the answer had come, by what was asked."""

    searches: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    summaries: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    run: str = ""
    """The run that asks: the next one may ask for the same anew."""

    @contextmanager
    def watching(self, world: Loopback) -> Iterator[None]:
        """Take down what is asked of a world meanwhile."""
        answer, search = world.openai.handler, world.tavily.handler
        assert answer is not None and search is not None

        def answered(body: Body) -> Reply:
            reply = answer(body)
            if '"key_excerpts"' in json.dumps(body.get("response_format") or {}):
                asked = self.run + json.dumps(body["messages"], sort_keys=True)
                self.summaries.setdefault(asked, []).append(_now_and_in(reply.seconds))
            return reply

        def searched(asked: Asked) -> Results:
            found = search(asked)
            assert isinstance(found, Results)
            told = self.run + json.dumps(asked.body, sort_keys=True)
            self.searches.setdefault(told, []).append(_now_and_in(found.seconds))
            return found

        world.openai.handler, world.tavily.handler = answered, searched
        try:
            yield
        finally:
            world.openai.handler, world.tavily.handler = answer, search

    def twice(self, kills: list[float]) -> tuple[int, int, int]:
        """Return how many searches and summaries were paid twice, and how many were lost on their way."""
        twice, lost = [0, 0], 0
        for place, kind in enumerate((self.searches, self.summaries)):
            for answers in kind.values():
                for (asked, came), (again, _) in pairwise(answers):
                    # What the first kill took on its way is not there at the next one either.
                    kill = next((kill for kill in kills if kill > asked), 0)
                    if came + _COME_SECONDS <= kill < again:
                        twice[place] += 1
                        times = f"killed {kill - came:.2f} s after it had come, asked again {again - kill:.2f} s later"
                        print(f"paid twice: a {('search', 'summary')[place]}, {times}", file=sys.stderr, flush=True)
                    else:
                        lost += 1
        return twice[0], twice[1], lost


def _now_and_in(seconds: float) -> tuple[float, float]:
    return time.monotonic(), time.monotonic() + seconds


@dataclass
class Row:
    """What the runs of one method came to."""

    runs: int = 0
    kills: list[float] = field(default_factory=list)
    complete: int = 0
    gaps: int = 0
    """Runs whose events have a gap, begin or end twice, or lack what was told before a kill."""
    paid: tuple[int, int, int] = (0, 0, 0)
    asked: tuple[int, int] = (0, 0)


def _work(connection: Connection, environment: Mapping[str, str]) -> None:
    """Carry out what waits in a process of its own, and say which runs were begun."""
    settings = Settings.from_environment(environment)
    with suppress(BrokenPipeError, EOFError):
        Worker(RunStore.of(settings), settings, say=connection.send).work(until_idle=True)


class Trial:
    """The runs of one method in one store, each carried on by worker after worker."""

    def __init__(self, store: RunStore, environment: Mapping[str, str], briefs: Iterator[Brief], analyst: str) -> None:
        self._store = store
        self._environment = environment
        self._briefs = briefs
        self._analyst = analyst

    def usual_seconds(self) -> float:
        """Return what an undisturbed run takes, after a first one that fills caches and indexes."""
        for _ in range(2):
            run, took = enter(self._store, next(self._briefs), self._analyst, Task()), Row()
            assert self._life(run, None, took), "an undisturbed run did not end"
            seconds = self._store.get(run).seconds
        return seconds

    def row(self, kills: int, chance: Random, usual: float, paid: Paid) -> Row:
        """Kill so many workers; return what their runs came to."""
        row = Row()
        while len(row.kills) < kills:
            run = enter(self._store, next(self._briefs), self._analyst, Task())
            paid.run = run
            row.runs += 1
            told: tuple[AnyEvent, ...] = ()
            is_sound = True
            while not self._life(run, self._moment(chance, usual) if len(row.kills) < kills else None, row):
                events = tuple(self._store.events(run))
                is_sound &= events[: len(told)] == told
                told = events
                if self._store.get(run).state is RunState.INTERRUPTED:
                    enter_again(self._store, run, Task())
            events = tuple(self._store.events(run))
            row.complete += self._store.get(run).state is RunState.COMPLETE
            row.gaps += not (is_sound and events[: len(told)] == told and is_whole(events))
        return row

    @staticmethod
    def _moment(chance: Random, usual: float) -> float:
        """Return when a worker is killed: mostly while the run is under way, sometimes while it is still loading."""
        return -chance.uniform(0, _LOADING_SECONDS) if chance.random() < _EARLY else chance.uniform(0, usual)

    def _life(self, run: str, seconds: float | None, row: Row) -> bool:
        """Let a worker carry the run on, and kill it after so many seconds; return whether the run ended before.

        They count from what it first reports; before that, it is killed so many seconds after it claimed the run.
        """
        before = len(self._store.events(run))
        with elsewhere(_work, self._environment) as (process, connection):
            wait_until(lambda: connection.poll(_LOOK_SECONDS) and f"run_begun run={run}" in connection.recv())
            if seconds is None or seconds >= 0:
                # A run of which only the record was not stored has nothing more to tell.
                wait_until(lambda: len(self._store.events(run)) > before or self._has_ended(run))
            moment = time.monotonic() + (_PATIENCE if seconds is None else abs(seconds))
            while (left := moment - time.monotonic()) > 0:
                if self._has_ended(run):
                    process.join(_PATIENCE)
                    return True
                time.sleep(min(_LOOK_SECONDS * 5, left))
            assert seconds is not None, "the run did not end in time"
            process.kill()
            row.kills.append(time.monotonic())
        return self._has_ended(run)

    def _has_ended(self, run: str) -> bool:
        return self._store.get(run).state in (RunState.COMPLETE, RunState.PARTIAL, RunState.FAILED)


def wait_until(condition: Callable[[], object], patience: float = _PATIENCE) -> None:
    """Wait until something happens, for so many seconds at most."""
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(_LOOK_SECONDS)


def is_whole(events: tuple[AnyEvent, ...]) -> bool:
    """Whether the stream of a run has no gap, and begins and ends once."""
    kinds = [type(event) for event in events]
    once = kinds.count(RunStarted) == kinds.count(RunFinished) == 1
    return once and [event.seq for event in events] == list(range(1, len(events) + 1))


def _with_models(method: MethodName) -> Iterator[Brief]:
    for number in count():
        question = f"{WITH_MODELS} (edition {number})"
        yield Brief(question=question, preset=PresetName.QUALITY, method=method, sources=(SourceName.WEB,))


def _without(method: MethodName) -> Iterator[Brief]:
    for _ in count():
        yield Brief(question=WITHOUT, method=method, sources=(SourceName.HOUSE,))


def trial(method: MethodName, database: SecretStr | None, kills: int, seed: str, *, models: bool) -> Row:
    """Carry out one row."""
    with Loopback(_QUICK) as world, tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "RESEARCH_HOME": home, **(world.environment if models else {})}
        if database is not None:
            environment["RESEARCH_DATABASE"] = database.get_secret_value()
        briefs, analyst = (_with_models(method), "chat") if models else (_without(method), "extractive")
        with closing(RunStore(Path(home), database)) as store:
            one = Trial(store, environment, briefs, analyst)
            usual, paid = one.usual_seconds(), Paid()
            with paid.watching(world):
                row = one.row(kills, Random(seed), usual, paid)
        row.paid = paid.twice(row.kills)
        row.asked = tuple(sum(map(len, kind.values())) for kind in (paid.searches, paid.summaries))  # type: ignore[assignment]
        return row


def main() -> None:
    """Print the table."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--kills", type=int, default=20)
    given.add_argument("--seed", type=int, default=7)
    given.add_argument("parts", nargs="*")
    chosen = given.parse_args()
    print(
        "| run | kills | runs | complete | streams with a gap | searches: asked, paid twice "
        "| summaries: asked, paid twice | lost on their way |"
    )
    print("| --- |" + " ---: |" * 7)
    get_context("forkserver").set_forkserver_preload(_LOADED)
    found = programs()
    for engine in ("SQLite", *(["PostgreSQL"] if found else [])):
        for models in (True, False):
            for method in MethodName:
                name = f"{method.value}, {'models' if models else 'no model'}, {engine}"
                if chosen.parts and not any(part in name for part in chosen.parts):
                    continue
                seed = f"{chosen.seed} {name}"
                if engine == "SQLite" or found is None:
                    row = trial(method, None, chosen.kills, seed, models=models)
                else:
                    with PostgresqlServer(found) as server:
                        row = trial(method, server.new_database(), chosen.kills, seed, models=models)
                counted = f"{len(row.kills)} | {row.runs} | {row.complete} | {row.gaps}"
                (searches, summaries), (search, summary, lost) = row.asked, row.paid
                print(f"| {name} | {counted} | {searches}, {search} | {summaries}, {summary} | {lost} |", flush=True)


if __name__ == "__main__":
    # What a process of its own is to do is found by the name of its module.
    import_module("bench.kills").main()
