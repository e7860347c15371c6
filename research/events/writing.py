"""The report: written, held against its sources, repaired."""

from __future__ import annotations

from typing import Literal

from research.events.fact import Event


class ReportStarted(Event):
    """The writing began; sent again if it had to begin anew, which voids the text before."""

    type: Literal["report_started"] = "report_started"
    analyst: str


class ReportExtended(Event):
    """A further piece of the report, as the analyst writes it, with ids (`[E12]`) not yet numbered."""

    type: Literal["report_extended"] = "report_extended"
    text: str


class ReportWritten(Event):
    """The report is written; what follows can only mend or take out sentences."""

    type: Literal["report_written"] = "report_written"
    analyst: str
    citations: int
    unknown_ids: int
    """Citations of evidence that does not exist; removed."""
    removed_links: int
    """Addresses that the analyst wrote itself; removed."""
    pages: float | None = None
    """How long it is, counted as `research.length` counts; records of before that have none."""


class ReportVerified(Event):
    """Every sentence was held against the stored pages that it cites, by rules.

    Sent again after sentences were repaired or left out; the last one holds.
    """

    type: Literal["report_verified"] = "report_verified"
    counts: dict[str, int]
    """Sentences for each verdict that occurs; those that claim nothing are not counted."""


class SentencesRepaired(Event):
    """Sentences that were not borne out went to the analyst once more."""

    type: Literal["sentences_repaired"] = "sentences_repaired"
    changed: int
    """Better borne out now: other citations, or other words."""
    dropped: int
    kept: int
    """As they were, with their verdict: no repair was better, or none was proposed."""
