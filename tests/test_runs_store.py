"""The run store: what is written is there, for everyone, and goes when it is deleted."""

import resource
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

import pytest
from pydantic import SecretStr

from research.core import (
    AddQuestion,
    Brief,
    DropTopic,
    EvidenceFound,
    FinishNow,
    Reflected,
    ReportStarted,
    Status,
    StopNow,
    StoreError,
    UsageError,
)
from research.store import RunState, RunStore
from research.store.database import MIGRATIONS, migrate, new_run_id
from research.store.store import HEARTBEAT_SECONDS
from tests.support.processes import elsewhere, said
from tests.support.stored_runs import BRIEF, Clock, append, page, record


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, database: SecretStr | None, clock: Clock) -> Iterator[RunStore]:
    store = RunStore(tmp_path, database, now=clock)
    yield store
    store.close()


def test_a_new_run_is_running_and_open(store: RunStore) -> None:
    run_id = store.create(BRIEF, "extractive")
    run = store.get(run_id)
    assert (run.question, run.brief, run.analyst, run.state) == (BRIEF.question, BRIEF, "extractive", RunState.RUNNING)
    assert run.finished_at is None
    assert store.record(run_id) is None
    assert store.markdown(run_id) is None
    assert store.steering(run_id) == {}


def test_events_are_numbered_from_one_and_timed(store: RunStore, clock: Clock) -> None:
    run_id = store.create(BRIEF, "extractive")
    append(store, run_id, ReportStarted(analyst="extractive"))
    clock.advance(1)
    append(store, run_id, Reflected(lane="R1", reflection="世界は広い。"))
    events = store.events(run_id)
    assert [event.seq for event in events] == [1, 2]
    assert [event.at for event in events] == [clock.now - timedelta(seconds=1), clock.now]
    assert events[1] == Reflected(seq=2, at=clock.now, lane="R1", reflection="世界は広い。")
    assert store.events(run_id, after=1) == events[1:]


def test_numbers_have_no_holes_when_many_threads_write(store: RunStore) -> None:
    run_id = store.create(BRIEF, "extractive")

    def write() -> None:
        for _ in range(20):
            append(store, run_id, ReportStarted(analyst="extractive"))

    threads = [threading.Thread(target=write) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event.seq for event in store.events(run_id)] == list(range(1, 101))


def test_pages_come_back_as_they_were_and_in_order(store: RunStore) -> None:
    run_id = store.create(BRIEF, "extractive")
    pages = [page(f"S{number}", f"text {number} \ud800 with half a character") for number in (2, 10, 1)]
    for entry in pages:
        store.extend(run_id, (), [entry])
        store.extend(run_id, (), [entry])
    assert list(store.pages(run_id)) == ["S1", "S2", "S10"]
    assert store.pages(run_id)["S10"] == pages[1]
    assert store.page_text(pages[0].sha256) == pages[0].text


def test_a_finished_run_has_its_report(store: RunStore, clock: Clock) -> None:
    run_id = store.create(BRIEF, "extractive")
    clock.advance(4)
    store.finish(run_id, record(run_id, Status.PARTIAL), "# Report\n")
    run = store.get(run_id)
    assert (run.state, run.seconds, run.finished_at) == (RunState.PARTIAL, 3.5, clock.now)
    assert store.record(run_id) == record(run_id, Status.PARTIAL)
    assert store.markdown(run_id) == "# Report\n"


def test_runs_are_listed_newest_first_with_counts(store: RunStore, clock: Clock) -> None:
    names = []
    for _ in range(3):
        names.append(store.create(BRIEF, "extractive"))
        clock.advance(1)
    store.extend(names[2], (), [page()])
    append(store, names[2], EvidenceFound(lane="R1", id="E1", source="S1", quote="4 %", start=0, end=3))
    append(store, names[2], Reflected(lane="R1", reflection="…"))
    assert [run.id for run in store.list()] == names[::-1]
    assert [run.id for run in store.list(limit=1, offset=1)] == [names[1]]
    newest = store.list(limit=1)[0]
    assert (newest.events, newest.pages, newest.evidence) == (2, 1, 1)


