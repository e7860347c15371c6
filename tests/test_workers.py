"""Workers: a run that waits is carried out once, by whichever worker, whatever becomes of the others."""

from __future__ import annotations

import asyncio
import json
import resource
import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from pydantic import SecretStr

from bench.loopback import Latencies, Loopback
from research import core
from research.engine import World
from research.settings import AgreedTool, Settings, home_of_account
from research.store import (
    Health,
    Runner,
    RunState,
    RunStore,
    StoredJournal,
    Task,
    Worker,
    health,
    latest_actions,
    load_report,
    waiting_before,
)
from research.store.queue import add_schedule, cancel, claim, enter, let_go
from tests.support.machine import wait_until
from tests.support.openai_server import Body, Reply
from tests.support.processes import elsewhere, said
from tests.support.scripted import ScriptedAnalyst, Stalling, scripted_world
from tests.support.stored_runs import record
from tests.support.vectors import with_shared_vectors
from tests.support.workers import WorkerCommand, worker_command, working

BRIEF = core.Brief(question="What of pumps?")


@pytest.fixture
def asking(store: RunStore, tmp_path: Path) -> Iterator[Runner]:
    """The runner of a process that leaves research to workers."""
    settings = Settings(home=tmp_path, uses_workers=True)
    with Runner(store, settings, build=lambda *_, **__: scripted_world(ScriptedAnalyst())) as runner:
        yield runner


def count(events: Sequence[core.AnyEvent], kind: type[core.AnyEvent]) -> int:
    return sum(isinstance(event, kind) for event in events)


def has_found(store: RunStore, run: str) -> bool:
    return count(store.events(run), core.EvidenceFound) > 0


def assert_told_once(store: RunStore, run: str) -> None:
    """Its events have no gap, and it began and ended once."""
    events = store.events(run)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (count(events, core.RunStarted), count(events, core.RunFinished)) == (1, 1)


# --- waiting and being carried out -------------------------------------------------------------------------------


def test_a_run_waits_until_a_worker_carries_it_out(store: RunStore, asking: Runner, tmp_path: Path) -> None:
    first, second = asking.start(BRIEF), asking.start(BRIEF)
    assert [run.state for run in store.list()] == [RunState.WAITING] * 2
    assert {waiting_before(store, run) for run in (first, second)} == {0, 1}
    with pytest.raises(core.UsageError, match="still running, or waits"):
        load_report(store, first)
    with pytest.raises(TimeoutError):
        asking.wait(first, timeout=0.1)
    assert health(store) == Health(workers=0, waiting=2, running=0)
    with working(store, tmp_path) as told:
        events = list(asking.follow(second))
        assert asking.wait(first, timeout=30).status is core.Status.COMPLETE
        wait_until(lambda: len(told) == 5)
        assert health(store) == Health(workers=1, waiting=0, running=0)
    assert health(store).workers == 0
    assert isinstance(events[-1], core.RunFinished)
    for run in (first, second):
        assert_told_once(store, run)
        assert told.index(f"run_begun run={run}") < told.index(f"run_ended run={run} state=complete")
    assert not any("pumps" in line for line in told)


def test_what_was_agreed_to_goes_along_and_nothing_else(store: RunStore, tmp_path: Path) -> None:
    seen: list[tuple[Settings, object]] = []

    def build(brief: core.Brief, settings: Settings, *, library: object, **_: object) -> World:
        seen.append((settings, library))
        return scripted_world(ScriptedAnalyst())

    tool = AgreedTool(server="crm", tool="list_orders")
    agreed = Settings(home=tmp_path, uses_workers=True, shares_own_words=True, agreed_tools=(tool,))
    agreed = agreed.with_models({core.Role.RESEARCH: "chosen-1"})
    with Runner(store, agreed, build=build) as asking, working(store, tmp_path, build=build):
        asking.wait(asking.start(BRIEF, library=tmp_path / "papers"), timeout=30)
        asking.wait(asking.start(BRIEF), timeout=30)
    of_worker, library = seen[1]
    assert (of_worker.shares_own_words, of_worker.agreed_tools) == (True, (tool,))
    assert not of_worker.embeds_own_documents
    assert of_worker.models == {core.Role.RESEARCH: "chosen-1", core.Role.PLANNING: "chosen-1"}
    assert (library, seen[3][1]) == (tmp_path / "papers", None)


