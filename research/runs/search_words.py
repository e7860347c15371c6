"""The words by which runs are found: how they are folded, and how the index over them is kept.

Latin words are found by their beginning, whatever their case, accents and width; Japanese text by any part of it,
however short, as its characters are words of their own here and a query is a sequence of them.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator

from research.text.words import folded

_WIDE = re.compile(r"([぀-ヿ㐀-䶿一-鿿豈-﫿々가-힣\U00020000-\U0003ffff])")
_PARTS = re.compile(r'"([^"]+)"|([^\s"]+)')
_LETTER = re.compile(r"\w")
_MOST_PARTS = 12
_LONGEST_PART = 200
_AT_ONCE = 100
"""Runs that are entered in one transaction."""


def index_text(text: str) -> str:
    """Return `text` as it is entered into the index."""
    clean = text.encode("utf-8", "ignore").decode("utf-8").replace("\0", " ")
    return _WIDE.sub(r" \1 ", folded(clean))


def query_parts(words: str) -> list[str]:
    """Return what a query asks for: its words, and what stands between quotation marks as one; folded."""
    found = (" ".join((quoted or word).split()) for quoted, word in _PARTS.findall(folded(words.replace("\0", " "))))
    return [part[:_LONGEST_PART] for part in found if _LETTER.search(part)][:_MOST_PARTS]


def expression(words: str) -> str | None:
    """Return a query in the language of the index: all parts must occur; None if it has no letter or digit."""
    clean = words.encode("utf-8", "ignore").decode("utf-8")
    return " AND ".join(_phrase(part) for part in query_parts(clean)) or None


def _phrase(part: str) -> str:
    phrase = '"{}"'.format(" ".join(_WIDE.sub(r" \1 ", part).split()))
    return phrase if _WIDE.match(part[-1]) else f"{phrase} *"


def waiting(connection: sqlite3.Connection) -> list[str]:
    """Return the next runs whose words are not in the index yet."""
    found = connection.execute("SELECT run FROM search_waiting LIMIT ?", (_AT_ONCE,))
    return [row["run"] for row in found]


def enter(connection: sqlite3.Connection, run_id: str) -> None:
    """Bring the words of a run into the index, in place of what was there of it."""
    head = connection.execute("SELECT title, question, markdown FROM runs WHERE id = ?", (run_id,)).fetchone()
    connection.execute("DELETE FROM search_texts WHERE run = ?", (run_id,))
    connection.execute(
        "INSERT INTO search_texts (run, head, report, sources) VALUES (?, ?, ?, ?)",
        (
            run_id,
            index_text(f"{head['title']}\n{head['question']}"),
            index_text(head["markdown"] or ""),
            index_text("\n".join(" ".join(source) for source in sources(connection, run_id))),
        ),
    )
    connection.execute("DELETE FROM search_waiting WHERE run = ?", (run_id,))


def sources(connection: sqlite3.Connection, run_id: str) -> Iterator[tuple[str, str]]:
    """Yield title and address of each page that a run has read."""
    for row in connection.execute("SELECT facts FROM run_pages WHERE run = ?", (run_id,)):
        facts = json.loads(row["facts"])
        yield facts["title"], facts["url"]


def wipe(connection: sqlite3.Connection) -> None:
    """Overwrite what the index still holds of deleted runs: by itself it drops that only when it is next merged."""
    connection.execute("INSERT INTO search_index (search_index) VALUES ('optimize')")
