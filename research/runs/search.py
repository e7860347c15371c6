"""Find runs by their words, state, tag and star, however many there are."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from research.errors import StoreError
from research.runs import search_words
from research.runs.model import RunState, RunSummary
from research.runs.store import RunStore

_log = logging.getLogger(__name__)
# With the sign before it, `id` is looked up in what was found, while the runs come from the index `runs_listed`.
_WORDS = (
    "+id IN (SELECT run FROM search_texts WHERE search_texts.id IN"
    " (SELECT rowid FROM search_index WHERE search_index MATCH ?))"
)


@dataclass(frozen=True)
class Wanted:
    """What a reader looks for; what is empty is left open, the rest must all hold."""

    words: str = ""
    """All must occur in title, question, report, or the titles and addresses of the pages read."""
    state: RunState | None = None
    tags: tuple[str, ...] = ()
    starred: bool = False

    @property
    def is_open(self) -> bool:
        """Whether every run is wanted."""
        return not self.words.strip() and self == Wanted(words=self.words)


@dataclass(frozen=True)
class Found:
    """A page of the runs that were found."""

    runs: Sequence[RunSummary]
    """Newest first."""
    total: int
    """Of all pages."""


def find(store: RunStore, wanted: Wanted, *, limit: int = 25, offset: int = 0) -> Found:
    """Return the runs that are wanted, `limit` of them from number `offset` on.

    Raises:
        StoreError: the store cannot be read.
    """
    if wanted.state is not None:
        store.settle()
    if wanted.words.strip():
        _catch_up(store)
    if (selection := selection_of(wanted)) is None:
        return Found((), 0)
    condition, values = selection
    with store.database.reading() as connection:
        counted = f"SELECT count(*) FROM runs WHERE {condition}"  # noqa: S608 - made of constants of this module
        total: int = connection.execute(counted, values).fetchone()[0]
    page = f"SELECT id FROM runs WHERE {condition} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?"  # noqa: S608
    return Found(store.chosen(page, (*values, limit, offset)), total)


def selection_of(wanted: Wanted) -> tuple[str, list[object]] | None:
    """Return the condition on `runs` in SQL, and its values; None if nothing can fulfil it."""
    conditions, values = ["1"], list[object]()
    if wanted.words.strip():
        expression = search_words.expression(wanted.words)
        if expression is None:
            return None
        conditions.append(_WORDS)
        values.append(expression)
    if wanted.state is not None:
        conditions.append("state = ?")
        values.append(wanted.state.value)
    for tag in wanted.tags:
        conditions.append("+id IN (SELECT run FROM tags WHERE tag = ?)")
        values.append(tag)
    if wanted.starred:
        conditions.append("starred")
    return " AND ".join(conditions), values


def _catch_up(store: RunStore) -> None:
    """Enter what has changed since the last search; if the store cannot be written now, the rest is still searched."""
    try:
        while _is_waiting(store):
            with store.database.writing() as connection:
                for run_id in search_words.waiting(connection):
                    search_words.enter(connection, run_id)
    except StoreError as error:
        _log.warning("The latest runs cannot be searched for now: %s", error)


def _is_waiting(store: RunStore) -> bool:
    with store.database.reading() as connection:
        return bool(search_words.waiting(connection))
