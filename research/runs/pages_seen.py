"""Every page ever read, over all runs: find them, and say where each is used; however many there are."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from research.evidence import Evidence
from research.runs.model import RunState
from research.runs.search_words import query_parts
from research.runs.store import RunStore
from research.vocabulary import Period, SourceKind, SourceName

_MOST_RUNS = 50
"""Runs of which the quotes in a page are gathered."""
_MOST_QUOTES = 300


class Use(StrEnum):
    """What became of a page."""

    CITED = "cited"
    """A report cites it."""
    QUOTED = "quoted"
    """A quote was taken from it."""
    READ = "read"
    """Nothing was taken from it."""


class Order(StrEnum):
    """Which pages come first."""

    READ = "read"
    """Those that were read last."""
    QUOTED = "quoted"
    """Those that were quoted most."""
    USED = "used"
    """Those that most runs have read."""
    PUBLISHED = "published"
    """Those whose information is the newest."""


@dataclass(frozen=True)
class WantedPages:
    """What a reader looks for; what is empty is left open, the rest must all hold."""

    words: str = ""
    """All must occur in title, site or address."""
    kind: SourceKind | None = None
    origin: SourceName | None = None
    published: Period | None = None
    """How far back its information may date; pages without a date are left out."""
    undated: bool = False
    """Only pages whose date is not known."""
    use: Use | None = None
    order: Order = Order.READ


@dataclass(frozen=True)
class SeenPage:
    """A text that was read at an address; a page that has changed since is another one."""

    id: int
    url: str
    sha256: str
    title: str
    site: str
    origin: SourceName
    kind: SourceKind
    published: str | None
    last_read: datetime
    runs: int
    """Runs that have read it."""
    cited: int
    """Runs whose report cites it."""
    quotes: int
    """Quotes taken from it, over all runs."""


@dataclass(frozen=True)
class FoundPages:
    """A part of the pages that were found."""

    pages: Sequence[SeenPage]
    total: int
    """Of all parts."""


@dataclass(frozen=True)
class PageUse:
    """A run that has read a page."""

    run: str
    name: str
    """Title or question of the run."""
    state: RunState
    created_at: datetime
    page: str
    """Id of the page in the run."""
    number: int | None
    """The number under which the report cites it, if it does."""
    quotes: int


_KINDS = {kind.value: kind for kind in SourceKind}
_ORIGINS = {name.value: name for name in SourceName}
_COLUMNS = "id, url, sha256, title, site, origin, kind, published, last_read, runs, cited, quotes"
_ORDERS = {
    Order.READ: "last_read DESC, id DESC",
    Order.QUOTED: "quotes DESC, last_read DESC, id DESC",
    Order.USED: "runs DESC, last_read DESC, id DESC",
    Order.PUBLISHED: "published DESC, last_read DESC, id DESC",
}
_USES = {Use.CITED: "cited > 0", Use.QUOTED: "quotes > 0", Use.READ: "quotes = 0"}


def find(store: RunStore, wanted: WantedPages, *, today: date, limit: int = 25, offset: int = 0) -> FoundPages:
    """Return the pages that are wanted, `limit` of them from number `offset` on.

    Runs that changed since `seen_index.catch_up` are as they were then. `today` is that of the reader.

    Raises:
        StoreError: the store cannot be read.
    """
    condition, values = _selection(wanted, today)
    # Condition and order are made of constants of this module.
    counted = f"SELECT count(*) FROM seen_pages WHERE {condition}"  # noqa: S608
    order = _ORDERS[wanted.order]
    part = f"SELECT {_COLUMNS} FROM seen_pages WHERE {condition} ORDER BY {order} LIMIT ? OFFSET ?"  # noqa: S608
    with store.database.reading() as connection:
        total: int = connection.execute(counted, values).fetchone()[0]
        rows = connection.execute(part, (*values, limit, offset)).fetchall()
    return FoundPages([_seen(row) for row in rows], total)


def page(store: RunStore, number: int) -> SeenPage | None:
    """Return a page by its number, or None if it is gone.

    Raises:
        StoreError: the store cannot be read.
    """
    chosen = f"SELECT {_COLUMNS} FROM seen_pages WHERE id = ?"  # noqa: S608 - a constant of this module
    with store.database.reading() as connection:
        row = connection.execute(chosen, (number,)).fetchone()
    return None if row is None else _seen(row)


def uses(store: RunStore, number: int, *, limit: int = 20, offset: int = 0) -> list[PageUse]:
    """Return the runs that have read a page, newest first.

    Raises:
        StoreError: the store cannot be read.
    """
    with store.database.reading() as connection:
        rows = connection.execute(
            "SELECT run, iif(title = '', question, title) AS name, state, created_at, page, number, quotes"
            " FROM page_uses JOIN runs ON runs.id = run WHERE seen = ?"
            " ORDER BY created_at DESC, run DESC LIMIT ? OFFSET ?",
            (number, limit, offset),
        ).fetchall()
    return [_use(row) for row in rows]


def quotes(store: RunStore, number: int) -> list[Evidence]:
    """Return the quotes taken from a page, each place once, from the latest runs that quoted it.

    Raises:
        StoreError: the store cannot be read.
    """
    with store.database.reading() as connection:
        rows = connection.execute(
            "SELECT body FROM (SELECT run, page FROM page_uses WHERE seen = ? AND quotes > 0"
            " ORDER BY read_at DESC LIMIT ?) AS used"
            " JOIN events ON events.run = used.run AND type = 'evidence_found'"
            " WHERE json_extract(body, '$.source') = used.page LIMIT ?",
            (number, _MOST_RUNS, _MOST_QUOTES),
        ).fetchall()
    found = (json.loads(row["body"]) for row in rows)
    entries = [Evidence(**{name: body[name] for name in Evidence.model_fields}) for body in found]
    return list({(entry.start, entry.end): entry for entry in entries}.values())


def _selection(wanted: WantedPages, today: date) -> tuple[str, list[object]]:
    conditions, values = ["1"], list[object]()
    if wanted.words.strip():
        parts = query_parts(wanted.words.encode("utf-8", "ignore").decode("utf-8"))
        conditions += ["instr(words, ?) > 0"] * len(parts) or ["0"]
        values += parts
    for column, term in (("kind", wanted.kind), ("origin", wanted.origin)):
        if term is not None:
            conditions.append(f"{column} = ?")
            values.append(term.value)
    if wanted.published is not None:
        # A date known to the year or month counts if it may lie within the period.
        conditions.append("published >= substr(?, 1, length(published))")
        values.append((today - timedelta(days=wanted.published.days)).isoformat())
    if wanted.undated:
        conditions.append("coalesce(published, '') = ''")
    if wanted.use is not None:
        conditions.append(_USES[wanted.use])
    return " AND ".join(conditions), values


def _seen(row: sqlite3.Row) -> SeenPage:
    facts = dict(row)
    return SeenPage(
        **facts
        | {
            "origin": _ORIGINS[row["origin"]],
            "kind": _KINDS[row["kind"]],
            "last_read": datetime.fromisoformat(row["last_read"]),
        }
    )


def _use(row: sqlite3.Row) -> PageUse:
    facts = dict(row)
    moment = datetime.fromisoformat(row["created_at"])
    return PageUse(**facts | {"state": RunState(row["state"]), "created_at": moment})
