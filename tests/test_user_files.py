"""The store for small files of the user's own: for their owner alone, whole or not at all, damaged ones never lost."""

from __future__ import annotations

import logging
import resource
import stat
import threading
from pathlib import Path

import pytest
from pydantic import BaseModel

from research.core import StoreError
from research.settings import UserFile
from research.settings.files import LARGEST


class Notes(BaseModel):
    lines: frozenset[str] = frozenset()


NOTES = UserFile("notes.json", Notes)


def keep(home: Path, line: str) -> Notes:
    return NOTES.change(home, lambda before: Notes(lines=before.lines | {line}))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(home: Path) -> set[str]:
    return {path.name for path in NOTES.path(home).parent.iterdir()}


def test_nothing_is_kept_at_first(tmp_path: Path) -> None:
    assert NOTES.load(tmp_path) == Notes()
    assert NOTES.load(tmp_path / "no" / "such" / "folder") == Notes()
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_comes_back_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    keep(tmp_path, "一")
    assert keep(tmp_path, "b") == NOTES.load(tmp_path) == Notes(lines=frozenset({"一", "b"}))
    assert mode(NOTES.path(tmp_path)) == 0o600 and mode(NOTES.path(tmp_path).parent) == 0o700
    assert names(tmp_path) == {"notes.json"}


def test_a_loose_folder_or_file_is_closed(tmp_path: Path) -> None:
    file = NOTES.path(tmp_path)
    file.parent.mkdir(mode=0o755)
    keep(tmp_path, "a")
    assert mode(file.parent) == 0o700
    file.chmod(0o644)
    NOTES.load(tmp_path)
    assert mode(file) == 0o600


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b'{"lines": "sk-secret"}'])
def test_a_damaged_file_is_told_and_set_aside(tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    file = NOTES.path(tmp_path)
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(StoreError, match=r"notes\.json is damaged"):
        NOTES.load(tmp_path)
    with caplog.at_level(logging.WARNING):
        keep(tmp_path, "a")
    assert NOTES.load(tmp_path) == Notes(lines=frozenset({"a"}))
    aside = file.with_name("notes.json.unreadable")
    assert aside.read_bytes() == content and mode(aside) == 0o600
    assert aside.name in caplog.text and "sk-secret" not in caplog.text


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    keep(tmp_path, "a")
    with NOTES.path(tmp_path).open("ab") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(StoreError, match="32,000,000"):
        NOTES.load(tmp_path)


def test_a_place_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "settings").write_text("a file where the folder should be")
    with pytest.raises(StoreError):
        keep(tmp_path, "a")
    assert (tmp_path / "settings").read_text() == "a file where the folder should be"


@pytest.mark.parametrize("content", [b'{"lines": ["a"]}', b"damaged"])
def test_a_full_disk_is_told_and_leaves_what_was_there(tmp_path: Path, content: bytes) -> None:
    file = NOTES.path(tmp_path)
    file.parent.mkdir()
    file.write_bytes(content)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))
    try:
        with pytest.raises(StoreError) as caught:
            keep(tmp_path, "b")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.code == "store_full"
    assert file.read_bytes() == content and names(tmp_path) == {"notes.json"}


def test_changes_at_the_same_time_all_arrive(tmp_path: Path) -> None:
    threads = [threading.Thread(target=keep, args=(tmp_path, line)) for line in "abcdefgh"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert NOTES.load(tmp_path).lines == set("abcdefgh")


def test_a_stamp_tells_whether_the_file_changed(tmp_path: Path) -> None:
    stamps = [NOTES.stamp(tmp_path)]
    keep(tmp_path, "a")
    stamps.append(NOTES.stamp(tmp_path))
    assert NOTES.stamp(tmp_path) == stamps[-1]
    keep(tmp_path, "bb")
    assert len({*stamps, NOTES.stamp(tmp_path)}) == 3
