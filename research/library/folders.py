"""Folders that have an index: how they stand, which there are, and forgetting one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from research.core import StoreError
from research.library.index import DamagedIndex, IndexStore, Known, index_file, index_name
from research.library.library import FolderEntry, Skipped, scan

_PATIENCE = 2.0
"""Seconds to wait for another process that writes."""


class LibraryState(NamedTuple):
    """A folder and its index."""

    folder: Path
    exists: bool
    files: int
    """That are there now, or of a folder that is gone, that were."""
    bytes: int
    passages: int
    """That can be searched."""
    skipped: tuple[Skipped, ...]
    waiting: int
    """Files that are new or changed since the index was made, or gone."""
    indexed_at: datetime | None
    """When the index was last changed; None if there is none, or none that can be used."""


def library_state(folder: Path, index_home: Path) -> LibraryState:
    """Return how a folder stands, whether or not it has been indexed. A damaged index counts as none.

    Raises:
        StoreError: the index cannot be read now.
    """
    home = index_home.expanduser().resolve()
    place = folder.expanduser().resolve()
    file = index_file(place, home)
    known, passages, indexed_at = _indexed(file)
    exists = place.is_dir()
    found, closed = scan(place, home) if exists else ((), ())
    gone = set(known) - {entry.path for entry in found} if exists else set()
    skipped = [Skipped(path, one.code) for path, one in known.items() if one.code is not None and path not in gone]
    skipped += [Skipped(path, "file_unreadable") for path in closed]
    return LibraryState(
        place,
        exists,
        len(found) if exists else len(known),
        sum(entry.size for entry in found) if exists else sum(one.size for one in known.values()),
        passages,
        tuple(sorted(skipped)),
        sum(_is_new(entry, known) for entry in found) + len(gone),
        indexed_at,
    )


def indexed_folders(index_home: Path) -> list[Path]:
    """Return the folders that have an index with files in it, as far as it can be read, in order."""
    home = index_home.expanduser().resolve()
    if not home.is_dir():
        return []
    return sorted(folder for place in sorted(home.iterdir()) for folder in _owner(place))


def forget(folder: Path, index_home: Path) -> None:
    """Throw the index of a folder away; its documents stay, and the next search indexes them anew.

    Raises:
        StoreError: it cannot be removed.
    """
    file = index_file(folder.expanduser().resolve(), index_home.expanduser().resolve())
    try:
        if file.parent.is_dir():
            shutil.rmtree(file.parent)
    except OSError as error:
        raise StoreError(f"The index {file} cannot be removed: {error.strerror}.") from error


def _indexed(file: Path) -> tuple[dict[Path, Known], int, datetime | None]:
    if not file.is_file():
        return {}, 0, None
    store = IndexStore(file, patience=_PATIENCE)
    try:
        known, passages = store.known(), store.passages()
    except DamagedIndex:
        return {}, 0, None
    return known, passages, datetime.fromtimestamp(file.stat().st_mtime, UTC)


def _is_new(entry: FolderEntry, known: dict[Path, Known]) -> bool:
    one = known.get(entry.path)
    return one is None or (one.size, one.mtime_ns) != (entry.size, entry.mtime_ns)


def _owner(place: Path) -> Iterator[Path]:
    """Yield the folder whose index is kept in `place`: the one above its files whose name it bears."""
    try:
        known, _, _ = _indexed(place / "index.sqlite")
    except StoreError:
        return
    one = next(iter(known), None)
    if one is not None and one.is_absolute():
        yield from (folder for folder in one.parents if index_name(folder) == place.name)
