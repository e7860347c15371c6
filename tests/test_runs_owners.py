"""Owners of runs: that one is gone is known at once on its machine, and never guessed."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import cast

import pytest

from research.core import Brief
from research.store import RunState, RunStore
from research.store.owners import Owners
from tests.support.processes import elsewhere, said


def _live(connection: Connection, folder: Path) -> None:
    connection.send(Owners(folder).enter().name)
    connection.recv()


def _live_many(connection: Connection, folder: Path) -> None:
    connection.recv()
    held = [Owners(folder).enter() for _ in range(100)]
    connection.send([owner.name for owner in held])
    connection.recv()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    store = RunStore(tmp_path)
    yield store
    store.close()


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


def test_a_process_that_is_killed_is_gone_at_once_with_its_runs(store: RunStore, other: Other) -> None:
    owner = other.name
    run = store.create(Brief(question="?"), "chat", owner=owner)
    me = store.owners.enter()
    beside = store.create(Brief(question="?"), "chat", owner=me.name)
    assert store.get(run).state is RunState.RUNNING
    other.kill()
    assert store.owners.is_gone(owner)
    assert store.get(run).state is RunState.INTERRUPTED
    assert store.get(beside).state is RunState.RUNNING
    me.leave()


def test_what_a_killed_process_leaves_behind_is_cleared_by_the_next(
    store: RunStore, other: Other, tmp_path: Path
) -> None:
    owner = other.name
    run = store.create(Brief(question="?"), "chat", owner=owner)
    store.owners.enter().leave()
    assert files(tmp_path) == [owner]
    other.kill()
    store.owners.enter().leave()
    assert files(tmp_path) == []
    assert store.get(run).state is RunState.INTERRUPTED


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


def test_of_owners_elsewhere_nothing_is_known(store: RunStore) -> None:
    elsewhere = store.create(Brief(question="?"), "chat", owner="0123456789ab.0011223344556677")
    unnamed = store.create(Brief(question="?"), "chat")
    assert [store.get(run).state for run in (elsewhere, unnamed)] == [RunState.RUNNING] * 2


def test_where_no_lock_can_be_had_an_owner_has_no_name(tmp_path: Path) -> None:
    (tmp_path / "owners").write_text("not a folder")
    owners = Owners(tmp_path / "owners")
    owner = owners.enter()
    assert owner.name == ""
    assert not owners.is_gone(owner.name)
    owner.leave()


def test_what_an_owner_holds_is_its_own(tmp_path: Path) -> None:
    owner = Owners(tmp_path / "owners").enter()
    assert (tmp_path / "owners").stat().st_mode & 0o077 == 0
    owner.leave()
