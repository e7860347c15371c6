"""The texts of pages in the run store: how much they take, and those that no run needs any more."""

from __future__ import annotations

from dataclasses import dataclass

from research.runs.store import RunStore

_UNUSED = "NOT EXISTS (SELECT 1 FROM run_pages WHERE run_pages.sha256 = pages.sha256)"


@dataclass(frozen=True)
class Kept:
    """Stored texts, each counted once, however many runs have read it."""

    pages: int
    bytes: int
    """On disk, packed."""


def kept(store: RunStore) -> Kept:
    """Return how many texts are stored, over all runs.

    Raises:
        StoreError: the store cannot be read.
    """
    return _kept(store, "1")


def unused(store: RunStore) -> Kept:
    """Return the texts that no run needs any more.

    Raises:
        StoreError: the store cannot be read.
    """
    return _kept(store, _UNUSED)


def remove_unused(store: RunStore) -> int:
    """Delete the texts that no run needs any more, and return how many there were; their bytes are overwritten.

    Raises:
        StoreError: the store cannot be written.
    """
    with store.database.writing() as connection:
        gone = connection.execute(f"DELETE FROM pages WHERE {_UNUSED}").rowcount  # noqa: S608 - a constant
    store.database.wipe_log()
    return gone


def _kept(store: RunStore, condition: str) -> Kept:
    # `condition` is a constant of this module.
    counted = f"SELECT count(*), coalesce(sum(length(text)), 0) FROM pages WHERE {condition}"  # noqa: S608
    with store.database.reading() as connection:
        return Kept(*connection.execute(counted).fetchone())