def test_a_run_that_cannot_begin_says_why_and_the_next_one_begins(
    store: RunStore, asking: Runner, tmp_path: Path
) -> None:
    def build(brief: core.Brief, settings: Settings, **_: object) -> World:
        if brief.note:
            raise core.UsageError("Set a key.")
        return scripted_world(ScriptedAnalyst())

    without, other = asking.start(BRIEF.model_copy(update={"note": "x"})), asking.start(BRIEF)
    with working(store, tmp_path, build=build):
        report = asking.wait(without, timeout=30)
        assert asking.wait(other, timeout=30).status is core.Status.COMPLETE
    assert (report.status, report.record.problems[-1].code) == (core.Status.FAILED, "not_begun")
    assert "could not begin on the machine that was to carry it out. (Set a key)" in report.markdown


# --- stopping ----------------------------------------------------------------------------------------------------


def test_a_run_that_waits_is_stopped_without_research(store: RunStore, asking: Runner) -> None:
    run = asking.start(BRIEF)
    with pytest.raises(core.UsageError, match="stop it before"):
        store.delete(run)
    asking.stop(run)
    report = asking.wait(run, timeout=0)
    assert (store.get(run).state, report.record.problems[-1].code) == (RunState.FAILED, "stopped")
    assert [type(event) for event in store.events(run)] == [core.RunFinished]
    assert claim(store, "worker") is None
    store.delete(run)


def test_one_that_waits_again_is_stopped_with_what_it_found(store: RunStore, asking: Runner, tmp_path: Path) -> None:
    run = asking.start(BRIEF)
    with working(store, tmp_path, Stalling()):
        wait_until(lambda: has_found(store, run))
    assert store.get(run).state is RunState.WAITING
    asking.stop(run)
    report = asking.wait(run, timeout=0)
    assert (store.get(run).state, bool(report.record.evidence)) == (RunState.PARTIAL, True)
    assert_told_once(store, run)


def test_only_a_wish_to_end_is_told_again_to_whoever_goes_on(store: RunStore) -> None:
    run = enter(store, BRIEF, "extractive", Task())
    assert claim(store, "one") is not None
    store.steer(run, core.AddQuestion(text="And valves?"))
    let_go(store, run, "one")
    again = claim(store, "two")
    assert again is not None
    assert again.heard == 1
    store.steer(run, core.FinishNow())
    store.steer(run, core.AddQuestion(text="And pipes?"))
    let_go(store, run, "two")
    again = claim(store, "three")
    assert again is not None
    assert again.heard == 1


# --- workers that end or die -------------------------------------------------------------------------------------


def test_what_a_worker_lets_go_of_another_goes_on_with(store: RunStore, asking: Runner, tmp_path: Path) -> None:
    run = asking.start(BRIEF)
    with working(store, tmp_path, Stalling()) as told:
        wait_until(lambda: has_found(store, run))
    assert told[-2:] == [f"run_let_go run={run} state=waiting", "worker_ended"]
    with working(store, tmp_path):
        assert asking.wait(run, timeout=30).status is core.Status.COMPLETE
    assert_told_once(store, run)
    assert count(store.events(run), core.RunResumed) == 1
    assert store.get(run).breaks == 0


def _stall(connection: Connection, home: Path, database: SecretStr | None) -> None:
    def build(*_: object, **__: object) -> World:
        return scripted_world(ScriptedAnalyst(), Stalling())

    worker = Worker(RunStore(home, database), Settings(home=home), build=build, say=connection.send)
    worker.work()


def test_a_killed_workers_run_is_taken_over_and_ends(
    store: RunStore, asking: Runner, tmp_path: Path, database: SecretStr | None
) -> None:
    run = asking.start(BRIEF)
    with elsewhere(_stall, tmp_path, database) as (process, connection):
        assert [said(connection), said(connection)] == ["worker_began at_once=2", f"run_begun run={run}"]
        wait_until(lambda: has_found(store, run))
        before = store.events(run)
        process.kill()
        process.join()
    assert store.get(run).state is RunState.WAITING, "known at once"
    assert health(store).workers == 1, "it may only be slow"
    with store.database.writing() as connection:
        connection.execute("UPDATE workers SET alive = alive - 16")
    assert health(store) == Health(workers=0, waiting=1, running=0)
    with working(store, tmp_path):
        report = asking.wait(run, timeout=30)
    assert report.status is core.Status.COMPLETE
    assert report.history[: len(before)] == tuple(before)
    assert_told_once(store, run)
    assert store.get(run).breaks == 1


