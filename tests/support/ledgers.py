"""Quotes and their pages, from texts."""

from __future__ import annotations

from datetime import UTC, datetime

from research.core import Ledger, SourceKind, SourceName
from research.library import Document
from research.text import sentences


def ledger_of(documents: dict[str, Document]) -> Ledger:
    """Enter every sentence of some documents as evidence."""
    ledger = Ledger()
    for name, document in documents.items():
        page = ledger.add_page(
            url=f"https://{name}.example/", title=document.title, site=f"{name}.example", origin=SourceName.WEB,
            kind=SourceKind.OTHER, published=document.published, fetched_at=datetime(2026, 6, 1, tzinfo=UTC),
            text=document.text,
        )  # fmt: skip
        for span in sentences(document.text):
            ledger.quote_at(page, span)
    return ledger
