"""Collections that are ready to be researched: The World Factbook, and the house documents of a fictional company."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from research.collections import factbook
from research.errors import UsageError
from research.vocabulary import SourceName


def is_available(name: SourceName) -> bool:
    """Whether `name` is a collection that can be used here."""
    return name is SourceName.HOUSE or (name is SourceName.FACTBOOK and factbook.is_available())


def folder(name: SourceName, home: Path) -> Path:
    """Return the folder of a collection below `home`; the first call writes it.

    Several threads and processes may call this at once.

    Raises:
        UsageError: `name` is no collection, or its package is not installed.
    """
    return _made_once(place_of(name, home), factbook.write if name is SourceName.FACTBOOK else _write_house)


def place_of(name: SourceName, home: Path) -> Path:
    """Return where the folder of a collection is, whether or not it has been written yet.

    Raises:
        UsageError: `name` is no collection, or its package is not installed.
    """
    if name is SourceName.FACTBOOK:
        return home / "collections" / factbook.folder_name()
    if name is SourceName.HOUSE:
        return home / "collections" / f"house-{_HOUSE_EDITION}"
    raise UsageError(f"{name.value} is not a collection.")


_HOUSE_EDITION = 1
"""Rises whenever the house documents change."""


def _write_house(place: Path) -> None:
    """Copy the documents; the note for readers of the source code is no document of the company."""
    with resources.as_file(resources.files("research.samples").joinpath("house")) as source:
        shutil.copytree(source, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("README.md"))


def _made_once(place: Path, write: Callable[[Path], None]) -> Path:
    """Return `place`, written elsewhere and moved there whole; whoever comes second keeps what is there."""
    if place.is_dir():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".new-") as workshop:
        made = Path(workshop) / place.name
        made.mkdir()
        write(made)
        try:
            made.rename(place)
        except OSError:
            if not place.is_dir():
                raise
    return place
