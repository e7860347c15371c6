"""A journal that also remembers, so that more can be drawn from what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from research.events import AnyEvent, Event
from research.evidence import Page
from research.graph.context import Journal


class RememberingJournal:
    """Hands everything on to another journal, and keeps the events."""

    def __init__(self, journal: Journal, earlier: Sequence[Event] = ()) -> None:
        """`earlier` is what the run had reported before it broke off; the other journal has it already."""
        self._journal = journal
        self._events = list(earlier)

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        """All that it was told, as it was stored."""
        return cast("tuple[AnyEvent, ...]", tuple(self._events))

    def emit(self, event: Event) -> Event:
        """Store an event; see `Journal`."""
        stamped = self._journal.emit(event)
        self._events.append(stamped)
        return stamped

    def keep(self, page: Page) -> None:
        """Store the snapshot of a page; see `Journal`."""
        self._journal.keep(page)
