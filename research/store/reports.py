"""Reports of runs: as stored, of runs that broke off, with what was asked about them since, and their notes.

Every function that names a run may raise `UsageError`, there is none of that name (those that change something: or it
is still running), and `StoreError`, the store cannot be read or written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from research.core import (
    Brief,
    Event,
    Evidence,
    FollowUpAnswered,
    FollowUpSearched,
    Page,
    PageRead,
    RunStarted,
    RunView,
    Stage,
    Status,
    UsageError,
    cite,
)
from research.engine import Joined, joined
from research.export.markdown import report_markdown, with_follow_ups
from research.results import (
    FollowUp,
    Problem,
    ProofBasis,
    Report,
    ResearchNote,
    RunRecord,
    SourceEntry,
    follow_ups_of,
    notes_of,
    of_research,
    problems_of,
    prove_draft,
    trail_of,
    usage_of,
)
from research.store.store import RunStore, append_events, events_of, insert_pages, utc_now
from research.text import escape_markdown
from research.verification import Contradiction, contradictions_of


def load_report(store: RunStore, run_id: str) -> Report:
    """Return the report of a run that has ended, with what was asked about it since.

    Of an interrupted run it is what it had found until then. Of one that is still running there is none: `UsageError`.
    """
    run = store.ended(run_id)
    events, pages = tuple(store.events(run_id)), store.pages(run_id)
    record, markdown = store.record(run_id), store.markdown(run_id)
    if record is None or markdown is None:
        record, markdown = salvage(
            run.id,
            run.brief,
            run.analyst,
            of_research(events),
            pages,
            started_at=run.created_at,
            seconds=run.seconds,
            code="interrupted",
        )
    report = Report(record=record, markdown=markdown, history=events, pages=pages)
    return report.model_copy(update={"markdown": with_follow_ups(report)})


def salvage(
    run_id: str,
    brief: Brief,
    analyst: str,
    events: Sequence[Event],
    kept: Mapping[str, Page],
    *,
    started_at: datetime,
    seconds: float,
    code: str,
    subject: str = "",
    detail: str = "",
) -> tuple[RunRecord, str]:
    """Return the record and the report of a run that broke off: every quote that it found, by source.

    The report holds nothing of sites that were blocked and of topics that were dropped; the record names it still.
    Quotes of pages that are not among the `kept` ones cannot be verified. `code` (see `research.core.errors`) says why,
    with what or whom it is about as `subject`.
    """
    run = RunView.of(events)
    pages = {name: kept.get(name) or _page(read) for name, read in run.pages.items()}
    wanted = {entry.id: entry for entry in run.wanted(run.evidence.values())}
    cited = cite(_draft(pages, wanted), wanted, is_quoting=True)
    found, failed = _contradictions(run, pages, wanted, brief.question)
    record = RunRecord(
        run=run_id,
        status=Status.PARTIAL if wanted else Status.FAILED,
        analyst=analyst,
        writer="extractive",
        brief=brief,
        started_at=started_at.isoformat(),
        seconds=seconds,
        usage=usage_of(run),
        sources=tuple(SourceEntry.of(page, cited.numbers.get(page.id)) for page in pages.values()),
        evidence=tuple(run.evidence.values()),
        sentences=prove_draft(cited.draft, ProofBasis(pages, run.evidence), by_rule=True),
        problems=(*problems_of(run), Problem(stage=Stage.RESEARCH, code=code, subject=subject, detail=detail), *failed),
        draft=cited.draft,
        contradictions=found,
        trail=trail_of(run),
    )
    return record, report_markdown(record, pages, {})


def _contradictions(
    run: RunView, pages: Mapping[str, Page], evidence: Mapping[str, Evidence], question: str
) -> tuple[tuple[Contradiction, ...], tuple[Problem, ...]]:
    """Return what the sources say differently, and what kept it from being found."""
    try:
        return contradictions_of(run.reflections, evidence, pages, question, evidence), ()
    except Exception as error:  # noqa: BLE001 - text of strangers must not cost what is left of a run
        detail = f"{type(error).__name__}: {error}"
        return (), (Problem(stage=Stage.WRITING, code="comparison_failed", detail=detail),)


def _draft(pages: dict[str, Page], evidence: dict[str, Evidence]) -> str:
    sections = []
    for page in pages.values():
        mine = (entry for entry in evidence.values() if entry.source == page.id)
        quotes = [f"- “{escape_markdown(entry.quote)}” [{entry.id}]" for entry in mine]
        if quotes:
            sections.append("\n".join([f"## {escape_markdown(page.title)}", "", *quotes]))
    return "\n\n".join(sections)


def _page(event: PageRead) -> Page:
    """Return the page as it was kept, but for its text, which stands in the store."""
    facts = event.model_dump(include=Page.model_fields.keys() - {"id", "fetched_at", "text"})
    return Page(id=event.page, fetched_at=event.at, text="", **facts)


@dataclass(frozen=True)
class Origin:
    """Which other run a run is a part of, if it is."""

    rewritten_from: str = ""
    follow_up_to: str = ""


def origin_of(store: RunStore, run_id: str) -> Origin:
    """Return which other run a run is a part of; that one may have been deleted since."""
    started = next(iter(store.events_of_type(run_id, "run_started")), None)
    return Origin(started.rewritten_from, started.follow_up_to) if isinstance(started, RunStarted) else Origin()


_NUMBER = "CAST(json_extract(body, '$.number') AS INTEGER)"
_ASKED = "run = ? AND type IN ('follow_up_answered', 'follow_up_searched')"


def follow_ups_to(store: RunStore, run_id: str) -> tuple[FollowUp, ...]:
    """Return what was asked about a run's report, in order."""
    return follow_ups_of(RunView.of(store.events_of_type(run_id, "follow_up_answered", "follow_up_searched")))