def test_a_run_without_heartbeat_is_interrupted_and_stays_readable(store: RunStore, clock: Clock) -> None:
    run_id = store.create(BRIEF, "extractive")
    append(store, run_id, Reflected(lane="R1", reflection="half way"))
    clock.advance(14)
    assert store.get(run_id).state is RunState.RUNNING
    last_alive = clock.now
    store.heartbeat(run_id)
    clock.advance(16)
    run = store.list()[0]
    assert (run.state, run.finished_at) == (RunState.INTERRUPTED, last_alive)
    assert len(store.events(run_id)) == 1


def test_a_run_that_was_taken_for_dead_can_show_itself_alive(store: RunStore, clock: Clock) -> None:
    run_id = store.create(BRIEF, "extractive")
    clock.advance(60)
    assert store.get(run_id).state is RunState.INTERRUPTED
    store.heartbeat(run_id)
    assert (store.get(run_id).state, store.get(run_id).finished_at) == (RunState.RUNNING, None)


def test_a_heartbeat_does_not_reopen_a_finished_run(store: RunStore) -> None:
    run_id = store.create(BRIEF, "extractive")
    store.finish(run_id, record(run_id), "")
    store.heartbeat(run_id)
    assert store.get(run_id).state is RunState.COMPLETE


def test_what_is_asked_of_a_run_is_kept_in_order(store: RunStore) -> None:
    run_id, other = store.create(BRIEF, "extractive"), store.create(BRIEF, "extractive")
    asked = [AddQuestion(text="And prices?"), DropTopic(lane="R1"), AddQuestion(text="And prices?"), FinishNow()]
    for steer in asked:
        store.steer(run_id, steer)
        store.steer(other, StopNow())
    assert store.steering(run_id) == dict(enumerate(asked, 1))
    assert store.steering(run_id, after=2) == {3: asked[2], 4: asked[3]}
    assert list(store.steering(other).values()) == [StopNow()] * 4


def test_a_deleted_run_leaves_nothing_but_what_others_use(store: RunStore, tmp_path: Path) -> None:
    secret = Brief(question="Is Kawanami Instruments for sale?")
    mine, other = store.create(secret, "extractive"), store.create(BRIEF, "extractive")
    shared, own = page("S1", "shared text"), page("S2", "own text")
    for entry in (shared, own):
        store.extend(mine, (), [entry])
    store.extend(other, (), [shared])
    append(store, mine, Reflected(lane="R1", reflection="Kawanami again"))
    store.steer(mine, AddQuestion(text="And who owns Kawanami?"))
    store.finish(mine, record(mine), "Kawanami")
    store.delete(mine)
    assert [run.id for run in store.list()] == [other]
    assert store.page_text(shared.sha256) == "shared text"
    with pytest.raises(UsageError):
        store.page_text(own.sha256)
    for read in (store.get, store.events, store.pages, store.record, store.markdown, store.delete):
        with pytest.raises(UsageError, match=mine):
            read(mine)
    assert b"Kawanami" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_a_running_run_cannot_be_deleted(store: RunStore, clock: Clock) -> None:
    run_id = store.create(BRIEF, "extractive")
    with pytest.raises(UsageError, match="still running"):
        store.delete(run_id)
    clock.advance(16)
    store.delete(run_id)
    assert store.list() == []


def test_what_names_no_run_is_refused(store: RunStore) -> None:
    for write in (
        store.heartbeat,
        lambda name: store.steer(name, StopNow()),
        store.steering,
        lambda name: store.extend(name, (), [page()]),
    ):
        with pytest.raises(UsageError, match="no run"):
            write("20260101-aaaaaa")


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    store = RunStore(home)
    store.create(BRIEF, "extractive")
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in home.iterdir()} == {0o600}
    store.close()


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    RunStore(tmp_path).close()
    with sqlite3.connect(tmp_path / "runs.sqlite3") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="version 99"):
        RunStore(tmp_path)


def test_a_busy_store_says_so(tmp_path: Path, database: SecretStr | None) -> None:
    store = RunStore(tmp_path, database, wait_seconds=0.05)
    with RunStore(tmp_path, database).database.writing(), pytest.raises(StoreError, match="another process") as busy:
        store.create(BRIEF, "extractive")
    assert busy.value.code == "store_busy"
    store.close()


