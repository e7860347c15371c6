"""A run of the store as a report."""

from __future__ import annotations

from research.export.follow_ups import with_follow_ups
from research.followup.model import of_research
from research.report import Report
from research.runs.model import ended
from research.runs.salvage import salvage
from research.runs.store import RunStore


def load_report(store: RunStore, run_id: str) -> Report:
    """Return the report of a run that has ended, with what was asked about it since.

    Of an interrupted run it is what it had found until then.

    Raises:
        UsageError: there is no such run, or it is still running.
        StoreError: the store cannot be read.
    """
    run = ended(store.get(run_id))
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
