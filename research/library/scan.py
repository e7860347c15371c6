"""Which files a folder holds."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class Entry(NamedTuple):
    """A file or folder as the directory shows it; nothing has been opened."""

    path: Path
    size: int
    mtime_ns: int


class Scan(NamedTuple):
    """The content of a folder and all folders below it."""

    files: tuple[Entry, ...]
    closed: tuple[Path, ...]
    """Folders that could not be listed."""


def scan(folder: Path, leave_out: Path) -> Scan:
    """List the regular files below `folder` in order of their paths.

    Left out: hidden files and folders, symbolic links, devices and pipes, and the folder `leave_out`.
    """
    files: list[Entry] = []
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
                        files.append(Entry(path, status.st_size, status.st_mtime_ns))
        except OSError:
            closed.append(place)
    return Scan(tuple(sorted(files)), tuple(sorted(closed)))


def _visible(entries: Iterator[os.DirEntry[str]]) -> Iterator[tuple[Path, os.stat_result]]:
    for entry in entries:
        if entry.name.startswith((".", "~$")):
            continue
        with suppress(FileNotFoundError):  # removed since the folder was listed
            yield Path(entry.path), entry.stat(follow_symlinks=False)
