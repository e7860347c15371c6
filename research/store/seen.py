"""Every page that any run has read: where it is cited, what was saved by it.

Every function may raise `StoreError`: the store cannot be read or written.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any
from urllib.parse import unquote

from pydantic import TypeAdapter, ValidationError

from research.core import Evidence, Page, PeriodChoice, Role, Sentence, SourceKind, SourceName
from research.store.database import Connection, Row
from research.store.search import query_parts
from research.store.store import RunState, RunStore
from research.text import folded

_log = logging.getLogger(__name__)

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
    published: PeriodChoice | None = None
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


_SEEN = TypeAdapter(list[SeenPage])
_PAGE_USES = TypeAdapter(list[PageUse])
_COLUMNS = "id, url, sha256, title, site, origin, kind, published, last_read, runs, cited, quotes"
_ORDERS = {
    Order.READ: "last_read DESC, id DESC",
    Order.QUOTED: "quotes DESC, last_read DESC, id DESC",
    Order.USED: "runs DESC, last_read DESC, id DESC",
    Order.PUBLISHED: "published DESC NULLS LAST, last_read DESC, id DESC",
}
_USES = {Use.CITED: "cited > 0", Use.QUOTED: "quotes > 0", Use.READ: "quotes = 0"}


def find_pages(store: RunStore, wanted: WantedPages, *, today: date, limit: int = 25, offset: int = 0) -> FoundPages:
    """Return the pages that are wanted, `limit` of them from number `offset` on.

    Runs that changed since `catch_up_seen` are as they were then. `today` is that of the reader.
    """
    condition, values = _selection(store, wanted, today)
    # Condition and order are made of constants of this module.
    counted = f"SELECT count(*) FROM seen_pages WHERE {condition}"  # noqa: S608
    order = _ORDERS[wanted.order]
    part = f"SELECT {_COLUMNS} FROM seen_pages WHERE {condition} ORDER BY {order} LIMIT ? OFFSET ?"  # noqa: S608
    with store.database.reading() as connection:
        total: int = connection.execute(counted, values).fetchone()[0]
        rows = connection.execute(part, (*values, limit, offset)).fetchall()
    return FoundPages(_SEEN.validate_python(map(dict, rows)), total)


def page_seen(store: RunStore, number: int) -> SeenPage | None:
    """Return a page by its number, or None if it is gone."""
    chosen = f"SELECT {_COLUMNS} FROM seen_pages WHERE id = ? AND {_mine(store)}"  # noqa: S608 - constants
    with store.database.reading() as connection:
        rows = connection.execute(chosen, (number,)).fetchall()
    return next(iter(_SEEN.validate_python(map(dict, rows))), None)


def uses_of_page(store: RunStore, number: int, *, limit: int = 20) -> list[PageUse]:
    """Return the last runs that have read a page, newest first."""
    with store.database.reading() as connection:
        rows = connection.execute(
            "SELECT run, coalesce(nullif(title, ''), question) AS name, state, created_at, page, number, quotes"  # noqa: S608
            f" FROM page_uses JOIN runs ON runs.id = run WHERE seen = ? AND {store.own}"
            " ORDER BY created_at DESC, run DESC LIMIT ?",
            (number, limit),
        ).fetchall()
    return _PAGE_USES.validate_python(map(dict, rows))


def quotes_of_page(store: RunStore, number: int) -> list[Evidence]:
    """Return the quotes taken from a page, each place once, from the latest runs that quoted it."""
    with store.database.reading() as connection:
        rows = connection.execute(
            "SELECT body FROM (SELECT run, page, read_at FROM page_uses JOIN runs ON runs.id = run"  # noqa: S608
            f" WHERE seen = ? AND quotes > 0 AND {store.own} ORDER BY read_at DESC LIMIT ?) AS used"
            " JOIN events ON events.run = used.run AND type = 'evidence_found'"
            " WHERE json_extract(body, '$.source') = used.page ORDER BY read_at DESC, events.run, seq LIMIT ?",
            (number, _MOST_RUNS, _MOST_QUOTES),
        ).fetchall()
    found = (json.loads(row["body"]) for row in rows)
    entries = [Evidence(**{name: body[name] for name in Evidence.model_fields if name in body}) for body in found]
    return list({(entry.start, entry.end): entry for entry in entries}.values())


def _mine(store: RunStore) -> str:
    """Return the condition on `seen_pages` that runs of the account have read one: each account has its own entries."""
    return f"seen_pages.account = '{store.account}'"


def _selection(store: RunStore, wanted: WantedPages, today: date) -> tuple[str, list[object]]:
    conditions, values = [_mine(store)], list[object]()
    if wanted.words.strip():
        parts = query_parts(wanted.words.encode("utf-8", "ignore").decode("utf-8"))
        conditions += ["instr(words, ?) > 0"] * len(parts) or ["false"]
        values += parts
    for column, term in (("kind", wanted.kind), ("origin", wanted.origin)):
        if term is not None:
            conditions.append(f"{column} = ?")
            values.append(str(term))
    if wanted.published is not None:
        # A date known to the year or month counts if it may lie within the period.
        conditions.append("published >= substr(?, 1, length(published))")
        values.append((today - timedelta(days=wanted.published.days)).isoformat())
    if wanted.undated:
        conditions.append("coalesce(published, '') = ''")
    if wanted.use is not None:
        conditions.append(_USES[wanted.use])
    return " AND ".join(conditions), values


def citing_sentences(store: RunStore, uses: Sequence[PageUse]) -> dict[str, list[Sentence]]:
    """Return the sentences that cite the page which all `uses` are of, by run, as each report has them in order."""
    pages = {use.run: use.page for use in uses if use.number is not None}
    places = ", ".join("?" * len(pages))
    parts = "json_extract(record, '$.sentences') AS sentences, json_extract(record, '$.evidence') AS evidence"
    chosen = f"SELECT id, {parts} FROM runs WHERE record IS NOT NULL AND id IN ({places}) AND {store.own}"  # noqa: S608
    with store.database.reading() as connection:
        rows = connection.execute(chosen, tuple(pages)).fetchall()
    return {row["id"]: _citing(row, pages[row["id"]]) for row in rows}


def _citing(row: Row, page: str) -> list[Sentence]:
    quotes = {entry["id"] for entry in json.loads(row["evidence"]) if entry["source"] == page}
    sentences = map(Sentence.model_validate, json.loads(row["sentences"]))
    return [sentence for sentence in sentences if not quotes.isdisjoint(sentence.evidence)]


@dataclass(frozen=True)
class PagesKept:
    """Stored texts, each counted once, however many runs have read it."""

    pages: int
    bytes: int
    """On disk, packed."""


def pages_kept(store: RunStore) -> PagesKept:
    """Return how many texts are stored, over all runs of the account."""
    readers = f"SELECT 1 FROM run_pages JOIN runs ON id = run WHERE sha256 = pages.sha256 AND {store.own}"  # noqa: S608
    condition = f"EXISTS ({readers})" if store.account else "true"
    counted = f"SELECT count(*), coalesce(sum(length(text)), 0) FROM pages WHERE {condition}"  # noqa: S608 - a constant
    with store.database.reading() as connection:
        return PagesKept(*connection.execute(counted).fetchone())


@dataclass(frozen=True)
class Savings:
    """What all runs that have ended were spared."""

    runs: int
    calls: int
    usd: float
    """About what those calls would have cost whose price is known."""
    unpriced: int
    """Calls of which no price is known; they count nothing in `usd`."""


# A call that was not made counts what the summaries of the same run cost on average; if it made none, what they cost
# with the same model over all runs.
_VALUED = """
    WITH own AS (
        SELECT run_savings.* FROM run_savings JOIN runs ON runs.id = run WHERE {own}
    ),
    prices AS (
        SELECT model, sum(cost_usd) / sum(calls) AS price FROM own
        WHERE calls > 0 AND cost_usd IS NOT NULL GROUP BY model
    ),
    valued AS (
        SELECT run, spared, spared * coalesce(cost_usd / nullif(calls, 0), price) AS usd
        FROM own LEFT JOIN prices USING (model) WHERE spared > 0
    )
