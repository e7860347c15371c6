"""Folders of documents: what is in them, how they stand to their index, which have one, and forgetting one."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from research.core import StoreError
from research.library.index import (
    INDEX,
    DamagedIndex,
    FolderEntry,
    IndexStore,
    Known,
    index_file,
    index_name,
    is_current,
    path_of,
)

_PATIENCE = 2.0
"""Seconds to wait for another process that writes."""


class Scan(NamedTuple):
    """The content of a folder and all folders below it."""

    files: tuple[FolderEntry, ...]
    closed: tuple[Path, ...]
    """Folders that could not be listed."""


def scan(folder: Path, leave_out: Path) -> Scan:
    """List the regular files below `folder` in order of their paths.

    Left out: hidden files and folders, symbolic links, devices and pipes, and the folder `leave_out`.
    """
    files: list[FolderEntry] = []
    closed: list[Path] = []
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as entries:
                for path, status in _visible(entries):
                    if stat.S_ISDIR(status.st_mode) and path != leave_out:
                        waiting.append(path)
                    elif stat.S_ISREG(status.st_mode):
                        files.append(FolderEntry(path, status.st_size, status.st_mtime_ns))
        except OSError:
            closed.append(place)
    return Scan(tuple(sorted(files, key=lambda entry: entry.path.parts)), tuple(sorted(closed)))


def _visible(entries: Iterator[os.DirEntry[str]]) -> Iterator[tuple[Path, os.stat_result]]:
    for entry in entries:
        if not entry.name.startswith((".", "~$")):
            with suppress(FileNotFoundError):  # removed since the folder was listed
                yield path_of(entry.path), entry.stat(follow_symlinks=False)


class Skipped(NamedTuple):
    """A file without text, and why: `code` is a key of `research.core.errors`."""

    path: Path
    code: str
    pages: str = ""
    """Of a file that was read but for some pages: which those are."""

    @property
    def name(self) -> str:
        """What it is called for a reader: `plan.pdf`, `plan.pdf p. 3, 7–9`."""
        return f"{self.path.name} p. {self.pages}" if self.pages else self.path.name


def page_numbers(pages: tuple[int, ...]) -> str:
    """Return the numbers of pages for a reader: `3, 7–9`."""
    runs = groupby(enumerate(sorted(pages)), key=lambda one: one[1] - one[0])
    ranges = ([page for _, page in run] for _, run in runs)
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in ranges)


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
    noted: tuple[Skipped, ...]
    """Files that were read but for some pages."""
    waiting: int
    """Files that are new or changed since the index was made, or gone."""
    indexed_at: datetime | None
    """When the index was last changed; None if there is none, or none that can be used."""


def library_state(folder: Path, index_home: Path) -> LibraryState:
    """Return how a folder stands, whether or not it has been indexed. A damaged index counts as none.

    Raises:
        StoreError: the index cannot be read now.
    """
    home, place = index_home.expanduser().resolve(), folder.expanduser().resolve()
    known, passages, indexed_at = _indexed(index_file(place, home))
    exists = place.is_dir()
    found, closed = scan(place, home) if exists else ((), ())
    files = {entry.path: entry.size for entry in found} if exists else {path: one.size for path, one in known.items()}
    skipped = [Skipped(path, one.code) for path, one in known.items() if one.code is not None and path in files]
    skipped += [Skipped(path, "file_unreadable") for path in closed]
    return LibraryState(
        place,
        exists,
        len(files),
        sum(files.values()),
        passages,
        tuple(sorted(skipped)),
        tuple(noted(known)),
        sum(entry.differs(known.get(entry.path)) for entry in found) + len(known.keys() - files),
        indexed_at,
    )


def noted(known: Mapping[Path, Known]) -> Iterator[Skipped]:
    """Yield the files that were read but for some pages, in order."""
    return iter(sorted(Skipped(path, one.note, one.pages) for path, one in known.items() if one.note is not None))


def indexed_folders(index_home: Path) -> list[Path]:
    """Return the folders that have an index with files in it, as far as it can be read, in order."""
    home = index_home.expanduser().resolve()
    places = home.iterdir() if home.is_dir() else ()
    return sorted(folder for place in places if (folder := _owner(place)) is not None)


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


def take_over(folder: Path, prepared: Path, index_home: Path) -> None:
    """Copy the index of a folder from where it was `prepared`, unless there is one or this does not fit; no error."""
    place = folder.expanduser().resolve()
    source, own = (index_file(place, home.expanduser().resolve()) for home in (prepared, index_home))
    if is_current(own) or not is_current(source):
        return
    with suppress(OSError):
        own.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=own.parent) as workshop:
            copied = Path(workshop) / own.name
            shutil.copyfile(source, copied)
            IndexStore(own).remove()
            copied.replace(own)


def _indexed(file: Path) -> tuple[dict[Path, Known], int, datetime | None]:
    if not file.is_file():
        return {}, 0, None
    store = IndexStore(file, patience=_PATIENCE)
    try:
        return store.known(), store.passages(), datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except DamagedIndex:
        return {}, 0, None


def _owner(place: Path) -> Path | None:
    """Return the folder whose index is kept in `place`: the one above its files whose name it bears."""
    known: dict[Path, Known] = {}
    with suppress(StoreError):
        known, _, _ = _indexed(place / INDEX)
    above = next(iter(known), Path()).parents
    return next((folder for folder in above if folder.is_absolute() and index_name(folder) == place.name), None)
