"""The cache of summaries: what is kept, what is shared, and what is never believed."""

import asyncio
import sqlite3
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from research.analysts import PageRequest, PageSummary
from research.core import PRESETS, ModelError, PresetName, StoreError
from research.store import RunStore
from research.store.database import Database
from research.store.world import SummaryCache
from tests.support.scripted import ScriptedAnalyst
from tests.support.stored_runs import page

SUMMARY = PageSummary("It grew.", ("The market grew by 4 %.",))


class Counted(ScriptedAnalyst):
    """Counts its calls; `key` is what it says its summaries depend on."""

    def __init__(
        self, *answers: PageSummary | Exception, delay: float = 0.0, key: tuple[str, ...] | None = ("m",)
    ) -> None:
        super().__init__(delay=delay)
        self.answers = answers or (SUMMARY,)
        self.calls = 0
        self.cancelled = 0
        self.key = key

    async def summarise(self, request: PageRequest) -> PageSummary:
        self.calls += 1
        try:
            await asyncio.sleep(self.delay)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        answer = self.answers[min(self.calls, len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def summary_key(self, request: PageRequest) -> tuple[str, ...] | None:
        return self.key


def asked(text: str = "The market grew by 4 %.", url: str = "https://example.org/", topic: str = "t") -> PageRequest:
    return PageRequest(page(text=text, url=url), text, "How large?", topic, PRESETS[PresetName.SPEED].limits)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "summaries"


@pytest.fixture
def place(folder: Path, database: SecretStr | None) -> Path | Database:
    """Where summaries are kept: a folder, or a database."""
    return RunStore(folder, database).shared or folder


async def test_a_summary_is_made_once_and_outlives_the_process(place: Path | Database) -> None:
    first, second = Counted(), Counted()
    assert await SummaryCache(place).summarise(first, asked()) == (SUMMARY, False)
    assert await SummaryCache(place).summarise(second, asked(topic="other")) == (SUMMARY, True)
    assert (first.calls, second.calls) == (1, 0)


async def test_a_summary_is_kept_while_all_threads_that_reckon_are_busy(folder: Path) -> None:
    with ThreadPoolExecutor(1) as threads:
        asyncio.get_running_loop().set_default_executor(threads)
        over = threading.Event()
        threads.submit(over.wait)
        try:
            made = SummaryCache(folder).summarise(Counted(), asked())
            assert await asyncio.wait_for(made, 5) == (SUMMARY, False)
        finally:
            over.set()


@pytest.mark.parametrize(
    ("request_", "key"),
    [(asked(text="Other words."), ("m",)), (asked(url="https://example.net/"), ("m",)), (asked(), ("other model",))],
)
async def test_whatever_changes_the_summary_is_part_of_the_key(
    place: Path | Database, request_: PageRequest, key: tuple[str, ...]
) -> None:
    cache = SummaryCache(place)
    await cache.summarise(Counted(), asked())
    analyst = Counted(key=key)
    assert (await cache.summarise(analyst, request_))[1] is False
    assert analyst.calls == 1


async def test_an_analyst_without_a_key_is_asked_each_time(folder: Path) -> None:
    analyst = Counted(key=None)
    cache = SummaryCache(folder)
    for _ in range(2):
        assert await cache.summarise(analyst, asked()) == (SUMMARY, False)
    assert analyst.calls == 2


@pytest.mark.parametrize(
    "poor", [replace(SUMMARY, by_rule=True), replace(SUMMARY, summary=" "), ModelError("model_failed")]
)
async def test_failures_and_fallbacks_are_never_kept(place: Path | Database, poor: PageSummary | Exception) -> None:
    analyst = Counted(poor, SUMMARY)
    cache = SummaryCache(place)
    if isinstance(poor, Exception):
        with pytest.raises(ModelError):
            await cache.summarise(analyst, asked())
    else:
        assert await cache.summarise(analyst, asked()) == (poor, False)
    assert await cache.summarise(analyst, asked()) == (SUMMARY, False)


async def test_all_who_ask_at_once_share_one_call_even_across_runs(folder: Path) -> None:
    cache = SummaryCache(folder)
    analysts = [Counted(delay=0.1) for _ in range(3)]
    answers = await asyncio.gather(*(cache.summarise(analyst, asked()) for analyst in analysts))
    assert [analyst.calls for analyst in analysts] == [1, 0, 0]
    assert answers == [(SUMMARY, False), (SUMMARY, True), (SUMMARY, True)]


async def test_a_failure_is_told_to_all_who_waited_for_it(folder: Path) -> None:
    analyst = Counted(ModelError("model_failed"), delay=0.05)
    cache = SummaryCache(folder)
    answers = await asyncio.gather(*(cache.summarise(analyst, asked()) for _ in range(3)), return_exceptions=True)
    assert analyst.calls == 1
    assert [type(answer) for answer in answers] == [ModelError] * 3


@pytest.mark.parametrize("leaving", [0, 1])
async def test_whoever_leaves_lets_the_others_finish(folder: Path, leaving: int) -> None:
    analyst = Counted(delay=0.1)
    cache = SummaryCache(folder)
    tasks = [asyncio.create_task(cache.summarise(analyst, asked())) for _ in range(2)]
    await asyncio.sleep(0.05)
    tasks[leaving].cancel()
    with pytest.raises(asyncio.CancelledError):
        await tasks[leaving]
    assert (await tasks[1 - leaving])[0] == SUMMARY
    assert (analyst.calls, analyst.cancelled) == (1, 0)


async def test_a_call_that_nobody_waits_for_ends_and_the_next_one_begins_anew(folder: Path) -> None:
    analyst = Counted(delay=0.2)
    cache = SummaryCache(folder)
    task = asyncio.create_task(cache.summarise(analyst, asked()))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    answer = await cache.summarise(analyst, asked())
    assert answer == (SUMMARY, False)
    assert (analyst.calls, analyst.cancelled) == (2, 1)


def test_one_instance_serves_several_event_loops(place: Path | Database) -> None:
    cache, analyst = SummaryCache(place), Counted(delay=0.05)
    answers: list[PageSummary] = []

    def work() -> None:
        answers.append(asyncio.run(cache.summarise(analyst, asked()))[0])

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [SUMMARY] * 3


@pytest.mark.parametrize("is_there", [False, True])
def test_what_is_kept_is_for_its_owner_alone(folder: Path, is_there: bool) -> None:
    if is_there:
        folder.mkdir(mode=0o755)
    asyncio.run(SummaryCache(folder).summarise(Counted(), asked()))
    assert stat.S_IMODE(folder.stat().st_mode) == (0o755 if is_there else 0o700)
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("value", [b"no text", 5, "text", "{}"])
async def test_what_is_no_summary_counts_as_a_miss(folder: Path, value: object) -> None:
    await SummaryCache(folder).summarise(Counted(), asked())
    with sqlite3.connect(folder / "summaries.sqlite3") as connection:
        connection.execute("UPDATE summaries SET value = ?", (value,))
    connection.close()
    cache = SummaryCache(folder)
    assert await cache.summarise(Counted(), asked()) == (SUMMARY, False)
    assert (await cache.summarise(Counted(), asked()))[1] is True, "the good one takes its place"


def test_a_damaged_cache_starts_anew(folder: Path) -> None:
    folder.mkdir()
    (folder / "summaries.sqlite3").write_bytes(b"damaged " * 1_000)
    cache = SummaryCache(folder)
    assert asyncio.run(cache.summarise(Counted(), asked())) == (SUMMARY, False)
    assert asyncio.run(cache.summarise(Counted(), asked())) == (SUMMARY, True)


def test_what_a_version_before_kept_is_gone(folder: Path) -> None:
    folder.mkdir()
    (folder / "cache.db").write_bytes(b"summaries")
    assert SummaryCache(folder).content().summaries == 0
    assert [file.name for file in folder.glob("cache.db*")] == []


async def test_without_a_usable_folder_summaries_are_made_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    analyst = Counted()
    cache = SummaryCache(tmp_path / "file" / "summaries")
    for _ in range(2):
        assert await cache.summarise(analyst, asked()) == (SUMMARY, False)
    assert analyst.calls == 2


async def test_what_is_held_is_counted_and_cleared(place: Path | Database) -> None:
    cache = SummaryCache(place)
    assert cache.content().summaries == 0
    await cache.summarise(Counted(), asked())
    await cache.summarise(Counted(), asked(text="Other words."))
    held = cache.content()
    assert held.summaries == 2 and held.bytes > 0
    assert cache.clear() == 2
    assert cache.content().summaries == 0
    again = Counted()
    assert await cache.summarise(again, asked()) == (SUMMARY, False)


async def test_of_accounts_that_share_a_database_none_has_any_use_of_anothers(place: Path | Database) -> None:
    def cache(account: str) -> SummaryCache:
        return SummaryCache(place / account if isinstance(place, Path) else place, account)

    analyst = Counted()
    accounts = ("", "anna", "ann", "bob")
    for account in accounts:
        made = await cache(account).summarise(analyst, asked())
        assert made == (SUMMARY, False), account
        assert cache(account).content().summaries == 1
    assert cache("ann").clear() == 1
    assert [cache(account).content().summaries for account in accounts] == [1, 1, 0, 1]
    for account, kept in zip(accounts, (True, True, False, True), strict=True):
        assert (await cache(account).summarise(analyst, asked()))[1] is kept
    assert analyst.calls == 5


def test_a_cache_that_cannot_be_opened_says_so_when_asked(folder: Path) -> None:
    folder.write_text("no folder")
    for ask in (SummaryCache(folder).content, SummaryCache(folder).clear):
        with pytest.raises(StoreError):
            ask()
