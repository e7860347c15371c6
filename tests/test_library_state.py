"""What is said of a folder and its index without reading the folder's files."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from research.core import SourceName, StoreError, UsageError
from research.library import Library, forget, indexed_folders, library_state
from research.library.index import index_file
from research.sources import collection_folder, collection_place


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "papers"
    place.mkdir()
    (place / "good.md").write_text("# Pumps\n\nThe pump market grew by 4 per cent in 2025.")
    (place / "empty.txt").write_text("")
    return place


def test_a_folder_is_told_before_and_after_it_is_indexed(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "library"
    before = library_state(folder, home)
    assert (before.files, before.passages, before.waiting, before.indexed_at) == (2, 0, 2, None)
    assert not home.exists()
    report = Library(folder, home).refresh()
    after = library_state(folder, home)
    assert (after.files, after.passages, after.waiting, after.skipped) == (2, report.passages, 0, report.skipped)
    assert after.indexed_at is not None and after.bytes == (folder / "good.md").stat().st_size
    (folder / "new.md").write_text("New words.")
    (folder / "good.md").unlink()
    assert library_state(folder, home).waiting == 2
    (folder / "empty.txt").unlink()
    assert library_state(folder, home).skipped == (), "what is gone is not left out any more"


def test_indexed_folders_are_known_again_even_when_they_are_gone(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "library"
    deep = folder / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "c.md").write_text("Deep words.")
    Library(folder, home).refresh()
    assert indexed_folders(home) == [folder]
    folder.rename(tmp_path / "moved")
    state = library_state(folder, home)
    assert indexed_folders(home) == [folder]
    assert (state.exists, state.files, state.waiting) == (False, 3, 0)
    forget(folder, home)
    assert indexed_folders(home) == []
    forget(folder, home)


def test_a_damaged_index_counts_as_none_and_a_locked_one_says_so(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "library"
    Library(folder, home).refresh()
    other = sqlite3.connect(index_file(folder, home), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError):
        library_state(folder, home)
    assert indexed_folders(home) == []
    other.close()
    index_file(folder, home).write_bytes(b"no database at all" * 100)
    assert library_state(folder, home).indexed_at is None
    assert indexed_folders(home) == []
    assert Library(folder, home).refresh().files == 1


def test_a_collection_has_its_place_before_it_is_written(tmp_path: Path) -> None:
    place = collection_place(SourceName.HOUSE, tmp_path)
    assert not place.exists()
    assert collection_folder(SourceName.HOUSE, tmp_path) == place
    with pytest.raises(UsageError):
        collection_place(SourceName.WEB, tmp_path)
