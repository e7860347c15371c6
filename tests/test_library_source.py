"""The library as a source of pages for a run."""

from __future__ import annotations

import asyncio
import shutil
from datetime import UTC, datetime
from pathlib import Path
from threading import current_thread, main_thread

import pytest

from research.core import PeriodChoice, SourceError, SourceKind, SourceName
from research.library import Library, Skipped
from research.sources import SearchRequest, Source
from research.sources.local import LocalSource


@pytest.fixture
def documents(documents: Path) -> Path:
    (documents / "memos").mkdir()
    filler = "Nothing of interest stands in this paragraph, which is here to be long. " * 12
    text = (
        f"---\ntitle: Pump memo\ndate: 2026-03\n---\n\nPumps sold well in Hanoi.\n\n{filler}\n\nPumps in Hanoi again.\n"
    )
    (documents / "memos" / "new.md").write_text(text, encoding="utf-8")
    (documents / "old.md").write_text("---\ndate: 2019-05-01\n---\n\nOld pumps in Hanoi.", encoding="utf-8")
    (documents / "undated.txt").write_text("Undated pumps in Hanoi.", encoding="utf-8")
    return documents


def source(library: Library, name: SourceName = SourceName.LIBRARY) -> LocalSource:
    return LocalSource(name, lambda: library, now=lambda: datetime(2026, 11, 20, tzinfo=UTC))


async def test_pages_are_files_with_their_passages(library: Library, documents: Path) -> None:
    local: Source = source(library)
    pages = {page.site: page for page in await local.search(SearchRequest("pumps in Hanoi", 10))}
    assert set(pages) == {"memos/new.md", "old.md", "undated.txt"}
    page = pages["memos/new.md"]
    assert page.url == (documents / "memos" / "new.md").as_uri()
    assert (page.title, page.published, page.kind) == ("Pump memo", "2026-03", SourceKind.DOCUMENT)
    assert page.text == (documents / "memos" / "new.md").read_text(encoding="utf-8")
    assert len(page.passages) == 2
    assert all("Hanoi" in page.text[start:end] for start, end in page.passages)


async def test_best_pages_first_and_beyond_what_is_asked_for_only_short_ones_of_a_few(
    documents: Path, library: Library
) -> None:
    (documents / "long.md").write_text("Pumps are made here.\n\n" + "Nothing else is said of them.\n\n" * 300)
    pages = await source(library).search(SearchRequest("undated pumps", 2))
    assert [page.site for page in pages][:1] == ["undated.txt"]
    assert len(pages) == 3 and all(page.is_wanted for page in pages)
    assert pages[0].score > pages[1].score
    for number in range(20):
        (documents / f"{number}.txt").write_text(f"Turnips of field {number}.", encoding="utf-8")
    pages = await source(library).search(SearchRequest("undated pumps", 2))
    assert len(pages) == 2 and not any(page.is_wanted for page in pages)


@pytest.mark.parametrize(
    ("period", "left"),
    [
        (PeriodChoice.YEAR, {"memos/new.md", "undated.txt"}),
        (PeriodChoice.MONTH, {"undated.txt"}),
        (None, {"memos/new.md", "old.md", "undated.txt"}),
    ],
)
async def test_what_is_known_to_be_too_old_is_left_out(
    library: Library, period: PeriodChoice | None, left: set[str]
) -> None:
    pages = await source(library).search(SearchRequest("pumps", 10, period=period))
    assert {page.site for page in pages} == left


async def test_imprecise_dates_count_to_their_end(documents: Path, library: Library) -> None:
    for date in ("2025", "2025-11", "2024"):
        (documents / f"{date}.md").write_text(f"---\ndate: {date}\n---\n\nturnips", encoding="utf-8")
    pages = await source(library).search(SearchRequest("turnips", 10, period=PeriodChoice.YEAR))
    assert {page.published for page in pages} == {"2025", "2025-11"}


async def test_factbook_pages_are_government_pages(library: Library) -> None:
    pages = await source(library, SourceName.FACTBOOK).search(SearchRequest("pumps", 1))
    assert [(page.site, page.kind, page.origin) for page in pages] == [
        ("The World Factbook", SourceKind.GOVERNMENT, SourceName.FACTBOOK)
    ]


async def test_concurrent_searches_index_once_and_progress_is_told(documents: Path, library: Library) -> None:
    for number in range(95):
        (documents / f"{number}.txt").write_text(f"pump {number}", encoding="utf-8")
    (documents / "broken.pdf").write_bytes(b"%PDF")
    told: list[tuple[int, int, tuple[Skipped, ...]]] = []

    def on_progress(done: int, total: int, skipped: tuple[Skipped, ...]) -> None:
        assert current_thread() is not main_thread()
        told.append((done, total, skipped))

    local = LocalSource(SourceName.LIBRARY, lambda: library, on_progress)
    results = await asyncio.gather(*(local.search(SearchRequest("pump", 5)) for _ in range(8)))
    assert all(pages == results[0] for pages in results)
    assert told[-1] == (99, 99, (Skipped(documents / "broken.pdf", "file_broken"),))
    assert 5 < len(told) <= 12
    assert [done for done, _, _ in told] == sorted({done for done, _, _ in told})


async def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError) as caught:
        await source(Library(tmp_path / "empty", tmp_path / "index")).search(SearchRequest("pumps", 5))
    assert caught.value.code == "folder_empty"


async def test_a_folder_that_is_gone_is_a_failed_search(library: Library, documents: Path) -> None:
    shutil.rmtree(documents)
    with pytest.raises(SourceError) as caught:
        await source(library).search(SearchRequest("pumps", 5))
    assert caught.value.code == "search_failed"


async def test_what_comes_into_a_watched_folder_or_changes_is_found_by_a_later_search(
    documents: Path, library: Library
) -> None:
    told: list[int] = []
    local = LocalSource(SourceName.LIBRARY, lambda: library, lambda done, *_: told.append(done), watched=0.0)
    before = {page.site: page for page in await local.search(SearchRequest("pumps in Hanoi", 10))}
    (documents / "late.md").write_text("# Late\n\nNew pumps in Hanoi arrive on Monday.\n", encoding="utf-8")
    (documents / "undated.txt").write_text("Undated pumps in Hanoi were sold.", encoding="utf-8")
    after = {page.site: page for page in await local.search(SearchRequest("pumps in Hanoi", 10))}
    assert after.keys() - before.keys() == {"late.md"}
    assert told[-1] == len(before) + 1
    assert after["undated.txt"].text.endswith("were sold.")
    assert after["undated.txt"].url == before["undated.txt"].url + "?version=2", "what was quoted of it stays true"
    assert after["old.md"].url == before["old.md"].url
    (documents / "old.md").unlink()
    assert "old.md" not in {page.site for page in await local.search(SearchRequest("pumps in Hanoi", 10))}


async def test_a_folder_is_not_looked_at_again_before_its_time(documents: Path, library: Library) -> None:
    for watched in (60.0, float("inf")):
        local = LocalSource(SourceName.LIBRARY, lambda: library, watched=watched)
        await local.search(SearchRequest("pumps", 10))
        (documents / f"{watched}.md").write_text("Late pumps.", encoding="utf-8")
        assert f"{watched}.md" not in {page.site for page in await local.search(SearchRequest("late pumps", 10))}


async def test_no_hits(library: Library) -> None:
    assert await source(library).search(SearchRequest("zebras", 5)) == []
