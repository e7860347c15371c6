"""The index on disk: outside the folder, shared by threads and processes, rebuilt when damaged."""

from __future__ import annotations

import os
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from research.library import Library
from tests.support.processes import elsewhere, said

WORDS = ["pump", "valve", "motor", "seal", "bearing", "inverter", "需要", "価格", "工場", "顧客"]


@pytest.fixture
def documents(documents: Path) -> Path:
    chance = random.Random(5)
    for number in range(60):
        text = "\n\n".join(" ".join(chance.choices(WORDS, k=60)) for _ in range(4))
        (documents / f"{number}.md").write_text(f"# Number {number}\n\n{text}", encoding="utf-8")
    return documents


def index_file(home: Path) -> Path:
    (file,) = home.rglob("*.sqlite")
    return file


def test_the_folder_itself_is_not_touched(documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sorted(documents.iterdir())
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path / "home"))
    Library(documents).refresh()
    assert sorted(documents.iterdir()) == before
    assert index_file(tmp_path / "home").is_relative_to(tmp_path / "home" / "library")


def test_an_index_inside_the_folder_is_no_document(documents: Path) -> None:
    library = Library(documents, documents / "home")
    assert library.refresh() == library.refresh()
    assert library.refresh().skipped == ()


@pytest.mark.parametrize("damage", ["empty", "garbage", "cut", "half", "flipped", "other"])
def test_a_damaged_index_is_rebuilt(documents: Path, tmp_path: Path, damage: str) -> None:
    home = tmp_path / "index"
    whole = Library(documents, home).refresh()
    expected = Library(documents, home).search("pump 需要")
    file = index_file(home)
    data = bytearray(file.read_bytes())
    match damage:
        case "empty":
            data = bytearray()
        case "garbage":
            data = bytearray(random.Random(1).randbytes(len(data)))
        case "cut":
            data = data[: len(data) - 5_000]
        case "half":
            data = data[: len(data) // 2]
        case "flipped":
            for at in range(4_096, len(data), 997):
                data[at] ^= 0xFF
        case "other":
            data = data.replace(b"title TEXT", b"titel TEXT")
    file.write_bytes(data)

    library = Library(documents, home)
    assert library.search("pump 需要") == expected
    assert library.refresh() == whole
    assert library.text(expected[0].path) == expected[0].path.read_text(encoding="utf-8")


def test_an_index_that_vanishes_under_an_open_library(documents: Path, tmp_path: Path) -> None:
    library = Library(documents, tmp_path / "index")
    expected = library.search("pump")
    index_file(tmp_path / "index").unlink()
    assert library.search("pump") == expected


def test_an_index_of_another_version_is_left_to_it_as_long_as_it_is_used(documents: Path, tmp_path: Path) -> None:
    """Workers of two versions share a home while one after the other is replaced."""
    Library(documents, tmp_path / "index").refresh()
    used = index_file(tmp_path / "index").rename(index_file(tmp_path / "index").with_name("index-1.sqlite"))
    left = used.with_name("index.sqlite")
    left.write_bytes(b"of the first version")
    os.utime(left, (0, 0))
    before = used.read_bytes()
    assert len(Library(documents, tmp_path / "index").search("pump", 100)) > 0
    assert used.read_bytes() == before
    assert not left.exists()


def test_threads_share_one_library(documents: Path, tmp_path: Path) -> None:
    library = Library(documents, tmp_path / "index")
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda word: (word, library.search(word, 100)), WORDS * 8))
    once = {word: library.search(word, 100) for word in WORDS}
    assert all(hits == once[word] for word, hits in results)


def test_instances_notice_what_the_other_one_indexed(documents: Path, tmp_path: Path) -> None:
    one, other = Library(documents, tmp_path / "index"), Library(documents, tmp_path / "index")
    one.search("pump"), other.search("pump")
    for path in documents.iterdir():
        path.write_text(f"All about turnips. {path.name}", encoding="utf-8")
    one.refresh()
    hits = other.search("turnips pump", 100)
    assert len(hits) == 60
    assert all(hit.text == hit.path.read_text(encoding="utf-8") for hit in hits)


def _index(connection: Connection, documents: Path, index: Path) -> None:
    connection.recv()
    library = Library(documents, index)
    connection.send((library.refresh().passages, len(library.search("pump", 1_000))))


def test_processes_index_one_folder_at_once(documents: Path, tmp_path: Path) -> None:
    with ExitStack() as running:
        connections = [running.enter_context(elsewhere(_index, documents, tmp_path / "index"))[1] for _ in range(3)]
        for connection in connections:
            connection.send("begin")
        told = [said(connection) for connection in connections]
    library = Library(documents, tmp_path / "index")
    assert told == [(library.refresh().passages, len(library.search("pump", 1_000)))] * 3
