"""Pages that were read, and what was taken from them."""

from __future__ import annotations

from typing import Literal

from research.core.vocabulary import SourceKind, SourceName
from research.events.fact import Event


class PageRead(Event):
    """A page was kept; its text stands in the store under `sha256`."""

    type: Literal["page_read"] = "page_read"
    lane: str
    search: str = ""
    """The search that found it."""
    page: str
    url: str
    title: str
    site: str
    origin: SourceName
    kind: SourceKind
    published: str | None
    sha256: str
    characters: int


class PageSummarised(Event):
    """A page was summarised and quoted for one researcher."""

    type: Literal["page_summarised"] = "page_summarised"
    lane: str
    page: str
    summary: str
    evidence: tuple[str, ...]
    cached: bool
    """The summary came from the cache, or from a call that another researcher was already making."""
    by_rule: bool
    """No model was involved."""
    seconds: float


class EvidenceFound(Event):
    """A quote that stands in its page entered the ledger."""

    type: Literal["evidence_found"] = "evidence_found"
    lane: str
    id: str
    source: str
    quote: str
    start: int
    end: int
