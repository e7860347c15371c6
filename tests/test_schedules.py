"""Schedules: when something is due, and that each time is carried out once, by whichever worker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from pydantic import SecretStr

from research.cli import main
from research.core import Brief, UsageError
from research.engine import World
from research.settings import Settings
from research.store import (
    Action,
    RunState,
    RunStore,
    Task,
    Worker,
    add_schedule,
    latest_actions,
    pause_schedule,
    remove_schedule,
    run_schedule,
    runs_of_schedule,
    schedules,
)
from research.store.queue import Rhythm, enter_due
from tests.support.machine import wait_until
from tests.support.processes import elsewhere, said
from tests.support.scripted import ScriptedAnalyst, scripted_world

BRIEF = Brief(question="What of pumps?")


@pytest.fixture
def store(tmp_path: Path, database: SecretStr | None) -> Iterator[RunStore]:
    store = RunStore(tmp_path, database)
    yield store.of_account("anna")
    store.close()


def scheduled(store: RunStore) -> str:
    return add_schedule(store, "every day 08:00", BRIEF, Task(), zone="UTC", analyst="extractive").id


def let_go_by(store: RunStore, **time: float) -> None:
    """Let it be so much later than when the schedules are due."""
    ago = (store.now() - timedelta(**time)).timestamp()
    with store.database.writing() as connection:
        connection.execute("UPDATE schedules SET due = ?", (ago,))


@pytest.mark.parametrize(
    ("rhythm", "zone", "after", "due"),
    [
        ("every day 08:00", "UTC", "2026-11-25T07:59:59", "2026-11-25T08:00"),
        ("every day 08:00", "UTC", "2026-11-25T08:00:00", "2026-11-26T08:00"),
        ("Every  Day 8:00", "Asia/Tokyo", "2026-11-25T00:00:00", "2026-11-25T23:00"),
        ("every monday 08:00", "UTC", "2026-11-25T12:00:00", "2026-11-30T08:00"),
        ("every weekday 23:59", "UTC", "2026-11-27T23:59:00", "2026-11-30T23:59"),
        ("every sunday 00:30", "America/New_York", "2026-11-25T12:00:00", "2026-11-29T05:30"),
        ("every month on 1 07:30", "UTC", "2026-11-25T12:00:00", "2026-12-01T07:30"),
        ("every month on 31 07:30", "UTC", "2027-01-31T12:00:00", "2027-02-28T07:30"),
        ("every month on 30 07:30", "UTC", "2026-11-25T12:00:00", "2026-11-30T07:30"),
        # Clocks in Vienna go from 2:00 to 3:00 on March 28, 2027, and from 3:00 to 2:00 on October 31.
        ("every day 08:00", "Europe/Vienna", "2027-03-27T12:00:00", "2027-03-28T06:00"),
        ("every day 02:30", "Europe/Vienna", "2027-03-27T12:00:00", "2027-03-28T01:30"),
        ("every day 02:30", "Europe/Vienna", "2027-10-30T12:00:00", "2027-10-31T00:30"),
        ("every day 02:30", "Europe/Vienna", "2027-10-31T00:30:00", "2027-11-01T01:30"),
    ],
)
def test_what_is_said_of_times_is_understood(rhythm: str, zone: str, after: str, due: str) -> None:
    found = Rhythm.read(rhythm, zone).next_after(datetime.fromisoformat(after).replace(tzinfo=UTC))
    assert found == datetime.fromisoformat(due).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("rhythm", "zone", "said"),
    [
        ("every blue moon", "UTC", "names no times"),
        ("every day", "UTC", "names no times"),
        ("every day 24:00", "UTC", "names no times"),
        ("every day 08:60", "UTC", "names no times"),
        ("every month on 0 08:00", "UTC", "names no times"),
        ("every month on 32 08:00", "UTC", "names no times"),
        ("every day ٠٨:٠٠", "UTC", "names no times"),
        ("0 8 * * *", "UTC", "names no times"),
        ("every day 08:00", "Mars/Olympus", "no time zone"),
        ("every day 08:00", "../../etc/passwd", "no time zone"),
        ("every day 08:00", "/etc/localtime", "no time zone"),
        ("every day 08:00", "", "no time zone"),
    ],
)
def test_what_is_not_understood_is_refused_with_what_would_be(rhythm: str, zone: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        Rhythm.read(rhythm, zone)
    assert re.search(r"時刻|タイムゾーン", refused.value.text.ja)


def test_a_due_time_is_entered_once_and_the_run_repeats_the_one_before(store: RunStore) -> None:
    scheduled(store)
    assert enter_due(store) == []
    let_go_by(store, days=3)
    (first,) = enter_due(store)
    assert enter_due(store) == [], "three days that were missed are caught up by one run"
    (kept,) = schedules(store)
    assert kept.due is not None
    assert store.now() < kept.due <= store.now() + timedelta(days=1)
    let_go_by(store, seconds=0)
    (second,) = enter_due(store)
    run = store.get(second)
    assert (run.follows, run.state, run.account) == (first, RunState.WAITING, "anna")
    assert store.get(first).follows is None


def test_one_whose_time_zone_is_not_known_here_keeps_no_other_from_being_entered(store: RunStore) -> None:
    strange, known = scheduled(store), scheduled(store)
    let_go_by(store, days=1)
    with store.database.writing() as connection:
        connection.execute("UPDATE schedules SET zone = 'Mars/Tharsis', due = due - 1 WHERE id = ?", (strange,))
    (run,) = enter_due(store)
    assert {one.id: one.last_run for one in schedules(store)} == {strange: None, known: run}


def test_what_is_forgotten_is_not_entered_and_a_deleted_run_not_repeated(store: RunStore) -> None:
    schedule = scheduled(store)
    let_go_by(store, days=1)
    (first,) = enter_due(store)
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET state = 'failed'")
    store.delete(first)
    let_go_by(store, days=1)
    (second,) = enter_due(store)
    assert store.get(second).follows is None
    with pytest.raises(UsageError, match="no schedule"):
        remove_schedule(store.of_account("bert"), schedule)
    assert schedules(store.of_account("bert")) == []
    remove_schedule(store, schedule)
    let_go_by(store, days=1)
    assert enter_due(store) == []
    with pytest.raises(UsageError, match="no schedule"):
        remove_schedule(store, schedule)


def test_who_makes_and_forgets_a_schedule_is_kept_beside_what_a_newer_version_keeps(
    store: RunStore,
) -> None:
    remove_schedule(store, scheduled(store))
    with store.database.writing() as connection:
        connection.execute(
            "INSERT INTO actions (at, account, action, run) VALUES (?, ?, ?, ?)", ("2100-01-01", "bo", "sang", "")
        )
    assert [(one.account, one.action) for one in latest_actions(store.database)] == [
        ("anna", Action.UNSCHEDULED),
        ("anna", Action.SCHEDULED),
    ]


def test_what_is_paused_is_not_entered_until_it_goes_on_from_its_next_time(store: RunStore) -> None:
    schedule = scheduled(store)
    with pytest.raises(UsageError, match="no schedule"):
        pause_schedule(store.of_account("bert"), schedule, True)
    assert pause_schedule(store, schedule, True).due is None
    assert [one.due for one in schedules(store)] == [None]
    assert enter_due(store) == []
    gone_on = pause_schedule(store, schedule, False)
    assert gone_on.due is not None
    assert store.now() < gone_on.due <= store.now() + timedelta(days=1)
    assert pause_schedule(store, schedule, False) == gone_on == schedules(store)[0], "it goes on already"


def test_one_that_is_run_now_repeats_the_last_and_is_not_begun_twice(store: RunStore) -> None:
    schedule = scheduled(store)
    before = schedules(store)[0].due
    first = run_schedule(store, schedule)
    assert run_schedule(store, schedule) == first, "it is still to come"
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET state = 'failed'")
    second = run_schedule(store, schedule)
    assert (store.get(second).follows, schedules(store)[0].due) == (first, before)
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET state = 'failed'")
    let_go_by(store, days=1)
    (third,) = enter_due(store)
    store.delete(first)
    assert [run.id for run in runs_of_schedule(store, schedule, 10)] == [third, second]
    assert runs_of_schedule(store.of_account("bert"), schedule, 10) == []


def _work(connection: Connection, home: Path, database: SecretStr | None) -> None:
    def build(*_: object, **__: object) -> World:
        return scripted_world(ScriptedAnalyst())

    Worker(RunStore(home, database), Settings(home=home), build=build, say=connection.send).work()


def test_two_workers_carry_out_each_due_time_once(store: RunStore, tmp_path: Path, database: SecretStr | None) -> None:
    scheduled(store)
    with elsewhere(_work, tmp_path, database) as (_, one), elsewhere(_work, tmp_path, database) as (_, two):
        for connection in (one, two):
            assert said(connection) == "worker_began at_once=2"
        for times in (1, 2, 3):
            let_go_by(store, days=1)
            wait_until(lambda times=times: len(store.list()) >= times)  # type: ignore[misc]
            wait_until(lambda: all(run.state is RunState.COMPLETE for run in store.list()))
            assert len(store.list()) == times
    third, second, first = store.list()
    assert (first.follows, second.follows, third.follows) == (None, first.id, second.id)


def test_the_command_keeps_lists_and_forgets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = {"RESEARCH_HOME": str(tmp_path), "LANG": "en_US.UTF-8"}
    brief = tmp_path / "brief.json"
    brief.write_text(BRIEF.model_dump_json())
    when = ["every weekday 08:00", "--timezone", "Asia/Tokyo"]
    assert main(["schedule", "add", *when, "--brief", str(brief), "--library", str(tmp_path)], environment) == 0
    schedule = capsys.readouterr().err.split()[1].rstrip(":")
    assert main(["schedule", "list"], environment) == 0
    listed = capsys.readouterr().out
    assert listed.startswith(f"{schedule}  every weekday 08:00 Asia/Tokyo  20")
    assert listed.endswith("08:00 JST  What of pumps?\n")
    assert main(["schedule", "pause", schedule], environment) == 0
    assert main(["schedule", "list"], environment) == 0
    told = capsys.readouterr()
    assert (told.err, "Asia/Tokyo  paused  What" in told.out) == (f"Schedule {schedule}: paused.\n", True)
    assert main(["schedule", "go-on", schedule], environment) == 0
    assert "next at 20" in capsys.readouterr().err
    assert main(["schedule", "remove", schedule], environment) == 0
    assert main(["schedule", "list"], environment) == 0
    assert capsys.readouterr().out == "There are no schedules.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["add", "every blue moon", "What of pumps?"],
        ["add", "every day 08:00"],
        ["add", "every day 08:00", "What of pumps?", "--timezone", "Mars/Olympus"],
        ["add", "every day 08:00", "What of pumps?", "--analyst", "chat"],
        ["add", "every day 08:00", "--brief", "none.json"],
        ["remove", "none"],
        ["pause", "none"],
        ["go-on"],
        [],
    ],
)
def test_what_cannot_be_kept_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert main(["schedule", *arguments], {"RESEARCH_HOME": str(tmp_path), "LANG": "en_US.UTF-8"}) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
