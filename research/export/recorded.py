"""The report of a run as its record has it."""

from __future__ import annotations

from collections.abc import Mapping

from research.core.citations import Cited
from research.core.ledger import Page
from research.export.markdown import Printed, to_markdown
from research.results.record import RunRecord


def record_markdown(record: RunRecord, cited: Cited, pages: Mapping[str, Page], byline: str) -> str:
    """Return the whole report; `cited` is the draft of `record`, numbered, and `pages` are those that it cites."""
    return to_markdown(cited, pages=pages, **printed(record, byline))


def printed(record: RunRecord, byline: str) -> Printed:
    """Return what a report prints besides its text."""
    return Printed(
        brief=record.brief,
        byline=byline,
        evidence=record.ledger,
        problems=record.problems,
        today=record.day,
        sentences=record.sentences,
        left_out=record.left_out,
        contradictions=record.contradictions,
        trail=record.trail,
    )
