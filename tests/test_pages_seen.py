"""All pages ever read: found over all runs, with where they are used, whatever happens to the runs."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from research import core
from research.results import Usage
from research.store import (
    Order,
    RunStore,
    Savings,
    Use,
    WantedPages,
    catch_up_seen,
    find_pages,
    page_seen,
    pages_kept,
    quotes_of_page,
    savings,
    uses_of_page,
)
from research.store.database import MIGRATIONS, migrate
from tests.support.machine import slowness
from tests.support.seen_pages import READ_AT, TODAY, end, page, quote, read
from tests.support.stored_runs import append


@pytest.fixture
def store(tmp_path: Path, database: SecretStr | None) -> Iterator[RunStore]:
    store = RunStore(tmp_path, database, wait_seconds=0.2)
    yield store
    store.close()


ONLY_SQLITE = pytest.mark.parametrize("database", [None])


def found(store: RunStore, **wanted: object) -> list[str]:
    catch_up_seen(store)
    return [one.title for one in find_pages(store, WantedPages(**wanted), today=TODAY).pages]  # type: ignore[arg-type]


def test_a_page_of_several_runs_is_one_with_all_its_uses(store: RunStore) -> None:
    first = read(store, page(1), page(2), quotes=(quote(1, "S1"), quote(2, "S1", 4)), question="First?")
    second = read(store, page(1), quotes=(quote(1, "S1"),), question="Second?")
    end(store, first, cited={"S1": 3})
    assert sorted(found(store)) == ["Market 1", "Market 2"]
    (one,) = find_pages(store, WantedPages(words="example.org/1"), today=TODAY).pages
    assert (one.runs, one.cited, one.quotes, one.sha256) == (2, 1, 3, page(1).sha256)
    uses = {use.run: (use.name, use.page, use.number, use.quotes) for use in uses_of_page(store, one.id)}
    assert uses == {first: ("First?", "S1", 3, 2), second: ("Second?", "S1", None, 1)}
    assert [(entry.start, entry.end) for entry in quotes_of_page(store, one.id)] == [(0, 3), (4, 7)]


def test_what_a_run_does_later_is_seen_at_the_next_look(store: RunStore) -> None:
    run = read(store, page(1))
    assert found(store, use=Use.READ) == ["Market 1"]
    store.extend(run, (quote(1, "S1"),), (page(2),))
    assert found(store, use=Use.QUOTED) == ["Market 1"]
    end(store, run, cited={"S2": 1})
    assert found(store, use=Use.CITED) == ["Market 2"]


def test_a_text_that_changed_at_its_address_is_another_page(store: RunStore) -> None:
    read(store, page(1))
    read(store, page(1, text="Other words.", title="Market 1 (new)"))
    assert sorted(found(store)) == ["Market 1", "Market 1 (new)"]


def test_deleting_runs_takes_back_their_uses_and_the_pages_of_nobody(store: RunStore) -> None:
    late = datetime(2026, 11, 22, tzinfo=UTC)
    first, second = read(store, page(1)), read(store, page(1, fetched_at=late), page(2))
    for run in (first, second):
        end(store, run, cited={"S1": 1})
    catch_up_seen(store)
    store.delete(second)
    (one,) = find_pages(store, WantedPages(), today=TODAY).pages
    assert (one.title, one.runs, one.cited, one.last_read) == ("Market 1", 1, 1, READ_AT)
    store.delete(first)
    assert found(store) == []
    assert page_seen(store, one.id) is None
    assert pages_kept(store).pages == 0


def test_words_are_found_in_title_site_and_address(store: RunStore) -> None:
    read(store, page(1), page(2, title="Other", url="https://elsewhere.net/2", site="elsewhere.net"))
    for words in ("market 1", "MARKET", "Ｍａｒｋｅｔ", "Märket", "example.org/1", '"market 1"', "example.org market"):
        assert found(store, words=words) == ["Market 1"], words


def test_japanese_is_found_by_any_part_of_it(store: RunStore) -> None:
    read(store, page(1, title="グリーン市場の動向", url="file:///home/%E6%9D%B1%E4%BA%AC.pdf"), page(2))
    for words in ("市場", "グリーン", "ｸﾞﾘｰﾝ", "東京"):
        assert found(store, words=words) == ["グリーン市場の動向"], words


def test_hostile_words_find_nothing_and_break_nothing(store: RunStore) -> None:
    read(store, page(1))
    for words in ("'; DROP TABLE runs; --", "%", "_", "*", '"', "\0", "\ud800", "x" * 100_000):
        assert found(store, words=words) == [], words
        assert found(store) == ["Market 1"]


def test_hostile_titles_are_kept_as_they_are(store: RunStore, database: SecretStr | None) -> None:
    titles = ["<script>alert(1)</script>", "a\0b", "\u202eevil", "x" * 20_000, "'); DROP TABLE seen_pages; --", ""]
    read(store, *(page(number, title=title) for number, title in enumerate(titles)))
    if database is not None:
        titles[1] = "a\N{REPLACEMENT CHARACTER}b"  # a text of PostgreSQL has no character 0
    assert sorted(found(store)) == sorted(titles)
    assert found(store, words="drop table") == [titles[4]]


def test_pages_are_chosen_by_kind_origin_and_date(store: RunStore) -> None:
    read(
        store,
        page(1, kind=core.SourceKind.STATISTICS, published="2026-11-01"),
        page(2, origin=core.SourceName.LIBRARY, published="2025"),
        page(3, published="2019-03"),
        page(4, published="2026"),
    )
    assert found(store, kind=core.SourceKind.STATISTICS) == ["Market 1"]
    assert found(store, origin=core.SourceName.LIBRARY) == ["Market 2"]
    assert sorted(found(store, published=core.PeriodChoice.QUARTER)) == ["Market 1", "Market 4"]
    assert sorted(found(store, published=core.PeriodChoice.THREE_YEARS)) == ["Market 1", "Market 2", "Market 4"]
    assert found(store, undated=True) == []
    read(store, page(5))
    assert found(store, undated=True) == ["Market 5"]


def test_the_order_is_that_which_was_asked_for(store: RunStore) -> None:
    read(store, page(1, published="2020"), page(2, published="2026"), page(3), quotes=(quote(1, "S3"),))
    read(store, page(1, published="2020"))
    assert found(store, order=Order.QUOTED)[0] == "Market 3"
    assert found(store, order=Order.USED)[0] == "Market 1"
    assert found(store, order=Order.PUBLISHED) == ["Market 2", "Market 1", "Market 3"]


def test_a_hundred_thousand_pages_are_turned_page_by_page(store: RunStore) -> None:
    run = read(store)
    with store.database.writing() as connection:
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
            " INSERT INTO seen_pages (url, sha256, title, site, origin, kind, words, last_read)"
            " SELECT 'https://example.org/' || i, 'h', 'Market ' || i, 'example.org', 'web', 'news',"
            " 'market ' || i || ' example.org https://example.org/' || i, '2026-11-21T00:00:00+00:00' FROM n"
        )
        connection.execute("INSERT INTO page_uses SELECT ?, 'S' || id, id, last_read, NULL, 0 FROM seen_pages", (run,))
        connection.execute("DELETE FROM seen_waiting")
    began = time.process_time()
    last = find_pages(store, WantedPages(words="market example"), today=TODAY, offset=99_990)
    rare = find_pages(store, WantedPages(words="99999", order=Order.PUBLISHED), today=TODAY)
    assert time.process_time() - began < 2.0 * slowness()
    assert (last.total, len(last.pages), rare.total) == (100_000, 10, 1)


def test_a_store_of_before_is_taken_in_bit_by_bit(tmp_path: Path) -> None:
    home = tmp_path / "old"
    home.mkdir()
    with sqlite3.connect(home / "runs.sqlite3") as connection:
        migrate(connection, MIGRATIONS[:3])
        for number in range(60):
            connection.execute(
                "INSERT INTO runs (id, created_at, question, brief, analyst, state, heartbeat)"
                " VALUES (?, '2026-01-01T00:00:00+00:00', '?', '{\"question\": \"?\"}', 'chat', 'failed', 0)",
                (f"r{number}",),
            )
            facts = page(number).model_copy(update={"text": ""}).model_dump_json()
            connection.execute("INSERT OR IGNORE INTO pages VALUES (?, x'00')", (page(number).sha256,))
            connection.execute(
                "INSERT INTO run_pages VALUES (?, ?, ?, ?)", (f"r{number}", f"S{number}", page(number).sha256, facts)
            )
    connection.close()
    store = RunStore(home)
    assert catch_up_seen(store, seconds=0.0) == 60
    assert catch_up_seen(store) == 0
    assert find_pages(store, WantedPages(), today=TODAY).total == 60
    store.close()


@ONLY_SQLITE
def test_a_page_that_cannot_be_read_costs_only_itself(store: RunStore, tmp_path: Path) -> None:
    run = read(store, page(1), page(2))
    with sqlite3.connect(tmp_path / "runs.sqlite3") as connection:
        connection.execute("UPDATE run_pages SET facts = '{}' WHERE run = ? AND page = 'S2'", (run,))
    connection.close()
    assert found(store) == ["Market 1"]


def test_a_damaged_run_costs_only_itself(store: RunStore) -> None:
    records = ("{", "[]", '{"sources": 3}', '{"sources": [{}]}', '{"usage": []}')
    for record in records:
        damaged = read(store, page(1))
        with store.database.writing() as connection:
            connection.execute("UPDATE runs SET record = ? WHERE id = ?", (record, damaged))
    read(store, page(2))
    assert catch_up_seen(store) == 0
    assert "Market 2" in found(store)


@ONLY_SQLITE
def test_a_locked_store_shows_what_was_there_and_a_broken_one_says_so(store: RunStore, tmp_path: Path) -> None:
    read(store, page(1))
    assert found(store) == ["Market 1"]
    read(store, page(2))
    other = sqlite3.connect(tmp_path / "runs.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert catch_up_seen(store) == 1
    assert [one.title for one in find_pages(store, WantedPages(), today=TODAY).pages] == ["Market 1"]
    other.close()


def started(run: str, model: str) -> core.RunStarted:
    return core.RunStarted(
        run=run,
        brief=core.Brief(question="?"),
        brief_text="",
        analyst="chat",
        sources=(),
        models={core.Role.SUMMARIZATION: model},
    )


def spared(store: RunStore, model: str, **usage: float | None) -> str:
    run = read(store)
    append(store, run, started(run, model))
    end(store, run, cited={}, usage={core.Role.SUMMARIZATION: Usage.model_validate(usage)})
    return run


def test_what_was_spared_is_priced_by_the_calls_that_were_made(store: RunStore) -> None:
    spared(store, "gpt-a", calls=4, cached=2, cost_usd=0.4)
    spared(store, "gpt-a", calls=0, cached=5, cost_usd=0.0)
    spared(store, "own", calls=3, cached=7, cost_usd=None)
    spared(store, "gpt-a", calls=9, cached=0, cost_usd=1.0)
    catch_up_seen(store)
    total = savings(store)
    assert (total.runs, total.calls, total.unpriced) == (3, 14, 7)
    each = 1.4 / 13
    assert total.usd == pytest.approx(0.2 + 5 * each)


def test_nothing_spared_is_nothing(store: RunStore) -> None:
    assert savings(store) == Savings(0, 0, 0.0, 0)


@ONLY_SQLITE
def test_a_record_without_usage_costs_nothing_but_its_savings(store: RunStore, tmp_path: Path) -> None:
    run = spared(store, "gpt-a", calls=1, cached=1, cost_usd=0.1)
    with sqlite3.connect(tmp_path / "runs.sqlite3") as connection:
        connection.execute("UPDATE runs SET record = ? WHERE id = ?", (json.dumps({"format": 1}), run))
    connection.close()
    catch_up_seen(store)
    assert savings(store).calls == 0