def keep_answer(store: RunStore, run_id: str, answer: FollowUpAnswered, calls: Iterable[Event] = ()) -> int:
    """Keep an answer, and the `calls` that it took; return its number, which is the next one if it has none."""
    store.ended(run_id)
    last = f"SELECT coalesce(max({_NUMBER}), 0) FROM events WHERE {_ASKED}"  # noqa: S608 - constant
    with store.changing(run_id) as connection:
        number: int = answer.number or connection.execute(last, (run_id,)).fetchone()[0] + 1
        append_events(connection, run_id, [*calls, answer.model_copy(update={"number": number})], utc_now())
    return number


def keep_search(store: RunStore, run_id: str, number: int, search: str) -> None:
    """Keep that the run `search` was started for a question."""
    store.ended(run_id)
    with store.changing(run_id) as connection:
        append_events(connection, run_id, [FollowUpSearched(number=number, run=search)], utc_now())


def join(store: RunStore, run_id: str, found: Report, title: str, number: int) -> Joined:
    """Let what another run `found` join the books of a run, under ids of this run; return what was new.

    `title` names it among the topics, and `number` is that of the question.
    """
    store.ended(run_id)
    with store.changing(run_id) as connection:
        result = joined(RunView.of(events_of(connection, run_id)), found, title, number)
        insert_pages(connection, run_id, result.pages)
        append_events(connection, run_id, result.events, utc_now())
    return result


def forget_follow_up(store: RunStore, run_id: str, number: int) -> None:
    """Delete a question with its answer; what a search for it brought stays."""
    store.ended(run_id)
    asked = f"DELETE FROM events WHERE {_ASKED} AND {_NUMBER} = ?"  # noqa: S608 - a constant
    with store.changing(run_id) as connection:
        connection.execute(asked, (run_id, number))
    store.database.wipe_log()


def notes(store: RunStore, run_id: str) -> tuple[ResearchNote, ...]:
    """Return the notes of a run by step; none if its method takes none."""
    return notes_of(RunView.of(store.events_of_type(run_id, "note_taken")).notes)


def delete_notes(store: RunStore, run_id: str) -> int:
    """Delete the notes of a run, and nothing else of it; return how many there were. Their bytes are overwritten."""
    if (state := store.get(run_id).state).is_open:
        raise UsageError(f"The run {run_id} is still {state.value}; stop it before deleting its notes.")
    with store.changing(run_id) as connection:
        deleted = connection.execute("DELETE FROM events WHERE run = ? AND type = 'note_taken'", (run_id,)).rowcount
    store.database.wipe_log()
    return deleted
