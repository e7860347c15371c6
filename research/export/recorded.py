"""The report of a run as its record has it."""

from __future__ import annotations

from collections.abc import Mapping

from research.core.citations import Cited
from research.core.ledger import Page
from research.core.presets import Role
from research.export.byline import byline
from research.export.markdown import Printed, to_markdown
from research.results.record import RunRecord


def record_markdown(record: RunRecord, cited: Cited, pages: Mapping[str, Page], models: Mapping[Role, str]) -> str:
    """Return the whole report.

    Args:
        record: what the run leaves behind.
        cited: the draft of `record`, numbered.
        pages: those that it cites, by id.
        models: the model of each role, to be named; empty where no model was used.
    """
    line = byline(record.brief.language, record.day, record.writer, models)
    return to_markdown(cited, pages=pages, **printed(record, line))


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
