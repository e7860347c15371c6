"""Runs that read the pages that a test names."""

from __future__ import annotations

from datetime import UTC, date, datetime

from research.core import (
    Brief,
    EvidenceFound,
    Page,
    Role,
    SourceKind,
    SourceName,
    Status,
    text_hash,
)
from research.results import RunRecord, SourceEntry, Usage
from research.store import (
    RunStore,
)

TODAY = date(2026, 11, 22)
READ_AT = datetime(2026, 11, 21, tzinfo=UTC)


def page(number: int, **facts: object) -> Page:
    text = str(facts.pop("text", f"The market of town {number} grew by {number} %."))
    held: dict[str, object] = {
        "id": f"S{number}",
        "url": f"https://example.org/{number}",
        "title": f"Market {number}",
        "site": "example.org",
        "origin": SourceName.WEB,
        "kind": SourceKind.NEWS,
        "published": None,
        "fetched_at": READ_AT,
        "text": text,
        "sha256": text_hash(text),
    }
    return Page.model_validate(held | facts)


def quote(number: int, source: str, start: int = 0) -> EvidenceFound:
    return EvidenceFound(seq=number, lane="R1", id=f"E{number}", source=source, quote="The", start=start, end=start + 3)


def read(store: RunStore, *pages: Page, quotes: tuple[EvidenceFound, ...] = (), question: str = "How large?") -> str:
    run = store.create(Brief(question=question), "chat")
    store.extend(run, quotes, pages)
    return run


def end(store: RunStore, run: str, *, cited: dict[str, int], usage: dict[Role, Usage] | None = None) -> None:
    pages = store.pages(run).values()
    record = RunRecord(
        run=run,
        status=Status.COMPLETE,
        analyst="chat",
        writer="chat",
        brief=Brief(question="How large?"),
        started_at=READ_AT.isoformat(),
        seconds=3.5,
        usage=usage or {},
        sources=tuple(SourceEntry.of(page, cited.get(page.id)) for page in pages),
        evidence=(),
        sentences=(),
    )
    store.finish(run, record, "# Report")