def test_a_run_whose_worker_died_between_its_last_event_and_its_record_is_only_ended(
    store: RunStore, asking: Runner, tmp_path: Path
) -> None:
    run = asking.start(BRIEF)
    with working(store, tmp_path):
        before = asking.wait(run, timeout=30)
    with store.database.writing() as connection:
        lost = "state = 'waiting', owner = '', record = NULL, markdown = NULL, finished_at = NULL"
        connection.execute(f"UPDATE runs SET {lost} WHERE id = ?", (run,))
    with working(store, tmp_path):
        after = asking.wait(run, timeout=30)
    assert (after.status, after.markdown, after.history) == (before.status, before.markdown, before.history)


def test_a_worker_of_another_machine_is_taken_for_dead_by_its_silence(store: RunStore) -> None:
    run = enter(store, BRIEF, "extractive", Task())
    assert claim(store, "0123456789ab.0011223344556677") is not None
    assert claim(store, "two") is None
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET heartbeat = heartbeat - 16")
    taken = claim(store, "two")
    assert taken is not None
    assert taken.id == run
    with pytest.raises(core.UsageError):
        store.heartbeat(run, owner="0123456789ab.0011223344556677")


def test_a_worker_that_was_only_asleep_keeps_a_run_that_nobody_took(store: RunStore) -> None:
    run = enter(store, BRIEF, "extractive", Task())
    assert claim(store, "asleep") is not None
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET heartbeat = heartbeat - 16")
    assert store.get(run).state is RunState.WAITING
    store.heartbeat(run, owner="asleep")
    assert store.get(run).state is RunState.RUNNING


def test_what_was_stopped_while_its_worker_slept_has_ended(store: RunStore) -> None:
    run = enter(store, BRIEF, "extractive", Task())
    assert claim(store, "asleep") is not None
    told = [core.Reflected(seq=seq, at=store.now(), lane="R1", reflection="Hm.") for seq in (1, 2)]
    store.extend(run, told[:1], [], owner="asleep")
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET heartbeat = heartbeat - 16")
    assert cancel(store, run)
    ended = store.events(run)
    for late in (
        lambda: store.extend(
            run, [core.Reflected(seq=2, at=store.now(), lane="R1", reflection="late")], [], owner="asleep"
        ),
        lambda: store.heartbeat(run, owner="asleep"),
        lambda: store.finish(run, record(run), "# Late", owner="asleep"),
    ):
        with pytest.raises(core.UsageError):
            late()
    assert (store.get(run).state, store.events(run)) == (RunState.FAILED, ended)


def test_a_worker_that_slept_over_the_end_of_its_run_does_not_end_that_of_another(store: RunStore) -> None:
    run = enter(store, BRIEF, "extractive", Task())
    assert claim(store, "asleep") is not None
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET heartbeat = heartbeat - 16")
    assert claim(store, "awake") is not None
    with pytest.raises(core.UsageError):
        store.finish(run, record(run), "# Of one that slept", owner="asleep")
    assert store.get(run).state is RunState.RUNNING
    store.finish(run, record(run), "# Of the other", owner="awake")
    assert store.markdown(run) == "# Of the other"


async def test_a_worker_that_slept_asks_whose_a_run_is_before_it_pays_for_something(store: RunStore) -> None:
    run, asleep = enter(store, BRIEF, "extractive", Task()), timedelta()
    assert claim(store, "asleep") is not None
    journal = StoredJournal(store, run, owner="asleep", now=lambda: datetime.now(UTC) + asleep)
    for _ in range(2):
        with store.database.writing() as connection:
            connection.execute("UPDATE runs SET heartbeat = heartbeat - 16")
        asleep += timedelta(seconds=16)
        await journal.keep_run()
        assert claim(store, "awake") is None, "it has said that it lives"
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET heartbeat = heartbeat - 16")
    assert claim(store, "awake") is not None
    await journal.keep_run()  # It has just said so: the store is not asked before every call.
    asleep += timedelta(seconds=16)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*(journal.keep_run() for _ in range(3))), 1.0)
    assert journal.is_lost