def test_a_store_that_cannot_be_written_is_still_read(tmp_path: Path, clock: Clock, database: SecretStr | None) -> None:
    store = RunStore(tmp_path, database, now=clock, wait_seconds=0.05)
    run = store.create(BRIEF, "extractive")
    clock.advance(HEARTBEAT_SECONDS + 1)
    with RunStore(tmp_path, database).database.writing():
        assert store.get(run).state is RunState.RUNNING, "where no one can write, no one can show a sign of life"
    assert store.get(run).state is RunState.INTERRUPTED
    store.close()
    assert store.create(BRIEF, "extractive")
    store.close()


def test_a_damaged_store_says_so(tmp_path: Path) -> None:
    (tmp_path / "runs.sqlite3").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="damaged"):
        RunStore(tmp_path)


def test_a_home_that_is_a_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(StoreError, match=r"runs\.sqlite3 cannot be used"):
        RunStore(tmp_path / "home")


def _fill(connection: Connection, home: Path) -> None:
    """Store events until the disk is full: the limit of a file's size stands for it, SQLite meets both in one way."""
    store = RunStore(home)
    run_id = store.create(Brief(question="?"), "extractive")
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
    stored, message = 0, ""
    try:
        while stored < 1_000:
            append(store, run_id, Reflected(lane="R1", reflection="x" * 10_000))
            stored += 1
    except StoreError as error:
        message = str(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    kept = len(store.events(run_id))
    after = append(store, run_id, Reflected(lane="R1", reflection="y")).seq
    connection.send((message, stored, kept, after))


def test_a_full_disk_says_so_and_loses_nothing(tmp_path: Path) -> None:
    with elsewhere(_fill, tmp_path) as (_, connection):
        message, stored, kept, after = cast("tuple[str, int, int, int]", said(connection))
    assert "disk" in message
    assert 0 < stored == kept == after - 1


def _create(connection: Connection, home: Path, database: SecretStr | None) -> None:
    connection.recv()
    store = RunStore(home, database)
    connection.send([store.create(Brief(question="?"), "extractive") for _ in range(5)])


def test_processes_share_a_store_that_none_has_made_yet(tmp_path: Path, database: SecretStr | None) -> None:
    with ExitStack() as running:
        connections = [running.enter_context(elsewhere(_create, tmp_path, database))[1] for _ in range(3)]
        for connection in connections:
            connection.send("begin")
        names = [name for connection in connections for name in cast("list[str]", said(connection))]
    assert len(set(names)) == 15
    store = RunStore(tmp_path, database)
    assert {run.id for run in store.list()} == set(names)
    store.close()


def test_run_ids_sort_by_time_and_suit_an_address() -> None:
    start = datetime(2026, 11, 21, 0, 0, tzinfo=UTC)
    moments = [start + timedelta(seconds=seconds) for seconds in (0, 0.2, 59, 3_600, 86_399.9, 86_400)]
    names = [new_run_id(moment) for moment in moments]
    assert names == sorted(names)
    assert all(name.startswith("202611") and len(name) == 15 and name.replace("-", "").isalnum() for name in names)


def test_a_store_of_an_older_version_is_brought_up_to_date(tmp_path: Path) -> None:
    RunStore(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "runs.sqlite3")
    migrate(connection, (*MIGRATIONS, ("ALTER TABLE runs ADD COLUMN colour TEXT",)))
    assert connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS) + 1
    assert connection.execute("SELECT count(colour) FROM runs").fetchone()[0] == 0
    connection.close()


def test_a_store_of_the_first_version_keeps_its_runs_and_takes_requests(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "runs.sqlite3")
    migrate(connection, MIGRATIONS[:1])
    connection.execute(
        "INSERT INTO runs (id, created_at, question, brief, analyst, state, heartbeat, wish)"
        " VALUES ('20261121-aaaaaa', '2026-11-21T00:00:00+00:00', '?', ?, 'extractive', 'running', 0, 'stop')",
        (BRIEF.model_dump_json(),),
    )
    connection.commit()
    connection.close()
    store = RunStore(tmp_path)
    store.steer("20261121-aaaaaa", FinishNow())
    assert store.steering("20261121-aaaaaa") == {1: FinishNow()}
    assert store.get("20261121-aaaaaa").state is RunState.INTERRUPTED
    store.close()
