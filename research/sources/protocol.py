"""Where pages come from: what a search is given and what it returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Protocol, runtime_checkable

from research.analysts import OfferedTool, UseTool
from research.core import PeriodChoice, Region, SourceKind, SourceName
from research.language import Language


@dataclass(frozen=True)
class SearchRequest:
    """One query and the limits that the brief sets to it."""

    query: str
    limit: int
    """Pages wanted, at most."""
    period: PeriodChoice | None = None
    region: Region | None = None
    preferred_sites: tuple[str, ...] = ()
    forbidden_sites: tuple[str, ...] = ()
    language: Language = Language.EN

    def first_day(self, today: date) -> str:
        """Return the first day of the period in ISO 8601; an empty string if there is none."""
        return (today - timedelta(days=self.period.days)).isoformat() if self.period is not None else ""

    def is_too_old(self, published: str | None, today: date) -> bool:
        """Whether even the last day of what `published` may mean (`2025`, `2025-06`) lies before the period."""
        return published is not None and published < self.first_day(today)[: len(published)]


@dataclass(frozen=True)
class FoundPage:
    """A page as a provider returns it, not yet kept."""

    url: str
    """Canonical address."""
    title: str
    site: str
    origin: SourceName
    kind: SourceKind
    text: str
    """The whole text of the page."""
    published: str | None = None
    passages: tuple[tuple[int, int], ...] = field(default=())
    """Offsets in `text` of the passages that matched best, best first; empty if the provider does not say."""
    score: float = 0.0
    """Relevance as the provider sees it; comparable within one result list only."""


class Source(Protocol):
    """A provider of pages."""

    @property
    def name(self) -> SourceName:
        """Which of the brief's sources this is."""
        ...

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return pages for one query, best first; an empty list if there are none.

        Raises:
            SourceError: the search failed; other queries are not affected.
        """
        ...


@runtime_checkable
class Priced(Protocol):
    """A source of which each search has a price; one that hangs may be asked a second time."""

    address: str
    """Where it is asked."""
    usd_a_search: float


@runtime_checkable
class OfServer(Protocol):
    """A source that is one of several servers: what it told may go back to it, and to no other."""

    @property
    def server(self) -> str:
        """Its name."""
        ...


class Toolbox(Protocol):
    """The tools of the servers that the user set up."""

    async def offered(self) -> tuple[OfferedTool, ...]:
        """Return the tools that can be used; what keeps a server from telling its own is reported. Never raises."""
        ...

    def source(self, action: UseTool) -> Source:
        """Return a source whose one page is what the tool answers."""
        ...
