"""Keeps the tables of all pages ever read: run by run, when somebody looks, from what the store holds of the run."""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections import Counter
from datetime import UTC
from typing import Any
from urllib.parse import unquote

from pydantic import ValidationError

from research.errors import StoreError
from research.evidence import Page
from research.presets import Role
from research.runs.store import RunStore
from research.text.words import folded

_log = logging.getLogger(__name__)

_AT_ONCE = 20
"""Runs that are entered in one transaction, so that nobody waits long for the store."""


def catch_up(store: RunStore, *, seconds: float = 2.0) -> int:
    """Enter runs that have changed, for so many `seconds` at most, and return how many are left.

    If the store cannot be written now, they are left for the next time.

    Raises:
        StoreError: the store cannot be read.
    """
    until = time.monotonic() + seconds
    while (left := _count(store)) and time.monotonic() < until:
        try:
            with store.database.writing() as connection:
                chosen = connection.execute("SELECT run FROM seen_waiting LIMIT ?", (_AT_ONCE,))
                for row in chosen.fetchall():
                    _try_to_enter(connection, row["run"])
        except StoreError as error:
            _log.warning("The pages of the latest runs cannot be listed for now: %s", error)
            return left
    return left


def _count(store: RunStore) -> int:
    with store.database.reading() as connection:
        count: int = connection.execute("SELECT count(*) FROM seen_waiting").fetchone()[0]
    return count


def _try_to_enter(connection: sqlite3.Connection, run_id: str) -> None:
    """Enter a run; one that is damaged costs only itself, and is not tried again until it changes."""
    try:
        _enter(connection, run_id)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        _log.warning("The pages of the run %s cannot all be listed: %r", run_id, error)
        connection.execute("DELETE FROM seen_waiting WHERE run = ?", (run_id,))


def _enter(connection: sqlite3.Connection, run_id: str) -> None:
    """Bring the pages of a run into the tables, in place of what was there of it."""
    connection.execute("DELETE FROM page_uses WHERE run = ?", (run_id,))
    connection.execute("DELETE FROM run_savings WHERE run = ?", (run_id,))
    record = _record(connection, run_id)
    numbers = {source["id"]: source["number"] for source in record.get("sources", ())}
    quotes = Counter(body["source"] for body in _events(connection, run_id, "evidence_found"))
    found = connection.execute("SELECT page, facts FROM run_pages WHERE run = ?", (run_id,))
    for row in found.fetchall():
        page = _page(row["facts"])
        if page is not None:
            read_at = page.fetched_at.astimezone(UTC).isoformat()
            use = (run_id, row["page"], _seen(connection, page), read_at, numbers.get(page.id), quotes[page.id])
            connection.execute("INSERT INTO page_uses VALUES (?, ?, ?, ?, ?, ?)", use)
    _enter_savings(connection, run_id, record)
    connection.execute("DELETE FROM seen_waiting WHERE run = ?", (run_id,))


def _record(connection: sqlite3.Connection, run_id: str) -> dict[str, Any]:
    text = connection.execute("SELECT record FROM runs WHERE id = ?", (run_id,)).fetchone()["record"]
    record: dict[str, Any] = json.loads(text) if text else {}
    return record


def _events(connection: sqlite3.Connection, run_id: str, kind: str) -> list[dict[str, Any]]:
    found = connection.execute("SELECT body FROM events WHERE run = ? AND type = ?", (run_id, kind))
    return [json.loads(row["body"]) for row in found]


def _page(facts: str) -> Page | None:
    try:
        return Page.model_validate_json(facts)
    except ValidationError as error:
        _log.warning("A page cannot be listed: %s", error)
        return None


def _seen(connection: sqlite3.Connection, page: Page) -> int:
    """Return the number of a page, which is entered if it is new: the same text at the same address is one page."""
    words = folded(f"{page.title}\n{page.site}\n{unquote(page.url)}".replace("\0", " "))
    facts = (page.url, page.sha256, page.title, page.site, page.origin.value, page.kind.value, page.published, words)
    connection.execute(
        "INSERT OR IGNORE INTO seen_pages (url, sha256, title, site, origin, kind, published, words)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        facts,
    )
    number: int = connection.execute(
        "SELECT id FROM seen_pages WHERE url = ? AND sha256 = ?", (page.url, page.sha256)
    ).fetchone()["id"]
    return number


def _enter_savings(connection: sqlite3.Connection, run_id: str, record: dict[str, Any]) -> None:
    usage = record.get("usage", {}).get(Role.SUMMARIZATION.value)
    if usage is None:
        return
    started = _events(connection, run_id, "run_started")
    model = started[0].get("models", {}).get(Role.SUMMARIZATION.value) if started else None
    connection.execute(
        "INSERT INTO run_savings VALUES (?, ?, ?, ?, ?)",
        (run_id, usage.get("cached", 0), usage.get("calls", 0), usage.get("cost_usd"), model),
    )
