"""What was asked about a report, as the events of its run tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from research.citations import render_marks
from research.events import Event, FollowUpAnswered, FollowUpSearched
from research.evidence import Evidence


@dataclass(frozen=True)
class FollowUp:
    """A question about a report, and its answer."""

    answer: FollowUpAnswered
    """The last one."""
    search: str = ""
    """Id of the small run that was last started to search for it."""

    @property
    def number(self) -> int:
        """Its number within the run."""
        return self.answer.number

    @property
    def at(self) -> datetime | None:
        """When it was answered."""
        return self.answer.at

    @property
    def awaits(self) -> str:
        """Id of the small run whose result has not joined the report, if there is one."""
        return "" if self.search == self.answer.run else self.search


def follow_ups_of(events: Iterable[Event]) -> tuple[FollowUp, ...]:
    """Return what was asked about a report, in the order of asking."""
    answers: dict[int, FollowUpAnswered] = {}
    searches: dict[int, str] = {}
    for event in events:
        match event:
            case FollowUpAnswered(number=number):
                answers[number] = event
            case FollowUpSearched(number=number, run=run):
                searches[number] = run
    return tuple(FollowUp(answers[number], searches.get(number, "")) for number in sorted(answers))


def lane_of(number: int) -> str:
    """Return the lane in which the search for a question is recorded."""
    return f"F{number}"


def of_research(events: Iterable[Event]) -> list[Event]:
    """Return the events of a run before the first question about its report was answered."""
    return list(takewhile(lambda event: not isinstance(event, FollowUpAnswered | FollowUpSearched), events))


def numbered_on(
    numbers: Mapping[str, int], follow_ups: Iterable[FollowUp], evidence: Mapping[str, Evidence]
) -> dict[str, int]:
    """Return the citation numbers of a report, with those of the pages that only its follow-ups cite added on.

    Args:
        numbers: Citation number of each page that the report cites.
        follow_ups: What was asked about it, in order.
        evidence: All evidence by id, with what joined the report.
    """
    found = dict(numbers)

    def note(ids: list[str]) -> str:
        for name in ids:
            if name in evidence:
                found.setdefault(evidence[name].source, max(found.values(), default=0) + 1)
        return ""

    for follow_up in follow_ups:
        render_marks(follow_up.answer.draft, note)
    return found
