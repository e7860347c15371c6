"""What a run tells of its report: written at once or in sections, held against its sources, repaired."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from research.core.happening import Event


class ReportStarted(Event):
    """The writing began; sent again if it had to begin anew, which voids the text before."""

    type: Literal["report_started"] = "report_started"
    analyst: str


class ReportExtended(Event):
    """A further piece of the report, as the analyst writes it, with ids (`[E12]`) not yet numbered."""

    type: Literal["report_extended"] = "report_extended"
    text: str


class SectionExtended(Event):
    """A section, named by its researcher, grows; the whole report follows once all sections are written."""

    type: Literal["section_extended"] = "section_extended"
    section: str
    title: str
    piece: int = 0
    """Its text stands behind that of lower pieces: a section may be written in several."""
    text: str
    anew: bool = False
    """What was written of this piece before is void."""


class SectionWritten(Event):
    """A section is written whole."""

    type: Literal["section_written"] = "section_written"
    section: str
    title: str
    analyst: str
    evidence: tuple[str, ...]


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
    """How long it is, counted as `research.core.citations` counts; records of before that have none."""


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


ReportEvent = (
    ReportStarted
    | ReportExtended
    | SectionExtended
    | SectionWritten
    | ReportWritten
    | ReportVerified
    | SentencesRepaired
)


@dataclass
class SectionView:
    """A section of the report while it is written."""

    title: str
    pieces: dict[int, str] = field(default_factory=dict)
    """Text by its place in the section."""
    analyst: str = ""
    """Who wrote it; empty while it grows."""
    evidence: tuple[str, ...] = ()
    """What it was written from."""

    @property
    def is_whole(self) -> bool:
        """Whether it is written to its end."""
        return bool(self.analyst)

    @property
    def text(self) -> str:
        """Its text so far, without the heading."""
        return "\n\n".join(self.pieces[place].strip() for place in sorted(self.pieces) if self.pieces[place].strip())

    def enter(self, event: SectionExtended | SectionWritten) -> None:
        """Take in what was told of it."""
        match event:
            case SectionExtended(piece=place, anew=anew):
                self.pieces[place] = event.text if anew else self.pieces.get(place, "") + event.text
                self.analyst = ""
            case SectionWritten():
                self.analyst, self.evidence = event.analyst, event.evidence
