"""Research notes: read, exported and deleted by themselves, run by run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from research.core import Brief, Event, Evidence, NoteTaken, RunFinished, Status, UsageError
from research.export.markdown import clean_notes, note_numbers, notes_json, notes_markdown
from research.language import Language
from research.results import Report, ResearchNote, RunRecord, SourceEntry, notes_of
from research.store import RunStore, delete_notes, notes
from tests.support import sample_runs
from tests.support.stored_runs import append

TAKEN = (
    NoteTaken(step=2, query="Who *buys* pumps?", summary="# Buyers\n\nUtilities buy [E3].", sources=("S3",)),
    NoteTaken(step=1, query="pump market", summary="It grew [E1, E2][E9]. https://evil.example", sources=("S2",)),
)


def record(language: Language = Language.EN) -> RunRecord:
    """A run whose report cites its second page alone."""
    sources = tuple(
        SourceEntry(
            id=f"S{place}", url=f"https://{place}.example/", title=f"Page *{place}*", site=f"{place}.example",
            kind="news", origin="web", published=published, fetched_at="", sha256="", number=number,
        )
        for place, number, published in ((1, None, "2026-10-30"), (2, 1, "2025-01"), (3, None, None))
    )  # fmt: skip
    quotes = [Evidence(id=f"E{n}", source=f"S{n}", quote=f"Quote {n}.", start=0, end=8) for n in (1, 2, 3)]
    return RunRecord(
        run="20261121-abc", status=Status.COMPLETE, analyst="chat", writer="chat", seconds=1.0, usage={},
        brief=Brief(question="What of pumps?", language=language), started_at="2026-11-21T09:30:00+00:00",
        sources=sources, evidence=tuple(quotes), sentences=(),
    )  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    opened = RunStore(tmp_path)
    yield opened
    opened.close()


def stored(store: RunStore, *, ended: bool = True) -> str:
    run = sample_runs.ended(store, Language.EN) if ended else sample_runs.researching(store, Language.EN)
    for event in TAKEN:
        append(store, run, event)
    return run


def test_notes_are_read_by_step(store: RunStore) -> None:
    found = notes(store, stored(store))
    assert [note.step for note in found] == [1, 2]
    assert found == notes_of(TAKEN)
    assert notes(store, sample_runs.ended(store, Language.EN)) == ()


def test_deleting_the_notes_of_a_run_deletes_nothing_else(store: RunStore, tmp_path: Path) -> None:
    run, other = stored(store), stored(store)
    before = [event for event in store.events(run) if not isinstance(event, NoteTaken)]
    assert delete_notes(store, run) == 2
    assert notes(store, run) == () and list(store.events(run)) == before
    assert store.record(run) is not None and store.markdown(run)
    assert len(notes(store, other)) == 2
    assert delete_notes(store, run) == 0


def test_the_bytes_of_deleted_notes_are_gone(store: RunStore, tmp_path: Path) -> None:
    run = stored(store)
    assert b"evil.example" in b"".join(path.read_bytes() for path in tmp_path.glob("runs.sqlite3*"))
    delete_notes(store, run)
    assert b"evil.example" not in b"".join(path.read_bytes() for path in tmp_path.glob("runs.sqlite3*"))


def test_notes_go_with_their_run(store: RunStore) -> None:
    run = stored(store)
    store.delete(run)
    with pytest.raises(UsageError, match="There is no run"):
        notes(store, run)


def test_notes_of_a_running_run_are_not_deleted(store: RunStore) -> None:
    run = stored(store, ended=False)
    with pytest.raises(UsageError, match="still running"):
        delete_notes(store, run)
    assert len(notes(store, run)) == 2
    with pytest.raises(UsageError, match="There is no run"):
        delete_notes(store, "20260101-nothing")


def test_a_summary_cites_only_what_exists_and_holds_no_address() -> None:
    first, second = clean_notes(notes_of(TAKEN), record())
    assert first.summary == "It grew [E1, E2]."
    assert second.summary == TAKEN[0].summary


def test_a_number_means_the_same_source_as_in_the_report() -> None:
    clean = clean_notes(notes_of(TAKEN), record())
    assert note_numbers(clean, record()) == {"S2": 1, "S1": 2, "S3": 3}


def test_notes_as_markdown() -> None:
    text = notes_markdown(notes_of(TAKEN), record())
    assert text.startswith("# Research notes: What of pumps?\n\n*Researched on 21 Nov 2026. Run 20261121-abc.*\n")
    assert "## 1. pump market\n\nIt grew [2] [1].\n\n**Sources:** [1] Page \\*2\\*, Jan 2025\n" in text
    assert "## 2. Who \\*buys\\* pumps?\n\n### Buyers\n\nUtilities buy [3].\n" in text
    assert "**Sources:** [3] Page \\*3\\*, date unknown" in text
    assert text.endswith("[1]: <https://2.example/>\n[2]: <https://1.example/>\n[3]: <https://3.example/>\n")
    assert "evil" not in text
    cited = set(re.findall(r"\[(\d)\](?!:)", text))
    assert cited == set(re.findall(r"^\[(\d)\]:", text, re.MULTILINE))


def test_notes_as_markdown_in_japanese() -> None:
    text = notes_markdown(notes_of(TAKEN), record(Language.JA))
    assert text.startswith("# 調査ノート：What of pumps?\n\n*調査日：2026年11月21日（実行 20261121-abc）*\n")
    assert "**情報源**：[3] Page \\*3\\* · 日付不明" in text


def test_a_source_of_the_last_three_months_stands_out() -> None:
    recent = ResearchNote(step=1, query="q", summary="Up [E1].", sources=("S1",))
    assert "Page \\*1\\*, **30 Oct 2026**" in notes_markdown([recent], record())


def test_notes_as_json() -> None:
    data = json.loads(notes_json(notes_of(TAKEN), record()))
    assert (data["run"], data["question"]) == ("20261121-abc", "What of pumps?")
    first = data["notes"][0]
    assert (first["step"], first["query"], first["summary"]) == (1, "pump market", "It grew [E1, E2].")
    assert [source["url"] for source in first["sources"]] == ["https://2.example/"]
    assert [quote["quote"] for quote in first["quotes"]] == ["Quote 1.", "Quote 2."]


def test_a_note_without_summary_or_with_lost_sources_is_still_exported() -> None:
    bare = ResearchNote(step=1, query="", summary="", sources=("S7",))
    assert "## 1." in notes_markdown([bare], record())
    assert json.loads(notes_json([bare], record()))["notes"][0]["sources"] == []


def test_a_report_has_a_frame_of_its_notes() -> None:
    events: list[Event] = [*TAKEN, RunFinished(status=Status.COMPLETE, seconds=1.0)]
    frame = Report(record=record(), markdown="", history=tuple(events)).notes
    assert list(frame.columns) == ["step", "query", "summary", "sources"]
    assert list(frame["step"]) == [1, 2]
    assert frame["sources"][0] == ("S2",)
    assert Report(record=record(), markdown="").notes.empty
