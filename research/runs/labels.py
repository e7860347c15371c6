"""What the user says of stored runs: a title of their own, a star, tags, and which run repeats which."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from research.errors import UsageError
from research.runs.store import RunStore

LONGEST_TITLE = 200
LONGEST_TAG = 40
MOST_TAGS = 20


def label(store: RunStore, run_id: str, *, title: str, tags: Iterable[str]) -> None:
    """Give a run a title and tags in place of those it had; the question stays. An empty title takes it away.

    Raises:
        UsageError: there is no such run.
        StoreError: the store cannot be written; nothing has changed.
    """
    with store.database.writing() as connection:
        named = connection.execute("UPDATE runs SET title = ? WHERE id = ?", (clean_title(title), run_id))
        if not named.rowcount:
            raise UsageError(f"There is no run {run_id}.")
        connection.execute("DELETE FROM tags WHERE run = ?", (run_id,))
        connection.executemany("INSERT INTO tags VALUES (?, ?)", [(run_id, tag) for tag in clean_tags(tags)])


def star(store: RunStore, run_id: str, starred: bool) -> None:
    """Set a run's star or take it away; errors as for `label`."""
    _set(store, "UPDATE runs SET starred = ? WHERE id = ?", int(starred), run_id)


def follow(store: RunStore, run_id: str, earlier: str) -> None:
    """Say that a run repeats an earlier one; errors as for `label`, and if there is no such earlier run."""
    store.get(earlier)
    _set(store, "UPDATE runs SET follows = ? WHERE id = ?", earlier, run_id)


def tags_in_use(store: RunStore) -> tuple[str, ...]:
    """Return every tag that a run has, in the order of the alphabet.

    Raises:
        StoreError: the store cannot be read.
    """
    with store.database.reading() as connection:
        return tuple(row["tag"] for row in connection.execute("SELECT DISTINCT tag FROM tags ORDER BY tag"))


def clean_title(title: str) -> str:
    """Return a title as it is kept: on one line, not too long."""
    return _line(title)[:LONGEST_TITLE].rstrip()


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags as they are kept: one form of each character, each once, none too long, not too many."""
    found = (_line(unicodedata.normalize("NFKC", tag)).lstrip("#")[:LONGEST_TAG].strip() for tag in tags)
    return tuple(sorted(dict.fromkeys(tag for tag in found if tag)))[:MOST_TAGS]


def _line(text: str) -> str:
    seen = "".join(" " if sign.isspace() else sign for sign in text if sign.isprintable() or sign.isspace())
    return " ".join(seen.split())


def _set(store: RunStore, statement: str, value: object, run_id: str) -> None:
    with store.database.writing() as connection:
        if not connection.execute(statement, (value, run_id)).rowcount:
            raise UsageError(f"There is no run {run_id}.")
