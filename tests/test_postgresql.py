"""Runs in a database on a server: who may not in is told why, what goes away is waited for, all runs can be moved."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from pydantic import SecretStr

import research
from research.analysts import PageSummary
from research.cli import main
from research.core import Brief, ProblemOccurred, Reflected, RunFinished, SourceName, StoreError, UsageError
from research.language import Language
from research.settings import Settings, home_of_account
from research.sources import FoundPage, SearchRequest
from research.store import (
    Action,
    CannotMove,
    Recorder,
    Runner,
    RunState,
    RunStore,
    StoredJournal,
    Task,
    Wanted,
    WantedPages,
    add_schedule,
    export_run,
    find,
    find_pages,
    follow,
    import_run,
    label,
    latest_actions,
    load_report,
    move_runs,
    utc_now,
)
from research.store.queue import enter
from research.store.world import SUMMARIES, SummaryCache
from tests.support import sample_runs
from tests.support.machine import wait_until
from tests.support.postgresql import PASSWORD, CuttingProxy, PostgresqlServer, programs
from tests.support.processes import elsewhere, said
from tests.support.scripted import PAGES, MemorySource, ScriptedAnalyst, scripted_world
from tests.support.stored_runs import BRIEF, append, page, record
from tests.support.vectors import with_shared_vectors
from tests.support.workers import worker_command


@pytest.fixture
def address(postgresql: PostgresqlServer) -> Iterator[SecretStr]:
    with postgresql.lent_database() as address:
        yield address


@pytest.fixture
def store(tmp_path: Path, address: SecretStr) -> Iterator[RunStore]:
    with closing(RunStore(tmp_path, address)) as store:
        yield store


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgresqlServer]:
    if (found := programs()) is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql).")
    with PostgresqlServer(found) as server:
        yield server


@pytest.fixture
def fragile(own_server: PostgresqlServer) -> PostgresqlServer:
    """A server that a test may stop, and leave so; each asks for a database of its own."""
    own_server.start()
    return own_server


# --- who may not in ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (lambda right: right.replace(PASSWORD, "wr0ng-password"), "store_login"),
        (lambda right: right, "store_login"),
        (lambda right: right.replace("research:", "nobody:"), "store_login"),
        (lambda right: right.replace("127.0.0.1", "127.0.0.1:1").split(":1:")[0] + ":1/x", "store_away"),
        (lambda right: right.replace("127.0.0.1", "no-such-host.invalid"), "store_away"),
        (lambda right: right.replace("postgresql", "mysql"), "store_address"),
        (lambda right: right.replace("//", ""), "store_address"),
        (lambda right: right.replace("@", "%@"), "store_address"),
        (lambda right: right + "?colour=blue", "store_address"),
    ],
)
def test_a_wrong_address_is_told_without_its_password(
    tmp_path: Path,
    postgresql: PostgresqlServer,
    wrong: Callable[[str], str],
    code: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = wrong(postgresql.address("t1").get_secret_value())
    with pytest.raises(StoreError) as refused:
        RunStore(tmp_path, SecretStr(given), wait_seconds=0.1)
    assert refused.value.code == code
    environment = {"RESEARCH_HOME": str(tmp_path), "RESEARCH_DATABASE": given, "LANG": "ja_JP.UTF-8"}
    if code != "store_away":
        assert main(["runs"], environment) == 1
    told = "".join([*traceback.format_exception(refused.value), *capsys.readouterr()])
    assert not any(secret in told for secret in (PASSWORD, "wr0ng-password"))
    assert repr(Settings.from_environment(environment)).count(PASSWORD) == 0


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path, address: SecretStr, store: RunStore) -> None:
    with store.database.writing() as connection:
        connection.execute("UPDATE store_version SET version = 99")
    with pytest.raises(StoreError, match="version 99") as newer:
        RunStore(tmp_path, address)
    assert newer.value.code == "store_newer"


def test_without_the_package_it_is_said_what_to_install(
    tmp_path: Path, address: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("psycopg", "psycopg.conninfo"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(StoreError, match="team") as missing:
        RunStore(tmp_path, address)
    assert missing.value.code == "store_extra"


def test_who_may_only_read_is_told_so(tmp_path: Path, address: SecretStr, store: RunStore) -> None:
    reader = SecretStr(address.get_secret_value() + "?options=-c%20default_transaction_read_only%3Don")
    with pytest.raises(StoreError, match="may not write") as refused:
        RunStore(tmp_path, reader)
    assert refused.value.code == "store_refused"
    with pytest.raises(StoreError), store.database.reading() as connection:
        connection.execute("DELETE FROM runs")
    assert store.list() == []


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("53100", "store_full"),
        ("40P01", "store_busy"),
        ("42501", "store_refused"),
        ("57P01", "store_away"),
        ("XX001", "store_failed"),
    ],
)
def test_what_the_server_says_is_told_by_its_kind(store: RunStore, state: str, code: str) -> None:
    with pytest.raises(StoreError) as told, store.database.writing() as connection:
        connection.execute(f"DO $$ BEGIN RAISE EXCEPTION 'No room' USING ERRCODE = '{state}'; END $$")
    assert told.value.code == code


# --- what a team shares ------------------------------------------------------------------------------------------


def _report(connection: Connection, home: Path, address: SecretStr, run: str) -> None:
    """Report for a run, and read what the same process and another report for others."""
    store = RunStore(home, address)
    for number in range(20):
        append(store, run, Reflected(lane="R1", reflection=str(number)))
        store.extend(run, (), [page(f"S{number}", f"text {number}")])
    connection.send([event.seq for event in store.events(run)])


def test_processes_that_write_at_once_neither_wait_for_ever_nor_lose_anything(
    store: RunStore, tmp_path: Path, address: SecretStr
) -> None:
    runs = [store.create(BRIEF, "extractive") for _ in range(3)]
    with ExitStack() as running:
        homes = [tmp_path / str(number) for number in range(6)]
        connections = [
            running.enter_context(elsewhere(_report, home, address, runs[number % 3]))[1]
            for number, home in enumerate(homes)
        ]
        for connection in connections:
            said(connection)
    for run in runs:
        assert [event.seq for event in store.events(run)] == list(range(1, 41))
        assert len(store.pages(run)) == 20


def test_an_owner_of_another_home_is_judged_by_its_heartbeat_alone(tmp_path: Path, address: SecretStr) -> None:
    with closing(RunStore(tmp_path / "a", address)) as first, closing(RunStore(tmp_path / "b", address)) as second:
        owner = first.owners.enter()
        second.owners.enter()
        run = first.create(BRIEF, "chat", owner=owner.name)
        assert second.get(run).state is RunState.RUNNING
        owner.leave()
        assert second.get(run).state is RunState.RUNNING
        assert first.get(run).state is RunState.INTERRUPTED


def test_all_go_by_the_clock_of_the_server(store: RunStore) -> None:
    assert abs(store.database.now() - utc_now()) < timedelta(seconds=2)


_OTHER_CLOCK = """
import os, sys
from pathlib import Path
from pydantic import SecretStr
from research.core import Brief
from research.store import RunStore
store = RunStore(Path(sys.argv[1]), SecretStr(os.environ["RESEARCH_DATABASE"]))
run = store.create(Brief(question="?"), "chat", owner="far away")
print(run, flush=True)
input()
store.heartbeat(run, owner="far away")
print("shown", flush=True)
"""


def test_a_computer_whose_clock_is_set_back_shows_a_sign_of_life_all_the_same(
    store: RunStore, address: SecretStr, tmp_path: Path
) -> None:
    """Its clock is that of libfaketime: an hour behind from the first, a day behind before the sign of life."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if library is None:
        pytest.skip("libfaketime is not installed (Debian: apt-get install libfaketime).")
    clock = tmp_path / "clock"
    clock.write_text("-3600")
    faked = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
    environment = {**os.environ, **faked, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    environment["RESEARCH_DATABASE"] = address.get_secret_value()
    command = [sys.executable, "-c", _OTHER_CLOCK, str(tmp_path / "far")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as far:  # type: ignore[call-overload]
        run = far.stdout.readline().strip()
        assert store.get(run).state is RunState.RUNNING
        assert abs(store.get(run).created_at - store.now()) < timedelta(minutes=1)
        clock.write_text("-86400")
        with store.database.writing() as connection:
            connection.execute("UPDATE runs SET heartbeat = 0")
        far.stdin.write("\n")
        far.stdin.flush()
        assert far.stdout.readline() == "shown\n"
    assert store.get(run).state is RunState.RUNNING


def test_the_word_of_a_long_report_is_found(store: RunStore) -> None:
    run = store.create(BRIEF, "extractive")
    words = " ".join(f"w{number}" for number in range(60_000))
    store.finish(run, record(run), f"{words} the needle stands here 長い報告書")
    assert find(store, Wanted(words="needle stand 報告")).total == 1
    assert find(store, Wanted(words='"stands needle"')).total == 0


# --- what goes away ----------------------------------------------------------------------------------------------


def test_a_server_that_is_started_again_is_not_noticed(fragile: PostgresqlServer, tmp_path: Path) -> None:
    store = RunStore(tmp_path, fragile.new_database())
    run = store.create(BRIEF, "extractive")
    fragile.stop(signal.SIGQUIT)
    begun = threading.Timer(1.0, fragile.start)
    begun.start()
    stored = append(store, run, Reflected(lane="R1", reflection="kept"))
    begun.join()
    assert store.events(run) == [stored]
    fragile.stop()
    fragile.start()
    assert store.events(run) == [stored]
    store.close()


def test_a_server_that_stays_away_is_said_so_soon(fragile: PostgresqlServer, tmp_path: Path) -> None:
    store = RunStore(tmp_path, fragile.new_database(), wait_seconds=0.2)
    fragile.stop()
    began = time.monotonic()
    with pytest.raises(StoreError) as away:
        store.list()
    assert away.value.code == "store_away"
    assert time.monotonic() - began < 10
    store.close()


def test_while_a_server_was_away_nobody_could_show_a_sign_of_life(fragile: PostgresqlServer, tmp_path: Path) -> None:
    database = fragile.new_database()
    with closing(RunStore(tmp_path / "a", database)) as one, closing(RunStore(tmp_path / "b", database)) as other:
        run = one.create(BRIEF, "extractive", owner=one.owners.enter().name)
        with one.database.writing() as connection:
            connection.execute("UPDATE runs SET heartbeat = heartbeat - 60")
        fragile.stop()
        fragile.start()
        assert other.get(run).state is RunState.RUNNING
    with closing(RunStore(tmp_path / "c", database)) as third:
        assert third.get(run).state is RunState.INTERRUPTED, "who comes later goes by the silence"


def test_a_writer_that_stands_still_holds_nobody_up_for_long(
    store: RunStore, address: SecretStr, tmp_path: Path
) -> None:
    run = store.create(BRIEF, "extractive")
    with closing(RunStore(tmp_path / "far", address, wait_seconds=0.3)) as far:
        with pytest.raises(StoreError) as lost, far.database.writing() as connection:
            connection.execute("UPDATE runs SET title = 'lost' WHERE id = ?", (run,))
            label(store, run, title="kept", tags=[])  # It waits for the other one.
            connection.execute("SELECT 1")
        assert lost.value.code == "store_away"
        assert store.get(run).title == "kept"
        label(far, run, title="And it goes on", tags=[])


def _hold(connection: Connection, home: Path, address: SecretStr) -> None:
    with RunStore(home, address).database.writing():
        connection.send("held")
        connection.recv()


def test_others_hardly_notice_a_worker_that_stands_still_while_all_wait_for_it(
    store: RunStore, address: SecretStr, tmp_path: Path
) -> None:
    """Else nobody could show a sign of life, and runs that are carried out would count as left by their workers."""
    run = store.create(BRIEF, "extractive")
    with elsewhere(_hold, tmp_path / "far", address) as (process, connection):
        assert said(connection) == "held"
        assert process.pid is not None
        os.kill(process.pid, signal.SIGSTOP)
        store.heartbeat(run)
        store.settle()
    assert store.get(run).state is RunState.RUNNING


@dataclass
class Paused(MemorySource):
    """Answers the first search once it `may_begin`, and the others once they `may_go_on`."""

    may_begin: threading.Event = field(default_factory=threading.Event)
    may_go_on: threading.Event = field(default_factory=threading.Event)

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        may = self.may_go_on if self.asked else self.may_begin
        found = await super().search(request)
        await asyncio.to_thread(may.wait, 60)
        return found


def test_a_run_outlives_its_server_and_everything_is_kept_once(fragile: PostgresqlServer, tmp_path: Path) -> None:
    store = RunStore(tmp_path, fragile.new_database(), wait_seconds=0.5)
    source = Paused(PAGES)
    with Runner(
        store, Settings(home=tmp_path), build=lambda *_, **__: scripted_world(ScriptedAnalyst(), source)
    ) as runner:
        run = runner.start(BRIEF)
        wait_until(lambda: source.asked and store.events(run))
        fragile.stop(signal.SIGQUIT)
        source.may_begin.set()
        wait_until(lambda: any(isinstance(one, ProblemOccurred) for one in runner.events(run)))
        source.may_go_on.set()
        report = runner.wait(run, timeout=120)
        assert [one.code for one in runner.events(run) if isinstance(one, ProblemOccurred)] == ["saved_late"]
        fragile.start()
        wait_until(lambda: not runner.is_under_way(run))
        events = store.events(run)
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert load_report(store, run).markdown == report.markdown
        assert store.get(run).state.value == report.status.value
        assert list(store.pages(run)) == list(report.pages)
    store.close()


def test_pages_say_that_the_server_is_away_when_they_are_opened_and_later_and_work_again_when_it_is_back(
    fragile: PostgresqlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pages.parts.engine import engine
    from tests.support.without_browser import own_engine, shown, whole_app

    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path))
    monkeypatch.setenv("RESEARCH_DATABASE", fragile.new_database().get_secret_value())
    fragile.stop()
    with own_engine():
        app = whole_app()
        app.run()
        assert not app.exception
        assert "The database of the stored runs does not answer." in app.error[0].value
        fragile.start()
        app.run()
        assert not app.exception and not app.error
        sample_runs.sales(engine().store, Language.EN)
        fragile.stop()
        app.switch_page("pages/runs.py").run()
        assert not app.exception
        assert "The database of the stored runs does not answer." in app.error[0].value
        fragile.start()
        app.run()
        assert not app.error and "Nothing has been researched yet" not in shown(app)


def test_a_worker_outlives_its_server_and_nothing_is_lost(fragile: PostgresqlServer, tmp_path: Path) -> None:
    """The server crashes under runs; `python -m bench.queued` has it away for ten seconds under a hundred."""
    with_shared_vectors(tmp_path / "home")
    database = fragile.new_database()
    with closing(RunStore(tmp_path / "home", database)) as store:
        brief = Brief(question="How long is the warranty of the AN-300?", sources=(SourceName.HOUSE,))
        runs = [enter(store, brief, "extractive", Task()) for _ in range(6)]
        with worker_command(tmp_path / "home", database, "--until-idle") as worker:
            wait_until(lambda: store.get(runs[0]).state is RunState.COMPLETE)
            fragile.stop(signal.SIGQUIT)
            time.sleep(3)
            fragile.start()
            assert worker.process.wait(120) == 0
        assert {store.get(run).state for run in runs} == {RunState.COMPLETE}
        assert sorted(worker.begun()) == sorted(runs)
        for run in runs:
            events = store.events(run)
            assert [event.seq for event in events] == list(range(1, len(events) + 1))
            assert [isinstance(event, RunFinished) for event in events].count(True) == 1


def test_who_ends_while_the_server_is_away_waits_for_it(fragile: PostgresqlServer, tmp_path: Path) -> None:
    store = RunStore(tmp_path, fragile.new_database(), wait_seconds=0.2)
    run = store.create(BRIEF, "extractive")
    journal, recorder = StoredJournal(store, run), Recorder()
    recorder.watch(run, journal, lambda _: None)
    fragile.stop()
    journal.emit(Reflected(lane="R1", reflection="the last"))
    wait_until(lambda: journal.waits_for_server)
    begun = threading.Timer(1.0, fragile.start)
    begun.start()
    recorder.close()
    begun.join()
    assert "the last" in [event.reflection for event in store.events(run) if isinstance(event, Reflected)]
    store.close()


def test_a_commit_whose_answer_is_lost_is_neither_lost_nor_done_twice(
    postgresql: PostgresqlServer, tmp_path: Path, address: SecretStr
) -> None:
    with CuttingProxy(postgresql) as proxy, closing(RunStore(tmp_path, proxy.address(address))) as store:
        run = store.create(BRIEF, "extractive")
        proxy.cuts_after = True
        append(store, run, Reflected(lane="R1", reflection="done, and not told"))
        assert proxy.cuts == 1
        proxy.cuts_before = True
        with pytest.raises(StoreError) as lost:
            append(store, run, Reflected(lane="R1", reflection="not done"))
        assert (proxy.cuts, lost.value.code) == (2, "store_away")
        journal = StoredJournal(store, run, events=store.events(run))
        for number in range(2):
            proxy.cuts_before, proxy.cuts_after = number == 0, number == 1
            journal.emit(Reflected(lane="R1", reflection=str(number)))
            wait_until(journal.flush)
        assert proxy.cuts == 4
        told = [(event.seq, event.reflection) for event in store.events(run) if isinstance(event, Reflected)]
        assert told[0] == (1, "done, and not told")
        assert [text for _, text in told[1:]] == ["0", "1"]
        proxy.cuts_after = True
        assert store.create(BRIEF, "extractive") == store.list()[0].id
        assert len(store.list()) == 2


# --- a run, and moving -------------------------------------------------------------------------------------------


def test_a_run_without_a_model_is_kept_in_the_database_that_the_environment_names(
    tmp_path: Path, address: SecretStr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("RESEARCH_DATABASE", address.get_secret_value())
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "pumps.md").write_text(
        "# Pumps\n\nAsanagi sold 620 pumps in 2025. 浅凪は2025年にポンプを620台販売した。\n"
    )
    report = research.run_sync("How many pumps did Asanagi sell in 2025?", library=documents)
    assert "620" in report.markdown
    assert not (tmp_path / "home" / "runs.sqlite3").exists()
    with closing(RunStore(tmp_path / "elsewhere", address)) as elsewhere_:
        assert load_report(elsewhere_, report.record.run).markdown == report.markdown
        assert [run.id for run in find(elsewhere_, Wanted(words="浅凪 ポンプ")).runs] == [report.record.run]
        assert report.record.brief == Brief(question="How many pumps did Asanagi sell in 2025?")


_NAMED = ("runs", "schedules")
"""The tables whose rows have the same name in both."""
_TABLES = (
    *("events", "run_pages", "run_answers", "steering", "tags", "pages"),
    *("search_texts", "page_uses", "run_savings", "seen_pages"),
)
_OWN = {"id", "seen", "words", "vector", "wish"}
"""Columns that each database has for itself."""


def rows(store: RunStore) -> dict[str, list[str]]:
    """Every row of every table, as far as it is not of one database alone."""
    found = {}
    for table in (*_NAMED, *_TABLES, "actions"):
        with store.database.reading() as connection:
            kept = [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]
        own = _OWN - {"id"} if table in _NAMED else _OWN
        found[table] = sorted(repr({name: row[name] for name in sorted(row) if name not in own}) for row in kept)
    return found


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[RunStore]:
    with closing(RunStore(tmp_path / "home")) as store:
        runs = [sample_runs.sales(store, Language.JA), sample_runs.sales(store, Language.EN)]
        follow(store, runs[0], runs[1])
        label(store, runs[0], title="Sales 売上", tags=["board", "売上"])
        find(store, Wanted(words="x"))
        research.store.catch_up_seen(store, seconds=60)
        for account in ("", "anna"):
            of = store.of_account(account)
            made = add_schedule(of, "every monday 08:00", BRIEF, Task(), zone="Asia/Tokyo", analyst="extractive")
            of.note(Action.LOGGED_IN)
        with store.database.writing() as connection:
            connection.execute("UPDATE schedules SET last_run = ? WHERE id = ?", (runs[0], made.id))
        store.of_account("anna").note(Action.SETTINGS)
        yield store


def move(home: Path, *arguments: str, database: str = "") -> int:
    environment = {"RESEARCH_HOME": str(home), "LANG": "en_US.UTF-8"} | (
        {"RESEARCH_DATABASE": database} if database else {}
    )
    return main(["store", "move", "--quiet", *arguments], environment)


SUMMARISED = {"": 3, "anna": 600}


def keep_summaries(cache: SummaryCache, count: int) -> int:
    """Keep so many summaries, and return how many were there."""

    async def make() -> PageSummary:
        return PageSummary("It grew.", ())

    async def keep() -> int:
        return sum([(await cache.get_or_make(f"page {number}", make))[1] for number in range(count)])

    return asyncio.run(keep())


def test_all_runs_are_moved_there_and_back_row_by_row(
    filled: RunStore, tmp_path: Path, address: SecretStr, capsys: pytest.CaptureFixture[str]
) -> None:
    anna = filled.of_account("anna")
    anna.finish(run := anna.create(BRIEF, "extractive"), record(run), "# Anna's")
    find(filled, Wanted(words="x"))
    research.store.catch_up_seen(filled, seconds=60)
    before = rows(filled)
    there = address.get_secret_value()
    for account, count in SUMMARISED.items():
        keep_summaries(SummaryCache(home_of_account(tmp_path / "home", account) / SUMMARIES), count)
    assert move(tmp_path / "home", "--to", there) == 0
    told = capsys.readouterr().err
    for counted in ("runs 3", "schedules 2", "actions 4", "summaries 603"):
        assert counted in told
    with closing(RunStore(tmp_path / "other", address)) as moved:
        assert rows(moved) == before == rows(filled)
        for words in ("売上", "sales", "board"):
            assert [run.id for run in find(moved, Wanted(words=words)).runs] == [
                run.id for run in find(filled, Wanted(words=words)).runs
            ]
        assert find_pages(moved, WantedPages(), today=utc_now().date()).total == len(before["seen_pages"])
        for account, count in SUMMARISED.items():
            assert SummaryCache(moved.database, account).content().summaries == count
    assert move(tmp_path / "back", "--to", "sqlite", database=there) == 0
    for account, count in SUMMARISED.items():
        back_there = SummaryCache(home_of_account(tmp_path / "back", account) / SUMMARIES)
        assert back_there.content().summaries == count
        assert keep_summaries(back_there, count) == count, "each is found"
    with closing(RunStore(tmp_path / "back")) as back:
        assert rows(back) == before
        assert latest_actions(back.database) == latest_actions(filled.database)


def test_a_run_is_exported_from_one_and_imported_into_the_other(
    filled: RunStore, tmp_path: Path, store: RunStore
) -> None:
    for run in filled.list():
        file = export_run(filled, run.id)
        assert import_run(store, file) == run.id
        with pytest.raises(UsageError, match="in the library already"):
            import_run(store, file)
        again = RunStore(tmp_path / run.id)
        import_run(again, export_run(store, run.id))
        assert load_report(again, run.id).markdown == load_report(store, run.id).markdown
        assert again.pages(run.id) == filled.pages(run.id)
        again.close()


def test_what_is_not_empty_is_only_added_to(
    filled: RunStore, tmp_path: Path, store: RunStore, address: SecretStr, capsys: pytest.CaptureFixture[str]
) -> None:
    own = store.create(BRIEF, "extractive")
    store.finish(own, record(own), "# Own")
    there = address.get_secret_value()
    assert move(tmp_path / "home", "--to", there) == 2
    told = capsys.readouterr().err
    assert "--merge" in told and PASSWORD not in told
    assert [run.id for run in store.list()] == [own]
    assert move(tmp_path / "home", "--merge", "--from", "sqlite", "--to", there, database=there) == 0
    before = rows(store)
    assert move(tmp_path / "home", "--merge", "--to", there) == 0, "the second time nothing is left to do"
    assert rows(store) == before
    assert len(store.list()) == 3
    assert store.markdown(own) == "# Own"
    assert move(tmp_path / "home", "--to", "sqlite") == 2, "from here to here"


def test_runs_under_way_are_not_moved(filled: RunStore, store: RunStore) -> None:
    filled.create(BRIEF, "extractive")
    with pytest.raises(CannotMove, match="under way"):
        move_runs(filled, store)
    with pytest.raises(UsageError):
        move_runs(store, filled)
    assert store.list() == []