def test_a_worker_goes_on_with_its_own_run_after_a_sleep(store: RunStore, asking: Runner, tmp_path: Path) -> None:
    run = asking.start(BRIEF)
    with working(store, tmp_path, Stalling()) as told:
        wait_until(lambda: has_found(store, run))
        for _ in range(3):
            with store.database.writing() as connection:
                connection.execute("UPDATE runs SET heartbeat = heartbeat - 16")
            store.settle()
            wait_until(lambda: store.get(run).state is RunState.RUNNING)
        asking.stop(run)
        asking.wait(run, timeout=60)
    assert told.count(f"run_begun run={run}") == 1
    assert_told_once(store, run)


def test_a_worker_that_lost_its_runs_has_room_for_others(store: RunStore, asking: Runner, tmp_path: Path) -> None:
    lost = [asking.start(BRIEF) for _ in range(2)]
    with working(store, tmp_path, Stalling()):
        wait_until(lambda: all(store.events(run) for run in lost))
        with store.database.writing() as connection:
            connection.execute("UPDATE runs SET owner = 'another'")
        third = asking.start(BRIEF)
        wait_until(lambda: store.get(third).state is RunState.RUNNING)
    assert all(count(store.events(run), core.RunFinished) == 0 for run in lost), "what it would still say is not kept"


def test_a_run_that_breaks_off_a_fourth_time_stays_so_until_somebody_asks(store: RunStore, asking: Runner) -> None:
    run = enter(store, BRIEF, "extractive", Task())
    for breaks in range(1, 5):
        owner = store.owners.enter()
        assert claim(store, owner.name) is not None
        owner.leave()
        assert store.get(run).breaks == breaks
    assert store.get(run).state is RunState.INTERRUPTED
    assert claim(store, "worker") is None
    store.steer(run, core.FinishNow())
    asking.resume(run)
    assert (store.get(run).state, store.get(run).breaks) == (RunState.WAITING, 0)
    again = claim(store, "worker")
    assert again is not None
    assert again.heard == 1, "whoever lets it go on does not want it to finish"
    let_go(store, run, "worker")
    again = claim(store, "worker")
    assert again is not None
    assert again.heard == 1


def test_what_a_newer_version_entered_waits_for_a_worker_that_can_read_it(
    store: RunStore, asking: Runner, tmp_path: Path
) -> None:
    """A page of the next version asks for more than this one knows, or its worker left a run in the middle."""
    newer, begun, known = asking.start(BRIEF), asking.start(BRIEF), asking.start(BRIEF)
    due = add_schedule(store, "every day 08:00", BRIEF, Task(), zone="UTC", analyst="extractive")
    brief = BRIEF.model_dump_json().replace("{", '{"mood": "brisk", ', 1)
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET brief = ? WHERE id = ?", (brief, newer))
        connection.execute("UPDATE schedules SET brief = ?, due = 0 WHERE id = ?", (brief, due.id))
        told = '{"seq": 1, "type": "mood_changed", "at": "2026-11-21T00:00:00Z"}'
        connection.execute("INSERT INTO events (run, seq, type, body) VALUES (?, 1, 'mood_changed', ?)", (begun, told))
    with working(store, tmp_path) as said_:
        asking.wait(known, timeout=60)
        wait_until(lambda: sum(line.startswith("run_too_new") for line in said_) == 2)
        last = asking.start(BRIEF)
        asking.wait(last, timeout=60)
    with store.database.reading() as connection:
        rows = connection.execute("SELECT id, state, owner, breaks FROM runs WHERE id IN (?, ?)", (newer, begun))
        assert {tuple(row) for row in rows} == {(newer, "waiting", "", 0), (begun, "waiting", "", 0)}
    assert said_.count(f"run_too_new run={newer}") == said_.count(f"run_too_new run={begun}") == 1


# --- whose turn it is --------------------------------------------------------------------------------------------


def claimed_accounts(store: RunStore, number: int, per_account: int | None = None) -> str:
    found = [claim(store, "worker", per_account=per_account) for _ in range(number)]
    return "".join(one.account if one else "-" for one in found)


def test_the_account_with_the_fewest_under_way_comes_next(store: RunStore) -> None:
    for account in "aaaabbc":
        enter(store.of_account(account), BRIEF, "extractive", Task())
    assert claimed_accounts(store, 8) == "abcabaa-"


