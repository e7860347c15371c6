"""Queries to sources, and folders that are read to be searched."""

from __future__ import annotations

from typing import Literal

from research.core.vocabulary import SourceName
from research.events.fact import Event


class CollectionIndexed(Event):
    """A folder of documents was read as far as `done` of `total` files; the last one has `done == total`."""

    type: Literal["collection_indexed"] = "collection_indexed"
    source: SourceName
    done: int
    total: int
    skipped: tuple[tuple[str, str], ...] = ()
    """File name and reason code (see `research.problems`) of what could not be read."""


class SearchStarted(Event):
    """A query was sent to a source."""

    type: Literal["search_started"] = "search_started"
    lane: str
    search: str
    """`Q1`, `Q2`, … within a run."""
    query: str
    source: SourceName


class SearchReturned(Event):
    """A source answered; `new` pages had not been read in this run before."""

    type: Literal["search_returned"] = "search_returned"
    lane: str
    search: str
    pages: int
    new: int
    seconds: float


class SearchFailed(Event):
    """A source did not answer one query; the others go on."""

    type: Literal["search_failed"] = "search_failed"
    lane: str
    search: str
    code: str
    detail: str = ""
    seconds: float = 0.0
