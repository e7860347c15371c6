"""What a report may rest on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from research.analysts.protocol.topics import TopicResult
from research.brief import Brief
from research.evidence import Evidence, Page
from research.outline import Outline


@dataclass(frozen=True)
class ReportRequest:
    """Everything that the report may rest on. What went wrong on the way is added to the report by the program."""

    brief: Brief
    brief_text: str
    today: date
    results: tuple[TopicResult, ...]
    evidence: dict[str, Evidence]
    """Evidence by id: what is not in here cannot be cited."""
    pages: dict[str, Page]
    outline: Outline | None = None
    """The plan that the report follows, if there is one."""
    earlier: str = ""
    """The report as it was written before, if it is to be written again because of its length."""