"""


def savings(store: RunStore) -> Savings:
    """Return what all runs were spared, as entered by `catch_up_seen`."""
    total = (
        "SELECT count(*), coalesce(sum(spared), 0), coalesce(sum(usd), 0.0),"
        " coalesce(sum(spared) FILTER (WHERE usd IS NULL), 0) FROM valued"
    )
    with store.database.reading() as connection:
        return Savings(*connection.execute(_VALUED.format(own=store.own) + total).fetchone())


def catch_up_seen(store: RunStore, *, seconds: float = 2.0) -> int:
    """Enter runs that have changed, for so many `seconds` at most, and return how many are left.

    If the store cannot be written now, they are left for the next time.
    """
    return store.catch_up("seen_waiting", _enter, seconds=seconds)


def _enter(connection: Connection, run_id: str) -> None:
    """Bring pages and savings of a run into the tables, in place of what was there of it.

    A run that is damaged costs only itself, and is not tried again until it changes.
    """
    connection.execute("DELETE FROM page_uses WHERE run = ?", (run_id,))
    connection.execute("DELETE FROM run_savings WHERE run = ?", (run_id,))
    try:
        run = connection.execute("SELECT record, account FROM runs WHERE id = ?", (run_id,)).fetchone()
        record: dict[str, Any] = json.loads(run["record"] or "{}")
        numbers = {source["id"]: source["number"] for source in record.get("sources", ())}
        quotes = Counter(body["source"] for body in _events(connection, run_id, "evidence_found"))
        for row in connection.execute("SELECT facts FROM run_pages WHERE run = ? ORDER BY page", (run_id,)).fetchall():
            try:
                page = Page.model_validate_json(row["facts"])
            except ValidationError as error:
                _log.warning("A page cannot be listed: %s", error)
                continue
            read_at = page.fetched_at.astimezone(UTC).isoformat()
            use = (
                run_id,
                page.id,
                _number_of(connection, run["account"], page),
                read_at,
                numbers.get(page.id),
                quotes[page.id],
            )
            connection.execute("INSERT INTO page_uses VALUES (?, ?, ?, ?, ?, ?)", use)
        _enter_savings(connection, run_id, record)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        _log.warning("The pages of the run %s cannot all be listed: %r", run_id, error)


def _events(connection: Connection, run_id: str, kind: str) -> list[dict[str, Any]]:
    found = connection.execute("SELECT body FROM events WHERE run = ? AND type = ? ORDER BY seq", (run_id, kind))
    return [json.loads(row["body"]) for row in found]


def _number_of(connection: Connection, account: str, page: Page) -> int:
    """Return the number of a page, which is entered if it is new: the same text at the same address is one page."""
    words = folded(f"{page.title}\n{page.site}\n{unquote(page.url)}".replace("\0", " "))
    connection.execute(
        "INSERT INTO seen_pages (account, url, sha256, title, site, origin, kind, published, words)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (
            account,
            page.url,
            page.sha256,
            page.title,
            page.site,
            str(page.origin),
            page.kind.value,
            page.published,
            words,
        ),
    )
    chosen = "SELECT id FROM seen_pages WHERE account = ? AND url = ? AND sha256 = ?"
    number: int = connection.execute(chosen, (account, page.url, page.sha256)).fetchone()["id"]
    return number


def _enter_savings(connection: Connection, run_id: str, record: dict[str, Any]) -> None:
    usage = record.get("usage", {}).get(Role.SUMMARIZATION.value)
    if usage is not None:
        started = next(iter(_events(connection, run_id, "run_started")), {})
        model = started.get("models", {}).get(Role.SUMMARIZATION.value)
        entry = (run_id, usage.get("cached", 0), usage.get("calls", 0), usage.get("cost_usd"), model)
        connection.execute("INSERT INTO run_savings VALUES (?, ?, ?, ?, ?)", entry)
