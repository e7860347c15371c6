"""The sentences of stored reports that cite a page."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from research.runs.pages_seen import PageUse
from research.runs.store import RunStore
from research.sentence import Sentence


def citing(store: RunStore, uses: Sequence[PageUse]) -> dict[str, list[Sentence]]:
    """Return the sentences that cite the page which all `uses` are of, by run, as each report has them in order.

    Raises:
        StoreError: the store cannot be read.
    """
    pages = {use.run: use.page for use in uses if use.number is not None}
    chosen = (
        "SELECT id, json_extract(record, '$.sentences') AS sentences, json_extract(record, '$.evidence') AS evidence"
        " FROM runs WHERE record IS NOT NULL AND id IN (SELECT value FROM json_each(?))"
    )
    with store.database.reading() as connection:
        rows = connection.execute(chosen, (json.dumps(list(pages)),)).fetchall()
    return {row["id"]: _citing(row, pages[row["id"]]) for row in rows}


def _citing(row: sqlite3.Row, page: str) -> list[Sentence]:
    quotes = {entry["id"] for entry in json.loads(row["evidence"]) if entry["source"] == page}
    sentences = map(Sentence.model_validate, json.loads(row["sentences"]))
    return [sentence for sentence in sentences if not quotes.isdisjoint(sentence.evidence)]