def test_accounts_take_turns_when_one_run_is_carried_out_at_a_time(store: RunStore) -> None:
    for account in "aaaabbc":
        enter(store.of_account(account), BRIEF, "extractive", Task())
    order = ""
    while one := claim(store, "worker"):
        order += one.account
        let_go(store, one.id, "worker")
        cancel(store.of_account(one.account), one.id)
    assert order == "abcabaa"


def test_an_account_has_a_limit_over_all_workers_and_none_without_a_name(store: RunStore) -> None:
    for account in ("a", "a", "a", "", "", ""):
        enter(store.of_account(account), BRIEF, "extractive", Task())
    claimed_accounts(store, 6, per_account=2)
    states = Counter((run.account, run.state) for who in ("a", "") for run in store.of_account(who).list())
    assert states == {("a", RunState.RUNNING): 2, ("a", RunState.WAITING): 1, ("", RunState.RUNNING): 3}


def _claim_all(connection: Connection, home: Path, database: SecretStr | None) -> None:
    store, found = RunStore(home, database), []
    connection.recv()
    while one := claim(store, "worker"):
        found.append(one.id)
    connection.send(found)


def test_many_who_claim_at_once_never_get_the_same_run(
    store: RunStore, tmp_path: Path, database: SecretStr | None
) -> None:
    entered = {enter(store.of_account(str(number % 3)), BRIEF, "extractive", Task()) for number in range(60)}
    with (
        elsewhere(_claim_all, tmp_path, database) as (_, one),
        elsewhere(_claim_all, tmp_path, database) as (_, two),
        elsewhere(_claim_all, tmp_path, database) as (_, three),
    ):
        for connection in (one, two, three):
            connection.send("begin")
        claimed = [run for connection in (one, two, three) for run in list(said(connection))]  # type: ignore[call-overload]
    assert sorted(claimed) == sorted(entered)


def test_a_run_is_carried_out_with_what_its_account_has(store: RunStore, tmp_path: Path) -> None:
    seen: list[Settings] = []

    def build(brief: core.Brief, settings: Settings, **_: object) -> World:
        seen.append(settings)
        if brief.note:
            raise core.UsageError("Set a key.")
        return scripted_world(ScriptedAnalyst())

    def settings_of(account: str) -> Settings:
        return Settings.from_environment({"RESEARCH_HOME": str(tmp_path)}, account=account)

    alice = store.of_account("alice")
    with Runner(alice, settings_of("alice").model_copy(update={"uses_workers": True}), build=build) as asking:
        runs = [asking.start(BRIEF), enter(alice, BRIEF.model_copy(update={"note": "x"}), "extractive", Task())]
        with working(store, tmp_path, build=build, settings_of=settings_of) as told:
            assert asking.wait(runs[0], timeout=30).status is core.Status.COMPLETE
            wait_until(lambda: alice.get(runs[1]).state is RunState.FAILED)
            wait_until(lambda: len(told) == 5)
    assert {one.home for one in seen[1:]} == {home_of_account(tmp_path, "alice")}
    assert not store.list(), "nobody else sees them"
    assert {action.account for action in latest_actions(store.database)} == {"alice"}


# --- the command -------------------------------------------------------------------------------------------------

