"""What a store of runs is given: a clock, a page, a record."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from research import core
from research.results import RunRecord
from research.store import RunStore
from research.store.store import append_events

BRIEF = core.Brief(question="How large is the market?")


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def append(store: RunStore, run_id: str, event: core.Event) -> core.Event:
    """Enter one event behind all that a run has, as no program does: while it is under way its journal numbers them."""
    with store.changing(run_id) as connection:
        return append_events(connection, run_id, [event], store.now())[0]


def page(name: str = "S1", text: str = "The market grew by 4 %.", **fields: object) -> core.Page:
    """A page of the web as it was read."""
    known: dict[str, object] = {
        "id": name,
        "url": f"https://example.org/{name}",
        "title": "Market",
        "site": "example.org",
        "origin": core.SourceName.WEB,
        "kind": core.SourceKind.OTHER,
        "published": None,
        "fetched_at": datetime(2026, 11, 21, tzinfo=UTC),
        "text": text,
        "sha256": core.text_hash(text),
    }
    return core.Page.model_validate(known | fields)


def record(run_id: str, status: core.Status = core.Status.COMPLETE) -> RunRecord:
    return RunRecord(
        run=run_id,
        status=status,
        analyst="extractive",
        writer="extractive",
        brief=BRIEF,
        started_at="2026-11-21T12:00:00+00:00",
        seconds=3.5,
        usage={},
        sources=(),
        evidence=(),
        sentences=(),
    )
