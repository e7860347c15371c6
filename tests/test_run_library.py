"""The library of runs: found by words, state, tag and star; named, starred, deleted; fast however many there are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from research.core import Brief, Status, StoreError, UsageError
from research.store import (
    MOST_TAGS,
    MatchPlace,
    RunState,
    RunStore,
    Wanted,
    excerpt,
    find,
    follow,
    label,
    star,
    tags_in_use,
)
from research.store.database import MIGRATIONS, migrate
from research.store.search import LONGEST_TITLE, selection_of
from research.store.store import SUMMARY_COLUMNS
from tests.support.stored_runs import Clock, page, record

REPORT = "# Pumps\n\nAsanagi sells ６２０ pumps a year in Hồ Chí Minh City.\n"
BERICHT = "# 市場規模\n\nベトナムのポンプ市場は拡大している。ＡＩによる需要予測も進む。\n"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, database: SecretStr | None, clock: Clock) -> Iterator[RunStore]:
    store = RunStore(tmp_path, database, now=clock, wait_seconds=0.05)
    yield store
    store.close()


def add(store: RunStore, question: str, report: str = "", source: str = "") -> str:
    """Store a run that has ended; `source` is the title of the page that it read."""
    run = store.create(Brief(question=question), "extractive")
    if source:
        site = "statistics.example.org"
        store.extend(run, (), [page(text=f"Text of {source}", url=f"https://{site}/pumps", title=source, site=site)])
    store.finish(run, record(run), report)
    return run


ONLY_SQLITE = pytest.mark.parametrize("database", [None])


def ids(store: RunStore, **wanted: object) -> list[str]:
    return [run.id for run in find(store, Wanted(**wanted)).runs]  # type: ignore[arg-type]


FOUND = (
    "How large", "LARGE", "lar", "large market", "asanagi", "pumps 620", "６２０", "Ho Chi Minh", '"Chi Minh City"',
    "statistic", "statistics.example.org", "Yearbook", "market asanagi yearbook", "  market　asanagi ",
)  # fmt: skip
FOUND_JA = (
    "市場", "場規", "市場規模", "ベトナムのポンプ", "ポンプ市場は拡大", "AI", "ai", "需要予測", "ﾎﾟﾝﾌﾟ", "統計", "年鑑",
)  # fmt: skip


def test_a_run_is_found_by_words_of_its_question_report_and_sources(store: RunStore) -> None:
    run = add(store, "How large is the market?", REPORT, "Yearbook of machines")
    add(store, "Something else?", "Nothing.")
    assert [words for words in FOUND if ids(store, words=words) != [run]] == []


def test_japanese_is_found_by_any_part_of_it(store: RunStore) -> None:
    run = add(store, "越の需要は？", BERICHT, "機械統計年鑑")
    add(store, "別の問い", "市と場と模と規。")
    assert [words for words in FOUND_JA if ids(store, words=words) != [run]] == []
    assert len(ids(store, words="規")) == 2


ABSENT = ("large absent", "arge", "規市", '"Minh Chi"', "!!!", '"', "NEAR(", "head:", "*", "\0", "\ud800", "AND")


def test_what_is_not_there_is_not_found_and_no_query_breaks_anything(store: RunStore) -> None:
    add(store, "How large is the market?", REPORT + BERICHT)
    assert [words for words in ABSENT if ids(store, words=words)] == []


def test_a_long_query_is_no_burden(store: RunStore) -> None:
    add(store, "How large?")
    assert ids(store, words="large " * 10_000 + "市" * 10_000) in ([], [store.list()[0].id])


def test_the_index_follows_what_changes(store: RunStore) -> None:
    run = store.create(Brief(question="First words"), "extractive")
    assert ids(store, words="first") == [run]
    assert ids(store, words="asanagi") == []
    store.finish(run, record(run), REPORT)
    assert ids(store, words="asanagi") == [run]
    label(store, run, title="Quarterly look", tags=[])
    assert ids(store, words="quarterly") == [run]
    label(store, run, title="", tags=[])
    assert ids(store, words="quarterly") == []
    assert ids(store, words="first") == [run]
    store.delete(run)
    assert ids(store, words="first") == []


def test_runs_of_an_older_store_are_found(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "runs.sqlite3") as connection:
        migrate(connection, MIGRATIONS[:2])
        connection.execute(
            "INSERT INTO runs (id, created_at, question, brief, analyst, state, heartbeat, markdown)"
            " VALUES ('20261121-aaaaaa', '2026-11-21T00:00:00+00:00', 'Old tea', ?, 'chat', 'complete', 0, '緑茶')",
            (Brief(question="Old tea").model_dump_json(),),
        )
    connection.close()
    store = RunStore(tmp_path)
    assert ids(store, words="tea 緑茶") == ["20261121-aaaaaa"]
    run = store.get("20261121-aaaaaa")
    assert (run.title, run.name, run.starred, run.tags, run.follows) == ("", "Old tea", False, (), None)
    store.close()


def test_filters_are_joined(store: RunStore, clock: Clock) -> None:
    one = add(store, "Tea in Japan")
    clock.advance(1)
    two = add(store, "Tea in China")
    label(store, one, title="", tags=["board", "asia"])
    label(store, two, title="", tags=["asia"])
    star(store, two, True)
    running = store.create(Brief(question="Tea now"), "extractive")
    assert ids(store, tags=("asia",)) == [two, one]
    assert ids(store, tags=("asia", "board")) == [one]
    assert ids(store, tags=("nobody",)) == []
    assert ids(store, starred=True) == [two]
    assert ids(store, starred=True, words="japan") == []
    assert ids(store, state=RunState.RUNNING) == [running]
    clock.advance(60)
    assert ids(store, state=RunState.RUNNING) == []
    assert ids(store, state=RunState.INTERRUPTED, words="tea") == [running]


def test_pages_of_what_was_found_know_how_many_there_are(store: RunStore, clock: Clock) -> None:
    made = []
    for number in range(7):
        made.append(add(store, f"Tea {number}"))
        clock.advance(1)
    found = find(store, Wanted(words="tea"), limit=3, offset=3)
    assert ([run.id for run in found.runs], found.total) == (made[3:0:-1], 7)
    assert find(store, Wanted(), limit=3, offset=6).runs[0].id == made[0]
    assert list(find(store, Wanted(), offset=50).runs) == []


def test_a_run_is_named_and_keeps_its_question(store: RunStore) -> None:
    run = add(store, "How large is the market?")
    label(store, run, title="  Board\nmeeting ", tags=["#ＡＩ", " a  b ", "", "AI"])
    kept = store.get(run)
    assert (kept.title, kept.name, kept.question) == ("Board meeting", "Board meeting", "How large is the market?")
    assert kept.tags == ("AI", "a b")
    assert tags_in_use(store) == ("AI", "a b")
    label(store, run, title="x" * 500, tags=())
    assert len(store.get(run).title) == LONGEST_TITLE
    assert tags_in_use(store) == ()
    label(store, run, title="", tags=map(str, range(100)))
    assert len(tags_in_use(store)) == MOST_TAGS == 20
    for act in (lambda: label(store, "no-such", title="", tags=[]), lambda: star(store, "no-such", True)):
        with pytest.raises(UsageError, match="no run"):
            act()


def test_a_run_knows_which_one_it_repeats_until_that_is_deleted(store: RunStore) -> None:
    earlier, later = add(store, "Tea?"), add(store, "Tea?")
    follow(store, later, earlier)
    assert store.get(later).follows == earlier
    with pytest.raises(UsageError, match="no run"):
        follow(store, later, "no-such")
    store.delete(earlier)
    assert store.get(later).follows is None


@ONLY_SQLITE
def test_deleting_leaves_no_word_in_the_index(store: RunStore, tmp_path: Path) -> None:
    run, other = add(store, "Kawanami?", "Kawanami reports", "Kawanami yearbook"), add(store, "Tea?")
    label(store, run, title="Kawanami first", tags=["Kawanami"])
    assert ids(store, words="kawanami") == [run]
    store.delete(run)
    assert ids(store, words="tea") == [other]
    store.close()
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir()).lower()
    assert b"kawanami" not in left
    assert b"awanam" not in left, "the index leaves out what two words begin with"


def test_what_was_deleted_cannot_be_found_by_what_comes_in_its_place(store: RunStore) -> None:
    run = add(store, "Kawanami?")
    assert ids(store, words="kawanami") == [run]
    store.delete(run)
    fresh = add(store, "Tea?")
    assert ids(store, words="tea") == [fresh]
    assert ids(store, words="kawanami") == []


def test_a_busy_store_says_so_and_loses_nothing(store: RunStore, tmp_path: Path, database: SecretStr | None) -> None:
    run = add(store, "Tea?")
    label(store, run, title="Mine", tags=["kept"])
    with RunStore(tmp_path, database).database.writing():
        for act in (
            lambda: label(store, run, title="New", tags=[]),
            lambda: star(store, run, True),
            lambda: store.delete(run),
        ):
            with pytest.raises(StoreError, match="another process"):
                act()
        late = find(store, Wanted(words="tea"))
    assert late.total == 0, "what is not in the index yet is found later, and the search does not fail"
    kept = store.get(run)
    assert (kept.title, kept.tags, kept.starred) == ("Mine", ("kept",), False)
    assert ids(store, words="tea") == [run]


def test_an_excerpt_shows_where_a_word_stands(store: RunStore) -> None:
    run = store.get(add(store, "How large is the market?", REPORT + BERICHT, "Yearbook of machines"))
    for words, place, found, before in (
        ("asanagi", MatchPlace.REPORT, "Asanagi", ""),
        ("620", MatchPlace.REPORT, "６２０", "Asanagi sells "),
        ("chi minh", MatchPlace.REPORT, "Chí", "…６２０ pumps a year in Hồ "),
        ("yearbook", MatchPlace.SOURCE, "Yearbook", ""),
        ("需要予測", MatchPlace.REPORT, "需要予測", "ポンプ市場は拡大している。ＡＩによる"),
    ):
        shown = excerpt(store, run, words)
        assert shown is not None, words
        assert (shown.place, shown.found) == (place, found)
        assert shown.before.endswith(before)


def test_an_excerpt_shows_words_and_not_where_links_lead(store: RunStore) -> None:
    report = (
        "## Sources\n\n2. [Board minutes of July][2] — m.md\n"
        "   > It was decided. [in the file](<file:board.md#char=1,9>)\n\n[2]: <https://elsewhere.example/m>\n"
    )
    run = store.get(add(store, "How large is the market?", report))
    for words, shown in (
        ("minutes", "2. Board minutes of July — m.md"),
        ("decided", "It was decided. in the file"),
        ("elsewhere", None),
    ):
        found = excerpt(store, run, words)
        assert (found and found.before + found.found + found.after) == shown


def test_what_stands_in_the_name_needs_no_excerpt(store: RunStore) -> None:
    run = store.get(add(store, "How large is the market?", REPORT))
    assert excerpt(store, run, "large MARKET") is None
    assert excerpt(store, run, "…") is None


def plan(store: RunStore, query: str, *values: object) -> str:
    with store.database.reading() as connection:
        return "\n".join(row["detail"] for row in connection.execute("EXPLAIN QUERY PLAN " + query, values))


NEWEST = "SELECT id FROM runs WHERE {} ORDER BY created_at DESC, id DESC LIMIT 25 OFFSET 9000"


@pytest.mark.parametrize(
    ("condition", "index"),
    [
        ("true", "COVERING INDEX runs_listed"),
        ("state = 'complete'", "COVERING INDEX runs_by_state"),
        ("starred = 1", "COVERING INDEX runs_listed"),
    ],
)
@ONLY_SQLITE
def test_no_page_of_the_list_reads_or_sorts_all_runs(store: RunStore, condition: str, index: str) -> None:
    found = plan(store, NEWEST.format(f"{store.readable} AND {condition}"))
    assert index in found
    assert "TEMP B-TREE" not in found


@ONLY_SQLITE
def test_only_the_runs_shown_are_counted_out(store: RunStore) -> None:
    chosen = f"WHERE {store.readable} AND id IN ({NEWEST.format(store.readable)}) ORDER BY created_at DESC, id DESC"
    found = plan(store, SUMMARY_COLUMNS + chosen)
    assert "SEARCH runs USING PRIMARY KEY (id=?)" in found
    assert "SCAN events" not in found
    assert "SCAN tags" not in found


@pytest.mark.parametrize("wanted", [Wanted(words="tea"), Wanted(tags=("asia",)), Wanted(words="tea", starred=True)])
@ONLY_SQLITE
def test_a_search_reads_indexes_alone_and_sorts_nothing(store: RunStore, wanted: Wanted) -> None:
    selection = selection_of(store, wanted)
    assert selection is not None
    found = plan(store, NEWEST.format(selection[0]), *selection[1])
    assert "SCAN runs USING COVERING INDEX" in found
    assert "SCAN search_texts" not in found
    assert "SCAN tags" not in found
    assert "TEMP B-TREE" not in found


@ONLY_SQLITE
def test_a_dead_run_is_looked_for_by_state(store: RunStore) -> None:
    assert "runs_by_state" in plan(store, "SELECT id, heartbeat, owner FROM runs WHERE state = 'running'")


def test_a_thousand_runs_are_entered_before_the_first_answer(store: RunStore) -> None:
    with store.database.writing() as connection:
        connection.executemany(
            "INSERT INTO runs (id, created_at, question, brief, analyst, state, heartbeat)"
            " VALUES (?, '2026-11-21T00:00:00+00:00', ?, ?, 'chat', ?, 0)",
            [
                (f"20261121-{number:06}", f"Tea {number}", Brief(question="?").model_dump_json(), Status.COMPLETE.value)
                for number in range(1_000)
            ],
        )
    assert find(store, Wanted(words="tea")).total == 1_000
    assert find(store, Wanted(words="tea"), limit=5, offset=10).runs[0].id == "20261121-000989"
