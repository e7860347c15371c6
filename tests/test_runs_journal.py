"""The journal: reporting never waits and never fails; what was reported reaches the store, in order and once."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import cast

import pytest
from pydantic import SecretStr

from research import core
from research.store import Recorder, RunState, RunStore, StoredJournal
from research.store.database import Owners
from tests.support.machine import wait_until
from tests.support.processes import elsewhere, said
from tests.support.stored_runs import BRIEF, page, record


@pytest.fixture
def store(tmp_path: Path, database: SecretStr | None) -> Iterator[RunStore]:
    store = RunStore(tmp_path, database, wait_seconds=0.05)
    yield store
    store.close()


def opened(store: RunStore) -> tuple[str, StoredJournal]:
    run_id = store.create(BRIEF, "scripted")
    return run_id, StoredJournal(store, run_id)


def thought(text: str) -> core.Event:
    return core.Reflected(lane="R1", reflection=text)


def test_what_is_reported_reaches_the_store_once_and_in_order(store: RunStore) -> None:
    run_id, journal = opened(store)
    stamped = [journal.emit(thought(str(number))) for number in range(3)]
    journal.keep(page())
    journal.keep(page())
    assert journal.flush()
    stamped.append(journal.emit(thought("3")))
    assert journal.flush()
    assert [event.seq for event in stamped] == [1, 2, 3, 4]
    assert store.events(run_id) == stamped == journal.since()
    assert list(store.pages(run_id)) == ["S1"]


def test_events_of_many_threads_have_numbers_without_holes(store: RunStore) -> None:
    run_id, journal = opened(store)
    threads = [threading.Thread(target=lambda: [journal.emit(thought("x")) for _ in range(200)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        journal.flush()
    assert journal.flush()
    assert [event.seq for event in store.events(run_id)] == list(range(1, 801))


def test_while_the_store_is_locked_nothing_is_lost_and_the_trouble_is_told_once(
    store: RunStore, tmp_path: Path, database: SecretStr | None
) -> None:
    run_id, journal = opened(store)
    with RunStore(tmp_path, database).database.writing():
        journal.emit(thought("one"))
        journal.keep(page())
        assert not journal.flush()
        journal.emit(thought("two"))
        assert not journal.flush(), "after a failure the store is left alone for a while"
    journal.end(record(run_id), "# Report")
    wait_until(journal.flush)
    events = store.events(run_id)
    assert [event.seq for event in events] == [1, 2, 3]
    assert [event.code for event in events if isinstance(event, core.ProblemOccurred)] == ["saved_late"]
    assert list(store.pages(run_id)) == ["S1"]
    assert store.markdown(run_id) == "# Report"


def test_nothing_follows_the_end_of_a_run(store: RunStore) -> None:
    _, journal = opened(store)
    journal.emit(core.RunFinished(status=core.Status.COMPLETE, seconds=1.0))
    journal.emit(core.ReportStarted(analyst="late"))
    assert [type(event) for event in journal.since()] == [core.RunFinished]


def test_the_ending_is_stored_after_all_events(store: RunStore) -> None:
    run_id, journal = opened(store)
    journal.emit(core.RunFinished(status=core.Status.PARTIAL, seconds=1.0))
    journal.end(record(run_id, core.Status.PARTIAL), "# Report")
    assert store.get(run_id).state is RunState.RUNNING
    assert journal.flush()
    assert (store.get(run_id).state, len(store.events(run_id))) == (RunState.PARTIAL, 1)


def test_a_run_that_ends_while_its_events_are_being_stored_has_not_ended_without_its_last_one(
    tmp_path: Path, database: SecretStr | None
) -> None:
    store = RunStore(tmp_path, database)
    run_id, journal = opened(store)
    journal.emit(thought("one"))
    flushing = threading.Thread(target=journal.flush)
    with RunStore(tmp_path, database).database.writing(run_id):
        flushing.start()
        time.sleep(0.3)  # It waits for the store by now.
        journal.emit(core.RunFinished(status=core.Status.PARTIAL, seconds=1.0))
        journal.end(record(run_id, core.Status.PARTIAL), "# Report")
    flushing.join()
    assert store.get(run_id).state.is_open or len(store.events(run_id)) == 2
    assert journal.flush()
    assert (store.get(run_id).state, len(store.events(run_id))) == (RunState.PARTIAL, 2)
    store.close()


def test_the_recorder_stores_by_itself_and_brings_what_is_asked_in_order_and_once(store: RunStore) -> None:
    recorder = Recorder()
    heard: list[core.Steer] = []
    run_id, journal = opened(store)
    recorder.watch(run_id, journal, heard.append)
    journal.emit(thought("one"))
    wait_until(lambda: len(store.events(run_id)) == 1)
    store.steer(run_id, core.FinishNow())
    wait_until(lambda: heard == [core.FinishNow()])
    store.steer(run_id, core.AddQuestion(text="And prices?"))
    store.steer(run_id, core.StopNow())
    wait_until(lambda: heard == [core.FinishNow(), core.AddQuestion(text="And prices?"), core.StopNow()])
    journal.emit(thought("two"))
    recorder.close()
    assert len(store.events(run_id)) == 2


def test_what_a_newer_version_asks_is_passed_over(store: RunStore) -> None:
    recorder = Recorder()
    heard: list[core.Steer] = []
    run_id, journal = opened(store)
    with store.database.writing() as connection:
        connection.execute("INSERT INTO steering VALUES (?, 1, ?)", (run_id, '{"kind": "dance"}'))
    store.steer(run_id, core.FinishNow())
    recorder.watch(run_id, journal, heard.append)
    wait_until(lambda: heard == [core.FinishNow()])
    store.steer(run_id, core.StopNow())
    wait_until(lambda: heard == [core.FinishNow(), core.StopNow()])
    recorder.close()


def test_the_recorder_outlives_a_run_that_vanished(store: RunStore) -> None:
    recorder = Recorder()
    gone, kept = opened(store), opened(store)
    for run_id, journal in (gone, kept):
        recorder.watch(run_id, journal, lambda steer: None)
    store.finish(gone[0], record(gone[0]), "")
    store.delete(gone[0])
    gone[1].emit(thought("into nowhere"))
    kept[1].emit(thought("kept"))
    wait_until(lambda: len(store.events(kept[0])) == 1)
    recorder.close()
    assert [run.id for run in store.list()] == [kept[0]]


def test_ten_busy_runs_are_stored_whole(store: RunStore) -> None:
    recorder = Recorder()
    runs = [opened(store) for _ in range(10)]
    for run_id, journal in runs:
        recorder.watch(run_id, journal, lambda steer: None)
    for _ in range(50):
        for _, journal in runs:
            journal.emit(thought("a reflection of ordinary length " * 10))
        time.sleep(0.01)
    wait_until(lambda: all(len(store.events(run_id)) == 50 for run_id, _ in runs))
    recorder.close()
    for run_id, _ in runs:
        assert [event.seq for event in store.events(run_id)] == list(range(1, 51))


# --- owners of runs --------------------------------------------------------------------------------------------------


def _live(connection: Connection, folder: Path) -> None:
    connection.send(Owners(folder).enter().name)
    connection.recv()


def _live_many(connection: Connection, folder: Path) -> None:
    connection.recv()
    held = [Owners(folder).enter() for _ in range(100)]
    connection.send([owner.name for owner in held])
    connection.recv()


@pytest.fixture
def local_store(tmp_path: Path) -> Iterator[RunStore]:
    local_store = RunStore(tmp_path)
    yield local_store
    local_store.close()


@dataclass
class Other:
    """Another process that is an owner in the same home folder."""

    name: str
    process: BaseProcess

    def kill(self) -> None:
        self.process.kill()
        self.process.join()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Other]:
    with elsewhere(_live, tmp_path / "owners") as (process, connection):
        yield Other(str(said(connection)), process)


def files(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "owners").iterdir())


def test_an_owner_lives_until_it_leaves(tmp_path: Path) -> None:
    owners = Owners(tmp_path / "owners")
    first, second = owners.enter(), owners.enter()
    assert not owners.is_gone(first.name)
    first.leave()
    assert owners.is_gone(first.name)
    assert not owners.is_gone(second.name)
    second.leave()
    assert files(tmp_path) == []


def test_a_process_that_is_killed_is_gone_at_once_with_its_runs(local_store: RunStore, other: Other) -> None:
    owner = other.name
    run = local_store.create(core.Brief(question="?"), "chat", owner=owner)
    me = local_store.owners.enter()
    beside = local_store.create(core.Brief(question="?"), "chat", owner=me.name)
    assert local_store.get(run).state is RunState.RUNNING
    other.kill()
    assert local_store.owners.is_gone(owner)
    assert local_store.get(run).state is RunState.INTERRUPTED
    assert local_store.get(beside).state is RunState.RUNNING
    me.leave()


def test_what_a_killed_process_leaves_behind_is_cleared_by_the_next(
    local_store: RunStore, other: Other, tmp_path: Path
) -> None:
    owner = other.name
    run = local_store.create(core.Brief(question="?"), "chat", owner=owner)
    local_store.owners.enter().leave()
    assert files(tmp_path) == [owner]
    other.kill()
    local_store.owners.enter().leave()
    assert files(tmp_path) == []
    assert local_store.get(run).state is RunState.INTERRUPTED


def test_what_is_left_from_before_a_machine_was_started_again_is_cleared(tmp_path: Path) -> None:
    owner = Owners(tmp_path / "owners").enter()
    _, machine, _ = owner.name.split(".")
    earlier = tmp_path / "owners" / f"0123456789ab.{machine}.0011223344556677"
    earlier.touch()
    Owners(tmp_path / "owners").enter().leave()
    assert files(tmp_path) == [owner.name]
    owner.leave()


@pytest.mark.parametrize("name", ["0123456789ab.ba9876543210.0011223344556677", "0123456789ab.0011223344556677"])
def test_files_of_other_machines_are_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / "owners").mkdir()
    (tmp_path / "owners" / name).touch()
    Owners(tmp_path / "owners").enter().leave()
    assert files(tmp_path) == [name]


def test_no_process_clears_the_file_of_another_that_is_about_to_lock_it(tmp_path: Path) -> None:
    with ExitStack() as running:
        folder = tmp_path / "owners"
        connections = [running.enter_context(elsewhere(_live_many, folder))[1] for _ in range(3)]
        for connection in connections:
            connection.send("begin")
        names = [name for connection in connections for name in cast("list[str]", said(connection))]
        assert len(names) == 3 * 100
        assert sorted(names) == files(tmp_path)


def test_of_owners_elsewhere_nothing_is_known(local_store: RunStore) -> None:
    elsewhere = local_store.create(core.Brief(question="?"), "chat", owner="0123456789ab.0011223344556677")
    unnamed = local_store.create(core.Brief(question="?"), "chat")
    assert [local_store.get(run).state for run in (elsewhere, unnamed)] == [RunState.RUNNING] * 2


def test_where_no_lock_can_be_had_owners_are_told_apart_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "owners").write_text("not a folder")
    owners = Owners(tmp_path / "owners")
    one, other = owners.enter(), owners.enter()
    assert len({one.name, other.name, ""}) == 3
    one.leave()
    assert not owners.is_gone(one.name), "only its silence tells"


def test_what_an_owner_holds_is_its_own(tmp_path: Path) -> None:
    owner = Owners(tmp_path / "owners").enter()
    assert (tmp_path / "owners").stat().st_mode & 0o077 == 0
    owner.leave()