SAMPLES = core.Brief(
    question="How long is the warranty of the AN-300?",
    sources=(core.SourceName.HOUSE,),
    preset=core.PresetName.SPEED,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with_shared_vectors(tmp_path / "home")
    return tmp_path / "home"


def test_nothing_is_lost_and_nothing_done_twice_when_a_worker_is_killed(home: Path, database: SecretStr | None) -> None:
    """Five runs by two commands, of which one is killed in the middle; `python -m bench.kills` has many more."""
    number = 5
    store = RunStore(home, database)
    for account in "abc":
        with_shared_vectors(home_of_account(home, account))
    accounts = "a" * (number * 6 // 10) + "b" * (number * 2 // 10) + "c" * (number * 2 // 10)
    runs = [(enter(of, SAMPLES, "extractive", Task()), of) for of in map(store.of_account, accounts)]

    def rows() -> list[tuple[str, str, str, float]]:
        with store.database.reading() as connection:
            found = connection.execute("SELECT account, state, owner, claimed FROM runs ORDER BY claimed")
            return [tuple(row) for row in found.fetchall() if row["claimed"]]

    with worker_command(home, database, "--until-idle") as killed:
        wait_until(rows)
        owner = rows()[0][2]
        with worker_command(home, database, "--until-idle") as left:
            wait_until(lambda: sum(state == "complete" for _, state, _, _ in rows()) >= number // 5)
            while True:  # It is killed while it has a run under way.
                killed.process.send_signal(signal.SIGSTOP)
                if any((state, who) == ("running", owner) for _, state, who, _ in rows()):
                    break
                killed.process.send_signal(signal.SIGCONT)
                time.sleep(0.02)
            killed.process.kill()
            killed.process.wait()
            assert left.process.wait(120) == 0
    ended = [of.get(run) for run, of in runs]
    assert {run.state for run in ended} == {RunState.COMPLETE}
    for run, of in runs:
        assert_told_once(of, run)
    assert 1 <= sum(run.breaks for run in ended) <= 2
    assert len(killed.begun()) + len(left.begun()) == number + sum(run.breaks for run in ended)
    first = {account for account, *_ in rows()[:4]}
    assert first == set("abc"), "nobody waits for all runs of another"
    store.close()


class Fatal(Loopback):
    """A world in which whoever has begun to read what the first search found is killed at that very moment."""

    victim: WorkerCommand | None = None

    def _answer(self, body: Body) -> Reply:
        if self.victim and "key_excerpts" in json.dumps(body.get("response_format") or {}):
            self.victim.process.kill()
            self.victim.process.wait()
            self.victim = None
        return super()._answer(body)


def test_a_search_that_was_answered_is_paid_once_whenever_its_worker_dies(
    home: Path, database: SecretStr | None
) -> None:
    """Not even a tenth of a second, after which all else is stored, lies between its answer and the kill."""
    store = RunStore(home, database)
    brief = core.Brief(
        question="How large is the pump market?",
        method=core.MethodName.CHAINED,
        preset=core.PresetName.SPEED,
        sources=(core.SourceName.WEB,),
    )
    latencies = Latencies(decision=0.02, search=(0.05, 0.1), summary=(0.02, 0.1), report_piece=0.002)
    with Fatal(latencies) as world:
        run = enter(store, brief, "chat", Task())
        with worker_command(home, database, "--until-idle", **world.environment) as killed:
            world.victim = killed
            wait_until(lambda: world.victim is None, 60)
        (first,) = world.tavily.requests
        with worker_command(home, database, "--until-idle", **world.environment) as left:
            assert left.process.wait(120) == 0
        asked = [request.body for request in world.tavily.requests]
    assert asked.count(first.body) == 1
    assert store.get(run).state is RunState.COMPLETE
    assert_told_once(store, run)
    store.close()


def _let_grow(worker: WorkerCommand, characters: int) -> None:
    resource.prlimit(worker.process.pid, resource.RLIMIT_FSIZE, (characters, resource.RLIM_INFINITY))


def test_a_worker_outlives_a_full_disk_and_nothing_is_lost(home: Path) -> None:
    """The limit of a file's size stands for a full disk, also under what the worker says; SQLite meets both alike."""
    store = RunStore(home)
    runs = [enter(store, SAMPLES, "extractive", Task()) for _ in range(5)]
    with worker_command(home, None, "--until-idle") as worker:
        wait_until(lambda: store.get(runs[0]).state is RunState.COMPLETE)
        _let_grow(worker, 0)
        time.sleep(3)
        assert store.get(runs[-1]).state is RunState.WAITING
        _let_grow(worker, resource.RLIM_INFINITY)
        assert worker.process.wait(120) == 0
    assert {store.get(run).state for run in runs} == {RunState.COMPLETE}
    assert {store.get(run).breaks for run in runs} == {0}
    for run in runs:
        assert_told_once(store, run)
    store.close()


def test_a_command_that_is_told_to_end_leaves_its_runs_to_others(home: Path) -> None:
    store = RunStore(home)
    runs = [enter(store, SAMPLES, "extractive", Task()) for _ in range(4)]
    with worker_command(home, None) as first:
        wait_until(first.begun)
        first.process.send_signal(signal.SIGTERM)
        assert first.process.wait(60) == 0
    left = [store.get(run) for run in runs]
    assert RunState.WAITING in {run.state for run in left} <= {RunState.WAITING, RunState.COMPLETE}
    assert {run.breaks for run in left} == {0}
    with worker_command(home, None, "--until-idle") as second:
        assert second.process.wait(120) == 0
    assert {store.get(run).state for run in runs} == {RunState.COMPLETE}
    for run in runs:
        assert_told_once(store, run)
    store.close()
