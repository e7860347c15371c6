"""Research notes: what each query of a run brought, in words. They are a view of the run's events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from pydantic import BaseModel, ConfigDict

from research.events import Event, NoteTaken


class ResearchNote(BaseModel):
    """What one query brought."""

    model_config = ConfigDict(frozen=True)

    step: int
    """Counts from 1 within a run."""
    query: str
    summary: str
    """Markdown, citing evidence as `[E12]`."""
    sources: tuple[str, ...]
    """Ids of the pages that it rests on."""

    @classmethod
    def of(cls, event: NoteTaken) -> Self:
        """Return the note that an event reports."""
        return cls(step=event.step, query=event.query, summary=event.summary, sources=event.sources)


def notes_of(events: Iterable[Event]) -> tuple[ResearchNote, ...]:
    """Return the notes among the events of a run, by step: those of one cycle are written at once."""
    notes = (ResearchNote.of(event) for event in events if isinstance(event, NoteTaken))
    return tuple(sorted(notes, key=lambda note: note.step))
