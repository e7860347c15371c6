"""What two workers do with 100 runs that wait while something goes wrong, in one table.

python -m bench.queued [--runs 100] [--before FOLDER] [part of a row's name …]

Of three accounts the first asks for six in ten runs, before the others. In the middle a worker is killed, or stands
still until the other has taken its runs over, the database is away for ten seconds, or nothing can be written for so
long: the limit of a file's size stands for a full disk, which SQLite meets in the same way; PostgreSQL's server is on a
small disk of its own, which fills up (for that, the bench has to be root). `--before` names a folder with the sources
of an earlier version, which the first worker has. Events are not whole that have a gap, or begin or end twice.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from bench.kills import is_whole, wait_until
from research.core import Brief, PresetName, SourceName
from research.settings import home_of_account
from research.store import RunState, RunStore, Task
from research.store.queue import enter
from research.store.store import HEARTBEAT_SECONDS
from tests.support.postgresql import PostgresqlServer, programs
from tests.support.vectors import with_shared_vectors
from tests.support.workers import WorkerCommand, worker_command

BRIEF = Brief(question="How long is the warranty of the AN-300?", sources=(SourceName.HOUSE,), preset=PresetName.SPEED)
_AWAY_SECONDS = 10.0
_DISK = "160m"
_NO_LIMIT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)

Workers = Sequence[WorkerCommand]
Disturb = Callable[[Workers, PostgresqlServer | None], None]


def nothing(_: Workers, __: PostgresqlServer | None) -> None:
    """Leave them alone."""


def kill_one(workers: Workers, _: PostgresqlServer | None) -> None:
    """End the first worker by signal 9."""
    workers[0].process.kill()


def halt_one(workers: Workers, _: PostgresqlServer | None) -> None:
    """Let the first worker stand still, as on a machine that sleeps, for longer than it may be silent."""
    workers[0].process.send_signal(signal.SIGSTOP)
    time.sleep(HEARTBEAT_SECONDS + 5)
    workers[0].process.send_signal(signal.SIGCONT)


def stop_database(_: Workers, server: PostgresqlServer | None) -> None:
    """Let the server of the database crash, and start it again later."""
    assert server is not None
    server.stop(signal.SIGQUIT)
    time.sleep(_AWAY_SECONDS)
    server.start()


def fill_disk(workers: Workers, _: PostgresqlServer | None) -> None:
    """Let no worker write a file further for a while."""
    for worker in workers:
        resource.prlimit(worker.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    time.sleep(_AWAY_SECONDS)
    for worker in workers:
        resource.prlimit(worker.process.pid, resource.RLIMIT_FSIZE, _NO_LIMIT)


def fill_server(_: Workers, server: PostgresqlServer | None) -> None:
    """Fill the disk of the database for a while; a server that gave up over it is started again."""
    assert server is not None
    filler = server.folder / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(2**16))
    time.sleep(_AWAY_SECONDS)
    filler.unlink()
    server.start()


@contextmanager
def small_disk() -> Iterator[Path]:
    """Lend a disk of its own that fills up, and take it away again."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_DISK},mode=755", "none", place], check=True)
        try:
            yield Path(place)
        finally:
            subprocess.run(["umount", "--lazy", place], check=True)


def row(disturb: Disturb, number: int, *, server: PostgresqlServer | None, before: Path | None) -> str:
    """Enter so many runs, let two workers carry them out, disturb them in the middle; return the cells of a row."""
    accounts = "a" * (number * 6 // 10) + "b" * (number * 2 // 10) + "c" * (number * 2 // 10)
    with ExitStack() as opened:
        home = Path(opened.enter_context(tempfile.TemporaryDirectory())) / "home"
        database = server.new_database() if server else None
        for account in ("", *"abc"):
            with_shared_vectors(home_of_account(home, account) if account else home)
        other = {"PYTHONPATH": str(before), "PYTHONSAFEPATH": "1"} if before else {}
        first = opened.enter_context(worker_command(home, database, **other))
        wait_until(lambda: any("worker_began" in line for line in first.said))  # It makes the tables of its version.
        store = RunStore(home, database)
        opened.callback(store.close)
        runs = [(enter(of, BRIEF, "extractive", Task()), of) for of in map(store.of_account, accounts)]
        began = time.monotonic()
        workers = (first, opened.enter_context(worker_command(home, database)))

        def ended() -> int:
            with store.database.reading() as connection:
                return connection.execute("SELECT count(*) FROM runs WHERE finished_at IS NOT NULL").fetchone()[0]  # type: ignore[no-any-return]

        wait_until(lambda: ended() >= number // 4)
        disturb(workers, server)
        wait_until(lambda: ended() == number, 600)
        seconds = time.monotonic() - began
        states = Counter(of.get(run).state for run, of in runs)
        broken = sum(not is_whole(tuple(of.events(run))) for run, of in runs)
        if disturb is not kill_one:
            assert all(worker.process.poll() is None for worker in workers), [worker.lines[-30:] for worker in workers]
        shares = [len(set(worker.begun())) for worker in workers]
        with store.database.reading() as connection:
            order = [turn[0] for turn in connection.execute("SELECT account FROM runs ORDER BY claimed").fetchall()]
        quarter = Counter(order[: number // 4])
    fair = ", ".join(str(quarter[account]) for account in "abc")
    return f"{states[RunState.COMPLETE]} / {number} | {broken} | {shares[0]}, {shares[1]} | {fair} | {seconds:.0f}"


ROWS: dict[str, tuple[Disturb, tuple[str, ...]]] = {
    "undisturbed": (nothing, ("SQLite", "PostgreSQL")),
    "one of two workers killed": (kill_one, ("SQLite", "PostgreSQL")),
    "one of two workers standing still for twenty seconds": (halt_one, ("SQLite", "PostgreSQL")),
    "the database away for ten seconds": (stop_database, ("PostgreSQL",)),
    "no room on the disk for ten seconds": (fill_disk, ("SQLite",)),
    "no room on the server's disk for ten seconds": (fill_server, ("PostgreSQL",)),
}


def main() -> None:
    """Print the table."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--runs", type=int, default=100)
    given.add_argument("--before", type=Path)
    given.add_argument("parts", nargs="*")
    chosen = given.parse_args()
    found = programs()
    os.environ.setdefault("PYTHONPATH", os.pathsep.join(filter(None, sys.path[:1])))
    print("| | complete | events not whole | begun by each worker | first quarter, by account | seconds |")
    print("| --- |" + " ---: |" * 5)
    for name, (disturb, engines) in ROWS.items():
        for engine in engines:
            if chosen.parts and not any(part in f"{name}, {engine}" for part in chosen.parts):
                continue
            with ExitStack() as opened:
                server = None
                if engine == "PostgreSQL":
                    if found is None:
                        continue
                    if disturb is fill_server and os.getuid() != 0:
                        continue
                    place = opened.enter_context(small_disk()) if disturb is fill_server else None
                    server = opened.enter_context(PostgresqlServer(found, place))
                cells = row(disturb, chosen.runs, server=server, before=chosen.before)
            print(f"| {name}, {engine} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
